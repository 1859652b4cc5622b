// The parameters that the cases of a pattern vary.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/names.h"
#include "conformance/generate/form.h"

namespace touchstone::conformance {

/// Where the zero points of a graph are in the range of their type: at 1 to 3, next to the middle, or at one of the
/// ends.
enum class ZeroPoints { none, small, middle, lowest, highest };

/// What the scales of a graph are. Products and sums of powers of two are exact in any order.
enum class Scales {
  positive,  ///< powers of two
  negative,  ///< negative powers of two
  decimal,   ///< fractions such as 0.3, rounded to the type
  odd,       ///< 3, 5 and 7 times powers of two: products and sums of small integers are exact
};

/// The axis of scales along an axis, or in blocks along one, and how the attribute says it.
enum class QuantizedAxis {
  second,         ///< 1
  first,          ///< 0
  last,           ///< -1, or what else counts from the back if the graph determines the axis
  default_value,  ///< 1, which an absent attribute means
};

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
  int opset;              ///< of ai.onnx
  ElementType quantized;  ///< the type of quantized tensors
  ElementType number;     ///< the type of scales, and of the numbers between quantization operators
  Granularity granularity;
  ZeroPoints zero_points;
  Scales scales;
  Second second;
  const Form* form;  ///< how x, scales and zero points reach the backend
  QuantizedAxis axis = QuantizedAxis::second;
  Violation violation = Violation::none;

  bool operator==(const GraphParameters&) const = default;
  bool has_zero_point() const { return zero_points != ZeroPoints::none; }
  bool is_negative() const { return scales == Scales::negative; }
};

/// The part of a case's id that follows the pattern: "21/u8/f32/per_axis_last/zp_lowest/negative/same/initializers",
/// with "must_reject/axis_range/" before it if the graph violates this rule.
std::string to_string(const GraphParameters& parameters);

std::string_view name(ZeroPoints zero_points);
std::string_view name(QuantizedAxis axis);
std::string_view name(Scales scales);

/// The pattern of a case of the suite `graphs`, by its id; empty for other cases.
std::string_view pattern_of(std::string_view id);

/// The parameters of such a case; std::nullopt for other cases.
std::optional<GraphParameters> find_graph_parameters(std::string_view id);

/// The combinations of parameters of legal graphs, before a pattern excludes some: for each opset that introduced a
/// version of the operators, the 8-bit integers, int4 in blocks, and what is new in it: types, and types in blocks.
/// Zero points are small, axes the second, and scales powers of two; `varied` changes that.
const std::vector<GraphParameters>& all_graph_parameters();

/// The parameters with all zero points, axes and positive scales that they can have.
void for_each_variant(const GraphParameters& parameters, const std::function<void(const GraphParameters&)>& take);

/// One of them that `is_possible` allows. The choice depends on `text` and the parameters.
GraphParameters varied(const GraphParameters& parameters, std::string_view text,
                       const std::function<bool(const GraphParameters&)>& is_possible);

/// Whether a graph with these parameters can violate the rule.
bool can_violate(Violation violation, const GraphParameters& parameters);

/// The type that a quantized tensor of `Second::type` has instead: the signed type of the same width instead of the
/// unsigned one, another float8 type; the type itself if there is none.
ElementType other_type(ElementType type);

}  // namespace touchstone::conformance
