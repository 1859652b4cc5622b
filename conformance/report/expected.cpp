#include "conformance/report/expected.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/plan/filter.h"

namespace touchstone::conformance {

namespace {

/// As in apply(), the first that matches decides.
const ExpectationOutcome* deciding(const Summary& summary, const CaseRecord& record) {
  const auto found =
      std::find_if(summary.expectations.begin(), summary.expectations.end(),
                   [&](const ExpectationOutcome& row) { return Filter(row.expectation.pattern).takes(record.id); });
  return found == summary.expectations.end() ? nullptr : &*found;
}

}  // namespace

const Expectation* expected_by(const Summary& summary, const CaseRecord& record) {
  return is_expected(summary.expectations, record) ? &deciding(summary, record)->expectation : nullptr;
}

const Expectation* passed_against(const Summary& summary, const CaseRecord& record) {
  if (!is_pass(record.verdict)) return nullptr;
  const ExpectationOutcome* row = deciding(summary, record);
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
