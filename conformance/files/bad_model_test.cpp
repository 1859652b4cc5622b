// Models that parse_model refuses: each names the file and the reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "conformance/files/limits.h"
#include "conformance/files/model_file.h"
#include "conformance/files/testing.h"

namespace touchstone::conformance::bad_model_test {
namespace {

using onnx::AttributeProto;
using onnx::ModelProto;
using onnx::TensorProto;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr auto origin = "dir/model.onnx";

struct BadModel {
  std::string name;
  std::function<void(ModelProto&)> corrupt;  ///< makes a valid model, whose only node is node 0, invalid
  std::string reason;
};

using Corrupt = std::function<void(ModelProto&)>;

Corrupt add_attribute(const AttributeProto& value) {
  return [=](ModelProto& model) { *model.mutable_graph()->mutable_node(0)->add_attribute() = value; };
}

/// Replaces the graph input "scale" by a Constant node.
Corrupt make_scale_constant(const AttributeProto& value) {
  return [=](ModelProto& model) {
    onnx::GraphProto& graph = *model.mutable_graph();
    graph.mutable_input()->DeleteSubrange(1, 1);
    *graph.add_node() = constant_node("scale", value);
    graph.mutable_node()->SwapElements(0, 1);
  };
}

Corrupt add_initializer(const TensorProto& tensor) {
  return [=](ModelProto& model) { *model.mutable_graph()->add_initializer() = tensor; };
}

TensorProto external(const std::string& name) {
  TensorProto tensor = float_tensor_proto(name, {});
  tensor.set_data_location(TensorProto::EXTERNAL);
  onnx::StringStringEntryProto& location = *tensor.add_external_data();
  location.set_key("location");
  location.set_value("../../etc/passwd");
  return tensor;
}

AttributeProto with(AttributeProto value, const std::function<void(AttributeProto&)>& change) {
  change(value);
  return value;
}

AttributeProto value_of(const TensorProto& tensor) {
  return with(attribute("value", AttributeProto::TENSOR), [&](auto& a) { *a.mutable_t() = tensor; });
}

const std::vector<BadModel> bad_models{
    {"too_many_inputs",
     [](ModelProto& m) {
       for (std::uint64_t i = 0; i < limits().inputs_per_node; ++i) m.mutable_graph()->mutable_node(0)->add_input("x");
     },
     "inputs; the limit is 16"},
    {"no_graph", [](ModelProto& m) { m.clear_graph(); }, "no graph: not an ONNX model"},
    {"function_without_a_name", [](ModelProto& m) { m.add_functions(); }, "function \"\": it has no name"},
    {"training_info", [](ModelProto& m) { m.add_training_info(); }, "training_info"},
    {"sparse_initializer", [](ModelProto& m) { m.mutable_graph()->add_sparse_initializer(); },
     "initializer has no name"},
    {"sparse_initializer_without_a_type",
     [](ModelProto& m) { m.mutable_graph()->add_sparse_initializer()->mutable_values()->set_name("s"); },
     "initializer \"s\": values: no data_type"},

    {"no_node", [](ModelProto& m) { m.mutable_graph()->clear_node(); },
     "graph output \"y\" is not defined in the graph"},
    {"only_constants",
     [](ModelProto& m) {
       *m.mutable_graph()->mutable_node(0) = constant_node("y", value_of(float_tensor_proto("", {1})));
     },
     "no QuantizeLinear or DequantizeLinear node"},
    {"second_node_without_outputs", [](ModelProto& m) { m.mutable_graph()->add_node()->set_op_type("Relu"); },
     "node 1 (\"Relu\"): the node has no outputs"},
    {"graph_without_the_operators",
     [](ModelProto& m) {
       m.mutable_graph()->mutable_node(0)->set_op_type("Add");
       onnx::NodeProto& node = *m.mutable_graph()->add_node();
       node.set_op_type("Relu");
       node.add_input("x");
       node.add_output("z");
     },
     "the graph has no QuantizeLinear or DequantizeLinear node"},
    {"too_many_nodes",
     [](ModelProto& m) {
       for (std::uint64_t i = 0; i < limits().nodes_per_model; ++i)
         m.mutable_graph()->add_node()->set_op_type("Constant");
     },
     "more than 4096 nodes (nodes_per_model)"},
    {"other_operator", [](ModelProto& m) { m.mutable_graph()->mutable_node(0)->set_op_type("Cast"); },
     "node 0 (\"Cast\"): not an operator that Touchstone knows: QuantizeLinear or DequantizeLinear"},
    {"no_operator", [](ModelProto& m) { m.mutable_graph()->mutable_node(0)->clear_op_type(); },
     "node 0 (\"\"): not an operator"},
    {"unknown_domain", [](ModelProto& m) { m.mutable_graph()->mutable_node(0)->set_domain("com.example"); },
     "no operators are known in domain \"com.example\"; known domains: ai.onnx, com.microsoft, opmx "
     "(onnx-opset-resolution)"},
    {"domain_without_import", [](ModelProto& m) { m.mutable_graph()->mutable_node(0)->set_domain("opmx"); },
     "no opset import of domain \"opmx\" (onnx-opset-resolution)"},
    {"constant_of_another_domain",
     [](ModelProto& m) {
       m.mutable_graph()->mutable_node(0)->set_op_type("Constant");
       m.mutable_graph()->mutable_node(0)->set_domain("com.example");
     },
     "no operators are known in domain \"com.example\""},

    {"no_import", [](ModelProto& m) { m.clear_opset_import(); },
     "no opset import of domain \"ai.onnx\" (onnx-opset-resolution)"},
    {"import_of_another_domain", [](ModelProto& m) { m.mutable_opset_import(0)->set_domain("com.example"); },
     "no opset import of domain \"ai.onnx\" (onnx-opset-resolution)"},
    {"two_imports", [](ModelProto& m) { m.add_opset_import()->set_version(13); },
     "two opset imports of domain \"ai.onnx\""},
    {"two_imports_by_two_names", [](ModelProto& m) { m.add_opset_import()->set_domain("ai.onnx"); },
     "two opset imports of domain \"ai.onnx\""},
    {"huge_opset", [](ModelProto& m) { m.mutable_opset_import(0)->set_version(std::int64_t{1} << 40); },
     "no such version as 1099511627776 (onnx-opset-resolution)"},
    {"hugely_negative_opset", [](ModelProto& m) { m.mutable_opset_import(0)->set_version(-(std::int64_t{1} << 40)); },
     "no such version as -1099511627776 (onnx-opset-resolution)"},

    {"no_outputs_of_node", [](ModelProto& m) { m.mutable_graph()->mutable_node(0)->clear_output(); },
     "node 0 (\"QuantizeLinear\"): the node has no outputs"},
    {"two_outputs_of_node", [](ModelProto& m) { m.mutable_graph()->mutable_node(0)->add_output("z"); },
     "node 0 (\"QuantizeLinear\"): 2 outputs"},
    {"output_without_name", [](ModelProto& m) { m.mutable_graph()->mutable_node(0)->set_output(0, ""); },
     "graph output \"y\" is not defined in the graph"},
    {"output_is_input", [](ModelProto& m) { m.mutable_graph()->mutable_node(0)->set_output(0, "x"); },
     "node 0 (\"QuantizeLinear\"): output \"x\": this name is already defined"},
    {"no_graph_output", [](ModelProto& m) { m.mutable_graph()->clear_output(); }, "the graph has no outputs"},
    {"two_graph_outputs", [](ModelProto& m) { m.mutable_graph()->add_output()->set_name("x"); }, "2 graph outputs"},
    {"other_graph_output", [](ModelProto& m) { m.mutable_graph()->mutable_output(0)->set_name("x"); },
     "graph output \"x\" is not the node's output, \"y\""},

    {"graph_input_without_name", [](ModelProto& m) { m.mutable_graph()->add_input(); }, "graph input has no name"},
    {"graph_input_twice", [](ModelProto& m) { m.mutable_graph()->add_input()->set_name("x"); },
     "graph input \"x\" is listed twice"},
    {"input_from_nowhere", [](ModelProto& m) { m.mutable_graph()->mutable_node(0)->set_input(1, "elsewhere"); },
     "node 0 (\"QuantizeLinear\"): input \"elsewhere\" is not a graph input"},
    {"input_is_own_output", [](ModelProto& m) { m.mutable_graph()->mutable_node(0)->set_input(1, "y"); },
     "input \"y\" is not a graph input"},
    {"constant_after_its_use",
     [](ModelProto& m) {
       make_scale_constant(value_of(float_tensor_proto("", {1})))(m);
       m.mutable_graph()->mutable_node()->SwapElements(0, 1);
     },
     "node 0 (\"QuantizeLinear\"): input \"scale\" is not a graph input, an initializer or an output of an earlier "
     "node"},

    {"initializer_twice",
     [](ModelProto& m) {
       add_initializer(float_tensor_proto("scale", {1}))(m);
       add_initializer(float_tensor_proto("scale", {2}))(m);
     },
     "initializer \"scale\": this name is already defined"},
    {"initializer_without_name", add_initializer(float_tensor_proto("", {1})), "initializer has no name"},
    {"initializer_is_output", add_initializer(float_tensor_proto("y", {1})),
     "output \"y\": this name is already defined"},
    {"initializer_external", add_initializer(external("scale")),
     "initializer \"scale\": its data is external; Touchstone never opens a path that a model names"},
    {"initializer_corrupted",
     [](ModelProto& m) {
       add_initializer(float_tensor_proto("scale", {1}))(m);
       m.mutable_graph()->mutable_initializer(0)->add_dims(2);
     },
     "initializer \"scale\": float_data has 1 entries; a tensor of type float and shape [1, 2] needs 2"},

    {"attribute_without_name", add_attribute(attribute("", AttributeProto::INT)), "an attribute has no name"},
    {"attribute_without_type",
     add_attribute(with(attribute("axis", AttributeProto::INT),
                        [](auto& a) {
                          a.clear_type();
                          a.set_i(1);
                        })),
     "attribute \"axis\" has no type that ONNX defines"},
    {"attribute_of_function",
     add_attribute(with(attribute("axis", AttributeProto::INT), [](auto& a) { a.set_ref_attr_name("outer"); })),
     "attribute \"axis\" refers to an attribute of a function"},
    {"attribute_twice",
     [](ModelProto& m) {
       add_attribute(attribute("axis", AttributeProto::INT))(m);
       add_attribute(attribute("axis", AttributeProto::FLOAT))(m);
     },
     "attribute \"axis\" is given twice"},
    {"attribute_with_another_value",
     add_attribute(with(attribute("axis", AttributeProto::INT), [](auto& a) { a.add_ints(1); })),
     "attribute \"axis\" is of type INT, but has a value in ints"},
    {"attribute_with_two_values",
     add_attribute(with(attribute("axis", AttributeProto::INT),
                        [](auto& a) {
                          a.set_i(1);
                          a.set_f(1);
                        })),
     "attribute \"axis\" is of type INT, but has a value in f"},

    {"constant_external", make_scale_constant(value_of(external(""))),
     "node 0 (\"Constant\"): attribute \"value\": its data is external; Touchstone never opens a path that a model "
     "names"},
    {"constant_corrupted", make_scale_constant(attribute("value", AttributeProto::TENSOR)), "no data_type"},
    {"constant_of_another_type", make_scale_constant(attribute("value_int", AttributeProto::FLOAT)),
     "attribute \"value_int\" is of type FLOAT, not INT"},
    {"constant_sparse", make_scale_constant(attribute("sparse_value", AttributeProto::SPARSE_TENSOR)),
     "node 0 (\"Constant\"): attribute \"sparse_value\": values: no data_type"},
    {"constant_string", make_scale_constant(attribute("value_string", AttributeProto::STRING)),
     "attribute \"value_string\" is not supported"},
    {"constant_strings", make_scale_constant(attribute("value_strings", AttributeProto::STRINGS)),
     "a Constant node needs value, sparse_value, value_float, value_floats, value_int or value_ints"},
    {"constant_without_attribute",
     [](ModelProto& m) {
       make_scale_constant({})(m);
       m.mutable_graph()->mutable_node(0)->clear_attribute();
     },
     "node 0 (\"Constant\"): 0 attributes; a Constant node has one"},
    {"constant_with_two_attributes",
     [](ModelProto& m) {
       make_scale_constant(attribute("value_int", AttributeProto::INT))(m);
       *m.mutable_graph()->mutable_node(0)->add_attribute() = attribute("value_float", AttributeProto::FLOAT);
     },
     "2 attributes"},
    {"constant_with_input",
     [](ModelProto& m) {
       make_scale_constant(attribute("value_int", AttributeProto::INT))(m);
       m.mutable_graph()->mutable_node(0)->add_input("x");
     },
     "a Constant node has no inputs"},
    {"constant_without_output",
     [](ModelProto& m) {
       make_scale_constant(attribute("value_int", AttributeProto::INT))(m);
       m.mutable_graph()->mutable_node(0)->clear_output();
     },
     "node 0 (\"Constant\"): the node has no outputs"},
    {"constant_without_name",
     [](ModelProto& m) {
       make_scale_constant(attribute("value_int", AttributeProto::INT))(m);
       m.mutable_graph()->mutable_node(0)->set_output(0, "");
       m.mutable_graph()->mutable_node(1)->set_input(1, "");
     },
     "node 0 (\"Constant\"): its output has no name"},
    {"constant_is_graph_input",
     [](ModelProto& m) {
       make_scale_constant(attribute("value_int", AttributeProto::INT))(m);
       m.mutable_graph()->add_input()->set_name("scale");
     },
     "node 0 (\"Constant\"): output \"scale\": this name is already defined"},
};

class BadModels : public ::testing::TestWithParam<BadModel> {};

TEST_P(BadModels, AreRefusedWithFileAndReason) {
  ModelProto model = operator_model("QuantizeLinear", {"x", "scale", "zero_point"});
  ASSERT_NO_THROW(parse_model(model.SerializeAsString(), origin));
  GetParam().corrupt(model);
  EXPECT_THAT(failure_of([&] { parse_model(model.SerializeAsString(), origin); }),
              AllOf(HasSubstr(origin), HasSubstr(GetParam().reason)));
}

INSTANTIATE_TEST_SUITE_P(All, BadModels, ::testing::ValuesIn(bad_models),
                         [](const auto& bad) { return bad.param.name; });

}  // namespace
}  // namespace touchstone::conformance::bad_model_test
