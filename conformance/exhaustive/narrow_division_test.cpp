// The two sources of expected outputs, 64-bit integers and the rational interpreter, agree.
#include "conformance/exhaustive/narrow_division.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "conformance/exhaustive/elements_case.h"
#include "conformance/exhaustive/exhaustive_plan.h"
#include "conformance/exhaustive/testing.h"
#include "conformance/generate/ordered_codes.h"
#include "reference/codec.h"
#include "reference/interpreter.h"

namespace touchstone::conformance::narrow_division_test {
namespace {

using spec::ElementType;

/// Ties of the quotient and their neighbours, ends of the range, zeros, infinities, NaN, subnormal numbers.
std::set<std::uint64_t> directed_inputs(ElementType type, std::uint64_t scale) {
  const auto infinity = static_cast<std::uint64_t>(highest_place(type)) + 1;
  const std::uint64_t sign = 0x8000;
  std::set<std::uint64_t> magnitudes{0, 1, 2, infinity - 1, infinity, infinity + 1, sign - 1};
  const reference::Value value = reference::decode(type, scale);
  if (value.kind() == reference::Value::Kind::number)
    for (const int twice : {1, 2, 3, 5, 253, 254, 255, 256, 257, 509, 510, 511, 512, 513}) {
      const reference::Rational x = value.magnitude().rational() * reference::Rational(twice) / 2;
      const std::uint64_t nearest = nearest_code(type, x);
      for (std::uint64_t code = nearest - std::min<std::uint64_t>(nearest, 2); code <= nearest + 2; ++code)
        magnitudes.insert(std::min(code, infinity));
    }
  std::set<std::uint64_t> codes = magnitudes;
  for (const std::uint64_t magnitude : magnitudes) codes.insert(magnitude + sign);
  return codes;
}

std::vector<ChosenElement> sample(ElementType type, std::uint64_t zero_point) {
  std::vector<ChosenElement> elements;
  std::vector<std::uint64_t> scales = hard_scales(type, 1);
  const auto infinity = static_cast<std::uint64_t>(highest_place(type)) + 1;
  scales.insert(scales.end(), {0, 0x8000, infinity, infinity + 0x8000, infinity + 1, 0xffff, 2, 3, 5, 0x8001});
  for (const std::uint64_t scale : scales)
    for (const std::uint64_t x : directed_inputs(type, scale)) elements.push_back({x, scale, zero_point});
  std::mt19937_64 random(zero_point + static_cast<std::uint64_t>(type));
  for (int i = 0; i < 3000; ++i) elements.push_back({random() & 0xffff, random() & 0xffff, zero_point});
  // Pairs of the same order of magnitude, because the quotients of most random pairs overflow or vanish.
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t scale = random() & 0xffff;
    const std::uint64_t near = (scale + (random() & 0x1fff) - 0x800) & 0xffff;
    elements.push_back({near, scale, zero_point});
  }
  return elements;
}

class NarrowDivision : public testing::TestWithParam<const char*> {};

TEST_P(NarrowDivision, AgreesWithTheReference) {
  const Cell tested = cell(GetParam());
  const bool in_type = tested.version->since_version >= 23;
  const NarrowQuantization types{tested.x, in_type ? tested.scale : ElementType::float32, tested.y};
  for (const std::uint64_t zero_point : {0x00U, 0x80U, 0x7fU, 0x03U, 0xffU}) {
    const std::vector<ChosenElement> elements = sample(tested.x, zero_point);
    const Case made = elements_case("sample", tested, elements);
    const reference::Outcome outcome = reference::interpret(bind_inputs(made.model, made.data_sets.front().inputs));
    ASSERT_NE(outcome.result(), nullptr) << outcome.rejection()->reason;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const auto [x, scale, ignored] = elements[i];
      const ExpectedOutput output = NarrowQuantizer(types, scale, zero_point)(x);
      ASSERT_EQ(output.open, outcome.result()->unspecified[i]) << std::hex << x << " / " << scale;
      if (output.open) continue;
      ASSERT_EQ(output.code, outcome.result()->y.code(static_cast<std::int64_t>(i)))
          << std::hex << x << " / " << scale << " + " << zero_point;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Versions, NarrowDivision,
    testing::Values("quantize_linear/21/f16-f16-u8/per_axis/zp", "quantize_linear/21/f16-f16-i8/per_axis/zp",
                    "quantize_linear/21/bf16-bf16-u8/per_axis/zp", "quantize_linear/21/bf16-bf16-i8/per_axis/zp",
                    "quantize_linear/28/f16-f16-u8/per_axis/zp", "quantize_linear/28/f16-f16-i8/per_axis/zp",
                    "quantize_linear/28/bf16-bf16-u8/per_axis/zp", "quantize_linear/28/bf16-bf16-i8/per_axis/zp"));

// By hand: 2047 / 2048 = 0.99951171875 is a number of both types; 1 / 3 is a number of neither.
TEST(NarrowDivision, RoundsTheQuotientToItsTypeFirst) {
  // 0x3dff = 1.49902..., scale 0x3bff = 0.99951...: the quotient is 1.49975..., which float16 rounds to 1.5, a tie.
  const NarrowQuantization in_float16{ElementType::float16, ElementType::float16, ElementType::uint8};
  const NarrowQuantization in_float32{ElementType::float16, ElementType::float32, ElementType::uint8};
  EXPECT_EQ(NarrowQuantizer(in_float16, 0x3bff, 0)(0x3dff).code, 2U);
  EXPECT_EQ(NarrowQuantizer(in_float32, 0x3bff, 0)(0x3dff).code, 1U);
}

}  // namespace
}  // namespace touchstone::conformance::narrow_division_test
