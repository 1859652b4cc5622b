// Single values from the specification pages and from hand calculation, and errors for invalid arguments.
#include "optimized/quantize_linear.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

#include "optimized/isa_testing.h"

namespace touchstone::optimized::quantize_linear_test {

namespace {

using spec::ElementType;
using enum ElementType;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::span<const std::byte> bytes_of(const std::vector<float>& numbers) { return std::as_bytes(std::span(numbers)); }

/// The bytes of y for float32 inputs and one scale.
std::vector<unsigned> quantized(const std::vector<float>& x, float scale, std::optional<unsigned> zero_point,
                                ElementType type, const QuantizeOptions& options) {
  const auto count = static_cast<std::int64_t>(x.size());
  const std::vector<float> scales{scale};
  const auto zero_point_bytes = std::bit_cast<std::array<std::byte, sizeof(unsigned)>>(zero_point.value_or(0));
  const auto zero_point_size = static_cast<std::size_t>(packed_bytes(type, 1));
  std::vector<std::byte> y(static_cast<std::size_t>(packed_bytes(type, count)), std::byte{0xFF});
  std::optional<ConstTensorView> zero_point_view;
  if (zero_point) zero_point_view = {type, std::span(zero_point_bytes).first(zero_point_size)};
  const Status status = quantize_linear({float32, bytes_of(x)}, {float32, bytes_of(scales)}, zero_point_view, {type, y},
                                        {1, 1, count, 0}, options);
  EXPECT_EQ(status.error, Error::none) << describe(status.error);
  std::vector<unsigned> result;
  for (const std::byte byte : y) result.push_back(std::to_integer<unsigned>(byte));
  return result;
}

class QuantizeOnEveryIsa : public ::testing::TestWithParam<Isa> {
 protected:
  std::vector<unsigned> quantize(const std::vector<float>& x, float scale, std::optional<unsigned> zero_point,
                                 ElementType type, QuantizeOptions options = {}) {
    options.isa = GetParam();
    return quantized(x, scale, zero_point, type, options);
  }
};

INSTANTIATE_TEST_SUITE_P(Facts, QuantizeOnEveryIsa, ::testing::ValuesIn(available_isas()),
                         [](const auto& isa) { return std::string(name(isa.param)); });

using Bytes = std::vector<unsigned>;

TEST_P(QuantizeOnEveryIsa, RoundsTheQuotientToNearestEvenThenAddsThenSaturates) {
  EXPECT_EQ(quantize({0.5F, 1.5F, -0.5F, 2.5F}, 1, 1, uint8), (Bytes{1, 3, 1, 3}));
  EXPECT_EQ(quantize({300, -300, 3e9F, -3e9F, inf, -inf}, 1, 10, uint8), (Bytes{255, 0, 255, 0, 255, 0}));
  EXPECT_EQ(quantize({-300}, -2, 3, uint8), (Bytes{153}));
}

// The exact quotients round to 123 and 227, as x * (1 / scale) does. The quotients rounded to float32 are ties.
TEST_P(QuantizeOnEveryIsa, DividesInFloat32) {
  EXPECT_EQ(quantize({77.56914520263672F}, 0.6280902624130249F, 0, uint8), (Bytes{124}));
  EXPECT_EQ(quantize({18.35116195678711F}, 0.08066444844007492F, 0, uint8), (Bytes{228}));
  EXPECT_EQ(quantize({77.56914520263672F}, 0.6280902624130249F, 0, uint8, {Division::exact}), (Bytes{123}));
  EXPECT_EQ(quantize({77.56914520263672F}, 0.6280902624130249F, 0, uint8, {Division::in_float64}), (Bytes{123}));
}

TEST_P(QuantizeOnEveryIsa, DividesByScalesThatAreNotOrdinary) {
  EXPECT_EQ(quantize({5, -5}, 0, 7, uint8), (Bytes{255, 0}));
  EXPECT_EQ(quantize({5, -5}, inf, 7, uint8), (Bytes{7, 7}));
  EXPECT_EQ(quantize({1e-45F, 3e-45F, 1}, 1e-45F, 7, uint8), (Bytes{8, 9, 255}));
  EXPECT_EQ(quantize({1e-40F, -1e-40F, 1e-39F}, 1e-40F, 7, uint8), (Bytes{8, 6, 17}));
  EXPECT_EQ(quantize({3e38F, 1.5e38F, -1.5e38F}, 3e38F, 7, uint8), (Bytes{8, 7, 7}));
}

TEST_P(QuantizeOnEveryIsa, MakesNanTheLowestInteger) {
  EXPECT_EQ(quantize({nan, 1}, 1, 100, uint8), (Bytes{0, 101}));
  EXPECT_EQ(quantize({nan, 1}, 1, 100, int8), (Bytes{0x80, 101}));
  EXPECT_EQ(quantize({0, inf}, nan, 100, int8), (Bytes{0x80, 0x80}));
}

TEST_P(QuantizeOnEveryIsa, PacksTheFirstElementIntoTheLowBits) {
  EXPECT_EQ(quantize({1, -2, 7}, 1, 0, int4), (Bytes{0xE1, 0x07}));
  EXPECT_EQ(quantize({1, 0, 0, 0, 3, 3, 1, 0, 0}, 1, 0, uint2), (Bytes{0x01, 0x1F, 0x00}));
  // Codes 0, 1, 2, 3, 4 of float6e2m3, which are multiples of 2^-3.
  EXPECT_EQ(quantize({0, 1, 2, 3, 4}, 8, std::nullopt, float6e2m3), (Bytes{0x40, 0x20, 0x0C, 0x04}));
}

// The rows of Cast's tables, and the boundaries that follow from rounding before comparing.
TEST_P(QuantizeOnEveryIsa, CastsToFloat8) {
  const QuantizeOptions saturate{};
  const QuantizeOptions before_24{.fnuz_infinity = FnuzInfinity::is_nan};
  const QuantizeOptions unsaturated{.saturate = false};
  EXPECT_EQ(quantize({464, 465, 1e30F, inf, -inf, -0.0F, nan}, 1, std::nullopt, float8e4m3fn, saturate),
            (Bytes{0x7E, 0x7E, 0x7E, 0x7E, 0xFE, 0x80, 0x7F}));
  EXPECT_EQ(quantize({464, 465, inf, -inf}, 1, std::nullopt, float8e4m3fn, unsaturated)[0], 0x7EU);
  EXPECT_EQ(quantize({465, inf}, 1, std::nullopt, float8e4m3fn, unsaturated), (Bytes{0x7F, 0x7F}));
  EXPECT_EQ(quantize({247, 248, inf, -inf, -0.0F}, 1, std::nullopt, float8e4m3fnuz, saturate),
            (Bytes{0x7F, 0x7F, 0x7F, 0xFF, 0x00}));
  EXPECT_EQ(quantize({248, inf, -inf, 1e30F}, 1, std::nullopt, float8e4m3fnuz, before_24),
            (Bytes{0x7F, 0x80, 0x80, 0x7F}));
  EXPECT_EQ(quantize({247, 248, inf}, 1, std::nullopt, float8e4m3fnuz, unsaturated), (Bytes{0x7F, 0x80, 0x80}));
  EXPECT_EQ(quantize({61439, 61440, -70000, inf}, 1, std::nullopt, float8e5m2, unsaturated),
            (Bytes{0x7B, 0x7C, 0xFC, 0x7C}));
  EXPECT_EQ(quantize({0x1p-9F, 0x1p-10F, 0x1.8p-9F, 17, 19, 1.0625F, 1.1875F}, 1, std::nullopt, float8e4m3fn),
            (Bytes{0x01, 0x00, 0x02, 0x58, 0x5A, 0x38, 0x3A}));
}

TEST_P(QuantizeOnEveryIsa, CastsToFloat6AndFloat4) {
  EXPECT_EQ(quantize({0.25F, 0.75F, 1.25F, 1.75F, 2.5F, 3.5F, 5, -5.1F}, 1, std::nullopt, float4e2m1),
            (Bytes{0x20, 0x42, 0x64, 0xF6}));
  EXPECT_EQ(quantize({inf, -inf, nan, -0.0F}, 1, std::nullopt, float4e2m1, {.saturate = false}), (Bytes{0xF7, 0x87}));
  EXPECT_EQ(quantize({8}, 1, std::nullopt, float6e2m3), (Bytes{0x1F}));
  EXPECT_EQ(quantize({-30}, 1, std::nullopt, float6e3m2), (Bytes{0x3F}));
}

// -0 + (+0) is +0; without a zero point nothing is added.
TEST_P(QuantizeOnEveryIsa, AddsZeroPointsOfFloat8) {
  EXPECT_EQ(quantize({0, 1, 2, 3}, 1, 0x38, float8e4m3fn), (Bytes{0x38, 0x40, 0x44, 0x48}));
  EXPECT_EQ(quantize({-0.0F}, 1, 0x00, float8e4m3fn), (Bytes{0x00}));
  EXPECT_EQ(quantize({-0.0F}, 1, 0x80, float8e4m3fn), (Bytes{0x80}));
}

class QuantizeArguments : public ::testing::Test {
 protected:
  Error call() {
    return quantize_linear({x_type, x}, {scale_type, scale}, ConstTensorView{zero_point_type, zero_point},
                           {y_type, std::span(y).first(y_size)}, geometry, options)
        .error;
  }

