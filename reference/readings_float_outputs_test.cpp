// The readings of the ambiguities that concern QuantizeLinear to float8, float6 and float4: AMB-18 to 27, 64 to 67, 69,
// 70.

#include "reference/testing.h"

namespace touchstone::reference::readings_float_outputs_test {
namespace {

using enum spec::ElementType;

const std::vector<spec::ElementType> float8_types{float8e4m3fn, float8e4m3fnuz, float8e5m2, float8e5m2fnuz};
const std::vector<spec::ElementType> float6_types{float6e2m3, float6e3m2};

/// Quantizes with a scale of 1.
Node quantize_to(spec::ElementType type, int opset, const Numbers& x, Attributes attributes = {}) {
  return quantize(opset, vector(float32, x), scalar(float32, 1), scalar(type, 0), std::move(attributes));
}

TEST(ReadingsOfFloatOutputs, Amb18Rounding) {
  using A = spec::FloatOutputRounding;
  for (const int opset : versions(19))
    expect_readings<A>(quantize(opset, vector(float32, {1}), scalar(float32, 2), scalar(float8e4m3fn, 0)),
                       {{A::only_to_output_type, gives({0.5})}, {A::to_integer_first, gives({0})}});
}

TEST(ReadingsOfFloatOutputs, Amb19InfinityToFnuz) {
  using A = spec::InfinityToFnuz;
  const auto expect = [](int opset, spec::ElementType type, double largest, bool table_says_nan) {
    expect_readings<A>(
        quantize_to(type, opset, {inf, -inf, 1}),
        {{A::by_the_table_of_the_version, table_says_nan ? gives({nan, nan, 1}) : gives({largest, -largest, 1})},
         {A::always_nan, gives({nan, nan, 1})},
         {A::always_maximum, gives({largest, -largest, 1})}});
  };
  for (const int opset : versions(19)) {
    expect(opset, float8e4m3fnuz, 240, opset < 24);
    expect(opset, float8e5m2fnuz, 57344, opset < 24);
    // Without saturate there is no ambiguity.
    EXPECT_THAT(interpret(quantize_to(float8e4m3fnuz, opset, {inf, -inf}, {{"saturate", 0}})),
                gives_codes({0x80, 0x80}));
  }
}

TEST(ReadingsOfFloatOutputs, Amb20OverflowTest) {
  using A = spec::Float8OverflowTest;
  for (const int opset : versions(19)) {
    expect_readings<A>(quantize_to(float8e4m3fn, opset, {460, -460}, {{"saturate", 0}}),
                       {{A::after_rounding, gives({448, -448})}, {A::before_rounding, gives({nan, nan})}});
    for (const A::Reading reading : {A::after_rounding, A::before_rounding}) {
      const Policy policy = Policy{}.with<A>(reading);
      EXPECT_THAT(interpret(quantize_to(float8e4m3fn, opset, {448, 460, 465}), policy), gives({448, 448, 448}));
      EXPECT_THAT(interpret(quantize_to(float8e4m3fn, opset, {448, 465}, {{"saturate", 0}}), policy),
                  gives({448, nan}));
    }
  }
}

// Matchers compare NaN without its code, so these readings differ here only if they give no NaN.
TEST(ReadingsOfFloatOutputs, Amb21NanSign) {
  using A = spec::Float8NanSign;
  for (const int opset : versions(19))
    expect_readings<A>(quantize_to(float8e5m2, opset, {1e30f, -70000}, {{"saturate", 0}}),
                       {{A::any_nan, gives_codes({0x7C, 0xFC})},
                        {A::positive_nan, gives_codes({0x7C, 0xFC})},
                        {A::signed_nan, gives_codes({0x7C, 0xFC})},
                        {A::nan_instead_of_infinity, gives({nan, nan})}});
}

TEST(ReadingsOfFloatOutputs, Amb22Float8ZeroPoint) {
  using A = spec::Float8ZeroPointQuantize;
  for (const int opset : versions(19))
    for (const spec::ElementType type : float8_types)
      expect_readings<A>(quantize(opset, counting(float32, {4}), scalar(float32, 1), scalar(type, 1)),
                         {{A::added, gives({1, 2, 3, 4})},
                          {A::ignored, gives({0, 1, 2, 3})},
                          {A::invalid, rejected_by("ql-float-zero-point")}});
}

TEST(ReadingsOfFloatOutputs, Amb23NegativeZeroWithZeroPoint) {
  using A = spec::NegativeZeroWithZeroPoint;
  const auto expect = [](spec::ElementType type, int first, double kept) {
    for (const int opset : versions(first)) {
      expect_readings<A>(quantize_to(type, opset, {-0.0}),
                         {{A::positive_zero, gives({0})}, {A::negative_zero, gives({kept})}});
      if (opset < 21) continue;
      // Without a zero point there is no ambiguity.
      EXPECT_THAT(interpret(quantize(opset, vector(float32, {-0.0}), scalar(float32, 1), std::nullopt,
                                     {{"output_dtype", type_code(type)}})),
                  gives({kept}));
    }
  };
  expect(float8e4m3fn, 19, -0.0);
  expect(float8e5m2, 19, -0.0);
  expect(float8e4m3fnuz, 19, 0);
  expect(float8e5m2fnuz, 19, 0);
  expect(float4e2m1, 23, -0.0);
}

TEST(ReadingsOfFloatOutputs, Amb24NanToFloat4) {
  using A = spec::NanToFloat4;
  for (const int opset : versions(23))
    expect_readings<A>(quantize_to(float4e2m1, opset, {nan, 1, inf, -inf}),
                       {{A::maximum, gives({6, 1, 6, -6})},
                        {A::negative_zero, gives({-0.0, 1, 6, -6})},
                        {A::undefined, gives({open, 1, 6, -6})}});
}

TEST(ReadingsOfFloatOutputs, Amb25DoubleRounding) {
  using A = spec::DoubleRoundingToFloat8;
  const auto node = [](int opset) {  // 53.9935, and in float16 54, halfway between 52 and 56
    return quantize(opset, vector(float16, {40.46875}), scalar(float16, 0.74951171875), scalar(float8e4m3fn, 0));
  };
  const std::map<A::Reading, OutcomeMatcher> expected{{A::through_division_type, gives_codes({0x66})},
                                                      {A::through_float32, gives_codes({0x65})}};
  for (const int opset : versions(23)) expect_readings<A>(node(opset), expected);
  using Division = spec::SameFloatDivisionBefore23;
  for (const int opset : versions(19, 21)) {
    EXPECT_THAT(interpret(node(opset)), gives({52}));
    expect_readings<A>(node(opset), expected, Policy{}.with<Division>(Division::in_input_type));
  }
}

TEST(ReadingsOfFloatOutputs, Amb25QuotientsOfInt32) {
  using A = spec::DoubleRoundingToFloat8;
  const Tensor x = vector(int32, {37748735, -37748735});
  const Tensor zero = scalar(float8e5m2, 0);
  // 37748735 / 33554431 = 1.1250000037, which is 1.125 in float32, halfway between 1 and 1.25.
  const std::map<A::Reading, OutcomeMatcher> expected{{A::through_division_type, gives_codes({0x3d, 0xbd})},
                                                      {A::through_float32, gives_codes({0x3c, 0xbc})}};
  for (const int opset : versions(19)) expect_readings<A>(quantize(opset, x, scalar(int32, 33554431), zero), expected);
  // 46137343 / 33554432 = 1.3749999702, which is 1.375 in float32, halfway between 1.25 and 1.5.
  using Division = spec::Int32InputDivision;
  for (const int opset : versions(23))
    expect_readings<A>(quantize(opset, vector(int32, {46137343}), scalar(float32, 33554432), zero),
                       {{A::through_division_type, gives_codes({0x3d})}, {A::through_float32, gives_codes({0x3e})}},
                       Policy{}.with<Division>(Division::in_float64));
}

TEST(ReadingsOfFloatOutputs, Amb26Float4ZeroPoint) {
  using A = spec::Float4ZeroPointQuantize;
  for (const int opset : versions(23))
    expect_readings<A>(quantize(opset, counting(float32, {4}), scalar(float32, 1), scalar(float4e2m1, 1)),
                       {{A::added, gives({1, 2, 3, 4})},
                        {A::ignored, gives({0, 1, 2, 3})},
                        {A::invalid, rejected_by("ql-float-zero-point")}});
}

TEST(ReadingsOfFloatOutputs, Amb27SaturateValues) {
  using A = spec::SaturateValues;
  for (const int opset : versions(19)) {
    for (const int saturate : {2, -1})
      expect_readings<A>(quantize_to(float8e4m3fn, opset, {1000}, {{"saturate", saturate}}),
                         {{A::nonzero_saturates, gives({448})},
                          {A::only_one_saturates, gives({nan})},
                          {A::other_values_invalid, rejected_by("ql-saturate-default")},
                          {A::touches_other_types, gives({448})}});
    expect_readings<A>(quantize_to(uint8, opset, {300, 5}, {{"saturate", 0}}),  // 300 - 256
                       {{A::nonzero_saturates, gives({255, 5})},
                        {A::only_one_saturates, gives({255, 5})},
                        {A::other_values_invalid, gives({255, 5})},
                        {A::touches_other_types, gives({44, 5})}});
  }
}

TEST(ReadingsOfFloatOutputs, Amb64NanToFloat6) {
  using A = spec::NanToFloat6;
  for (const int opset : versions(28)) {
    expect_readings<A>(
        quantize_to(float6e2m3, opset, {nan, 1}),
        {{A::undefined, gives({open, 1})}, {A::maximum, gives({7.5, 1})}, {A::negative_zero, gives({-0.0, 1})}});
    expect_readings<A>(
        quantize_to(float6e3m2, opset, {nan, 1}),
        {{A::undefined, gives({open, 1})}, {A::maximum, gives({28, 1})}, {A::negative_zero, gives({-0.0, 1})}});
  }
}

TEST(ReadingsOfFloatOutputs, Amb65Float6ZeroPoint) {
  using A = spec::Float6ZeroPointQuantize;
  for (const int opset : versions(28))
    for (const spec::ElementType type : float6_types)
      expect_readings<A>(
          quantize(opset, counting(float32, {2}), scalar(float32, 1), scalar(type, 1)),
          {{A::added, gives({1, 2})}, {A::ignored, gives({0, 1})}, {A::invalid, rejected_by("ql-float-zero-point")}});
}

template <class A>
void expect_rejected_without_elements(int opset, spec::ElementType type) {
  expect_readings<A>(quantize(opset, vector(float32, {}), scalar(float32, 1), scalar(type, 1)),
                     {{A::added, gives_type(type, {0})},
                      {A::ignored, gives_type(type, {0})},
                      {A::invalid, rejected_by("ql-float-zero-point")}});
}

// A reading that makes a zero point invalid applies even if x has no element for it.
TEST(ReadingsOfFloatOutputs, Amb22And26And65ZeroPointsThatNoElementMeets) {
  for (const int opset : versions(19))
    expect_rejected_without_elements<spec::Float8ZeroPointQuantize>(opset, float8e5m2);
  for (const int opset : versions(23))
    expect_rejected_without_elements<spec::Float4ZeroPointQuantize>(opset, float4e2m1);
  for (const int opset : versions(28))
    expect_rejected_without_elements<spec::Float6ZeroPointQuantize>(opset, float6e3m2);
}

TEST(ReadingsOfFloatOutputs, Amb66OverflowFrom28) {
  using A = spec::OverflowToFloat6;
  const auto expect = [](int opset, spec::ElementType type, double largest) {
    const Numbers x{1e30f, -1e30f, inf, -inf, 1};
    expect_readings<A>(quantize_to(type, opset, x, {{"saturate", 0}}),
                       {{A::saturates, gives({largest, -largest, largest, -largest, 1})},
                        {A::saturate_honoured, gives({0, -0.0, 0, -0.0, 1})}});
    EXPECT_THAT(interpret(quantize_to(type, opset, x)), gives({largest, -largest, largest, -largest, 1}));
  };
  for (const int opset : versions(28)) {
    expect(opset, float6e2m3, 7.5);
    expect(opset, float6e3m2, 28);
    expect(opset, float4e2m1, 6);
  }
}

TEST(ReadingsOfFloatOutputs, Amb67NegativeZeroToFloat6) {
  using A = spec::NegativeZeroToFloat6;
  for (const int opset : versions(28))
    for (const spec::ElementType type : float6_types) {
      expect_readings<A>(quantize_to(type, opset, {-0.0}),
                         {{A::positive_zero, gives_codes({0x00})}, {A::negative_zero, gives_codes({0x20})}});
      EXPECT_THAT(interpret(quantize(opset, vector(float32, {-0.0, -0.01f}), scalar(float32, 1), std::nullopt,
                                     {{"output_dtype", type_code(type)}})),
                  gives_codes({0x20, 0x20}));
    }
}

/// The sum of a zero point z and half the distance h to the next number is a tie. A quotient of h (1 + u), with u the
/// unit of its type, makes the sum slightly more than the tie. Rounding the sum to that type loses the difference.
TEST(ReadingsOfFloatOutputs, Amb70FloatZeroPointSum) {
  using A = spec::FloatZeroPointSum;
  struct Row {
    spec::ElementType y;
    int first_version;
    double zero_point, half, even, next;
  };
  for (const Row& row : {Row{float8e4m3fn, 19, 1.5, 0.0625, 1.5, 1.625},
                         Row{float8e4m3fnuz, 19, 1.5, 0.0625, 1.5, 1.625}, Row{float8e5m2, 19, 1, 0.125, 1, 1.25},
                         Row{float8e5m2fnuz, 19, 1, 0.125, 1, 1.25}, Row{float4e2m1, 23, 1, 0.25, 1, 1.5},
                         Row{float6e2m3, 28, 1.5, 0.0625, 1.5, 1.625}, Row{float6e3m2, 28, 1, 0.125, 1, 1.25}})
    for (const int opset : versions(row.first_version)) {
      const auto node = [&](spec::ElementType type, double quotient) {
        return quantize(opset, vector(type, {quotient}), scalar(type, 1), scalar(row.y, row.zero_point));
      };
      const OutcomeMatcher even = gives({row.even});
      const OutcomeMatcher next = gives({row.next});
      expect_no_question<A>(node(float32, row.half), even);
      expect_readings<A>(node(float32, row.half * (1 + 0x1p-23)),
                         {{A::only_to_output_type, next}, {A::in_division_type, even}, {A::in_wider_type, even}});
      for (const auto& [type, unit] : {std::pair{float16, 0x1p-10}, std::pair{bfloat16, 0x1p-7}}) {
        const Node narrow = node(type, row.half * (1 + unit));
        if (opset < 23)  // divided in float32, which represents the exact sum
          expect_no_question<A>(narrow, next);
        else
          expect_readings<A>(narrow,
                             {{A::only_to_output_type, next}, {A::in_division_type, even}, {A::in_wider_type, next}});
      }
    }
}

TEST(ReadingsOfFloatOutputs, Amb69SaturateWithFloat4Before28) {
  using A = spec::SaturateWithFloat4;
  for (const int opset : versions(23, 25))
    expect_readings<A>(quantize_to(float4e2m1, opset, {100, -7, inf, 3}, {{"saturate", 0}}),
                       {{A::saturates, gives({6, -6, 6, 3})}, {A::saturate_honoured, gives({0, -0.0, 0, 3})}});
}

}  // namespace
}  // namespace touchstone::reference::readings_float_outputs_test
