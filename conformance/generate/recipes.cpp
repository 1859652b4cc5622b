#include "conformance/generate/recipes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "conformance/generate/picker.h"

namespace touchstone::conformance {

std::vector<Group> groups_of(const OperatorVersion& version) {
  std::map<std::tuple<ElementType, Granularity, std::optional<ElementType>>, std::vector<Cell>> by_key;
  for (const Cell& cell : legal_cells(version))
    by_key[{cell.quantized_type(), cell.granularity, cell.zero_point}].push_back(cell);
  std::vector<Group> groups;
  for (auto& [key, cells] : by_key) {
    const auto& [quantized, granularity, zero_point] = key;
    groups.push_back({&version, quantized, granularity, zero_point, std::move(cells)});
  }
  return groups;
}

const Cell& plainest(const Group& group) {
  const auto unusual = [](const Cell& cell) {
    const auto is_float32 = [](ElementType type) { return type == ElementType::float32; };
    const ElementType other = cell.version->op == Operator::quantize_linear ? cell.x : cell.y;
    return std::tuple(cell.precision.has_value(), !is_float32(cell.scale), !is_float32(other),
                      cell.saturate == std::optional(false));
  };
  return *std::min_element(group.cells.begin(), group.cells.end(),
                           [&](const Cell& a, const Cell& b) { return unusual(a) < unusual(b); });
}

const Cell* plainest_with_scale(const Group& group, ElementType scale) {
  const auto unusual = [](const Cell& cell) {
    const ElementType other = cell.version->op == Operator::quantize_linear ? cell.x : cell.y;
    return std::tuple(cell.precision.has_value(), other != cell.scale, other != ElementType::float32,
                      cell.saturate == std::optional(false));
  };
  const Cell* found = nullptr;
  for (const Cell& cell : group.cells)
    if (cell.scale == scale && (found == nullptr || unusual(cell) < unusual(*found))) found = &cell;
  return found;
}

bool is_disputed(const OperatorVersion& version, const Geometry& geometry) {
  if (version.domain == spec::com_microsoft) return geometry.axis && *geometry.axis < 0;
  if (version.domain != spec::opmx) return false;
  return geometry.x.size() != 2 || (geometry.granularity == Granularity::per_axis && geometry.axis == 0);
}

namespace {

std::vector<const Form*> forms_for(const Cell& cell, const Geometry& geometry, bool with_given_scales) {
  std::vector<const Form*> fitting;
  for (const Form& form : forms())
    if (suits(form, cell, geometry) && is_usual(form, cell) &&
        (!with_given_scales || form.parameters == Source::graph_input))
      fitting.push_back(&form);
  return fitting;
}

/// Whether the case needs all codes of a 6-bit or 8-bit type. Every case has the codes of narrower types.
bool has_all_codes(const Cell& cell) {
  const int bits = spec::info(cell.x).bits;
  return cell.version->op == Operator::dequantize_linear && (bits == 6 || bits == 8);
}

/// The cell's geometries that suit its version, and the form if given.
std::vector<const Geometry*> geometries_for(const Cell& cell, const Form* form) {
  std::vector<const Geometry*> found;
  for (const Geometry& geometry : cell_geometries(cell.granularity, has_all_codes(cell)))
    if (can_have(*cell.version, cell.x, geometry) && !is_disputed(*cell.version, geometry) &&
        (form == nullptr || suits(*form, cell, geometry)))
      found.push_back(&geometry);
  return found;
}

/// Whether one scale may not suffice to reveal all defects: if types differ, one scale reveals a conversion and another
/// one a tie. Scales are then graph inputs, which differ between data sets.
bool needs_several_scales(const Cell& cell) {
  const bool quantizes = cell.version->op == Operator::quantize_linear;
  const bool types_differ = quantizes ? cell.precision || cell.x != cell.scale : cell.scale != cell.y;
  return cell.granularity == Granularity::per_tensor && types_differ;
}

}  // namespace

Recipe& Recipes::add(const Cell& cell, const std::string& what, const Given& given) {
  Recipe recipe{.id = fmt::format("{}/{}", to_string(cell), what),
                .cell = cell,
                .opset = cell.version->since_version,
                .geometry = given.geometry,
                .form = given.form,
                .seed = seed_};
  Picker picker(recipe.id, seed_);
  if (recipe.geometry == nullptr) recipe.geometry = picker.one_of(geometries_for(cell, given.form));
  const bool with_given_scales = given.tells_all && needs_several_scales(cell);
  if (recipe.form == nullptr) recipe.form = picker.one_of(forms_for(cell, *recipe.geometry, with_given_scales));
  const bool may_change = given.form == nullptr || given.form_may_change;
  if (may_change && !is_within(limits_, *recipe.form, *recipe.geometry)) deal_another_form(recipe, with_given_scales);
  ids_.insert(*recipe.id);
  recipes_.push_back(std::move(recipe));
  return recipes_.back();
}

void Recipes::add_unless_there(const Cell& cell, const std::string& what, const Given& given) {
  if (!ids_.contains(fmt::format("{}/{}", to_string(cell), what))) add(cell, what, given);
}

void Recipes::deal_another_form(Recipe& recipe, bool rather_with_given_scales) const {
  for (const bool with_given_scales : {rather_with_given_scales, false}) {
    std::vector<const Form*> left = forms_for(recipe.cell, *recipe.geometry, with_given_scales);
    std::erase_if(left, [&](const Form* form) { return !is_within(limits_, *form, *recipe.geometry); });
    if (left.empty()) continue;
    recipe.form = Picker(std::string(recipe.id) + " in another form", seed_).one_of(left);
    recipe.has_other_form = true;
    return;
  }
}

}  // namespace touchstone::conformance
