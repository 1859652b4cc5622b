// The formula without changed steps gives what the reference gives.
#include "conformance/diagnose/formula.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "conformance/diagnose/computation.h"
#include "conformance/diagnose/testing.h"
#include "conformance/judge/alternatives.h"
#include "reference/interpreter.h"

namespace touchstone::conformance::formula_test {
namespace {

using reference::Outcome;
using reference::Policy;

std::string describe(const Policy& policy) {
  for (std::size_t a = 0; a < spec::ambiguities.size(); ++a)
    if (policy.reading_index(a) != 0) return std::string(id_of({a, policy.reading_index(a)}).reading);
  return "primary";
}

/// Whether one element was compared.
bool expect_the_reference(const std::string& id, const reference::Node& node, const Policy& policy) {
  const Outcome outcome = reference::interpret(node, policy);
  const reference::Result* result = outcome.result();
  if (result == nullptr) return false;
  const PreparedNode prepared(node, policy);
  if (!prepared.has_formula()) return false;
  std::vector<std::int64_t> elements(static_cast<std::size_t>(result->y.size()));
  std::iota(elements.begin(), elements.end(), 0);
  const auto codes = prepared.codes({}, 0, elements);
  bool compared = false;
  for (const std::int64_t i : elements) {
    const auto k = static_cast<std::size_t>(i);
    if (result->unspecified[k]) continue;
    compared = true;
    if (codes[k] == result->y.code(i)) continue;
    ADD_FAILURE() << fmt::format("{}, {}: element {} is {:x}, the reference gives {:x}; x is {:x}", id,
                                 describe(policy), i, codes[k].value_or(0xdead), result->y.code(i),
                                 node.inputs[0]->code(i));
    break;
  }
  return compared;
}

class FormulaOf : public testing::TestWithParam<const char*> {};

/// Under the primary readings, and under every other reading of what the node consults, permitted or rejected.
TEST_P(FormulaOf, AgreesWithTheReferenceUnderEveryReading) {
  std::size_t compared = 0;
  for (const PlannedCase& planned : standard_cases(GetParam(), 67)) {
    const Case tested = planned.read();
    for (const ReferenceOutcome& row : interpret(tested)) {
      if (row.outcome.result() == nullptr) continue;
      if (expect_the_reference(planned.id, row.node, {})) ++compared;
      for (std::size_t a = 0; a < spec::ambiguities.size(); ++a)
        for (std::size_t r = 1; row.outcome.consulted.test(a) && r < spec::ambiguities[a]->readings.size(); ++r)
          expect_the_reference(planned.id, row.node, Policy{}.with(a, r));
      if (testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(compared, 20U);
}

INSTANTIATE_TEST_SUITE_P(Diagnose, FormulaOf,
                         testing::Values("quantize_linear/1?/*", "quantize_linear/21/*", "quantize_linear/23/*",
                                         "quantize_linear/24/*", "quantize_linear/25/*", "quantize_linear/28/*",
                                         "dequantize_linear/1?/*", "dequantize_linear/21/*", "dequantize_linear/23/*",
                                         "dequantize_linear/24/*", "dequantize_linear/25/*", "dequantize_linear/28/*",
                                         "com.microsoft/*"),
                         [](const auto& row) { return fmt::format("Cases{}", row.index); });

}  // namespace
}  // namespace touchstone::conformance::formula_test
