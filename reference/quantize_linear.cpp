// QuantizeLinear: one function per version, to be read next to that version's page.
#include <array>

#include "reference/division.h"
#include "reference/formula.h"
#include "reference/granularity.h"
#include "reference/signature.h"
#include "reference/version_function.h"

namespace touchstone::reference {

namespace {

// ---- the type of y

/// "If neither output_dtype nor y_zero_point are supplied, output data type is uint8. If both are specified,
/// output_dtype must be" the type of the zero point.
ElementType type_of_zero_point_or_output_dtype(const Signature& s, Interpretation& in) {
  const std::int64_t code = s.attribute("output_dtype");
  if (code == 0) return type_of_zero_point(s, in);

  in.cite("ql-output-dtype-allowed");
  const auto named = spec::element_type_from_code(code);
  if (!named || !spec::contains(s.version.output.types, *named))
    in.reject("ql-output-dtype-allowed", "output_dtype is {}", describe_type(code));

  if (s.zero_point == nullptr) {
    in.cite("ql-output-dtype");
    const bool always_uint8 = *named != ElementType::uint8 && in.reading<spec::OutputTypeSelection>() ==
                                                                  spec::OutputTypeSelection::uint8_without_zero_point;
    return always_uint8 ? ElementType::uint8 : *named;
  }
  in.cite("ql-output-dtype-agrees");
  if (*named == s.zero_point->type()) return *named;
  const bool both_integers = spec::is_integer(*named) && spec::is_integer(s.zero_point->type());
  if (both_integers && in.reading<spec::OutputTypeSelection>() == spec::OutputTypeSelection::attribute_overrides)
    return *named;
  in.reject("ql-output-dtype-agrees", "output_dtype is {}, the zero point {}", describe_type(code),
            spec::name(s.zero_point->type()));
}

// ---- the attribute saturate

bool read_saturate(const Signature& s, Interpretation& in) {
  const std::int64_t saturate = s.attribute("saturate");
  if (!s.has_attribute("saturate")) in.cite("ql-saturate-default");
  if (saturate == 0 || saturate == 1) return saturate == 1;
  switch (in.reading<spec::SaturateValues>()) {
    case spec::SaturateValues::only_one_saturates: return false;
    case spec::SaturateValues::other_values_invalid: in.reject("ql-saturate-default", "saturate is {}", saturate);
    default: return true;
  }
}

/// The page of "version 23" that circulated before its release: x and y_scale have the same type, and there is no
/// attribute precision and no sentence on the precision of the division, which matters for floating-point types.
bool follows_the_draft_of_23(const Signature& s, Interpretation& in) {
  const bool types_differ = s.x.type() != s.scale.type();
  const bool words_matter = s.x.type() != ElementType::int32;
  if (!s.has_attribute("precision") && !types_differ && !words_matter) return false;
  if (in.reading<spec::WhichVersion23>() == spec::WhichVersion23::released) return false;
  if (s.has_attribute("precision")) in.reject("onnx-known-attributes", "the draft of version 23 has no precision");
  if (types_differ)
    in.reject("onnx-type-binding", "x has the type {}, y_scale the type {}; in the draft of version 23 both are T1",
              spec::name(s.x.type()), spec::name(s.scale.type()));
  return true;
}

/// Versions 19 and 21 bind y_scale to the type of x, which excludes version 13's rule for int32.
void check_type_bindings_of_19(const Signature& s, Interpretation& in) {
  const bool as_in_13 = s.x.type() == ElementType::int32 && s.scale.type() == ElementType::float32;
  if (as_in_13 && in.reading<spec::Int32InputFloatScale>() == spec::Int32InputFloatScale::accepted) return;
  check_type_bindings(s, in);
}

// ---- the versions

Result version_10(const spec::OperatorVersion& version, const Node& node, Interpretation& in) {
  const Signature s = read_signature(version, node, in);
  check_type_bindings(s, in);
  const ParameterMap map = scalar_parameters(s, in);
  const ElementType y = type_of_zero_point(s, in);
  const Division division = division_by_float32(s, in);
  return quantize(s, map, {y, division}, in);
}

Result version_13(const spec::OperatorVersion& version, const Node& node, Interpretation& in) {
  const Signature s = read_signature(version, node, in);
  check_type_bindings(s, in);
  const ParameterMap map = scalar_or_1d_parameters(s, in);
  const ElementType y = type_of_zero_point(s, in);
  const Division division = division_by_float32(s, in);
  return quantize(s, map, {y, division}, in);
}

Result version_19(const spec::OperatorVersion& version, const Node& node, Interpretation& in) {
  const Signature s = read_signature(version, node, in);
  check_type_bindings_of_19(s, in);
  const ParameterMap map = scalar_or_1d_parameters(s, in);
  const ElementType y = type_of_zero_point(s, in);
  const Division division = division_in_one_type(s, y, in);
  return quantize(s, map, {y, division, read_saturate(s, in), FnuzInfinity::is_nan}, in);
}

Result version_21(const spec::OperatorVersion& version, const Node& node, Interpretation& in) {
  const Signature s = read_signature(version, node, in);
  check_type_bindings_of_19(s, in);
  const ParameterMap map = scalar_1d_or_blocked_parameters(s, in);
  const ElementType y = type_of_zero_point_or_output_dtype(s, in);
  const Division division = division_in_one_type(s, y, in);
  return quantize(s, map, {y, division, read_saturate(s, in), FnuzInfinity::is_nan}, in);
}

Result version_23(const spec::OperatorVersion& version, const Node& node, Interpretation& in) {
  const Signature s = read_signature(version, node, in);
  check_type_bindings(s, in);
  const ParameterMap map = scalar_1d_or_blocked_parameters(s, in);
  const ElementType y = type_of_zero_point_or_output_dtype(s, in);
  const Division division = follows_the_draft_of_23(s, in) ? division_by_the_draft_of_23(s, y, in)
                                                           : division_by_precision_or_scale_type(s, y, in);
  return quantize(s, map, {y, division, read_saturate(s, in), FnuzInfinity::is_nan}, in);
}

Result version_24(const spec::OperatorVersion& version, const Node& node, Interpretation& in) {
  const Signature s = read_signature(version, node, in);
  check_type_bindings(s, in);
  const ParameterMap map = scalar_1d_or_blocked_parameters(s, in);
  const ElementType y = type_of_zero_point_or_output_dtype(s, in);
  const Division division = division_by_precision_or_scale_type(s, y, in);
  return quantize(s, map, {y, division, read_saturate(s, in), FnuzInfinity::saturates}, in);
}

constexpr auto ai_onnx = spec::ai_onnx;
constexpr auto op = spec::Operator::quantize_linear;
constexpr std::array quantize_functions{
    VersionFunction{ai_onnx, op, 10, version_10}, VersionFunction{ai_onnx, op, 13, version_13},
    VersionFunction{ai_onnx, op, 19, version_19}, VersionFunction{ai_onnx, op, 21, version_21},
    VersionFunction{ai_onnx, op, 23, version_23}, VersionFunction{ai_onnx, op, 24, version_24},
    VersionFunction{ai_onnx, op, 25, version_24},  // its page adds uint2 and int2, without other changes
    VersionFunction{ai_onnx, op, 28, version_24},  // its page adds float6e2m3 and float6e3m2, which ignore saturate
};

}  // namespace

std::span<const VersionFunction> quantize_linear_versions() { return quantize_functions; }

}  // namespace touchstone::reference
