#include "conformance/graphs/graph_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "conformance/generate/cover.h"

namespace touchstone::conformance {

namespace {

std::vector<int> values_of(const GraphParameters& p) {
  return {p.opset,
          static_cast<int>(p.quantized),
          static_cast<int>(p.number),
          static_cast<int>(p.granularity),
          p.has_zero_point ? 1 : 0,
          p.is_negative ? 1 : 0,
          static_cast<int>(p.second),
          static_cast<int>(p.form - forms().data())};
}

/// Combines three parameters, because defects are often restricted to numbers of one type with one granularity, with or
/// without a zero point. 0 for later versions, which add only types.
int combined_value(const GraphParameters& p) {
  constexpr int last_combined = 21;
  if (p.opset > last_combined) return 0;
  return 100 * static_cast<int>(p.number) + 10 * static_cast<int>(p.granularity) + (p.has_zero_point ? 1 : 0);
}

bool is_within(const FormLimits& limits, const Form& form) {
  if (limits.constant_scales_only && form.parameters == Source::graph_input) return false;
  return !limits.static_shapes_only || form.dimensions == Dimensions::fixed;
}

void append_covering(const Pattern& pattern, const std::vector<GraphParameters>& all, Tier tier, std::uint64_t seed,
                     std::vector<GraphRecipe>& recipes) {
  std::vector<std::vector<int>> rows;
  for (const GraphParameters& parameters : all) {
    rows.push_back(values_of(parameters));
    if (tier == Tier::standard) rows.back().push_back(combined_value(parameters));
  }
  for (const std::size_t place : covering_rows(rows))
    recipes.push_back({.id = fmt::format("graphs/{}/{}", pattern.name, to_string(all[place])),
                       .pattern = &pattern,
                       .parameters = all[place],
                       .seed = seed});
}

}  // namespace

namespace {

/// In the tier smoke, one version of each interface of the operators around, and types of each width that runtimes
/// have.
bool is_of_smoke(const GraphParameters& p) {
  using enum spec::ElementType;
  const bool is_usual = p.quantized == uint8 || p.quantized == int8;
  return (is_usual && (p.opset == 10 || p.opset == 13 || p.opset == 21)) || p.quantized == int4 ||
         (p.quantized == float8e4m3fn && p.opset == 19);
}

}  // namespace

std::vector<GraphRecipe> graph_recipes(Tier tier, std::uint64_t seed, const FormLimits& limits) {
  std::vector<GraphParameters> all = all_graph_parameters();
  std::erase_if(all, [&](const GraphParameters& parameters) { return !is_within(limits, *parameters.form); });
  if (tier == Tier::smoke) std::erase_if(all, std::not_fn(is_of_smoke));
  std::vector<GraphRecipe> recipes;
  for (const Pattern& pattern : patterns()) {
    std::vector<GraphParameters> own;
    std::ranges::copy_if(all, std::back_inserter(own), pattern.has);
    if (tier == Tier::smoke) {
      append_covering(pattern, own, tier, seed, recipes);
      continue;
    }
    for (auto begin = own.begin(); begin != own.end();) {
      const auto end =
          std::find_if(begin, own.end(), [&](const GraphParameters& other) { return other.opset != begin->opset; });
      append_covering(pattern, {begin, end}, tier, seed, recipes);
      begin = end;
    }
  }
  return recipes;
}

Case make_case(const GraphRecipe& recipe) {
  GraphBuilder graph(recipe.parameters, recipe.id, recipe.seed);
  recipe.pattern->build(graph);
  return graph.finish();
}

}  // namespace touchstone::conformance
