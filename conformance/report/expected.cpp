#include "conformance/report/expected.h"

#include <fmt/format.h>

namespace touchstone::conformance {

const KnownFailure* expected_by(const Summary& summary, const CaseRecord& record) {
  return is_expected(summary.expectations, record) ? &summary.expectations.deciding(record)->expectation : nullptr;
}

const KnownFailure* passed_against(const Summary& summary, const CaseRecord& record) {
  if (!is_pass(record.verdict)) return nullptr;
  const KnownFailureOutcome* row = summary.expectations.deciding(record);
  return row ? &row->expectation : nullptr;
}

std::string why(const KnownFailure& expectation) {
  return fmt::format("{} ({})", expectation.reason, expectation.issue);
}

std::string state_in_words(const KnownFailureOutcome& outcome) {
  const std::string expired = outcome.expired ? "expired" : "";
  const std::string separator = outcome.expired ? ", " : "";
  if (outcome.stale()) return expired + separator + "stale: no case fails in this way";
  if (!outcome.unexpected_passes.empty()) return expired + separator + "some cases pass";
  return outcome.expired ? expired : "holds";
}

}  // namespace touchstone::conformance
