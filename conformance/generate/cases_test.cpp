// The generated cases: that none is missing, and that each is what it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <tuple>

#include "conformance/generate/carrier.h"
#include "conformance/generate/covering_array.h"
#include "conformance/generate/generated_suite.h"
#include "conformance/generate/illegal_cases.h"
#include "conformance/generate/legal_cases.h"
#include "conformance/judge/expectation.h"
#include "conformance/run/runner.h"
#include "reference/interpreter.h"
#include "spec/opset.h"

namespace touchstone::conformance {
namespace {

using spec::Operator;

std::vector<Recipe> all_recipes() {
  std::vector<Recipe> recipes = cell_recipes(0);
  for (Recipe& recipe : further_recipes(0)) recipes.push_back(std::move(recipe));
  return recipes;
}

TEST(Plan, HasUniqueIdsAndIsTheSameEveryTime) {
  const std::vector<PlannedCase> plan = plan_generated_suite({});
  std::set<std::string> ids;
  for (const PlannedCase& planned : plan) EXPECT_TRUE(ids.insert(planned.id).second) << planned.id;
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
    EXPECT_TRUE(cells.insert(recipe.cell).second) << recipe.id;
    EXPECT_GE(recipe.geometry->elements(), 48) << recipe.id;
  }
  EXPECT_EQ(cells.size(), count_legal_cells());
}

/// Every quantized type, granularity and presence of a zero point of a version meets every form that it can have.
TEST(FormCases, MeetEveryGroupOfCells) {
  const auto group = [](const Cell& cell) {
    return std::tuple(cell.version->domain, cell.version->op, cell.version->since_version, cell.quantized_type(),
                      cell.granularity, cell.zero_point);
  };
  std::set<std::pair<decltype(group(Cell{})), std::string_view>> found;
  for (const Recipe& recipe : all_recipes()) found.emplace(group(recipe.cell), recipe.form->name);
  for (const spec::OperatorVersion& version : spec::operator_versions)
    for (const Cell& cell : legal_cells(version))
      for (const Form& form : forms())
        if (suits(form, cell)) {
          ASSERT_TRUE(found.contains({group(cell), form.name})) << to_string(cell) << ' ' << form.name;
        }
}

TEST(OpsetCases, AreThereForEveryOpsetAndQuantizedType) {
  std::set<std::tuple<std::string_view, Operator, int, spec::ElementType>> met;
  for (const Recipe& recipe : all_recipes())
    met.emplace(recipe.cell.version->domain, recipe.cell.version->op, recipe.opset, recipe.cell.quantized_type());
  for (const Operator op : {Operator::quantize_linear, Operator::dequantize_linear})
    for (const spec::Opset& opset : spec::opsets) {
      const spec::OperatorVersion* version = spec::resolve(opset.domain, op, opset.number);
      if (version == nullptr) continue;  // opmx has one operator only
      for (const Cell& cell : legal_cells(*version))
        EXPECT_TRUE(met.contains({opset.domain, op, opset.number, cell.quantized_type()}))
            << opset.number << to_string(cell);
    }
}

TEST(ShapeCases, HaveEveryRankLengthAndSize) {
  std::set<std::int64_t> lengths;
  std::set<std::size_t> ranks;
  std::set<spec::Granularity> large;
  bool empty = false;
  bool whole_axis = false;
  for (const Recipe& recipe : all_recipes()) {
    if (recipe.cell.version->since_version != spec::newest_opset) continue;
    const Geometry& geometry = *recipe.geometry;
    ranks.insert(geometry.x.size());
    if (geometry.x.size() == 1) lengths.insert(geometry.x[0]);
    if (geometry.elements() > 65536) large.insert(geometry.granularity);
    empty = empty || geometry.elements() == 0;
    whole_axis = whole_axis || (!geometry.x.empty() && geometry.block_size == geometry.x.back());
  }
  EXPECT_EQ(ranks, (std::set<std::size_t>{0, 1, 2, 3, 4, 5, 6}));
  for (std::int64_t length = 0; length <= 67; ++length) EXPECT_TRUE(lengths.contains(length)) << length;
  EXPECT_EQ(large.size(), 3U);
  EXPECT_TRUE(empty);
  EXPECT_TRUE(whole_axis) << "one block for a whole axis";
}

/// AMB-47, letter by letter: what block_size means beside scales that are not, or not only, blocked. The last letter,
/// a 1-D x without an axis, must be rejected.
TEST(ShapeCases, HaveEveryUseOfBlockSize) {
  struct Row {
    const char* name;
    spec::Granularity granularity;
    reference::Shape scale;
  };
  const std::vector<Row> rows{
      {"5x7_block3", spec::Granularity::per_tensor, {}},
      {"3x5_axis1_block2", spec::Granularity::per_axis, {5}},
      {"5_axis0_block2", spec::Granularity::blocked, {3}},
      {"5_scale1_axis0_block5", spec::Granularity::per_tensor, {1}},
      {"5_scale1_axis-1_block8", spec::Granularity::per_tensor, {1}},
  };
  std::map<std::string, std::set<int>> versions;
  for (const Recipe& recipe : further_recipes(0))
    for (const Row& row : rows) {
      if (!recipe.id.ends_with(std::string("/shape/") + row.name)) continue;
      versions[row.name].insert(recipe.cell.version->since_version);
      EXPECT_EQ(recipe.cell.granularity, row.granularity) << recipe.id;
      EXPECT_EQ(make_node(recipe).inputs[1]->shape(), row.scale) << recipe.id;
    }
  for (const Row& row : rows) EXPECT_EQ(versions[row.name], (std::set<int>{21, 23, 24, 25, 28})) << row.name;
}

/// AMB-51: empty along the axis and beside it, with parameters that are empty with it.
TEST(ShapeCases, HaveEveryKindOfEmptyTensor) {
  std::set<std::tuple<spec::Granularity, reference::Shape, reference::Shape>> met;
  for (const Recipe& recipe : further_recipes(0))
    if (recipe.geometry->elements() == 0)
      met.emplace(recipe.cell.granularity, recipe.geometry->x, recipe.geometry->parameters());
  using enum spec::Granularity;
  for (const auto& wanted : std::vector<std::tuple<spec::Granularity, reference::Shape, reference::Shape>>{
           {per_tensor, {0}, {}},
           {per_axis, {0, 3}, {3}},
           {per_axis, {2, 0}, {0}},
           {per_axis, {0}, {0}},
           {blocked, {0, 4}, {0, 2}},
           {blocked, {2, 0}, {2, 0}},
           {blocked, {0}, {0}},
       })
    EXPECT_TRUE(met.contains(wanted)) << testing::PrintToString(wanted);
}

/// Groups as quantizers write them, of one element and of a whole dimension, along both.
TEST(ShapeCases, HaveTheGroupsOfOpmx) {
  std::set<std::tuple<std::int64_t, std::int64_t, bool>> met;  // axis, group_size, whether that is the whole dimension
  for (const Recipe& recipe : further_recipes(0)) {
    const Geometry& geometry = *recipe.geometry;
    if (recipe.cell.version->domain != spec::opmx || geometry.granularity != spec::Granularity::blocked) continue;
    const std::int64_t axis = geometry.axis.value_or(1);
    met.emplace(axis, geometry.block_size, geometry.x[static_cast<std::size_t>(axis)] == geometry.block_size);
  }
  for (const std::int64_t axis : {0, 1}) {
    for (const std::int64_t group_size : {1, 32, 64, 128})
      EXPECT_TRUE(met.contains({axis, group_size, false})) << axis << ' ' << group_size;
    EXPECT_TRUE(std::any_of(met.begin(), met.end(), [&](const auto& row) {
      return std::get<0>(row) == axis && std::get<1>(row) > 1 && std::get<2>(row);
    })) << axis;
  }
}

/// A graph input where the page wants a constant is a form of its own: elsewhere a backend could refuse everything.
TEST(Forms, HaveConstantsWhereThePageWantsThem) {
  std::size_t seen = 0;
  for (const Recipe& recipe : all_recipes()) {
    if (recipe.cell.version->domain != spec::opmx || recipe.id.find("/form/") != std::string::npos) continue;
    EXPECT_NE(recipe.form->parameters, Source::graph_input) << recipe.id;
    ++seen;
  }
  EXPECT_GT(seen, 48U) << "the case of every cell, and others";
}

/// As exporters write them: the operator's own domain, and ai.onnx, in which Constant is.
TEST(Models, ImportTheirDomainAndOnnxBesideIt) {
  std::set<std::string_view> domains;
  for (const Recipe& recipe : cell_recipes(0)) {
    const std::string_view domain = recipe.cell.version->domain;
    if (domain == spec::ai_onnx || recipe.cell.granularity != spec::Granularity::per_tensor) continue;
    onnx::ModelProto model;
    ASSERT_TRUE(model.ParseFromString(make_case(recipe).model.bytes));
    std::map<std::string, std::int64_t> imports;
    for (const auto& import : model.opset_import()) imports[import.domain()] = import.version();
    EXPECT_EQ(imports, (std::map<std::string, std::int64_t>{{"", 22}, {std::string(domain), 1}})) << recipe.id;
    EXPECT_EQ(model.graph().node(model.graph().node_size() - 1).domain(), domain);
    domains.insert(domain);
  }
  EXPECT_EQ(domains.size(), 2U);
}

/// What the interpreter makes of a geometry, against what the geometry says of itself.
TEST(Geometries, AreWhatTheReferenceTakesThemFor) {
  std::size_t seen = 0;
  for (const Recipe& recipe : further_recipes(0)) {
    if (recipe.id.find("/shape/") == std::string::npos) continue;
    const reference::Node node = make_node(recipe);
    const reference::Outcome outcome = reference::interpret(node);
    ASSERT_NE(outcome.result(), nullptr) << recipe.id << ": " << outcome.rejection()->reason;
    const reference::ParameterMap& map = outcome.result()->parameters;
    EXPECT_EQ(map.granularity, recipe.geometry->granularity) << recipe.id;
    const reference::Sharing sharing = recipe.geometry->sharing();
    for (std::int64_t i = 0; i < recipe.geometry->elements(); ++i) ASSERT_EQ(map.scale(i), sharing(i)) << recipe.id;
    ++seen;
  }
  EXPECT_GT(seen, 300U);
}

/// Of packed data the page gives a formula; here it is by hand: rows 1, 2, 3 and 15 of the first column.
TEST(Carrier, HoldsFourRowsTheFirstInTheLowestBits) {
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

TEST(Forms, PutOperandsWhereTheySay) {
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
    // Whatever the form, the node is the same.
    recipe.form = &plain_form();
    const reference::Node plain = make_node(recipe);
    const reference::Node bound = bind_inputs(made.model, made.data_sets[0].inputs);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(bound.inputs[i]->bytes().size(), plain.inputs[i]->bytes().size());
    for (std::int64_t i = 0; i < plain.inputs[2]->size(); ++i)
      EXPECT_EQ(bound.inputs[2]->code(i), plain.inputs[2]->code(i)) << form.name;
  }
}

/// The packed operand of a model whose operands are all initializers: x of DequantizeLinear, or the zero point.
onnx::TensorProto packed_operand(const Case& made) {
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromString(made.model.bytes)) << made.id;
  return model.graph().initializer(made.model.node.op == Operator::dequantize_linear ? 0 : 2);
}

