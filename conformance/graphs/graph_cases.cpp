#include "conformance/graphs/graph_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "conformance/generate/cover.h"
#include "conformance/generate/picker.h"

namespace touchstone::conformance {

namespace {

std::vector<int> values_of(const GraphParameters& p) {
  return {p.opset,
          static_cast<int>(p.quantized),
          static_cast<int>(p.number),
          static_cast<int>(p.granularity),
          p.has_zero_point() ? 1 : 0,
          p.is_negative() ? 1 : 0,
          static_cast<int>(p.second),
          static_cast<int>(p.form - forms().data())};
}

/// Combines three parameters, because defects are often restricted to numbers of one type with one granularity, with or
/// without a zero point. 0 for later versions, which add only types.
int combined_value(const GraphParameters& p) {
  constexpr int last_combined = 21;
  if (p.opset > last_combined) return 0;
  return 100 * static_cast<int>(p.number) + 10 * static_cast<int>(p.granularity) + (p.has_zero_point() ? 1 : 0);
}

constexpr int last_of_smoke = 21;

/// In the smoke tier, one version of each interface of the operators around, and types of each width that runtimes
/// have.
bool is_of_smoke(const GraphParameters& p) {
  using enum ElementType;
  const bool is_usual = p.quantized == uint8 || p.quantized == int8;
  return (is_usual && (p.opset == 10 || p.opset == 13 || p.opset == last_of_smoke)) || p.quantized == int4 ||
         (p.quantized == float8e4m3fn && (p.opset == 19 || p.granularity == Granularity::blocked));
}

/// Selects parameters of one version in which every pair of values occurs.
std::vector<GraphParameters> covering(const std::vector<GraphParameters>& all) {
  std::vector<std::vector<int>> values;
  for (const GraphParameters& parameters : all) {
    values.push_back(values_of(parameters));
    values.back().push_back(combined_value(parameters));
  }
  std::vector<GraphParameters> found;
  for (const std::size_t place : covering_rows(values)) found.push_back(all[place]);
  return found;
}

/// How often a value of a parameter occurs in the smoke tier, and how often it must.
struct Occurrences {
  int found = 0;
  int needed = 0;
};

/// Whether most models have such a pattern, so that optimizers rewrite it: with one scale and zero point for each
/// tensor of integers, or with int4 in blocks if the pattern is only for blocks.
bool is_usual(const GraphParameters& p, bool has_per_tensor) {
  if (p.number != ElementType::float32) return false;
  if (!has_per_tensor) return p.quantized == ElementType::int4;
  return p.granularity == Granularity::per_tensor && p.has_zero_point() && spec::is_integer(p.quantized) &&
         p.second != Second::type;
}

/// Selects parameters of the smoke tier in which every value occurs twice if it can, because no defect is found by a
/// single case, and every sign of scales and every axis in each granularity once. Patterns that have the same
/// parameters begin elsewhere, so that together they have more pairs of values.
std::vector<GraphParameters> covering_smoke(std::string_view pattern, std::vector<GraphParameters> all) {
  std::erase_if(all, std::not_fn(is_of_smoke));
  if (all.empty()) return all;
  const std::size_t start = Picker(pattern, 0).below(all.size());
  std::ranges::rotate(all, all.begin() + static_cast<std::ptrdiff_t>(start));
  const bool has_per_tensor =
      std::ranges::any_of(all, [](const GraphParameters& p) { return p.granularity == Granularity::per_tensor; });
  std::map<std::pair<std::size_t, int>, Occurrences> known;  // by dimension and value
  std::vector<std::vector<Occurrences*>> rows;
  for (const GraphParameters& p : all) {
    std::vector<Occurrences*>& row = rows.emplace_back();
    const auto add = [&](int value, int needed) {
      Occurrences& occurrences = known[{row.size(), value}];
      occurrences.needed = needed;
      row.push_back(&occurrences);
    };
    for (const int value : values_of(p)) add(value, 2);
    add(static_cast<int>(p.zero_points), 1);
    add(static_cast<int>(p.scales), 1);
    add(2 * static_cast<int>(p.granularity) + (p.is_negative() ? 1 : 0), 1);
    add(4 * static_cast<int>(p.granularity) + static_cast<int>(p.axis), 1);
    add(2 * static_cast<int>(p.second) + (p.has_zero_point() ? 1 : 0), 1);
    add(is_usual(p, has_per_tensor) ? 1 : 0, is_usual(p, has_per_tensor) ? 3 : 0);
  }
  const auto gain = [](const std::vector<Occurrences*>& row) {
    return std::ranges::count_if(row, [](const Occurrences* value) { return value->found < value->needed; });
  };
  std::vector<GraphParameters> found;
  while (!rows.empty()) {
    const auto best = std::ranges::max_element(rows, {}, gain);
    if (gain(*best) == 0) break;
    for (Occurrences* value : *best) ++value->found;
    const auto place = best - rows.begin();
    found.push_back(all[static_cast<std::size_t>(place)]);
    all.erase(all.begin() + place);
    rows.erase(best);
  }
  return found;
}

/// Parameters with which the graph violates a rule, or none if no such graph can.
std::optional<GraphParameters> violating(Violation violation, const Pattern& pattern,
                                         std::vector<GraphParameters> all) {
  // The legal twin must be legal under all readings.
  std::erase_if(all, [&](const GraphParameters& parameters) {
    return !can_violate(violation, parameters) || pattern.is_disputed(parameters);
  });
  if (all.empty()) return std::nullopt;
  Picker picker(fmt::format("{}/{}", pattern.name, all.front().opset), 0);
  GraphParameters parameters = picker.one_of(all);
  parameters.violation = violation;
  return parameters;
}

/// What patterns with the same parameters have in common.
struct Choice {
  std::map<int, std::vector<GraphParameters>> possible;  ///< by opset
  std::vector<GraphParameters> legal;                    ///< the parameters of legal cases
};

Choice choose(const Pattern& pattern, const std::vector<GraphParameters>& all) {
  Choice choice;
  for (const GraphParameters& parameters : all)
    if (pattern.has(parameters)) choice.possible[parameters.opset].push_back(parameters);
  for (const auto& [opset, possible] : choice.possible)
    std::ranges::move(covering(possible), std::back_inserter(choice.legal));
  return choice;
}

/// The parameters of cases that violate a rule: one for each version, or the first one of the smoke tier.
std::vector<GraphParameters> illegal_cases(const Pattern& pattern, const Choice& choice, Tier tier) {
  std::vector<GraphParameters> illegal;
  std::size_t turn = pattern.name.size();
  for (const auto& [opset, possible] : choice.possible) {
    const auto parameters = violating(violations.at(turn++ % violations.size()), pattern, possible);
    if (!parameters || (tier == Tier::smoke && !is_of_smoke(*parameters))) continue;
    illegal.push_back(*parameters);
    if (tier == Tier::smoke) break;
  }
  return illegal;
}

GraphRecipe make_recipe(const Pattern& pattern, GraphParameters parameters, std::uint64_t seed,
                        const FormLimits& limits) {
  GraphRecipe recipe{.id = fmt::format("graphs/{}/{}", pattern.name, to_string(parameters)),
                     .pattern = &pattern,
                     .parameters = parameters,
                     .seed = seed,
                     .has_other_form = !is_within(limits, *parameters.form)};
  if (recipe.has_other_form) recipe.parameters.form = &form_named("initializers");
  return recipe;
}

/// The graph that does not violate the rule.
GraphRecipe legal(GraphRecipe recipe) {
  recipe.parameters.violation = Violation::none;
  recipe.is_twin = true;
  return recipe;
}

Case build(const GraphRecipe& recipe, GraphVariation variation = {}) {
  const bool is_legal = recipe.parameters.violation == Violation::none;
  variation.has_twin = recipe.is_twin || !is_legal;
  GraphBuilder graph(recipe.parameters, recipe.id, recipe.seed, variation);
  recipe.pattern->build(graph);
  return is_legal ? graph.finish() : graph.finish(build(legal(recipe), variation));
}

/// The undisputed parameters of the pattern at the same opset, those with the same types first.
std::vector<GraphParameters> nearest_parameters(const Pattern& pattern, const GraphParameters& own) {
  std::vector<GraphParameters> found;
  std::ranges::copy_if(all_graph_parameters(), std::back_inserter(found), [&](const GraphParameters& other) {
    return other.opset == own.opset && pattern.has(other) && !pattern.is_disputed(other);
  });
  std::ranges::stable_sort(found, {}, [&](const GraphParameters& other) {
    return std::tuple(other.quantized != own.quantized, other.number != own.number,
                      other.granularity != own.granularity, other.has_zero_point() != own.has_zero_point(),
                      other.second != own.second, other.form != own.form);
  });
  return found;
}

}  // namespace

std::vector<GraphRecipe> graph_recipes(Tier tier, std::uint64_t seed, const FormLimits& limits) {
  std::vector<GraphParameters> all = all_graph_parameters();
  if (tier == Tier::smoke) std::erase_if(all, [](const GraphParameters& p) { return p.opset > last_of_smoke; });
  std::map<decltype(Pattern::has), Choice> known;
  std::vector<GraphRecipe> recipes;
  for (const Pattern& pattern : patterns()) {
    const auto [choice, is_new] = known.try_emplace(pattern.has);
    if (is_new) choice->second = choose(pattern, all);
    std::vector<GraphParameters> legal = choice->second.legal;
    for (GraphParameters& parameters : legal) parameters = varied(parameters, pattern.name, pattern.has);
    for (const GraphParameters& parameters : tier == Tier::smoke ? covering_smoke(pattern.name, legal) : legal)
      recipes.push_back(make_recipe(pattern, parameters, seed, limits));
    for (const GraphParameters& parameters : illegal_cases(pattern, choice->second, tier))
      recipes.push_back(make_recipe(pattern, parameters, seed, limits));
  }
  return recipes;
}

Case make_case(const GraphRecipe& recipe) {
  Case made = build(recipe);
  const bool is_fixed = recipe.parameters.form->dimensions == Dimensions::fixed;
  if (is_fixed || recipe.parameters.violation != Violation::none) return made;
  // A second run with other shapes, of which plans and buffers of the first may be wrong. Constants must stay the same,
  // and some have a dimension of x.
  const auto shape = [](const NamedTensor& input) { return input.value.shape(); };
  for (const auto& [first, inside] : {std::pair(true, true), std::pair(true, false), std::pair(false, true)}) {
    Case longer = build(recipe, {.is_longer = first, .is_longer_inside = inside});
    const bool has_other_shapes =
        !std::ranges::equal(made.data_sets.front().inputs, longer.data_sets.front().inputs, {}, shape, shape);
    if (!has_other_shapes || longer.model.bytes != made.model.bytes) continue;
    std::ranges::move(longer.data_sets, std::back_inserter(made.data_sets));
    break;
  }
  return made;
}

void offer_control_candidates(const GraphRecipe& recipe, const TakeCase& take) {
  GraphRecipe candidate = legal(recipe);
  if (take(make_case(candidate))) return;
  candidate.parameters.scales = Scales::positive;
  if (take(make_case(candidate))) return;
  if (recipe.parameters.opset == 23) {
    candidate.parameters.opset = 24;
    if (take(make_case(candidate))) return;
  }
  for (const GraphParameters& parameters : nearest_parameters(*recipe.pattern, recipe.parameters)) {
    candidate.parameters = parameters;
    if (take(make_case(candidate))) return;
  }
  // A reading rejects tensors without elements, whatever the parameters are.
  candidate.parameters = recipe.parameters;
  candidate.parameters.scales = Scales::positive;
  candidate.pattern = &*std::ranges::find(patterns(), "ql_dq", &Pattern::name);
  take(make_case(candidate));
}

}  // namespace touchstone::conformance
