// How a model stores a tensor: packed into elements of another type (int4x4 in int16), and in any of the storage fields
// of onnx.proto; and how it declares a value.
#pragma once

#include <string>

#include "conformance/files/names.h"
#include "conformance/generate/form.h"

namespace onnx {
class NodeProto;
class TensorProto;
class ValueInfoProto;
}  // namespace onnx

namespace touchstone::conformance {

/// The tensor as a model stores it. If its type has a carrier, each element of which holds n elements, the result has
/// the carrier's type and fewer rows: row n * p + j is in the j-th group of bits of row p, the lowest group first.
Tensor in_carrier(Tensor tensor);

/// The shape of a tensor of the type whose model shape is `shape`. A scalar, which has no rows, keeps its shape.
Shape out_of_carrier(Shape shape, ElementType type);

onnx::TensorProto stored_tensor(const Tensor& tensor, const std::string& name, Storage storage);

/// Makes an empty node a Constant node.
void make_constant(onnx::NodeProto& node, const onnx::TensorProto& value, const std::string& output);

/// Declares an input or an output of a graph. Symbolic dimensions are named after it.
void declare(onnx::ValueInfoProto& info, const std::string& name, ElementType type, const Shape& shape,
             Dimensions dimensions = Dimensions::fixed);

}  // namespace touchstone::conformance
