#include "conformance/generate/value_families.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "conformance/generate/scales.h"
#include "spec/clauses.h"

namespace touchstone::conformance {

namespace {

/// Not in ai.onnx, which forbids them.
bool has_int32_zero_points(const Group& group) {
  const OperatorVersion& version = *group.version;
  return group.zero_point == ElementType::int32 &&
         !spec::find_clause("dq-int32-zero-point")->applies.covers(version.domain, version.op, version.since_version);
}

/// Zero points of a separate type may have values outside the quantized type.
bool has_wide_zero_points(const Group& group) {
  const ElementTypeInfo& zero_point = spec::info(*group.zero_point);
  return spec::is_integer(zero_point.type) && zero_point.bits > spec::info(group.quantized).bits;
}

/// An attribute whose value is redundant or discouraged.
struct UnusualAttribute {
  const char* family;
  AttributeMeaning meaning;
  reference::AttributeValue value;
  bool (*concerns)(const Group&);
};

const std::vector<UnusualAttribute>& unusual_attributes() {
  using enum AttributeMeaning;
  const auto all = [](const Group&) { return true; };
  static const std::vector<UnusualAttribute> rows{
      {"unused_saturate", saturate, 0, [](const Group& group) { return !spec::is_float8(group.quantized); }},
      {"reserved_attribute", reserved, std::string("RTN"), all},
      {"zero_point_announced_by_2", has_zero_point, 2, all},
      {"float_zero_point_not_announced", zero_point_is_float, 0,
       [](const Group& group) { return !spec::is_integer(*group.zero_point); }},
      {"redundant_output_dtype", output_dtype, static_cast<std::int64_t>(ElementType::float32),
       [](const Group& group) { return may_be_unknown(*group.version, output_dtype); }},
  };
  return rows;
}

/// Where an attribute says whether there is a zero point, a zero point without elements also says that there is none.
void add_empty_zero_point(const Group& group, Recipes& recipes) {
  if (group.zero_point || group.version->attribute(AttributeMeaning::has_zero_point) == nullptr) return;
  recipes.add(plainest(group), "empty_zero_point").values = Values::empty_zero_point;
}

/// Separate from the directed values, because rejecting them is permitted.
void add_int32_zero_points(const Group& group, Recipes& recipes) {
  if (!has_int32_zero_points(group)) return;
  for (const Cell& cell : group.cells) recipes.add(cell, "int32_zero_point").values = Values::int32_zero_point;
}

/// A cell for each type to which quotients may be rounded before a floating-point zero point is added.
void add_float_zero_points(const Group& group, Recipes& recipes) {
  if (spec::is_integer(group.quantized)) return;
  recipes.add(plainest(group), "float_zero_point").values = Values::float_zero_point;
  if (group.version->op != Operator::quantize_linear) return;
  for (const ElementType narrow : {ElementType::float16, ElementType::bfloat16})
    for (const Cell& cell : group.cells)
      if (cell.x == narrow && cell.scale == narrow && !cell.precision && cell.saturate != std::optional(false))
        recipes.add(cell, "float_zero_point").values = Values::float_zero_point;
}

/// Zero points that no attribute announces, and announced ones that are missing. Backends may accept or reject both.
void add_contradicting_flags(const Group& group, Recipes& recipes) {
  using enum AttributeMeaning;
  if (group.version->attribute(has_zero_point) == nullptr) return;
  const Cell& cell = plainest(group);
  if (!group.zero_point)
    recipes.add(cell, "float_flag_without_zero_point").extra_attributes = {{zero_point_is_float, 1}};
  else if (spec::is_integer(*group.zero_point))
    recipes.add(cell, "zero_point_not_announced").extra_attributes = {{has_zero_point, 0}};
  else
    recipes.add(cell, "float_flag_without_announcement").extra_attributes = {{has_zero_point, 0}};
}

/// As many elements as the longest lists of inputs need.
const Geometry& of_listed_inputs() {
  static const Geometry geometry{Granularity::per_tensor, {128}};
  return geometry;
}

/// Optimizers remove such a scale if it is constant.
void add_scales_of_1(const Group& group, Recipes& recipes) {
  const Form& form = form_named("initializers");
  const auto add = [&](const Cell& cell, const Geometry* geometry) {
    recipes.add(cell, "scale/one", {.geometry = geometry, .form = &form}).values = Values::scale_of_1;
  };
  if (group.granularity != Granularity::per_tensor) return add(plainest(group), nullptr);
  const bool quantizes = group.version->op == Operator::quantize_linear;
  for (const ElementType type : group.version->inputs[1].types)
    if (const Cell* cell = plainest_with_scale(group, type)) add(*cell, quantizes ? &of_listed_inputs() : nullptr);
}

/// If the zero point is 0 as well, optimizers replace QuantizeLinear by a conversion, which saturates in another way
/// for each type.
void add_scales_of_1_zero_points_of_0(const Group& group, Recipes& recipes) {
  if (group.version->op != Operator::quantize_linear || !spec::is_integer(group.quantized)) return;
  for (const ElementType type : group.version->inputs[1].types)
    if (const Cell* cell = plainest_with_scale(group, type))
      recipes
          .add(*cell, "scale/one_zero_point_zero",
               {.geometry = &of_listed_inputs(), .form = &form_named("initializers")})
          .values = Values::scale_of_1_zero_point_0;
}

/// One case for each pair of divided types, and for each precision one for each type that both operands can have.
void add_quotients_beyond_range(const Group& group, Recipes& recipes) {
  if (group.version->op != Operator::quantize_linear) return;
  if (group.granularity != Granularity::per_tensor || !group.zero_point) return;
  for (const Cell& cell : group.cells)
    if (!cell.precision || cell.x == cell.scale)
      recipes.add(cell, "beyond_range", {.geometry = &of_listed_inputs()}).values = Values::beyond_range;
}

/// For DequantizeLinear, only integers wide enough to contain them.
void add_powers_of_two(const Group& group, Recipes& recipes) {
  const bool quantizes = group.version->op == Operator::quantize_linear;
  const ElementTypeInfo& quantized = spec::info(group.quantized);
  if (group.granularity != Granularity::per_tensor || spec::info(quantized.type).carrier) return;
  if (!quantizes && (!spec::is_integer(quantized.type) || quantized.bits < 16)) return;
  recipes.add(plainest(group), "powers_of_two", {.geometry = &of_listed_inputs()}).values = Values::powers_of_two;
}

/// Scales of every type that are not positive normal numbers.
void add_unusual_scales(const Group& group, Recipes& recipes) {
  const auto add = [&](const Cell& cell, const char* family, Values values) {
    recipes.add(cell, fmt::format("scale/{}", family)).values = values;
  };
  const auto add_zeros_and_infinity = [&](const Cell& cell) {
    add(cell, "zero", Values::zero_scale);
    add(cell, "negative_zero", Values::negative_zero_scale);
    add(cell, "infinity", Values::infinite_scale);
  };
  const Cell& plain = plainest(group);
  add_zeros_and_infinity(plain);
  add(plain, "nan", Values::nan_scale);
  const auto divides_int32 = [](const Cell& cell) {
    return cell.x == ElementType::int32 && cell.scale == ElementType::float32 && !cell.precision;
  };
  if (const auto cell = std::ranges::find_if(group.cells, divides_int32); cell != group.cells.end() && *cell != plain)
    add(*cell, "zero", Values::zero_scale);
  for (const ElementType scale : group.version->inputs[1].types) {
    const Cell* cell = plainest_with_scale(group, scale);
    if (cell == nullptr) continue;
    if (scale != ElementType::float8e8m0) add(*cell, "negative", Values::negative_scale);
    if (spec::is_integer(scale)) continue;
    if (scale != plain.scale) {
      if (scale != ElementType::float8e8m0) add_zeros_and_infinity(*cell);
      add(*cell, "nan", Values::nan_scale);
    }
    add(*cell, "subnormal", Values::subnormal_scale);
    if (scale == ElementType::float8e8m0) continue;  // see add_every_scale
    add(*cell, "smallest", Values::smallest_scale);
    add(*cell, "smallest_normal", Values::smallest_normal_scale);
  }
}

void add_unusual_operands(const Group& group, Recipes& recipes) {
  if (group.granularity != Granularity::per_tensor || !group.zero_point) return;
  const Cell& cell = plainest(group);
  add_float_zero_points(group, recipes);
  const bool quantizes = group.version->op == Operator::quantize_linear;
  if (quantizes && spec::info(group.quantized).bits <= 8) {
    const Geometry& geometry = cell_geometries(group.granularity, true).front();
    recipes.add(cell, "every_result", {.geometry = &geometry}).values = Values::every_result;
  }
  if (has_wide_zero_points(group)) recipes.add(cell, "wide_zero_point").values = Values::wide_zero_point;
  for (const UnusualAttribute& row : unusual_attributes())
    if (group.version->attribute(row.meaning) != nullptr && row.concerns(group))
      recipes.add(cell, row.family).extra_attributes = {{row.meaning, row.value}};
  add_unusual_scales(group, recipes);
  add_scales_of_1_zero_points_of_0(group, recipes);
}

/// Adds a case for each geometry with as many parameters as a narrow type has codes.
void add_for_every_code(const Cell& cell, const char* family, Values values, Recipes& recipes) {
  for (const Geometry& geometry : every_code_geometries(cell.granularity)) {
    if (!can_have(*cell.version, cell.x, geometry) || is_disputed(*cell.version, geometry)) continue;
    const Form* form = cell.granularity == Granularity::per_tensor ? &plain_form() : nullptr;
    recipes.add(cell, family, {.geometry = &geometry, .form = form, .form_may_change = true}).values = values;
    return;
  }
}

/// Scales of 8 bits: a decoder may be wrong for a single code. NaN, and the number that is subnormal in float32, have a
/// separate case, because rejecting them is permitted.
void add_every_scale(const Group& group, Recipes& recipes) {
  if (group.granularity == Granularity::per_tensor || !group.zero_point) return;
  const Cell* cell = plainest_with_scale(group, ElementType::float8e8m0);
  if (cell == nullptr) return;
  add_for_every_code(*cell, "scale/every_normal_code", Values::every_normal_scale, recipes);
  add_for_every_code(*cell, "scale/every_code", Values::every_scale, recipes);
}

/// As many as possible in one run of the model.
void add_every_zero_point(const Group& group, Recipes& recipes) {
  const bool has_several = group.version->has(Granularity::per_axis);
  if (group.granularity != (has_several ? Granularity::per_axis : Granularity::per_tensor)) return;
  if (group.zero_point && spec::info(*group.zero_point).bits <= 8)
    add_for_every_code(plainest(group), "zero_point/every_code", Values::every_zero_point, recipes);
}

/// An optimizer may take scales for equal if they differ by little.
void add_similar_scales(const Group& group, Recipes& recipes) {
  if (group.granularity == Granularity::per_tensor || !group.zero_point) return;
  for (const ElementType type : group.version->inputs[1].types)
    if (const Cell* cell = plainest_with_scale(group, type); cell != nullptr && has_neighbours(type))
      recipes.add(*cell, "scale/similar").values = Values::similar_scales;
}

}  // namespace

void add_values(const Group& group, Recipes& recipes) {
  add_int32_zero_points(group, recipes);
  add_empty_zero_point(group, recipes);
  add_unusual_operands(group, recipes);
  add_contradicting_flags(group, recipes);
  add_scales_of_1(group, recipes);
  add_quotients_beyond_range(group, recipes);
  add_powers_of_two(group, recipes);
  add_every_scale(group, recipes);
  add_every_zero_point(group, recipes);
  add_similar_scales(group, recipes);
}

}  // namespace touchstone::conformance
