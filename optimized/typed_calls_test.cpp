#include "optimized/typed_calls.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace touchstone::optimized::typed_calls_test {

namespace {

using Numbers = std::vector<float>;

std::array<std::int64_t, 4> extents(const Geometry& geometry) {
  return {geometry.outer, geometry.axis, geometry.inner, geometry.block};
}

TEST(Geometry, IsThatOfTheGranularity) {
  using Extents = std::array<std::int64_t, 4>;
  const std::vector<std::int64_t> shape{2, 3, 5, 7};
  EXPECT_EQ(extents(Geometry::per_tensor(210)), (Extents{1, 1, 210, 0}));
  EXPECT_EQ(extents(Geometry::per_axis(shape, 0)), (Extents{1, 2, 105, 0}));
  EXPECT_EQ(extents(Geometry::per_axis(shape, 2)), (Extents{6, 5, 7, 0}));
  EXPECT_EQ(extents(Geometry::per_axis({2, 3, 5, 7}, -1)), (Extents{30, 7, 1, 0}));
  EXPECT_EQ(extents(Geometry::blocked(shape, -4, 2)), (Extents{1, 2, 105, 2}));
  EXPECT_EQ(extents(Geometry::blocked({4, 64}, 1, 32)), (Extents{4, 64, 1, 32}));
}

TEST(Geometry, OfWhatIsNotOneIsRejectedByEveryCall) {
  constexpr std::int64_t large = std::numeric_limits<std::int64_t>::max() / 2;
  const Numbers x(6);
  const Numbers scale(3, 1.0F);
  std::vector<std::int8_t> y(6);
  for (const Geometry& geometry :
       {Geometry::per_axis({2, 3}, 2), Geometry::per_axis({2, 3}, -3), Geometry::per_axis({}, 0),
        Geometry::per_axis({-2, -3}, 1), Geometry::per_axis({-1, 2, -3}, 1), Geometry::per_axis({large, 3, 2}, 2),
        Geometry::per_tensor(-6), Geometry::blocked({2, 3}, 1, 0), Geometry::blocked({2, 3}, 1, -1),
        Geometry::blocked({2, 3}, 2, 1)})
    EXPECT_EQ((quantize<float, std::int8_t>(x, scale, {}, y, geometry).error), Error::geometry);
}

TEST(TypedCalls, QuantizeAndDequantizeNumbers) {
  const Numbers x{1.0F, -2.5F, 300.0F, 4.0F};
  const Numbers scale{1.0F, 2.0F};
  const std::vector<std::uint8_t> zero_point{0, 10};
  std::vector<std::uint8_t> y(4);
  const Geometry geometry = Geometry::per_axis({2, 2}, 1);
  EXPECT_EQ((quantize<float, std::uint8_t>(x, scale, zero_point, y, geometry).error), Error::none);
  EXPECT_EQ(y, (std::vector<std::uint8_t>{1, 9, 255, 12}));
  Numbers back(4);
  EXPECT_EQ((dequantize<std::uint8_t, float>(y, scale, zero_point, back, geometry).error), Error::none);
  EXPECT_EQ(back, (Numbers{1.0F, -2.0F, 255.0F, 4.0F}));
}

TEST(TypedCalls, TakePairsOfFourBitElements) {
  const Numbers x{1.0F, -8.0F, 7.0F};
  const Numbers scale{1.0F};
  std::vector<Int4Pair> pairs(2);
  EXPECT_EQ((quantize<float, Int4Pair>(x, scale, {}, pairs, Geometry::per_tensor(3)).error), Error::none);
  EXPECT_EQ(pairs, (std::vector{Int4Pair{0x81}, Int4Pair{0x07}}));
  std::vector<Float16> back(3);
  const std::vector<Float16> half{Float16{0x3800}};
  EXPECT_EQ((dequantize<Int4Pair, Float16>(pairs, half, {}, back, Geometry::per_tensor(3)).error), Error::none);
  EXPECT_EQ(back, (std::vector{Float16{0x3800}, Float16{0xC400}, Float16{0x4300}}));  // 0.5, -4, 3.5
}

TEST(TypedCalls, AcceptAScaleOfAnotherType) {
  const Numbers x{3.0F};
  const std::vector<Float16> two{Float16{0x4000}};
  std::vector<std::int8_t> y(1);
  EXPECT_EQ((quantize<float, std::int8_t, Float16>(x, two, {}, y, Geometry::per_tensor(1)).error), Error::none);
  EXPECT_EQ(y[0], 2);  // 1.5, to even
}

TEST(TypedCalls, SeeAnEmptyZeroPointAsAbsent) {
  const Numbers x{3.0F};
  const Numbers scale{1.0F};
  std::vector<std::int8_t> y(1);
  const std::vector<std::int8_t> two_zero_points(2);
  EXPECT_EQ((quantize<float, std::int8_t>(x, scale, two_zero_points, y, Geometry::per_tensor(1)).error),
            Error::zero_point_size);
  EXPECT_EQ((quantize<float, std::int8_t>(x, scale, {}, y, Geometry::per_tensor(1)).error), Error::none);
  EXPECT_EQ(y[0], 3);
}

}  // namespace

}  // namespace touchstone::optimized::typed_calls_test
