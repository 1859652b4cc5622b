// Graphs in files: what is read, and the errors for what is not a graph.
#include "conformance/files/graph_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "conformance/files/file_error.h"
#include "conformance/files/limits.h"
#include "conformance/files/model_file.h"

namespace touchstone::conformance::graph_file_test {
namespace {

using onnx::AttributeProto;
using onnx::FunctionProto;
using onnx::GraphProto;
using onnx::ModelProto;
using onnx::NodeProto;
using testing::ElementsAre;
using testing::HasSubstr;

template <class Parent>
NodeProto& add_node(Parent& parent, const std::string& op, const std::vector<std::string>& inputs,
                    const std::vector<std::string>& outputs) {
  NodeProto& node = *parent.add_node();
  node.set_op_type(op);
  for (const std::string& name : inputs) node.add_input(name);
  for (const std::string& name : outputs) node.add_output(name);
  return node;
}

/// x -> Relu -> a -> Relu -> y
ModelProto chain() {
  ModelProto model;
  model.add_opset_import()->set_version(21);
  GraphProto& graph = *model.mutable_graph();
  graph.add_input()->set_name("x");
  add_node(graph, "Relu", {"x"}, {"a"});
  add_node(graph, "Relu", {"a"}, {"y"});
  graph.add_output()->set_name("y");
  return model;
}

/// The error of reading the model; empty if there is none.
std::string error_of(const ModelProto& model) {
  try {
    to_graph_model(model, "model");
    return "";
  } catch (const FileError& error) {
    return error.what();
  }
}

FunctionProto& add_function(ModelProto& model, const std::string& name, const std::string& calls) {
  FunctionProto& function = *model.add_functions();
  function.set_name(name);
  function.set_domain("local");
  function.add_input("a");
  function.add_output("b");
  add_node(function, calls, {"a"}, {"b"}).set_domain(calls == "Relu" ? "" : "local");
  function.add_opset_import()->set_version(21);
  return function;
}

TEST(GraphFile, ReadsNodesAndTheirNames) {
  const reference::GraphModel model = to_graph_model(chain(), "model");
  EXPECT_EQ(model.opsets.at("ai.onnx"), 21);
  EXPECT_THAT(model.graph.inputs, ElementsAre("x"));
  EXPECT_THAT(model.graph.outputs, ElementsAre("y"));
  ASSERT_EQ(model.graph.nodes.size(), 2u);
  EXPECT_EQ(model.graph.nodes[0].domain, "ai.onnx");
  EXPECT_EQ(model.graph.nodes[1].op_type, "Relu");
  EXPECT_THAT(model.graph.nodes[1].inputs, ElementsAre("a"));
}

TEST(GraphFile, ReadsBranchesThatUseOuterValues) {
  ModelProto model = chain();
  NodeProto& node = add_node(*model.mutable_graph(), "If", {"x"}, {"z"});
  AttributeProto& attribute = *node.add_attribute();
  attribute.set_name("then_branch");
  attribute.set_type(AttributeProto::GRAPH);
  add_node(*attribute.mutable_g(), "Relu", {"a"}, {"inner"});
  attribute.mutable_g()->add_output()->set_name("inner");
  const reference::GraphModel read = to_graph_model(model, "model");
  const auto& branch = read.graph.nodes[2].attributes.at("then_branch");
  EXPECT_THAT(std::get<std::shared_ptr<const reference::Graph>>(branch)->outputs, ElementsAre("inner"));
}

TEST(GraphFile, TakesAModelOfOneLoopForAGraph) {
  for (const char* type : {"Loop", "Scan"}) {
    ModelProto model = chain();
    model.mutable_graph()->clear_node();
    AttributeProto& attribute = *add_node(*model.mutable_graph(), type, {"x", "", "x"}, {"y"}).add_attribute();
    attribute.set_name("body");
    attribute.set_type(AttributeProto::GRAPH);
    add_node(*attribute.mutable_g(), "DequantizeLinear", {"x", "x"}, {"inner"});
    attribute.mutable_g()->add_output()->set_name("inner");
    EXPECT_NE(parse_model(model.SerializeAsString(), "model").graph, nullptr) << type;
  }
}

TEST(GraphFile, ReadsFunctionsThatCallOthers) {
  ModelProto model = chain();
  add_function(model, "outer", "inner");
  add_function(model, "inner", "Relu");
  EXPECT_EQ(to_graph_model(model, "model").functions.size(), 2u);
}

TEST(GraphFile, RefusesACycle) {
  ModelProto model = chain();
  model.mutable_graph()->mutable_node(0)->set_input(0, "y");
  EXPECT_THAT(error_of(model), HasSubstr("node 0 (\"Relu\"): input \"y\" is not a graph input, an initializer or an "
                                         "output of an earlier node"));
}

TEST(GraphFile, RefusesNamesThatAreNotDefined) {
  ModelProto model = chain();
  model.mutable_graph()->mutable_output(0)->set_name("nowhere");
  EXPECT_THAT(error_of(model), HasSubstr("graph output \"nowhere\" is not defined"));
}

TEST(GraphFile, RefusesNamesThatAreDefinedTwice) {
  ModelProto model = chain();
  model.mutable_graph()->mutable_node(1)->set_output(0, "a");
  EXPECT_THAT(error_of(model), HasSubstr("\"a\": this name is already defined"));
}

TEST(GraphFile, RefusesTooManyNodes) {
  ModelProto model = chain();
  for (std::uint64_t i = 0; i < limits().nodes_per_model; ++i)
    add_node(*model.mutable_graph(), "Relu", {"x"}, {"v" + std::to_string(i)});
  EXPECT_THAT(error_of(model), HasSubstr("nodes_per_model"));
}

TEST(GraphFile, RefusesFunctionsThatCallThemselves) {
  ModelProto model = chain();
  add_function(model, "one", "two");
  add_function(model, "two", "one");
  EXPECT_THAT(error_of(model), HasSubstr("calls itself"));
}

/// A search from each function would take minutes.
TEST(GraphFile, ReadsALongChainOfFunctions) {
  ModelProto model = chain();
  constexpr int count = 4000;
  for (int i = 0; i < count; ++i) add_function(model, fmt::format("f{}", i), fmt::format("f{}", i + 1));
  EXPECT_EQ(to_graph_model(model, "model").functions.size(), count);
  add_function(model, fmt::format("f{}", count), "f0");
  EXPECT_THAT(error_of(model), HasSubstr("calls itself"));
}

TEST(GraphFile, RefusesTwoFunctionsOfOneName) {
  ModelProto model = chain();
  add_function(model, "one", "Relu");
  add_function(model, "one", "Relu");
  EXPECT_THAT(error_of(model), HasSubstr("function \"one\": this name is already defined"));
}

}  // namespace
}  // namespace touchstone::conformance::graph_file_test
