// Known failures: a file that says which cases are expected to go wrong, how, and why.
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
  std::string pattern;  ///< as --filter has it
  Verdict verdict;
  std::string reason;
  std::string issue;
  std::optional<std::string> expires = std::nullopt;  ///< YYYY-MM-DD: the last day on which it holds

  bool operator==(const KnownFailure&) const = default;
};

/// Throws FileError: not JSON; an unknown, missing or repeated member; a blank pattern, reason or issue; a pattern that
/// Filter refuses; a passing or unknown verdict; an invalid date; more patterns than Limits::expectations.
std::vector<KnownFailure> read_known_failures(const std::filesystem::path& path);
/// Parses the content of the file. `origin` (a path) is used in error messages.
std::vector<KnownFailure> parse_known_failures(std::string_view content, const std::string& origin);

/// What became of one expectation.
struct KnownFailureOutcome {
  KnownFailure expectation;
  Filter filter{expectation.pattern};
  std::size_t met = 0;                         ///< cases that went wrong as expected
  std::vector<std::string> unexpected_passes;  ///< ids of cases that pass
  bool expired = false;                        ///< then no failure is expected by it

  bool stale() const { return met == 0 && unexpected_passes.empty(); }
};

/// What became of all of them, in their order.
class KnownFailureOutcomes {
 public:
  KnownFailureOutcomes() = default;
  KnownFailureOutcomes(const std::vector<KnownFailure>& expectations, std::span<const CaseRecord> records,
                       const std::string& today);

  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }
  bool empty() const { return rows_.empty(); }
  const KnownFailureOutcome& operator[](std::size_t place) const { return rows_[place]; }

  /// The one that decides about a case, whatever its verdict; null if there is none. The case is one of those that the
  /// expectations were applied to.
  const KnownFailureOutcome* deciding(const CaseRecord& record) const;

 private:
  /// At most PlaceSet::capacity.
  void add(std::span<const CaseRecord> records);

  std::vector<KnownFailureOutcome> rows_;
  /// In `rows_`, by the id of a case: reports ask again and again, and there may be thousands of patterns.
  std::unordered_map<std::string, std::size_t> deciding_;
};

/// The first expectation that matches a case decides. `today` is YYYY-MM-DD.
KnownFailureOutcomes apply(const std::vector<KnownFailure>& expectations, std::span<const CaseRecord> records,
                           const std::string& today);

/// Whether an expectation that has not expired expects the record's verdict.
bool is_expected(const KnownFailureOutcomes& outcomes, const CaseRecord& record);

}  // namespace touchstone::conformance
