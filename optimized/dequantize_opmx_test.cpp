// Single values from the page, its primary readings and hand calculation, and errors for invalid arguments.
#include "optimized/dequantize_opmx.h"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "optimized/opmx_testing.h"

namespace touchstone::optimized::dequantize_opmx_test {

namespace {

using enum ElementType;
using enum OpmxZeroPoint;
using enum spec::Granularity;
using reference::Numbers;

/// Repeats the values of each row `times` times, so that a row fills a vector.
template <class Value>
std::vector<Value> repeated(const std::vector<std::vector<Value>>& rows, std::size_t times) {
  std::vector<Value> result;
  for (const std::vector<Value>& row : rows)
    for (std::size_t i = 0; i < times; ++i) result.insert(result.end(), row.begin(), row.end());
  return result;
}

class OpmxOnEveryIsa : public ::testing::TestWithParam<Isa> {
 protected:
  Tensor dequantize(const OpmxExample& example, const Data& data) {
    const OpmxCall call(example, data, Edge::back);
    const Status status = call(GetParam());
    EXPECT_EQ(status.error, Error::none) << describe(status.error);
    EXPECT_EQ(status.ran, GetParam());
    return call.y();
  }

  static void expect(const Tensor& y, const Numbers& numbers) {
    ASSERT_EQ(y.size(), static_cast<std::int64_t>(numbers.size()));
    for (std::int64_t i = 0; i < y.size(); ++i)
      EXPECT_TRUE(same_element(y.type(), y.code(i), reference::code_of(y.type(), numbers[static_cast<std::size_t>(i)])))
          << "element " << i << " of " << reference::to_text(y);
  }

  /// Checks the result for one int8 element.
  void expect_of_int8(double x, const Tensor& scale, const std::optional<Tensor>& zero_point, OpmxZeroPoint use,
                      double y) {
    std::optional<ElementType> zero_point_type;
    if (zero_point) zero_point_type = zero_point->type();
    expect(dequantize({int8, scale.type(), zero_point_type, use, {1, 1, 1, per_tensor, 1}},
                      {reference::vector(int8, {x}), scale, zero_point}),
           {y});
  }

