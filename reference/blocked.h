// The attribute block_size; blocked quantization.
#pragma once

#include <cstdint>
#include <optional>

#include "reference/interpretation.h"
#include "reference/model/parameter_map.h"
#include "reference/signature.h"

namespace touchstone::reference {

// `parameters` is the shape of the scale, or of a zero point that a reading lets govern.

/// Returns 0 if the node has no block_size. Rejects a negative one.
std::int64_t read_block_size(const Signature& signature, Interpretation& in);

/// Checks a block_size that is given although the scale is not blocked.
void check_unused_block_size(const Signature& signature, const Shape& parameters, std::int64_t block_size,
                             Interpretation& in);

/// `parameters` has the rank of x.
ParameterMap blocked(const Signature& signature, const Shape& parameters, std::int64_t block_size, Interpretation& in);

/// `parameters` has the rank of x, and there is no block_size.
ParameterMap blocked_without_block_size(const Signature& signature, const Shape& parameters, Interpretation& in);

/// Every dimension is divided into as many blocks as `parameters` has there, if it has so many elements: what wrong
/// readings make of a scale that differs in several dimensions, or came before there were blocks.
std::optional<ParameterMap> blocked_by_shape(const Signature& signature, const Shape& parameters);

}  // namespace touchstone::reference
