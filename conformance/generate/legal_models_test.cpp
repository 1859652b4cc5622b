// ONNX's checker, with strict inference of types and shapes, accepts all legal generated models.
#include <gtest/gtest.h>
#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <map>
#include <set>
#include <string>

#include "conformance/effort_testing.h"
#include "conformance/generate/checker_testing.h"
#include "conformance/generate/form.h"
#include "conformance/generate/legal_cases.h"
#include "spec/opset.h"

namespace touchstone::conformance::legal_models_test {
namespace {

void expect_no_complaint(const std::vector<Recipe>& recipes) {
  std::map<std::string, std::size_t> complaints;
  std::size_t seen = 0;
  for (Recipe recipe : recipes) {
    if (recipe.cell.version->domain != spec::ai_onnx) continue;
    ++seen;
    recipe.runs_again = false;
    const std::string said = complaint(make_case(recipe).model.bytes);
    if (said.empty()) continue;
    if (++complaints[said.substr(0, 60)] <= 3) ADD_FAILURE() << *recipe.id << ": " << said;
  }
  for (const auto& [said, count] : complaints) ADD_FAILURE() << count << " models: " << said;
  EXPECT_GT(seen, 300U);
}

TEST(LegalModels, OfTheTierSmokePassTheFullCheckOfOnnx) { expect_no_complaint(smoke_recipes(0)); }

/// By day, one of seven cases.
TEST(LegalModels, OfTheTierStandardPassTheFullCheckOfOnnx) {
  std::vector<Recipe> recipes = all_recipes(0);
  std::size_t seen = 0;
  std::erase_if(recipes, [&](const Recipe&) { return !is_tried(seen++, 7); });
  expect_no_complaint(recipes);
}

/// The check is effective: the same model with a wrong output type fails it.
TEST(LegalModels, FailWithAnotherOutputType) {
  const std::string bytes = make_case(smoke_recipes(0).front()).model.bytes;
  onnx::ModelProto model;
  ASSERT_TRUE(model.ParseFromString(bytes));
  model.mutable_graph()->mutable_output(0)->mutable_type()->mutable_tensor_type()->set_elem_type(
      onnx::TensorProto::DOUBLE);
  EXPECT_NE(complaint(model.SerializeAsString()), "");
}

TEST(Constants, SupportTheTypesInTheSchemaOfConstant) {
  for (int opset = spec::oldest_opset; opset <= spec::newest_opset; ++opset) {
    const onnx::OpSchema* schema = onnx::OpSchemaRegistry::Schema("Constant", opset, "");
    ASSERT_NE(schema, nullptr);
    std::set<std::string> types;
    for (const onnx::DataType type : schema->outputs()[0].GetTypes()) types.insert(*type);
    for (const spec::ElementTypeInfo& row : spec::element_types) {
      if (row.carrier) continue;
      EXPECT_EQ(constant_can_hold(row.type, opset), types.contains("tensor(" + std::string(row.name) + ")"))
          << row.name << " at opset " << opset;
    }
  }
}

}  // namespace
}  // namespace touchstone::conformance::legal_models_test
