#include "conformance/generate/control.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace touchstone::conformance {

namespace {

/// Interpreting more elements takes seconds, and does not affect whether a model is accepted.
constexpr std::int64_t most_elements = 4096;

/// A geometry with the same attribute `axis`, because a backend may lack negative axes, and one with another axis,
/// because the page may not allow this one.
std::vector<const Geometry*> usual_geometries(const Cell& cell, const Form& form, const Geometry& given) {
  const Geometry* same_axis = nullptr;
  const Geometry* other_axis = nullptr;
  for (const Geometry& geometry : cell_geometries(cell.granularity, false)) {
    if (!can_have(*cell.version, cell.x, geometry) || !suits(form, cell, geometry)) continue;
    const Geometry*& found = geometry.axis == given.axis ? same_axis : other_axis;
    if (found == nullptr) found = &geometry;
  }
  std::vector<const Geometry*> usual{same_axis, other_axis};
  std::erase(usual, nullptr);
  return usual;
}

/// The given geometry without what a reading may reject of it: first a scale of shape [1] for all elements, then also a
/// block size without blocks, then also an axis without use.
std::vector<Geometry> simpler_geometries(const Geometry& given) {
  std::vector<Geometry> simpler;
  Geometry geometry = given;
  geometry.one_element = false;
  simpler.push_back(geometry);
  if (geometry.granularity == Granularity::blocked) return simpler;
  geometry.block_size = 0;
  simpler.push_back(geometry);
  if (geometry.granularity != Granularity::per_tensor) return simpler;
  geometry.axis.reset();
  simpler.push_back(geometry);
  return simpler;
}

/// The same node at version 24, if a reading takes its version from the draft of version 23. A backend that follows the
/// draft accepts it; one that lacks a type or an attribute refuses both.
std::optional<Recipe> at_version_without_draft(const Recipe& recipe) {
  const OperatorVersion& version = *recipe.cell.version;
  if (version.domain != spec::ai_onnx || version.since_version != 23) return std::nullopt;
  Recipe next = recipe;
  next.opset = 24;
  next.cell.version = spec::resolve(version.domain, version.op, next.opset);
  return next;
}

/// Candidates from the recipe's cell. `simpler` are those of its geometry.
std::vector<Recipe> near_candidates(Recipe recipe, const std::vector<Geometry>& simpler) {
  recipe.values = Values::ordinary;
  recipe.runs_again = false;
  std::vector<Recipe> candidates;
  const Geometry& given_geometry = *recipe.geometry;
  const auto add_with_each_geometry = [&](Recipe made) {
    const auto add = [&](const Geometry& geometry) {
      made.geometry = &geometry;
      if (geometry.elements() <= most_elements) candidates.push_back(made);
    };
    add(given_geometry);
    std::ranges::for_each(simpler, add);
    for (const Geometry* usual : usual_geometries(made.cell, *made.form, given_geometry)) add(*usual);
  };
  const auto add_of_both_versions = [&] {
    add_with_each_geometry(recipe);
    if (const auto next = at_version_without_draft(recipe)) add_with_each_geometry(*next);
  };
  // First with the same attributes: a backend that refuses one of them must not accept its control.
  add_of_both_versions();
  recipe.extra_attributes = {};
  recipe.leaves_out_defaults = true;
  add_of_both_versions();
  recipe.form = &form_named("initializers");
  add_of_both_versions();
  return candidates;
}

/// The distance between two cells of a version. A difference in an attribute counts less than one in a type.
int distance(const Cell& left, const Cell& right) {
  const int types = static_cast<int>(left.x != right.x) + static_cast<int>(left.scale != right.scale) +
                    static_cast<int>(left.y != right.y) + static_cast<int>(left.zero_point != right.zero_point);
  return 4 * types + static_cast<int>(left.saturate != right.saturate) +
         static_cast<int>(left.precision != right.precision);
}

/// The other cells of the granularity, nearest first; cells with the same quantized type precede all others.
std::vector<Cell> other_cells(const Cell& cell) {
  std::vector<Cell> cells = legal_cells(*cell.version);
  std::erase_if(cells, [&](const Cell& other) { return other.granularity != cell.granularity || other == cell; });
  std::ranges::stable_sort(cells, {}, [&](const Cell& other) {
    return std::pair(other.quantized_type() != cell.quantized_type(), distance(cell, other));
  });
  return cells;
}

/// Recipes for another cell: with the given attributes, geometry (or a simpler one) and form if the cell allows them,
/// and with usual ones.
std::vector<Recipe> far_candidates(const Recipe& given, const std::vector<Geometry>& simpler, const Cell& cell) {
  std::vector<Recipe> candidates;
  const auto add = [&](const Geometry* geometry, const Form& form, bool leaves_out_defaults) {
    const bool fits = geometry->elements() <= most_elements && can_have(*cell.version, cell.x, *geometry) &&
                      suits(form, cell, *geometry);
    if (!fits) return;
    candidates.push_back({.id = given.id,
                          .cell = cell,
                          .opset = given.opset,
                          .values = Values::ordinary,
                          .leaves_out_defaults = leaves_out_defaults,
                          .runs_again = false,
                          .geometry = geometry,
                          .form = &form,
                          .seed = given.seed});
  };
  const Form& usual_form = form_named("initializers");
  const std::vector<const Geometry*> usual_ones = usual_geometries(cell, usual_form, *given.geometry);
  for (const bool leaves_out_defaults : {given.leaves_out_defaults, true}) {
    add(given.geometry, *given.form, leaves_out_defaults);
    for (const Geometry& geometry : simpler) add(&geometry, *given.form, leaves_out_defaults);
    for (const Geometry* usual : usual_ones) add(usual, usual_form, leaves_out_defaults);
  }
  return candidates;
}

}  // namespace

void offer_control_candidates(const Recipe& recipe, const TakeCase& take) {
  const auto takes_one_of = [&](const std::vector<Recipe>& candidates) {
    return std::ranges::any_of(candidates, [&](const Recipe& candidate) { return take(make_case(candidate)); });
  };
  const std::vector<Geometry> simpler = simpler_geometries(*recipe.geometry);
  if (takes_one_of(near_candidates(recipe, simpler))) return;
  for (const Cell& cell : other_cells(recipe.cell))
    if (takes_one_of(far_candidates(recipe, simpler, cell))) return;
}

}  // namespace touchstone::conformance
