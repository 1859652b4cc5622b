// The readings of the ambiguities of shapes and axes: AMB-40 to 45, 51, 53, 54.

#include "reference/testing.h"

namespace touchstone::reference::readings_axes_test {
namespace {

using enum spec::ElementType;

const Tensor x_2_3 = counting(float32, {2, 3});
const Tensor three_scales = vector(float32, {1, 2, 4});
const Tensor three_zero_points = vector(uint8, {10, 20, 30});

TEST(ReadingsOfShapes, Amb40ScalarShape) {
  using A = spec::ScalarShape;
  const Tensor x = vector(float32, {3, 5});
  const Tensor scale = scalar(float32, 2);
  const Tensor scales = vector(float32, {2});
  const Tensor zero_point = scalar(uint8, 1);
  const Tensor zero_points = vector(uint8, {1});
  for (const int opset : versions(10)) {
    const auto expect = [&](const Node& node, const NumbersOrOpen& numbers, bool mixed) {
      expect_readings<A>(node, {{A::one_element_is_scalar, gives(numbers)},
                                {A::mixed_ranks_invalid, mixed ? rejected_by("qdq-same-shape") : gives(numbers)},
                                {A::one_dimension_invalid, rejected_by("qdq-same-shape")}});
    };
    expect(quantize(opset, x, scales), {2, 2}, false);
    expect(quantize(opset, x, scales, zero_points), {3, 3}, false);
    expect(quantize(opset, x, scales, zero_point), {3, 3}, true);
    expect(quantize(opset, x, scale, zero_points), {3, 3}, true);
    expect(dequantize(opset, vector(uint8, {3, 5}), scale, zero_points), {4, 8}, true);
    EXPECT_THAT(interpret(quantize(opset, x, scale, zero_point), Policy{}.with<A>(A::one_dimension_invalid)),
                gives({3, 3}));
  }
}

TEST(ReadingsOfShapes, Amb40AnAxisOfLength1HasAScaleOfLength1) {
  using A = spec::ScalarShape;
  const Tensor x = tensor(float32, {3, 1}, {2, 4, 6});
  const Tensor scales = vector(float32, {2});
  for (const int opset : versions(13)) {
    expect_no_question<A>(quantize(opset, x, scales, std::nullopt, {{"axis", 1}}), gives({1, 2, 3}));
    expect_no_question<A>(quantize(opset, x, scales, vector(uint8, {1}), {{"axis", -1}}), gives({2, 3, 4}));
    expect_readings<A>(quantize(opset, x, scales, scalar(uint8, 1), {{"axis", 1}}),
                       {{A::one_element_is_scalar, gives({2, 3, 4})},
                        {A::mixed_ranks_invalid, rejected_by("qdq-same-shape")},
                        {A::one_dimension_invalid, rejected_by("qdq-same-shape")}});
  }
}

TEST(ReadingsOfShapes, Amb41ScaleZeroPointShapes) {
  using A = spec::ScaleZeroPointShapes;
  for (const int opset : versions(13)) {
    expect_readings<A>(quantize(opset, x_2_3, three_scales, scalar(uint8, 10)),
                       {{A::invalid, rejected_by("qdq-same-shape")}, {A::broadcast, gives({10, 10, 10, 13, 12, 11})}});
    expect_readings<A>(quantize(opset, x_2_3, scalar(float32, 1), three_zero_points),  // computed by hand
                       {{A::invalid, rejected_by("qdq-same-shape")}, {A::broadcast, gives({10, 21, 32, 13, 24, 35})}});
    // Neither is a scalar, so neither is repeated.
    expect_readings<A>(quantize(opset, x_2_3, three_scales, vector(uint8, {1, 2})),
                       {{A::invalid, rejected_by("qdq-same-shape")}, {A::broadcast, rejected_by("qdq-same-shape")}});
  }
  for (const int opset : versions(21))  // computed by hand
    expect_readings<A>(quantize(opset, counting(float32, {3, 2}), tensor(float32, {2, 2}, {1, 2, 4, 8}),
                                scalar(uint8, 10), {{"axis", 0}, {"block_size", 2}}),
                       {{A::invalid, rejected_by("qdq-same-shape")}, {A::broadcast, gives({10, 10, 12, 12, 11, 11})}});
}

TEST(ReadingsOfShapes, Amb42Rank1DefaultAxis) {
  using A = spec::Rank1DefaultAxis;
  for (const int opset : versions(13)) {
    const Tensor x = counting(uint8, {3});
    expect_readings<A>(dequantize(opset, x, three_scales), {{A::invalid, rejected_by("qdq-axis-range")},
                                                            {A::axis_0, gives({0, 2, 8})},
                                                            {A::per_tensor, gives({0, 1, 2})}});
    expect_readings<A>(quantize(opset, vector(float32, {3, 6, 8}), three_scales),
                       {{A::invalid, rejected_by("qdq-axis-range")},
                        {A::axis_0, gives({3, 3, 2})},
                        {A::per_tensor, gives({3, 6, 8})}});
    for (const int axis : {0, -1})  // ordinary per-axis quantization
      EXPECT_THAT(interpret(dequantize(opset, x, three_scales, std::nullopt, {{"axis", axis}})), gives({0, 2, 8}));
    for (const Tensor& one_scale : {scalar(float32, 2), vector(float32, {2})})  // per-tensor
      EXPECT_THAT(interpret(dequantize(opset, x, one_scale)), gives({0, 2, 4}));
  }
}

/// "When the rank of the input is 1, per-tensor quantization is applied": QuantizeLinear from 21 on, DequantizeLinear
/// 19, and from 21 on by its reference to QuantizeLinear.
TEST(ReadingsOfShapes, Amb42Rank1Vector) {
  using A = spec::Rank1Vector;
  const Tensor x = vector(float32, {3, 6, 8});
  const Tensor codes = counting(uint8, {3});
  for (const int axis : {0, -1}) {
    for (const int opset : versions(21))
      expect_readings<A>(quantize(opset, x, three_scales, three_zero_points, {{"axis", axis}}),
                         {{A::per_axis, gives({13, 23, 32})},
                          {A::invalid, rejected_by("qdq-rank-1-per-tensor")},
                          {A::per_tensor, gives({13, 16, 18})}});
    for (const int opset : versions(19))
      expect_readings<A>(dequantize(opset, codes, three_scales, std::nullopt, {{"axis", axis}}),
                         {{A::per_axis, gives({0, 2, 8})},
                          {A::invalid, rejected_by("qdq-rank-1-per-tensor")},
                          {A::per_tensor, gives({0, 1, 2})}});
    // Versions without the sentence.
    for (const int opset : {13, 19})
      expect_no_question<A>(quantize(opset, x, three_scales, std::nullopt, {{"axis", axis}}), gives({3, 3, 2}));
    expect_no_question<A>(dequantize(13, codes, three_scales, std::nullopt, {{"axis", axis}}), gives({0, 2, 8}));
  }
  for (const int opset : versions(21)) {  // an axis that x does not have, a scalar, another rank
    expect_no_question<A>(quantize(opset, x, three_scales), rejected_by("qdq-axis-range"));
    expect_no_question<A>(quantize(opset, x, vector(float32, {2})), gives({2, 3, 4}));
    expect_no_question<A>(quantize(opset, x_2_3, three_scales), gives({0, 0, 0, 3, 2, 1}));
  }
}

TEST(ReadingsOfShapes, Amb43OneElement1dScale) {
  using A = spec::OneElement1dScale;
  for (const int opset : versions(13)) {
    expect_readings<A>(quantize(opset, x_2_3, vector(float32, {2})),
                       {{A::per_tensor, gives({0, 0, 1, 2, 2, 2})}, {A::per_axis, rejected_by("qdq-per-axis-length")}});
    const Tensor scale = vector(float32, {2});
    // With an axis of length 1, both readings agree. With fewer than two dimensions, or without such an axis,
    // per-tensor is certain.
    expect_no_question<A>(quantize(opset, counting(float32, {3, 1}), scale), gives({0, 0, 1}));
    expect_no_question<A>(quantize(opset, scalar(float32, 8), scale), gives({4}));
    for (const int axis : {-1, 0, 1, 7})
      expect_no_question<A>(quantize(opset, vector(float32, {2, 4, 6}), scale, std::nullopt, {{"axis", axis}}),
                            gives({1, 2, 3}));
    expect_no_question<A>(quantize(opset, x_2_3, scale, std::nullopt, {{"axis", 7}}), gives({0, 0, 1, 2, 2, 2}));
  }
}

TEST(ReadingsOfShapes, Amb44AxisForPerTensor) {
  using A = spec::AxisForPerTensor;
  for (const int opset : versions(13))
    for (const int axis : {7, -3, 2}) {
      const Attributes attributes{{"axis", axis}};
      expect_readings<A>(quantize(opset, x_2_3, scalar(float32, 2), std::nullopt, attributes),
                         {{A::ignored, gives({0, 0, 1, 2, 2, 2})},
                          {A::always_checked, rejected_by("qdq-axis-range")},
                          {A::never_checked, gives({0, 0, 1, 2, 2, 2})}});
      // Computed by hand: axis modulo the rank, 2, is 1 for 7 and -3, and 0 for 2.
      const bool last = axis != 2;
      expect_readings<A>(
          quantize(opset, x_2_3, last ? three_scales : vector(float32, {1, 2}), std::nullopt, attributes),
          {{A::ignored, rejected_by("qdq-axis-range")},
           {A::always_checked, rejected_by("qdq-axis-range")},
           {A::never_checked, last ? gives({0, 0, 0, 3, 2, 1}) : gives({0, 1, 2, 2, 2, 2})}});
    }
}

/// A default that is out of range violates no clause: ONNX's own tests have inputs of rank 1 without the attribute.
TEST(ReadingsOfShapes, Amb44TheDefaultAxisIsNotChecked) {
  using A = spec::AxisForPerTensor;
  for (const int opset : versions(13)) {
    expect_no_question<A>(quantize(opset, vector(float32, {2, 4}), scalar(float32, 2)), gives({1, 2}));
    expect_no_question<A>(dequantize(opset, scalar(uint8, 3), scalar(float32, 2)), gives({6}));
  }
}

TEST(ReadingsOfShapes, Amb45Rank0Input) {
  using A = spec::Rank0Input;
  for (const int opset : versions(10))
    for (const Tensor& scale : {scalar(float32, 2), vector(float32, {2})}) {
      const auto of = [](spec::ElementType type, const Shape& shape, double number) -> OutcomeMatcher {
        return ::testing::AllOf(gives_type(type, shape), gives({number}));
      };
      expect_readings<A>(quantize(opset, scalar(float32, 8), scale), {{A::rank_0_output, of(uint8, {}, 4)},
                                                                      {A::rank_1_output, of(uint8, {1}, 4)},
                                                                      {A::invalid, rejected_by("qdq-output-shape")}});
      expect_readings<A>(dequantize(opset, scalar(int8, -8), scale), {{A::rank_0_output, of(float32, {}, -16)},
                                                                      {A::rank_1_output, of(float32, {1}, -16)},
                                                                      {A::invalid, rejected_by("qdq-output-shape")}});
    }
}

Tensor ones(const Shape& shape) {
  return tensor(float32, shape, Numbers(static_cast<std::size_t>(element_count(shape).value()), 1));
}

TEST(ReadingsOfShapes, Amb51EmptyTensors) {
  using A = spec::EmptyTensors;
  const auto expect = [](int opset, const Shape& x, const Shape& scale, const Attributes& attributes = {}) {
    expect_readings<A>(quantize(opset, counting(float32, x), ones(scale), std::nullopt, attributes),
                       {{A::empty_result, gives_type(uint8, x)}, {A::invalid, rejected_by("qdq-output-shape")}});
    expect_readings<A>(dequantize(opset, counting(int8, x), ones(scale), std::nullopt, attributes),
                       {{A::empty_result, gives_type(float32, x)}, {A::invalid, rejected_by("qdq-output-shape")}});
  };
  for (const int opset : versions(10)) expect(opset, {0}, {});
  for (const int opset : versions(13)) {
    expect(opset, {0, 3}, {3});
    expect(opset, {2, 0}, {0});
  }
  for (const int opset : versions(21)) expect(opset, {0, 4}, {0, 2}, {{"block_size", 2}});
}

TEST(ReadingsOfShapes, Amb51EmptyBlockedAxis) {
  using A = spec::EmptyBlockedAxis;
  for (const int opset : versions(21)) {
    expect_readings<A>(quantize(opset, counting(float32, {2, 0}), ones({2, 0}), std::nullopt, {{"block_size", 2}}),
                       {{A::empty_result, gives_type(uint8, {2, 0})}, {A::invalid, rejected_by("qdq-blocked-shape")}});
    for (const A::Reading reading : {A::empty_result, A::invalid})  // there is no block, but a scale for one
      EXPECT_THAT(interpret(quantize(opset, counting(float32, {2, 0}), ones({2, 1}), std::nullopt, {{"block_size", 2}}),
                            Policy{}.with<A>(reading)),
                  rejected_by("qdq-blocked-shape"));
  }
}

TEST(ReadingsOfShapes, Amb53PerAxisBefore13) {
  using A = spec::PerAxisBefore13;
  expect_readings<A>(quantize(10, x_2_3, three_scales, three_zero_points),
                     {{A::invalid, rejected_by("qdq-scale-is-scalar")}, {A::axis_1, gives({10, 20, 30, 13, 22, 31})}});
  expect_readings<A>(dequantize(10, counting(uint8, {2, 3}), three_scales),
                     {{A::invalid, rejected_by("qdq-scale-is-scalar")}, {A::axis_1, gives({0, 2, 8, 3, 8, 20})}});
}

TEST(ReadingsOfShapes, Amb53BlockedBefore21) {
  using A = spec::BlockedBefore21;
  for (const int opset : versions(13, 19)) {
    const Tensor x = counting(uint8, {2, 4});
    // Computed by hand.
    expect_readings<A>(dequantize(opset, x, tensor(float32, {2, 2}, {1, 2, 3, 4})),
                       {{A::invalid, rejected_by("qdq-scale-rank-before-21")},
                        {A::blocked, gives({0, 1, 4, 6, 12, 15, 24, 28})},
                        {A::broadcast, rejected_by("qdq-scale-rank-before-21")}});
    expect_readings<A>(dequantize(opset, x, tensor(float32, {2, 1}, {1, 2})),
                       {{A::invalid, rejected_by("qdq-scale-rank-before-21")},
                        {A::blocked, gives({0, 1, 2, 3, 8, 10, 12, 14})},
                        {A::broadcast, gives({0, 1, 2, 3, 8, 10, 12, 14})}});
    expect_readings<A>(dequantize(opset, x, tensor(float32, {4, 2}, Numbers(8, 1))),  // more blocks than elements
                       {{A::invalid, rejected_by("qdq-scale-rank-before-21")},
                        {A::blocked, rejected_by("qdq-scale-rank-before-21")},
                        {A::broadcast, rejected_by("qdq-scale-rank-before-21")}});
  }
}

TEST(ReadingsOfShapes, Amb54OneElementScaleOfHigherRank) {
  using A = spec::OneElementScaleOfHigherRank;
  const Tensor scale = tensor(float32, {1, 1}, {2});
  for (const int opset : versions(13, 19))
    expect_readings<A>(quantize(opset, x_2_3, scale), {{A::invalid, rejected_by("qdq-scale-rank-before-21")},
                                                       {A::per_tensor, gives({0, 0, 1, 2, 2, 2})}});
  for (const int opset : versions(21)) {
    expect_readings<A>(quantize(opset, x_2_3, scale),
                       {{A::invalid, rejected_by("qdq-block-size-given")}, {A::per_tensor, gives({0, 0, 1, 2, 2, 2})}});
    expect_readings<A>(quantize(opset, x_2_3, tensor(float32, {1, 1, 1}, {2})),
                       {{A::invalid, rejected_by("qdq-scale-rank")}, {A::per_tensor, gives({0, 0, 1, 2, 2, 2})}});
    // With block_size: ordinary blocked quantization, or a scale of an invalid rank.
    const Attributes block{{"block_size", 3}};
    expect_no_question<A>(quantize(opset, counting(float32, {1, 3}), scale, std::nullopt, block), gives({0, 0, 1}));
    expect_no_question<A>(quantize(opset, x_2_3, tensor(float32, {1, 1, 1}, {2}), std::nullopt, block),
                          rejected_by("qdq-scale-rank"));
  }
}

}  // namespace
}  // namespace touchstone::reference::readings_axes_test
