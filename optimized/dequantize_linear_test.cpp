// Single values from the specification pages and from hand calculation, and errors for invalid arguments.
#include "optimized/dequantize_linear.h"

#include <gtest/gtest.h>

#include <vector>

#include "optimized/agreement_testing.h"

namespace touchstone::optimized::dequantize_linear_test {

namespace {

using enum ElementType;
using reference::Numbers;

class DequantizeOnEveryIsa : public ::testing::TestWithParam<Isa> {
 protected:
  /// Calls with one scale and at most one zero point, all given as tensors.
  Tensor dequantize(const Tensor& x, const Tensor& scale, const std::optional<Tensor>& zero_point, ElementType type,
                    DequantizeOptions options = {}) {
    options.isa = GetParam();
    const std::int64_t count = x.size();
    std::vector<std::byte> y(static_cast<std::size_t>(packed_bytes(type, count)));
    std::optional<ConstTensorView> zero_point_view;
    if (zero_point) zero_point_view = {zero_point->type(), zero_point->bytes()};
    const Status status = dequantize_linear({x.type(), x.bytes()}, {scale.type(), scale.bytes()}, zero_point_view,
                                            {type, y}, {1, 1, count, 0}, options);
    EXPECT_EQ(status.error, Error::none) << describe(status.error);
    return Tensor(type, x.shape(), y);
  }

