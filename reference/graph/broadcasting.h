// Multidirectional (NumPy-style) broadcasting, by ONNX's page Broadcasting.md.
#pragma once

#include <vector>

#include "reference/graph/operator_call.h"
#include "reference/graph/positions.h"

namespace touchstone::reference {

/// "the output shape": each dimension of the shapes, aligned at the end, is the same or 1.
/// Throws GraphError if the shapes cannot be broadcast, or if there are too many elements.
Shape broadcast_shape(const OperatorCall& call, const std::vector<Shape>& shapes);

/// The element of a tensor that has this position after broadcasting, as an index.
std::int64_t broadcast_index(const Position& position, const Shape& shape);

/// The tensor with the elements that broadcasting to this shape gives.
Tensor broadcast_to(const Tensor& x, const Shape& shape);

}  // namespace touchstone::reference
