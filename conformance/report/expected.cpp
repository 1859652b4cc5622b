#include "conformance/report/expected.h"

#include <fmt/format.h>

namespace touchstone::conformance {

const Expectation* expected_by(const Summary& summary, const CaseRecord& record) {
  return is_expected(summary.expectations, record) ? &summary.expectations.deciding(record)->expectation : nullptr;
}

const Expectation* passed_against(const Summary& summary, const CaseRecord& record) {
  if (!is_pass(record.verdict)) return nullptr;
  const ExpectationOutcome* row = summary.expectations.deciding(record);
  return row ? &row->expectation : nullptr;
}

std::string why(const Expectation& expectation) {
  return fmt::format("{} ({})", expectation.reason, expectation.issue);
}

std::string state_in_words(const ExpectationOutcome& outcome) {
  const std::string expired = outcome.expired ? "expired" : "";
  const std::string separator = outcome.expired ? ", " : "";
  if (outcome.stale()) return expired + separator + "stale: no case goes wrong like this";
  if (!outcome.unexpected_passes.empty()) return expired + separator + "some cases pass";
  return outcome.expired ? expired : "holds";
}

}  // namespace touchstone::conformance