  static void expect(const Tensor& y, const Numbers& numbers) {
    for (std::int64_t i = 0; i < y.size(); ++i)
      EXPECT_TRUE(same_element(y.type(), y.code(i), reference::code_of(y.type(), numbers[static_cast<std::size_t>(i)])))
          << "element " << i << " of " << reference::to_text(y);
  }
};

INSTANTIATE_TEST_SUITE_P(Facts, DequantizeOnEveryIsa, ::testing::ValuesIn(available_isas()),
                         [](const auto& isa) { return std::string(name(isa.param)); });

TEST_P(DequantizeOnEveryIsa, SubtractsWithoutOverflow) {
  expect(dequantize(reference::vector(int8, {-128, 127}), reference::scalar(float32, 1), reference::scalar(int8, 127),
                    float32),
         {-255, 0});
  expect(dequantize(reference::vector(uint8, {0, 255}), reference::scalar(float32, 2), reference::scalar(uint8, 128),
                    float32),
         {-256, 254});
  expect(dequantize(reference::vector(int32, {-2147483648.0}), reference::scalar(float32, 1),
                    reference::scalar(int32, 1), float32),
         {-2147483648.0});
}

TEST_P(DequantizeOnEveryIsa, KeepsTheSignOfZero) {
  expect(
      dequantize(reference::vector(uint8, {3}), reference::scalar(float32, -2), reference::scalar(uint8, 3), float32),
      {-0.0});
  expect(dequantize(reference::vector(float8e5m2, {-0.0, 0}), reference::scalar(float32, 2), std::nullopt, float32),
         {-0.0, 0});
}

TEST_P(DequantizeOnEveryIsa, UnpacksTheLowBitsFirst) {
  expect(dequantize(reference::packed(int4, {3}, {0xE1, 0xF7}), reference::scalar(float32, 1), std::nullopt, float32),
         {1, -2, 7});
  expect(dequantize(reference::packed(uint2, {9}, {0x01, 0x1F, 0xFC}), reference::scalar(float32, 1), std::nullopt,
                    float32),
         {1, 0, 0, 0, 3, 3, 1, 0, 0});
  expect(dequantize(reference::packed(float6e2m3, {5}, {0x40, 0x20, 0x0C, 0x04}), reference::scalar(float32, 8),
                    std::nullopt, float32),
         {0, 1, 2, 3, 4});
}

// 16777217 is not a float32 number.
TEST_P(DequantizeOnEveryIsa, RoundsDifferencesOfInt32) {
  expect(dequantize(reference::vector(int32, {16777217}), reference::scalar(float32, 3), std::nullopt, float32),
         {50331648});
}

// 2049 * 3: the product in float32 rounds to 6148; in float16, 2049 becomes 2048 and the product is 6144. 65535 is
// infinite in float16.
TEST_P(DequantizeOnEveryIsa, MultipliesInTheRequestedType) {
  const Tensor x = reference::vector(uint16, {2049});
  const Tensor scale = reference::scalar(float16, 3);
  expect(dequantize(x, scale, std::nullopt, float16, {Multiplication::in_float32}), {6148});
  expect(dequantize(x, scale, std::nullopt, float16, {Multiplication::in_float16}), {6144});
  const Tensor largest = reference::vector(uint16, {65535});
  expect(dequantize(largest, reference::scalar(float16, 0.5), std::nullopt, float16, {Multiplication::in_float16}),
         {reference::inf});
  // bfloat16 has 8 bits: 2049 becomes 2048.
  expect(dequantize(x, reference::scalar(bfloat16, 3), std::nullopt, bfloat16, {Multiplication::in_bfloat16}), {6144});
}

TEST_P(DequantizeOnEveryIsa, OverflowsToInfinity) {
  expect(dequantize(reference::vector(int8, {65, 66, -127}), reference::scalar(float16, 1000), std::nullopt, float16),
         {64992, reference::inf, -reference::inf});
}

TEST_P(DequantizeOnEveryIsa, DecodesSpecialCodes) {
  const auto y = dequantize(reference::coded(float8e4m3fn, {4}, {0x7F, 0x80, 0x01, 0xFE}),
                            reference::scalar(float32, 1), std::nullopt, float32);
  expect(y, {reference::nan, -0.0, 0x1p-9, -448});
  expect(dequantize(reference::coded(float8e4m3fnuz, {4}, {0x7F, 0xFF, 0x80, 0x01}), reference::scalar(float32, 1),
                    std::nullopt, float32),
         {240, -240, reference::nan, 0x1p-10});
  expect(dequantize(reference::coded(float8e5m2, {4}, {0x7D, 0x7C, 0xFC, 0x01}), reference::scalar(float32, 1),
                    std::nullopt, float32),
         {reference::nan, reference::inf, -reference::inf, 0x1p-16});
}

TEST(DequantizeArguments, OfWrongTypes) {
  std::vector<std::byte> memory(64);
  const auto call = [&](ElementType x, ElementType scale, ElementType zero_point, ElementType y) {
    const auto bytes = [&](std::size_t at, ElementType type) {
      return std::span(memory).subspan(at, static_cast<std::size_t>(packed_bytes(type, 1)));
    };
    return dequantize_linear({x, bytes(0, x)}, {scale, bytes(16, scale)},
                             ConstTensorView{zero_point, bytes(32, zero_point)}, {y, bytes(48, y)}, {1, 1, 1, 0})
        .error;
  };
  EXPECT_EQ(call(int8, float32, int8, float32), Error::none);
  EXPECT_EQ(call(int32, float8e8m0, int32, bfloat16), Error::none);
  EXPECT_EQ(call(float16, float32, float16, float32), Error::x_type);
  EXPECT_EQ(call(int8, int32, int8, float32), Error::scale_type);
  EXPECT_EQ(call(int8, float32, uint8, float32), Error::zero_point_type);
  EXPECT_EQ(call(int8, float32, int8, float64), Error::y_type);
}

TEST(DequantizeArguments, OfOptionsThatHaveNoName) {
  std::vector<std::byte> memory(16);
  const std::span<std::byte> all(memory);
  const auto call = [&](const DequantizeOptions& options) {
    return dequantize_linear({int8, all.first(1)}, {float32, all.subspan(4, 4)}, std::nullopt,
                             {float32, all.subspan(8, 4)}, {}, options)
        .error;
  };
  EXPECT_EQ(call({}), Error::none);
  EXPECT_EQ(call({.multiplication = static_cast<Multiplication>(3)}), Error::options);
  EXPECT_EQ(call({.isa = static_cast<Isa>(2)}), Error::isa);
}

TEST(DequantizeArguments, MayBeInPlaceWhereElementsHaveOneWidth) {
  std::vector<std::int32_t> memory{1, -2, 3};
  const std::vector<float> scale{0.5F};
  const auto bytes = std::as_writable_bytes(std::span(memory));
  EXPECT_EQ(dequantize_linear({int32, bytes}, {float32, std::as_bytes(std::span(scale))}, std::nullopt,
                              {float32, bytes}, {1, 1, 3, 0})
                .error,
            Error::none);
  EXPECT_EQ(std::bit_cast<float>(memory[1]), -1.0F);
}

}  // namespace

}  // namespace touchstone::optimized::dequantize_linear_test