  std::vector<std::byte> memory = std::vector<std::byte>(64);
  std::vector<std::byte> y = std::vector<std::byte>(64, std::byte{0x5A});
  ElementType x_type = float32;
  ElementType scale_type = float32;
  ElementType zero_point_type = uint8;
  ElementType y_type = uint8;
  std::span<const std::byte> x = std::span(memory).first(24);
  std::span<const std::byte> scale = std::span(memory).first(8);
  std::span<const std::byte> zero_point = std::span(memory).first(2);
  std::size_t y_size = 6;
  Geometry geometry{1, 3, 2, 2};
  QuantizeOptions options{};
};

TEST_F(QuantizeArguments, AreValidUnchanged) {
  scale = std::span(memory).first(16);
  zero_point = std::span(memory).first(4);
  EXPECT_EQ(call(), Error::none);
}

TEST_F(QuantizeArguments, OfWrongTypes) {
  x_type = float64;
  EXPECT_EQ(call(), Error::x_type);
  x_type = float32;
  scale_type = uint8;
  EXPECT_EQ(call(), Error::scale_type);
  scale_type = float32;
  zero_point_type = int8;
  EXPECT_EQ(call(), Error::zero_point_type);
  y_type = int32;
  EXPECT_EQ(call(), Error::y_type);
}

TEST_F(QuantizeArguments, OfWrongSizesWriteNothing) {
  EXPECT_EQ(call(), Error::scale_size);  // ceil(3 / 2) * 2 scales
  scale = std::span(memory).first(16);
  EXPECT_EQ(call(), Error::zero_point_size);
  zero_point = std::span(memory).first(4);
  y_size = 5;
  EXPECT_EQ(call(), Error::y_size);
  x = std::span(memory).first(25);
  EXPECT_EQ(call(), Error::x_size);
  EXPECT_EQ(y, std::vector<std::byte>(64, std::byte{0x5A}));
}

TEST_F(QuantizeArguments, OfImpossibleGeometry) {
  constexpr std::int64_t large = std::int64_t{1} << 30;
  for (const Geometry impossible : {Geometry{-1, 1, 1, 0}, Geometry{1, -1, 1, 0}, Geometry{1, 1, -1, 0},
                                    Geometry{1, 1, 1, -1}, Geometry{large, large, 1, 0}, Geometry{large, 0, -1, 0}}) {
    geometry = impossible;
    EXPECT_EQ(call(), Error::geometry);
  }
}

// Empty tensors are valid however large the other extents are, except those of the scale.
TEST_F(QuantizeArguments, OfNoElements) {
  constexpr std::int64_t large = std::int64_t{1} << 40;
  x = {};
  scale = {};
  zero_point = {};
  y_size = 0;
  for (const Geometry empty :
       {Geometry{large, 0, large, 0}, Geometry{large, large, 0, 1}, Geometry{0, large, large, 2}}) {
    geometry = empty;
    EXPECT_EQ(call(), Error::none) << empty.outer << " " << empty.axis << " " << empty.inner;
  }
  geometry = {large, large, 0, 0};
  EXPECT_EQ(call(), Error::scale_size);
}

TEST_F(QuantizeArguments, OfOptionsThatHaveNoName) {
  scale = std::span(memory).first(16);
  zero_point = std::span(memory).first(4);
  options.division = static_cast<Division>(5);
  EXPECT_EQ(call(), Error::options);
  options = {.fnuz_infinity = static_cast<FnuzInfinity>(2)};
  EXPECT_EQ(call(), Error::options);
  options = {.isa = static_cast<Isa>(2)};
  EXPECT_EQ(call(), Error::isa);
  EXPECT_EQ(y, std::vector<std::byte>(64, std::byte{0x5A}));
}

TEST_F(QuantizeArguments, ThatOverlap) {
  geometry = {1, 1, 4, 0};
  const auto call_at = [&](std::size_t x_at, std::size_t scale_at, std::size_t zero_point_at, ElementType type) {
    const std::span<std::byte> all(memory);
    const auto size = static_cast<std::size_t>(packed_bytes(type, 4));
    return quantize_linear({float16, all.subspan(x_at, 8)}, {float32, all.subspan(scale_at, 4)},
                           ConstTensorView{type, all.subspan(zero_point_at, size / 4)}, {type, all.first(size)},
                           geometry)
        .error;
  };
  EXPECT_EQ(call_at(8, 16, 20, uint16), Error::none);
  EXPECT_EQ(call_at(0, 16, 20, uint16), Error::none) << "in place";
  EXPECT_EQ(call_at(2, 16, 20, uint16), Error::overlap);
  EXPECT_EQ(call_at(0, 16, 20, uint8), Error::overlap) << "of other widths";
  EXPECT_EQ(call_at(8, 7, 20, uint16), Error::overlap);
  EXPECT_EQ(call_at(8, 16, 6, uint16), Error::overlap);
}

}  // namespace

}  // namespace touchstone::optimized::quantize_linear_test
