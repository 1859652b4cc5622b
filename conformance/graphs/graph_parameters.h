// The parameters that the cases of a pattern vary.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/generate/form.h"
#include "spec/element_type.h"
#include "spec/operator_version.h"

namespace touchstone::conformance {

/// How a second scale and zero point of a graph differ from the first.
enum class Second { same, scale, zero_point, type };

/// A rule that the first quantization parameters of a graph violate.
enum class Violation {
  none,
  scale_length,      ///< scale and zero point do not fit the tensor
  zero_point_shape,  ///< the zero point has another shape than the scale
  axis_range,        ///< the tensor has no such axis
};

/// All but `none`.
inline constexpr std::array violations{Violation::scale_length, Violation::zero_point_shape, Violation::axis_range};

struct GraphParameters {
  int opset;                    ///< of ai.onnx
  spec::ElementType quantized;  ///< the type of quantized tensors
  spec::ElementType number;     ///< the type of scales, and of the numbers between quantization operators
  spec::Granularity granularity;
  bool has_zero_point;
  bool is_negative;  ///< whether scales are negative
  Second second;
  const Form* form;  ///< how x, scales and zero points reach the backend
  Violation violation = Violation::none;
};

/// The part of a case's id that follows the pattern: "21/u8/f32/per_tensor/zp/negative/same/initializers", with
/// "must_reject/axis_range/" before it if the graph violates this rule.
std::string to_string(const GraphParameters& parameters);

/// The pattern of a case of the suite `graphs`, by its id; empty for other cases.
std::string_view pattern_of(std::string_view id);

/// The parameters of such a case; std::nullopt for other cases.
std::optional<GraphParameters> find_graph_parameters(std::string_view id);

/// All values of the parameters of legal graphs, before a pattern excludes some: for each opset that introduced a
/// version of the operators, the 8-bit integers and the types that are new in it.
const std::vector<GraphParameters>& all_graph_parameters();

/// Whether a graph with these parameters can violate the rule.
bool can_violate(Violation violation, const GraphParameters& parameters);

/// The type that a quantized tensor of `Second::type` has instead: the signed type of the same width instead of the
/// unsigned one, another float8 type; the type itself if there is none.
spec::ElementType other_type(spec::ElementType type);

}  // namespace touchstone::conformance
