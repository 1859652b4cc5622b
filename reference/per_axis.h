// The attribute axis; per-tensor and per-axis quantization.
#pragma once

#include <cstddef>
#include <optional>

#include "reference/interpretation.h"
#include "reference/model/parameter_map.h"
#include "reference/signature.h"

namespace touchstone::reference {

// ---- rules of every page

/// The dimension that axis names, counted from the front; std::nullopt if it is out of range, or there is none.
std::optional<std::size_t> dimension_of_axis(const Signature& signature);

/// The same, but rejects an axis that is out of range by the clause that defines the range.
std::size_t axis_in_range(const Signature& signature, spec::ClauseRef clause, Interpretation& in);

/// `parameters` is the 1-D shape of the scale, or of the zero point if a reading lets that decide.
ParameterMap along_axis(const Signature& signature, const Shape& parameters, std::size_t axis, Interpretation& in);

ParameterMap one_for_all_elements(const Signature& signature, Interpretation& in);

// ---- rules of ai.onnx, where axis has a default

/// The dimension that axis names, counted from the front. Rejects an axis that is out of range.
std::size_t required_axis(const Signature& signature, Interpretation& in);

ParameterMap per_tensor(const Signature& signature, Interpretation& in);

ParameterMap per_axis(const Signature& signature, const Shape& parameters, Interpretation& in);

/// Whether x has length 1 along axis, as a scale of shape [1] does. Such a scale is per-axis without being read as a
/// scalar.
bool axis_has_length_1(const Signature& signature);

/// A scale of shape [1]: either a scalar, or a 1-D tensor that happens to have one element.
ParameterMap per_tensor_or_single_axis(const Signature& signature, const Shape& parameters, Interpretation& in);

}  // namespace touchstone::reference
