#include "optimized/dequantize_linear.h"

#include <array>

#include "optimized/arguments.h"
#include "optimized/operands.h"
#include "optimized/parts.h"
#include "optimized/type_list.h"

namespace touchstone::optimized {

namespace {

/// In the order of Isa.
constexpr std::array<DequantizeKernel, 2> kernels{dequantize_portable, dequantize_avx2};

Error check_types(const Arguments& arguments) {
  const spec::ElementType x = arguments.x.type;
  const spec::OperatorVersion& newest = newest_dequantize_linear;
  if (!spec::contains(dequantized_types, x)) return Error::x_type;
  if (!spec::contains(newest.inputs[1].types, arguments.scale.type)) return Error::scale_type;
  if (!spec::contains(newest.output.types, arguments.y.type)) return Error::y_type;
  if (arguments.zero_point && arguments.zero_point->type != x) return Error::zero_point_type;
  return Error::none;
}

}  // namespace

Status dequantize_linear(ConstTensorView x, ConstTensorView scale, std::optional<ConstTensorView> zero_point,
                         TensorView y, const Geometry& geometry, const DequantizeOptions& options) noexcept {
  const Arguments arguments{x, scale, zero_point, y, geometry};
  if (const Error error = check_types(arguments); error != Error::none) return {error};
  if (const Error error = check_memory(arguments); error != Error::none) return {error};
  if (options.multiplication > Multiplication::in_float32) return {Error::options};
  const Isa isa = options.isa.value_or(default_isa());
  if (!is_available(isa)) return {Error::isa};
  const auto kernel = kernels[static_cast<std::size_t>(isa)];
  const Operands operands = operands_of(arguments, x.type);
  if (operands.count == 0) return {};
  return {Error::none, run_in_parts(operands, options, kernel, options.executor)};
}

}  // namespace touchstone::optimized
