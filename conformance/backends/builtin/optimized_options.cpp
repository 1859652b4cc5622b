#include "conformance/backends/builtin/optimized_options.h"

#include <algorithm>
#include <optional>

namespace touchstone::conformance {

using optimized::Division;
using optimized::Multiplication;
using spec::OutputTypeRule;

namespace {

/// The type in output_dtype; nothing if it is absent or 0, or if the version does not have it.
std::optional<ElementType> output_dtype_of(const TypedNode& node) {
  const std::int64_t code = node.integer(AttributeMeaning::output_dtype).value_or(0);
  if (code == 0) return std::nullopt;
  const auto type = spec::element_type_from_code(code);
  if (type && spec::contains(node.version.output.types, *type)) return type;
  if (node.version.op == Operator::quantize_linear) refuse("ql-output-dtype-allowed", "output_dtype is {}", code);
  refuse("dq-output-dtype-allowed", "output_dtype is {}", code);
}

/// float8e8m0 has neither sign nor fraction, so a division by such a scale is done in float32
/// (amb-e8m0-scale-without-precision). A division by an int32 scale is not rounded (amb-int32-scale).
Division division_in(ElementType type) {
  switch (type) {
    case ElementType::float16: return Division::in_float16;
    case ElementType::bfloat16: return Division::in_bfloat16;
    case ElementType::float64: return Division::in_float64;
    case ElementType::int32: return Division::exact;
    default: return Division::in_float32;
  }
}

/// The page does not list float64, but the primary reading permits it (amb-precision-values).
bool is_precision(const TypedNode& node, ElementType type) {
  return spec::contains(node.version.precisions, type) || type == ElementType::float64;
}

/// The division. For versions that do not specify it: float32, except for int32 scales.
Division division_of(const TypedNode& node) {
  const ElementType scale = node.scale.type();
  const std::int64_t precision = node.integer(AttributeMeaning::precision).value_or(0);
  if (precision != 0) {
    const auto type = spec::element_type_from_code(precision);
    if (!type || !is_precision(node, *type)) refuse("ql-division-in-precision", "precision is {}", precision);
    return division_in(*type);
  }
  if (node.has("ql-division-in-scale-type") || scale == ElementType::int32) return division_in(scale);
  return Division::in_float32;
}

/// The multiplication. For versions that do not specify it: float32.
Multiplication multiplication_of(const TypedNode& node, ElementType y) {
  if (!node.has("dq-product-in-output-type")) return Multiplication::in_float32;
  if (y == ElementType::bfloat16) return Multiplication::in_bfloat16;
  return y == ElementType::float16 ? Multiplication::in_float16 : Multiplication::in_float32;
}

/// "There's no zero point in the case of dequantizing int32" (amb-int32-zero-point).
void check_int32_zero_point(const TypedNode& node) {
  if (!node.has("dq-int32-zero-point") || node.x.type() != ElementType::int32 || node.zero_point == nullptr) return;
  const auto bytes = node.zero_point->bytes();
  if (std::any_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte != std::byte{0}; }))
    refuse("dq-int32-zero-point", "a zero point of int32 is not 0");
}

}  // namespace

ElementType y_type_of(const TypedNode& node) {
  const std::optional<ElementType> named = output_dtype_of(node);
  switch (node.version.output_type_rule) {
    case OutputTypeRule::zero_point_else_uint8:
    case OutputTypeRule::zero_point_else_output_dtype_else_uint8:
      if (node.zero_point == nullptr) return named.value_or(ElementType::uint8);
      if (named && *named != node.zero_point->type())
        refuse("ql-output-dtype-agrees", "output_dtype is {}, the zero point {}", spec::name(*named),
               spec::name(node.zero_point->type()));
      return node.zero_point->type();
    case OutputTypeRule::float32: return ElementType::float32;
    case OutputTypeRule::scale_type:
    case OutputTypeRule::output_dtype_else_scale_type: break;
  }
  const ElementType y = named.value_or(node.scale.type());
  if (!spec::contains(node.version.output.types, y))
    refuse("dq-output-dtype-allowed", "y would have the type of the scale, {}", spec::name(y));
  return y;
}

optimized::QuantizeOptions quantize_options_of(const TypedNode& node) {
  return {.division = division_of(node),
          .saturate = node.integer(AttributeMeaning::saturate).value_or(1) != 0,  // amb-saturate-values
          .fnuz_infinity = node.has("ql-fnuz-infinity-is-nan") ? optimized::FnuzInfinity::is_nan
                                                               : optimized::FnuzInfinity::saturates};
}

optimized::DequantizeOptions dequantize_options_of(const TypedNode& node, ElementType y_type) {
  check_int32_zero_point(node);
  return {.multiplication = multiplication_of(node, y_type)};
}

}  // namespace touchstone::conformance
