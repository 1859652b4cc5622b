// Known failures: a file that lists which cases are expected to fail, how, and why.
//
//   {"expectations": [{"pattern": "quantize_linear/*/f16-*", "verdict": "fail", "reason": "no float16 kernels yet",
//                      "issue": "https://...", "expires": "2027-06-30"}]}
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
  std::string pattern;  ///< in the syntax of --filter
  Verdict verdict;
  std::string reason;
  std::string issue;
  std::optional<std::string> expires = std::nullopt;  ///< YYYY-MM-DD: the last day on which the entry applies

  bool operator==(const KnownFailure&) const = default;
};

/// Throws FileError: not JSON; an unknown, missing or repeated member; a blank pattern, reason or issue; a pattern that
/// Filter refuses; a passing or unknown verdict; an invalid date; more patterns than Limits::expectations.
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
  KnownFailureOutcomes(const std::vector<KnownFailure>& expectations, std::span<const CaseRecord> records,
                       const std::string& today);

  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }
  bool empty() const { return rows_.empty(); }
  const KnownFailureOutcome& operator[](std::size_t place) const { return rows_[place]; }

  /// The entry that decides about a case, whatever its verdict; null if there is none. The case must be one of those to
  /// which the entries were applied.
  const KnownFailureOutcome* deciding(const CaseRecord& record) const;

 private:
  /// Adds at most PlaceSet::capacity records.
  void add(std::span<const CaseRecord> records);

  std::vector<KnownFailureOutcome> rows_;
  /// Maps case ids to indices in `rows_`: reports ask often, and there may be thousands of patterns.
  std::unordered_map<std::string, std::size_t> deciding_;
};

/// The current date in UTC as YYYY-MM-DD.
std::string today();

/// The first entry that matches a case decides. `today` is YYYY-MM-DD.
KnownFailureOutcomes apply(const std::vector<KnownFailure>& expectations, std::span<const CaseRecord> records,
                           const std::string& today);

/// Whether an entry that has not expired expects the record's verdict.
bool is_expected(const KnownFailureOutcomes& outcomes, const CaseRecord& record);

}  // namespace touchstone::conformance
