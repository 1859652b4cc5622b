// The shapes of generated cases: every kind exists, and the reference reads it as intended.
#include "conformance/generate/geometry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/generate/legal_cases.h"
#include "reference/interpreter.h"
#include "spec/opset.h"

namespace touchstone::conformance::geometry_test {
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
  EXPECT_EQ(ranks, (std::set<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_TRUE(empty);
  EXPECT_TRUE(whole_axis) << "one block for a whole axis";
}

/// The cases of AMB-47, one per letter: block_size with scales that are not blocked or could be read otherwise. The
/// case of the last letter, a 1-D x without an axis, must be rejected.
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
      if (!recipe.id->ends_with(std::string("/shape/") + row.name)) continue;
      versions[row.name].insert(recipe.cell.version->since_version);
      EXPECT_EQ(recipe.cell.granularity, row.granularity) << *recipe.id;
      EXPECT_EQ(make_node(recipe).inputs[1]->shape(), row.scale) << *recipe.id;
    }
  for (const Row& row : rows) EXPECT_EQ(versions[row.name], (std::set<int>{21, 23, 24, 25, 28})) << row.name;
}

/// AMB-51: x is empty along the axis or along another dimension, with or without empty parameters.
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

/// A block_size that covers the axis may be as large as the attribute allows.
TEST(ShapeCases, HaveTheLargestBlockSize) {
  std::set<std::pair<Operator, int>> versions;
  for (const Recipe& recipe : further_recipes(0)) {
    if (!recipe.id->ends_with("/shape/4x6_axis1_block9223372036854775807")) continue;
    versions.emplace(recipe.cell.version->op, recipe.cell.version->since_version);
    EXPECT_EQ(make_node(recipe).inputs[1]->shape(), (reference::Shape{4, 1})) << *recipe.id;
  }
  EXPECT_EQ(versions.size(), 10U) << "of both operators 21, 23, 24, 25 and 28";
}

/// opmx: "(d0, d1/group_size, ..., dn)", with a default group_size of 128.
TEST(DefaultBlockCases, HaveOneAndSeveralGroupsWithoutTheAttribute) {
  std::set<std::tuple<spec::ElementType, reference::Shape, reference::Shape>> met;
  for (const Recipe& recipe : further_recipes(0)) {
    if (recipe.id->find("/default_block/") == std::string::npos) continue;
    const reference::Node node = make_node(recipe);
    EXPECT_FALSE(node.attributes.contains("group_size")) << *recipe.id;
    met.emplace(recipe.cell.x, recipe.geometry->x, node.inputs[1]->shape());
  }
  for (const spec::ElementType x : {spec::ElementType::int8, spec::ElementType::int4x4})
    for (const auto& [shape, scale] : std::vector<std::pair<reference::Shape, reference::Shape>>{
             {{8, 128}, {8, 1}}, {{4, 256}, {4, 2}}, {{4, 384}, {4, 3}}, {{128, 3}, {1, 3}}, {{256, 3}, {2, 3}}})
      EXPECT_TRUE(met.contains({x, shape, scale})) << spec::name(x) << testing::PrintToString(shape);
}

TEST(RankCases, HaveEveryRankAndGranularityOfOpmx) {
  std::set<std::tuple<spec::ElementType, spec::Granularity, std::size_t>> met;
  for (const Recipe& recipe : further_recipes(0))
    if (recipe.id->find("/rank/") != std::string::npos)
      met.emplace(recipe.cell.x, recipe.cell.granularity, recipe.geometry->x.size());
  using enum spec::Granularity;
  for (const spec::ElementType x : {spec::ElementType::int8, spec::ElementType::int4x4}) {
    EXPECT_TRUE(met.contains({x, per_tensor, 1}));
    EXPECT_TRUE(met.contains({x, blocked, 1}));
    for (const spec::Granularity granularity : {per_tensor, per_axis, blocked})
      for (const std::size_t rank : {3U, 4U}) EXPECT_TRUE(met.contains({x, granularity, rank})) << rank;
  }
}

/// Compares the interpreter's sharing of parameters with the geometry's own.
TEST(Geometries, AreReadAsIntendedByTheReference) {
  std::size_t seen = 0;
  for (const Recipe& recipe : further_recipes(0)) {
    const auto is_of = [&](const char* family) { return recipe.id->find(family) != std::string::npos; };
    if (!is_of("/shape/") && !is_of("/block/") && !is_of("/default_block/") && !is_of("/rank/")) continue;
    const reference::Node node = make_node(recipe);
    const reference::Outcome outcome = reference::interpret(node);
    ASSERT_NE(outcome.result(), nullptr) << *recipe.id << ": " << outcome.rejection()->reason;
    const reference::ParameterMap& map = outcome.result()->parameters;
    EXPECT_EQ(map.granularity, recipe.geometry->granularity) << *recipe.id;
    const reference::Sharing sharing = recipe.geometry->sharing();
    for (std::int64_t i = 0; i < recipe.geometry->elements(); ++i) ASSERT_EQ(map.scale(i), sharing(i)) << *recipe.id;
    ++seen;
  }
  EXPECT_GT(seen, 300U);
}

