// The cases of special values: which scales, zero points and inputs they have.
#include "conformance/generate/value_families.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "conformance/generate/legal_cases.h"
#include "reference/host_numbers.h"
#include "reference/interpreter.h"

namespace touchstone::conformance::value_families_test {
namespace {

using enum spec::ElementType;
using reference::number_of;
using reference::Tensor;
using spec::ElementType;
using spec::Operator;

std::vector<Recipe> recipes_of(Values values) {
  std::vector<Recipe> found = further_recipes(0);
  std::erase_if(found, [&](const Recipe& recipe) { return recipe.values != values; });
  return found;
}

// ---- every code of a narrow operand

using Codes = std::map<std::tuple<const spec::OperatorVersion*, std::size_t, ElementType>, std::set<std::uint64_t>>;

/// The types of the operands whose codes all occur. A packed x has another type in the model.
std::vector<std::pair<std::size_t, ElementType>> narrow_operands(const Cell& cell) {
  std::vector<std::pair<std::size_t, ElementType>> found;
  const auto add = [&](std::size_t operand, ElementType type) {
    if (spec::info(type).bits <= 8 && !spec::info(type).carrier) found.emplace_back(operand, type);
  };
  add(0, cell.x);
  add(1, cell.scale);
  if (cell.zero_point) add(2, *cell.zero_point);
  return found;
}

void note_codes(const Recipe& recipe, Codes& met) {
  const auto is_open = [&](const auto& operand) {
    const auto& [place, type] = operand;
    return met[{recipe.cell.version, place, type}].size() < std::size_t{1} << spec::info(type).bits;
  };
  const auto operands = narrow_operands(recipe.cell);
  if (std::ranges::none_of(operands, is_open)) return;
  const Case made = make_case(recipe);
  for (const DataSet& data : made.data_sets) {
    const reference::Node node = bind_inputs(made.model, data.inputs);
    for (const auto& [place, type] : operands) {
      if (place >= node.inputs.size() || !node.inputs[place]) continue;
      const Tensor& tensor = *node.inputs[place];
      for (std::int64_t i = 0; i < tensor.size(); ++i) met[{recipe.cell.version, place, type}].insert(tensor.code(i));
    }
  }
}

/// An implementation with tables may be wrong for a single code.
TEST(NarrowOperands, HaveEveryCodeInEveryVersion) {
  Codes met;
  const std::vector<Recipe> recipes = all_recipes(0);
  for (const Recipe& recipe : recipes)  // first the cases that are meant to have them, which saves time
    if (recipe.id->ends_with("/every_code")) note_codes(recipe, met);
  for (const Recipe& recipe : recipes) note_codes(recipe, met);
  for (const auto& [key, codes] : met) {
    const auto& [version, operand, type] = key;
    EXPECT_EQ(codes.size(), std::size_t{1} << spec::info(type).bits)
        << spec::qualified_name(version->domain, version->op) << ' ' << version->since_version << " operand " << operand
        << ' ' << spec::name(type);
  }
  EXPECT_GT(met.size(), 100U);
}

/// Per axis and blocked, with and without the numbers that are not normal float32 numbers.
TEST(EveryScale, OccursForBothOperatorsAndGranularities) {
  std::map<std::tuple<Operator, spec::Granularity, Values>, std::set<std::uint64_t>> met;
  for (const Values values : {Values::every_scale, Values::every_normal_scale})
    for (const Recipe& recipe : recipes_of(values)) {
      const Tensor scale = *make_node(recipe).inputs[1];
      for (std::int64_t i = 0; i < scale.size(); ++i)
        met[{recipe.cell.version->op, recipe.cell.granularity, values}].insert(scale.code(i));
    }
  ASSERT_EQ(met.size(), 8U);
  for (const auto& [key, codes] : met) {
    const bool all = std::get<Values>(key) == Values::every_scale;
    EXPECT_EQ(codes.size(), all ? 256U : 254U);
    EXPECT_EQ(*codes.begin(), all ? 0U : 1U);
    EXPECT_EQ(*codes.rbegin(), all ? 255U : 254U);
  }
}

// ---- constant scales of 1

/// The lowest and the highest number of an integer type.
std::pair<double, double> range_of(ElementType type) {
  const int bits = spec::info(type).bits;
  const bool is_signed = !spec::name(type).starts_with('u');
  return is_signed ? std::pair(-std::exp2(bits - 1), std::exp2(bits - 1) - 1) : std::pair(0.0, std::exp2(bits) - 1);
}

TEST(ScaleOfOneAndZeroPointOfZero, HaveInputsBeyondTheRangeOfEveryIntegerType) {
  std::set<std::pair<const spec::OperatorVersion*, ElementType>> found;
  for (const Recipe& recipe : recipes_of(Values::scale_of_1_zero_point_0)) {
    const reference::Node node = make_node(recipe);
    EXPECT_FALSE(node.variable_inputs.contains(1)) << *recipe.id;
    EXPECT_EQ(number_of(recipe.cell.scale, node.inputs[1]->code(0)), 1) << *recipe.id;
    EXPECT_EQ(node.inputs[2]->code(0), 0U) << *recipe.id;
    const auto [low, high] = range_of(recipe.cell.y);
    const Tensor& x = *node.inputs[0];
    bool below = false;
    bool above = false;
    for (std::int64_t i = 0; i < x.size(); ++i) {
      const double number = number_of(x.type(), x.code(i));
      below = below || (number <= low - 1 && number > 4 * low - 8);
      above = above || (number >= high + 1 && number < 4 * high);
    }
    EXPECT_TRUE(below) << *recipe.id;
    // The largest number of float16 is 65504.
    EXPECT_NE(above, x.type() == float16 && recipe.cell.y == uint16) << *recipe.id;
    found.emplace(recipe.cell.version, recipe.cell.y);
  }
  for (const spec::OperatorVersion& version : spec::operator_versions)
    for (const ElementType y : version.output.types) {
      const bool has = version.op == Operator::quantize_linear && spec::is_integer(y);
      EXPECT_EQ(found.contains({&version, y}), has) << version.since_version << ' ' << spec::name(y);
    }
}

// ---- scales that differ by little

/// If the first or the second scale replaces the others, results differ.
TEST(SimilarScales, ChangeResults) {
  std::set<ElementType> types;
  std::size_t seen = 0;
  for (const Recipe& recipe : recipes_of(Values::similar_scales)) {
    if (seen++ % 10 != 0) continue;
    const reference::Node node = make_node(recipe);
    const Tensor& scale = *node.inputs[1];
    EXPECT_EQ(number_of(scale.type(), scale.code(0)), 0.5) << *recipe.id;
    const double ratio = number_of(scale.type(), scale.code(1)) / 0.5;
    const int exponent = scale.type() == float32 ? -11 : scale.type() == float16 ? -10 : -7;
    EXPECT_EQ(ratio, 1 + std::exp2(exponent)) << *recipe.id;
    const reference::Outcome right = reference::interpret(node);
    ASSERT_NE(right.result(), nullptr) << *recipe.id;
    for (const std::int64_t one : {0, 1}) {
      reference::Node merged = node;
      for (std::int64_t i = 0; i < scale.size(); ++i) merged.inputs[1]->set_code(i, scale.code(one));
      EXPECT_FALSE(std::ranges::equal(reference::interpret(merged).result()->y.bytes(), right.result()->y.bytes()))
          << *recipe.id;
    }
    types.insert(scale.type());
  }
  EXPECT_GT(seen, 800U);
  EXPECT_EQ(types, (std::set{float32, float16, bfloat16}));
}

// ---- zero

/// 0 / 0 is not a number, which integers do not have, so implementations treat it separately.
TEST(ScalesOfZero, HaveInputsOfInt32) {
  const auto has_int32_and_float32 = [](const Cell& cell) { return cell.x == int32 && cell.scale == float32; };
  std::set<const spec::OperatorVersion*> found;
  for (const Recipe& recipe : recipes_of(Values::zero_scale))
    if (has_int32_and_float32(recipe.cell)) found.insert(recipe.cell.version);
  for (const spec::OperatorVersion& version : spec::operator_versions)
    EXPECT_EQ(found.contains(&version), std::ranges::any_of(legal_cells(version), has_int32_and_float32))
        << version.since_version;
}

}  // namespace
}  // namespace touchstone::conformance::value_families_test