/// The bits behind the last element are set, and set where the other form has clear ones: a backend that reads them
/// cannot get away with it.
TEST(Forms, OfGarbagePaddingHavePaddingAndSetIt) {
  std::size_t seen = 0;
  for (Recipe& recipe : all_recipes()) {
    if (recipe.form->storage != Storage::raw_data_with_garbage) continue;
    ++seen;
    recipe.runs_again = false;
    const onnx::TensorProto garbage = packed_operand(make_case(recipe));
    recipe.form = &form_named("all_constant");
    const onnx::TensorProto clean = packed_operand(make_case(recipe));
    const std::vector<std::int64_t> shape(clean.dims().begin(), clean.dims().end());
    const auto used =
        static_cast<int>(*reference::element_count(shape) * spec::info(recipe.cell.quantized_type()).bits % 8);
    ASSERT_NE(used, 0) << recipe.id << " has no padding";
    const unsigned padding = 0xffU << used & 0xffU;
    const auto last_byte = [](const onnx::TensorProto& tensor) {
      return static_cast<unsigned>(static_cast<unsigned char>(tensor.raw_data().back()));
    };
    EXPECT_EQ(last_byte(clean) & padding, 0U) << recipe.id;
    EXPECT_EQ(last_byte(garbage), last_byte(clean) | padding) << recipe.id;
  }
  EXPECT_GT(seen, 300U);
}

