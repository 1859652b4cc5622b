// Every rule of opmx that a node can violate, with the clause that rejects it, and similar legal nodes.

#include <limits>

#include "reference/opmx_testing.h"
#include "reference/rejections_testing.h"

namespace touchstone::reference::rejections_opmx_test {
namespace {

using enum spec::ElementType;
using spec::ElementType;

/// A legal node of each width, with a zero point, in two groups. Y has the shape [8,4].
Node legal_int8() {
  return int8_node(ones(int8, {8, 4}), ones(float32, {8, 2}), ones(int8, {8, 2}), groups(1, 2, true));
}
Node legal_int4() {
  return int4_node(ones(int16, {2, 4}), ones(float32, {8, 2}), ones(int8, {8, 2}), groups(1, 2, true));
}

Node with(Node node, const std::string& attribute, const AttributeValue& value) {
  node.attributes[attribute] = value;
  return node;
}

Node with(Node node, std::size_t place, const Tensor& input) {
  node.inputs.at(place) = input;
  return node;
}

void expect(const Node& node, const OutcomeMatcher& expected) { EXPECT_THAT(interpret(node), expected); }

TEST(OpmxRejections, TheNodesThatTheseTestsChangeAreLegal) {
  for (const Node& node : {legal_int8(), legal_int4()}) expect(node, gives_type(float32, {8, 4}));
}

// ---- attributes

TEST(OpmxRejections, UnknownAttributes) {
  for (const char* name : {"axis", "block_size", "Group_size", "output_dtype", "saturate", "quant_type", ""})
    for (const Node& node : {legal_int8(), legal_int4()})
      expect(with(node, name, 0), rejected_by("onnx-known-attributes"));
}

TEST(OpmxRejections, AttributesOfAnotherType) {
  for (const Node& node : {legal_int8(), legal_int4()}) {
    for (const char* name : {"quant_axis", "group_size", "has_zeropoint", "float_zeropoint"})
      for (const AttributeValue& value : {AttributeValue(std::string("1")), AttributeValue(ForeignAttribute{"FLOAT"})})
        expect(with(node, name, value), rejected_by("onnx-attribute-type"));
    for (const char* name : {"quant_data_type", "quant_method"})
      for (const AttributeValue& value : {AttributeValue(4), AttributeValue(ForeignAttribute{"STRINGS"})})
        expect(with(node, name, value), rejected_by("onnx-attribute-type"));
  }
}

TEST(OpmxRejections, QuantDataType) {
  for (Node node : {legal_int8(), legal_int4()}) {
    for (const char* text : {"", "int16", "int4x4", "INT4", "Int8", "int8 ", "uint8", "float16"})
      expect(with(node, "quant_data_type", std::string(text)), rejected_by("pmx-quant-data-type"));
    node.attributes.erase("quant_data_type");
    expect(node, rejected_by("onnx-required-attributes"));
  }
  expect(with(legal_int8(), "quant_data_type", std::string("int4")), rejected_by("pmx-type-of-x"));
  expect(with(legal_int4(), "quant_data_type", std::string("int8")), rejected_by("pmx-type-of-x"));
}

TEST(OpmxRejections, QuantAxis) {
  constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t axis : {std::int64_t{2}, std::int64_t{-1}, std::int64_t{-2}, std::int64_t{3}, smallest}) {
    for (const Node& node :
         {legal_int8(), legal_int4(), int8_node(ones(int8, {2, 2, 2}), scalar(float32, 1), no_groups)})
      expect(with(node, "quant_axis", axis), rejected_by("pmx-quant-axis"));
  }
  // A vector has no axis 1 that could be divided into groups. Per tensor, the axis is not used.
  expect(int8_node(ones(int8, {4}), vector(float32, {1, 1}), groups(1, 2)), rejected_by("pmx-quant-axis"));
  expect(int8_node(ones(int8, {4}), vector(float32, {1, 1}), groups(0, 2)), is_accepted);
  expect(int8_node(ones(int8, {4}), scalar(float32, 1), groups(1, 0)), is_accepted);
  expect(int8_node(ones(int8, {4}), vector(float32, {1, 1, 1, 1}), groups(1, 0)), rejected_by("pmx-ungrouped-shape"));
}

TEST(OpmxRejections, GroupSize) {
  constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  for (const Node& node : {legal_int8(), legal_int4()}) {
    for (const std::int64_t group_size : {std::int64_t{-1}, std::int64_t{-2}, std::int64_t{-128}, smallest})
      expect(with(node, "group_size", group_size), rejected_by("pmx-group-size-positive"));
    for (const std::int64_t group_size :
         {std::int64_t{3}, std::int64_t{5}, std::int64_t{8}, std::int64_t{128}, largest})
      expect(with(node, "group_size", group_size), rejected_by("pmx-whole-groups"));
    for (const std::int64_t group_size : {1, 4})
      expect(with(node, "group_size", group_size), rejected_by("pmx-grouped-shape"));
    expect(with(node, "group_size", 0), rejected_by("pmx-ungrouped-shape"));
    Node by_default = node;  // 128, more than the axis has
    by_default.attributes.erase("group_size");
    expect(by_default, rejected_by("pmx-whole-groups"));
  }
}

// ---- inputs and types

TEST(OpmxRejections, MissingAndSurplusInputs) {
  for (const Node& complete : {legal_int8(), legal_int4()}) {
    const auto inputs = complete.inputs;
    const auto of = [&](std::vector<std::optional<Tensor>> changed) {
      Node node = complete;
      node.inputs = std::move(changed);
      return node;
    };
    for (const Node& node :
         {of({}), of({inputs[0]}), of({std::nullopt, inputs[1], inputs[2]}), of({inputs[0], std::nullopt, inputs[2]}),
          of({inputs[0], inputs[1], inputs[2], inputs[2]}), of({inputs[0], inputs[1], inputs[2], std::nullopt})})
      expect(node, rejected_by("onnx-inputs"));
  }
}

TEST(OpmxRejections, Types) {
  for (const spec::ElementTypeInfo& row : spec::element_types) {
    SCOPED_TRACE(std::string(row.name));
    const auto expected = [&](bool legal) { return legal ? is_accepted : rejected_by("onnx-type-constraint"); };
    expect(with(legal_int8(), 1, Tensor(row.type, {8, 2})), expected(row.type == float32 || row.type == float16));
    expect(with(legal_int4(), 1, Tensor(row.type, {8, 2})), expected(row.type == float32 || row.type == float16));
    if (row.type != int16) expect(with(legal_int8(), 0, Tensor(row.type, {8, 4})), expected(row.type == int8));
    if (row.type != int8) expect(with(legal_int4(), 0, Tensor(row.type, {2, 4})), expected(row.type == int16));
    const bool is_zero_point = row.type == int8 || row.type == float32 || row.type == float16;
    expect(with(legal_int8(), 2, Tensor(row.type, {8, 2})), expected(is_zero_point));
    const Node biased_node = with(legal_int4(), "float_zeropoint", 1);
    expect(with(biased_node, 2, Tensor(row.type, {8, 2})),
           row.type == int8 ? rejected_by("pmx-float-zero-point-type") : expected(is_zero_point));
  }
  expect(with(legal_int8(), 0, Tensor(int16, {8, 4})), rejected_by("pmx-type-of-x"));
  expect(with(legal_int4(), 0, Tensor(int8, {2, 4})), rejected_by("pmx-type-of-x"));
}

TEST(OpmxRejections, MissingZeroPoints) {
  for (const Node& node : {legal_int8(), legal_int4()}) {
    for (const ElementType type : {int8, float16})
      for (const Shape& shape : {Shape{0}, Shape{8, 0}})
        expect(with(node, 2, Tensor(type, shape)), rejected_by("pmx-zero-point-given"));
    Node absent = node;
    absent.inputs.pop_back();
    expect(absent, rejected_by("pmx-zero-point-given"));
    expect(with(absent, "float_zeropoint", 1), rejected_by("pmx-zero-point-given"));
    expect(with(absent, "has_zeropoint", 0), is_accepted);
  }
}

// ---- shapes

TEST(OpmxRejections, ShapeOfAGroupedScale) {
  for (const Node& node : {legal_int8(), legal_int4()}) {
    for (const Shape& shape : std::vector<Shape>{
             {}, {1}, {2}, {8}, {16}, {2, 8}, {8, 4}, {8, 1}, {8, 3}, {1, 2}, {2, 2}, {8, 2, 1}, {1, 8, 2}, {8, 0}}) {
      SCOPED_TRACE(::testing::PrintToString(shape));
      Node changed = with(node, 1, ones(float32, shape));
      changed.inputs.pop_back();
      expect(with(changed, "has_zeropoint", 0), rejected_by("pmx-grouped-shape"));
    }
    // Along the other axis.
    Node rows = with(with(node, "quant_axis", 0), 1, ones(float32, {4, 4}));
    rows.inputs[2] = ones(int8, {4, 4});
    expect(rows, is_accepted);
    expect(with(with(rows, 1, ones(float32, {8, 2})), 2, ones(int8, {8, 2})), rejected_by("pmx-grouped-shape"));
  }
  // The scale has the number of rows of X instead of Y.
  expect(int4_node(ones(int16, {2, 4}), ones(float32, {2, 2}), groups(1, 2)), rejected_by("pmx-grouped-shape"));
  expect(int4_node(ones(int16, {2, 4}), ones(float32, {1, 4}), groups(0, 2)), rejected_by("pmx-grouped-shape"));
  expect(int4_node(ones(int16, {2, 4}), ones(float32, {2, 4}), groups(0, 4)), is_accepted);
}

TEST(OpmxRejections, ShapeOfAnUngroupedScale) {
  for (const std::int64_t axis : {0, 1})
    for (const Node& node : {int8_node(ones(int8, {8, 4}), scalar(float32, 1), groups(axis, 0)),
                             int4_node(ones(int16, {2, 4}), scalar(float32, 1), groups(axis, 0))}) {
      expect(node, is_accepted);
      expect(with(node, 1, ones(float32, axis == 1 ? Shape{8, 1} : Shape{1, 4})), is_accepted);
      for (const Shape& shape : std::vector<Shape>{
               {0}, {2}, {4}, {8}, {1, 1}, {2, 1}, {4, 1}, {1, 8}, {8, 4}, {8, 1, 1}, {1, 1, 1}, {8, 0}}) {
        SCOPED_TRACE(::testing::PrintToString(shape));
        expect(with(node, 1, ones(float32, shape)), rejected_by("pmx-ungrouped-shape"));
      }
      expect(with(node, 1, ones(float32, axis == 0 ? Shape{8, 1} : Shape{1, 4})), rejected_by("pmx-ungrouped-shape"));
    }
}

// The unpacked X always has a multiple of 4 rows. Only the shape of Scale shows that there were 5, 6 or 7 and that the
// last ones are padding.
TEST(OpmxRejections, RowsThatAreNotAMultipleOfFour) {
  const OutcomeMatcher filled_up = rejected_by("pmx-packed-rows");
  const auto node = [](const Shape& scale, const Attributes& attributes) {
    return int4_node(ones(int16, {2, 4}), ones(float32, scale), attributes);
  };
  for (const std::int64_t rows : {5, 6, 7}) {
    expect(node({rows, 2}, groups(1, 2)), filled_up);
    expect(node({rows, 1}, no_groups), filled_up);
  }
  expect(node({6, 4}, groups(0, 1)), filled_up);
  expect(node({3, 4}, groups(0, 2)), filled_up);
  for (const std::int64_t rows : {1, 3, 4, 9}) {  // numbers that two packed rows cannot hold
    expect(node({rows, 2}, groups(1, 2)), rejected_by("pmx-grouped-shape"));
    expect(node({rows, 1}, no_groups), rejected_by("pmx-ungrouped-shape"));
  }
  expect(node({6, 3}, groups(1, 2)), rejected_by("pmx-grouped-shape"));  // wrong in another respect, too
  expect(node({8, 2}, groups(1, 2)), is_accepted);
  expect(int8_node(ones(int8, {8, 4}), ones(float32, {6, 2}), groups(1, 2)), rejected_by("pmx-grouped-shape"));
  expect(int8_node(ones(int8, {6, 4}), ones(float32, {6, 2}), groups(1, 2)), is_accepted);
}

TEST(OpmxRejections, ShapeOfTheZeroPoint) {
  for (const Node& node : {legal_int8(), legal_int4()})
    for (const Shape& shape : {Shape{}, Shape{1}, Shape{8}, Shape{2, 8}, Shape{8, 1}, Shape{8, 4}, Shape{1, 8, 2}})
      for (const std::int64_t announced : {0, 1})
        expect(with(with(node, 2, ones(int8, shape)), "has_zeropoint", announced), rejected_by("qdq-same-shape"));
  const Node per_tensor = int8_node(ones(int8, {8, 4}), scalar(float32, 1), ones(int8, {1, 1}), asymmetric);
  expect(per_tensor, rejected_by("qdq-same-shape"));
  expect(with(per_tensor, 2, scalar(int8, 1)), is_accepted);
}

TEST(OpmxRejections, ShapeOfX) {
  expect(int4_node(scalar(int16, 1), scalar(float32, 1), no_groups), rejected_by("pmx-packed-rows"));
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  // The number of unpacked rows, four times as many, overflows even without elements.
  for (const Shape& shape : {Shape{largest, 0}, Shape{largest / 4 + 1, 0}, Shape{largest / 8, 3, 0}})
    expect(int4_node(Tensor(int16, shape), scalar(float32, 1), no_groups), rejected_by("pmx-packed-rows"));
  expect(int4_node(Tensor(int16, {largest / 4, 0}), scalar(float32, 1), no_groups), is_accepted);
  expect(int4_node(Tensor(int16, {largest / 4, 0}), tensor(float32, {1, 0}, {}), groups(0, largest / 4 * 4)),
         is_accepted);
}

}  // namespace
}  // namespace touchstone::reference::rejections_opmx_test
