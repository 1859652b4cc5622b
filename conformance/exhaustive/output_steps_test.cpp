#include "conformance/exhaustive/output_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "conformance/exhaustive/elements_case.h"
#include "conformance/exhaustive/testing.h"
#include "reference/interpreter.h"

namespace touchstone::conformance::output_steps_test {
namespace {

using spec::ElementType;
using testing::Contains;

Step step(std::uint64_t first, std::uint64_t code) { return {first, {.code = code}}; }

// By hand: with a scale of 1 the output is the number itself. Ties go to the even number, so the last x that gives 128
// is 0.5, and 1.5 already gives 130.
TEST(OutputSteps, LieAfterTheTies) {
  const Sweep sweep = sweep_of("quantize_linear/28/f32-f32-u8/per_tensor/zp", 0x3f800000, 0x80);
  const std::vector<Step> steps = expected_steps(sweep, 0x3f800000);
  EXPECT_THAT(steps, Contains(step(0x3f000001, 129)));
  EXPECT_THAT(steps, Contains(step(0x3fc00000, 130)));
  EXPECT_THAT(steps, Contains(step(0xbf000001, 127)));
  EXPECT_THAT(steps, Contains(step(0xbfc00000, 126)));
  EXPECT_THAT(steps, Contains(step(0x42fd0001, 255))) << "after 126.5";
  EXPECT_THAT(steps, Contains(Step{0x7f800001, {.code = 0, .open = true}}));
  EXPECT_THAT(steps, Contains(Step{0xff800001, {.code = 0, .open = true}}));
  // Zeros, finite numbers, infinities and NaNs of both signs begin with a step each. Between 128 and the ends there are
  // 127 and 128 more.
  EXPECT_EQ(steps.size(), 8U + 127U + 128U);
}

TEST(OutputSteps, DescendWithANegativeScale) {
  const Sweep sweep = sweep_of("quantize_linear/28/f32-f32-i8/per_tensor/zp", 0xbf800000, 0);
  const std::vector<Step> steps = expected_steps(sweep, 0xbf800000);
  EXPECT_THAT(steps, Contains(step(0x3f000001, 0xff)));
  EXPECT_THAT(steps, Contains(step(0xbf000001, 0x01)));
}

struct ScaleRow {
  const char* cell;
  std::uint64_t scale;
  std::uint64_t zero_point;
};

/// The steps come from a bisection; here all 65,536 inputs are interpreted one by one.
TEST(OutputSteps, AgreeWithTheReferenceForEveryInput) {
  const ScaleRow rows[] = {
      {"quantize_linear/28/f16-f16-u8/per_tensor/zp", 0x2e66, 0x80},    // 0.1
      {"quantize_linear/21/f16-f16-i8/per_tensor/zp", 0xae66, 0x00},    // -0.1
      {"quantize_linear/28/bf16-bf16-u4/per_tensor/zp", 0x3eab, 0x0f},  // 1/3
      {"quantize_linear/28/f16-f16-i16/per_tensor/zp", 0x0001, 0x8000},
      {"quantize_linear/28/f16-f16-u8/per_tensor/zp", 0x0000, 0x80},  // 0: NaN at zero, infinities elsewhere
      {"quantize_linear/28/f16-f16-u8/per_tensor/zp", 0x7c00, 0x80},  // infinite: zero, NaN for infinities
      {"quantize_linear/28/f16-f16-u8/per_tensor/zp", 0x7e00, 0x80},  // NaN
      {"quantize_linear/28/f16-f32-u2/per_tensor/zp", 0x3dcccccd, 0x1},
      {"quantize_linear/28/bf16-f32-u16/per_tensor/zp", 0x3c000000, 0x1000},
  };
  std::vector<std::uint64_t> all(0x10000);
  std::iota(all.begin(), all.end(), 0);
  for (const ScaleRow& row : rows) {
    const Sweep sweep = sweep_of(row.cell, row.scale, row.zero_point);
    std::vector<ChosenElement> elements;
    for (const std::uint64_t x : all) elements.push_back({x, row.scale, row.zero_point});
    const Case whole = elements_case("whole", sweep.cell, elements);
    const reference::Outcome outcome = reference::interpret(bind_inputs(whole.model, whole.data_sets.front().inputs));
    const reference::Result& result = *outcome.result();
    const std::vector<Step> steps = expected_steps(sweep, row.scale);
    auto current = steps.begin();
    for (std::size_t x = 0; x < all.size(); ++x) {
      if (current + 1 != steps.end() && (current + 1)->first == x) ++current;
      ASSERT_EQ(current->output.open, result.unspecified[x]) << row.cell << std::hex << row.scale << " x " << x;
      if (current->output.open) continue;
      ASSERT_EQ(current->output.code, result.y.code(static_cast<std::int64_t>(x))) << row.cell << std::hex << x;
    }
    EXPECT_EQ(current + 1, steps.end());
  }
}

TEST(OutputSteps, BeginWithTheInterval) {
  const Sweep sweep = sweep_of("quantize_linear/28/f32-f32-u8/per_tensor/zp", 0x3f800000, 0x80, 0x3f100000, 0x3fc00000);
  EXPECT_EQ(expected_steps(sweep, 0x3f800000), (std::vector<Step>{step(0x3f100000, 129), step(0x3fc00000, 130)}));
}

TEST(OutputSteps, RequireMonotoneOutputs) {
  const Oracle wraps = [](std::span<const std::uint64_t> x) {
    std::vector<ExpectedOutput> outputs;
    for (const std::uint64_t code : x) outputs.push_back({.code = code >> 6 & 0xff});
    return outputs;
  };
  EXPECT_THROW(find_steps(all_codes(Operand::x, ElementType::float16), ElementType::uint8, wraps), std::logic_error);
}

}  // namespace
}  // namespace touchstone::conformance::output_steps_test
