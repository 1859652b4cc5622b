#include "conformance/report/expected.h"

#include <fmt/format.h>

namespace touchstone::conformance {

const Expectation* expected_by(const Summary& summary, const CaseRecord& record) {
  return is_expected(summary.expectations, record) ? &deciding(summary.expectations, record)->expectation : nullptr;
}

const Expectation* passed_against(const Summary& summary, const CaseRecord& record) {
  if (!is_pass(record.verdict)) return nullptr;
  const ExpectationOutcome* row = deciding(summary.expectations, record);
  return row && !row->expired ? &row->expectation : nullptr;
}

std::string why(const Expectation& expectation) {
  return fmt::format("{} ({})", expectation.reason, expectation.issue);
}

std::string state_in_words(const ExpectationOutcome& outcome) {
  if (outcome.expired) return "expired";
  if (outcome.stale()) return "stale: no case goes wrong like this";
  if (!outcome.unexpected_passes.empty()) return "some cases pass";
  return "holds";
}

}  // namespace touchstone::conformance
