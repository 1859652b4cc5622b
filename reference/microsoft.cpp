// com.microsoft QuantizeLinear and DequantizeLinear: one function per version, to be read next to that version's page.
#include <array>

#include "reference/division.h"
#include "reference/formula.h"
#include "reference/granularity.h"
#include "reference/model/shape.h"
#include "reference/per_axis.h"
#include "reference/product.h"
#include "reference/signature.h"
#include "reference/version_function.h"
#include "reference/zero_point_use.h"

namespace touchstone::reference {

namespace {

// ---- the page that applies

/// An older page, which is still published, has only 8-bit types and does not call the zero point optional. `quantized`
/// is the type of y in QuantizeLinear and of x in DequantizeLinear.
void check_against_the_older_page(const Signature& s, ElementType quantized, Interpretation& in) {
  if (spec::info(quantized).bits != 8 && in.reading<spec::TypesBeyondThePage>() == spec::TypesBeyondThePage::invalid)
    in.reject("onnx-type-constraint", "{} is not an 8-bit type", spec::name(quantized));
  if (s.zero_point == nullptr && in.reading<spec::ZeroPointThatMustBe>() == spec::ZeroPointThatMustBe::required)
    in.reject("onnx-inputs", "the node has no {}", s.version.inputs[2].name);
}

// ---- "axis ... It's optional."

/// A parameter that is not a scalar, in a node without axis. One reading gives axis the default 1, as in ai.onnx.
ParameterMap vectors_without_axis(const Signature& s, const Shape& parameters, Interpretation& in) {
  const std::int64_t rank = s.x.rank();
  if (parameters.size() == 1 && rank == 1 && in.reading<spec::Rank1WithoutAxis>() == spec::Rank1WithoutAxis::axis_0)
    return along_axis(s, parameters, 0, in);
  if (parameters.size() == 1 && rank > 1 && in.reading<spec::VectorsWithoutAxis>() == spec::VectorsWithoutAxis::axis_1)
    return along_axis(s, parameters, 1, in);
  in.reject("ms-scalars-without-axis", "axis is absent, and a parameter has the shape {}", to_text(parameters));
}

/// "If it's not specified, it means per-tensor quantization and" scale and zero point "must be scalars."
ParameterMap without_axis(const Signature& s, const Shape& parameters, Interpretation& in) {
  in.cite("ms-scalars-without-axis");
  return is_scalar_or_single(parameters) ? one_for_all_elements(s, in) : vectors_without_axis(s, parameters, in);
}

ParameterMap per_tensor_in_spite_of_axis(const Signature& s, Interpretation& in) {
  if (!dimension_of_axis(s) && in.reading<spec::AxisForPerTensor>() == spec::AxisForPerTensor::always_checked)
    in.reject("ms-axis-range", "axis is out of range, though the scale is a scalar");
  return one_for_all_elements(s, in);
}

std::size_t given_axis(const Signature& s, Interpretation& in) {
  const std::int64_t axis = s.attribute("axis");
  if (axis < 0 && in.reading<spec::NegativeAxis>() == spec::NegativeAxis::invalid)
    in.reject("ms-axis-range", "axis is {}", axis);
  return axis_in_range(s, "ms-axis-range", in);
}

/// "If it's specified, it means per 'axis' quantization and" scale and zero point "must be 1-D tensors."
ParameterMap with_axis(const Signature& s, const Shape& parameters, Interpretation& in) {
  in.cite("ms-vectors-with-axis");
  const bool has_scalar = is_scalar(s.scale.shape()) || (s.zero_point != nullptr && is_scalar(s.zero_point->shape()));
  if (has_scalar && is_scalar_or_single(parameters)) {
    if (in.reading<spec::ScalarsWithAxis>() == spec::ScalarsWithAxis::per_tensor)
      return per_tensor_in_spite_of_axis(s, in);
    in.reject("ms-vectors-with-axis", "axis is given, and the scale or the zero point is a scalar");
  }
  if (parameters.size() != 1)
    in.reject("ms-vectors-with-axis", "axis is given, and a parameter has the shape {}", to_text(parameters));
  if (parameters == Shape{1} && !axis_has_length_1(s) &&
      in.reading<spec::OneElementWithAxis>() == spec::OneElementWithAxis::per_tensor)
    return per_tensor_in_spite_of_axis(s, in);
  return along_axis(s, parameters, given_axis(s, in), in);
}

/// The attribute axis determines the granularity, not the shape of the scale.
ParameterMap scalars_or_vectors_by_axis(const Signature& s, Interpretation& in) {
  return resolve_granularity(s, in, [&](const Shape& parameters) {
    return s.has_attribute("axis") ? with_axis(s, parameters, in) : without_axis(s, parameters, in);
  });
}

// ---- the versions

Result quantize_1(const spec::OperatorVersion& version, const Node& node, Interpretation& in) {
  const Signature s = read_signature(version, node, in);
  check_type_bindings(s, in);
  const ParameterMap map = scalars_or_vectors_by_axis(s, in);
  const ElementType y = type_of_zero_point(s, in);
  check_against_the_older_page(s, y, in);
  const Division division = division_in_one_type(s, y, in);
  return quantize(s, map, {y, division}, in);
}

Result dequantize_1(const spec::OperatorVersion& version, const Node& node, Interpretation& in) {
  const Signature s = read_signature(version, node, in);
  check_type_bindings(s, in);
  const ParameterMap map = scalars_or_vectors_by_axis(s, in);
  check_against_the_older_page(s, s.x.type(), in);
  return dequantize(s, map, scale_type_output(s, in), multiplication_of_scale_type(s, in),
                    subtracted_zero_points_of_microsoft, in);
}

constexpr std::array microsoft_functions{
    VersionFunction{spec::com_microsoft, spec::Operator::quantize_linear, 1, quantize_1},
    VersionFunction{spec::com_microsoft, spec::Operator::dequantize_linear, 1, dequantize_1},
};

}  // namespace

std::span<const VersionFunction> microsoft_versions() { return microsoft_functions; }

}  // namespace touchstone::reference
