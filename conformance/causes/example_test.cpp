#include "conformance/causes/example.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conformance/causes/testing.h"
#include "conformance/diagnose/host_arithmetic.h"

namespace touchstone::conformance::example_test {
namespace {

using enum spec::ElementType;

ElementCode code(spec::ElementType type, double number) { return {type, host::encode(type, number)}; }

WrongElement element(double x, double scale, double expected, double actual) {
  return {.index = 0,
          .x = code(float32, x),
          .scale = code(float32, scale),
          .zero_point = std::nullopt,
          .expected = code(uint8, expected),
          .actual = code(uint8, actual)};
}

CaseRecord failure(std::vector<std::string> hypotheses, const std::vector<WrongElement>& elements) {
  CaseRecord record = record_of("quantize_linear/21/f32-f32-u8/per_axis/no_zp", Verdict::fail, "elements differ");
  record.hypotheses = std::move(hypotheses);
  record.wrong_elements = elements;
  return record;
}

/// The first element of the second case is a tie, which the cause of the first case explains. The scale of its second
/// element should be 4, and the first one is 1.
TEST(Examples, AreNotExplainedByOtherCauses) {
  const std::vector records{failure({"rounds-half-up"}, {element(0.5, 1, 0, 1)}),
                            failure({"rounds-half-up"}, {element(2.5, 1, 2, 3)}),
                            failure({"uses-first-scale"}, {element(2, 4, 0, 1), element(4, 4, 1, 4)})};
  const std::vector<Cause> causes = find_causes(records);
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_EQ(causes[0].example, *records[0].id);
  EXPECT_EQ(causes[1].name, "uses-first-scale");
  EXPECT_EQ(causes[1].example_element, "x 4, scale 4: expected 1, got 4");
}

/// Every rounding upwards explains the first element, and only rounding away from zero the second.
TEST(Examples, AreExplainedByFewHypotheses) {
  const std::vector records{failure({"rounds-half-away-from-zero"}, {element(0.5, 1, 0, 1), element(-2.5, -1, 2, 3)}),
                            failure({"rounds-half-away-from-zero"}, {element(-0.25, -1, 0, 0)})};
  EXPECT_EQ(find_causes(records).at(0).example_element, "x 0.5, scale 1: expected 0, got 1");
}

TEST(Examples, AreTheFirstElementsOfTheFirstCaseIfNothingIsKnown) {
  const std::vector records{failure({}, {element(7, 1, 7, 99), element(8, 1, 8, 1)}), failure({}, {})};
  const std::vector<Cause> causes = find_causes(records);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(causes[0].example_element, "x 7, scale 1: expected 7, got 99");
  EXPECT_EQ(find_causes(std::vector{records[1]}).at(0).example_element, "");
}

}  // namespace
}  // namespace touchstone::conformance::example_test
