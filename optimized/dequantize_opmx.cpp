#include "optimized/dequantize_opmx.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "optimized/arguments.h"
#include "optimized/opmx_operands.h"
#include "optimized/parts.h"
#include "spec/operator_version.h"

namespace touchstone::optimized {

using spec::ElementType;

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

std::int64_t row_count(const Geometry& geometry) { return geometry.outer == 1 ? geometry.axis : geometry.outer; }

/// What the operator requires of a geometry in addition to check_memory.
bool is_valid(const Geometry& geometry, ElementType x_type) {
  if (x_type == ElementType::int4x4 && row_count(geometry) % rows_of_int4x4 != 0) return false;
  return geometry.block > 0 ? geometry.axis % geometry.block == 0 : geometry.axis == 1;
}

OpmxOperands opmx_operands(const Arguments& arguments, OpmxZeroPoint use) {
  const bool has_zero_point = arguments.zero_point.has_value();
  const bool is_added = has_zero_point && use == OpmxZeroPoint::added;
  const bool is_centred = arguments.x.type == ElementType::int4x4 && (is_added || !has_zero_point);
  const Operands operands = operands_of(arguments, has_zero_point ? arguments.zero_point->type : ElementType::int8);
  const std::int64_t row_length = operands.count == 0 ? 0 : operands.count / row_count(operands.geometry);
  return {operands, row_length, is_added, is_centred ? 8 : 0};
}

/// The smallest number of rows that can be split off as a tensor of its own: packed rows stay together, and so do
/// groups of rows, unless there is only one.
std::int64_t rows_of_unit(const OpmxOperands& opmx) {
  const Geometry& geometry = opmx.operands.geometry;
  const std::int64_t packed = opmx.operands.x_type == ElementType::int4x4 ? rows_of_int4x4 : 1;
  const bool has_groups_of_rows = geometry.outer == 1 && geometry.block > 0 && geometry.block < geometry.axis;
  return has_groups_of_rows ? std::lcm(packed, geometry.block) : packed;
}

OpmxOperands part_of(const OpmxOperands& whole, std::int64_t first, std::int64_t rows) {
  const auto& [outer, axis, inner, block] = whole.operands.geometry;
  std::int64_t blocks = 0;  // before the part
  if (block > 0) blocks = outer == 1 ? first / block : first * (axis / block);
  OpmxOperands part = whole;
  part.operands = moved(whole.operands, first * whole.row_length, blocks * inner);
  part.operands.geometry =
      outer == 1 ? Geometry{1, rows, inner, std::min(block, rows)} : Geometry{rows, axis, inner, block};
  part.operands.count = rows * whole.row_length;
  return part;
}

Isa run_by_rows(const OpmxOperands& whole, OpmxKernel kernel, const Executor* executor) {
  const std::int64_t parts = parts_that_pay(whole.operands.count, executor);
  if (parts == 1) {
    const FloatEnvironment environment;
    return kernel(whole);
  }
  const std::int64_t rows = rows_of_unit(whole);
  const std::int64_t units_of_all = row_count(whole.operands.geometry) / rows;
  return share_out({1, units_of_all, 1}, parts, *executor, [&](std::int64_t, std::int64_t first, std::int64_t units) {
    return kernel(part_of(whole, first * rows, units * rows));
  });
}

}  // namespace

Status dequantize_opmx(ConstTensorView x, ConstTensorView scale, std::optional<ConstTensorView> zero_point,
                       TensorView y, const Geometry& geometry, const OpmxOptions& options) noexcept {
  if (options.zero_point > OpmxZeroPoint::added) return {Error::options};
  const Arguments arguments{x, scale, zero_point, y, geometry};
  if (const Error error = check_types(arguments, options.zero_point); error != Error::none) return {error};
  if (!is_valid(geometry, x.type)) return {Error::geometry};
  if (const Error error = check_memory(arguments); error != Error::none) return {error};
  const Isa isa = options.isa.value_or(default_isa());
  if (!is_available(isa)) return {Error::isa};

  const OpmxOperands operands = opmx_operands(arguments, options.zero_point);
  if (operands.operands.count == 0) return {};
  return {Error::none, run_by_rows(operands, kernels[static_cast<std::size_t>(isa)], options.executor)};
}

}  // namespace touchstone::optimized
