#include "conformance/generate/legal_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "conformance/generate/cover.h"
#include "conformance/generate/picker.h"
#include "conformance/generate/recipes.h"
#include "conformance/generate/value_families.h"
#include "spec/opset.h"

namespace touchstone::conformance {

namespace {

// ---- families of cases

/// The id of a case names its cell, so the choice of the cell must not depend on a seed.
constexpr std::uint64_t any_seed = 0;

void add_forms(const Group& group, Recipes& recipes) {
  for (const Form& form : forms()) {
    if (!suits(form, group.cells.front())) continue;
    Picker picker(fmt::format("{}/{}", to_string(group.cells.front()), form.name), any_seed);
    recipes.add(picker.one_of(group.cells), fmt::format("form/{}", form.name), {.form = &form});
  }
}

/// Backends support these types with float32 first, and some support no others.
bool is_first_choice(ElementType quantized) {
  return quantized == ElementType::uint8 || quantized == ElementType::int8;
}

/// Backends dispatch on the opset number, so opsets in which nothing changed also have cases.
void add_opsets(const Group& group, Recipes& recipes) {
  for (const spec::Opset& opset : spec::opsets) {
    const OperatorVersion* version = spec::resolve(opset.domain, group.version->op, opset.number);
    if (version != group.version || opset.number == group.version->since_version) continue;
    Picker picker(fmt::format("{}/{}", to_string(group.cells.front()), opset.number), any_seed);
    std::vector<Cell> cells{picker.one_of(group.cells)};
    const Cell& plain = plainest(group);
    if (is_first_choice(group.quantized) && plain != cells.front()) cells.push_back(plain);
    for (const Cell& cell : cells) recipes.add(cell, fmt::format("opset/{}", opset.number)).opset = opset.number;
  }
}

std::string picked_by(const OperatorVersion& version) {
  return fmt::format("{}/{}", spec::qualified_name(version.domain, version.op), version.since_version);
}

std::vector<const Group*> groups_for(const Geometry& geometry, const std::vector<Group>& groups) {
  std::vector<const Group*> fitting;
  for (const Group& group : groups)
    if (group.granularity == geometry.granularity && can_have(*group.version, group.cells.front().x, geometry))
      fitting.push_back(&group);
  return fitting;
}

/// Adds each geometry of a table to one group, which is picked by its name.
void add_geometries(const std::vector<Group>& groups, std::span<const Geometry> geometries, const std::string& family,
                    bool runs_again, Recipes& recipes) {
  for (const Geometry& geometry : geometries) {
    const std::vector<const Group*> fitting_groups = groups_for(geometry, groups);
    if (fitting_groups.empty()) continue;
    const OperatorVersion& version = *groups.front().version;
    Picker picker(fmt::format("{}/{}", picked_by(version), geometry.name()), any_seed);
    const Group& group = *picker.one_of(fitting_groups);
    recipes.add(picker.one_of(group.cells), fmt::format("{}/{}", family, geometry.name()), {.geometry = &geometry})
        .runs_again = runs_again;
  }
}

/// For every group, without the attribute.
void add_default_blocks(const Group& group, Recipes& recipes) {
  const spec::Attribute* block_size = group.version->attribute(AttributeMeaning::block_size);
  if (block_size == nullptr || block_size->default_value == 0) return;
  for (const Geometry& geometry : default_block_geometries())
    if (geometry.granularity == group.granularity && can_have(*group.version, group.cells.front().x, geometry))
      recipes.add(plainest(group), fmt::format("default_block/{}", geometry.name()), {.geometry = &geometry})
          .leaves_out_defaults = true;
}

/// For versions that one reading restricts to a single rank. These are separate cases, because a refusal is permitted.
/// Each rank has a case with one of the groups of every quantized type.
void add_other_ranks(const std::vector<Group>& groups, Recipes& recipes) {
  const OperatorVersion& version = *groups.front().version;
  if (!version.shapes.rank) return;
  for (const Geometry& geometry : other_rank_geometries()) {
    std::map<ElementType, std::vector<const Group*>> by_type;
    for (const Group& group : groups)
      if (group.granularity == geometry.granularity && can_have_at_any_rank(version, group.cells.front().x, geometry))
        by_type[group.quantized].push_back(&group);
    for (const auto& [type, fitting] : by_type) {
      Picker picker(fmt::format("{}/{}/rank/{}", picked_by(version), spec::name(type), geometry.name()), any_seed);
      recipes.add(picker.one_of(picker.one_of(fitting)->cells), fmt::format("rank/{}", geometry.name()),
                  {.geometry = &geometry});
    }
  }
}

/// Quantized types for which backends have separate kernels and may refuse separately.
struct TypeClass {
  const char* name;
  bool (*has)(ElementType);
};

constexpr std::array type_classes{
    TypeClass{"uint8", [](ElementType type) { return type == ElementType::uint8; }},
    TypeClass{"int8", [](ElementType type) { return type == ElementType::int8; }},
    TypeClass{"4 bits", [](ElementType type) { return spec::is_integer(type) && spec::info(type).bits == 4; }},
    TypeClass{"16 bits", [](ElementType type) { return spec::is_integer(type) && spec::info(type).bits == 16; }},
    TypeClass{"float", [](ElementType type) { return !spec::is_integer(type); }},
};

/// Special geometries also have a case with each class of types together with float32: a backend that lacks a kernel
/// for the picked types would not show how it handles a shape.
void add_geometries_of_every_class(const std::vector<Group>& groups, std::span<const Geometry> geometries,
                                   Recipes& recipes) {
  for (const Geometry& geometry : geometries)
    for (const TypeClass& type_class : type_classes) {
      std::vector<const Group*> fitting_groups = groups_for(geometry, groups);
      std::erase_if(fitting_groups, [&](const Group* group) { return !type_class.has(group->quantized); });
      if (fitting_groups.empty()) continue;
      const std::string picked = picked_by(*groups.front().version);
      Picker picker(fmt::format("{}/{}/{}", picked, geometry.name(), type_class.name), any_seed);
      recipes.add_unless_there(plainest(*picker.one_of(fitting_groups)), fmt::format("shape/{}", geometry.name()),
                               {.geometry = &geometry});
    }
}

/// Adds common block sizes with every quantized type, because kernels are specialized for a type and a block size.
void add_common_blocks(const std::vector<Group>& groups, Recipes& recipes) {
  std::map<ElementType, std::vector<Group>> by_type;
  for (const Group& group : groups) by_type[group.quantized].push_back(group);
  for (const auto& [type, groups_of_type] : by_type)
    add_geometries(groups_of_type, common_block_geometries(), "block", true, recipes);
}

constexpr std::int64_t longest = 67;

/// Whether no older version of the operator has the quantized type.
bool introduces(const OperatorVersion& version, ElementType quantized) {
  for (const OperatorVersion& older : spec::operator_versions) {
    const bool is_older =
        older.domain == version.domain && older.op == version.op && older.since_version < version.since_version;
    const spec::TypeList types = older.op == Operator::quantize_linear ? older.output.types : older.inputs[0].types;
    if (is_older && spec::contains(types, quantized)) return false;
  }
  return true;
}

bool introduces(const OperatorVersion& version, Granularity granularity) {
  for (const OperatorVersion& older : spec::operator_versions)
    if (older.domain == version.domain && older.op == version.op && older.since_version < version.since_version &&
        older.has(granularity))
      return false;
  return version.has(granularity);
}

/// 0 to 67 elements: every remainder of a vector register, with every number of elements in the last byte.
const Geometry& of_length(std::int64_t length) {
  static const std::vector<Geometry> rows = [] {
    std::vector<Geometry> all;
    for (std::int64_t n = 0; n <= longest; ++n) all.push_back({Granularity::per_tensor, {n}});
    return all;
  }();
  return rows[static_cast<std::size_t>(length)];
}

/// A type has all lengths in the version that introduces it. Every version also has each length with one picked type.
void add_lengths(const std::vector<Group>& groups, Recipes& recipes) {
  const OperatorVersion& version = *groups.front().version;
  std::vector<const Group*> per_tensor;
  for (const Group& group : groups)
    if (group.granularity == Granularity::per_tensor && group.zero_point &&
        can_have(version, group.cells.front().x, of_length(longest)) && !is_disputed(version, of_length(longest)))
      per_tensor.push_back(&group);
  if (per_tensor.empty()) return;
  const auto add = [&](const Group& group, std::int64_t length, Picker& picker) {
    recipes.add_unless_there(picker.one_of(group.cells), fmt::format("length/{}", length),
                             {.geometry = &of_length(length)});
  };
  for (std::int64_t length = 0; length <= longest; ++length) {
    Picker picker(fmt::format("{}/length/{}", picked_by(version), length), any_seed);
    add(*picker.one_of(per_tensor), length, picker);
    for (const Group* group : per_tensor)
      if (introduces(version, group->quantized)) add(*group, length, picker);
  }
}

/// A version that introduces a granularity has all of its large geometries. Every version also has one of those of its
/// older granularities.
void add_large(const std::vector<Group>& groups, Recipes& recipes) {
  const OperatorVersion& version = *groups.front().version;
  std::vector<const Geometry*> others;
  for (const Granularity granularity : version.granularities)
    if (introduces(version, granularity))
      add_geometries(groups, large_geometries(granularity), "large", false, recipes);
    else
      for (const Geometry& geometry : large_geometries(granularity))
        if (!groups_for(geometry, groups).empty()) others.push_back(&geometry);
  if (others.empty()) return;
  Picker picker(fmt::format("{}/large", picked_by(version)), any_seed);
  add_geometries(groups, {picker.one_of(others), 1}, "large", false, recipes);
}

/// Whether backends are likely to support the types.
bool has_plain_types(const Cell& cell) {
  const bool quantizes = cell.version->op == Operator::quantize_linear;
  return is_first_choice(cell.quantized_type()) && cell.scale == ElementType::float32 && !cell.precision &&
         (quantizes ? cell.x : cell.y) == ElementType::float32;
}

/// What a recipe tests besides its cell: a shape, an unusual scale, and so on. Forms, opsets and lengths have no kind,
/// because the cases of the cells have many of them. Long tensors of a granularity have the same kind, because
/// they take long. Conversions of integers are separate for each type.
std::optional<std::string> kind_of(const Recipe& recipe) {
  std::string kind(recipe.id->substr(to_string(recipe.cell).size() + 1));
  const std::string family = kind.substr(0, kind.find('/'));
  if (family == "values" || family == "form" || family == "opset" || family == "length") return std::nullopt;
  if (family == "large") kind = family;
  if (recipe.values == Values::scale_of_1_zero_point_0) kind += spec::name(recipe.cell.quantized_type());
  if (recipe.values == Values::zero_scale && recipe.cell.x == ElementType::int32) kind += " of int32";
  return fmt::format("{}/{}", spec::name(recipe.cell.granularity), kind);
}

/// Whether a single case of the kind is not enough: a defect in a single version, form or type may hide in it.
bool deserves_two(const Recipe& recipe) {
  return recipe.cell.version->domain == spec::ai_onnx &&
         (recipe.values == Values::negative_scale || recipe.extra_attributes->contains(AttributeMeaning::saturate));
}

/// One recipe of each kind for every operator: if possible with plain types, and in the oldest version, because most
/// backends support these. Some kinds also have a recipe in the newest version. The recipes stay in their order.
std::vector<Recipe> one_of_each_kind(std::vector<Recipe> recipes) {
  struct Chosen {
    std::size_t oldest;
    std::size_t newest;
  };
  std::map<std::tuple<std::string_view, Operator, std::string>, Chosen> chosen;
  for (std::size_t i = 0; i < recipes.size(); ++i) {
    const std::optional<std::string> kind = kind_of(recipes[i]);
    if (!kind) continue;
    const Cell& cell = recipes[i].cell;
    const auto [place, is_new] = chosen.try_emplace({cell.version->domain, cell.version->op, *kind}, Chosen{i, i});
    auto& [oldest, newest] = place->second;
    if (is_new || !has_plain_types(cell)) continue;
    if (!has_plain_types(recipes[oldest].cell)) oldest = newest = i;
    if (deserves_two(recipes[i])) newest = i;
  }
  std::set<std::size_t> order;
  for (const auto& [kind, places] : chosen) order.insert({places.oldest, places.newest});
  std::vector<Recipe> kept;
  for (const std::size_t place : order) kept.push_back(std::move(recipes[place]));
  return kept;
}

/// A covering array of a version, and for each quantized type and granularity a cell that users have most: with numbers
/// in float32 alone, and with a zero point.
std::vector<Cell> smoke_cells(const OperatorVersion& version) {
  const std::vector<Cell>& all = legal_cells(version);
  std::vector<Cell> chosen = covering_array(all);
  const auto is_usual = [](const Cell& cell) {
    const ElementType numbers = cell.version->op == Operator::quantize_linear ? cell.x : cell.y;
    return numbers == ElementType::float32 && cell.scale == ElementType::float32 && cell.has_zero_point() &&
           cell.saturate.value_or(true) && !cell.precision;
  };
  std::set<std::pair<ElementType, Granularity>> covered;
  for (const Cell& cell : chosen)
    if (is_usual(cell)) covered.emplace(cell.quantized_type(), cell.granularity);
  for (const Cell& cell : all)
    if (is_usual(cell) && covered.emplace(cell.quantized_type(), cell.granularity).second) chosen.push_back(cell);
  return chosen;
}

}  // namespace

std::vector<Recipe> cell_recipes(std::uint64_t seed, const FormLimits& limits) {
  Recipes recipes(seed, limits);
  for (const OperatorVersion& version : spec::operator_versions)
    for (const Cell& cell : legal_cells(version)) recipes.add(cell, "values", {.tells_all = true});
  return recipes.take();
}

std::vector<Recipe> further_recipes(std::uint64_t seed, const FormLimits& limits) {
  Recipes recipes(seed, limits);
  for (const OperatorVersion& version : spec::operator_versions) {
    const std::vector<Group> groups = groups_of(version);
    for (const Group& group : groups) {
      add_forms(group, recipes);
      add_opsets(group, recipes);
      add_values(group, recipes);
      add_default_blocks(group, recipes);
    }
    add_common_blocks(groups, recipes);
    add_other_ranks(groups, recipes);
    for (const Granularity granularity : version.granularities) {
      add_geometries(groups, special_geometries(granularity), "shape", true, recipes);
      add_geometries_of_every_class(groups, special_geometries(granularity), recipes);
    }
    add_large(groups, recipes);
    add_lengths(groups, recipes);
  }
  return recipes.take();
}

std::vector<Recipe> all_recipes(std::uint64_t seed, const FormLimits& limits) {
  std::vector<Recipe> recipes = cell_recipes(seed, limits);
  for (Recipe& recipe : further_recipes(seed, limits)) recipes.push_back(std::move(recipe));
  return recipes;
}

std::vector<Recipe> smoke_recipes(std::uint64_t seed, const FormLimits& limits) {
  Recipes covering(seed, limits);
  for (const OperatorVersion& version : spec::operator_versions)
    for (const Cell& cell : smoke_cells(version)) covering.add(cell, "values", {.tells_all = true});
  std::vector<Recipe> recipes = covering.take();
  for (Recipe& recipe : one_of_each_kind(further_recipes(seed, limits))) recipes.push_back(std::move(recipe));
  return recipes;
}

}  // namespace touchstone::conformance
