// The attribute axis; per-tensor and per-axis quantization.
#pragma once

#include <cstddef>
#include <optional>

#include "reference/interpretation.h"
#include "reference/model/parameter_map.h"
#include "reference/signature.h"

namespace touchstone::reference {

// ---- what every page says

/// The dimension that axis names, counted from the front; nothing if it is out of range, or there is none.
std::optional<std::size_t> dimension_of_axis(const Signature& signature);

/// The same. Rejects an axis that is out of range: by the clause that says what the range is.
std::size_t axis_in_range(const Signature& signature, spec::ClauseRef clause, Interpretation& in);

/// `parameters` is the 1-D shape of the scale, or of a zero point that a reading lets govern.
ParameterMap along_axis(const Signature& signature, const Shape& parameters, std::size_t axis, Interpretation& in);

ParameterMap one_for_all_elements(const Signature& signature, Interpretation& in);

// ---- what those of ai.onnx say, where axis has a default

/// The dimension that axis names, counted from the front. Rejects an axis that is out of range.
std::size_t required_axis(const Signature& signature, Interpretation& in);

ParameterMap per_tensor(const Signature& signature, Interpretation& in);

ParameterMap per_axis(const Signature& signature, const Shape& parameters, Interpretation& in);

/// x is as long along axis as a scale of shape [1], which is then per-axis without being taken for a scalar.
bool axis_has_length_1(const Signature& signature);

/// A scale of shape [1]: a scalar, or a 1-D tensor that happens to have one element?
ParameterMap per_tensor_or_single_axis(const Signature& signature, const Shape& parameters, Interpretation& in);

}  // namespace touchstone::reference