TEST(BlockCases, HaveTheCommonBlocksAlongBothDimensionsForEveryQuantizedType) {
  using Key = std::tuple<std::string_view, Operator, int, spec::ElementType, std::int64_t, std::int64_t>;
  std::set<Key> found;
  std::set<std::tuple<std::string_view, Operator, int, spec::ElementType>> types;
  for (const Recipe& recipe : all_recipes()) {
    const spec::OperatorVersion& version = *recipe.cell.version;
    if (recipe.cell.granularity != spec::Granularity::blocked) continue;
    const Geometry& geometry = *recipe.geometry;
    const auto type = std::tuple(version.domain, version.op, version.since_version, recipe.cell.quantized_type());
    types.insert(type);
    if (geometry.x.size() != 2) continue;
    const std::int64_t axis = (geometry.axis.value_or(1) + 2) % 2;
    const std::int64_t length = geometry.x[static_cast<std::size_t>(axis)];
    const std::int64_t whole = -1;
    found.insert(std::tuple_cat(type, std::tuple(axis, geometry.block_size)));
    if (geometry.block_size == length) found.insert(std::tuple_cat(type, std::tuple(axis, whole)));
  }
  ASSERT_GT(types.size(), 0U);
  for (const auto& type : types)
    for (const std::int64_t axis : {0, 1})
      for (const std::int64_t block : {1, 32, 64, 128, -1})
        EXPECT_TRUE(found.contains(std::tuple_cat(type, std::tuple(axis, block))))
            << std::get<0>(type) << ' ' << std::get<2>(type) << ' ' << spec::name(std::get<3>(type)) << " axis " << axis
            << " block " << block;
}

