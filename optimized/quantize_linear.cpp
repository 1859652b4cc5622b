#include "optimized/quantize_linear.h"

#include <array>

#include "optimized/arguments.h"
#include "optimized/operands.h"
#include "optimized/parts.h"
#include "optimized/type_list.h"

namespace touchstone::optimized {

namespace {

/// In the order of Isa.
constexpr std::array<QuantizeKernel, 2> kernels{quantize_portable, quantize_avx2};

Error check_types(const Arguments& arguments) {
  const spec::ElementType y = arguments.y.type;
  const auto& [x_row, scale_row, zero_point_row] = newest_quantize_linear.inputs;
  if (!spec::contains(x_row.types, arguments.x.type)) return Error::x_type;
  if (!spec::contains(scale_row.types, arguments.scale.type)) return Error::scale_type;
  if (!spec::contains(quantized_types, y)) return Error::y_type;
  if (arguments.zero_point && arguments.zero_point->type != y) return Error::zero_point_type;
  return Error::none;
}

}  // namespace

Status quantize_linear(ConstTensorView x, ConstTensorView scale, std::optional<ConstTensorView> zero_point,
                       TensorView y, const Geometry& geometry, const QuantizeOptions& options) noexcept {
  const Arguments arguments{x, scale, zero_point, y, geometry};
  if (const Error error = check_types(arguments); error != Error::none) return {error};
  if (const Error error = check_memory(arguments); error != Error::none) return {error};
  const bool are_options = options.division <= Division::exact && options.fnuz_infinity <= FnuzInfinity::saturates;
  if (!are_options) return {Error::options};
  const Isa isa = options.isa.value_or(default_isa());
  if (!is_available(isa)) return {Error::isa};
  const auto kernel = kernels[static_cast<std::size_t>(isa)];
  const Operands operands = operands_of(arguments, y.type);
  if (operands.count == 0) return {};
  return {Error::none, run_in_parts(operands, options, kernel, options.executor)};
}

}  // namespace touchstone::optimized
