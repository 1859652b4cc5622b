// Quotients for which the methods of division.h are most at risk.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "optimized/agreement_testing.h"
#include "optimized/call_testing.h"
#include "optimized/sample_testing.h"

namespace touchstone::optimized::division_test {

namespace {

using enum ElementType;

/// Expects the same from the AVX2 kernels as from the portable ones.
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

/// The float32 number `places` steps after `number`.
float moved(float number, int places) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(number) + static_cast<std::uint32_t>(places));
}

/// Compares quotients next to ties for each of `scales`, with types that cover each method of division.
void expect_same_at_ties(Random& random, const std::vector<float>& scales) {
  Sample sample;
  for (const ElementType type : {int16, uint8, float8e4m3fn, float8e5m2fnuz})
    for (const float scale : scales) {
      if (!sample.takes_next()) continue;
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

TEST_F(Avx2, DividesCorrectlyNextToTies) {
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

// Scales on both sides of the ends of the range that division.h proves.
TEST_F(Avx2, DividesCorrectlyAtTheEndsOfTheProvenRange) {
  Random random(5);
  for (const float end : {0x1p-70F, 0x1p60F})
    for (const float scale : {end, -end, std::nextafter(end, 0.0F), std::nextafter(end, HUGE_VALF), end * 2, end / 2})
      expect_same_at_ties(random, std::vector<float>(20, scale));
}

// The proof in division.h for types of at most 8 bits leaves out these scales. Tries all ties next to which x / s can
// lie.
TEST_F(Avx2, DividesCorrectlyNextToTiesOfTheScalesThatTheProofExcludes) {
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

/// The nearest integer, ties to even, for numbers up to 2^22: the sum has no bits for a fraction.
float rounded(float number) { return (number + 0x1.8p23F) - 0x1.8p23F; }

/// Compares x / scale next to 256 ties (k + 1/2) * scale with the host's division, for every significand of a scale.
template <class Code>
void expect_quotients_of_every_significand(ElementType type) {
  constexpr std::uint32_t ties = 256;
  constexpr auto largest = static_cast<float>(std::numeric_limits<Code>::max());
  std::array<float, 3 * ties> x{};
  std::array<Code, 3 * ties> expected{};
  std::array<Code, 3 * ties> y{};
  Sample sample(7);  // there are 2^23 scales
  for (std::uint32_t significand = 0; significand < 1U << 23; ++significand) {
    if (!sample.takes_next()) continue;
    const float scale = std::bit_cast<float>(0x3F800000U | significand);
    for (std::uint32_t i = 0; i < ties; ++i) {
      // All ties of 8-bit types. For 16-bit types, each scale has other ties, which cover the whole range.
      const auto k = static_cast<int>(static_cast<Code>(sizeof(Code) == 1 ? i : 257 * i + significand));
      const auto tie = static_cast<float>((k + 0.5) * static_cast<double>(scale));
      for (std::uint32_t place = 0; place < 3; ++place)
        x[place * ties + i] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(tie) + place - 1);
    }
    for (std::size_t i = 0; i < x.size(); ++i)
      expected[i] = static_cast<Code>(static_cast<int>(std::min(rounded(x[i] / scale), largest)));
    const Status status = quantize_linear(
        {float32, std::as_bytes(std::span(x))}, {float32, std::as_bytes(std::span(&scale, 1))}, std::nullopt,
        {type, std::as_writable_bytes(std::span(y))}, {1, 1, x.size(), 0}, {.isa = Isa::avx2});
    ASSERT_EQ(status.ran, Isa::avx2);
    if (y == expected) continue;
    const auto at = static_cast<std::size_t>(std::ranges::mismatch(y, expected).in1 - y.begin());
    FAIL() << std::hexfloat << x[at] << " / " << scale << " gives " << +y[at] << ", not " << +expected[at];
  }
}

TEST_F(Avx2, DividesCorrectlyNextToAllTiesOf8BitsByEverySignificand) {
  expect_quotients_of_every_significand<std::uint8_t>(uint8);
}

TEST_F(Avx2, DividesCorrectlyNextToTiesOf16BitsByEverySignificand) {
  expect_quotients_of_every_significand<std::uint16_t>(uint16);
}

// For floating-point types, a zero point of +0 turns a quotient of -0 into +0 and keeps the smallest negative quotient
// negative.
TEST_F(Avx2, DistinguishesTheSmallestQuotientsFromZero) {
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

}  // namespace touchstone::optimized::division_test
