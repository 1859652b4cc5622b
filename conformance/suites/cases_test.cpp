// The generated cases: none is missing, and each matches its id.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/generate/cover.h"
#include "conformance/generate/illegal_cases.h"
#include "conformance/generate/legal_cases.h"
#include "conformance/generate/stored_tensor.h"
#include "conformance/suites/suites.h"
#include "reference/interpreter.h"
#include "spec/opset.h"

namespace touchstone::conformance::cases_test {
namespace {

using spec::Operator;

TEST(Plan, HasUniqueIdsAndIsTheSameEveryTime) {
  const std::vector<PlannedCase> plan = plan_generated_suite({});
  std::set<std::string> ids;
  for (const PlannedCase& planned : plan) EXPECT_TRUE(ids.insert(planned.id).second) << *planned.id;
  EXPECT_EQ(plan_hash(plan, "standard", 0), plan_hash(plan_generated_suite({}), "standard", 0));
  EXPECT_NE(plan_hash(plan, "standard", 0), plan_hash(plan, "standard", 1));
}

TEST(Plan, DealsOtherDataForAnotherSeed) {
  const Recipe zero = cell_recipes(0).front();
  const Recipe one = cell_recipes(1).front();
  EXPECT_EQ(make_case(zero).model.bytes, make_case(zero).model.bytes);
  EXPECT_EQ(zero.cell, one.cell);
  int different = 0;
  const std::vector<Recipe> zeros = cell_recipes(0);
  const std::vector<Recipe> ones = cell_recipes(1);
  for (std::size_t i = 0; i < zeros.size(); i += 1000)
    if (make_case(zeros[i]).model.bytes != make_case(ones[i]).model.bytes) ++different;
  EXPECT_GT(different, 10);
}

TEST(CellCases, AreOneForEveryLegalCellWithEnoughElements) {
  std::set<Cell> cells;
  for (const Recipe& recipe : cell_recipes(0)) {
    EXPECT_TRUE(cells.insert(recipe.cell).second) << *recipe.id;
    EXPECT_GE(recipe.geometry->elements(), 48) << *recipe.id;
  }
  EXPECT_EQ(cells.size(), count_legal_cells());
}

TEST(OpsetCases, ExistForEveryOpsetAndQuantizedType) {
  std::set<std::tuple<std::string_view, Operator, int, spec::ElementType>> met;
  for (const Recipe& recipe : all_recipes(0))
    met.emplace(recipe.cell.version->domain, recipe.cell.version->op, recipe.opset, recipe.cell.quantized_type());
  for (const Operator op : {Operator::quantize_linear, Operator::dequantize_linear})
    for (const spec::Opset& opset : spec::opsets) {
      const spec::OperatorVersion* version = spec::resolve(opset.domain, op, opset.number);
      if (version == nullptr) continue;  // opmx has only one operator
      for (const Cell& cell : legal_cells(*version))
        EXPECT_TRUE(met.contains({opset.domain, op, opset.number, cell.quantized_type()}))
            << opset.number << to_string(cell);
    }
}

/// As exporters do: models import the operator's own domain, and ai.onnx, which has Constant.
TEST(Models, ImportTheirDomainAndOnnx) {
  std::set<std::string_view> domains;
  for (const Recipe& recipe : cell_recipes(0)) {
    const std::string_view domain = recipe.cell.version->domain;
    if (domain == spec::ai_onnx || recipe.cell.granularity != spec::Granularity::per_tensor) continue;
    onnx::ModelProto model;
    ASSERT_TRUE(model.ParseFromString(make_case(recipe).model.bytes));
    std::map<std::string, std::int64_t> imports;
    for (const auto& import : model.opset_import()) imports[import.domain()] = import.version();
    EXPECT_EQ(imports, (std::map<std::string, std::int64_t>{{"", 22}, {std::string(domain), 1}})) << *recipe.id;
    EXPECT_EQ(model.graph().node(model.graph().node_size() - 1).domain(), domain);
    domains.insert(domain);
  }
  EXPECT_EQ(domains.size(), 2U);
}

/// The page gives a formula for packed data. This checks one element by hand: rows 1, 2, 3 and 15 of the first column.
TEST(Carrier, HoldsFourRowsWithTheFirstInTheLowestBits) {
  using spec::ElementType;
  const auto rows = reference::Tensor::from_codes(ElementType::int4x4, {8, 2},
                                                  std::vector<std::uint64_t>{1, 8, 2, 8, 3, 8, 15, 8,  //
                                                                             0, 4, 0, 5, 0, 6, 9, 7});
  const reference::Tensor packed = in_carrier(rows);
  EXPECT_EQ(packed.type(), ElementType::int16);
  EXPECT_EQ(packed.shape(), (reference::Shape{2, 2}));
  const std::vector<std::uint64_t> expected{0xF321, 0x8888, 0x9000, 0x7654};
  for (std::int64_t i = 0; i < packed.size(); ++i) EXPECT_EQ(packed.code(i), expected[static_cast<std::size_t>(i)]);
  EXPECT_EQ(out_of_carrier(packed.shape(), ElementType::int4x4), rows.shape());
  EXPECT_EQ(in_carrier(packed).shape(), packed.shape()) << "a type without a carrier is left as it is";
}

TEST(Int32ZeroPoints, ExistForEveryCellThatMayHaveThem) {
  std::set<Cell> found;
  for (const Recipe& recipe : all_recipes(0))
    if (recipe.values == Values::int32_zero_point) found.insert(recipe.cell);
  for (const spec::OperatorVersion& version : spec::operator_versions)
    for (const Cell& cell : legal_cells(version)) {
      const bool is_of_microsoft = version.domain == spec::com_microsoft;
      EXPECT_EQ(found.contains(cell), is_of_microsoft && cell.zero_point == spec::ElementType::int32)
          << to_string(cell);
    }
}

/// Every reading of the sum's rounding that can differ does: float32 quotients reveal a sum rounded to float32, float16
/// and bfloat16 quotients a sum rounded to their type. Sums of the latter are float32 numbers where they matter. Before
/// version 23 both are divided in float32, and quotients of numbers with so few bits are not that close to a midpoint.
TEST(FloatZeroPoints, ShowTheTypeToWhichTheSumIsRounded) {
  using A = spec::FloatZeroPointSum;
  std::set<std::tuple<int, spec::ElementType, spec::ElementType>> revealed;
  for (const Recipe& recipe : all_recipes(0)) {
    if (recipe.values != Values::float_zero_point || recipe.cell.version->op != spec::Operator::quantize_linear)
      continue;
    const reference::Node node = make_node(recipe);
    const auto y = [&](A::Reading reading) {
      const reference::Outcome outcome = reference::interpret(node, reference::Policy{}.with<A>(reading));
      const auto bytes = outcome.result()->y.bytes();
      return std::vector<std::byte>(bytes.begin(), bytes.end());
    };
    const auto once = y(A::only_to_output_type);
    const auto in_division_type = y(A::in_division_type);
    const auto in_wider_type = y(A::in_wider_type);
    const bool in_float32 = recipe.cell.scale == spec::ElementType::float32;
    EXPECT_EQ(in_wider_type, in_float32 ? in_division_type : once) << *recipe.id;
    if (once != in_division_type)
      revealed.emplace(recipe.cell.version->since_version, recipe.cell.scale, recipe.cell.y);
  }
  using enum spec::ElementType;
  for (const spec::OperatorVersion& version : spec::operator_versions)
    for (const spec::ElementType y : version.output.types) {
      if (version.op != spec::Operator::quantize_linear || spec::is_integer(y)) continue;
      for (const spec::ElementType division : {float32, float16, bfloat16}) {
        if (division != float32 && version.since_version < 23) continue;
        EXPECT_TRUE(revealed.contains({version.since_version, division, y}))
            << version.since_version << ' ' << spec::name(division) << ' ' << spec::name(y);
      }
    }
}

TEST(SecondRuns, HaveOtherDataAndThenTheFirstDataAgain) {
  std::size_t other_scales = 0;
  const std::vector<Recipe> recipes = cell_recipes(0);
  for (std::size_t i = 0; i < recipes.size(); i += 500) {
    const Case made = make_case(recipes[i]);
    const std::vector<DataSet>& sets = made.data_sets;
    if (recipes[i].form->x == Source::graph_input)
      ASSERT_GE(sets.size(), 3U) << made.id;
    else
      ASSERT_EQ(sets.size(), 2U) << made.id;
    EXPECT_EQ(sets.back().repeats, std::optional<std::size_t>(0)) << made.id;
    for (std::size_t other = 1; other + 1 < sets.size(); ++other)
      EXPECT_EQ(sets[other].repeats, std::nullopt) << made.id;
    if (sets.size() == 2 || sets[1].inputs.size() < 2) continue;
    const auto scale = [&](std::size_t set) { return sets[set].inputs[1].value.code(0); };
    if (scale(0) != scale(1)) ++other_scales;
  }
  EXPECT_GT(other_scales, 5U);
}

/// A backend must not keep sizes and strides of the first run if dimensions are symbolic. The third run has the first
/// shape again.
TEST(SecondRuns, HaveAnotherShapeIfDimensionsAreSymbolic) {
  std::set<std::tuple<Operator, spec::Granularity, std::string_view>> found;
  for (const Recipe& recipe : smoke_recipes(0)) {
    if (recipe.cell.version->domain != spec::ai_onnx || recipe.geometry->x.empty() || !recipe.runs_again) continue;
    const bool is_symbolic = recipe.form->dimensions == Dimensions::symbolic;
    if (recipe.form->x != Source::graph_input) continue;
    const std::vector<DataSet> sets = make_case(recipe).data_sets;
    const auto shape = [&](std::size_t set) { return sets[set].inputs[0].value.shape(); };
    EXPECT_EQ(shape(sets.size() - 1), recipe.geometry->x) << *recipe.id;
    if (shape(1) == shape(0)) continue;
    EXPECT_TRUE(is_symbolic) << *recipe.id;
    found.emplace(recipe.cell.version->op, recipe.cell.granularity, recipe.form->name);
  }
  EXPECT_EQ(found.size(), 12U) << "two operators, three granularities, and two symbolic forms";
}

/// Constant scales determine the number of channels: 5.
TEST(SecondRuns, KeepTheDimensionsOfConstants) {
  const Cell& cell = legal_cells(*spec::resolve(spec::ai_onnx, Operator::quantize_linear, 13)).back();
  ASSERT_EQ(cell.granularity, spec::Granularity::per_axis);
  const Geometry geometry{spec::Granularity::per_axis, {3, 5}, 1};
  const auto second_shape = [&](const char* form) {
    const Recipe recipe{
        .id = "test", .cell = cell, .opset = 13, .geometry = &geometry, .form = &form_named(form), .seed = 0};
    return make_case(recipe).data_sets[1].inputs[0].value.shape();
  };
  EXPECT_EQ(second_shape("symbolic_initializers"), (reference::Shape{4, 5}));
  EXPECT_EQ(second_shape("symbolic"), (reference::Shape{4, 6}));
  EXPECT_EQ(second_shape("inputs"), (reference::Shape{3, 5}));
}

TEST(CoveringArray, ContainsEveryPairOfEveryVersion) {
  for (const spec::OperatorVersion& version : spec::operator_versions) {
    const auto pairs = [](const std::vector<Cell>& cells) {
      std::set<std::tuple<std::size_t, std::string, std::size_t, std::string>> found;
      for (const Cell& cell : cells) {
        const std::array<std::string, 7> values{std::string(spec::name(cell.x)),
                                                std::string(spec::name(cell.scale)),
                                                std::string(spec::name(cell.y)),
                                                std::string(spec::name(cell.granularity)),
                                                cell.zero_point ? std::string(spec::name(*cell.zero_point)) : "none",
                                                cell.saturate ? (*cell.saturate ? "1" : "0") : "-",
                                                cell.precision ? std::string(spec::name(*cell.precision)) : "-"};
        for (std::size_t i = 0; i < values.size(); ++i)
          for (std::size_t j = i + 1; j < values.size(); ++j) found.emplace(i, values[i], j, values[j]);
      }
      return found;
    };
    const std::vector<Cell> all = legal_cells(version);
    const std::vector<Cell> few = covering_array(all);
    EXPECT_EQ(pairs(few), pairs(all)) << version.since_version;
    EXPECT_LE(few.size(), 120U);
  }
}

TEST(SmokeTier, IsAFortiethOfTheTierStandard) {
  const std::size_t smoke = plan_generated_suite({.tier = Tier::smoke}).size();
  EXPECT_GT(smoke, 1000U);
  EXPECT_LT(40 * smoke, plan_generated_suite({.tier = Tier::standard}).size());
}

TEST(SmokeTier, HasNumbersInFloat32WithEveryQuantizedTypeAndGranularity) {
  using Key = std::tuple<const spec::OperatorVersion*, spec::ElementType, spec::Granularity>;
  const auto add = [](const Cell& cell, std::set<Key>& keys) {
    const spec::ElementType numbers = cell.version->op == spec::Operator::quantize_linear ? cell.x : cell.y;
    if (numbers == spec::ElementType::float32 && cell.scale == spec::ElementType::float32)
      keys.emplace(cell.version, cell.quantized_type(), cell.granularity);
  };
  std::set<Key> all, smoke;
  for (const spec::OperatorVersion& version : spec::operator_versions)
    for (const Cell& cell : legal_cells(version)) add(cell, all);
  for (const Recipe& recipe : smoke_recipes(0)) add(recipe.cell, smoke);
  EXPECT_EQ(smoke, all);
}

TEST(SmokeTier, HasEveryShapeAndSpecialValueOfEveryOperator) {
  const auto kinds = [](const std::vector<Recipe>& recipes) {
    std::set<std::string> found;
    for (const Recipe& recipe : recipes) {
      std::string kind(recipe.id->substr(to_string(recipe.cell).size()));
      if (kind.starts_with("/form/") || kind.starts_with("/opset/") || kind.starts_with("/length/")) continue;
      const spec::OperatorVersion& version = *recipe.cell.version;
      kind = kind.starts_with("/large/") ? "/large" : std::string(spec::name(recipe.cell.granularity)) + kind;
      found.insert(fmt::format("{} {}", spec::qualified_name(version.domain, version.op), kind));
    }
    return found;
  };
  EXPECT_EQ(kinds(smoke_recipes(0)), kinds(all_recipes(0)));
}

/// One case may have a form or a version that hides a defect.
TEST(SmokeTier, HasSeveralCasesForDefectsThatFewCasesShow) {
  std::map<std::pair<Operator, std::string_view>, std::size_t> found;
  for (const Recipe& recipe : smoke_recipes(0)) {
    if (recipe.cell.version->domain != spec::ai_onnx) continue;
    const auto count = [&](std::string_view what) { ++found[{recipe.cell.version->op, what}]; };
    if (recipe.values == Values::negative_scale) count("negative scales");
    if (recipe.geometry->elements() > 4096) count("more than 4,096 elements");
    if (recipe.extra_attributes->contains(spec::AttributeMeaning::saturate)) count("saturate for integers");
    const std::vector<DataSet> sets = make_case(recipe).data_sets;
    const bool runs_twice = sets.size() > 1 && recipe.form->parameters != Source::graph_input;
    if (runs_twice) count("constants in a second run");
  }
  EXPECT_EQ(found.size(), 7U);
  for (const auto& [what, cases] : found) EXPECT_GE(cases, 2U) << what.second;
}

TEST(SmokeTier, ViolatesEveryClauseOnceInEveryOperator) {
  const auto violations = [](const std::vector<IllegalCase>& cases) {
    std::multiset<std::pair<std::string, std::string_view>> found;  // the operator without its version, and the clause
    for (const IllegalCase& illegal : cases)
      found.emplace(illegal.id->substr(0, illegal.id->find_first_of("0123456789")), illegal.clause);
    return found;
  };
  const auto all = violations(illegal_cases(0));
  const auto smoke = violations(illegal_smoke_cases(0));
  EXPECT_EQ(std::set(smoke.begin(), smoke.end()), std::set(all.begin(), all.end()));
  EXPECT_EQ(std::set(smoke.begin(), smoke.end()).size(), smoke.size());
}

}  // namespace
}  // namespace touchstone::conformance::cases_test
