// Known failures: a file that lists which cases are expected to fail, how, and why.
//
//   {"expectations": [{"pattern": "quantize_linear/*/f16-*", "verdict": "fail", "reason": "no float16 kernels yet",
//                      "issue": "https://...", "expires": "2027-06-30"}]}
//
// An entry can name a cause of the report instead of, or in addition to, a pattern, with the rule that says where:
//
//   {"cause": "rounds-half-up", "where": "QuantizeLinear 21, y uint8", "verdict": "fail", "reason": ..., "issue": ...}
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conformance/files/file_error.h"
#include "conformance/plan/filter.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

struct KnownFailure {
  std::string pattern;  ///< in the syntax of --filter; * if only a cause is given
  Verdict verdict;
  std::string reason;
  std::string issue;
  std::optional<std::string> expires = std::nullopt;  ///< YYYY-MM-DD: the last day on which the entry applies
  // These describe a cause, as the members of Cause do. Empty members are not given.
  std::string cause = {};    ///< its name, or its sentence if it has none
  std::string where = {};    ///< its rule, which must be the same
  std::string message = {};  ///< of the backend, which may differ in numbers, names and types

  bool operator==(const KnownFailure&) const = default;
};

/// "quantize_linear/*", "cause rounds-half-up: QuantizeLinear 21, y uint8": what the entry is about.
std::string cases_in_words(const KnownFailure& expectation);

/// Throws FileError: not JSON; an unknown, missing or repeated member; a blank text; a pattern that Filter refuses;
/// `where` or `message` without a cause; a passing or unknown verdict; an invalid date; more patterns than
/// Limits::expectations.
std::vector<KnownFailure> read_known_failures(const std::filesystem::path& path);
/// Parses the content of the file. `origin` (a path) is used in error messages.
std::vector<KnownFailure> parse_known_failures(std::string_view content, const std::string& origin);

/// The result of one entry.
struct KnownFailureOutcome {
  KnownFailure expectation;
  Filter filter{expectation.pattern};
  std::size_t met = 0;                         ///< cases that failed as expected
  std::vector<std::string> unexpected_passes;  ///< ids of matching cases that pass
  bool expired = false;                        ///< if so, the entry excuses no failure

  bool stale() const { return met == 0 && unexpected_passes.empty(); }
};

/// The results of all entries, in their order.
class KnownFailureOutcomes {
 public:
  KnownFailureOutcomes() = default;
  /// Entries that name a cause decide about nothing until `decide` is called for them.
  KnownFailureOutcomes(const std::vector<KnownFailure>& expectations, std::span<const CaseRecord> records,
                       const std::string& today);

  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }
  bool empty() const { return rows_.empty(); }
  std::size_t size() const { return rows_.size(); }
  const KnownFailureOutcome& operator[](std::size_t place) const { return rows_[place]; }

  /// The entry that decides about a case, whatever its verdict; null if there is none. The case must be one of those to
  /// which the entries were applied.
  const KnownFailureOutcome* deciding(const CaseRecord& record) const;

  /// Lets the entry at this place decide about a case of its cause, if its pattern matches, and no other one decides.
  void decide(std::size_t place, const CaseRecord& record);
  bool knows_causes = false;  ///< whether the entries that name a cause were applied

  /// Removes the entries that no case meets: in a part of a run, they may be about cases of other parts.
  void remove_stale();

 private:
  void count(std::size_t place, const CaseRecord& record);
  /// Adds at most PlaceSet::capacity records.
  void add(std::span<const CaseRecord> records);

  std::vector<KnownFailureOutcome> rows_;
  /// Maps case ids to indices in `rows_`: reports ask often, and there may be thousands of patterns.
  std::unordered_map<std::string, std::size_t> deciding_;
};

/// The current date in UTC as YYYY-MM-DD.
std::string today();

/// The first entry that matches a case decides; those that name a cause come after all others. `today` is YYYY-MM-DD.
KnownFailureOutcomes apply(const std::vector<KnownFailure>& expectations, std::span<const CaseRecord> records,
                           const std::string& today);

/// Whether an entry that has not expired expects the record's verdict.
bool is_expected(const KnownFailureOutcomes& outcomes, const CaseRecord& record);

/// The same while the causes of the run are not known: whether the case can also have a cause that an entry names.
bool may_be_expected(const KnownFailureOutcomes& outcomes, const CaseRecord& record);

}  // namespace touchstone::conformance
