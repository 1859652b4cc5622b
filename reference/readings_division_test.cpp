// The readings of the ambiguities of QuantizeLinear's division: AMB-05 to 13, 59 and 71.
//
// A quotient in a comment is the exact one; after an arrow, the quotient rounded to the named type.

#include "reference/testing.h"

namespace touchstone::reference::readings_division_test {
namespace {

using enum spec::ElementType;

constexpr double s16 = 0.167236328125;  // a float16 number

TEST(ReadingsOfDivision, Amb05Float32) {
  using A = spec::Float32Division;
  for (const int opset : versions(10)) {
    // 123.4999965 -> float32 123.5. With the reciprocal 123.499992.
    expect_readings<A>(quantize(opset, vector(float32, {77.56914520263672f}), scalar(float32, 0.6280902624130249f)),
                       {{A::in_float32, gives({124})},
                        {A::exact_quotient, gives({123})},
                        {A::reciprocal_multiplication, gives({123})}});
    // 227.4999992 -> float32 227.5. With the reciprocal 227.49999.
    expect_readings<A>(quantize(opset, vector(float32, {18.35116195678711f}), scalar(float32, 0.08066444844007492f)),
                       {{A::in_float32, gives({228})},
                        {A::exact_quotient, gives({227})},
                        {A::reciprocal_multiplication, gives({227})}});
  }
}

TEST(ReadingsOfDivision, Amb06SameFloatBefore23) {
  using A = spec::SameFloatDivisionBefore23;
  for (const int opset : versions(19, 21)) {
    expect_readings<A>(
        quantize(opset, vector(float16, {26}), scalar(float16, s16)),  // 155.469 -> float16 155.5
        {{A::in_float32, gives({155})}, {A::in_input_type, gives({156})}, {A::exact_quotient, gives({155})}});
    expect_readings<A>(
        quantize(opset, vector(float16, {17.953125}), scalar(float16, 1.087890625)),  // 16.503 -> 16.5
        {{A::in_float32, gives({17})}, {A::in_input_type, gives({16})}, {A::exact_quotient, gives({17})}});
    expect_readings<A>(
        quantize(opset, vector(bfloat16, {68.5}), scalar(bfloat16, 0.89453125)),  // 76.58 -> 76.5
        {{A::in_float32, gives({77})}, {A::in_input_type, gives({76})}, {A::exact_quotient, gives({77})}});
  }
}

TEST(ReadingsOfDivision, Amb07SameFloat) {
  using A = spec::SameFloatDivision;
  for (const int opset : versions(23)) {
    expect_readings<A>(quantize(opset, vector(float16, {26}), scalar(float16, s16)),
                       {{A::in_scale_type, gives({156})}, {A::in_float32, gives({155})}});
    expect_readings<A>(quantize(opset, vector(bfloat16, {68.5}), scalar(bfloat16, 0.89453125)),
                       {{A::in_scale_type, gives({76})}, {A::in_float32, gives({77})}});
  }
}

TEST(ReadingsOfDivision, Amb08MixedTypes) {
  using A = spec::MixedTypeDivision;
  for (const int opset : versions(23)) {
    // In float16 26.003 is 26.
    expect_readings<A>(
        quantize(opset, vector(float32, {26.003f}), scalar(float16, s16)),
        {{A::in_scale_type, gives({156})}, {A::in_wider_type, gives({155})}, {A::in_input_type, gives({155})}});
    // 15.495; in float16 the scale is 1.
    expect_readings<A>(
        quantize(opset, vector(float16, {15.5}), scalar(float32, 1.0003f)),
        {{A::in_scale_type, gives({15})}, {A::in_wider_type, gives({15})}, {A::in_input_type, gives({16})}});
    // Computed by hand: in bfloat16 129.375 is 129, and 129 / 0.5078125 = 254.03; 129.375 / 0.5078125 = 254.77.
    expect_readings<A>(
        quantize(opset, vector(float16, {129.375}), scalar(bfloat16, 0.5078125)),
        {{A::in_scale_type, gives({254})}, {A::in_wider_type, gives({255})}, {A::in_input_type, gives({255})}});
    // Computed by hand: 1.0009765625 is a float16 number, and 1 in bfloat16; 63.5 / 1.00098 = 63.438.
    expect_readings<A>(
        quantize(opset, vector(bfloat16, {63.5}), scalar(float16, 1.0009765625)),
        {{A::in_scale_type, gives({63})}, {A::in_wider_type, gives({63})}, {A::in_input_type, gives({64})}});
  }
}

TEST(ReadingsOfDivision, Amb09PrecisionValues) {
  using A = spec::PrecisionValues;
  for (const int opset : versions(23)) {
    const auto node = [&](std::int64_t precision) {
      return quantize(opset, vector(float16, {26, 17.953125}), scalar(float16, s16), std::nullopt,
                      {{"precision", precision}});
    };
    // 155.469 and 107.352. A backend that ignores the attribute divides in the type of the scale.
    const auto by_own_choice = gives({156, 107});
    const auto expect = [&](spec::ElementType precision, const NumbersOrOpen& numbers) {
      expect_readings<A>(node(type_code(precision)), {{A::cast_and_divide, gives(numbers)},
                                                      {A::unusual_types_invalid, gives(numbers)},
                                                      {A::ignored, by_own_choice}});
    };
    expect(float32, {155, 107});
    expect(float16, {156, 107});
    expect(bfloat16, {156, 108});
    expect_readings<A>(node(type_code(float64)), {{A::cast_and_divide, gives({155, 107})},
                                                  {A::unusual_types_invalid, rejected_by("ql-division-in-precision")},
                                                  {A::ignored, by_own_choice}});
    for (const std::int64_t other : {type_code(int32), type_code(float8e8m0), std::int64_t{47}, std::int64_t{-1}})
      expect_readings<A>(node(other), {{A::cast_and_divide, rejected_by("ql-division-in-precision")},
                                       {A::unusual_types_invalid, rejected_by("ql-division-in-precision")},
                                       {A::ignored, by_own_choice}});
  }
}

TEST(ReadingsOfDivision, Amb10E8m0ScaleWithoutPrecision) {
  using A = spec::E8m0ScaleWithoutPrecision;
  for (const int opset : versions(24)) {
    expect_readings<A>(quantize(opset, vector(float16, {0x1p-24}), coded(float8e8m0, {}, {97})),  // 2^-30: 0 in float16
                       {{A::in_float32, gives({64})},
                        {A::in_input_type, gives({255})},
                        {A::exact_quotient, gives({64})},
                        {A::invalid, rejected_by("ql-division-in-scale-type")},
                        {A::in_scale_type, gives({64})}});
    const Tensor half = coded(float8e8m0, {}, {126});
    // Rounded to powers of two: 1 / 0.5, 2 / 0.5, and no negative number.
    expect_readings<A>(quantize(opset, vector(float32, {1.3f, 2.6f, -70}), half, scalar(int8, 0)),
                       {{A::in_float32, gives({3, 5, -128})},
                        {A::in_input_type, gives({3, 5, -128})},
                        {A::exact_quotient, gives({3, 5, -128})},
                        {A::invalid, rejected_by("ql-division-in-scale-type")},
                        {A::in_scale_type, gives({2, 4, open})}});
    // Computed by hand: int32 goes through float32; 5 becomes 4 as a power of two.
    expect_readings<A>(quantize(opset, vector(int32, {5}), half),
                       {{A::in_float32, gives({10})},
                        {A::in_input_type, gives({10})},
                        {A::exact_quotient, gives({10})},
                        {A::invalid, rejected_by("ql-division-in-scale-type")},
                        {A::in_scale_type, gives({8})}});
    // 16777217 / 2^25 is slightly more than 1/2, and 1/2 in float32; as a power of two 16777217 becomes 2^24.
    expect_readings<A>(quantize(opset, vector(int32, {16777217}), scalar(float8e8m0, 0x1p25)),
                       {{A::in_float32, gives({0})},
                        {A::in_input_type, gives({0})},
                        {A::exact_quotient, gives({1})},
                        {A::invalid, rejected_by("ql-division-in-scale-type")},
                        {A::in_scale_type, gives({0})}});
    EXPECT_THAT(interpret(quantize(opset, vector(float32, {1.3f, 2.6f, -70}), half, scalar(int8, 0),
                                   {{"precision", type_code(float32)}})),
                gives({3, 5, -128}));
  }
}

TEST(ReadingsOfDivision, Amb11Int32Input) {
  using A = spec::Int32InputDivision;
  for (const int opset : versions(10)) {
    // 19 and 21 have this ambiguity if AMB-13 admits such a node.
    const Policy admitted = Policy{}.with<spec::Int32InputFloatScale>(spec::Int32InputFloatScale::accepted);
    expect_readings<A>(quantize(opset, vector(int32, {16777217}), scalar(float32, 33554432)),  // 0.50000003
                       {{A::through_division_type, gives({0})},
                        {A::in_float32, gives({0})},
                        {A::in_float64, gives({1})},
                        {A::exact_quotient, gives({1})}},
                       admitted);
    expect_readings<A>(quantize(opset, vector(int32, {8617046}), scalar(float32, 50838.03125)),  // 169.499994 -> 169.5
                       {{A::through_division_type, gives({170})},
                        {A::in_float32, gives({170})},
                        {A::in_float64, gives({169})},
                        {A::exact_quotient, gives({169})}},
                       admitted);
  }
  for (const int opset : versions(23)) {
    const Tensor x = vector(int32, {100000});  // an infinity in float16
    const std::map<A::Reading, OutcomeMatcher> expected{{A::through_division_type, gives({127})},
                                                        {A::in_float32, gives({100})},
                                                        {A::in_float64, gives({100})},
                                                        {A::exact_quotient, gives({100})}};
    expect_readings<A>(quantize(opset, x, scalar(float16, 1000), scalar(int8, 0)), expected);
    EXPECT_THAT(
        interpret(quantize(opset, x, scalar(float32, 1000), scalar(uint8, 0), {{"precision", type_code(float16)}})),
        gives({255}));
  }
}

/// A float16 scale narrows a float32 input no more than an int32 input, so both have the same rule. If an operand is
/// int32, the type that holds both operands is float64.
TEST(ReadingsOfDivision, Amb08And11Float32IsPermittedForBothWideInputs) {
  using Mixed = spec::MixedTypeDivision;
  using Int32 = spec::Int32InputDivision;
  for (const int opset : versions(23)) {
    const auto permitted = [&](const spec::ReadingInfo& reading) {
      return spec::is_permitted(reading, spec::ai_onnx, spec::Operator::quantize_linear, opset);
    };
    EXPECT_TRUE(permitted(Mixed::readings[Mixed::in_wider_type]));
    EXPECT_TRUE(permitted(Int32::readings[Int32::in_float32]));
    EXPECT_TRUE(permitted(Int32::readings[Int32::in_float64]));
    EXPECT_FALSE(permitted(Int32::readings[Int32::exact_quotient]));
    const auto expect = [&](const Tensor& scale, double narrow, double wide) {
      const Node of_float32 = quantize(opset, vector(float32, {100000}), scale);
      const Node of_int32 = quantize(opset, vector(int32, {100000}), scale);
      EXPECT_THAT(interpret(of_float32), gives({narrow}));
      EXPECT_THAT(interpret(of_int32), gives({narrow}));
      EXPECT_THAT(interpret(of_float32, Policy{}.with<Mixed>(Mixed::in_wider_type)), gives({wide}));
      EXPECT_THAT(interpret(of_int32, Policy{}.with<Int32>(Int32::in_float32)), gives({wide}));
    };
    expect(scalar(float16, 1000), 255, 100);  // 100000 is beyond float16
    expect(scalar(bfloat16, 664), 150, 151);  // 100000 / 664 = 150.6, but 99840 / 664 = 150.4 in bfloat16
  }
}

TEST(ReadingsOfDivision, Amb12Int32Scale) {
  using A = spec::Int32Scale;
  for (const int opset : versions(19)) {
    expect_readings<A>(quantize(opset, vector(int32, {7, -7}), scalar(int32, 2), scalar(int8, 0)),
                       {{A::exact_quotient, gives({4, -4})},
                        {A::in_float32, gives({4, -4})},
                        {A::truncating_division, gives({3, -3})},
                        {A::flooring_division, gives({3, -4})}});
    expect_readings<A>(quantize(opset, vector(int32, {-2147483648}), scalar(int32, -1), scalar(int8, 0)),
                       {{A::exact_quotient, gives({127})},
                        {A::in_float32, gives({127})},
                        {A::truncating_division, gives({127})},
                        {A::flooring_division, gives({127})}});
    expect_readings<A>(quantize(opset, vector(int32, {16777217}), scalar(int32, 33554432)),  // 0.50000003
                       {{A::exact_quotient, gives({1})},
                        {A::in_float32, gives({0})},
                        {A::truncating_division, gives({0})},
                        {A::flooring_division, gives({0})}});
  }
  for (const int opset : versions(23))  // computed by hand: the type of the scale decides, whatever the type of x
    expect_readings<A>(quantize(opset, vector(float32, {7.5, -7}), scalar(int32, 2), scalar(int8, 0)),
                       {{A::exact_quotient, gives({4, -4})},
                        {A::in_float32, gives({4, -4})},
                        {A::truncating_division, gives({3, -3})},
                        {A::flooring_division, gives({3, -4})}});
}

TEST(ReadingsOfDivision, Amb13Int32InputFloatScale) {
  using A = spec::Int32InputFloatScale;
  for (const int opset : versions(19, 21))
    expect_readings<A>(quantize(opset, vector(int32, {16777217}), scalar(float32, 33554432)),
                       {{A::invalid, rejected_by("onnx-type-binding")}, {A::accepted, gives({0})}});  // as AMB-11
}

TEST(ReadingsOfDivision, Amb59WhichVersion23) {
  using A = spec::WhichVersion23;
  // The draft does not specify the precision, so the readings of version 21 apply.
  expect_readings<A>(quantize(23, vector(float16, {26}), scalar(float16, s16)),
                     {{A::released, gives({156})}, {A::draft, gives({155})}});
  expect_readings<A>(dequantize(23, vector(uint16, {65535}), scalar(float16, 0.5)),
                     {{A::released, gives({inf})}, {A::draft, gives({32768})}});
  // The draft lacks precision, output_dtype, and scales of another type than the input.
  const Tensor x = vector(float32, {26});
  expect_readings<A>(quantize(23, x, scalar(float32, 4), std::nullopt, {{"precision", type_code(float32)}}),
                     {{A::released, gives({6})}, {A::draft, rejected_by("onnx-known-attributes")}});
  expect_readings<A>(quantize(23, x, scalar(float16, 4)),
                     {{A::released, gives({6})}, {A::draft, rejected_by("onnx-type-binding")}});
  expect_readings<A>(
      dequantize(23, vector(uint8, {3}), scalar(float32, 0.5), std::nullopt, {{"output_dtype", type_code(float16)}}),
      {{A::released, gives({1.5})}, {A::draft, rejected_by("onnx-known-attributes")}});
  for (const int opset : {21, 24}) {
    expect_no_question<A>(quantize(opset, vector(float16, {26}), scalar(float16, 4)), gives({6}));
    expect_no_question<A>(dequantize(opset, vector(uint8, {3}), scalar(float16, 0.5)), gives({1.5}));
  }
  // The draft may divide float32 in float32, as the released text demands, or otherwise.
  expect_readings<A>(quantize(23, vector(float32, {26}), scalar(float32, 4)),
                     {{A::released, gives({6})}, {A::draft, gives({6})}});
  expect_no_question<A>(quantize(23, vector(int32, {26}), scalar(int32, 4)), gives({6}));
  expect_no_question<A>(dequantize(23, vector(uint8, {3}), scalar(float32, 0.5)), gives({1.5}));
}

TEST(ReadingsOfDivision, Amb59DivisionOfTheDraftOf23) {
  using A = spec::DivisionOfTheDraftOf23;
  const Policy draft = Policy{}.with<spec::WhichVersion23>(spec::WhichVersion23::draft);
  // 30.50000005 -> float32 30.5, a tie.
  const Node of_float32 = quantize(23, vector(float32, {2.210510492324829f}), scalar(float32, 0.07247575372457504f));
  expect_readings<A>(of_float32,
                     {{A::in_float32, gives({30})}, {A::in_input_type, gives({30})}, {A::exact_quotient, gives({31})}},
                     draft);
  expect_no_question<A>(of_float32, gives({30}));
  expect_readings<A>(
      quantize(23, vector(float16, {26}), scalar(float16, s16)),  // 155.469 -> float16 155.5
      {{A::in_float32, gives({155})}, {A::in_input_type, gives({156})}, {A::exact_quotient, gives({155})}}, draft);
  // With precision=FLOAT an exact quotient is wrong, because the draft rejects the attribute.
  const Node with_precision = quantize(23, vector(float32, {2.210510492324829f}), scalar(float32, 0.07247575372457504f),
                                       std::nullopt, {{"precision", type_code(float32)}});
  expect_no_question<A>(with_precision, gives({30}));
  EXPECT_THAT(interpret(with_precision, draft.with<A>(A::exact_quotient)), rejected_by("onnx-known-attributes"));
}

// Computed by hand. 2^24 + 2^16 + 1 lies halfway between the float32 numbers 2^24 + 2^16 and 2^24 + 2^16 + 2; the first
// is even. It lies halfway between the bfloat16 numbers 2^24 = 128 * 2^17, which is even, and 129 * 2^17, so that two
// roundings give 2^24. The number itself is nearer to 129 * 2^17.
constexpr double between_bfloat16 = 0x1p24 + 0x1p16 + 1;

TEST(ReadingsOfDivision, Amb71Int32ToBfloat16) {
  using A = spec::Int32ToBfloat16;
  for (const int opset : versions(23)) {
    const Attributes in_bfloat16{{"precision", type_code(bfloat16)}};
    const Tensor x = vector(int32, {between_bfloat16, -between_bfloat16});
    const std::map<A::Reading, OutcomeMatcher> of_input{{A::directly, gives({129, -129})},
                                                        {A::through_float32, gives({128, -128})}};
    expect_readings<A>(quantize(opset, x, scalar(bfloat16, 0x1p17), scalar(int16, 0)), of_input);
    expect_readings<A>(quantize(opset, x, scalar(float32, 0x1p17), scalar(int16, 0), in_bfloat16), of_input);
    expect_readings<A>(quantize(opset, x, scalar(int32, 0x1p17), scalar(int16, 0), in_bfloat16), of_input);
    // 100 * 2^24 / (129 * 2^17) = 99.22, in bfloat16 99, and 100 * 2^24 / 2^24.
    const Tensor scale = scalar(int32, between_bfloat16);
    const std::map<A::Reading, OutcomeMatcher> of_scale{{A::directly, gives({99})}, {A::through_float32, gives({100})}};
    for (const spec::ElementType type : {float32, int32})
      expect_readings<A>(quantize(opset, vector(type, {100 * 0x1p24}), scale, scalar(uint8, 0), in_bfloat16), of_scale);
    // Only int32 operands, and only of a division in bfloat16. In float16 the input is an infinity; in float32 it is
    // 128.5 * 2^17, and its exact quotient is above that.
    expect_no_question<A>(quantize(opset, vector(int32, {between_bfloat16}), scalar(float16, 1)), gives({255}));
    expect_no_question<A>(quantize(opset, vector(int32, {between_bfloat16}), scalar(float32, 0x1p17)), gives({128}));
    expect_no_question<A>(quantize(opset, vector(int32, {between_bfloat16}), scalar(int32, 0x1p17)), gives({129}));
    expect_no_question<A>(quantize(opset, vector(float32, {between_bfloat16 + 1}), scalar(bfloat16, 0x1p17)),
                          gives({129}));
  }
  for (const int opset : versions(24))
    expect_readings<A>(quantize(opset, vector(int32, {between_bfloat16}), scalar(float8e8m0, 0x1p17), std::nullopt,
                                {{"precision", type_code(bfloat16)}}),
                       {{A::directly, gives({129})}, {A::through_float32, gives({128})}});
}

}  // namespace
}  // namespace touchstone::reference::readings_division_test
