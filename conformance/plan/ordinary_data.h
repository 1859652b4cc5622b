// Operands without unusual values, for cases that only test whether a backend accepts a model.
#pragma once

#include <cstddef>
#include <optional>

#include "conformance/files/case.h"
#include "conformance/files/names.h"

namespace touchstone::conformance {

/// Ones for x and the scale, zeros for the zero point, which are the node's inputs 0, 1 and 2. Also zeros for types
/// that the operators do not support.
Tensor ordinary_data(std::size_t operand, ElementType type, Shape shape);

/// The model of the case with ordinary data for all its graph inputs; std::nullopt if it has none.
std::optional<Case> with_ordinary_data(const Case& given);

}  // namespace touchstone::conformance
