// Elements that travel in those of another type: int4x4 in int16.
#pragma once

#include "reference/model/tensor.h"

namespace touchstone::conformance {

/// The tensor as a model has it: that of the carrier, where the type has one, with as many rows fewer as it holds
/// elements; row n * p + j is in the j-th bits of row p, the lowest first.
reference::Tensor in_carrier(reference::Tensor tensor);

/// The shape that a tensor of the type has, if the model's is this. That of a scalar, which holds no rows, is as it is.
reference::Shape out_of_carrier(reference::Shape shape, spec::ElementType type);

}  // namespace touchstone::conformance
