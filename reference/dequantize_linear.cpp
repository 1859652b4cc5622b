// DequantizeLinear: one function per version, to be read next to that version's page.
#include <array>

#include "reference/formula.h"
#include "reference/granularity.h"
#include "reference/product.h"
#include "reference/signature.h"
#include "reference/version_function.h"
#include "reference/zero_point_use.h"

namespace touchstone::reference {

namespace {

// ---- the type of y

/// Versions 10 and 13: "y: tensor(float)".
ElementType float32_output(Interpretation& in) {
  in.cite("dq-float32-output");
  return ElementType::float32;
}

/// A scale type that y cannot have.
ElementType e8m0_output(Interpretation& in) {
  switch (in.reading<spec::E8m0ScaleWithoutOutputDtype>()) {
    case spec::E8m0ScaleWithoutOutputDtype::invalid: break;
    case spec::E8m0ScaleWithoutOutputDtype::float32: return ElementType::float32;
    case spec::E8m0ScaleWithoutOutputDtype::float8e8m0: return ElementType::float8e8m0;
  }
  in.reject("dq-output-dtype-allowed", "x_scale is float8e8m0, and there is no output_dtype");
}

/// "The output type is determined by output_dtype. If it is not supplied, then the output type is the same as x_scale."
ElementType output_dtype_or_scale_type(const Signature& s, Interpretation& in) {
  in.cite("dq-output-dtype-allowed");
  const std::int64_t code = s.attribute("output_dtype");
  if (code == 0) {
    const ElementType type = scale_type_output(s, in);
    return type == ElementType::float8e8m0 ? e8m0_output(in) : type;
  }
  in.cite("dq-output-dtype");
  const auto named = spec::element_type_from_code(code);
  if (named && spec::contains(s.version.output.types, *named)) return *named;
  if (named == ElementType::float64 &&
      in.reading<spec::DequantizeOutputDtype>() == spec::DequantizeOutputDtype::double_accepted)
    return ElementType::float64;
  in.reject("dq-output-dtype-allowed", "output_dtype is {}", describe_type(code));
}

/// The page of "version 23" that circulated before its release: no output_dtype, and no sentence on the precision of
/// the multiplication, which matters for float16 and bfloat16.
bool follows_the_draft_of_23(const Signature& s, Interpretation& in) {
  const bool words_matter = s.scale.type() != ElementType::float32;
  if (!s.has_attribute("output_dtype") && !words_matter) return false;
  if (in.reading<spec::WhichVersion23>() == spec::WhichVersion23::released) return false;
  if (s.has_attribute("output_dtype"))
    in.reject("onnx-known-attributes", "the draft of version 23 has no output_dtype");
  return true;
}

// ---- the versions

Result version_10(const spec::OperatorVersion& version, const Node& node, Interpretation& in) {
  const Signature s = read_signature(version, node, in);
  check_type_bindings(s, in);
  const ParameterMap map = scalar_parameters(s, in);
  return dequantize(s, map, float32_output(in), multiplication_in_float32(s, in), subtracted_zero_points, in);
}

Result version_13(const spec::OperatorVersion& version, const Node& node, Interpretation& in) {
  const Signature s = read_signature(version, node, in);
  check_type_bindings(s, in);
  const ParameterMap map = scalar_or_1d_parameters(s, in);
  return dequantize(s, map, float32_output(in), multiplication_in_float32(s, in), subtracted_zero_points, in);
}

Result version_19(const spec::OperatorVersion& version, const Node& node, Interpretation& in) {
  const Signature s = read_signature(version, node, in);
  check_type_bindings(s, in);
  const ParameterMap map = scalar_or_1d_parameters(s, in);
  return dequantize(s, map, scale_type_output(s, in), multiplication_of_scale_type(s, in), subtracted_zero_points, in);
}

Result version_21(const spec::OperatorVersion& version, const Node& node, Interpretation& in) {
  const Signature s = read_signature(version, node, in);
  check_type_bindings(s, in);
  const ParameterMap map = scalar_1d_or_blocked_parameters(s, in);
  return dequantize(s, map, scale_type_output(s, in), multiplication_of_scale_type(s, in), subtracted_zero_points, in);
}

Result version_23(const spec::OperatorVersion& version, const Node& node, Interpretation& in) {
  const Signature s = read_signature(version, node, in);
  check_type_bindings(s, in);
  const ParameterMap map = scalar_1d_or_blocked_parameters(s, in);
  const ElementType y = output_dtype_or_scale_type(s, in);
  const Multiplication multiplication =
      follows_the_draft_of_23(s, in) ? multiplication_of_scale_type(s, in) : multiplication_in_output_type(s, y, in);
  return dequantize(s, map, y, multiplication, subtracted_zero_points, in);
}

/// As 23, with float8e8m0 scales.
Result version_24(const spec::OperatorVersion& version, const Node& node, Interpretation& in) {
  const Signature s = read_signature(version, node, in);
  check_type_bindings(s, in);
  const ParameterMap map = scalar_1d_or_blocked_parameters(s, in);
  const ElementType y = output_dtype_or_scale_type(s, in);
  return dequantize(s, map, y, multiplication_in_output_type(s, y, in), subtracted_zero_points, in);
}

constexpr auto ai_onnx = spec::ai_onnx;
constexpr auto op = spec::Operator::dequantize_linear;
constexpr std::array dequantize_functions{
    VersionFunction{ai_onnx, op, 10, version_10}, VersionFunction{ai_onnx, op, 13, version_13},
    VersionFunction{ai_onnx, op, 19, version_19}, VersionFunction{ai_onnx, op, 21, version_21},
    VersionFunction{ai_onnx, op, 23, version_23}, VersionFunction{ai_onnx, op, 24, version_24},
    VersionFunction{ai_onnx, op, 25, version_24},  // its page adds uint2 and int2, without other changes
    VersionFunction{ai_onnx, op, 28, version_24},  // its page adds float6e2m3 and float6e3m2
};

}  // namespace

std::span<const VersionFunction> dequantize_linear_versions() { return dequantize_functions; }

}  // namespace touchstone::reference
