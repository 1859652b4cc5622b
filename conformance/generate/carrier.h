// Element types that are packed into elements of another type: int4x4 in int16.
#pragma once

#include "reference/model/tensor.h"

namespace touchstone::conformance {

/// The tensor as a model stores it. If its type has a carrier, each element of which holds n elements, the result has
/// the carrier's type and fewer rows: row n * p + j is in the j-th group of bits of row p, the lowest group first.
reference::Tensor in_carrier(reference::Tensor tensor);

/// The shape of a tensor of the type whose model shape is `shape`. A scalar, which has no rows, keeps its shape.
reference::Shape out_of_carrier(reference::Shape shape, spec::ElementType type);

}  // namespace touchstone::conformance
