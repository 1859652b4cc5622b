// The cases of the suite `graphs`: every model is legal for ONNX's checker, and every result is decided.
#include "conformance/graphs/graph_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "conformance/effort_testing.h"
#include "conformance/files/tensor_file.h"
#include "conformance/generate/checker_testing.h"
#include "conformance/graphs/graph_pairs.h"
#include "conformance/judge/oracle.h"
#include "conformance/judge/permitted_outcomes.h"
#include "reference/graph/graph_interpreter.h"

namespace touchstone::conformance::graph_cases_test {
namespace {

/// The recipes of legal graphs, or of those that violate a rule.
std::vector<GraphRecipe> recipes(Tier tier, bool legal = true) {
  std::vector<GraphRecipe> all = graph_recipes(tier, 0);
  std::erase_if(all, [&](const auto& recipe) { return (recipe.parameters.violation == Violation::none) != legal; });
  return all;
}

/// Complaints by their beginnings, with the first cases of each.
class Complaints {
 public:
  void add(const GraphRecipe& recipe, const std::string& said) {
    if (!said.empty() && ++counts_[said.substr(0, 60)] <= 3) ADD_FAILURE() << *recipe.id << ": " << said;
  }
  ~Complaints() {
    for (const auto& [said, count] : counts_) ADD_FAILURE() << count << " models: " << said;
  }

