// The attribute block_size and blocked quantization.
#pragma once

#include <cstdint>
#include <optional>

#include "reference/interpretation.h"
#include "reference/model/parameter_map.h"
#include "reference/signature.h"

namespace touchstone::reference {

// Below, `parameters` is the shape of the scale, or of the zero point if a reading lets that decide.

/// Returns 0 if the node has no block_size. Rejects a negative one.
std::int64_t read_block_size(const Signature& signature, Interpretation& in);

/// Checks a block_size that is given although the scale is not blocked.
void check_unused_block_size(const Signature& signature, const Shape& parameters, std::int64_t block_size,
                             Interpretation& in);

/// Blocked quantization. `parameters` must have the rank of x.
ParameterMap blocked(const Signature& signature, const Shape& parameters, std::int64_t block_size, Interpretation& in);

/// The same without a block_size. `parameters` must have the rank of x.
ParameterMap blocked_without_block_size(const Signature& signature, const Shape& parameters, Interpretation& in);

/// Divides every dimension into as many blocks as `parameters` has there; std::nullopt if a dimension has fewer
/// elements than blocks. Wrong readings use this for a scale that differs in several dimensions, or in versions without
/// blocked quantization.
std::optional<ParameterMap> blocked_by_shape(const Signature& signature, const Shape& parameters);

}  // namespace touchstone::reference
