#include "conformance/graphs/graph_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "conformance/generate/cover.h"
#include "conformance/generate/dealer.h"

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

constexpr int last_of_smoke = 21;

/// In the smoke tier, one version of each interface of the operators around, and types of each width that runtimes
/// have.
bool is_of_smoke(const GraphParameters& p) {
  using enum spec::ElementType;
  const bool is_usual = p.quantized == uint8 || p.quantized == int8;
  return (is_usual && (p.opset == 10 || p.opset == 13 || p.opset == last_of_smoke)) || p.quantized == int4 ||
         (p.quantized == float8e4m3fn && p.opset == 19);
}

std::vector<GraphParameters> chosen(const std::vector<GraphParameters>& all,
                                    const std::vector<std::vector<int>>& values) {
  std::vector<GraphParameters> found;
  for (const std::size_t place : covering_rows(values)) found.push_back(all[place]);
  return found;
}

/// Selects parameters of one version in which every pair of values occurs.
std::vector<GraphParameters> covering(const std::vector<GraphParameters>& all) {
  std::vector<std::vector<int>> values;
  for (const GraphParameters& parameters : all) {
    values.push_back(values_of(parameters));
    values.back().push_back(combined_value(parameters));
  }
  return chosen(all, values);
}

/// Selects parameters so that every pair of values occurs in some version.
std::vector<GraphParameters> covering_smoke(std::vector<GraphParameters> all) {
  std::erase_if(all, std::not_fn(is_of_smoke));
  std::vector<std::vector<int>> values;
  std::ranges::transform(all, std::back_inserter(values), values_of);
  return chosen(all, values);
}

/// Parameters with which the graph violates a rule, or none if no such graph can.
std::optional<GraphParameters> violating(Violation violation, const Pattern& pattern,
                                         std::vector<GraphParameters> all) {
  // The legal twin must be legal under all readings.
  std::erase_if(all, [&](const GraphParameters& parameters) {
    return !can_violate(violation, parameters) || pattern.is_disputed(parameters);
  });
  if (all.empty()) return std::nullopt;
  Dealer dealer(fmt::format("{}/{}", pattern.name, all.front().opset), 0);
  GraphParameters parameters = dealer.one_of(all);
  parameters.violation = violation;
  return parameters;
}

/// What patterns with the same parameters have in common.
struct Choice {
  std::map<int, std::vector<GraphParameters>> possible;  ///< by opset
  std::vector<GraphParameters> legal;                    ///< the parameters of legal cases
};

Choice choose(const Pattern& pattern, const std::vector<GraphParameters>& all, Tier tier) {
  Choice choice;
  for (const GraphParameters& parameters : all)
    if (pattern.has(parameters)) choice.possible[parameters.opset].push_back(parameters);
  for (const auto& [opset, possible] : choice.possible)
    std::ranges::move(covering(possible), std::back_inserter(choice.legal));
  if (tier == Tier::smoke) choice.legal = covering_smoke(std::move(choice.legal));
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
  return recipe;
}

/// The undisputed parameters of the pattern at the same opset, those with the same types first.
std::vector<GraphParameters> nearest_parameters(const Pattern& pattern, const GraphParameters& own) {
  std::vector<GraphParameters> found;
  std::ranges::copy_if(all_graph_parameters(), std::back_inserter(found), [&](const GraphParameters& other) {
    return other.opset == own.opset && pattern.has(other) && !pattern.is_disputed(other);
  });
  std::ranges::stable_sort(found, {}, [&](const GraphParameters& other) {
    return std::tuple(other.quantized != own.quantized, other.number != own.number,
                      other.granularity != own.granularity, other.has_zero_point != own.has_zero_point,
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
    if (is_new) choice->second = choose(pattern, all, tier);
    const auto add = [&](const GraphParameters& parameters) {
      recipes.push_back(make_recipe(pattern, parameters, seed, limits));
    };
    std::ranges::for_each(choice->second.legal, add);
    std::ranges::for_each(illegal_cases(pattern, choice->second, tier), add);
  }
  return recipes;
}

Case make_case(const GraphRecipe& recipe) {
  GraphBuilder graph(recipe.parameters, recipe.id, recipe.seed);
  recipe.pattern->build(graph);
  return recipe.parameters.violation == Violation::none ? graph.finish() : graph.finish(make_case(legal(recipe)));
}

void offer_control_candidates(const GraphRecipe& recipe, const TakeCase& take) {
  GraphRecipe candidate = legal(recipe);
  if (take(make_case(candidate))) return;
  candidate.parameters.is_negative = false;
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
  candidate.parameters.is_negative = false;
  candidate.pattern = &*std::ranges::find(patterns(), "ql_dq", &Pattern::name);
  take(make_case(candidate));
}

}  // namespace touchstone::conformance
