#include <fmt/format.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "conformance/generate/illegal_rules.h"

namespace touchstone::conformance {

using spec::PerAxisScale;

namespace {

using Limits = std::numeric_limits<std::int64_t>;

// Also legal for packed data, whose number of rows is a multiple of four.
const Geometry packed_tensor{Granularity::per_tensor, {8, 5}};
const Geometry channels{Granularity::per_axis, {8, 5}, 1, 0, false, PerAxisScale::across_axis};
const Geometry column_groups{Granularity::blocked, {8, 6}, 1, 3};
const Geometry wide_groups{Granularity::blocked, {8, 192}, 1, 64};
const Geometry four_groups{Granularity::blocked, {8, 256}, 1, 64};
const Geometry row_groups{Granularity::blocked, {12, 5}, 0, 3};

struct ShapeRow {
  const char* name;
  const Geometry& base;
  Shape scale;
};

struct NumberRow {
  const char* name;
  std::int64_t number;
};

bool is_packed(const Cell& cell) { return spec::info(cell.x).carrier.has_value(); }
bool is_not_packed(const Cell& cell) { return !is_packed(cell); }

/// A width of the data. Rules are added for each width that allows the geometry.
struct Width {
  const char* name;
  bool (*has)(const Cell&);
};
constexpr std::array widths{Width{"int8", is_not_packed}, Width{"int4", is_packed}};

void add_data_types(IllegalRules& rules) {
  for (const char* name : {"", "int16", "int4x4", "INT4", "Int8", "uint8", "float16"})
    rules.add("pmx-quant-data-type", fmt::format("quant_data_type/{}", *name == 0 ? "empty" : name), tensor_base, any,
              sets("quant_data_type", std::string(name)));
  rules.add("pmx-type-of-x", "quant_data_type/int4_of_int8", tensor_base, is_not_packed,
            sets("quant_data_type", std::string("int4")));
  rules.add("pmx-type-of-x", "quant_data_type/int8_of_int16", packed_tensor, is_packed,
            sets("quant_data_type", std::string("int8")));
  rules.add("pmx-packed-rows", "x/scalar", packed_tensor, is_packed, replaces(x_operand, ElementType::int16, {}));
}

void add_axes(IllegalRules& rules) {
  for (const Geometry* base : {&packed_tensor, &channels, &column_groups, &row_groups})
    for (const auto& [name, axis] :
         {NumberRow{"2", 2}, {"-1", -1}, {"-2", -2}, {"greatest", Limits::max()}, {"least", Limits::min()}})
      rules.add("pmx-quant-axis", fmt::format("quant_axis/{}/{}", base->name(), name), *base, any,
                sets("quant_axis", axis));
  rules.add(
      "pmx-quant-axis", "quant_axis/1_of_a_vector", blocked_base, any,
      both([](Node& node) { node.inputs[x_operand] = exact_data(x_operand, ElementType::int8, {8}); }, reshapes({2})));
}

void add_group_sizes(IllegalRules& rules) {
  for (const auto& [width, has] : widths) {
    for (const auto& [name, size] : {NumberRow{"minus_one", -1}, {"minus_128", -128}, {"least", Limits::min()}})
      rules.add("pmx-group-size-positive", fmt::format("group_size/{}/{}", width, name), column_groups, has,
                sets("group_size", size));
    for (const auto& [name, size] :
         {NumberRow{"4_of_6", 4}, {"12_of_6", 12}, {"128_of_6", 128}, {"greatest", Limits::max()}})
      rules.add("pmx-whole-groups", fmt::format("group_size/{}/{}", width, name), column_groups, has,
                sets("group_size", size));
    rules.add("pmx-whole-groups", fmt::format("group_size/{}/missing", width), column_groups, has,
              removes("group_size"));
    // Without the attribute, groups have 128 elements.
    rules.add("pmx-whole-groups", fmt::format("group_size/{}/missing_for_192", width), wide_groups, has,
              both(removes("group_size"), reshapes({8, 2})));
    // The shape for an implementation that rounds the number of groups up.
    rules.add("pmx-whole-groups", fmt::format("group_size/{}/short_last_group", width), column_groups, has,
              both(sets("group_size", 4), reshapes({8, 2})));
    rules.add("pmx-whole-groups", fmt::format("group_size/{}/short_last_group_of_rows", width), row_groups, has,
              both(sets("group_size", 5), reshapes({3, 5})));
    rules.add("pmx-whole-groups", fmt::format("group_size/{}/more_than_rows", width), row_groups, has,
              both(sets("group_size", 24), reshapes({1, 5})));
  }
}

void add_shapes(IllegalRules& rules, spec::ClauseRef clause, const std::vector<ShapeRow>& rows) {
  for (const auto& [width, has] : widths)
    for (const ShapeRow& row : rows) {
      const bool is_empty = *reference::element_count(row.scale) == 0;  // an empty zero point counts as absent
      const auto choose = [has = has, is_empty](const Cell& cell) {
        return has(cell) && !(is_empty && cell.zero_point);
      };
      rules.add(clause, fmt::format("scale/{}/{}/{}", width, row.base.name(), row.name), row.base, choose,
                reshapes(row.scale));
    }
}

/// Four rows share an element of X. With these scales, the last element of X contains padding rows.
void add_rows_that_were_filled_up(IllegalRules& rules) {
  for (const auto& [name, base, scale] : std::vector<ShapeRow>{
           {"6_rows", column_groups, {6, 2}}, {"6_rows", channels, {6, 1}}, {"9_rows", row_groups, {3, 5}}})
    rules.add("pmx-packed-rows", fmt::format("scale/int4/{}/of_{}", base.name(), name), base, is_packed,
              reshapes(scale));
}

/// Rows are counted after unpacking, so a scale with as many rows as the packed X has too few.
void add_scale_shapes(IllegalRules& rules) {
  add_shapes(rules, "pmx-grouped-shape",
             {{"scalar", column_groups, {}},
              {"one_element", column_groups, {1}},
              {"one_dimension", column_groups, {16}},
              {"transposed", column_groups, {2, 8}},
              {"of_packed_rows", column_groups, {2, 2}},
              {"of_x", column_groups, {8, 6}},
              {"per_channel", column_groups, {8, 1}},
              {"one_row", column_groups, {1, 2}},
              {"of_rank_3", column_groups, {8, 2, 1}},
              {"no_groups", column_groups, {8, 0}},
              {"transposed", row_groups, {5, 4}},
              {"of_packed_rows", row_groups, {1, 5}},
              {"of_x", row_groups, {12, 5}},
              {"of_other_axis", row_groups, {12, 1}},
              {"one_dimension", row_groups, {4}}});
  add_shapes(rules, "pmx-ungrouped-shape",
             {{"along_rows", packed_tensor, {8}},
              {"along_columns", packed_tensor, {5}},
              {"one_element_of_rank_2", packed_tensor, {1, 1}},
              {"empty", packed_tensor, {0}},
              {"of_other_axis", channels, {1, 5}},
              {"transposed", channels, {1, 8}},
              {"of_packed_rows", channels, {2, 1}},
              {"of_x", channels, {8, 5}},
              {"of_rank_3", channels, {8, 1, 1}}});
  // Without the attribute, groups have 128 elements.
  for (const auto& [width, has] : widths)
    rules.add("pmx-grouped-shape", fmt::format("group_size/{}/missing_for_groups_of_64", width), four_groups, has,
              removes("group_size"));
}

/// Only for versions with an attribute for the presence of a zero point.
void add_zero_points(IllegalRules& rules) {
  if (!rules.has(AttributeMeaning::has_zero_point)) return;
  for (const Geometry* base : {&packed_tensor, &channels, &column_groups, &row_groups}) {
    const auto add = [&](spec::ClauseRef clause, const char* name, const IllegalRules::Choose& choose,
                         const IllegalRules::Break& breaks) {
      rules.add(clause, fmt::format("zero_point/{}/{}", base->name(), name), *base, choose, breaks);
    };
    add("pmx-zero-point-given", "omitted", with_zero_point, [](Node& node) { node.inputs.pop_back(); });
    add("pmx-zero-point-given", "empty_name", with_zero_point,
        [](Node& node) { node.inputs[zero_point_operand].reset(); });
    add("pmx-zero-point-given", "empty", with_zero_point, reshapes_one(zero_point_operand, {0}));
    add("pmx-zero-point-given", "announced_only", without_zero_point, sets("has_zeropoint", 1));
    add(
        "pmx-float-zero-point-type", "integer_with_float_zeropoint",
        [](const Cell& cell) { return cell.zero_point == ElementType::int8; }, sets("float_zeropoint", 1));
    add("qdq-same-shape", "of_other_shape", with_zero_point, reshapes_one(zero_point_operand, {2, 2}));
  }
}

}  // namespace

void add_rules_of_opmx(IllegalRules& rules) {
  add_data_types(rules);
  add_axes(rules);
  add_group_sizes(rules);
  add_rows_that_were_filled_up(rules);
  add_scale_shapes(rules);
  add_zero_points(rules);
}

}  // namespace touchstone::conformance
