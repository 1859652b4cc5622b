// Every rule that a node can violate, with the clause that rejects it, and similar legal nodes.

#include <functional>
#include <limits>

#include "reference/rejections_testing.h"

namespace touchstone::reference::rejections_test {
namespace {

using enum spec::ElementType;
using spec::ElementType;

/// x has three elements, the scale is 1.
Node quantize_with(int opset, Attributes attributes) {
  return quantize(opset, ones(float32, {3}), scalar(float32, 1), std::nullopt, std::move(attributes));
}

Node dequantize_with(int opset, Attributes attributes) {
  return dequantize(opset, ones(int8, {3}), scalar(float32, 1), std::nullopt, std::move(attributes));
}

// ---- attributes

TEST(Rejections, AttributesThatTheVersionLacks) {
  struct Row {
    std::string name;
    std::int64_t legal_value;
    int quantize_since, dequantize_since;
  };
  constexpr int never = 1000;
  for (const auto& [name, value, quantize_since, dequantize_since] : std::vector<Row>{{"axis", 0, 13, 13},
                                                                                      {"saturate", 1, 19, never},
                                                                                      {"block_size", 0, 21, 21},
                                                                                      {"output_dtype", 0, 21, 23},
                                                                                      {"precision", 0, 23, never},
                                                                                      {"Axis", 0, never, never},
                                                                                      {"to", 1, never, never}})
    for (const int opset : versions(10)) {
      const auto expected = [&](int since) {
        return opset < since ? rejected_by("onnx-known-attributes") : is_accepted;
      };
      EXPECT_THAT(interpret(quantize_with(opset, {{name, value}})), expected(quantize_since)) << name << ' ' << opset;
      EXPECT_THAT(interpret(dequantize_with(opset, {{name, value}})), expected(dequantize_since))
          << name << ' ' << opset;
    }
}

TEST(Rejections, AttributesOfAnotherType) {
  for (const int opset : versions(13))
    for (const AttributeValue& value : {AttributeValue(std::string("1")), AttributeValue(ForeignAttribute{"FLOAT"})}) {
      EXPECT_THAT(interpret(quantize_with(opset, {{"axis", value}})), rejected_by("onnx-attribute-type"));
      EXPECT_THAT(interpret(dequantize_with(opset, {{"axis", value}})), rejected_by("onnx-attribute-type"));
    }
}

// ---- inputs

TEST(Rejections, MissingAndSurplusInputs) {
  for (const int opset : versions(10))
    for (const Node& complete : {quantize(opset, ones(float32, {3}), scalar(float32, 1), scalar(uint8, 0)),
                                 dequantize(opset, ones(uint8, {3}), scalar(float32, 1), scalar(uint8, 0))}) {
      const auto with = [&](std::vector<std::optional<Tensor>> inputs) {
        Node changed = complete;
        changed.inputs = std::move(inputs);
        return changed;
      };
      const auto& inputs = complete.inputs;
      EXPECT_THAT(interpret(complete), gives({1, 1, 1}));
      EXPECT_THAT(interpret(with({inputs[0], inputs[1]})), gives({1, 1, 1}));
      EXPECT_THAT(interpret(with({inputs[0], inputs[1], std::nullopt})), gives({1, 1, 1}));
      for (const Node& changed :
           {with({}), with({inputs[0]}), with({std::nullopt, inputs[1]}), with({std::nullopt, inputs[1], inputs[2]}),
            with({inputs[0], std::nullopt}), with({inputs[0], std::nullopt, inputs[2]}),
            with({inputs[0], inputs[1], inputs[2], inputs[2]}), with({inputs[0], inputs[1], inputs[2], std::nullopt})})
        EXPECT_THAT(interpret(changed), rejected_by("onnx-inputs"));
    }
}

/// Types and the version that introduced each.
using SinceVersion = std::map<ElementType, int>;

/// For all types: accepted from a version on, and rejected before.
void expect_types(const SinceVersion& since, const std::function<Node(int opset, ElementType)>& node) {
  for (const spec::ElementTypeInfo& row : spec::element_types)
    for (const int opset : versions(10)) {
      const bool legal = since.contains(row.type) && since.at(row.type) <= opset;
      EXPECT_THAT(interpret(node(opset, row.type)), legal ? is_accepted : rejected_by("onnx-type-constraint"))
          << row.name << ' ' << opset;
    }
}

const SinceVersion outputs{{uint8, 10},      {int8, 10},           {float8e4m3fn, 19}, {float8e4m3fnuz, 19},
                           {float8e5m2, 19}, {float8e5m2fnuz, 19}, {uint16, 21},       {int16, 21},
                           {uint4, 21},      {int4, 21},           {float4e2m1, 23},   {uint2, 25},
                           {int2, 25},       {float6e2m3, 28},     {float6e3m2, 28}};

TEST(Rejections, TypesOfQuantize) {
  // The scale has the type of x where versions 19 and 21 require it. Versions 10 and 13 have only float32 scales.
  expect_types({{float32, 10}, {int32, 10}, {float16, 19}, {bfloat16, 19}}, [](int opset, ElementType type) {
    const bool bound = opset == 19 || opset == 21;
    return quantize(opset, ones(type, {2}), scalar(bound ? type : float32, 1));
  });
  expect_types({{float32, 10}, {int32, 19}, {float16, 19}, {bfloat16, 19}, {float8e8m0, 24}},
               [](int opset, ElementType type) {
                 const bool bound = (opset == 19 || opset == 21) && type != float8e8m0;
                 const bool bindable = type == float32 || type == int32 || type == float16 || type == bfloat16;
                 return quantize(opset, ones(bound && bindable ? type : float32, {2}), scalar(type, 1));
               });
  expect_types(outputs, [](int opset, ElementType type) {
    return quantize(opset, ones(float32, {2}), scalar(float32, 1), coded(type, {}, {0}));
  });
}

TEST(Rejections, TypesOfDequantize) {
  SinceVersion inputs = outputs;
  inputs[int32] = 10;
  expect_types(inputs, [](int opset, ElementType type) {
    return dequantize(opset, coded(type, {2}, {1, 0}), scalar(float32, 1));
  });
  expect_types({{float32, 10}, {float16, 19}, {bfloat16, 19}, {float8e8m0, 24}}, [](int opset, ElementType type) {
    return dequantize(opset, ones(uint8, {2}), scalar(type, 1), std::nullopt,
                      opset >= 23 ? Attributes{{"output_dtype", type_code(float32)}} : Attributes{});
  });
}

TEST(Rejections, TypesThatAreBoundToEachOther) {
  const std::vector<ElementType> types{float32, float16, bfloat16, int32};
  for (const int opset : versions(10)) {
    if (opset >= 19)
      for (const ElementType x : types)
        for (const ElementType scale : types) {
          const bool legal = opset >= 23 || x == scale;
          EXPECT_THAT(interpret(quantize(opset, ones(x, {2}), scalar(scale, 1))),
                      legal ? is_accepted : rejected_by("onnx-type-binding"))
              << opset << spec::name(x) << spec::name(scale);
        }
    EXPECT_THAT(interpret(dequantize(opset, ones(uint8, {2}), scalar(float32, 1), scalar(int8, 0))),
                rejected_by("onnx-type-binding"));
    EXPECT_THAT(interpret(dequantize(opset, ones(int32, {2}), scalar(float32, 1), scalar(uint8, 0))),
                rejected_by("onnx-type-binding"));
  }
}

// ---- output_dtype and precision

TEST(Rejections, OutputDtypeOfQuantize) {
  for (const int opset : versions(21)) {
    const auto node = [&](std::int64_t output_dtype, std::optional<Tensor> zero_point = std::nullopt) {
      return quantize(opset, ones(float32, {2}), scalar(float32, 1), std::move(zero_point),
                      {{"output_dtype", output_dtype}});
    };
    for (const spec::ElementTypeInfo& row : spec::element_types) {
      const bool legal = outputs.contains(row.type) && outputs.at(row.type) <= opset;
      EXPECT_THAT(interpret(node(type_code(row.type))),
                  legal ? gives_type(row.type, {2}) : rejected_by("ql-output-dtype-allowed"));
    }
    for (const std::int64_t other : {-1, 8, 14, 99})  // 8 is string, 14 complex64
      EXPECT_THAT(interpret(node(other)), rejected_by("ql-output-dtype-allowed"));
    EXPECT_THAT(interpret(node(0)), gives_type(uint8, {2}));
    EXPECT_THAT(interpret(node(0, scalar(int16, 0))), gives_type(int16, {2}));
    EXPECT_THAT(interpret(node(type_code(int16), scalar(int16, 0))), gives_type(int16, {2}));
    EXPECT_THAT(interpret(node(type_code(uint16), scalar(int16, 0))), rejected_by("ql-output-dtype-agrees"));
    EXPECT_THAT(interpret(node(type_code(float8e5m2), scalar(uint8, 0))), rejected_by("ql-output-dtype-agrees"));
    EXPECT_THAT(interpret(node(type_code(float32), scalar(uint8, 0))), rejected_by("ql-output-dtype-allowed"));
  }
}

TEST(Rejections, OutputDtypeOfDequantize) {
  const auto node = [](int opset, ElementType scale, std::int64_t output_dtype) {
    return dequantize(opset, ones(int8, {2}), scalar(scale, 1), std::nullopt, {{"output_dtype", output_dtype}});
  };
  for (const int opset : versions(23)) {
    for (const spec::ElementTypeInfo& row : spec::element_types) {
      const bool legal = row.type == float32 || row.type == float16 || row.type == bfloat16;
      EXPECT_THAT(interpret(node(opset, float32, type_code(row.type))),
                  legal ? gives_type(row.type, {2}) : rejected_by("dq-output-dtype-allowed"));
    }
    EXPECT_THAT(interpret(node(opset, float16, 0)), gives_type(float16, {2}));
    for (const std::int64_t other : {-1, 8, 99})
      EXPECT_THAT(interpret(node(opset, float32, other)), rejected_by("dq-output-dtype-allowed"));
  }
  for (const int opset : versions(24)) {
    EXPECT_THAT(interpret(node(opset, float8e8m0, 0)), rejected_by("dq-output-dtype-allowed"));
    EXPECT_THAT(interpret(dequantize(opset, ones(int8, {2}), scalar(float8e8m0, 1))),
                rejected_by("dq-output-dtype-allowed"));
    EXPECT_THAT(interpret(node(opset, float8e8m0, type_code(bfloat16))), gives_type(bfloat16, {2}));
  }
}

TEST(Rejections, Precision) {
  for (const int opset : versions(23))
    for (std::int64_t code = -1; code < 40; ++code) {
      const auto type = spec::element_type_from_code(code);
      const bool legal = code == 0 || type == float32 || type == float16 || type == bfloat16 || type == float64;
      EXPECT_THAT(interpret(quantize_with(opset, {{"precision", code}})),
                  legal ? is_accepted : rejected_by("ql-division-in-precision"))
          << code;
    }
}

// ---- the zero point of int32

TEST(Rejections, ZeroPointOfInt32) {
  for (const int opset : versions(10)) {
    const Tensor x = vector(int32, {7, 8});
    EXPECT_THAT(interpret(dequantize(opset, x, scalar(float32, 1), scalar(int32, 1))),
                rejected_by("dq-int32-zero-point"));
    EXPECT_THAT(interpret(dequantize(opset, x, scalar(float32, 1), scalar(int32, 0))), gives({7, 8}));
    EXPECT_THAT(interpret(dequantize(opset, x, scalar(float32, 1))), gives({7, 8}));
    if (opset < 13) continue;
    const Attributes axis_0{{"axis", 0}};
    EXPECT_THAT(interpret(dequantize(opset, x, vector(float32, {1, 1}), vector(int32, {0, -1}), axis_0)),
                rejected_by("dq-int32-zero-point"));
    EXPECT_THAT(interpret(dequantize(opset, x, vector(float32, {1, 1}), vector(int32, {0, 0}), axis_0)), gives({7, 8}));
  }
}

// ---- shapes and axes, for both operators

/// x, scale and zero point have these shapes and contain ones. Without the third shape there is no zero point.
struct Shapes {
  Shape x, scale;
  std::optional<Shape> zero_point = std::nullopt;
};

void expect_shapes(int opset, const Shapes& shapes, const Attributes& attributes, const OutcomeMatcher& expected) {
  SCOPED_TRACE("opset " + std::to_string(opset) + ", x " + ::testing::PrintToString(shapes.x) + ", scale " +
               ::testing::PrintToString(shapes.scale));
  const auto zero_point = [&](ElementType type) {
    return shapes.zero_point ? std::optional(ones(type, *shapes.zero_point)) : std::nullopt;
  };
  const Tensor scale = ones(float32, shapes.scale);
  EXPECT_THAT(interpret(quantize(opset, ones(float32, shapes.x), scale, zero_point(int8), attributes)), expected);
  EXPECT_THAT(interpret(dequantize(opset, ones(int8, shapes.x), scale, zero_point(int8), attributes)), expected);
}

TEST(Rejections, OnlyScalarsInVersion10) {
  for (const Shapes& shapes : std::vector<Shapes>{{{2, 3}, {3}},
                                                  {{2, 3}, {2}},
                                                  {{3}, {3}},
                                                  {{2, 3}, {2, 3}},
                                                  {{2, 3}, {1, 1}},
                                                  {{2, 3}, {3}, Shape{3}},
                                                  {{2, 3}, {}, Shape{3}},
                                                  {{2, 3}, {}, Shape{1, 1}},
                                                  {{2, 3}, {3}, Shape{}},
                                                  {{0}, {0}}})
    expect_shapes(10, shapes, {}, rejected_by("qdq-scale-is-scalar"));
  for (const Shapes& shapes :
       std::vector<Shapes>{{{2, 3}, {}}, {{2, 3}, {1}}, {{2, 3}, {}, Shape{}}, {{}, {1}, Shape{1}}})
    expect_shapes(10, shapes, {}, is_accepted);
}

TEST(Rejections, AxisOutOfRange) {
  for (const int opset : versions(13)) {
    for (const std::int64_t axis : {2, -3, 7, -7}) {
      expect_shapes(opset, {{2, 2}, {2}}, {{"axis", axis}}, rejected_by("qdq-axis-range"));
      expect_shapes(opset, {{2, 2}, {}}, {{"axis", axis}}, is_accepted);
      if (opset >= 21)
        expect_shapes(opset, {{2, 2}, {2, 1}}, {{"axis", axis}, {"block_size", 2}}, rejected_by("qdq-axis-range"));
    }
    for (const std::int64_t axis : {-2, -1, 0, 1}) expect_shapes(opset, {{2, 2}, {2}}, {{"axis", axis}}, is_accepted);
    for (const std::int64_t axis : {-9223372036854775807 - 1, 9223372036854775807})
      expect_shapes(opset, {{2, 2}, {2}}, {{"axis", axis}}, rejected_by("qdq-axis-range"));
    expect_shapes(opset, {{}, {2}}, {}, rejected_by("qdq-axis-range"));   // a scalar has no axis
    expect_shapes(opset, {{2}, {2}}, {}, rejected_by("qdq-axis-range"));  // and a 1-D tensor has no axis 1
    expect_shapes(opset, {{2}, {2}}, {{"axis", 0}}, is_accepted);
  }
}

TEST(Rejections, LengthOfAPerAxisScale) {
  for (const int opset : versions(13)) {
    for (const std::int64_t length : {0, 2, 4, 6})
      expect_shapes(opset, {{2, 3}, {length}}, {{"axis", 1}}, rejected_by("qdq-per-axis-length"));
    for (const std::int64_t length : {0, 3, 4})
      expect_shapes(opset, {{2, 3}, {length}}, {{"axis", -2}}, rejected_by("qdq-per-axis-length"));
    expect_shapes(opset, {{2, 3}, {3}}, {{"axis", 1}}, is_accepted);
    expect_shapes(opset, {{2, 3}, {2}}, {{"axis", -2}}, is_accepted);
  }
}

TEST(Rejections, ShapesOfScaleAndZeroPoint) {
  for (const int opset : versions(13)) {
    for (const Shapes& shapes : std::vector<Shapes>{{{2, 3}, {3}, Shape{}},
                                                    {{2, 3}, {3}, Shape{1}},
                                                    {{2, 3}, {3}, Shape{2}},
                                                    {{2, 3}, {3}, Shape{1, 3}},
                                                    {{2, 3}, {}, Shape{3}},
                                                    {{2, 3}, {}, Shape{0}},
                                                    {{2, 3}, {1}, Shape{3}},
                                                    {{2, 3}, {}, Shape{1, 1}}})
      expect_shapes(opset, shapes, {}, rejected_by("qdq-same-shape"));
    for (const Shapes& shapes : std::vector<Shapes>{
             {{2, 3}, {3}, Shape{3}}, {{2, 3}, {}, Shape{}}, {{2, 3}, {1}, Shape{}}, {{2, 3}, {}, Shape{1}}})
      expect_shapes(opset, shapes, {}, is_accepted);
    if (opset < 21) continue;
    const Attributes blocks{{"block_size", 2}};
    for (const Shape& zero_point : {Shape{}, Shape{2}, Shape{2, 1}, Shape{2, 4}})
      expect_shapes(opset, {{2, 4}, {2, 2}, zero_point}, blocks, rejected_by("qdq-same-shape"));
    expect_shapes(opset, {{2, 4}, {2, 2}, Shape{2, 2}}, blocks, is_accepted);
  }
}

TEST(Rejections, BlocksBefore21) {
  for (const int opset : versions(13, 19))
    for (const Shape& scale : {Shape{2, 3}, Shape{2, 1}, Shape{1, 1}, Shape{1, 3}, Shape{2, 3, 1}, Shape{2, 0}})
      expect_shapes(opset, {{2, 3}, scale}, {}, rejected_by("qdq-scale-rank-before-21"));
}

TEST(Rejections, RankOfTheScaleFrom21) {
  for (const int opset : versions(21))
    for (const Attributes& attributes : {Attributes{}, Attributes{{"block_size", 2}}}) {
      expect_shapes(opset, {{2, 4}, {2, 2, 1}}, attributes, rejected_by("qdq-scale-rank"));
      expect_shapes(opset, {{2, 4, 1}, {2, 2}}, attributes, rejected_by("qdq-scale-rank"));
      expect_shapes(opset, {{4}, {2, 2}}, attributes, rejected_by("qdq-scale-rank"));
      expect_shapes(opset, {{}, {2, 2}}, attributes, rejected_by("qdq-scale-rank"));
    }
}

TEST(Rejections, BlocksWithoutBlockSize) {
  for (const int opset : versions(21))
    for (const Attributes& attributes : {Attributes{}, Attributes{{"block_size", 0}}})
      for (const Shape& scale : {Shape{2, 2}, Shape{2, 4}, Shape{1, 4}})
        expect_shapes(opset, {{2, 4}, scale}, attributes, rejected_by("qdq-block-size-given"));
}

TEST(Rejections, NegativeBlockSizes) {
  for (const int opset : versions(21))
    for (const std::int64_t block_size : {-1, -2})
      for (const Shape& scale : {Shape{}, Shape{4}, Shape{2, 2}})
        expect_shapes(opset, {{2, 4}, scale}, {{"block_size", block_size}}, rejected_by("qdq-block-size-positive"));
}

TEST(Rejections, ShapesOfBlockedScales) {
  for (const int opset : versions(21)) {
    const Attributes blocks{{"block_size", 3}};  // along axis 1
    for (const Shape& scale : {Shape{3, 4}, Shape{1, 4}, Shape{8, 4}, Shape{10, 4}, Shape{3, 12}, Shape{9, 0}})
      expect_shapes(opset, {{9, 12}, scale}, blocks, rejected_by("qdq-blocked-shape"));
    expect_shapes(opset, {{9, 12}, {9, 4}}, blocks, is_accepted);
    expect_shapes(opset, {{2, 0}, {2, 1}}, blocks, rejected_by("qdq-blocked-shape"));
    expect_shapes(opset, {{9, 12}, {9, 4}}, {{"block_size", 3}, {"axis", 0}}, rejected_by("qdq-blocked-shape"));
    expect_shapes(opset, {{9, 12}, {3, 12}}, {{"block_size", 3}, {"axis", 0}}, is_accepted);
  }
}

// ceil(D / S) <= B <= ceil(D / (S - 1)) - 1 holds exactly for those B that divide D elements into S blocks. The test
// counts them.
TEST(Rejections, BlockSizesOutOfRange) {
  for (const int opset : versions(21))
    for (std::int64_t length = 1; length <= 9; ++length)
      for (std::int64_t blocks = 2; blocks <= length + 1; ++blocks)
        for (std::int64_t block_size = 1; block_size <= length + 1; ++block_size) {
          std::int64_t made = 0;
          for (std::int64_t first = 0; first < length; first += block_size) ++made;
          SCOPED_TRACE("block_size " + std::to_string(block_size));
          expect_shapes(opset, {{2, length}, {2, blocks}}, {{"block_size", block_size}},
                        made == blocks ? is_accepted : rejected_by("qdq-block-size-range"));
        }
}

TEST(Rejections, BlockSizesOfASingleBlock) {
  for (const int opset : versions(21))
    for (std::int64_t block_size = 1; block_size <= 7; ++block_size)
      expect_shapes(opset, {{2, 5}, {2, 1}}, {{"block_size", block_size}},
                    block_size >= 5 ? is_accepted : rejected_by("qdq-block-size-range"));
}

// ---- the limits of representable shapes and attributes

TEST(Rejections, CornersOfAttributesAndShapes) {
  constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  Shape many(40, 1);
  many[7] = 3;
  many[39] = 5;
  Shape blocks = many;
  blocks[39] = 3;
  for (const int opset : versions(10)) expect_shapes(opset, {{0, largest}, {}}, {}, is_accepted);
  for (const int opset : versions(13)) {
    expect_shapes(opset, {many, {3}}, {{"axis", 7}}, is_accepted);
    expect_shapes(opset, {many, {3}}, {{"axis", -1}}, rejected_by("qdq-per-axis-length"));
  }
  for (const int opset : versions(21)) {
    expect_shapes(opset, {{2, 5}, {2, 1}}, {{"block_size", largest}}, is_accepted);
    expect_shapes(opset, {{2, 5}, {2, 2}}, {{"block_size", largest}}, rejected_by("qdq-block-size-range"));
    for (const Shape& scale : {Shape{}, Shape{5}, Shape{2, 1}})
      expect_shapes(opset, {{2, 5}, scale}, {{"block_size", smallest}}, rejected_by("qdq-block-size-positive"));
    expect_shapes(opset, {many, blocks}, {{"axis", 39}, {"block_size", 2}}, is_accepted);
    expect_shapes(opset, {many, blocks}, {{"axis", 38}, {"block_size", 2}}, rejected_by("qdq-blocked-shape"));
  }
}

}  // namespace
}  // namespace touchstone::reference::rejections_test
