// Operands without anything unusual in them: for cases that only ask whether a backend accepts a model.
#pragma once

#include <cstddef>
#include <optional>

#include "conformance/files/case.h"
#include "reference/model/tensor.h"

namespace touchstone::conformance {

/// Ones for x and the scale, zeros for the zero point, which are the node's inputs 0, 1 and 2. Zeros also of types that
/// the operators do not know.
reference::Tensor ordinary_data(std::size_t operand, spec::ElementType type, reference::Shape shape);

/// The model of the case with ordinary data for all its graph inputs; nothing if it has none.
std::optional<Case> with_ordinary_data(const Case& given);

}  // namespace touchstone::conformance
