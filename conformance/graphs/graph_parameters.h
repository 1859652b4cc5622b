// The parameters that the cases of a pattern vary.
#pragma once

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

struct GraphParameters {
  int opset;                    ///< of ai.onnx
  spec::ElementType quantized;  ///< the type of quantized tensors
  spec::ElementType number;     ///< the type of scales, and of the numbers between quantization operators
  spec::Granularity granularity;
  bool has_zero_point;
  bool is_negative;  ///< whether scales are negative
  Second second;
  const Form* form;  ///< how x, scales and zero points reach the backend
};

/// The part of a case's id that follows the pattern: "21/u8/f32/per_tensor/zp/negative/same/initializers".
std::string to_string(const GraphParameters& parameters);

/// The pattern of a case of the suite `graphs`, by its id; empty for other cases.
std::string_view pattern_of(std::string_view id);

/// The parameters of such a case; std::nullopt for other cases.
std::optional<GraphParameters> find_graph_parameters(std::string_view id);

/// All values of the parameters, before a pattern excludes some: for each opset that introduced a version of the
/// operators, the 8-bit integers and the types that are new in it.
std::vector<GraphParameters> all_graph_parameters();

/// The type that a quantized tensor of `Second::type` has instead: the signed type of the same width instead of the
/// unsigned one, another float8 type; the type itself if there is none.
spec::ElementType other_type(spec::ElementType type);

}  // namespace touchstone::conformance
