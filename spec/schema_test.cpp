// Compares the tables of operator versions with the schemas that ONNX registers, in both directions.
#include <gtest/gtest.h>
#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "spec/operator_version.h"
#include "spec/opset.h"

namespace touchstone::spec::schema_test {
namespace {

std::string onnx_name(ElementType type) { return "tensor(" + std::string(name(type)) + ")"; }

std::set<std::string> onnx_names(TypeList types) {
  std::set<std::string> names;
  for (const ElementType type : types) names.insert(onnx_name(type));
  return names;
}

std::string label(const OperatorVersion& row) {
  return std::string(name(row.op)) + "_" + std::to_string(row.since_version);
}

TEST(Schemas, OfBothOperatorsMatchTheTable) {
  std::set<std::pair<std::string, int>> registered;
  for (const onnx::OpSchema& schema : onnx::OpSchemaRegistry::get_all_schemas_with_history())
    if (schema.Name() == "QuantizeLinear" || schema.Name() == "DequantizeLinear") {
      EXPECT_EQ(schema.domain(), "") << schema.Name();
      registered.emplace(schema.Name(), schema.SinceVersion());
    }
  std::set<std::pair<std::string, int>> table;
  for (const OperatorVersion& row : operator_versions)
    if (row.domain == ai_onnx) table.emplace(name(row.op), row.since_version);
  EXPECT_EQ(table, registered);
}

TEST(Schemas, ResolveEveryOpsetAsTheTableDoes) {
  for (const Operator op : {Operator::quantize_linear, Operator::dequantize_linear})
    for (int opset = 1; opset <= newest_opset; ++opset) {
      const onnx::OpSchema* schema = onnx::OpSchemaRegistry::Schema(std::string(name(op)), opset, "");
      const OperatorVersion* row = resolve(ai_onnx, op, opset);
      EXPECT_EQ(row ? row->since_version : 0, schema ? schema->SinceVersion() : 0) << name(op) << ' ' << opset;
    }
}

/// The versions that ONNX registers.
std::vector<OperatorVersion> versions_of_onnx() {
  std::vector<OperatorVersion> rows;
  for (const OperatorVersion& row : operator_versions)
    if (row.domain == ai_onnx) rows.push_back(row);
  return rows;
}

class SchemaOf : public ::testing::TestWithParam<OperatorVersion> {
 protected:
  const OperatorVersion& row() const { return GetParam(); }
  const onnx::OpSchema& schema() const {
    const onnx::OpSchema* found = onnx::OpSchemaRegistry::Schema(std::string(name(row().op)), row().since_version, "");
    if (found == nullptr || found->SinceVersion() != row().since_version) throw std::logic_error("not registered");
    return *found;
  }
};

void expect_same(const Parameter& parameter, const onnx::OpSchema::FormalParameter& formal) {
  EXPECT_EQ(parameter.name, formal.GetName());
  EXPECT_EQ(formal.GetOption(), parameter.optional ? onnx::OpSchema::Optional : onnx::OpSchema::Single);

  std::set<std::string> types;
  for (const onnx::DataType type : formal.GetTypes()) types.insert(*type);
  EXPECT_EQ(onnx_names(parameter.types), types) << parameter.name;

  if (parameter.type_variable.empty()) {
    ASSERT_EQ(parameter.types.size(), 1u) << parameter.name;
    EXPECT_EQ(onnx_name(parameter.types.front()), formal.GetTypeStr());
  } else {
    EXPECT_EQ(parameter.type_variable, formal.GetTypeStr());
  }
}

TEST_P(SchemaOf, HasTheInputsOfTheTable) {
  ASSERT_EQ(schema().inputs().size(), row().inputs.size());
  EXPECT_EQ(schema().min_input(), 2);
  EXPECT_EQ(schema().max_input(), 3);
  for (std::size_t i = 0; i < row().inputs.size(); ++i) expect_same(row().inputs[i], schema().inputs()[i]);
}

TEST_P(SchemaOf, HasTheOutputOfTheTable) {
  ASSERT_EQ(schema().outputs().size(), 1u);
  EXPECT_EQ(schema().min_output(), 1);
  EXPECT_EQ(schema().max_output(), 1);
  expect_same(row().output, schema().outputs().front());
}

TEST_P(SchemaOf, HasTheTypeVariablesOfTheTable) {
  using Constraints = std::map<std::string, std::set<std::string>>;
  Constraints table;
  for (const Parameter& parameter : {row().inputs[0], row().inputs[1], row().inputs[2], row().output})
    if (!parameter.type_variable.empty())
      table[std::string(parameter.type_variable)].merge(onnx_names(parameter.types));
  Constraints registered;
  for (const auto& constraint : schema().typeConstraintParams())
    registered[constraint.type_param_str] = {constraint.allowed_type_strs.begin(), constraint.allowed_type_strs.end()};
  EXPECT_EQ(table, registered);
}

TEST_P(SchemaOf, ListsNoTypeTwice) {
  for (const Parameter& parameter : {row().inputs[0], row().inputs[1], row().inputs[2], row().output})
    EXPECT_EQ(onnx_names(parameter.types).size(), parameter.types.size()) << parameter.name;
}

TEST_P(SchemaOf, HasTheAttributesOfTheTable) {
  std::map<std::string, std::int64_t> table;
  for (const Attribute& attribute : row().attributes) table.emplace(attribute.name, attribute.default_value.value());
  EXPECT_EQ(table.size(), row().attributes.size());
  std::map<std::string, std::int64_t> registered;
  for (const auto& [attribute_name, attribute] : schema().attributes()) {
    EXPECT_EQ(attribute.type, onnx::AttributeProto::INT) << attribute_name;
    EXPECT_FALSE(attribute.required) << attribute_name;
    EXPECT_TRUE(attribute.default_value.has_i()) << attribute_name;
    registered.emplace(attribute_name, attribute.default_value.i());
  }
  EXPECT_EQ(table, registered);
}

TEST_P(SchemaOf, IsOfAnOperatorThatIsNotDeprecated) { EXPECT_FALSE(schema().Deprecated()); }

using OptionalType = std::optional<ElementType>;

/// A model of one node; the inputs are scalars.
onnx::ModelProto model_of(const OperatorVersion& row, ElementType x, ElementType scale, OptionalType zero_point,
                          OptionalType output_dtype) {
  onnx::ModelProto model;
  model.set_ir_version(onnx::IR_VERSION);
  model.add_opset_import()->set_version(row.since_version);
  onnx::GraphProto& graph = *model.mutable_graph();
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type(std::string(name(row.op)));
  const auto add_input = [&](const std::string& input, ElementType type) {
    node.add_input(input);
    onnx::ValueInfoProto& value = *graph.add_input();
    value.set_name(input);
    value.mutable_type()->mutable_tensor_type()->set_elem_type(static_cast<int>(type));
    value.mutable_type()->mutable_tensor_type()->mutable_shape();
  };
  add_input("x", x);
  add_input("scale", scale);
  if (zero_point) add_input("zero_point", *zero_point);
  node.add_output("y");
  graph.add_output()->set_name("y");
  if (output_dtype) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name("output_dtype");
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(static_cast<int>(*output_dtype));
  }
  return model;
}

ElementType output_type(OutputTypeRule rule, ElementType scale, OptionalType zero_point, OptionalType output_dtype) {
  switch (rule) {
    case OutputTypeRule::zero_point_else_uint8: return zero_point.value_or(ElementType::uint8);
    case OutputTypeRule::zero_point_else_output_dtype_else_uint8:
      return zero_point.value_or(output_dtype.value_or(ElementType::uint8));
    case OutputTypeRule::float32: return ElementType::float32;
    case OutputTypeRule::scale_type: return scale;
    case OutputTypeRule::output_dtype_else_scale_type: return output_dtype.value_or(scale);
  }
  throw std::logic_error("unknown rule");
}

TEST_P(SchemaOf, InfersTheOutputTypeByTheRuleOfTheTable) {
  const auto& [x, scale, zero_point] = row().inputs;
  const bool quantizes = row().op == Operator::quantize_linear;
  std::vector<OptionalType> output_dtypes{std::nullopt};
  if (row().attribute("output_dtype") != nullptr)
    output_dtypes.push_back(quantizes ? ElementType::int8 : ElementType::bfloat16);
  for (const ElementType scale_type : scale.types)
    for (const OptionalType zero_point_type : {OptionalType(), OptionalType(ElementType::int8)})
      for (const OptionalType output_dtype : output_dtypes) {
        const ElementType expected = output_type(row().output_type_rule, scale_type, zero_point_type, output_dtype);
        if (!contains(row().output.types, expected)) continue;  // a float8e8m0 scale without output_dtype
        const ElementType x_type = !quantizes                               ? ElementType::int8
                                   : x.type_variable == scale.type_variable ? scale_type
                                                                            : ElementType::int32;
        onnx::ModelProto model = model_of(row(), x_type, scale_type, zero_point_type, output_dtype);
        onnx::shape_inference::InferShapes(model);
        EXPECT_EQ(model.graph().output(0).type().tensor_type().elem_type(), static_cast<int>(expected))
            << name(scale_type) << (zero_point_type ? ", zero point" : "") << (output_dtype ? ", output_dtype" : "");
      }
}

INSTANTIATE_TEST_SUITE_P(Table, SchemaOf, ::testing::ValuesIn(versions_of_onnx()),
                         [](const auto& version) { return label(version.param); });

}  // namespace
}  // namespace touchstone::spec::schema_test
