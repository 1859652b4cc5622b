// Quotients where the ways of division.h are least certain.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "optimized/testing.h"

namespace touchstone::optimized {

namespace {

using enum ElementType;

/// AVX2 gives what the portable kernels do.
void expect_same_quotients(const Example& example, const std::vector<float>& x, float scale) {
  Data data{Tensor(float32, x_shape(example)), Tensor(float32, {}), std::nullopt};
  data.scale.set_code(0, std::bit_cast<std::uint32_t>(scale));
  if (example.has_zero_point) data.zero_point = Tensor(example.y_type, {});
  for (std::int64_t i = 0; i < data.x.size(); ++i)
    data.x.set_code(i, std::bit_cast<std::uint32_t>(x[static_cast<std::size_t>(i)]));
  const Tensor portable = compute(example, data, Isa::portable, Edge::back);
  const Tensor avx2 = compute(example, data, Isa::avx2, Edge::back);
  for (std::int64_t i = 0; i < portable.size(); ++i)
    ASSERT_TRUE(same_element(example.y_type, avx2.code(i), portable.code(i)))
        << std::hexfloat << x[static_cast<std::size_t>(i)] << " / " << scale << " as " << name(example.y_type);
}

Example example_of_quotients(ElementType type, std::size_t count) {
  return {&newest_version(spec::Operator::quantize_linear), float32, float32, type,
          {1, 1, static_cast<std::int64_t>(count), 0},      false};
}

/// The float32 number so many places after one.
float moved(float number, int places) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(number) + static_cast<std::uint32_t>(places));
}

/// Quotients beside ties, by so many scales: of types for which each way of dividing is used.
void expect_same_at_ties(Random& random, const std::vector<float>& scales) {
  for (const ElementType type : {int16, uint8, float8e4m3fn, float8e5m2fnuz})
    for (const float scale : scales) {
      std::vector<float> x(1024);
      for (float& number : x) {
        const double tie = random_threshold(random, type, 0);
        number =
            moved(static_cast<float>(static_cast<double>(scale) * tie), static_cast<int>(random_in(random, -2, 2)));
      }
      expect_same_quotients(example_of_quotients(type, x.size()), x, scale);
      if (::testing::Test::HasFatalFailure()) return;
    }
}

TEST_F(Avx2, DividesCorrectlyBesideTies) {
  Random random(4);
  std::vector<float> scales;
  for (int exponent = -149; exponent <= 127; exponent += 3)
    for (const float significand : {1.0F, 0x1.000002p0F, 0x1.fffffep0F, 0x1.fffffcp0F, 0x1.555556p0F, -0x1.99999ap0F})
      scales.push_back(std::ldexp(significand, exponent));
  for (int i = 0; i < 500; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    scales.push_back(std::bit_cast<float>(bits));
  }
  expect_same_at_ties(random, scales);
}

// The fixed range of a reciprocal: both sides of its ends.
TEST_F(Avx2, DividesCorrectlyAtTheEndsOfTheProvenRange) {
  Random random(5);
  for (const float end : {0x1p-70F, 0x1p60F})
    for (const float scale : {end, -end, std::nextafter(end, 0.0F), std::nextafter(end, HUGE_VALF), end * 2, end / 2})
      expect_same_at_ties(random, std::vector<float>(20, scale));
}

// division.h: the proof for types of at most 8 bits leaves out these scales. All ties beside which x / s may lie.
TEST_F(Avx2, DividesCorrectlyBesideTiesOfTheScalesThatTheProofLeavesOut) {
  for (std::uint32_t upper = 0; upper < 128; ++upper)
    for (const std::uint32_t lower : {0x0001U, 0xFFFFU}) {
      const float scale = std::bit_cast<float>(0x3F800000U | upper << 16 | lower);
      std::vector<float> x;
      for (int tie = 1; tie < 512; tie += 2)
        for (int places = -2; places <= 2; ++places)
          x.push_back(moved(static_cast<float>(static_cast<double>(scale) * tie / 2), places));
      expect_same_quotients(example_of_quotients(uint8, x.size()), x, scale);
      if (HasFatalFailure()) return;
    }
}

// Of floating-point types a zero point of +0 makes +0 of a quotient that is -0, and leaves the smallest one negative.
TEST_F(Avx2, TellsTheSmallestQuotientsFromZero) {
  for (const ElementType type : {float8e4m3fn, float8e5m2, float6e2m3, float4e2m1})
    for (int places = 1; places <= 100; ++places)
      for (const float twice : {moved(static_cast<float>(2 * places), -1), static_cast<float>(2 * places),
                                moved(static_cast<float>(2 * places), 1)}) {
        Example example = example_of_quotients(type, 2);
        example.has_zero_point = true;
        const float x = std::bit_cast<float>(static_cast<std::uint32_t>(places));  // x / twice is about 2^-150
        expect_same_quotients(example, {x, -x}, twice);
        if (HasFatalFailure()) return;
      }
}

}  // namespace

}  // namespace touchstone::optimized
