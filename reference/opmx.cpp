// opmx DequantizeLinear: one function per version, to be read next to its page.
#include <array>
#include <cstddef>
#include <string>

#include "reference/opmx_formula.h"
#include "reference/opmx_shapes.h"
#include "reference/signature.h"
#include "reference/version_function.h"

namespace touchstone::reference {

namespace {

/// quant_data_type, and the type of X that it requires.
ElementType read_data_type(const Signature& s, Interpretation& in) {
  in.cite("pmx-quant-data-type");
  in.cite("pmx-type-of-x");
  const std::string text = s.text_attribute("quant_data_type");
  if (text != "int4" && text != "int8")
    in.reject("pmx-quant-data-type", "quant_data_type is \"{}\"; the options are \"int4\" and \"int8\"", text);
  const ElementType data = text == "int4" ? ElementType::int4x4 : ElementType::int8;
  if (s.x.type() != spec::tensor_type(data))
    in.reject("pmx-type-of-x", "X has the type {}, and quant_data_type is \"{}\"", spec::name(s.x.type()), text);
  return data;
}

/// "Reserved."
void check_quant_method(const Signature& s, Interpretation& in) {
  in.cite("pmx-quant-method");
  const std::string text = s.text_attribute("quant_method");
  if (!text.empty() && in.reading<spec::GivenQuantMethod>() == spec::GivenQuantMethod::invalid)
    in.reject("pmx-quant-method", "quant_method is \"{}\"", text);
}

/// "Scale(constant)", "ZeroPoint(constant, optional)"
void check_constants(const Signature& s, Interpretation& in) {
  in.cite("pmx-constant-parameters");
  for (const std::size_t place : s.node.variable_inputs) {
    if (place >= s.node.inputs.size() || !s.node.inputs[place] || !s.version.inputs[place].constant) continue;
    if (in.reading<spec::VariableParameters>() == spec::VariableParameters::invalid)
      in.reject("pmx-constant-parameters", "{} is not a constant of the graph", s.version.inputs[place].name);
  }
}

/// "Y: tensor(T2)"
ElementType output_type(const Signature& s, ElementType data, Interpretation& in) {
  in.cite("dq-output-has-scale-type");
  if (s.scale.type() != ElementType::float32) return s.scale.type();
  if (data == ElementType::int4x4 && in.reading<spec::Float32ScaleOfInt4>() == spec::Float32ScaleOfInt4::invalid)
    in.reject("onnx-type-constraint", "Scale is float32, and quant_data_type int4");
  const bool float16 = in.reading<spec::OpmxOutputType>() == spec::OpmxOutputType::always_float16;
  return float16 ? ElementType::float16 : s.scale.type();
}

Result version_1(const spec::OperatorVersion& version, const Node& node, Interpretation& in) {
  const Signature given = read_signature(version, node, in);
  const ElementType data = read_data_type(given, in);
  check_quant_method(given, in);
  check_constants(given, in);
  const Tensor x = data == ElementType::int4x4 ? unpack_int4x4(given.x, in) : given.x;
  const bool has_zero_points = given.zero_point != nullptr && given.zero_point->size() > 0;
  const Signature s{version, node, x, given.scale, has_zero_points ? given.zero_point : nullptr};
  const ZeroPointTerm term = read_zero_point_term(s, in);
  const ParameterMap map = opmx_parameters(s, in);
  return opmx_dequantize(s, map, output_type(s, data, in), term, in);
}

constexpr std::array opmx_functions{
    VersionFunction{spec::opmx, spec::Operator::dequantize_linear, 1, version_1},
};

}  // namespace

std::span<const VersionFunction> opmx_versions() { return opmx_functions; }

}  // namespace touchstone::reference
