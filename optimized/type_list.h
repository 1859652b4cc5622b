// The types that kernels support, from the tables of spec/, and their expansion to template arguments, so that kernels
// are instantiated for exactly these types.
#pragma once

#include <cstddef>
#include <utility>

#include "spec/element_type.h"
#include "spec/operator_version.h"
#include "spec/opset.h"

namespace touchstone::optimized {

/// The newest versions in ai.onnx, which have the types of all others (operator_version_test checks it).
inline constexpr const spec::OperatorVersion& newest_quantize_linear =
    *spec::resolve(spec::ai_onnx, spec::Operator::quantize_linear, spec::newest_opset);
inline constexpr const spec::OperatorVersion& newest_dequantize_linear =
    *spec::resolve(spec::ai_onnx, spec::Operator::dequantize_linear, spec::newest_opset);

/// y of QuantizeLinear; x, scale and y of DequantizeLinear.
inline constexpr spec::TypeList quantized_types = newest_quantize_linear.output.types;
inline constexpr spec::TypeList dequantized_types = newest_dequantize_linear.inputs[0].types;
inline constexpr spec::TypeList scale_types = newest_dequantize_linear.inputs[1].types;
inline constexpr spec::TypeList result_types = newest_dequantize_linear.output.types;

/// The result of function.operator()<types...>().
template <const spec::TypeList& types, class Function>
consteval auto expand(Function function) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return function.template operator()<types[i]...>();
  }(std::make_index_sequence<types.size()>{});
}

}  // namespace touchstone::optimized
