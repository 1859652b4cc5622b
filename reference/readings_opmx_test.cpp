// The readings of the ambiguities of opmx's numbers: PMX-01 to 08, 13, 14, 16 to 20; and of the ambiguities of ai.onnx
// that opmx shares.

#include "reference/opmx_testing.h"

namespace touchstone::reference::readings_opmx_test {
namespace {

using enum spec::ElementType;
using ::testing::AllOf;

/// The codes 15, 0, 8, 7.
const Tensor nibbles = coded(int16, {1, 1}, {0x780F});
const Tensor bytes = tensor(int8, {1, 4}, {-1, 0, 127, -128});
const Tensor three = vector(int8, {3});

TEST(ReadingsOfOpmx, Pmx01Int4WithoutZeroPoint) {
  using A = spec::Int4WithoutZeroPoint;
  for (const spec::ElementType type : {float32, float16})
    expect_readings<A>(int4_node(nibbles, scalar(type, 1), no_groups), {{A::offset_8, gives({7, -8, 0, -1})},
                                                                        {A::twos_complement, gives({-1, 0, -8, 7})},
                                                                        {A::no_offset, gives({15, 0, 8, 7})}});
  expect_no_question<A>(int4_node(nibbles, scalar(float32, 1), scalar(int8, 0), asymmetric), gives({15, 0, 8, 7}));
  expect_no_question<A>(int8_node(three, scalar(float32, 2), no_groups), gives({6}));
}

TEST(ReadingsOfOpmx, Pmx02Int4IntegerZeroPoint) {
  using A = spec::Int4IntegerZeroPoint;
  const auto node = [](double zero_point) {
    return int4_node(nibbles, scalar(float32, 1), scalar(int8, zero_point), asymmetric);
  };
  expect_readings<A>(node(8), {{A::masked, gives({7, -8, 0, -1})},
                               {A::twos_complement, gives({-9, -8, -16, -1})},
                               {A::unmasked, gives({7, -8, 0, -1})}});
  expect_readings<A>(node(-1), {{A::masked, gives({0, -15, -7, -8})},
                                {A::twos_complement, gives({0, 1, -7, 8})},
                                {A::unmasked, gives({16, 1, 9, 8})}});
  expect_readings<A>(node(19), {{A::masked, gives({12, -3, 5, 4})},
                                {A::twos_complement, gives({-20, -19, -27, -12})},
                                {A::unmasked, gives({-4, -19, -11, -12})}});
}

TEST(ReadingsOfOpmx, Pmx03Int4FloatZeroPoint) {
  using A = spec::Int4FloatZeroPoint;
  const auto node = [](double zero_point) {
    return int4_node(nibbles, scalar(float32, 0.5), scalar(float32, zero_point), biased);
  };
  expect_readings<A>(node(1.25), {{A::offset_8, gives({4.75, -2.75, 1.25, 0.75})},
                                  {A::twos_complement, gives({0.75, 1.25, -2.75, 4.75})},
                                  {A::no_offset, gives({8.75, 1.25, 5.25, 4.75})},
                                  {A::truncated_zero_point, gives({7, -0.5, 3.5, 3})}});  // it becomes 1
  expect_readings<A>(node(-1.25), {{A::offset_8, gives({2.25, -5.25, -1.25, -1.75})},
                                   {A::twos_complement, gives({-1.75, -1.25, -5.25, 2.25})},
                                   {A::no_offset, gives({6.25, -1.25, 2.75, 2.25})},
                                   {A::truncated_zero_point, gives({0, -7.5, -3.5, -4})}});  // -1, and so 15
  expect_readings<A>(node(inf), {{A::offset_8, gives({inf, inf, inf, inf})},
                                 {A::twos_complement, gives({inf, inf, inf, inf})},
                                 {A::no_offset, gives({inf, inf, inf, inf})},
                                 {A::truncated_zero_point, gives({7.5, 0, 4, 3.5})}});
}

TEST(ReadingsOfOpmx, Pmx04Int8Codes) {
  using A = spec::Int8Codes;
  const Tensor one = scalar(float32, 1);
  expect_readings<A>(int8_node(bytes, one, no_groups),
                     {{A::twos_complement, gives({-1, 0, 127, -128})}, {A::offset_128, gives({127, -128, -1, 0})}});
  expect_readings<A>(int8_node(bytes, one, scalar(int8, 8), asymmetric),
                     {{A::twos_complement, gives({-9, -8, 119, -136})}, {A::offset_128, gives({247, -8, 119, 120})}});
  expect_readings<A>(int8_node(bytes, one, scalar(int8, -1), asymmetric),
                     {{A::twos_complement, gives({0, 1, 128, -127})}, {A::offset_128, gives({0, -255, -128, -127})}});
  expect_readings<A>(
      int8_node(bytes, one, scalar(float32, 0.5), biased),
      {{A::twos_complement, gives({-0.5, 0.5, 127.5, -127.5})}, {A::offset_128, gives({127.5, -127.5, -0.5, 0.5})}});
}

TEST(ReadingsOfOpmx, Pmx05UnannouncedZeroPoint) {
  using A = spec::UnannouncedZeroPoint;
  const Tensor two = scalar(float32, 2);
  expect_readings<A>(int8_node(three, two, scalar(int8, 1), no_groups),
                     {{A::undefined, gives({open})}, {A::ignored, gives({6})}, {A::used, gives({4})}});
  expect_readings<A>(int8_node(three, two, scalar(float32, 1.25), no_groups),
                     {{A::undefined, gives({open})}, {A::ignored, gives({6})}, {A::used, gives({3.5})}});
  expect_readings<A>(int4_node(nibbles, two, scalar(int8, 1), no_groups),
                     {{A::undefined, AllOf(gives_type(float32, {4, 1}), gives({open, open, open, open}))},
                      {A::ignored, gives({14, -16, 0, -2})},
                      {A::used, gives({28, -2, 14, 12})}});
  expect_no_question<A>(int8_node(three, two, vector(int8, {}), no_groups), gives({6}));  // empty: counts as absent
}

TEST(ReadingsOfOpmx, Pmx05MissingZeroPoint) {
  using A = spec::MissingZeroPoint;
  Node named_empty = int8_node(three, scalar(float32, 2), scalar(int8, 1), asymmetric);
  named_empty.inputs[2].reset();
  for (const Node& node : {int8_node(three, scalar(float32, 2), asymmetric), named_empty,
                           int8_node(three, scalar(float32, 2), vector(int8, {}), asymmetric),
                           int8_node(three, scalar(float32, 2), vector(float32, {}), biased)})
    expect_readings<A>(node, {{A::invalid, rejected_by("pmx-zero-point-given")}, {A::no_zero_point, gives({6})}});
}

TEST(ReadingsOfOpmx, Pmx06LoneFloatFlag) {
  using A = spec::LoneFloatFlag;
  const Attributes lone{{"group_size", 0}, {"float_zeropoint", 1}};
  expect_readings<A>(int8_node(three, scalar(float32, 2), lone),
                     {{A::undefined, gives({open})},
                      {A::ignored, gives({6})},
                      {A::implies_zero_point, rejected_by("pmx-zero-point-given")},
                      {A::invalid, rejected_by("pmx-float-zero-point")}});
  expect_readings<A>(int8_node(three, scalar(float32, 2), scalar(float32, 1.25), lone),
                     {{A::undefined, gives({open})},
                      {A::ignored, gives({6})},
                      {A::implies_zero_point, gives({7.25})},
                      {A::invalid, rejected_by("pmx-float-zero-point")}});
  // The requirement of the attribute on the type holds in any case.
  expect_no_question<A>(int8_node(three, scalar(float32, 2), scalar(int8, 1), lone),
                        rejected_by("pmx-float-zero-point-type"));
}

// 3 * 683 / 2048 = 1 + 2^-11, halfway between two float16 numbers. Added to it: 2^-24, which float32 loses, and 2^-12,
// which it keeps.
TEST(ReadingsOfOpmx, Pmx07BiasPrecisionInFloat16) {
  using A = spec::BiasPrecision;
  const Node node = int8_node(tensor(int8, {2, 1}, {3, 3}), tensor(float16, {2, 1}, {683.0 / 2048, 683.0 / 2048}),
                              tensor(float16, {2, 1}, {0x1p-24, 0x1p-12}), biased);
  expect_readings<A>(node, {{A::in_float32, gives({1, 1.0009765625})},
                            {A::in_scale_type, gives({1, 1})},
                            {A::fused, gives({1.0009765625, 1.0009765625})},
                            {A::promoted, gives({1, 1})}});
}

// 3 * (1 + 2^-23) is halfway between 3 + 2^-22 and the even 3 + 2^-21.
TEST(ReadingsOfOpmx, Pmx07BiasPrecisionInFloat32) {
  using A = spec::BiasPrecision;
  expect_readings<A>(int8_node(three, scalar(float32, 1 + 0x1p-23), scalar(float32, -3), biased),
                     {{A::in_float32, gives({0x1p-21})},
                      {A::in_scale_type, gives({0x1p-21})},
                      {A::fused, gives({0x1.8p-22})},
                      {A::promoted, gives({0x1p-21})}});
}

// 100 - 3/128 is 100 in float16, and 100 * 684/2048 = 33.3984375 there 33.40625; the exact product 33.39061 is 33.375.
TEST(ReadingsOfOpmx, Pmx07PrecisionOfADifference) {
  using A = spec::BiasPrecision;
  expect_readings<A>(
      int8_node(vector(int8, {100}), scalar(float16, 684.0 / 2048), scalar(float16, 3.0 / 128), asymmetric),
      {{A::in_float32, gives({33.375})},
       {A::in_scale_type, gives({33.40625})},
       {A::fused, gives({33.375})},
       {A::promoted, gives({33.40625})}});
}

// 5 * 0.0999755859375 is 0.5 in float16, and 0.5 + 1/3 is 1706.67/2048. With the exact product it is 1706.4/2048.
TEST(ReadingsOfOpmx, Pmx07BiasPrecisionOfMixedTypes) {
  using A = spec::BiasPrecision;
  const Node mixed = int8_node(vector(int8, {5}), scalar(float16, 0x1.998p-4), scalar(float32, 1.0F / 3), biased);
  expect_readings<A>(mixed, {{A::in_float32, gives({1706.0 / 2048})},
                             {A::in_scale_type, gives({1706.0 / 2048})},
                             {A::fused, gives({1706.0 / 2048})},
                             {A::promoted, gives({1707.0 / 2048})}});
}

TEST(ReadingsOfOpmx, Pmx07IntegersAreUnambiguous) {
  using A = spec::BiasPrecision;
  // 255 * 0.0999755859375 = 25.4937744140625; float16 has 25.484375 and 25.5.
  expect_no_question<A>(int8_node(vector(int8, {127}), scalar(float16, 0x1.998p-4), scalar(int8, -128), asymmetric),
                        gives({25.5}));
  expect_no_question<A>(int4_node(nibbles, scalar(float16, 0x1.998p-4), no_groups),
                        gives({0.69970703125, -0x1.998p-1, 0, -0x1.998p-4}));
}

TEST(ReadingsOfOpmx, Pmx08OutputType) {
  using A = spec::OpmxOutputType;
  const Tensor scale = scalar(float32, 1 + 0x1p-12);
  expect_readings<A>(int8_node(three, scale, no_groups),
                     {{A::scale_type, AllOf(gives_type(float32, {1}), gives({3 + 3 * 0x1p-12}))},
                      {A::always_float16, AllOf(gives_type(float16, {1}), gives({3}))}});
  expect_readings<A>(int4_node(nibbles, scale, no_groups),
                     {{A::scale_type, gives_type(float32, {4, 1})}, {A::always_float16, gives_type(float16, {4, 1})}});
  expect_no_question<A>(int8_node(three, scalar(float16, 2), no_groups), gives_type(float16, {1}));
}

TEST(ReadingsOfOpmx, Pmx13Float32ScaleOfInt4) {
  using A = spec::Float32ScaleOfInt4;
  expect_readings<A>(int4_node(nibbles, scalar(float32, 1), no_groups),
                     {{A::accepted, AllOf(gives_type(float32, {4, 1}), gives({7, -8, 0, -1}))},
                      {A::invalid, rejected_by("onnx-type-constraint")}});
  expect_no_question<A>(int4_node(nibbles, scalar(float16, 1), no_groups), gives({7, -8, 0, -1}));
  expect_no_question<A>(int8_node(three, scalar(float32, 2), no_groups), gives({6}));
}

TEST(ReadingsOfOpmx, Pmx14VariableParameters) {
  using A = spec::VariableParameters;
  Node node = int8_node(three, scalar(float32, 2), scalar(int8, 1), asymmetric);
  for (const std::set<std::size_t>& places : std::vector<std::set<std::size_t>>{{1}, {2}, {0, 1, 2}}) {
    node.variable_inputs = places;
    expect_readings<A>(node, {{A::accepted, gives({4})}, {A::invalid, rejected_by("pmx-constant-parameters")}});
  }
  for (const std::set<std::size_t>& places : std::vector<std::set<std::size_t>>{{}, {0}}) {
    node.variable_inputs = places;
    expect_no_question<A>(node, gives({4}));
  }
}

TEST(ReadingsOfOpmx, Pmx16GivenQuantMethod) {
  using A = spec::GivenQuantMethod;
  const auto node = [](const char* method) {
    return int8_node(three, scalar(float32, 2), Attributes{{"group_size", 0}, {"quant_method", std::string(method)}});
  };
  for (const char* method : {"gptq", "int4", " "})
    expect_readings<A>(node(method), {{A::ignored, gives({6})}, {A::invalid, rejected_by("pmx-quant-method")}});
  expect_no_question<A>(node(""), gives({6}));
}

TEST(ReadingsOfOpmx, Pmx17NibbleOrder) {
  using A = spec::NibbleOrder;
  const Tensor x = coded(int16, {2, 2}, {0x4321, 0xCBA9, 0x8765, 0x0FED});  // columns 1 to 8, and 9 to 15 and 0
  expect_readings<A>(int4_node(x, scalar(float32, 1), no_groups),
                     {{A::low_nibble_first, gives({-7, 1, -6, 2, -5, 3, -4, 4, -3, 5, -2, 6, -1, 7, 0, -8})},
                      {A::high_nibble_first, gives({-4, 4, -5, 3, -6, 2, -7, 1, 0, -8, -1, 7, -2, 6, -3, 5})},
                      {A::strided_rows, gives({-7, 1, -3, 5, -6, 2, -2, 6, -5, 3, -1, 7, -4, 4, 0, -8})},
                      {A::columns, AllOf(gives_type(float32, {2, 8}),
                                         gives({-7, -6, -5, -4, 1, 2, 3, 4, -3, -2, -1, 0, 5, 6, 7, -8}))}});
  // The dimensions after the columns do not change; without columns, the rows are unpacked.
  expect_readings<A>(int4_node(coded(int16, {1, 1, 2}, {0x4321, 0x8765}), scalar(float32, 1), no_groups),
                     {{A::low_nibble_first, gives_type(float32, {4, 1, 2})},
                      {A::high_nibble_first, gives({-4, 0, -5, -1, -6, -2, -7, -3})},
                      {A::strided_rows, gives({-7, -3, -6, -2, -5, -1, -4, 0})},
                      {A::columns, AllOf(gives_type(float32, {1, 4, 2}), gives({-7, -3, -6, -2, -5, -1, -4, 0}))}});
  expect_readings<A>(int4_node(coded(int16, {2}, {0x4321, 0x8765}), scalar(float32, 1), no_groups),
                     {{A::low_nibble_first, gives({-7, -6, -5, -4, -3, -2, -1, 0})},
                      {A::high_nibble_first, gives({-4, -5, -6, -7, 0, -1, -2, -3})},
                      {A::strided_rows, gives({-7, -3, -6, -2, -5, -1, -4, 0})},
                      {A::columns, gives({-7, -6, -5, -4, -3, -2, -1, 0})}});
}

TEST(ReadingsOfOpmx, Pmx18FloatTypedZeroPoint) {
  using A = spec::FloatTypedZeroPoint;
  expect_readings<A>(int8_node(three, scalar(float32, 2), scalar(float32, 1.25), asymmetric),
                     {{A::subtracted, gives({3.5})},
                      {A::invalid, rejected_by("pmx-float-zero-point-type")},
                      {A::added, gives({7.25})}});
  const Node int4 = int4_node(nibbles, scalar(float16, 2), scalar(float16, 1.25), asymmetric);
  expect_readings<A>(int4, {{A::subtracted, gives({27.5, -2.5, 13.5, 11.5})},
                            {A::invalid, rejected_by("pmx-float-zero-point-type")},
                            {A::added, gives({15.25, -14.75, 1.25, -0.75})}});
  EXPECT_THAT(interpret(int4, Policy{}.with<spec::Int4IntegerZeroPoint>(spec::Int4IntegerZeroPoint::twos_complement)),
              gives({-4.5, -2.5, -18.5, 11.5}));
}

// 1 + 2^-12 is not a float16 number; the nearest one is 1.
TEST(ReadingsOfOpmx, Pmx19MixedFloatZeroPoint) {
  using A = spec::MixedFloatZeroPoint;
  const Tensor x = vector(int8, {-2});
  const Node mixed = int8_node(x, scalar(float16, 0.5), scalar(float32, 1 + 0x1p-12), biased);
  expect_readings<A>(mixed, {{A::as_given, gives({0x1p-12})}, {A::rounded_to_scale_type, gives({0})}});
  expect_no_question<A>(int8_node(x, scalar(float16, 0.5), scalar(float32, 1.5), biased), gives({0.5}));
  expect_no_question<A>(int8_node(x, scalar(float32, 0.5), scalar(float32, 1 + 0x1p-12), biased), gives({0x1p-12}));
  using P = spec::BiasPrecision;
  EXPECT_THAT(interpret(mixed, Policy{}.with<P>(P::fused)), gives({0x1p-12}));
  EXPECT_THAT(interpret(mixed, Policy{}.with<P>(P::in_scale_type)), gives({0}));
}

TEST(ReadingsOfOpmx, Pmx20BooleanValues) {
  using A = spec::BooleanValues;
  for (const int value : {2, -1}) {
    expect_readings<A>(int8_node(three, scalar(float32, 2), Attributes{{"group_size", 0}, {"has_zeropoint", value}}),
                       {{A::nonzero_is_true, rejected_by("pmx-zero-point-given")},
                        {A::only_one_is_true, gives({6})},
                        {A::other_values_invalid, rejected_by("pmx-flags")}});
    expect_readings<A>(int8_node(three, scalar(float32, 2), scalar(float32, 1.25),
                                 {{"group_size", 0}, {"has_zeropoint", 1}, {"float_zeropoint", value}}),
                       {{A::nonzero_is_true, gives({7.25})},
                        {A::only_one_is_true, gives({3.5})},  // as an ordinary zero point of an unusual type
                        {A::other_values_invalid, rejected_by("pmx-flags")}});
  }
}

// ---- ambiguities shared with ai.onnx

TEST(ReadingsOfOpmx, Amb16Subnormals) {
  using A = spec::Subnormals;
  expect_readings<A>(int8_node(three, scalar(float32, 0x1p-130), no_groups),
                     {{A::gradual_underflow, gives({0x1.8p-129})},
                      {A::flushes_wide_types, gives({0})},
                      {A::flushes_float32_and_bfloat16, gives({0})},
                      {A::flushes_wide_results, gives({0})},
                      {A::flushes_wide_operands, gives({0})},
                      {A::flushes_float16_too, gives({0})},
                      {A::flushes_results, gives({0})},
                      {A::flushes_float16_only, gives({0x1.8p-129})},
                      {A::flushes_all_types, gives({0})}});
  expect_readings<A>(int8_node(three, scalar(float16, 0x1p-24), no_groups),
                     {{A::gradual_underflow, gives({0x1.8p-23})},
                      {A::flushes_wide_types, gives({0x1.8p-23})},
                      {A::flushes_float32_and_bfloat16, gives({0x1.8p-23})},
                      {A::flushes_wide_results, gives({0x1.8p-23})},
                      {A::flushes_wide_operands, gives({0x1.8p-23})},
                      {A::flushes_float16_too, gives({0})},
                      {A::flushes_results, gives({0})},
                      {A::flushes_float16_only, gives({0})},
                      {A::flushes_all_types, gives({0})}});
}

TEST(ReadingsOfOpmx, Amb03ScaleDomain) {
  using A = spec::ScaleDomain;
  expect_readings<A>(int8_node(vector(int8, {3}), scalar(float32, 0), no_groups),
                     {{A::ieee_division, gives({0})},
                      {A::zero_or_non_finite_invalid, rejected_by("dq-formula")},
                      {A::non_positive_invalid, rejected_by("dq-formula")}});
  expect_readings<A>(int8_node(vector(int8, {3}), scalar(float32, -2), no_groups),
                     {{A::ieee_division, gives({-6})},
                      {A::zero_or_non_finite_invalid, gives({-6})},
                      {A::non_positive_invalid, rejected_by("dq-formula")}});
}

TEST(ReadingsOfOpmx, Amb28SubtractionWidth) {
  using A = spec::SubtractionWidth;
  expect_readings<A>(int8_node(vector(int8, {-128}), scalar(float32, 1), scalar(int8, 127), asymmetric),
                     {{A::exact, gives({-255})}, {A::wrapping, gives({1})}});
}

TEST(ReadingsOfOpmx, Amb37Overflow) {
  using A = spec::DequantizeOverflow;
  expect_readings<A>(int8_node(vector(int8, {66, -127}), scalar(float16, 1000), no_groups),
                     {{A::infinity, gives({inf, -inf})}, {A::clamped, gives({65504, -65504})}});
  expect_readings<A>(int8_node(vector(int8, {66, 1}), scalar(float16, 1000), scalar(float16, 65504), biased),
                     {{A::infinity, gives({inf, inf})}, {A::clamped, gives({65504, 65504})}});
  // The infinite result of an infinite operand is not an overflow.
  expect_no_question<A>(int8_node(three, scalar(float16, 1000), scalar(float16, inf), biased), gives({inf}));
}

TEST(ReadingsOfOpmx, Amb38SignedZero) {
  using A = spec::DequantizeSignedZero;
  expect_readings<A>(int8_node(vector(int8, {0}), scalar(float32, -2), no_groups),
                     {{A::ieee_sign, gives({-0.0})}, {A::positive_zero, gives({0})}});
  expect_readings<A>(int4_node(nibbles, scalar(float32, -2), no_groups),
                     {{A::ieee_sign, gives({-14, 16, -0.0, 2})}, {A::positive_zero, gives({-14, 16, 0, 2})}});
  expect_readings<A>(int8_node(vector(int8, {0}), scalar(float32, -2), scalar(float32, -0.0), biased),
                     {{A::ieee_sign, gives({-0.0})}, {A::positive_zero, gives({0})}});
  expect_no_question<A>(int8_node(vector(int8, {0}), scalar(float32, -2), scalar(float32, 0), biased), gives({0}));
}

}  // namespace
}  // namespace touchstone::reference::readings_opmx_test
