// Collects the recipes of legal cases.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "conformance/generate/recipe.h"

namespace touchstone::conformance {

/// Cells that differ only in types that are not quantized (of x and scale, or of scale and y), saturate and precision.
struct Group {
  const OperatorVersion* version;
  ElementType quantized;
  Granularity granularity;
  std::optional<ElementType> zero_point;
  std::vector<Cell> cells;
};

std::vector<Group> groups_of(const OperatorVersion& version);

/// The group's cell that is most similar across versions: float32 if possible, and no optional attributes.
const Cell& plainest(const Group& group);

/// The group's cell with this scale type that has as few other types as possible and no optional attributes; null if
/// there is none.
const Cell* plainest_with_scale(const Group& group, ElementType scale);

/// Whether the pages of the other domains leave open if the geometry is legal: ms-negative-axis, pmx-rank and
/// pmx-per-channel-of-axis-0. Such geometries have separate cases.
bool is_disputed(const OperatorVersion& version, const Geometry& geometry);

/// The properties that a family of cases fixes. The others are picked by the id of the case.
struct Given {
  const Geometry* geometry = nullptr;
  const Form* form = nullptr;
  bool form_may_change = false;  ///< whether another form within the limits may replace the given one
  bool tells_all = false;        ///< whether the case must reveal all defects of its cell
};

class Recipes {
 public:
  Recipes(std::uint64_t seed, const FormLimits& limits) : seed_(seed), limits_(limits) {}

  /// Adds a case of a cell, at the opset of its version, with a compatible geometry and form.
  Recipe& add(const Cell& cell, const std::string& what, const Given& given = {});

  /// As add(), unless a case has this id already.
  void add_unless_there(const Cell& cell, const std::string& what, const Given& given);

  std::vector<Recipe> take() { return std::move(recipes_); }

 private:
  /// Uses a picker of its own, so that all other choices stay the same. The case keeps its id, which does not depend on
  /// the picked form; a case whose id names the form has that one. If no form is within the limits, the case keeps
  /// its form.
  void deal_another_form(Recipe& recipe, bool rather_with_given_scales) const;

  std::uint64_t seed_;
  FormLimits limits_;
  std::vector<Recipe> recipes_;
  std::unordered_set<std::string_view> ids_;  ///< of the recipes
};

}  // namespace touchstone::conformance