TEST(Int32ZeroPoints, AreThereForEveryCellThatMayHaveThem) {
  std::set<Cell> found;
  for (const Recipe& recipe : all_recipes())
    if (recipe.values == Values::int32_zero_point) found.insert(recipe.cell);
  for (const spec::OperatorVersion& version : spec::operator_versions)
    for (const Cell& cell : legal_cells(version)) {
      const bool is_of_microsoft = version.domain == spec::com_microsoft;
      EXPECT_EQ(found.contains(cell), is_of_microsoft && cell.zero_point == spec::ElementType::int32)
          << to_string(cell);
    }
}

TEST(SecondRuns, HaveOtherDataAndThenTheFirstAgain) {
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

TEST(CoveringArray, MeetsEveryPairOfEveryVersion) {
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

TEST(SmokeTier, HasAFewHundredCases) {
  const auto smoke = plan_generated_suite({.data = {}, .tier = Tier::smoke, .seed = 0});
  EXPECT_GT(smoke.size(), 300U);
  EXPECT_LT(smoke.size(), 1000U);
}

// ---- must-reject cases

/// From the reference's source: the clauses in its calls of `reject`, but for those that only readings name which are
/// not the primary ones.
std::set<std::string_view> clauses_of_rejections() {
  const std::set<std::string_view> of_other_readings{
      "ql-formula",       "ql-saturate-default",     "ql-float-zero-point",   "dq-float-zero-point",
      "qdq-output-shape", "qdq-block-size-unused",   "onnx-opset-resolution", "pmx-flags",
      "pmx-quant-method", "pmx-constant-parameters", "pmx-float-zero-point"};
  std::set<std::string_view> clauses;
  const std::regex call(R"re(reject\(\s*"([a-z0-9-]+)")re");
  for (const auto& file : std::filesystem::directory_iterator(std::string(TOUCHSTONE_SOURCE_DIR) + "/reference")) {
    if (file.path().extension() != ".cpp" || file.path().stem().string().ends_with("_test")) continue;
    std::ifstream stream(file.path());
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    for (std::sregex_iterator match(text.begin(), text.end(), call); match != std::sregex_iterator(); ++match) {
      const spec::Clause* clause = spec::find_clause((*match)[1].str());
      if (clause != nullptr && !of_other_readings.contains(clause->id)) clauses.insert(clause->id);
    }
  }
  return clauses;
}

TEST(IllegalCases, ViolateTheClauseThatTheyName) {
  for (const IllegalCase& illegal : illegal_cases(0)) {
    if (illegal.float6_padding_is_set) continue;
    const reference::Outcome outcome = reference::interpret(illegal.node());
    ASSERT_NE(outcome.rejection(), nullptr) << illegal.id << " is legal";
    EXPECT_EQ(outcome.rejection()->clause->id, illegal.clause) << illegal.id << ": " << outcome.rejection()->reason;
  }
}

TEST(IllegalCases, HaveTheSameNodeWhenTheyAreReadBack) {
  for (const IllegalCase& illegal : illegal_cases(0)) {
    const CaseRecord record = describe(make_case(illegal));
    ASSERT_EQ(record.violated, illegal.clause) << illegal.id << ": " << record.reason;
    ASSERT_TRUE(record.cells.empty()) << illegal.id;
  }
}

TEST(IllegalCases, HaveFilesThatTheReaderRefuses) {
  std::size_t seen = 0;
  for (const IllegalCase& illegal : illegal_cases(0)) {
    if (!illegal.float6_padding_is_set) continue;
    ++seen;
    const Case made = make_case(illegal);
    EXPECT_THROW(parse_model(made.model.bytes, "model"), FileError) << illegal.id;
    EXPECT_NE(reference::interpret(illegal.node()).result(), nullptr) << illegal.id;
  }
  EXPECT_EQ(seen, 4U) << "two types, as outputs and as inputs";
}

/// Every clause that the reference rejects nodes for, in each version that has it.
TEST(IllegalCases, ExistForEveryRuleOfEveryVersion) {
  std::set<std::tuple<std::string_view, std::string_view, Operator, int>> met;
  std::set<std::string_view> clauses;
  for (const IllegalCase& illegal : illegal_cases(0)) {
    const reference::Node node = illegal.node();
    met.emplace(illegal.clause, reference::operator_version(node).domain, node.op, node.opset);
    clauses.insert(illegal.clause);
  }
  EXPECT_THAT(clauses, testing::IsSupersetOf(clauses_of_rejections()));
  for (const std::string_view clause : clauses)
    for (const spec::OperatorVersion& version : spec::operator_versions) {
      const bool has_rule =
          spec::find_clause(clause)->applies.covers(version.domain, version.op, version.since_version);
      const bool can_be_broken = clause != "onnx-attribute-type" || !version.attributes.empty();
      const bool binds_inputs = version.op == Operator::dequantize_linear ||
                                version.inputs[0].type_variable == version.inputs[1].type_variable;
      // In version 10 what is not scalar breaks that rule first.
      if (clause == "qdq-same-shape" && version.since_version == 10) continue;
      if (!has_rule || !can_be_broken || (clause == "onnx-type-binding" && !binds_inputs)) continue;
      EXPECT_TRUE(met.contains({clause, version.domain, version.op, version.since_version}))
          << clause << ' ' << id_of(version);
    }
}

}  // namespace
}  // namespace touchstone::conformance