 private:
  std::map<std::string, std::size_t> counts_;
};

/// Legal graphs: at night those of the tier standard; by day those of the tier smoke, and one of seven of the others.
std::vector<GraphRecipe> tried_recipes() {
  std::set<SharedText> smoke;
  for (const GraphRecipe& recipe : recipes(Tier::smoke)) smoke.insert(recipe.id);
  std::vector<GraphRecipe> all = recipes(Tier::standard);
  std::size_t seen = 0;
  std::erase_if(all, [&](const GraphRecipe& recipe) { return !smoke.contains(recipe.id) && !is_tried(seen++, 7); });
  return all;
}

TEST(GraphCases, PassTheFullCheckOfOnnx) {
  Complaints complaints;
  for (const GraphRecipe& recipe : tried_recipes()) complaints.add(recipe, complaint(make_case(recipe).model.bytes));
}

/// The cases in which an element has two right codes, and why.
const std::map<std::string_view, std::string_view> undecided{
    {"graphs/dq_layer_normalization_ql/24/i8/f32/per_axis_first/no_zp/negative/other_scale/constant_nodes",
     "the exact quotient is -51.49999, and implementations may approximate the inverse root"},
};

/// No element is left open, and the bounds of each contain one code only.
TEST(GraphCases, HaveDecidedResults) {
  for (const GraphRecipe& recipe : tried_recipes()) {
    SCOPED_TRACE(*recipe.id);
    bool is_decided = true;
    for (const ReferenceOutcome& row : interpret(make_case(recipe))) {
      const reference::Result* result = row.outcome.result();
      ASSERT_NE(result, nullptr);
      for (std::size_t o = 0; o <= result->further.size(); ++o) {
        EXPECT_THAT(*unspecified_of(*result, o), testing::Each(false));
        const reference::CodeRange* range = range_of(*result, o);
        is_decided = is_decided && (range == nullptr || range->lowest == range->highest);
      }
    }
    EXPECT_EQ(is_decided, !undecided.contains(*recipe.id));
  }
}

/// The outcomes of the first data set under the primary readings and under each permitted one.
std::vector<reference::Outcome> outcomes_of(const Case& tested) {
  const std::vector<ReferenceOutcome> primary = interpret(tested);
  std::vector<reference::Outcome> outcomes{primary.front().outcome};
  for (const PermittedOutcome& permitted : permitted_outcomes(tested, primary))
    outcomes.push_back(permitted.outcomes.front());
  return outcomes;
}

/// A refusal only counts if the backend accepts the legal twin, which every reading must accept.
TEST(GraphCases, ThatViolateARuleAreRejectedByAllReadingsAndTheirTwinsByNone) {
  std::set<Violation> seen;
  for (const GraphRecipe& recipe : recipes(Tier::standard, false)) {
    SCOPED_TRACE(*recipe.id);
    seen.insert(recipe.parameters.violation);
    for (const reference::Outcome& outcome : outcomes_of(make_case(recipe))) EXPECT_NE(outcome.rejection(), nullptr);
    offer_control_candidates(recipe, [](const Case& twin) {
      for (const reference::Outcome& outcome : outcomes_of(twin))
        EXPECT_NE(outcome.result(), nullptr) << outcome.rejection()->reason;
      return true;
    });
  }
  EXPECT_EQ(seen.size(), violations.size());
}

/// A result that is the same everywhere, because all quotients are beyond the range, hides most defects. Those of
/// unsigned types with negative scales and without a zero point are, if the numbers are positive.
TEST(GraphCases, SeldomSaturateEverywhere) {
  std::size_t all = 0, saturated = 0;
  for (const GraphRecipe& recipe : recipes(Tier::smoke)) {
    const GraphParameters& p = recipe.parameters;
    const bool is_unsigned = spec::info(p.quantized).kind == spec::NumberKind::unsigned_integer;
    if (is_unsigned && p.is_negative() && !p.has_zero_point()) continue;
    const reference::Outcome outcome = interpret(make_case(recipe)).front().outcome;
    const reference::Tensor& y = outcome.result()->y;
    if (y.size() < 8) continue;
    ++all;
    bool is_constant = true;
    for (std::int64_t i = 1; i < y.size(); ++i) is_constant = is_constant && y.code(i) == y.code(0);
    if (is_constant) ++saturated;
  }
  EXPECT_GT(all, 1500U);
  EXPECT_LT(saturated, all / 60);
}

TEST(GraphCases, HaveUniqueIds) {
  std::set<std::string> ids;
  for (const GraphRecipe& recipe : graph_recipes(Tier::standard, 0))
    EXPECT_TRUE(ids.insert(std::string(*recipe.id)).second) << *recipe.id;
}

TEST(GraphCases, OfTheTierSmokeHaveAllPatterns) {
  std::set<std::string_view> missing;
  for (const Pattern& pattern : patterns()) missing.insert(pattern.name);
  for (const GraphRecipe& recipe : recipes(Tier::smoke)) missing.erase(recipe.pattern->name);
  EXPECT_THAT(missing, testing::IsEmpty());
}

/// An opset, and two parameters with their values, as numbers.
using PairsOfParameters = std::set<std::tuple<int, std::size_t, int, std::size_t, int>>;

void add_pairs(const GraphParameters& p, PairsOfParameters& pairs) {
  const std::array values{static_cast<int>(p.quantized),
                          static_cast<int>(p.number),
                          static_cast<int>(p.granularity),
                          static_cast<int>(p.has_zero_point()),
                          static_cast<int>(p.is_negative()),
                          static_cast<int>(p.second),
                          static_cast<int>(p.form - forms().data())};
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i + 1; j < values.size(); ++j) pairs.insert({p.opset, i, values[i], j, values[j]});
}

/// Every value of a parameter occurs with every value of another one, wherever a case of the pattern can have both.
TEST(GraphCases, OfTheTierStandardHaveAllPairsInEachPatternAndVersion) {
  const std::vector<GraphParameters> all = all_graph_parameters();
  std::map<decltype(Pattern::has), PairsOfParameters> possible;
  for (const Pattern& pattern : patterns())
    if (PairsOfParameters& pairs = possible[pattern.has]; pairs.empty())
      for (const GraphParameters& parameters : all)
        if (pattern.has(parameters)) add_pairs(parameters, pairs);
  std::map<std::string_view, PairsOfParameters> found;
  for (const GraphRecipe& recipe : recipes(Tier::standard)) add_pairs(recipe.parameters, found[recipe.pattern->name]);
  for (const Pattern& pattern : patterns()) EXPECT_EQ(found[pattern.name], possible[pattern.has]) << pattern.name;
}

/// The same across patterns for the zero points, axes and scales that vary from case to case.
TEST(GraphCases, OfTheTierStandardHaveAllPairsOfWhatVaries) {
  std::set<std::string> found;
  for (const GraphRecipe& recipe : recipes(Tier::standard))
    for (std::string& pair : graph_pairs_of(*recipe.id)) found.insert(std::move(pair));
  EXPECT_THAT(known_graph_pairs(), testing::ElementsAreArray(found));
}

TEST(GraphCases, HaveIdsThatNameTheirParameters) {
  for (const GraphRecipe& recipe : graph_recipes(Tier::standard, 0)) {
    const std::optional<GraphParameters> parameters = find_graph_parameters(*recipe.id);
    ASSERT_TRUE(parameters) << *recipe.id;
    EXPECT_TRUE(recipe.id->ends_with(to_string(*parameters))) << *recipe.id;
    EXPECT_EQ(parameters->violation, recipe.parameters.violation) << *recipe.id;
  }
  for (const char* id : {"graphs/ql_dq", "graphs/ql_dq/", "graphs/ql_dq/21/u8/f32/per_tensor/zp/positive/same",
                         "graphs/ql_dq/21/u8/f32/per_tensor/zp/positive/same/inputs/",
                         "graphs/ql_dq/+21/u8/f32/per_tensor/zp/positive/same/inputs",
                         "graphs/ql_dq/21/u8/f32/per_tensor/zero/positive/same/inputs",
                         "graphs/ql_dq/must_reject//21/u8/f32/per_tensor/zp/positive/same/inputs"})
    EXPECT_EQ(find_graph_parameters(id), std::nullopt) << id;
}

/// The patterns without a second shape, and why.
const std::map<std::string_view, std::string_view> patterns_of_one_shape{
    {"constant_dq_reshape", "the pattern does not use x"},
    {"constant_dq_transpose", "the pattern does not use x"},
    {"constant_dq_identity", "the pattern does not use x"},
    {"constant_dq_slice", "the pattern does not use x"},
    {"constant_dq_cast", "all operands are constants"},
    {"constant_ql_dq", "all operands are constants"},
    {"weight_for_two_nodes", "a constant has the shape of x"},
    {"scale_for_two_nodes", "a constant has the shape of x"},
    {"dq_add_unlike", "a constant has the shape of x"},
    {"dq_mul_unlike", "a constant has the shape of x"},
    {"dq_where_of_two", "a constant has the shape of x"},
    {"loop_ql_dq", "the body declares the shape"},
    {"scan_dq", "the body declares the shape"},
};

/// Those in which scales along some axis have the length of the only dimension that can vary.
const std::set<std::string_view> patterns_of_one_free_dimension{
    "empty_dq_ql",        "scale_for_two_axes",    "dq_split_default", "dq_split_default_ql",
    "dq_transpose_ranks", "dq_transpose_ranks_ql", "dq_softmax_ql",    "dq_softmax_default_ql"};

/// Plans and buffers of the first shape give wrong results for the second. Constant scales in blocks have the shape of
/// x.
TEST(GraphCases, WithSymbolicDimensionsRunAgainWithOtherShapes) {
  for (const GraphRecipe& recipe : recipes(Tier::smoke)) {
    if (recipe.parameters.form->dimensions == Dimensions::fixed) continue;
    SCOPED_TRACE(*recipe.id);
    const Case made = make_case(recipe);
    if (made.data_sets.size() == 1) {
      const bool is_along_axis = recipe.parameters.granularity == spec::Granularity::per_axis;
      EXPECT_TRUE(recipe.parameters.granularity == spec::Granularity::blocked ||
                  patterns_of_one_shape.contains(recipe.pattern->name) ||
                  (is_along_axis && patterns_of_one_free_dimension.contains(recipe.pattern->name)));
      continue;
    }
    ASSERT_EQ(made.data_sets.size(), 2U);
    const auto shape = [](const NamedTensor& input) { return input.value.shape(); };
    EXPECT_FALSE(std::ranges::equal(made.data_sets[0].inputs, made.data_sets[1].inputs, {}, shape, shape));
  }
}

TEST(GraphCases, HaveASecondShapeInEveryPatternButThoseOfOneShape) {
  std::set<std::string_view> missing, excepted;
  for (const Pattern& pattern : patterns()) missing.insert(pattern.name);
  for (const auto& [pattern, reason] : patterns_of_one_shape) excepted.insert(pattern);
  for (const GraphRecipe& recipe : recipes(Tier::standard)) {
    const bool is_symbolic = recipe.parameters.form->dimensions == Dimensions::symbolic;
    if (is_symbolic && missing.contains(recipe.pattern->name) && make_case(recipe).data_sets.size() > 1)
      missing.erase(recipe.pattern->name);
  }
  EXPECT_EQ(missing, excepted);
}

/// Whether the lengths of each input and initializer differ, apart from 1.
bool has_distinct_lengths(const Case& tested) {
  onnx::ModelProto model;
  model.ParseFromString(tested.model.bytes);
  const auto is_distinct = [](const auto& lengths) {
    std::set<std::int64_t> seen;
    return std::ranges::all_of(lengths, [&](std::int64_t length) { return length == 1 || seen.insert(length).second; });
  };
  return std::ranges::all_of(tested.data_sets.front().inputs,
                             [&](const NamedTensor& input) { return is_distinct(input.value.shape()); }) &&
         std::ranges::all_of(model.graph().initializer(),
                             [&](const onnx::TensorProto& tensor) { return is_distinct(tensor.dims()); });
}

/// Wrong axes give wrong shapes only if lengths differ.
TEST(GraphCases, HaveDistinctLengthsInEveryPattern) {
  std::set<std::string_view> missing;
  for (const Pattern& pattern : patterns()) missing.insert(pattern.name);
  for (const GraphRecipe& recipe : recipes(Tier::smoke))
    if (missing.contains(recipe.pattern->name) && has_distinct_lengths(make_case(recipe)))
      missing.erase(recipe.pattern->name);
  EXPECT_THAT(missing, testing::ElementsAre("scale_for_two_axes"));  // one vector fits both axes
}

TEST(GraphCases, HaveDequantizeLinearAndTransposeOfEveryRank) {
  std::set<std::size_t> ranks;
  for (const GraphRecipe& recipe : recipes(Tier::smoke)) {
    const Case made = make_case(recipe);
    const reference::Graph& graph = made.model.graph->graph;
    std::map<std::string, std::size_t> of_codes, of_numbers;  // of DequantizeLinear
    for (const NamedTensor& input : made.data_sets.front().inputs) of_codes[input.name] = input.value.shape().size();
    for (const auto& [name, tensor] : graph.initializers) of_codes[name] = tensor.shape().size();
    for (const reference::GraphNode& node : graph.nodes) {
      if (node.inputs.empty()) continue;
      const auto codes = of_codes.find(node.inputs[0]), numbers = of_numbers.find(node.inputs[0]);
      if (node.op_type == "DequantizeLinear" && codes != of_codes.end()) of_numbers[node.outputs[0]] = codes->second;
      if (node.op_type == "Transpose" && numbers != of_numbers.end()) ranks.insert(numbers->second);
    }
  }
  EXPECT_THAT(ranks, testing::ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
}

TEST(GraphCases, GiveAnotherScaleThanTheInitializer) {
  std::size_t seen = 0;
  for (const GraphRecipe& recipe : recipes(Tier::smoke)) {
    if (recipe.pattern->name != "replaced_scale") continue;
    const Case made = make_case(recipe);
    const NamedTensor& given = made.data_sets.front().inputs.at(1);
    onnx::ModelProto model;
    model.ParseFromString(made.model.bytes);
    const auto found = std::ranges::find(model.graph().initializer(), given.name, &onnx::TensorProto::name);
    ASSERT_NE(found, model.graph().initializer().end());
    EXPECT_NE(to_tensor(*found, "").code(0), given.value.code(0));
    ++seen;
  }
  EXPECT_GT(seen, 5U);
}

TEST(GraphCases, OfTheTierSmokeAreInTheTierStandard) {
  std::set<SharedText> standard;
  for (const GraphRecipe& recipe : graph_recipes(Tier::standard, 0)) standard.insert(recipe.id);
  for (const GraphRecipe& recipe : graph_recipes(Tier::smoke, 0))
    EXPECT_TRUE(standard.contains(recipe.id)) << *recipe.id;
}

TEST(GraphCases, KeepTheirIdsWithinTheLimitsOfForms) {
  const FormLimits limits{.constant_scales_only = true, .static_shapes_only = true};
  const std::vector<GraphRecipe> all = graph_recipes(Tier::smoke, 0), limited = graph_recipes(Tier::smoke, 0, limits);
  EXPECT_TRUE(std::ranges::equal(all, limited, {}, &GraphRecipe::id, &GraphRecipe::id));
}

TEST(GraphCases, KeepTheLimitsOfForms) {
  for (const GraphRecipe& recipe : graph_recipes(Tier::smoke, 0, {.constant_scales_only = true}))
    EXPECT_NE(recipe.parameters.form->parameters, Source::graph_input) << *recipe.id;
  for (const GraphRecipe& recipe : graph_recipes(Tier::smoke, 0, {.static_shapes_only = true}))
    EXPECT_EQ(recipe.parameters.form->dimensions, Dimensions::fixed) << *recipe.id;
}

TEST(GraphCases, HaveOtherValuesWithAnotherSeed) {
  const GraphRecipe one = graph_recipes(Tier::smoke, 0).front(), other = graph_recipes(Tier::smoke, 1).front();
  EXPECT_EQ(one.id, other.id);
  const auto bytes = [](const GraphRecipe& recipe) {
    const Case made = make_case(recipe);
    const auto data = made.data_sets.front().inputs.front().value.bytes();
    return std::vector<std::byte>(data.begin(), data.end());
  };
  EXPECT_NE(bytes(one), bytes(other));
}

}  // namespace
}  // namespace touchstone::conformance::graph_cases_test
