// The forms of generated cases: every group of cells occurs in every form, and models match their forms.
#include "conformance/generate/form.h"

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <set>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "conformance/generate/legal_cases.h"
#include "conformance/generate/model_builder.h"

namespace touchstone::conformance::form_test {
namespace {

using spec::Operator;

/// Every quantized type, granularity and presence of a zero point of a version occurs in every form that it can have.
TEST(FormCases, ExistForEveryGroupOfCells) {
  const auto group = [](const Cell& cell) {
    return std::tuple(cell.version->domain, cell.version->op, cell.version->since_version, cell.quantized_type(),
                      cell.granularity, cell.zero_point);
  };
  std::set<std::pair<decltype(group(Cell{})), std::string_view>> found;
  for (const Recipe& recipe : all_recipes(0)) found.emplace(group(recipe.cell), recipe.form->name);
  for (const spec::OperatorVersion& version : spec::operator_versions)
    for (const Cell& cell : legal_cells(version))
      for (const Form& form : forms())
        if (suits(form, cell)) {
          ASSERT_TRUE(found.contains({group(cell), form.name})) << to_string(cell) << ' ' << form.name;
        }
}

/// A graph input where the page expects a constant is a separate form. In other forms a backend could otherwise refuse
/// every case.
TEST(Forms, HaveConstantsWhereThePageRequiresThem) {
  std::size_t seen = 0;
  for (const Recipe& recipe : all_recipes(0)) {
    if (recipe.cell.version->domain != spec::opmx || recipe.id->find("/form/") != std::string::npos) continue;
    EXPECT_NE(recipe.form->parameters, Source::graph_input) << *recipe.id;
    ++seen;
  }
  EXPECT_GT(seen, 48U) << "the case of every cell, and others";
}

TEST(Forms, PlaceOperandsAsNamed) {
  Recipe recipe = cell_recipes(0).back();  // the newest version of DequantizeLinear
  for (const Recipe& other : cell_recipes(0))
    if (to_string(other.cell) == "quantize_linear/25/f32-f32-i4/blocked/zp") recipe = other;
  for (const Form& form : forms()) {
    if (!suits(form, recipe.cell)) continue;
    recipe.form = &form;
    const Case made = make_case(recipe);
    onnx::ModelProto model;
    ASSERT_TRUE(model.ParseFromString(made.model.bytes));
    const onnx::GraphProto& graph = model.graph();
    const int constants = (form.x != Source::graph_input ? 1 : 0) + (form.parameters != Source::graph_input ? 2 : 0);
    EXPECT_EQ(graph.input_size(), 3 - constants) << form.name;
    EXPECT_EQ(graph.initializer_size() + graph.node_size() - 1, constants) << form.name;
    EXPECT_EQ(graph.node_size() > 1, form.parameters == Source::constant_node) << form.name;
    for (const onnx::TensorProto& tensor : graph.initializer())
      EXPECT_EQ(tensor.has_raw_data(), form.storage != Storage::typed_field) << form.name;
    for (const onnx::ValueInfoProto& input : graph.input())
      for (const auto& dimension : input.type().tensor_type().shape().dim())
        EXPECT_EQ(dimension.has_dim_param(), form.dimensions == Dimensions::symbolic) << form.name;
    // The node does not depend on the form.
    recipe.form = &plain_form();
    const reference::Node plain = make_node(recipe);
    const reference::Node bound = bind_inputs(made.model, made.data_sets[0].inputs);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(bound.inputs[i]->bytes().size(), plain.inputs[i]->bytes().size());
    for (std::int64_t i = 0; i < plain.inputs[2]->size(); ++i)
      EXPECT_EQ(bound.inputs[2]->code(i), plain.inputs[2]->code(i)) << form.name;
  }
}

TEST(Models, AreOfDomainsThatHaveOperators) {
  reference::Node node = make_node(cell_recipes(0).front());
  node.domain = "org.example";
  EXPECT_THROW(model_file(node, plain_form(), spec::ElementType::uint8, {2, 4}), std::invalid_argument);
}

/// The packed operand of a model whose operands are all initializers: x of DequantizeLinear, or the zero point.
onnx::TensorProto packed_operand(const Case& made) {
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromString(made.model.bytes)) << made.id;
  return model.graph().initializer(made.model.node.op == Operator::dequantize_linear ? 0 : 2);
}

/// The bits after the last element are set here, and clear in the other form, so a backend that reads them fails.
TEST(Forms, WithGarbageHavePaddingAndSetIt) {
  std::size_t seen = 0;
  for (Recipe& recipe : all_recipes(0)) {
    if (recipe.form->storage != Storage::raw_data_with_garbage) continue;
    ++seen;
    recipe.runs_again = false;
    const onnx::TensorProto garbage = packed_operand(make_case(recipe));
    recipe.form = &form_named("all_constant");
    const onnx::TensorProto clean = packed_operand(make_case(recipe));
    const std::vector<std::int64_t> shape(clean.dims().begin(), clean.dims().end());
    const auto used =
        static_cast<int>(*reference::element_count(shape) * spec::info(recipe.cell.quantized_type()).bits % 8);
    ASSERT_NE(used, 0) << *recipe.id << " has no padding";
    const unsigned padding = 0xffU << used & 0xffU;
    const auto last_byte = [](const onnx::TensorProto& tensor) {
      return static_cast<unsigned>(static_cast<unsigned char>(tensor.raw_data().back()));
    };
    EXPECT_EQ(last_byte(clean) & padding, 0U) << *recipe.id;
    EXPECT_EQ(last_byte(garbage), last_byte(clean) | padding) << *recipe.id;
  }
  EXPECT_GT(seen, 300U);
}

}  // namespace
}  // namespace touchstone::conformance::form_test
