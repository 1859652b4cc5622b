// The shapes of generated cases: that every kind is there, and is what the reference takes it for.
#include "conformance/generate/geometry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "conformance/generate/legal_cases.h"
#include "reference/interpreter.h"
#include "spec/opset.h"

namespace touchstone::conformance {
namespace {

using spec::Operator;

TEST(ShapeCases, HaveEveryRank) {
  std::set<std::size_t> ranks;
  bool empty = false;
  bool whole_axis = false;
  for (const Recipe& recipe : all_recipes(0)) {
    if (recipe.cell.version->since_version != spec::newest_opset) continue;
    const Geometry& geometry = *recipe.geometry;
    ranks.insert(geometry.x.size());
    empty = empty || geometry.elements() == 0;
    whole_axis = whole_axis || (!geometry.x.empty() && geometry.block_size == geometry.x.back());
  }
  EXPECT_EQ(ranks, (std::set<std::size_t>{0, 1, 2, 3, 4, 5, 6}));
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

/// What the interpreter makes of a geometry, against what the geometry says of itself.
TEST(Geometries, AreWhatTheReferenceTakesThemFor) {
  std::size_t seen = 0;
  for (const Recipe& recipe : further_recipes(0)) {
    const bool is_of_a_table =
        recipe.id.find("/shape/") != std::string::npos || recipe.id.find("/block/") != std::string::npos;
    if (!is_of_a_table) continue;
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

TEST(BlockCases, HaveTheCommonBlocksAlongBothDimensionsForEveryQuantizedType) {
  using Key = std::tuple<std::string_view, Operator, int, spec::ElementType, std::int64_t, std::int64_t>;
  std::set<Key> found;
  std::set<std::tuple<std::string_view, Operator, int, spec::ElementType>> types;
  for (const Recipe& recipe : all_recipes(0)) {
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

}  // namespace
}  // namespace touchstone::conformance
