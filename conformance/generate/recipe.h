// A compact description of a legal case, from which the case is built on demand.
#pragma once

#include <cstdint>
#include <map>

#include "conformance/files/case.h"
#include "conformance/files/names.h"
#include "conformance/generate/form.h"
#include "conformance/generate/geometry.h"
#include "conformance/plan/cell.h"
#include "conformance/plan/shared.h"

namespace touchstone::conformance {

/// The values of the operands.
enum class Values : std::uint8_t {
  directed,          ///< values that distinguish implementations
  every_result,      ///< QuantizeLinear: an input for every code of a narrow output type
  float_zero_point,  ///< directed, and a floating-point zero point other than zero
  zero_scale,        ///< directed, and a scale outside what implementations expect
  negative_zero_scale,
  infinite_scale,
  nan_scale,
  scale_of_1,               ///< QuantizeLinear: inputs on both sides of every threshold, with a scale of exactly 1
  scale_of_1_zero_point_0,  ///< the same, with a zero point of 0
  beyond_range,             ///< QuantizeLinear: quotients in every gap beyond the largest number
  powers_of_two,            ///< inputs, and with a scale of 1/4 quotients, next to 2^15, 2^16, 2^31, 2^32 and 2^63
  negative_scale,           ///< directed, with scales below zero
  subnormal_scale,          ///< directed, with scales that are subnormal numbers
  smallest_scale,           ///< directed, with the smallest scale, a subnormal number
  smallest_normal_scale,
  every_scale,         ///< all codes of a scale of 8 bits; QuantizeLinear: with small quotients
  every_normal_scale,  ///< the same without NaN and the smallest number
  every_zero_point,    ///< all codes of a zero point of at most 8 bits, in several data sets if need be
  similar_scales,      ///< scales that differ by little; QuantizeLinear: inputs that are ties only with one of them
  int32_zero_point,    ///< directed, and a zero point other than 0 for an int32 x
  wide_zero_point,     ///< directed, and a zero point outside the range of the quantized type
  empty_zero_point,    ///< directed, and a zero point without elements
  exact,               ///< see exact_data: for illegal models that a permitted reading may accept
  ordinary,            ///< ones, and zero points of 0: only to test whether a model is accepted
};

struct Recipe {
  SharedText id;
  Cell cell;
  int opset;
  Values values = Values::directed;
  bool leaves_out_defaults = false;  ///< omits redundant attributes; otherwise some are present
  /// Whether the model is run again with other data (including other scales, if these are graph inputs; if dimensions
  /// are symbolic, in another shape), and a third time with the first data.
  bool runs_again = true;
  /// Whether another form replaces the picked one, because that is beyond the plan's limits.
  bool has_other_form = false;
  const Geometry* geometry;
  const Form* form;
  /// Attributes that add to, or replace, what the cell demands.
  Shared<std::map<AttributeMeaning, reference::AttributeValue>> extra_attributes = {};
  std::uint64_t seed = 0;
};

/// Whether a permitted reading rejects the attribute as unknown: a draft of DequantizeLinear 23 has no output_dtype.
/// Nodes have it only if the cell or the recipe demands it.
bool may_be_unknown(const OperatorVersion& version, AttributeMeaning attribute);

Case make_case(const Recipe& recipe);

/// The node with the operands of the case's first data set.
Node make_node(const Recipe& recipe);

}  // namespace touchstone::conformance
