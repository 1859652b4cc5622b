// The readings of the ambiguities that concern QuantizeLinear to integers: AMB-01 to 04, 14 to 17, 61 to 63.

#include "reference/testing.h"

namespace touchstone::reference::readings_integers_test {
namespace {

using enum spec::ElementType;

TEST(ReadingsOfIntegers, Amb01NanQuotient) {
  using A = spec::NanToInteger;
  for (const int opset : versions(10)) {
    // The neighbour is unaffected.
    expect_readings<A>(quantize(opset, vector(float32, {nan, 1}), scalar(float32, 1), scalar(int8, 10)),
                       {{A::undefined, gives({open, 11})},
                        {A::minimum, gives({-128, 11})},
                        {A::zero_point, gives({10, 11})},
                        {A::maximum, gives({127, 11})},
                        {A::zero, gives({0, 11})}});
    // The other sources of a NaN: 0/0, Inf/Inf, and a NaN scale.
    expect_readings<A>(quantize(opset, vector(float32, {0, -0.0, 5}), scalar(float32, 0), scalar(uint8, 10)),
                       {{A::undefined, gives({open, open, 255})},
                        {A::minimum, gives({0, 0, 255})},
                        {A::zero_point, gives({10, 10, 255})},
                        {A::maximum, gives({255, 255, 255})},
                        {A::zero, gives({0, 0, 255})}});
    EXPECT_THAT(interpret(quantize(opset, vector(float32, {inf, -inf, 7}), scalar(float32, inf), scalar(uint8, 10))),
                gives({open, open, 10}));
    EXPECT_THAT(interpret(quantize(opset, vector(float32, {1, -1}), scalar(float32, nan))), gives({open, open}));
  }
  for (const int opset : versions(24))
    EXPECT_THAT(interpret(quantize(opset, vector(float32, {1, 0}), scalar(float8e8m0, nan), scalar(int8, 3))),
                gives({open, open}));
}

TEST(ReadingsOfIntegers, Amb02HugeQuotient) {
  using A = spec::HugeQuotient;
  for (const int opset : versions(10)) {
    const Tensor x = vector(float32, {inf, -inf, 3e9, -3e9});
    expect_readings<A>(quantize(opset, x, scalar(float32, 1)), {{A::saturates, gives({255, 0, 255, 0})},
                                                                {A::infinities_undefined, gives({open, open, 255, 0})},
                                                                {A::int32_minimum, gives({0, 0, 0, 0})}});
    expect_readings<A>(quantize(opset, x, scalar(float32, 1), scalar(int8, 0)),
                       {{A::saturates, gives({127, -128, 127, -128})},
                        {A::infinities_undefined, gives({open, open, 127, -128})},
                        {A::int32_minimum, gives({-128, -128, -128, -128})}});
    // IEEE 754 divides by infinity; the page does not mention infinite operands.
    expect_readings<A>(quantize(opset, vector(float32, {5, 0, -5}), scalar(float32, inf), scalar(uint8, 10)),
                       {{A::saturates, gives({10, 10, 10})},
                        {A::infinities_undefined, gives({open, open, open})},
                        {A::int32_minimum, gives({10, 10, 10})}});
  }
}

/// Under that reading, infinite operands and a scale of 0 leave the quotient open; an overflow does not.
TEST(ReadingsOfIntegers, Amb02QuotientsOfFiniteNumbersSaturateAlways) {
  using A = spec::HugeQuotient;
  const Policy undefined = Policy{}.with<A>(A::infinities_undefined);
  for (const int opset : versions(10)) {
    const Tensor x = vector(float32, {1e30f, -1e30f, 0x1.fffffep127, inf});
    EXPECT_THAT(interpret(quantize(opset, x, scalar(float32, 1e-30f)), undefined), gives({255, 0, 255, open}));
    EXPECT_THAT(interpret(quantize(opset, x, scalar(float32, 0)), undefined), gives({open, open, open, open}));
    EXPECT_THAT(interpret(quantize(opset, vector(float32, {1e30f, -1e30f}), scalar(float32, 1e-30f), scalar(int8, 5)),
                          undefined),
                gives({127, -128}));
  }
  for (const int opset : versions(23)) {
    const Tensor tiny = scalar(float16, 0x1p-24);
    EXPECT_THAT(interpret(quantize(opset, vector(float16, {65504, -1}), tiny), undefined), gives({255, 0}));
    // 100000 is an infinity in float16, but a finite operand.
    EXPECT_THAT(interpret(quantize(opset, vector(int32, {100000}), scalar(float16, 1)), undefined), gives({255}));
  }
}

TEST(ReadingsOfIntegers, Amb03ScaleDomain) {
  using A = spec::ScaleDomain;
  for (const int opset : versions(10)) {
    const auto node = [&](const Numbers& x, double scale) {
      return quantize(opset, vector(float32, x), scalar(float32, scale), scalar(uint8, 3));
    };
    const auto expect_out_of_contract = [&](const Node& example, const NumbersOrOpen& ieee) {
      expect_readings<A>(example, {{A::ieee_division, gives(ieee)},
                                   {A::zero_or_non_finite_invalid, rejected_by("ql-formula")},
                                   {A::non_positive_invalid, rejected_by("ql-formula")}});
    };
    expect_out_of_contract(node({5, -5, 0}, 0), {255, 0, open});
    expect_out_of_contract(node({5, -5, 0}, -0.0), {0, 255, open});
    expect_out_of_contract(node({5, -5, inf}, inf), {3, 3, open});
    expect_out_of_contract(node({5, -5, inf}, -inf), {3, 3, open});
    expect_out_of_contract(node({5}, nan), {open});

    const auto expect_in_contract = [&](const Node& example, const NumbersOrOpen& ieee) {
      expect_readings<A>(example, {{A::ieee_division, gives(ieee)},
                                   {A::zero_or_non_finite_invalid, gives(ieee)},
                                   {A::non_positive_invalid, rejected_by("ql-formula")}});
    };
    expect_in_contract(node({-300}, -2), {153});
    expect_in_contract(node({1, -1, 0}, 0x1p-149), {255, 0, 3});  // 1e-45: 1 / 1e-45 overflows to infinity
    // One out-of-contract scale among others.
    if (opset < 13) continue;
    expect_out_of_contract(quantize(opset, tensor(float32, {1, 2}, {4, 4}), vector(float32, {2, 0})), {2, 255});
  }
  EXPECT_FALSE(interpret(quantize(10, scalar(float32, 1), scalar(float32, 0x1p-126)))
                   .consulted.test(spec::ambiguity_index<A>));  // positive, finite and normal: an ordinary scale
}

TEST(ReadingsOfIntegers, Amb04RoundingOrder) {
  using A = spec::RoundingOrder;
  for (const int opset : versions(10)) {
    expect_readings<A>(quantize(opset, vector(float32, {0.5, 1.5}), scalar(float32, 1), scalar(uint8, 1)),
                       {{A::round_add_saturate, gives({1, 3})},
                        {A::add_round_saturate, gives({2, 2})},
                        {A::round_saturate_add, gives({1, 3})}});
    expect_readings<A>(quantize(opset, vector(float32, {300}), scalar(float32, 1), scalar(uint8, 10)),
                       {{A::round_add_saturate, gives({255})},
                        {A::add_round_saturate, gives({255})},
                        {A::round_saturate_add, gives({9})}});
  }
}

TEST(ReadingsOfIntegers, Amb14ZeroPointAddition) {
  using A = spec::ZeroPointAddition;
  for (const int opset : versions(23)) {  // in float16, 30002 lies between 30000 and 30016
    expect_readings<A>(
        quantize(opset, vector(float16, {1}), scalar(float16, 1), scalar(uint16, 30001)),
        {{A::exact, gives({30002})}, {A::in_division_type, gives({30000})}, {A::wrapping_int32, gives({30002})}});
    // The zero point 30003 becomes 30000, and 30008 lies halfway between 30000 and 30016, whose code is even.
    expect_readings<A>(
        quantize(opset, vector(float16, {8}), scalar(float16, 1), scalar(uint16, 30003)),
        {{A::exact, gives({30011})}, {A::in_division_type, gives({30016})}, {A::wrapping_int32, gives({30011})}});
    // The zero point 65535 becomes an infinity.
    expect_readings<A>(
        quantize(opset, vector(float16, {-8}), scalar(float16, 1), scalar(uint16, 65535)),
        {{A::exact, gives({65527})}, {A::in_division_type, gives({65535})}, {A::wrapping_int32, gives({65527})}});
  }
  for (const int opset : versions(10))
    expect_readings<A>(
        quantize(opset, vector(float32, {2147483520}), scalar(float32, 1), scalar(uint8, 200)),
        {{A::exact, gives({255})}, {A::in_division_type, gives({255})}, {A::wrapping_int32, gives({0})}});
  for (const int opset : versions(10)) {
    if (opset == 19 || opset == 21) continue;  // AMB-13 excludes such a node there
    expect_readings<A>(
        quantize(opset, vector(int32, {2147483647}), scalar(float32, 1), scalar(int8, 127)),
        {{A::exact, gives({127})}, {A::in_division_type, gives({127})}, {A::wrapping_int32, gives({-128})}});
  }
}

TEST(ReadingsOfIntegers, Amb15Float16QuotientOverflow) {
  using A = spec::Float16QuotientOverflow;
  const auto node = [](int opset) {
    return quantize(opset, vector(float16, {65504, -65504}), scalar(float16, 0.5), scalar(uint16, 0));
  };
  // Not saturated: -2^31, of which the low 16 bits are 0.
  const std::map<A::Reading, OutcomeMatcher> expected{{A::saturates, gives({65535, 0})},
                                                      {A::not_saturated, gives({0, 0})}};
  for (const int opset : versions(23)) expect_readings<A>(node(opset), expected);
  using Division = spec::SameFloatDivisionBefore23;
  expect_readings<A>(node(21), expected, Policy{}.with<Division>(Division::in_input_type));
  EXPECT_THAT(interpret(node(21)), gives({65535, 0}));
}

TEST(ReadingsOfIntegers, Amb16Subnormals) {
  using A = spec::Subnormals;
  for (const int opset : versions(10)) {
    const Numbers tiny{1e-40f, -1e-40f, 1e-39f};
    expect_readings<A>(quantize(opset, vector(float32, tiny), scalar(float32, 1e-40f), scalar(int8, 0)),
                       {{A::gradual_underflow, gives({1, -1, 10})},
                        {A::flushes_wide_types, gives({open, open, open})},
                        {A::flushes_float32_and_bfloat16, gives({open, open, open})},
                        {A::flushes_wide_results, gives({1, -1, 10})},
                        {A::flushes_wide_operands, gives({open, open, open})},
                        {A::flushes_float16_too, gives({open, open, open})},
                        {A::flushes_results, gives({1, -1, 10})},
                        {A::flushes_float16_only, gives({1, -1, 10})},
                        {A::flushes_all_types, gives({open, open, open})}});
    const double s = 1e-40f;
    expect_readings<A>(dequantize(opset, vector(int8, {1, 2, 127}), scalar(float32, s)),
                       {{A::gradual_underflow, gives({s, 2 * s, 127 * s})},
                        {A::flushes_wide_types, gives({0, 0, 0})},
                        {A::flushes_float32_and_bfloat16, gives({0, 0, 0})},
                        {A::flushes_wide_results, gives({0, 0, 127 * s})},
                        {A::flushes_wide_operands, gives({0, 0, 0})},
                        {A::flushes_float16_too, gives({0, 0, 0})},
                        {A::flushes_results, gives({0, 0, 127 * s})},
                        {A::flushes_float16_only, gives({s, 2 * s, 127 * s})},
                        {A::flushes_all_types, gives({0, 0, 0})}});
  }
  for (const int opset : versions(24))  // 2^-127, the smallest power of float8e8m0, is subnormal in float32
    expect_readings<A>(dequantize(opset, vector(int8, {1}), coded(float8e8m0, {}, {0}), std::nullopt,
                                  {{"output_dtype", type_code(float32)}}),
                       {{A::gradual_underflow, gives({0x1p-127})},
                        {A::flushes_wide_types, gives({0})},
                        {A::flushes_float32_and_bfloat16, gives({0})},
                        {A::flushes_wide_results, gives({0})},
                        {A::flushes_wide_operands, gives({0})},
                        {A::flushes_float16_too, gives({0})},
                        {A::flushes_results, gives({0})},
                        {A::flushes_float16_only, gives({0x1p-127})},
                        {A::flushes_all_types, gives({0})}});
}

/// 2^-9 * 2^-120 is subnormal in float32, but its factors are not.
TEST(ReadingsOfIntegers, Amb16SubnormalResultOfNormalOperands) {
  using A = spec::Subnormals;
  for (const int opset : versions(19))
    expect_readings<A>(dequantize(opset, coded(float8e4m3fn, {1}, {0x01}), scalar(float32, 0x1p-120)),
                       {{A::gradual_underflow, gives({0x1p-129})},
                        {A::flushes_wide_types, gives({0})},
                        {A::flushes_float32_and_bfloat16, gives({0})},
                        {A::flushes_wide_results, gives({0})},
                        {A::flushes_wide_operands, gives({0x1p-129})},
                        {A::flushes_float16_too, gives({0})},
                        {A::flushes_results, gives({0})},
                        {A::flushes_float16_only, gives({0x1p-129})},
                        {A::flushes_all_types, gives({0})}});
}

/// A float8e8m0 scale of 2^-127 is neither a subnormal number of its type nor a result. It may become 0 only if it is
/// first converted to a float32 operand. 200 * 2^-127 is a normal number.
TEST(ReadingsOfIntegers, Amb16ScaleOfCode0) {
  using A = spec::Subnormals;
  for (const int opset : versions(24))
    for (const spec::ElementType y : {float32, bfloat16}) {
      const Attributes output{{"output_dtype", type_code(y)}};
      expect_readings<A>(dequantize(opset, vector(uint8, {200}), coded(float8e8m0, {}, {0}), std::nullopt, output),
                         {{A::gradual_underflow, gives({200 * 0x1p-127})},
                          {A::flushes_wide_types, gives({0})},
                          {A::flushes_float32_and_bfloat16, gives({200 * 0x1p-127})},
                          {A::flushes_wide_results, gives({200 * 0x1p-127})},
                          {A::flushes_wide_operands, gives({0})},
                          {A::flushes_float16_too, gives({0})},
                          {A::flushes_results, gives({200 * 0x1p-127})},
                          {A::flushes_float16_only, gives({200 * 0x1p-127})},
                          {A::flushes_all_types, gives({0})}});
      // A float32 scale of 2^-130 is a subnormal operand, but the product is not subnormal.
      expect_readings<A>(dequantize(opset, vector(uint8, {128}), scalar(float32, 0x1p-130), std::nullopt, output),
                         {{A::gradual_underflow, gives({0x1p-123})},
                          {A::flushes_wide_types, gives({0})},
                          {A::flushes_float32_and_bfloat16, gives({0})},
                          {A::flushes_wide_results, gives({0x1p-123})},
                          {A::flushes_wide_operands, gives({0})},
                          {A::flushes_float16_too, gives({0})},
                          {A::flushes_results, gives({0x1p-123})},
                          {A::flushes_float16_only, gives({0x1p-123})},
                          {A::flushes_all_types, gives({0})}});
    }
}

/// 2^-126 / 2^-127 = 2, and -2^-125 / 2^-127 = -4: only the scale is subnormal once it is a float32 number. A backend
/// that takes it for zero divides by zero, whether it keeps results (DAZ alone) or not.
TEST(ReadingsOfIntegers, Amb16ScaleOfCode0AsADivisor) {
  using A = spec::Subnormals;
  for (const int opset : versions(24)) {
    const Attributes precision{{"precision", type_code(float32)}};
    const Tensor x = vector(float32, {0x1p-126, -0x1p-125});
    expect_readings<A>(quantize(opset, x, coded(float8e8m0, {}, {0}), scalar(int8, 0), precision),
                       {{A::gradual_underflow, gives({2, -4})},
                        {A::flushes_wide_types, gives({127, -128})},
                        {A::flushes_float32_and_bfloat16, gives({2, -4})},
                        {A::flushes_wide_results, gives({2, -4})},
                        {A::flushes_wide_operands, gives({127, -128})},
                        {A::flushes_float16_too, gives({127, -128})},
                        {A::flushes_results, gives({2, -4})},
                        {A::flushes_float16_only, gives({2, -4})},
                        {A::flushes_all_types, gives({127, -128})}});
  }
}

TEST(ReadingsOfIntegers, Amb16SubnormalsOfSmallTypesAreData) {
  using A = spec::Subnormals;
  for (const int opset : versions(19)) {
    expect_readings<A>(quantize(opset, vector(float16, {0x1p-24}), scalar(float16, 0x1p-24)),
                       {{A::gradual_underflow, gives({1})},
                        {A::flushes_wide_types, gives({1})},
                        {A::flushes_float32_and_bfloat16, gives({1})},
                        {A::flushes_wide_results, gives({1})},
                        {A::flushes_wide_operands, gives({1})},
                        {A::flushes_float16_too, gives({open})},
                        {A::flushes_results, gives({1})},
                        {A::flushes_float16_only, gives({open})},
                        {A::flushes_all_types, gives({open})}});
    expect_readings<A>(dequantize(opset, coded(float8e4m3fn, {1}, {0x01}), scalar(float32, 1)),
                       {{A::gradual_underflow, gives({0x1p-9})},
                        {A::flushes_wide_types, gives({0x1p-9})},
                        {A::flushes_float32_and_bfloat16, gives({0x1p-9})},
                        {A::flushes_wide_results, gives({0x1p-9})},
                        {A::flushes_wide_operands, gives({0x1p-9})},
                        {A::flushes_float16_too, gives({0x1p-9})},
                        {A::flushes_results, gives({0x1p-9})},
                        {A::flushes_float16_only, gives({0x1p-9})},
                        {A::flushes_all_types, gives({0})}});
    expect_readings<A>(quantize(opset, vector(float32, {0x1p-9}), scalar(float32, 1), scalar(float8e4m3fn, 0)),
                       {{A::gradual_underflow, gives({0x1p-9})},
                        {A::flushes_wide_types, gives({0x1p-9})},
                        {A::flushes_float32_and_bfloat16, gives({0x1p-9})},
                        {A::flushes_wide_results, gives({0x1p-9})},
                        {A::flushes_wide_operands, gives({0x1p-9})},
                        {A::flushes_float16_too, gives({0x1p-9})},
                        {A::flushes_results, gives({0x1p-9})},
                        {A::flushes_float16_only, gives({0x1p-9})},
                        {A::flushes_all_types, gives({0})}});
    expect_readings<A>(quantize(opset, vector(float32, {-0x1p-10}), scalar(float32, 1), scalar(float8e4m3fnuz, 0)),
                       {{A::gradual_underflow, gives({-0x1p-10})},
                        {A::flushes_wide_types, gives({-0x1p-10})},
                        {A::flushes_float32_and_bfloat16, gives({-0x1p-10})},
                        {A::flushes_wide_results, gives({-0x1p-10})},
                        {A::flushes_wide_operands, gives({-0x1p-10})},
                        {A::flushes_float16_too, gives({-0x1p-10})},
                        {A::flushes_results, gives({-0x1p-10})},
                        {A::flushes_float16_only, gives({-0x1p-10})},
                        {A::flushes_all_types, gives({0})}});  // the type has no negative zero
  }
}

// An operation in float16 may flush its converted operands and its result, even if x and y have other types.
TEST(ReadingsOfIntegers, Amb16SubnormalsInsideAnOperation) {
  using A = spec::Subnormals;
  // 2^-14 / 2 = 2^-15 is subnormal in float16, and one of the subnormal numbers of float8e5m2.
  const std::map<A::Reading, OutcomeMatcher> quotient{{A::gradual_underflow, gives({0x1p-15})},
                                                      {A::flushes_wide_types, gives({0x1p-15})},
                                                      {A::flushes_wide_results, gives({0x1p-15})},
                                                      {A::flushes_float32_and_bfloat16, gives({0x1p-15})},
                                                      {A::flushes_wide_operands, gives({0x1p-15})},
                                                      {A::flushes_float16_too, gives({0})},
                                                      {A::flushes_results, gives({0})},
                                                      {A::flushes_float16_only, gives({0})},
                                                      {A::flushes_all_types, gives({0})}};
  using Division = spec::SameFloatDivisionBefore23;
  const auto division = [](int opset) {
    return quantize(opset, vector(float16, {0x1p-14}), scalar(float16, 2), scalar(float8e5m2, 0));
  };
  for (const int opset : versions(23)) expect_readings<A>(division(opset), quotient);
  expect_readings<A>(division(21), quotient, Policy{}.with<Division>(Division::in_input_type));
  for (const int opset : versions(23)) {
    // The type of the scale is that of the division: 2^-20 becomes a subnormal float16 number, 2^-20 / 2^-14 = 2^-6.
    expect_readings<A>(quantize(opset, vector(float32, {0x1p-20}), scalar(float16, 0x1p-14), scalar(float8e5m2, 0)),
                       {{A::gradual_underflow, gives({0x1p-6})},
                        {A::flushes_wide_types, gives({0x1p-6})},
                        {A::flushes_float32_and_bfloat16, gives({0x1p-6})},
                        {A::flushes_wide_results, gives({0x1p-6})},
                        {A::flushes_wide_operands, gives({0x1p-6})},
                        {A::flushes_float16_too, gives({0})},
                        {A::flushes_results, gives({0x1p-6})},
                        {A::flushes_float16_only, gives({0})},
                        {A::flushes_all_types, gives({0})}});
    // The output type is that of the multiplication: 128 * 2^-20 = 2^-13 is a normal number.
    expect_readings<A>(dequantize(opset, vector(uint8, {128}), scalar(float32, 0x1p-20), std::nullopt,
                                  {{"output_dtype", type_code(float16)}}),
                       {{A::gradual_underflow, gives({0x1p-13})},
                        {A::flushes_wide_types, gives({0x1p-13})},
                        {A::flushes_float32_and_bfloat16, gives({0x1p-13})},
                        {A::flushes_wide_results, gives({0x1p-13})},
                        {A::flushes_wide_operands, gives({0x1p-13})},
                        {A::flushes_float16_too, gives({0})},
                        {A::flushes_results, gives({0x1p-13})},
                        {A::flushes_float16_only, gives({0})},
                        {A::flushes_all_types, gives({0})}});
  }
  // The sum of 2^-15 and the zero point 2^-16, both subnormal in float8e5m2, is 3 * 2^-16.
  const double sum = 3 * 0x1p-16;
  for (const int opset : versions(23))
    expect_readings<A>(quantize(opset, vector(float16, {0x1p-14}), scalar(float16, 2), scalar(float8e5m2, 0x1p-16)),
                       {{A::gradual_underflow, gives({sum})},
                        {A::flushes_wide_types, gives({sum})},
                        {A::flushes_float32_and_bfloat16, gives({sum})},
                        {A::flushes_wide_results, gives({sum})},
                        {A::flushes_wide_operands, gives({sum})},
                        {A::flushes_float16_too, gives({0})},
                        {A::flushes_results, gives({0})},
                        {A::flushes_float16_only, gives({0})},
                        {A::flushes_all_types, gives({0})}},
                       Policy{}.with<spec::FloatZeroPointSum>(spec::FloatZeroPointSum::in_division_type));
}

TEST(ReadingsOfIntegers, Amb16SubnormalFloat16Results) {
  using A = spec::Subnormals;
  for (const int opset : versions(19)) {
    expect_readings<A>(dequantize(opset, vector(uint8, {1, 128}), scalar(float16, 0x1p-20)),
                       {{A::gradual_underflow, gives({0x1p-20, 0x1p-13})},
                        {A::flushes_wide_types, gives({0x1p-20, 0x1p-13})},
                        {A::flushes_float32_and_bfloat16, gives({0x1p-20, 0x1p-13})},
                        {A::flushes_wide_results, gives({0x1p-20, 0x1p-13})},
                        {A::flushes_wide_operands, gives({0x1p-20, 0x1p-13})},
                        {A::flushes_float16_too, gives({0, 0})},
                        {A::flushes_results, gives({0, 0x1p-13})},
                        {A::flushes_float16_only, gives({0, 0})},
                        {A::flushes_all_types, gives({0, 0})}});
  }
}

TEST(ReadingsOfIntegers, Amb17OutputTypeSelection) {
  using A = spec::OutputTypeSelection;
  for (const int opset : versions(21)) {
    const auto node = [&](std::optional<Tensor> zero_point, std::int64_t output_dtype) {
      return quantize(opset, vector(float32, {-7, 3}), scalar(float32, 1), std::move(zero_point),
                      {{"output_dtype", output_dtype}});
    };
    const auto of = [](spec::ElementType type, const NumbersOrOpen& numbers) -> OutcomeMatcher {
      return ::testing::AllOf(gives_type(type, {2}), gives(numbers));
    };
    expect_readings<A>(node(std::nullopt, type_code(int8)), {{A::zero_point_then_attribute, of(int8, {-7, 3})},
                                                             {A::attribute_overrides, of(int8, {-7, 3})},
                                                             {A::uint8_without_zero_point, of(uint8, {0, 3})}});
    expect_readings<A>(node(scalar(uint8, 2), type_code(int8)),
                       {{A::zero_point_then_attribute, rejected_by("ql-output-dtype-agrees")},
                        {A::attribute_overrides, of(int8, {-5, 5})},
                        {A::uint8_without_zero_point, rejected_by("ql-output-dtype-agrees")}});
    // Without a contradiction, the readings agree.
    expect_no_question<A>(node(scalar(int8, 2), type_code(int8)), of(int8, {-5, 5}));
    expect_no_question<A>(node(std::nullopt, type_code(uint8)), of(uint8, {0, 3}));
    expect_no_question<A>(node(std::nullopt, 0), of(uint8, {0, 3}));  // as if the attribute were absent
    expect_no_question<A>(node(scalar(float8e5m2, 0), type_code(int8)), rejected_by("ql-output-dtype-agrees"));
  }
}

// Two readings combined: a NaN that becomes the zero point, and a zero point outside the range of the output type.
TEST(ReadingsOfIntegers, Amb01And17AZeroPointOutOfRangeSaturates) {
  using Nan = spec::NanToInteger;
  using Output = spec::OutputTypeSelection;
  const Policy policy = Policy{}.with<Nan>(Nan::zero_point).with<Output>(Output::attribute_overrides);
  for (const int opset : versions(21))
    for (const auto& [zero_point, y] : std::map<double, double>{{300, 255}, {-5, 0}, {7, 7}})
      EXPECT_THAT(interpret(quantize(opset, vector(float32, {nan}), scalar(float32, 1), scalar(int16, zero_point),
                                     {{"output_dtype", type_code(uint8)}}),
                            policy),
                  gives({y}));
}

TEST(ReadingsOfIntegers, Amb61Ties) {
  using A = spec::Ties;
  for (const int opset : versions(10))
    expect_readings<A>(
        quantize(opset, vector(float32, {0.5, 1.5, 2.5, -0.5, -1.5}), scalar(float32, 1), scalar(int8, 0)),
        {{A::to_even, gives({0, 2, 2, 0, -2})},
         {A::away_from_zero, gives({1, 2, 3, -1, -2})},
         {A::upwards, gives({1, 2, 3, 0, -1})}});
}

TEST(ReadingsOfIntegers, Amb62DefaultZeroPoint) {
  using A = spec::DefaultZeroPoint;
  for (const int opset : versions(10)) {
    expect_readings<A>(dequantize(opset, vector(uint8, {200}), scalar(float32, 1)),
                       {{A::zero, gives({200})}, {A::midpoint, gives({72})}});
    expect_readings<A>(quantize(opset, vector(float32, {5}), scalar(float32, 1)),
                       {{A::zero, gives({5})}, {A::midpoint, gives({133})}});
  }
}

TEST(ReadingsOfIntegers, Amb63Int8Range) {
  using A = spec::Int8Range;
  for (const int opset : versions(10, 19))
    expect_readings<A>(quantize(opset, vector(float32, {-128, -200, 127, 200}), scalar(float32, 1), scalar(int8, 0)),
                       {{A::full, gives({-128, -128, 127, 127})}, {A::symmetric, gives({-127, -127, 127, 127})}});
}

}  // namespace
}  // namespace touchstone::reference::readings_integers_test
