#include <fmt/format.h>

#include <initializer_list>
#include <limits>
#include <utility>

#include "conformance/generate/illegal_rules.h"

namespace touchstone::conformance {

namespace {

using Shapes = std::initializer_list<std::pair<const char*, Shape>>;

/// Replaces x by a vector, which has no axis 1.
void use_vector(Node& node) { node.inputs[x_operand] = exact_data(x_operand, node.inputs[x_operand]->type(), {5}); }

void add_shapes_without_axis(IllegalRules& rules) {
  for (const auto& [name, shape] : Shapes{{"along_axis_0", {3}},
                                          {"along_axis_1", {5}},
                                          {"longer", {6}},
                                          {"of_x", {3, 5}},
                                          {"blocked", {3, 2}},
                                          {"one_element_of_rank_2", {1, 1}},
                                          {"empty", {0}}})
    rules.add_with_4_bits("ms-scalars-without-axis", fmt::format("without_axis/{}", name), tensor_base, any,
                          reshapes(shape));
  rules.add_with_4_bits("ms-scalars-without-axis", "without_axis/along_a_vector", tensor_base, any,
                        both(use_vector, reshapes({5})));
  rules.add_with_4_bits("ms-scalars-without-axis", "axis/missing", axis_base, any, removes("axis"));
}

void add_shapes_with_axis(IllegalRules& rules) {
  for (const std::int64_t axis : {1, 0, -1})
    rules.add_with_4_bits("ms-vectors-with-axis", fmt::format("with_axis/{}/scalar", axis), tensor_base, any,
                          sets("axis", axis));
  for (const auto& [name, shape] :
       Shapes{{"of_x", {3, 5}}, {"one_for_each_column", {1, 5}}, {"one_element_of_rank_2", {1, 1}}})
    rules.add_with_4_bits("ms-vectors-with-axis", fmt::format("with_axis/{}", name), axis_base, any, reshapes(shape));
  rules.add_with_4_bits("qdq-per-axis-length", "with_axis/one_element", axis_base, any, reshapes({1}));
}

void add_ranges_of_axis(IllegalRules& rules) {
  using Limits = std::numeric_limits<std::int64_t>;
  for (const auto& [name, axis] : std::initializer_list<std::pair<const char*, std::int64_t>>{
           {"rank", 2}, {"below_minus_rank", -3}, {"greatest", Limits::max()}, {"least", Limits::min()}})
    rules.add_with_4_bits("ms-axis-range", fmt::format("axis/{}", name), axis_base, any, sets("axis", axis));
  rules.add_with_4_bits("ms-axis-range", "axis/1_of_a_vector", axis_base, any, use_vector);
}

}  // namespace

void add_rules_of_axis_without_default(IllegalRules& rules) {
  const spec::Attribute* axis = rules.version().attribute(AttributeMeaning::axis);
  if (axis == nullptr || axis->default_value) return;
  add_shapes_without_axis(rules);
  add_shapes_with_axis(rules);
  add_ranges_of_axis(rules);
}

}  // namespace touchstone::conformance
