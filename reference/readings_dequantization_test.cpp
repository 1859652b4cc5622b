// The readings of the ambiguities of DequantizeLinear: AMB-26, 28 to 39, 65 and 71.

#include "reference/testing.h"

namespace touchstone::reference::readings_dequantization_test {
namespace {

using enum spec::ElementType;

Attributes output(spec::ElementType type) { return {{"output_dtype", type_code(type)}}; }

TEST(ReadingsOfDequantization, Amb26Float4ZeroPoint) {
  using A = spec::Float4ZeroPointDequantize;
  for (const int opset : versions(23))
    expect_readings<A>(dequantize(opset, counting(float4e2m1, {4}), scalar(float32, 1), scalar(float4e2m1, 1)),
                       {{A::subtracted, gives({-1, 0, 1, 2})},
                        {A::ignored, gives({0, 1, 2, 3})},
                        {A::invalid, rejected_by("dq-float-zero-point")}});
}

TEST(ReadingsOfDequantization, Amb28SubtractionWidth) {
  using A = spec::SubtractionWidth;
  for (const int opset : versions(10)) {
    expect_readings<A>(dequantize(opset, vector(int8, {-128}), scalar(float32, 1), scalar(int8, 127)),
                       {{A::exact, gives({-255})}, {A::wrapping, gives({1})}});
    expect_readings<A>(dequantize(opset, vector(uint8, {0}), scalar(float32, 2), scalar(uint8, 128)),
                       {{A::exact, gives({-256})}, {A::wrapping, gives({256})}});
  }
}

TEST(ReadingsOfDequantization, Amb29Int32ZeroPoint) {
  using A = spec::Int32ZeroPoint;
  for (const int opset : versions(10)) {
    const Tensor x = vector(int32, {7});
    expect_readings<A>(
        dequantize(opset, x, scalar(float32, 1), scalar(int32, 5)),
        {{A::invalid, rejected_by("dq-int32-zero-point")}, {A::subtracted, gives({2})}, {A::ignored, gives({7})}});
    EXPECT_THAT(interpret(dequantize(opset, x, scalar(float32, 1), scalar(int32, 0))), gives({7}));
  }
}

// The rule applies to the zero point even if x has no element for it.
TEST(ReadingsOfDequantization, Amb29ZeroPointsThatNoElementMeets) {
  using A = spec::Int32ZeroPoint;
  for (const int opset : versions(10)) {
    const Node node = dequantize(opset, vector(int32, {}), scalar(float32, 1), scalar(int32, 5));
    expect_readings<A>(node, {{A::invalid, rejected_by("dq-int32-zero-point")},
                              {A::subtracted, gives_type(float32, {0})},
                              {A::ignored, gives_type(float32, {0})}});
    expect_no_question<A>(dequantize(opset, vector(int32, {}), scalar(float32, 1), scalar(int32, 0)),
                          gives_type(float32, {0}));
    if (opset < 13) continue;
    EXPECT_THAT(
        interpret(dequantize(opset, Tensor(int32, {0, 3}), vector(float32, {1, 1, 1}), vector(int32, {0, 0, -1}))),
        rejected_by("dq-int32-zero-point"));
  }
}

template <class A>
void expect_rejected_without_elements(int opset, spec::ElementType type) {
  expect_readings<A>(dequantize(opset, vector(type, {}), scalar(float32, 1), scalar(type, 1)),
                     {{A::subtracted, gives_type(float32, {0})},
                      {A::ignored, gives_type(float32, {0})},
                      {A::invalid, rejected_by("dq-float-zero-point")}});
}

TEST(ReadingsOfDequantization, Amb26And36And65ZeroPointsThatNoElementMeets) {
  for (const int opset : versions(19))
    expect_rejected_without_elements<spec::Float8ZeroPointDequantize>(opset, float8e5m2);
  for (const int opset : versions(23))
    expect_rejected_without_elements<spec::Float4ZeroPointDequantize>(opset, float4e2m1);
  for (const int opset : versions(28))
    expect_rejected_without_elements<spec::Float6ZeroPointDequantize>(opset, float6e3m2);
}

TEST(ReadingsOfDequantization, Amb03ScaleDomain) {
  using A = spec::ScaleDomain;
  for (const int opset : versions(10)) {
    const auto node = [&](double scale) { return dequantize(opset, vector(int8, {3}), scalar(float32, scale)); };
    for (const auto& [scale, y] : std::initializer_list<std::pair<double, double>>{{0, 0}, {inf, inf}, {nan, nan}})
      expect_readings<A>(node(scale), {{A::ieee_division, gives({y})},
                                       {A::zero_or_non_finite_invalid, rejected_by("dq-formula")},
                                       {A::non_positive_invalid, rejected_by("dq-formula")}});
    for (const double scale : {-2.0, 0x1p-149})
      expect_readings<A>(node(scale), {{A::ieee_division, gives({3 * scale})},
                                       {A::zero_or_non_finite_invalid, gives({3 * scale})},
                                       {A::non_positive_invalid, rejected_by("dq-formula")}});
    expect_no_question<A>(node(0x1p-126), gives({3 * 0x1p-126}));
  }
}

const Policy honours_int32_zero_point = Policy{}.with<spec::Int32ZeroPoint>(spec::Int32ZeroPoint::subtracted);

TEST(ReadingsOfDequantization, Amb30Int32SubtractionOverflow) {
  using A = spec::Int32SubtractionOverflow;
  for (const int opset : versions(10)) {
    expect_readings<A>(dequantize(opset, vector(int32, {-2147483648}), scalar(float32, 1), scalar(int32, 1)),
                       {{A::exact, gives({-2147483648})}, {A::wrapping_int32, gives({2147483648})}},
                       honours_int32_zero_point);
    expect_readings<A>(dequantize(opset, vector(int32, {2147483647}), scalar(float32, 1), scalar(int32, -1)),
                       {{A::exact, gives({2147483648})}, {A::wrapping_int32, gives({-2147483648})}},
                       honours_int32_zero_point);
  }
}

TEST(ReadingsOfDequantization, Amb31LargeIntegers) {
  using A = spec::LargeIntegerProduct;
  for (const int opset : versions(10)) {
    expect_readings<A>(dequantize(opset, vector(int32, {16777217}), scalar(float32, 3)),
                       {{A::rounded_difference, gives({50331648})},
                        {A::exact_product, gives({50331652})},
                        {A::rounded_operands, gives({50331648})}});
    const Node with_zero_point =
        dequantize(opset, vector(int32, {16777217}), scalar(float32, 1), scalar(int32, 16777216));
    expect_readings<A>(
        with_zero_point,
        {{A::rounded_difference, gives({1})}, {A::exact_product, gives({1})}, {A::rounded_operands, gives({0})}},
        honours_int32_zero_point);
    // Whether such a zero point is legal is a separate ambiguity.
    expect_readings<A>(with_zero_point, {{A::rounded_difference, rejected_by("dq-int32-zero-point")},
                                         {A::exact_product, rejected_by("dq-int32-zero-point")},
                                         {A::rounded_operands, rejected_by("dq-int32-zero-point")}});
  }
}

// Only if the type of the multiplication cannot represent all differences.
TEST(ReadingsOfDequantization, Amb31IntegersThatAreNotLarge) {
  using A = spec::LargeIntegerProduct;
  for (const int opset : versions(21)) {
    expect_no_question<A>(dequantize(opset, vector(uint16, {65535}), scalar(float32, 3), scalar(uint16, 0)),
                          gives({196605}));
    expect_no_question<A>(dequantize(opset, vector(int16, {-32768}), scalar(float32, 3), scalar(int16, 32767)),
                          gives({-196605}));
    expect_no_question<A>(dequantize(opset, vector(uint8, {255}), scalar(bfloat16, 2)), gives({510}));
  }
  for (const int opset : versions(23))  // in float16, 65535 is an infinity
    expect_readings<A>(dequantize(opset, vector(uint16, {65535}), scalar(float16, 0.5)),
                       {{A::rounded_difference, gives({inf})},
                        {A::exact_product, gives({32768})},
                        {A::rounded_operands, gives({inf})}});
}

TEST(ReadingsOfDequantization, Amb32ProductPrecisionBefore23) {
  using A = spec::ProductPrecisionBefore23;
  const auto expect = [](int opset, const Tensor& x, double scale, double float32_product, double own, double exact) {
    expect_readings<A>(dequantize(opset, x, scalar(float16, scale)), {{A::in_float32, gives({float32_product})},
                                                                      {A::in_output_type, gives({own})},
                                                                      {A::exact_product, gives({exact})}});
  };
  expect(21, vector(uint16, {65535}), 0.5, 32768, inf, 32768);
  expect(21, vector(uint16, {2049}), 3, 6148, 6144, 6148);
  expect(21, vector(uint16, {25599}), 1.0009765625, 25632, 25632, 25616);  // 25623.9990: 25624 in float32, a tie
  for (const int opset : versions(19, 21)) {
    expect(opset, vector(int32, {1073741824}), 0x1p-24, 64, inf, 64);
    expect(opset, vector(int8, {-77}), 0.1376953125, -10.6015625, -10.6015625, -10.6015625);  // 8 bits: all equal
  }
}

TEST(ReadingsOfDequantization, Amb33ProductPrecision) {
  using A = spec::ProductPrecision;
  for (const int opset : versions(23)) {
    expect_readings<A>(
        dequantize(opset, vector(int8, {120}), scalar(float32, 1.0003f), std::nullopt, output(float16)),
        {{A::in_output_type, gives({120})}, {A::in_float32, gives({120.0625})}, {A::exact_product, gives({120.0625})}});
    expect_readings<A>(
        dequantize(opset, vector(int16, {2049}), scalar(bfloat16, 3), std::nullopt, output(float16)),
        {{A::in_output_type, gives({6144})}, {A::in_float32, gives({6148})}, {A::exact_product, gives({6148})}});
    expect_readings<A>(
        dequantize(opset, vector(int8, {120}), scalar(float32, 1.003f), std::nullopt, output(bfloat16)),
        {{A::in_output_type, gives({120})}, {A::in_float32, gives({120.5})}, {A::exact_product, gives({120.5})}});
    // Float32 represents every float16 scale: no ambiguity.
    EXPECT_THAT(interpret(dequantize(opset, vector(int16, {2049}), scalar(float16, 3), std::nullopt, output(float32))),
                gives({6147}));
  }
}

TEST(ReadingsOfDequantization, Amb34E8m0ScaleToFloat16) {
  using A = spec::E8m0ScaleToFloat16;
  const auto expect = [](int opset, const Tensor& x, double scale, double float32_product, double float16_product) {
    expect_readings<A>(dequantize(opset, x, scalar(float8e8m0, scale), std::nullopt, output(float16)),
                       {{A::in_float32, gives({float32_product})}, {A::in_output_type, gives({float16_product})}});
  };
  for (const int opset : versions(24)) {
    expect(opset, vector(float8e5m2, {0x1p-16}), 0x1p20, 16, inf);
    expect(opset, vector(int16, {32767}), 0x1p-30, 0x1p-15, 0);
    expect(opset, vector(int8, {0}), 0x1p127, 0, nan);
    expect(opset, vector(int8, {0}), nan, nan, nan);
    expect(opset, vector(int8, {5}), 0x1p-24, 5 * 0x1p-24, 5 * 0x1p-24);
    expect(opset, vector(int8, {1}), 0x1p15, 32768, 32768);
  }
}

TEST(ReadingsOfDequantization, Amb35E8m0ScaleWithoutOutputDtype) {
  using A = spec::E8m0ScaleWithoutOutputDtype;
  for (const int opset : versions(24))
    expect_readings<A>(dequantize(opset, vector(int8, {3, 100}), scalar(float8e8m0, 2)),
                       {{A::invalid, rejected_by("dq-output-dtype-allowed")},
                        {A::float32, ::testing::AllOf(gives_type(float32, {2}), gives({6, 200}))},
                        {A::float8e8m0, ::testing::AllOf(gives_type(float8e8m0, {2}), gives({8, 256}))}});
}

TEST(ReadingsOfDequantization, Amb36Float8ZeroPoint) {
  using A = spec::Float8ZeroPointDequantize;
  for (const int opset : versions(19)) {
    const auto node = [&](double zero_point) {
      return dequantize(opset, counting(float8e4m3fn, {4}), scalar(float32, 1), scalar(float8e4m3fn, zero_point));
    };
    expect_readings<A>(node(1), {{A::subtracted, gives({-1, 0, 1, 2})},
                                 {A::invalid, rejected_by("dq-float-zero-point")},
                                 {A::ignored, gives({0, 1, 2, 3})}});
    expect_readings<A>(node(-0.0), {{A::subtracted, gives({0, 1, 2, 3})},
                                    {A::invalid, rejected_by("dq-float-zero-point")},
                                    {A::ignored, gives({0, 1, 2, 3})}});
    expect_readings<A>(node(nan), {{A::subtracted, gives({nan, nan, nan, nan})},
                                   {A::invalid, rejected_by("dq-float-zero-point")},
                                   {A::ignored, gives({0, 1, 2, 3})}});
    EXPECT_THAT(interpret(node(0), Policy{}.with<A>(A::invalid)), gives({0, 1, 2, 3}));
  }
}

TEST(ReadingsOfDequantization, Amb37Overflow) {
  using A = spec::DequantizeOverflow;
  for (const int opset : versions(10))  // 3.4028235e38 is the largest
    expect_readings<A>(
        dequantize(opset, vector(int8, {4, -4, 1}), scalar(float32, 1e38f)),
        {{A::infinity, gives({inf, -inf, 1e38f})}, {A::clamped, gives({0x1.fffffep127, -0x1.fffffep127, 1e38f})}});
  for (const int opset : versions(19)) {
    expect_readings<A>(dequantize(opset, vector(int8, {66, -127}), scalar(float16, 1000)),
                       {{A::infinity, gives({inf, -inf})}, {A::clamped, gives({65504, -65504})}});
    // The infinite result of an infinite operand is not an overflow.
    expect_readings<A>(dequantize(opset, vector(float8e5m2, {57344, inf}), scalar(float16, 2)),
                       {{A::infinity, gives({inf, inf})}, {A::clamped, gives({65504, inf})}});
  }
}

TEST(ReadingsOfDequantization, Amb38SignedZero) {
  using A = spec::DequantizeSignedZero;
  for (const int opset : versions(10))
    expect_readings<A>(dequantize(opset, vector(uint8, {9}), scalar(float32, -2), scalar(uint8, 9)),
                       {{A::ieee_sign, gives({-0.0})}, {A::positive_zero, gives({0})}});
  for (const int opset : versions(19)) {
    const std::map<A::Reading, OutcomeMatcher> expected{{A::ieee_sign, gives({-0.0})}, {A::positive_zero, gives({0})}};
    expect_readings<A>(dequantize(opset, vector(float8e5m2, {-0.0}), scalar(float32, 3)), expected);
    expect_readings<A>(dequantize(opset, vector(float8e5m2, {-0.0}), scalar(float32, 3), scalar(float8e5m2, 0)),
                       expected);
    EXPECT_THAT(interpret(dequantize(opset, vector(float8e5m2, {-0.0}), scalar(float32, -3))), gives({0}));
  }
  // The sign of a product with zero also follows IEEE 754; the difference for x = zero_point is +0.
  for (const int opset : versions(10)) {
    const auto by = [&](double scale) {
      return dequantize(opset, vector(uint8, {9, 12, 5}), scalar(float32, scale), scalar(uint8, 9));
    };
    expect_readings<A>(by(0.0), {{A::ieee_sign, gives({0, 0, -0.0})}, {A::positive_zero, gives({0, 0, 0})}});
    expect_readings<A>(by(-0.0), {{A::ieee_sign, gives({-0.0, -0.0, 0})}, {A::positive_zero, gives({0, 0, 0})}});
  }
}

TEST(ReadingsOfDequantization, Amb39OutputDtype) {
  using A = spec::DequantizeOutputDtype;
  for (const int opset : versions(23)) {
    // 3 times the float32 number next to 0.1 needs more bits than float32 has.
    expect_readings<A>(dequantize(opset, vector(int8, {3}), scalar(float32, 0.1f), std::nullopt, output(float64)),
                       {{A::invalid, rejected_by("dq-output-dtype-allowed")},
                        {A::double_accepted, ::testing::AllOf(gives_type(float64, {1}), gives({3 * double{0.1f}}))}});
    for (const A::Reading reading : {A::invalid, A::double_accepted})
      for (const spec::ElementType type : {int8, float8e8m0})
        EXPECT_THAT(interpret(dequantize(opset, vector(int8, {3}), scalar(float32, 1), std::nullopt, output(type)),
                              Policy{}.with<A>(reading)),
                    rejected_by("dq-output-dtype-allowed"));
  }
}

TEST(ReadingsOfDequantization, Amb65Float6ZeroPoint) {
  using A = spec::Float6ZeroPointDequantize;
  for (const int opset : versions(28))
    expect_readings<A>(dequantize(opset, coded(float6e2m3, {2}, {0, 1}), scalar(float32, 2), scalar(float6e2m3, 1)),
                       {{A::subtracted, gives({-2, -1.75})},
                        {A::ignored, gives({0, 0.25})},
                        {A::invalid, rejected_by("dq-float-zero-point")}});
}

TEST(ReadingsOfDequantization, Amb71Int32ToBfloat16) {
  using A = spec::Int32ToBfloat16;
  // Computed by hand: halfway between the float32 numbers 2^24 + 2^16, which is even, and 2^24 + 2^16 + 2. The first is
  // halfway between the bfloat16 numbers 2^24, which is even, and 2^24 + 2^17.
  const Tensor x = vector(int32, {0x1p24 + 0x1p16 + 1});
  const std::map<A::Reading, OutcomeMatcher> expected{{A::directly, gives({0x1p24 + 0x1p17})},
                                                      {A::through_float32, gives({0x1p24})}};
  const Policy in_output_type =
      Policy{}.with<spec::ProductPrecisionBefore23>(spec::ProductPrecisionBefore23::in_output_type);
  for (const int opset : versions(19, 21)) {
    expect_readings<A>(dequantize(opset, x, scalar(bfloat16, 1)), expected, in_output_type);
    expect_no_question<A>(dequantize(opset, x, scalar(bfloat16, 1)), gives({0x1p24}));  // multiplied in float32
  }
  for (const int opset : versions(23)) {
    expect_readings<A>(dequantize(opset, x, scalar(bfloat16, 1)), expected);
    expect_readings<A>(dequantize(opset, x, scalar(float32, 1), std::nullopt, output(bfloat16)), expected);
    // The difference is 2^16 + 1, a float32 number. If x and zero point are converted, each of them may be so.
    const Node with_zero_point = dequantize(opset, x, scalar(bfloat16, 1), scalar(int32, 0x1p24));
    expect_readings<A>(with_zero_point, {{A::directly, gives({0x1p16})}, {A::through_float32, gives({0x1p16})}},
                       honours_int32_zero_point);
    expect_readings<A>(
        with_zero_point, {{A::directly, gives({0x1p17})}, {A::through_float32, gives({0})}},
        honours_int32_zero_point.with<spec::LargeIntegerProduct>(spec::LargeIntegerProduct::rounded_operands));
    expect_no_question<A>(dequantize(opset, x, scalar(float16, 1)), gives({inf}));
    expect_no_question<A>(dequantize(opset, vector(int16, {257}), scalar(bfloat16, 1)), gives({256}));
  }
}

}  // namespace
}  // namespace touchstone::reference::readings_dequantization_test
