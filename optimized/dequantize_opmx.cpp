#include "optimized/dequantize_opmx.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "optimized/arguments.h"
#include "optimized/opmx_operands.h"
#include "optimized/parts.h"

namespace touchstone::optimized {

using spec::ElementType;
using spec::Granularity;

namespace {

/// In the order of Isa.
constexpr std::array<OpmxKernel, 2> kernels{dequantize_opmx_portable, dequantize_opmx_avx2};

constexpr int rows_of_int4x4 = spec::elements_per_carrier(ElementType::int4x4);

Error check_types(const Arguments& arguments, OpmxZeroPoint use) {
  if (!spec::contains(spec::tables::int8_and_int4x4, arguments.x.type)) return Error::x_type;
  if (!spec::contains(spec::tables::float32_and_float16, arguments.scale.type)) return Error::scale_type;
  if (arguments.y.type != arguments.scale.type) return Error::y_type;
  if (!arguments.zero_point) return Error::none;
  const ElementType zero_point = arguments.zero_point->type;
  const bool may_be_added = !spec::is_integer(zero_point);
  if (!spec::contains(spec::tables::int8_and_floats, zero_point)) return Error::zero_point_type;
  return use == OpmxZeroPoint::added && !may_be_added ? Error::zero_point_type : Error::none;
}

std::int64_t length_of_axis(const OpmxGeometry& geometry) {
  return geometry.quant_axis == 0 ? geometry.rows : geometry.columns;
}

bool has_such_groups(const OpmxGeometry& geometry) {
  if (geometry.granularity != Granularity::blocked) return true;
  return geometry.group_size > 0 && length_of_axis(geometry) % geometry.group_size == 0;
}

/// The number of elements of scale and zero point; std::nullopt if there are too many.
std::optional<std::int64_t> parameter_count(const OpmxGeometry& geometry) {
  if (geometry.granularity == Granularity::per_tensor) return 1;
  const std::int64_t groups =
      geometry.granularity == Granularity::blocked ? length_of_axis(geometry) / geometry.group_size : 1;
  return element_count({groups, geometry.inner, geometry.quant_axis == 0 ? geometry.columns : geometry.rows});
}

std::optional<std::int64_t> count_of(const OpmxGeometry& geometry) {
  return element_count({geometry.rows, geometry.columns, geometry.inner});
}

/// The first error in the geometry, the sizes or the memory ranges.
Error check_memory_of_opmx(const Arguments& arguments, const OpmxGeometry& geometry) {
  const auto count = count_of(geometry);
  const bool has_axis = geometry.quant_axis == 0 || geometry.quant_axis == 1;
  const bool is_packed = arguments.x.type == ElementType::int4x4;
  if (!count || !has_axis || (is_packed && geometry.rows % rows_of_int4x4 != 0) || !has_such_groups(geometry))
    return Error::geometry;
  const auto parameters = parameter_count(geometry);
  return parameters ? check_memory(arguments, *count, *parameters) : Error::geometry;
}

/// The equivalent Geometry of the other operators: a channel is one block.
Geometry in_blocks(const OpmxGeometry& geometry) {
  const auto& [rows, columns, inner, granularity, quant_axis, group_size] = geometry;
  if (granularity == Granularity::per_tensor) return {1, 1, rows * columns * inner, 0};
  const std::int64_t block =
      granularity == Granularity::blocked ? group_size : std::max<std::int64_t>(length_of_axis(geometry), 1);
  if (quant_axis == 0) return {1, rows, columns * inner, block};
  return {rows, columns, inner, block};
}

OpmxOperands opmx_operands(const Arguments& arguments, const OpmxGeometry& geometry, OpmxZeroPoint use) {
  const bool has_zero_point = arguments.zero_point.has_value();
  const bool is_added = has_zero_point && use == OpmxZeroPoint::added;
  const bool is_centred = arguments.x.type == ElementType::int4x4 && (is_added || !has_zero_point);
  return {operands_of(arguments, has_zero_point ? arguments.zero_point->type : ElementType::int8), geometry, is_added,
          is_centred ? 8 : 0};
}

/// The smallest number of rows that can be split off as a tensor of its own: packed rows stay together, and so do
/// groups of rows.
std::int64_t rows_of_unit(const OpmxOperands& opmx) {
  const OpmxGeometry& geometry = opmx.geometry;
  const std::int64_t packed = opmx.operands.x_type == ElementType::int4x4 ? rows_of_int4x4 : 1;
  const bool has_groups_of_rows = geometry.granularity == Granularity::blocked && geometry.quant_axis == 0;
  return has_groups_of_rows ? std::lcm(packed, geometry.group_size) : packed;
}

OpmxOperands part_of(const OpmxOperands& whole, std::int64_t first, std::int64_t rows) {
  OpmxOperands part = whole;
  part.operands = moved(whole.operands, first * whole.row_length(), parameter_of_row(whole, first));
  part.geometry.rows = rows;
  part.operands.geometry = in_blocks(part.geometry);
  part.operands.count = rows * whole.row_length();
  return part;
}

Isa run_by_rows(const OpmxOperands& whole, OpmxKernel kernel, const Executor* executor) {
  const std::int64_t parts = parts_that_pay(whole.operands.count, executor);
  if (parts == 1) {
    const FloatEnvironment environment;
    return kernel(whole);
  }
  const std::int64_t rows = rows_of_unit(whole);
  // The group size was checked and is not 0.
  const std::int64_t units_of_all = whole.geometry.rows / rows;  // NOLINT(clang-analyzer-core.DivideZero)
  return share_out({1, units_of_all, 1}, parts, *executor, [&](std::int64_t, std::int64_t first, std::int64_t units) {
    return kernel(part_of(whole, first * rows, units * rows));
  });
}

}  // namespace

Status dequantize_opmx(ConstTensorView x, ConstTensorView scale, std::optional<ConstTensorView> zero_point,
                       TensorView y, const OpmxGeometry& geometry, const OpmxOptions& options) noexcept {
  const bool are_options = options.zero_point <= OpmxZeroPoint::added && geometry.granularity <= Granularity::blocked;
  if (!are_options) return {Error::options};
  Arguments arguments{x, scale, zero_point, y, {}};
  if (const Error error = check_types(arguments, options.zero_point); error != Error::none) return {error};
  if (const Error error = check_memory_of_opmx(arguments, geometry); error != Error::none) return {error};
  const Isa isa = options.isa.value_or(default_isa());
  if (!is_available(isa)) return {Error::isa};

  if (*count_of(geometry) == 0) return {};
  arguments.geometry = in_blocks(geometry);
  const OpmxOperands operands = opmx_operands(arguments, geometry, options.zero_point);
  return {Error::none, run_by_rows(operands, kernels[static_cast<std::size_t>(isa)], options.executor)};
}

}  // namespace touchstone::optimized