/// The geometry with another axis, if its parameters have as many elements.
std::optional<Geometry> with_dimension(Geometry geometry, std::int64_t dimension) {
  const std::int64_t count = *reference::element_count(geometry.parameters());
  geometry.axis = dimension;
  return *reference::element_count(geometry.parameters()) == count ? std::optional(geometry) : std::nullopt;
}

/// The node with scale and zero point in the shape that fits the other axis: what a backend computes that ignores
/// shapes.
reference::Node with_geometry(reference::Node node, const spec::OperatorVersion& version, const Geometry& geometry) {
  node.attributes[std::string(version.attribute(spec::AttributeMeaning::axis)->name)] = *geometry.axis;
  for (std::size_t i = 1; i < node.inputs.size(); ++i)
    if (node.inputs[i]) {
      const reference::Tensor& given = *node.inputs[i];
      node.inputs[i] = reference::Tensor(given.type(), geometry.parameters(),
                                         std::vector<std::byte>(given.bytes().begin(), given.bytes().end()));
    }
  return node;
}

/// Whether some specified element has another value.
bool differ(const reference::Result& one, const reference::Result& other) {
  for (std::int64_t i = 0; i < one.y.size(); ++i)
    if (!one.unspecified[static_cast<std::size_t>(i)] && one.y.code(i) != other.y.code(i)) return true;
  return false;
}

/// The shape of x, the attribute axis, and another dimension that could be mistaken for it.
using Confusion = std::tuple<reference::Shape, std::optional<std::int64_t>, std::int64_t>;

/// All confusions of equal dimensions, for the axes that a version allows.
std::set<Confusion> confusions(const spec::OperatorVersion& version, spec::Granularity granularity) {
  const bool is_matrix = version.shapes.rank == 2;
  const std::int64_t length = granularity == spec::Granularity::blocked || is_matrix ? 4 : 3;
  std::vector<reference::Shape> shapes{{length, length}};
  if (!is_matrix) shapes.push_back({length, length, length});
  if (!is_matrix) shapes.push_back({2, 3, 2, 2, 3});
  std::set<Confusion> found;
  for (const reference::Shape& x : shapes) {
    const auto rank = static_cast<std::int64_t>(x.size());
    std::vector<std::pair<std::optional<std::int64_t>, std::int64_t>> axes;  // and the dimension that they mean
    if (version.attribute(spec::AttributeMeaning::axis)->default_value) axes.emplace_back(std::nullopt, 1);
    for (std::int64_t dimension = 0; dimension < rank; ++dimension) {
      axes.emplace_back(dimension, dimension);
      const bool is_short = x == reference::Shape{4, 4};  // negative ones are tried with three dimensions
      if (version.shapes.negative_axis && !is_short) axes.emplace_back(dimension - rank, dimension);
    }
    const auto extent = [&](std::int64_t dimension) { return x[static_cast<std::size_t>(dimension)]; };
    for (const auto& [axis, dimension] : axes)
      for (std::int64_t other = 0; other < rank; ++other)
        if (other != dimension && extent(other) == extent(dimension)) found.emplace(x, axis, other);
  }
  return found;
}

/// With equal dimensions no shape reveals the axis. A backend that uses another axis must compute something else.
TEST(ShapeCases, DistinguishAxesOfEqualDimensions) {
  std::map<std::pair<const spec::OperatorVersion*, spec::Granularity>, std::set<Confusion>> revealed;
  for (const Recipe& recipe : further_recipes(0)) {
    const Geometry& geometry = *recipe.geometry;
    if (recipe.id->find("/shape/") == std::string::npos || geometry.granularity == spec::Granularity::per_tensor)
      continue;
    const reference::Node node = make_node(recipe);
    const reference::Outcome right = reference::interpret(node);
    ASSERT_NE(right.result(), nullptr) << *recipe.id;
    for (std::int64_t other = 0; other < static_cast<std::int64_t>(geometry.x.size()); ++other) {
      const auto confused = with_dimension(geometry, other);
      if (!confused) continue;
      const reference::Outcome wrong = reference::interpret(with_geometry(node, *recipe.cell.version, *confused));
      ASSERT_NE(wrong.result(), nullptr) << *recipe.id << ": " << wrong.rejection()->reason;
      if (differ(*right.result(), *wrong.result()))
        revealed[{recipe.cell.version, geometry.granularity}].emplace(geometry.x, geometry.axis, other);
    }
  }
  std::size_t seen = 0;
  for (const spec::OperatorVersion& version : spec::operator_versions)
    for (const spec::Granularity granularity : version.granularities) {
      if (granularity == spec::Granularity::per_tensor) continue;
      for (const Confusion& confusion : confusions(version, granularity)) {
        EXPECT_TRUE(revealed[std::pair(&version, granularity)].contains(confusion))
            << version.domain << ' ' << spec::name(version.op) << ' ' << version.since_version << ' '
            << spec::name(granularity) << ' ' << testing::PrintToString(confusion);
        ++seen;
      }
    }
  EXPECT_GT(seen, 700U);
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
}  // namespace touchstone::conformance::geometry_test
