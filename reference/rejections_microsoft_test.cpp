// Every rule that a node of com.microsoft can violate, with the clause that rejects it, and similar legal nodes.

#include <limits>
#include <set>

#include "reference/rejections_testing.h"

namespace touchstone::reference::rejections_microsoft_test {
namespace {

using enum spec::ElementType;
using spec::ElementType;

// ---- attributes and inputs

TEST(MicrosoftRejections, AttributesThatOnlyOnnxHas) {
  for (const char* name : {"saturate", "block_size", "output_dtype", "precision", "Axis", "to"}) {
    const Attributes attributes{{name, 0}};
    EXPECT_THAT(interpret(microsoft_quantize(ones(float32, {3}), scalar(float32, 1), std::nullopt, attributes)),
                rejected_by("onnx-known-attributes"));
    EXPECT_THAT(interpret(microsoft_dequantize(ones(int8, {3}), scalar(float32, 1), std::nullopt, attributes)),
                rejected_by("onnx-known-attributes"));
  }
}

TEST(MicrosoftRejections, AnAxisOfAnotherType) {
  for (const AttributeValue& value : {AttributeValue(std::string("1")), AttributeValue(ForeignAttribute{"INTS"})})
    EXPECT_THAT(
        interpret(microsoft_quantize(ones(float32, {2, 3}), ones(float32, {3}), std::nullopt, {{"axis", value}})),
        rejected_by("onnx-attribute-type"));
}

TEST(MicrosoftRejections, MissingAndSurplusInputs) {
  for (const Node& complete : {microsoft_quantize(ones(float32, {3}), scalar(float32, 1), scalar(uint8, 0)),
                               microsoft_dequantize(ones(uint8, {3}), scalar(float32, 1), scalar(uint8, 0))}) {
    const auto with = [&](std::vector<std::optional<Tensor>> inputs) {
      Node changed = complete;
      changed.inputs = std::move(inputs);
      return changed;
    };
    const auto& inputs = complete.inputs;
    for (const Node& legal : {complete, with({inputs[0], inputs[1]}), with({inputs[0], inputs[1], std::nullopt})})
      EXPECT_THAT(interpret(legal), gives({1, 1, 1}));
    for (const Node& changed :
         {with({}), with({inputs[0]}), with({std::nullopt, inputs[1]}), with({inputs[0], std::nullopt, inputs[2]}),
          with({inputs[0], inputs[1], inputs[2], inputs[2]})})
      EXPECT_THAT(interpret(changed), rejected_by("onnx-inputs"));
  }
}

// ---- types

TEST(MicrosoftRejections, Types) {
  const std::set<ElementType> floats{float32, float16};
  const std::set<ElementType> quantized{uint8, int8, uint16, int16, uint4, int4};
  const auto allowed = [](bool legal) { return legal ? is_accepted : rejected_by("onnx-type-constraint"); };
  for (const spec::ElementTypeInfo& row : spec::element_types) {
    SCOPED_TRACE(row.name);
    const Tensor zeros = coded(row.type, {2}, {0, 0});
    const Tensor zero = coded(row.type, {}, {0});
    const bool is_float = floats.contains(row.type);
    const bool is_quantized = quantized.contains(row.type);
    const ElementType same = is_float ? row.type : float32;  // because x and scale must have the same type
    EXPECT_THAT(interpret(microsoft_quantize(zeros, scalar(same, 1))), allowed(is_float));
    EXPECT_THAT(interpret(microsoft_quantize(ones(same, {2}), zero)), allowed(is_float));
    EXPECT_THAT(interpret(microsoft_quantize(ones(float32, {2}), scalar(float32, 1), zero)), allowed(is_quantized));
    EXPECT_THAT(interpret(microsoft_dequantize(zeros, scalar(float32, 1))), allowed(is_quantized || row.type == int32));
    EXPECT_THAT(interpret(microsoft_dequantize(ones(uint8, {2}), zero)), allowed(is_float));
  }
}

TEST(MicrosoftRejections, TypesThatAreBoundToEachOther) {
  const OutcomeMatcher unbound = rejected_by("onnx-type-binding");
  EXPECT_THAT(interpret(microsoft_quantize(ones(float16, {2}), scalar(float32, 1))), unbound);
  EXPECT_THAT(interpret(microsoft_quantize(ones(float32, {2}), scalar(float16, 1))), unbound);
  EXPECT_THAT(interpret(microsoft_quantize(ones(float16, {2}), scalar(float16, 1))), is_accepted);
  for (const ElementType x : {uint8, int8, uint16, int16, int32, uint4, int4})
    for (const ElementType zero_point : {uint8, int8, uint16, int16, int32, uint4, int4})
      EXPECT_THAT(interpret(microsoft_dequantize(ones(x, {2}), scalar(float16, 1), scalar(zero_point, 0))),
                  x == zero_point ? is_accepted : unbound)
          << spec::name(x) << ' ' << spec::name(zero_point);
}

// ---- shapes and axes, for both operators

/// x, scale and zero point have these shapes and contain ones. Without the third shape there is no zero point.
struct Shapes {
  Shape x, scale;
  std::optional<Shape> zero_point = std::nullopt;
};

void expect_shapes(const Shapes& shapes, std::optional<std::int64_t> axis, const OutcomeMatcher& expected) {
  SCOPED_TRACE("x " + ::testing::PrintToString(shapes.x) + ", scale " + ::testing::PrintToString(shapes.scale) +
               ", axis " + (axis ? std::to_string(*axis) : "absent"));
  const Attributes attributes = axis ? Attributes{{"axis", *axis}} : Attributes{};
  const auto zero_point = shapes.zero_point ? std::optional(ones(int8, *shapes.zero_point)) : std::nullopt;
  const Tensor scale = ones(float32, shapes.scale);
  EXPECT_THAT(interpret(microsoft_quantize(ones(float32, shapes.x), scale, zero_point, attributes)), expected);
  EXPECT_THAT(interpret(microsoft_dequantize(ones(int8, shapes.x), scale, zero_point, attributes)), expected);
}

constexpr std::nullopt_t no_axis = std::nullopt;

TEST(MicrosoftRejections, WithoutAxisAllButScalars) {
  const OutcomeMatcher not_scalars = rejected_by("ms-scalars-without-axis");
  for (const Shape& scale : {Shape{3}, Shape{2}, Shape{0}, Shape{1, 1}, Shape{2, 3}, Shape{1, 3}, Shape{2, 3, 1}}) {
    expect_shapes({{2, 3}, scale}, no_axis, not_scalars);
    expect_shapes({{2, 3}, scale, scale}, no_axis, not_scalars);
  }
  expect_shapes({{3}, {3}}, no_axis, not_scalars);
  expect_shapes({{}, {2}}, no_axis, not_scalars);
  for (const Shape& x : {Shape{}, Shape{1}, Shape{3}, Shape{2, 3}, Shape{2, 0}, Shape{1, 1, 1, 2}})
    for (const Shape& scale : {Shape{}, Shape{1}})
      for (const Shape& zero_point : {Shape{}, Shape{1}}) {
        expect_shapes({x, scale}, no_axis, is_accepted);
        expect_shapes({x, scale, zero_point}, no_axis, is_accepted);
      }
}

TEST(MicrosoftRejections, WithAxisAllButVectors) {
  const OutcomeMatcher not_vectors = rejected_by("ms-vectors-with-axis");
  for (const Shape& scale : {Shape{}, Shape{1, 1}, Shape{2, 3}, Shape{1, 3}, Shape{2, 3, 1}})
    for (const std::int64_t axis : {1, 0, -1, 7}) {
      expect_shapes({{2, 3}, scale}, axis, not_vectors);
      expect_shapes({{2, 3}, scale, scale}, axis, not_vectors);
    }
  expect_shapes({{}, {}}, 0, not_vectors);
  expect_shapes({{1}, {}, Shape{1}}, 0, not_vectors);
  expect_shapes({{1}, {1}, Shape{}}, 0, not_vectors);
  expect_shapes({{1}, {1}, Shape{1}}, 0, is_accepted);
}

TEST(MicrosoftRejections, LengthOfAPerAxisScale) {
  for (const std::int64_t length : {0, 1, 2, 4, 6})
    expect_shapes({{2, 3}, {length}}, 1, rejected_by("qdq-per-axis-length"));
  for (const std::int64_t length : {0, 1, 3}) expect_shapes({{2, 3}, {length}}, -2, rejected_by("qdq-per-axis-length"));
  expect_shapes({{2, 3}, {3}, Shape{3}}, 1, is_accepted);
  expect_shapes({{2, 3}, {2}, Shape{2}}, -2, is_accepted);
  expect_shapes({{2, 0}, {0}}, 1, is_accepted);
}

TEST(MicrosoftRejections, AxisOutOfRange) {
  for (const std::int64_t axis : {std::int64_t{2}, std::int64_t{-3}, std::int64_t{7},
                                  std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()})
    expect_shapes({{2, 2}, {2}}, axis, rejected_by("ms-axis-range"));
  for (const std::int64_t axis : {-2, -1, 0, 1}) expect_shapes({{2, 2}, {2}}, axis, is_accepted);
  for (const std::int64_t axis : {-1, 0, 1})  // a scalar has no axis
    for (const Shape& scale : {Shape{1}, Shape{2}}) expect_shapes({{}, scale}, axis, rejected_by("ms-axis-range"));
  expect_shapes({{2}, {2}}, 1, rejected_by("ms-axis-range"));  // ai.onnx's default axis
}

TEST(MicrosoftRejections, ShapesOfScaleAndZeroPoint) {
  const OutcomeMatcher not_same = rejected_by("qdq-same-shape");
  for (const Shape& zero_point : {Shape{}, Shape{1}, Shape{2}, Shape{1, 3}})
    expect_shapes({{2, 3}, {3}, zero_point}, 1, not_same);
  for (const std::optional<std::int64_t> axis : {std::optional<std::int64_t>(), std::optional<std::int64_t>(1)})
    for (const Shape& zero_point : {Shape{3}, Shape{0}, Shape{1, 1}}) {
      expect_shapes({{2, 3}, {}, zero_point}, axis, not_same);
      expect_shapes({{2, 3}, {1}, zero_point}, axis, not_same);
    }
}

}  // namespace
}  // namespace touchstone::reference::rejections_microsoft_test