  /// Checks the results for the four rows of each of 32 columns.
  void expect_of_int4(const reference::Codes& codes, const Tensor& scale, const std::optional<Tensor>& zero_point,
                      OpmxZeroPoint use, const Numbers& y) {
    const std::uint64_t packed = codes[0] | codes[1] << 4 | codes[2] << 8 | codes[3] << 12;
    std::optional<ElementType> zero_point_type;
    if (zero_point) zero_point_type = zero_point->type();
    expect(dequantize({int4x4, scale.type(), zero_point_type, use, {4, 32, 1, per_tensor, 1}},
                      {reference::coded(int16, {1, 32}, reference::Codes(32, packed)), scale, zero_point}),
           repeated<double>({{y[0]}, {y[1]}, {y[2]}, {y[3]}}, 32));
  }
};

INSTANTIATE_TEST_SUITE_P(Facts, OpmxOnEveryIsa, ::testing::ValuesIn(available_isas()),
                         [](const auto& isa) { return std::string(name(isa.param)); });

Tensor one(ElementType type, double number) { return reference::scalar(type, number); }

// Rows 4p ... 4p + 3 share row p, with the first row in the lowest bits. Their codes represent -8 and up.
TEST_P(OpmxOnEveryIsa, UnpacksFourRowsFromOne) {
  expect(dequantize({int4x4, float32, std::nullopt, subtracted, {4, 32, 1, blocked, 1, 32}},
                    {reference::coded(int16, {1, 32}, repeated<std::uint64_t>({{0xF321, 0x8888}}, 16)),
                     reference::vector(float32, {1, 2, 0.5, 4}), std::nullopt}),
         repeated<double>({{-7, 0}, {-12, 0}, {-2.5, 0}, {28, 0}}, 16));
  expect(dequantize({int4x4, float16, std::nullopt, subtracted, {8, 32, 1, per_axis, 1}},
                    {reference::coded(int16, {2, 32}, repeated<std::uint64_t>({{0xF321}, {0x7654}}, 32)),
                     reference::vector(float16, {1, 10, 100, 1000, 1, 10, 100, 1000}), std::nullopt}),
         repeated<double>({{-7}, {-60}, {-500}, {7000}, {-4}, {-30}, {-200}, {-1000}}, 32));
}

// Groups along dimension 0 count unpacked rows, and may end within a packed row.
TEST_P(OpmxOnEveryIsa, GroupsUnpackedRows) {
  expect(dequantize({int4x4, float32, std::nullopt, subtracted, {4, 32, 1, blocked, 0, 2}},
                    {reference::coded(int16, {1, 32}, repeated<std::uint64_t>({{0x9999, 0xAAAA}}, 16)),
                     reference::vector(float32, repeated<double>({{1, 10}, {100, 1000}}, 16)), std::nullopt}),
         repeated<double>({{1, 20}, {1, 20}, {100, 2000}, {100, 2000}}, 16));
  expect(dequantize({int8, float32, std::nullopt, subtracted, {6, 1, 2, blocked, 0, 3}},
                    {reference::tensor(int8, {6, 1, 2}, Numbers(12, 3)), reference::vector(float32, {1, 10, 100, 1000}),
                     std::nullopt}),
         {3, 30, 3, 30, 3, 30, 300, 3000, 300, 3000, 300, 3000});
}

// Elements that do not fill the last vector, and groups shorter than one.
TEST_P(OpmxOnEveryIsa, HasScalesOfShortGroups) {
  for (const std::int64_t size : {1, 2, 4, 8}) {
    const std::int64_t groups = 38 / size;
    Numbers scales;
    Numbers y;
    for (std::int64_t group = 0; group < groups; ++group) {
      scales.push_back(static_cast<double>(group + 1));
      y.insert(y.end(), static_cast<std::size_t>(size), 3 * scales.back());
    }
    expect(dequantize({int8, float32, std::nullopt, subtracted, {groups, size, 1, blocked, 1, size}},
                      {reference::tensor(int8, {groups, size, 1}, Numbers(y.size(), 3)),
                       reference::vector(float32, scales), std::nullopt}),
           y);
  }
}

TEST_P(OpmxOnEveryIsa, HasAScaleForEachChannel) {
  const Tensor x = reference::vector(int8, {1, 2, 3, 4, 5, 6});
  expect(dequantize({int8, float32, std::nullopt, subtracted, {2, 3, 1, per_axis, 1}},
                    {x, reference::vector(float32, {1, 10}), std::nullopt}),
         {1, 2, 3, 40, 50, 60});
  expect(dequantize({int8, float32, std::nullopt, subtracted, {2, 3, 1, per_axis, 0}},
                    {x, reference::vector(float32, {1, 10, 100}), std::nullopt}),
         {1, 20, 300, 4, 50, 600});
}

TEST_P(OpmxOnEveryIsa, SubtractsIntegers) {
  expect_of_int8(-128, one(float32, 1), one(int8, 127), subtracted, -255);
  expect_of_int8(-1, one(float32, 2), std::nullopt, subtracted, -2);
  expect_of_int4({0, 7, 8, 15}, one(float32, 1), one(int8, 8), subtracted, {-8, -1, 0, 7});
  expect_of_int4({0, 7, 8, 15}, one(float32, 1), one(int8, -1), subtracted, {-15, -8, -7, 0});  // -1 is 0xFF
  expect_of_int4({0, 7, 8, 15}, one(float32, 1), one(int8, 0), subtracted, {0, 7, 8, 15});
}

TEST_P(OpmxOnEveryIsa, SubtractsOrAddsFloats) {
  expect_of_int8(-1, one(float32, 0.5), one(float32, 1.25), subtracted, -1.125);
  expect_of_int8(-1, one(float32, 0.5), one(float16, 1.25), added, 0.75);
  expect_of_int4({0, 7, 8, 15}, one(float16, 0.5), one(float16, 1.25), subtracted, {-0.625, 2.875, 3.375, 6.875});
  expect_of_int4({0, 7, 8, 15}, one(float16, 0.5), one(float32, 1.25), added, {-2.75, 0.75, 1.25, 4.75});
}

// 3 * (1 + 2^-23) is half way between 3 + 2^-22 and 3 + 2^-21, which is even; 3 - 2^-23 between 3 and its predecessor.
TEST_P(OpmxOnEveryIsa, RoundsEveryStepToFloat32) {
  expect_of_int8(3, one(float32, 1 + 0x1p-23), one(float32, -3), added, 0x1p-21);
  expect_of_int8(3, one(float32, 1.25), one(float32, 0x1p-23), subtracted, 3.75);  // 3.75 - 2^-22 if fused
}

// 1 + 2^-11 + 2^-30 is 1 + 2^-11 in float32, which is a tie in float16.
TEST_P(OpmxOnEveryIsa, RoundsFromFloat32ToFloat16) {
  expect_of_int8(1, one(float16, 1), one(float32, 0x1p-11 + 0x1p-30), added, 1);
  expect_of_int8(1, one(float16, 1), one(float32, 0x1p-11 + 0x1p-22), added, 1 + 0x1p-10);
}

// 1 + 2^-12 is not a float16 number. Rounded to 1 it would give 1 + 2^-11, a tie, and finally 1.
TEST_P(OpmxOnEveryIsa, DoesNotRoundFloat32ZeroPoints) {
  expect_of_int8(2, one(float16, 0x1p-12), one(float32, 1 + 0x1p-12), added, 1 + 0x1p-10);
  expect_of_int8(0, one(float16, 1), one(float32, -1e30F), subtracted, reference::inf);
}

TEST_P(OpmxOnEveryIsa, HasSpecialValues) {
  expect_of_int8(2, one(float16, 60000), std::nullopt, subtracted, reference::inf);
  expect_of_int8(5, one(float32, -2), one(int8, 5), subtracted, -0.0);
  expect_of_int8(0, one(float32, -2), std::nullopt, subtracted, -0.0);
  expect_of_int8(0, one(float32, -2), one(float32, 0), added, 0);
  expect_of_int8(0, one(float32, reference::inf), std::nullopt, subtracted, reference::nan);
  expect_of_int8(1, one(float32, reference::inf), one(float32, -reference::inf), added, reference::nan);
  expect_of_int8(3, one(float32, 0x1p-149), one(float32, -0x1p-148), added, 0x1p-149);
}

// ---- arguments

/// One element of each operand, and four of x if rows are packed.
struct ArgumentsOfOne {
  ElementType x = int8;
  ElementType scale = float32;
  std::optional<ElementType> zero_point = std::nullopt;
  ElementType y = float32;
  OpmxZeroPoint use = subtracted;
};

Error error_of(const ArgumentsOfOne& given) {
  std::vector<std::byte> memory(64);
  const std::int64_t count = given.x == int4x4 ? 4 : 1;
  const auto bytes = [&](std::size_t at, ElementType type, std::int64_t elements) {
    return std::span(memory).subspan(at, static_cast<std::size_t>(packed_bytes(type, elements)));
  };
  std::optional<ConstTensorView> zero_point;
  if (given.zero_point) zero_point = {*given.zero_point, bytes(16, *given.zero_point, 1)};
  return dequantize_opmx({given.x, bytes(0, given.x, count)}, {given.scale, bytes(8, given.scale, 1)}, zero_point,
                         {given.y, bytes(24, given.y, count)}, {.outer = count}, {given.use})
      .error;
}

TEST(OpmxArguments, OfWrongTypes) {
  EXPECT_EQ(error_of({}), Error::none);
  EXPECT_EQ(error_of({.x = int4x4, .scale = float16, .zero_point = float32, .y = float16, .use = added}), Error::none);
  EXPECT_EQ(error_of({.zero_point = int8}), Error::none);
  EXPECT_EQ(error_of({.use = added}), Error::none);  // no zero point to add
  EXPECT_EQ(error_of({.x = int16}), Error::x_type);
  EXPECT_EQ(error_of({.x = int4}), Error::x_type);
  EXPECT_EQ(error_of({.scale = bfloat16, .y = bfloat16}), Error::scale_type);
  EXPECT_EQ(error_of({.y = float16}), Error::y_type);
  EXPECT_EQ(error_of({.zero_point = uint8}), Error::zero_point_type);
  EXPECT_EQ(error_of({.x = int4x4, .zero_point = int4x4}), Error::zero_point_type);
  EXPECT_EQ(error_of({.zero_point = int8, .use = added}), Error::zero_point_type);
}

/// x and y have 24 elements; scale and zero point have 24 unless specified.
Error error_of(ElementType x, const Geometry& geometry, std::size_t scales = 24, std::size_t zero_points = 24) {
  const std::vector<std::byte> input(static_cast<std::size_t>(packed_bytes(x, 24)));
  const std::vector<float> scale(scales);
  const std::vector<std::byte> zero_point(zero_points);
  std::vector<float> y(24);
  return dequantize_opmx({x, input}, {float32, std::as_bytes(std::span(scale))}, ConstTensorView{int8, zero_point},
                         {float32, std::as_writable_bytes(std::span(y))}, geometry)
      .error;
}

TEST(OpmxArguments, OfImpossibleGeometries) {
  EXPECT_EQ(error_of(int4x4, {4, 1, 6, 0}, 1, 1), Error::none);
  EXPECT_EQ(error_of(int8, {2, 1, 12, 0}, 1, 1), Error::none);
  EXPECT_EQ(error_of(int4x4, {2, 1, 12, 0}, 1, 1), Error::geometry);
  EXPECT_EQ(error_of(int8, {-2, 1, -12, 0}, 1, 1), Error::geometry);
  EXPECT_EQ(error_of(int4x4, {1, 1, 24, 0}, 1, 1), Error::geometry);
  EXPECT_EQ(error_of(int4x4, {1, 6, 4, 6}, 4, 4), Error::geometry);
  EXPECT_EQ(error_of(int8, {2, 12, 1, 0}, 12, 12), Error::geometry);
  EXPECT_EQ(error_of(int8, {2, 12, 1, -3}), Error::geometry);
  EXPECT_EQ(error_of(int8, {2, 12, 1, 5}, 6, 6), Error::geometry);
  EXPECT_EQ(error_of(int8, {1, 2, 12, 4}), Error::geometry);
  EXPECT_EQ(error_of(int8, {std::int64_t{1} << 40, 1, std::int64_t{1} << 40, 0}, 1, 1), Error::geometry);
}

TEST(OpmxArguments, OfOptionsThatHaveNoName) {
  EXPECT_EQ(error_of({.use = static_cast<OpmxZeroPoint>(2)}), Error::options);
}

// Empty tensors are valid however large the other extents are.
TEST(OpmxArguments, OfNoElements) {
  constexpr std::int64_t large = std::int64_t{1} << 40;
  const float scale = 1;
  for (const Isa isa : available_isas())
    for (const Geometry& geometry :
         {Geometry{large, 1, 0, 0}, Geometry{0, 1, large, 0}, Geometry{large, 0, 1, 1}, Geometry{large, 4, 0, 4},
          Geometry{0, large, 1, large}, Geometry{large, large, 0, large}, Geometry{large, 0, large, 1},
          Geometry{0, large, large, 1}, Geometry{1, 0, large, 1}, Geometry{1, large, 0, 4}}) {
      const std::span scales(&scale, geometry.block == 0 ? 1 : 0);
      EXPECT_EQ(dequantize_opmx({int4x4, {}}, {float32, std::as_bytes(scales)}, std::nullopt, {float32, {}}, geometry,
                                {.isa = isa})
                    .error,
                Error::none);
    }
}

TEST(OpmxArguments, OfWrongSizes) {
  EXPECT_EQ(error_of(int8, {2, 6, 2, 3}, 8, 8), Error::none);
  EXPECT_EQ(error_of(int8, {2, 6, 2, 3}, 7, 8), Error::scale_size);
  EXPECT_EQ(error_of(int8, {2, 6, 2, 3}, 8, 9), Error::zero_point_size);
  EXPECT_EQ(error_of(int8, {1, 4, 6, 2}, 12, 12), Error::none);
  EXPECT_EQ(error_of(int8, {2, 6, 2, 6}, 4, 4), Error::none);
  EXPECT_EQ(error_of(int8, {1, 2, 12, 2}, 12, 12), Error::none);
  EXPECT_EQ(error_of(int4x4, {1, 4, 6, 2}, 12, 12), Error::none);
  EXPECT_EQ(error_of(int4x4, {4, 1, 5, 0}, 1, 1), Error::x_size);
  EXPECT_EQ(error_of(int4x4, {8, 1, 6, 0}, 1, 1), Error::x_size);
}

TEST(OpmxArguments, MayNotOverlapY) {
  std::vector<float> memory(8);
  const auto bytes = std::as_writable_bytes(std::span(memory));
  const auto error_of = [&](std::size_t x, std::size_t scale, std::size_t zero_point) {
    return dequantize_opmx({int8, bytes.subspan(x, 4)}, {float32, bytes.subspan(scale, 4)},
                           ConstTensorView{int8, bytes.subspan(zero_point, 1)}, {float32, bytes.subspan(0, 16)},
                           {.outer = 4})
        .error;
  };
  EXPECT_EQ(error_of(16, 20, 24), Error::none);
  EXPECT_EQ(error_of(0, 20, 24), Error::overlap);
  EXPECT_EQ(error_of(16, 12, 24), Error::overlap);
  EXPECT_EQ(error_of(16, 20, 15), Error::overlap);
}

}  // namespace

}  // namespace touchstone::optimized::dequantize_opmx_test
