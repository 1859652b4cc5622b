// The readings of the ambiguities of com.microsoft: MS-01 to 10, and the ambiguities of ai.onnx that it shares.

#include "reference/testing.h"

namespace touchstone::reference::readings_microsoft_test {
namespace {

using enum spec::ElementType;

const Tensor x_2_3 = counting(float32, {2, 3});
const Tensor codes_2_3 = counting(uint8, {2, 3});
const Tensor three_scales = vector(float32, {1, 2, 4});
const Tensor three_zero_points = vector(uint8, {10, 20, 30});

Attributes axis(std::int64_t number) { return {{"axis", number}}; }

// ---- axis decides

TEST(ReadingsOfMicrosoft, Ms01VectorsWithoutAxis) {
  using A = spec::VectorsWithoutAxis;
  const OutcomeMatcher invalid = rejected_by("ms-scalars-without-axis");
  expect_readings<A>(microsoft_quantize(x_2_3, three_scales, three_zero_points),
                     {{A::invalid, invalid}, {A::axis_1, gives({10, 20, 30, 13, 22, 31})}});
  expect_readings<A>(microsoft_dequantize(codes_2_3, three_scales),
                     {{A::invalid, invalid}, {A::axis_1, gives({0, 2, 8, 3, 8, 20})}});
  // The scale only has the length of another axis.
  expect_readings<A>(microsoft_quantize(x_2_3, vector(float32, {1, 2})),
                     {{A::invalid, invalid}, {A::axis_1, rejected_by("qdq-per-axis-length")}});
  expect_no_question<A>(microsoft_quantize(x_2_3, three_scales, three_zero_points, axis(1)),
                        gives({10, 20, 30, 13, 22, 31}));
  expect_no_question<A>(microsoft_quantize(x_2_3, tensor(float32, {1, 3}, {1, 2, 4})), invalid);
}

TEST(ReadingsOfMicrosoft, Ms02ScalarsWithAxis) {
  using A = spec::ScalarsWithAxis;
  const OutcomeMatcher invalid = rejected_by("ms-vectors-with-axis");
  const Tensor scale = scalar(float32, 2);
  for (const int number : {0, 1, -1, 7}) {
    expect_readings<A>(microsoft_quantize(x_2_3, scale, std::nullopt, axis(number)),
                       {{A::invalid, invalid}, {A::per_tensor, gives({0, 0, 1, 2, 2, 2})}});
    expect_readings<A>(microsoft_dequantize(codes_2_3, scale, scalar(uint8, 1), axis(number)),
                       {{A::invalid, invalid}, {A::per_tensor, gives({-2, 0, 2, 4, 6, 8})}});
  }
  // A scalar x has no axis to quantize along.
  expect_readings<A>(microsoft_quantize(scalar(float32, 8), scale, std::nullopt, axis(0)),
                     {{A::invalid, invalid}, {A::per_tensor, gives({4})}});
  // One of the two is a scalar. (The mismatch of their ranks is AMB-40.)
  const Tensor x = tensor(float32, {3, 1}, {2, 4, 6});
  expect_readings<A>(microsoft_quantize(x, scale, vector(uint8, {1}), axis(1)),
                     {{A::invalid, invalid}, {A::per_tensor, gives({2, 3, 4})}});
  expect_readings<A>(microsoft_quantize(x, vector(float32, {2}), scalar(uint8, 1), axis(1)),
                     {{A::invalid, invalid}, {A::per_tensor, gives({2, 3, 4})}});
  expect_no_question<A>(microsoft_quantize(x_2_3, scale), gives({0, 0, 1, 2, 2, 2}));
}

TEST(ReadingsOfMicrosoft, Ms03OneElementWithAxis) {
  using A = spec::OneElementWithAxis;
  const Tensor scales = vector(float32, {2});
  expect_readings<A>(microsoft_quantize(x_2_3, scales, std::nullopt, axis(1)),
                     {{A::invalid, rejected_by("qdq-per-axis-length")}, {A::per_tensor, gives({0, 0, 1, 2, 2, 2})}});
  expect_readings<A>(microsoft_dequantize(codes_2_3, scales, vector(uint8, {1}), axis(-2)),
                     {{A::invalid, rejected_by("qdq-per-axis-length")}, {A::per_tensor, gives({-2, 0, 2, 4, 6, 8})}});
  // The axis does not exist, so it has no length.
  expect_readings<A>(microsoft_quantize(x_2_3, scales, std::nullopt, axis(7)),
                     {{A::invalid, rejected_by("ms-axis-range")}, {A::per_tensor, gives({0, 0, 1, 2, 2, 2})}});
  expect_readings<A>(microsoft_quantize(scalar(float32, 8), scales, std::nullopt, axis(0)),
                     {{A::invalid, rejected_by("ms-axis-range")}, {A::per_tensor, gives({4})}});
  // With an axis of length 1 there is no ambiguity.
  for (const int number : {1, -1})
    expect_no_question<A>(microsoft_quantize(counting(float32, {3, 1}), scales, vector(uint8, {1}), axis(number)),
                          gives({1, 1, 2}));
}

// MS-04 is AMB-40.
TEST(ReadingsOfMicrosoft, Amb40ScalarShape) {
  using A = spec::ScalarShape;
  const Tensor x = vector(float32, {3, 5});
  const Tensor scale = scalar(float32, 2);
  const Tensor scales = vector(float32, {2});
  const auto expect = [](const Node& node, const NumbersOrOpen& numbers, bool mixed) {
    expect_readings<A>(node, {{A::one_element_is_scalar, gives(numbers)},
                              {A::mixed_ranks_invalid, mixed ? rejected_by("qdq-same-shape") : gives(numbers)},
                              {A::one_dimension_invalid, rejected_by("qdq-same-shape")}});
  };
  expect(microsoft_quantize(x, scales), {2, 2}, false);
  expect(microsoft_quantize(x, scales, vector(uint8, {1})), {3, 3}, false);
  expect(microsoft_quantize(x, scales, scalar(uint8, 1)), {3, 3}, true);
  expect(microsoft_quantize(x, scale, vector(uint8, {1})), {3, 3}, true);
  expect(microsoft_dequantize(vector(uint8, {3, 5}), scale, vector(uint8, {1})), {4, 8}, true);
  expect_no_question<A>(microsoft_quantize(x, scale, scalar(uint8, 1)), gives({3, 3}));
  expect_no_question<A>(microsoft_quantize(counting(float32, {3, 1}), scales, std::nullopt, axis(1)), gives({0, 0, 1}));
}

TEST(ReadingsOfMicrosoft, Amb41ScaleZeroPointShapes) {
  using A = spec::ScaleZeroPointShapes;
  const OutcomeMatcher invalid = rejected_by("qdq-same-shape");
  expect_readings<A>(microsoft_quantize(x_2_3, three_scales, scalar(uint8, 10), axis(1)),
                     {{A::invalid, invalid}, {A::broadcast, gives({10, 10, 10, 13, 12, 11})}});
  expect_readings<A>(microsoft_quantize(x_2_3, scalar(float32, 1), three_zero_points, axis(1)),
                     {{A::invalid, invalid}, {A::broadcast, gives({10, 21, 32, 13, 24, 35})}});
  expect_readings<A>(microsoft_quantize(x_2_3, scalar(float32, 1), three_zero_points),
                     {{A::invalid, invalid}, {A::broadcast, rejected_by("ms-scalars-without-axis")}});
  expect_readings<A>(microsoft_quantize(x_2_3, three_scales, vector(uint8, {1, 2}), axis(1)),
                     {{A::invalid, invalid}, {A::broadcast, invalid}});
}

TEST(ReadingsOfMicrosoft, Amb44AxisForPerTensor) {
  using A = spec::AxisForPerTensor;
  using Scalars = spec::ScalarsWithAxis;
  const Policy accepts_scalars = Policy{}.with<Scalars>(Scalars::per_tensor);
  const OutcomeMatcher invalid = rejected_by("ms-axis-range");
  for (const int number : {7, -3, 2}) {
    expect_readings<A>(microsoft_quantize(x_2_3, scalar(float32, 2), std::nullopt, axis(number)),
                       {{A::ignored, gives({0, 0, 1, 2, 2, 2})},
                        {A::always_checked, invalid},
                        {A::never_checked, gives({0, 0, 1, 2, 2, 2})}},
                       accepts_scalars);
    // Computed by hand: axis modulo the rank, 2, is 1 for 7 and -3, and 0 for 2.
    const bool last = number != 2;
    expect_readings<A>(
        microsoft_quantize(x_2_3, last ? three_scales : vector(float32, {1, 2}), std::nullopt, axis(number)),
        {{A::ignored, invalid},
         {A::always_checked, invalid},
         {A::never_checked, last ? gives({0, 0, 0, 3, 2, 1}) : gives({0, 1, 2, 2, 2, 2})}});
  }
}

TEST(ReadingsOfMicrosoft, Ms09NegativeAxis) {
  using A = spec::NegativeAxis;
  expect_readings<A>(
      microsoft_quantize(x_2_3, three_scales, three_zero_points, axis(-1)),
      {{A::counts_from_the_back, gives({10, 20, 30, 13, 22, 31})}, {A::invalid, rejected_by("ms-axis-range")}});
  expect_readings<A>(
      microsoft_dequantize(codes_2_3, vector(float32, {1, 2}), std::nullopt, axis(-2)),
      {{A::counts_from_the_back, gives({0, 1, 2, 6, 8, 10})}, {A::invalid, rejected_by("ms-axis-range")}});
  expect_readings<A>(
      microsoft_quantize(x_2_3, three_scales, std::nullopt, axis(-3)),
      {{A::counts_from_the_back, rejected_by("ms-axis-range")}, {A::invalid, rejected_by("ms-axis-range")}});
  expect_no_question<A>(microsoft_dequantize(codes_2_3, vector(float32, {1, 2}), std::nullopt, axis(0)),
                        gives({0, 1, 2, 6, 8, 10}));
}

TEST(ReadingsOfMicrosoft, Ms10Rank1WithoutAxis) {
  using A = spec::Rank1WithoutAxis;
  const Tensor x = counting(uint8, {3});
  const Node node = microsoft_dequantize(x, three_scales);
  expect_readings<A>(node, {{A::invalid, rejected_by("ms-scalars-without-axis")}, {A::axis_0, gives({0, 2, 8})}});
  expect_readings<A>(
      microsoft_dequantize(x, vector(float32, {1, 2})),
      {{A::invalid, rejected_by("ms-scalars-without-axis")}, {A::axis_0, rejected_by("qdq-per-axis-length")}});
  // Readings that give axis the default 1 reject the node too, because a vector has no axis 1.
  expect_no_question<spec::VectorsWithoutAxis>(node, rejected_by("ms-scalars-without-axis"));
  for (const int number : {0, -1})
    expect_no_question<A>(microsoft_dequantize(x, three_scales, std::nullopt, axis(number)), gives({0, 2, 8}));
  for (const Tensor& one_scale : {scalar(float32, 2), vector(float32, {2})})
    expect_no_question<A>(microsoft_dequantize(x, one_scale), gives({0, 2, 4}));
}

TEST(ReadingsOfMicrosoft, Amb45Rank0Input) {
  using A = spec::Rank0Input;
  const auto of = [](spec::ElementType type, const Shape& shape, double number) -> OutcomeMatcher {
    return ::testing::AllOf(gives_type(type, shape), gives({number}));
  };
  for (const Tensor& scale : {scalar(float32, 2), vector(float32, {2})}) {
    expect_readings<A>(microsoft_quantize(scalar(float32, 8), scale), {{A::rank_0_output, of(uint8, {}, 4)},
                                                                       {A::rank_1_output, of(uint8, {1}, 4)},
                                                                       {A::invalid, rejected_by("qdq-output-shape")}});
    expect_readings<A>(microsoft_dequantize(scalar(int8, -8), scale), {{A::rank_0_output, of(float32, {}, -16)},
                                                                       {A::rank_1_output, of(float32, {1}, -16)},
                                                                       {A::invalid, rejected_by("qdq-output-shape")}});
  }
}

TEST(ReadingsOfMicrosoft, Amb51EmptyTensors) {
  using A = spec::EmptyTensors;
  const auto expect = [](const Shape& x, const Tensor& scale, const Attributes& attributes = {}) {
    expect_readings<A>(microsoft_quantize(counting(float32, x), scale, std::nullopt, attributes),
                       {{A::empty_result, gives_type(uint8, x)}, {A::invalid, rejected_by("qdq-output-shape")}});
    expect_readings<A>(microsoft_dequantize(counting(int8, x), scale, std::nullopt, attributes),
                       {{A::empty_result, gives_type(float32, x)}, {A::invalid, rejected_by("qdq-output-shape")}});
  };
  expect({0}, scalar(float32, 1));
  expect({0, 3}, three_scales, axis(1));
  expect({2, 0}, vector(float32, {}), axis(1));
}

// ---- supported types and zero points

TEST(ReadingsOfMicrosoft, Ms08TypesBeyondThePage) {
  using A = spec::TypesBeyondThePage;
  const OutcomeMatcher invalid = rejected_by("onnx-type-constraint");
  const Tensor one = scalar(float32, 1);
  const auto quantized = [&](spec::ElementType type) {
    return microsoft_quantize(vector(float32, {3}), one, scalar(type, 1));
  };
  const auto dequantized = [&](spec::ElementType type) {
    return microsoft_dequantize(vector(type, {3}), one, scalar(type, 1));
  };
  for (const spec::ElementType type : {uint16, int16, uint4, int4}) {
    expect_readings<A>(quantized(type), {{A::accepted, gives({4})}, {A::invalid, invalid}});
    expect_readings<A>(dequantized(type), {{A::accepted, gives({2})}, {A::invalid, invalid}});
  }
  expect_readings<A>(dequantized(int32), {{A::accepted, gives({2})}, {A::invalid, invalid}});
  for (const spec::ElementType type : {uint8, int8}) {
    expect_no_question<A>(quantized(type), gives({4}));
    expect_no_question<A>(dequantized(type), gives({2}));
  }
  expect_no_question<A>(microsoft_quantize(vector(float32, {3}), one), gives({3}));  // uint8
  expect_no_question<A>(quantized(uint2), invalid);
}

TEST(ReadingsOfMicrosoft, Ms08ZeroPointThatMustBe) {
  using A = spec::ZeroPointThatMustBe;
  const Tensor scale = scalar(float32, 2);
  expect_readings<A>(
      microsoft_quantize(vector(float32, {6}), scale),
      {{A::optional, ::testing::AllOf(gives_type(uint8, {1}), gives({3}))}, {A::required, rejected_by("onnx-inputs")}});
  expect_readings<A>(microsoft_dequantize(vector(int8, {-6}), scale),
                     {{A::optional, gives({-12})}, {A::required, rejected_by("onnx-inputs")}});
  expect_no_question<A>(microsoft_quantize(vector(float32, {6}), scale, scalar(uint8, 0)), gives({3}));
  expect_no_question<A>(microsoft_dequantize(vector(int8, {-6}), scale, scalar(int8, 0)), gives({-12}));
}

TEST(ReadingsOfMicrosoft, Ms06Int32ZeroPoint) {
  using A = spec::Int32ZeroPointOfMicrosoft;
  const Tensor x = vector(int32, {16777217});
  expect_readings<A>(
      microsoft_dequantize(x, scalar(float32, 2), scalar(int32, 5)),  // ignored: 16777216 in float32
      {{A::subtracted, gives({33554424})}, {A::invalid, rejected_by("dq-formula")}, {A::ignored, gives({33554432})}});
  expect_no_question<A>(microsoft_dequantize(x, scalar(float32, 2), scalar(int32, 0)), gives({33554432}));
  expect_no_question<A>(microsoft_dequantize(x, scalar(float32, 2)), gives({33554432}));
  expect_no_question<A>(microsoft_dequantize(vector(int16, {7}), scalar(float32, 2), scalar(int16, 5)), gives({4}));
  // The zero point counts even if x has no element for it.
  expect_readings<A>(
      microsoft_dequantize(Tensor(int32, {0, 2}), vector(float32, {1, 1}), vector(int32, {0, -1}), axis(1)),
      {{A::subtracted, gives_type(float32, {0, 2})},
       {A::invalid, rejected_by("dq-formula")},
       {A::ignored, gives_type(float32, {0, 2})}});
}

TEST(ReadingsOfMicrosoft, Amb30Int32SubtractionOverflow) {
  using A = spec::Int32SubtractionOverflow;
  expect_readings<A>(microsoft_dequantize(vector(int32, {-2147483648}), scalar(float32, 1), scalar(int32, 1)),
                     {{A::exact, gives({-2147483648})}, {A::wrapping_int32, gives({2147483648})}});
}

// ---- QuantizeLinear

TEST(ReadingsOfMicrosoft, Ms05FourBitRange) {
  using A = spec::FourBitRange;
  const Tensor one = scalar(float32, 1);
  expect_readings<A>(microsoft_quantize(vector(float32, {-8, -20, -7, 7, 20}), one, scalar(int4, 0)),
                     {{A::full, gives({-8, -8, -7, 7, 7})}, {A::symmetric, gives({-7, -7, -7, 7, 7})}});
  expect_no_question<A>(microsoft_quantize(vector(float32, {-7, 9}), one, scalar(int4, 0)), gives({-7, 7}));
  expect_no_question<A>(microsoft_quantize(vector(float32, {-1, 0, 15, 16}), one, scalar(uint4, 0)),
                        gives({0, 0, 15, 15}));
}

TEST(ReadingsOfMicrosoft, Amb01NanQuotient) {
  using A = spec::NanToInteger;
  expect_readings<A>(microsoft_quantize(vector(float32, {nan, 1}), scalar(float32, 1), scalar(int4, 3)),
                     {{A::undefined, gives({open, 4})},
                      {A::minimum, gives({-8, 4})},
                      {A::zero_point, gives({3, 4})},
                      {A::maximum, gives({7, 4})},
                      {A::zero, gives({0, 4})}});
}

TEST(ReadingsOfMicrosoft, Amb02HugeQuotient) {
  using A = spec::HugeQuotient;
  expect_readings<A>(microsoft_quantize(vector(float32, {inf, -inf, 3e9, -3e9}), scalar(float32, 1)),
                     {{A::saturates, gives({255, 0, 255, 0})},
                      {A::infinities_undefined, gives({open, open, 255, 0})},
                      {A::int32_minimum, gives({0, 0, 0, 0})}});
}

TEST(ReadingsOfMicrosoft, Amb03ScaleDomain) {
  using A = spec::ScaleDomain;
  const auto node = [](const Numbers& x, double scale) {
    return microsoft_quantize(vector(float32, x), scalar(float32, scale), scalar(uint8, 3));
  };
  expect_readings<A>(node({5, -5, 0}, 0), {{A::ieee_division, gives({255, 0, open})},
                                           {A::zero_or_non_finite_invalid, rejected_by("ql-formula")},
                                           {A::non_positive_invalid, rejected_by("ql-formula")}});
  expect_readings<A>(node({-300}, -2), {{A::ieee_division, gives({153})},
                                        {A::zero_or_non_finite_invalid, gives({153})},
                                        {A::non_positive_invalid, rejected_by("ql-formula")}});
}

TEST(ReadingsOfMicrosoft, Amb03ScaleDomainOfDequantizeLinear) {
  using A = spec::ScaleDomain;
  expect_readings<A>(microsoft_dequantize(vector(int8, {3}), scalar(float32, -2)),
                     {{A::ieee_division, gives({-6})},
                      {A::zero_or_non_finite_invalid, gives({-6})},
                      {A::non_positive_invalid, rejected_by("dq-formula")}});
}

TEST(ReadingsOfMicrosoft, Amb04RoundingOrder) {
  using A = spec::RoundingOrder;
  expect_readings<A>(microsoft_quantize(vector(float32, {0.5, 1.5, 300}), scalar(float32, 1), scalar(uint8, 1)),
                     {{A::round_add_saturate, gives({1, 3, 255})},
                      {A::add_round_saturate, gives({2, 2, 255})},
                      {A::round_saturate_add, gives({1, 3, 0})}});  // 255 + 1
}

TEST(ReadingsOfMicrosoft, Amb05Float32Division) {
  using A = spec::Float32Division;
  // 227.4999992 -> float32 227.5. With the reciprocal 227.49999.
  expect_readings<A>(
      microsoft_quantize(vector(float32, {18.35116195678711f}), scalar(float32, 0.08066444844007492f)),
      {{A::in_float32, gives({228})}, {A::exact_quotient, gives({227})}, {A::reciprocal_multiplication, gives({227})}});
}

// MS-07 is AMB-06.
TEST(ReadingsOfMicrosoft, Amb06Float16Division) {
  using A = spec::SameFloatDivisionBefore23;
  expect_readings<A>(
      microsoft_quantize(vector(float16, {26}), scalar(float16, 0.167236328125)),  // 155.469 -> float16 155.5
      {{A::in_float32, gives({155})}, {A::in_input_type, gives({156})}, {A::exact_quotient, gives({155})}});
  expect_readings<A>(microsoft_quantize(vector(float16, {17.953125}), scalar(float16, 1.087890625)),  // 16.503 -> 16.5
                     {{A::in_float32, gives({17})}, {A::in_input_type, gives({16})}, {A::exact_quotient, gives({17})}});
}

TEST(ReadingsOfMicrosoft, Amb14ZeroPointAddition) {
  using A = spec::ZeroPointAddition;
  using Division = spec::SameFloatDivisionBefore23;
  // In float16, 30002 lies between 30000 and 30016.
  expect_readings<A>(
      microsoft_quantize(vector(float16, {1}), scalar(float16, 1), scalar(uint16, 30001)),
      {{A::exact, gives({30002})}, {A::in_division_type, gives({30000})}, {A::wrapping_int32, gives({30002})}},
      Policy{}.with<Division>(Division::in_input_type));
  expect_readings<A>(microsoft_quantize(vector(float32, {2147483520}), scalar(float32, 1), scalar(uint8, 200)),
                     {{A::exact, gives({255})}, {A::in_division_type, gives({255})}, {A::wrapping_int32, gives({0})}});
}

TEST(ReadingsOfMicrosoft, Amb15Float16QuotientOverflow) {
  using A = spec::Float16QuotientOverflow;
  using Division = spec::SameFloatDivisionBefore23;
  const Node node = microsoft_quantize(vector(float16, {65504, -65504}), scalar(float16, 0.5), scalar(uint16, 0));
  expect_readings<A>(node, {{A::saturates, gives({65535, 0})}, {A::not_saturated, gives({0, 0})}},
                     Policy{}.with<Division>(Division::in_input_type));
  EXPECT_THAT(interpret(node), gives({65535, 0}));
}

TEST(ReadingsOfMicrosoft, Amb16Subnormals) {
  using A = spec::Subnormals;
  const double s = 1e-40f;
  expect_readings<A>(microsoft_quantize(vector(float32, {s, -s}), scalar(float32, s), scalar(int8, 0)),
                     {{A::gradual_underflow, gives({1, -1})},
                      {A::flushes_wide_types, gives({open, open})},
                      {A::flushes_float32_and_bfloat16, gives({open, open})},
                      {A::flushes_wide_results, gives({1, -1})},
                      {A::flushes_wide_operands, gives({open, open})},
                      {A::flushes_float16_too, gives({open, open})},
                      {A::flushes_results, gives({1, -1})},
                      {A::flushes_float16_only, gives({1, -1})},
                      {A::flushes_all_types, gives({open, open})}});
  expect_readings<A>(microsoft_dequantize(vector(int8, {1, 2}), scalar(float16, 0x1p-24)),
                     {{A::gradual_underflow, gives({0x1p-24, 0x1p-23})},
                      {A::flushes_wide_types, gives({0x1p-24, 0x1p-23})},
                      {A::flushes_float32_and_bfloat16, gives({0x1p-24, 0x1p-23})},
                      {A::flushes_wide_results, gives({0x1p-24, 0x1p-23})},
                      {A::flushes_wide_operands, gives({0x1p-24, 0x1p-23})},
                      {A::flushes_float16_too, gives({0, 0})},
                      {A::flushes_results, gives({0, 0})},
                      {A::flushes_float16_only, gives({0, 0})},
                      {A::flushes_all_types, gives({0, 0})}});
}

TEST(ReadingsOfMicrosoft, Amb61Ties) {
  using A = spec::Ties;
  expect_readings<A>(
      microsoft_quantize(vector(float32, {0.5, 1.5, 2.5, -0.5, -1.5}), scalar(float32, 1), scalar(int8, 0)),
      {{A::to_even, gives({0, 2, 2, 0, -2})},
       {A::away_from_zero, gives({1, 2, 3, -1, -2})},
       {A::upwards, gives({1, 2, 3, 0, -1})}});
}

TEST(ReadingsOfMicrosoft, Amb62DefaultZeroPoint) {
  using A = spec::DefaultZeroPoint;
  expect_readings<A>(microsoft_dequantize(vector(uint8, {200}), scalar(float32, 1)),
                     {{A::zero, gives({200})}, {A::midpoint, gives({72})}});
  expect_readings<A>(microsoft_quantize(vector(float32, {5}), scalar(float32, 1)),
                     {{A::zero, gives({5})}, {A::midpoint, gives({133})}});
}

TEST(ReadingsOfMicrosoft, Amb63Int8Range) {
  using A = spec::Int8Range;
  expect_readings<A>(microsoft_quantize(vector(float32, {-128, -200, 127, 200}), scalar(float32, 1), scalar(int8, 0)),
                     {{A::full, gives({-128, -128, 127, 127})}, {A::symmetric, gives({-127, -127, 127, 127})}});
}

// ---- DequantizeLinear

TEST(ReadingsOfMicrosoft, Amb28SubtractionWidth) {
  using A = spec::SubtractionWidth;
  expect_readings<A>(microsoft_dequantize(vector(int8, {-128}), scalar(float32, 1), scalar(int8, 127)),
                     {{A::exact, gives({-255})}, {A::wrapping, gives({1})}});
  expect_readings<A>(microsoft_dequantize(vector(int4, {-8}), scalar(float32, 1), scalar(int4, 7)),
                     {{A::exact, gives({-15})}, {A::wrapping, gives({1})}});
}

TEST(ReadingsOfMicrosoft, Amb31LargeIntegers) {
  using A = spec::LargeIntegerProduct;
  expect_readings<A>(microsoft_dequantize(vector(int32, {16777217}), scalar(float32, 3)),
                     {{A::rounded_difference, gives({50331648})},
                      {A::exact_product, gives({50331652})},
                      {A::rounded_operands, gives({50331648})}});
  // Here the difference of large numbers arises under the primary reading, not only under another one.
  expect_readings<A>(
      microsoft_dequantize(vector(int32, {16777217}), scalar(float32, 1), scalar(int32, 16777216)),
      {{A::rounded_difference, gives({1})}, {A::exact_product, gives({1})}, {A::rounded_operands, gives({0})}});
}

TEST(ReadingsOfMicrosoft, Amb32ProductPrecision) {
  using A = spec::ProductPrecisionBefore23;
  const auto expect = [](const Tensor& x, double scale, double float32_product, double own, double exact) {
    expect_readings<A>(microsoft_dequantize(x, scalar(float16, scale)), {{A::in_float32, gives({float32_product})},
                                                                         {A::in_output_type, gives({own})},
                                                                         {A::exact_product, gives({exact})}});
  };
  expect(vector(uint16, {65535}), 0.5, 32768, inf, 32768);
  expect(vector(uint16, {2049}), 3, 6148, 6144, 6148);
  expect(vector(uint16, {25599}), 1.0009765625, 25632, 25632, 25616);  // 25623.9990: 25624 in float32, a tie
}

TEST(ReadingsOfMicrosoft, Amb37Overflow) {
  using A = spec::DequantizeOverflow;
  expect_readings<A>(microsoft_dequantize(vector(int8, {66, -127}), scalar(float16, 1000)),
                     {{A::infinity, gives({inf, -inf})}, {A::clamped, gives({65504, -65504})}});
}

TEST(ReadingsOfMicrosoft, Amb38SignedZero) {
  using A = spec::DequantizeSignedZero;
  expect_readings<A>(microsoft_dequantize(vector(uint8, {9}), scalar(float32, -2), scalar(uint8, 9)),
                     {{A::ieee_sign, gives({-0.0})}, {A::positive_zero, gives({0})}});
}

}  // namespace
}  // namespace touchstone::reference::readings_microsoft_test
