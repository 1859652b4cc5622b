// Compares lists of inputs with numbers that were determined by hand.
#include "conformance/generate/listed_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <vector>

#include "conformance/generate/legal_cases.h"
#include "reference/host_numbers.h"

namespace touchstone::conformance::listed_inputs_test {
namespace {

using enum spec::ElementType;
using reference::number_of;
using reference::Rational;
using reference::Value;
using spec::ElementType;
using testing::Contains;

struct RangeRow {
  ElementType y;
  /// The point where rounding overflows (ties do), and the numbers that the type would have with more exponents, up to
  /// four times the largest number. For an integer type, points from its end to four times its end.
  std::vector<double> gaps;
};

const std::vector<RangeRow>& ranges() {
  static const std::vector<RangeRow> rows{
      {float8e4m3fn,
       {464, 480, 512, 576, 640, 704, 768, 832, 896, 960, 1024, 1152, 1280, 1408, 1536, 1664, 1792}},           // 448
      {float8e4m3fnuz, {248, 256, 288, 320, 352, 384, 416, 448, 480, 512, 576, 640, 704, 768, 832, 896, 960}},  // 240
      {float8e5m2, {61440, 65536, 81920, 98304, 114688, 131072, 163840, 196608, 229376}},                       // 57344
      {float8e5m2fnuz, {61440, 65536, 81920, 98304, 114688, 131072, 163840, 196608, 229376}},                   // 57344
      {float6e2m3, {7.75, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 26, 28, 30}},                       // 7.5
      {float6e3m2, {30, 32, 40, 48, 56, 64, 80, 96, 112}},                                                      // 28
      {float4e2m1, {7, 8, 12, 16, 24}},                                                                         // 6
      {uint8, {256, 272, 288, 304, 320, 352, 384, 416, 448, 480, 512, 544, 576, 640, 704, 768, 896, 1024}},
      {int8, {128, 136, 144, 160, 176, 192, 224, 256, 272, 320, 384, 448, 512}},
      {uint16, {65536, 69632, 73728, 81920, 98304, 114688, 131072, 163840, 196608, 262144}},
      {int16, {32768, 36864, 40960, 49152, 65536, 98304, 131072}},
      {uint4, {16, 17, 18, 20, 24, 28, 32, 40, 48, 64}},
      {int4, {8, 9, 10, 12, 14, 16, 24, 32}},
      {uint2, {4, 5, 6, 7, 8, 12, 16}},
      {int2, {2, 3, 4, 6, 8}},
  };
  return rows;
}

TEST(InputsBeyondRange, AreInEveryGapUpToFourTimesTheLargestNumber) {
  for (const RangeRow& row : ranges()) {
    std::vector<double> quotients;
    for (const std::uint64_t code : inputs_beyond_range(float32, row.y, Value::of(Rational(1, 2))))
      quotients.push_back(2 * number_of(float32, code));
    for (std::size_t i = 0; i + 1 < row.gaps.size(); ++i)
      for (const int sign : {1, -1})
        EXPECT_TRUE(std::any_of(
            quotients.begin(), quotients.end(),
            [&](double quotient) { return sign * quotient > row.gaps[i] && sign * quotient < row.gaps[i + 1]; }))
            << spec::name(row.y) << " has none between " << row.gaps[i] << " and " << row.gaps[i + 1];
    EXPECT_GT(std::count_if(quotients.begin(), quotients.end(),
                            [&](double quotient) { return std::abs(quotient) > row.gaps.back(); }),
              8)
        << spec::name(row.y);
    EXPECT_LE(quotients.size(), 128U) << "the cases have no more elements";
  }
}

TEST(InputsAtPowersOfTwo, AreNeighboursAsInputsAndAsQuotients) {
  const auto codes = inputs_at_powers_of_two(float32, Value::of(Rational(1, 4)));
  for (const std::uint64_t power : {0x47000000U, 0x47800000U, 0x4f000000U, 0x4f800000U, 0x5f000000U})  // 2^15 ... 2^63
    for (const std::uint64_t quarter : {0x0U, 0x1000000U})
      for (const std::uint64_t sign : {0U, 0x80000000U})
        for (const std::uint64_t code : {power - 1, power, power + 1})
          EXPECT_THAT(codes, Contains((code - quarter) | sign));
  EXPECT_EQ(codes.size(), 60U);

  const auto integers = inputs_at_powers_of_two(int32, Value::of(Rational(1, 4)));
  for (const std::uint32_t code : {0x7fffU, 0x8000U, 0x8001U, 0xffffU, 0x10000U, 0x10001U, 0x7fffffffU, 0x80000000U,
                                   0x80000001U, 0xffff7fffU, 0xffff8000U, 0xffff8001U})
    EXPECT_THAT(integers, Contains(code));
}

/// 32768, -32769 and 3.5, which some implementations cast instead of rounding and saturating.
TEST(InputsAtSteps, AreOnBothSidesOfEveryThreshold) {
  const auto codes = inputs_at_steps(float32, int16, 0);
  for (const std::uint64_t code : {0x47000000U, 0xc7000100U, 0x40600000U, 0x405fffffU, 0x40600001U})
    EXPECT_THAT(codes, Contains(code));
  EXPECT_LE(codes.size(), 128U);
}

TEST(ScaleOfOneCases, HaveEveryTypeOfScaleAndEveryGranularity) {
  using Key = std::tuple<const spec::OperatorVersion*, spec::Granularity, ElementType>;
  std::set<Key> found;
  for (const Recipe& recipe : further_recipes(0)) {
    if (recipe.values != Values::scale_of_1) continue;
    const reference::Node node = make_node(recipe);
    const reference::Tensor& scale = *node.inputs[1];
    for (std::int64_t i = 0; i < scale.size(); ++i) ASSERT_EQ(number_of(scale.type(), scale.code(i)), 1) << *recipe.id;
    EXPECT_TRUE(node.variable_inputs.contains(0)) << *recipe.id;
    EXPECT_FALSE(node.variable_inputs.contains(1)) << *recipe.id;
    found.emplace(recipe.cell.version, recipe.cell.granularity, scale.type());
  }
  for (const spec::OperatorVersion& version : spec::operator_versions) {
    for (const ElementType type : version.inputs[1].types)
      EXPECT_TRUE(found.contains({&version, spec::Granularity::per_tensor, type}))
          << version.since_version << ' ' << spec::name(type);
    for (const spec::Granularity granularity : version.granularities)
      EXPECT_TRUE(found.contains({&version, granularity, float32}))
          << version.since_version << ' ' << name(granularity);
  }
}

}  // namespace
}  // namespace touchstone::conformance::listed_inputs_test
