#include "conformance/exhaustive/output_comparison.h"

#include <gtest/gtest.h>

namespace touchstone::conformance::output_comparison_test {
namespace {

using reference::Tensor;
using spec::ElementType;

/// Outputs 1, 2, 3, ... in runs of these lengths. The second output is open.
struct Staircase {
  std::vector<Step> steps;
  std::uint64_t size = 0;

  explicit Staircase(const std::vector<std::uint64_t>& runs) {
    for (const std::uint64_t run : runs) {
      steps.push_back({size, {.code = (steps.size() + 1) & 3, .open = steps.size() == 1}});
      size += run;
    }
  }
};

Tensor outputs(ElementType type, const Staircase& staircase, std::int64_t before) {
  Tensor y(type, {before + static_cast<std::int64_t>(staircase.size) + 3});
  for (std::size_t i = 0; i < staircase.steps.size(); ++i) {
    const std::uint64_t end = i + 1 < staircase.steps.size() ? staircase.steps[i + 1].first : staircase.size;
    for (std::uint64_t x = staircase.steps[i].first; x < end; ++x)
      y.set_code(before + static_cast<std::int64_t>(x), staircase.steps[i].output.code);
  }
  return y;
}

using Differences = std::vector<std::array<std::uint64_t, 3>>;

Differences differences(const OutputRow& row, std::span<const Step> steps) {
  Differences found;
  for_each_difference(row, steps, [&](auto x, auto expected, auto actual) { found.push_back({x, expected, actual}); });
  return found;
}

// A wrong element is found at any position: in the first or the last byte, alone in a byte, next to a step.
TEST(OutputComparison, FindsEverySingleWrongElement) {
  const Staircase staircase({1, 2, 3, 4, 5, 8, 16, 37, 1, 1});
  for (const ElementType type : {ElementType::uint2, ElementType::int4, ElementType::int8, ElementType::uint16})
    for (const std::int64_t before : {0, 1, 2, 3, 5}) {
      Tensor y = outputs(type, staircase, before);
      const OutputRow row{y, before, 0, staircase.size};
      EXPECT_TRUE(equals(row, staircase.steps));
      EXPECT_TRUE(differences(row, staircase.steps).empty());
      for (std::uint64_t x = 0; x < staircase.size; ++x) {
        const std::int64_t place = before + static_cast<std::int64_t>(x);
        const std::uint64_t right = y.code(place);
        y.set_code(place, right ^ 1);
        const bool open = 1 <= x && x < 3;
        EXPECT_EQ(equals(row, staircase.steps), open) << spec::name(type) << ' ' << before << ' ' << x;
        EXPECT_EQ(differences(row, staircase.steps), open ? Differences{} : (Differences{{x, right, right ^ 1}}));
        y.set_code(place, right);
      }
    }
}

TEST(OutputComparison, ReadsOnlyTheRow) {
  const Staircase staircase({4, 4, 8});
  Tensor y = outputs(ElementType::int4, staircase, 5);
  for (const std::int64_t outside : {0, 4, 21, 22, 23}) y.set_code(outside, 0xf);
  EXPECT_TRUE(equals({y, 5, 0, 16}, staircase.steps));
  y.set_code(5, 0xf);
  EXPECT_FALSE(equals({y, 5, 0, 16}, staircase.steps));
  EXPECT_TRUE(equals({y, 6, 1, 15}, staircase.steps)) << "it may begin within a step";
}

TEST(OutputComparison, CountsOpenElements) {
  const CodeInterval x{Operand::x, ElementType::float16, 0, 15};
  EXPECT_EQ(count_open(Staircase({4, 5, 7}).steps, x), 5U);
  EXPECT_EQ(count_open(Staircase({4, 12}).steps, x), 12U);
}

}  // namespace
}  // namespace touchstone::conformance::output_comparison_test
