// Attributes of nodes, and the tensors that Constant nodes create from them.
#pragma once

#include <string>

#include "conformance/files/file_error.h"
#include "reference/model/node.h"
#include "reference/model/tensor.h"

namespace onnx {
class AttributeProto;
class NodeProto;
}  // namespace onnx

namespace touchstone::conformance {

/// Throws FileError if the attribute has no name or no type, has a value of another type, or refers to a function's
/// attribute. A missing value is the default of the type, because writers with proto3 semantics omit it.
reference::AttributeValue to_attribute_value(const onnx::AttributeProto& attribute, const std::string& origin);

/// The output of a Constant node with value, value_float(s) or value_int(s).
/// Throws FileError for an input, for another attribute or another number of attributes, and for the reasons of
/// to_attribute_value and to_tensor.
reference::Tensor constant_value(const onnx::NodeProto& node, const std::string& origin);

}  // namespace touchstone::conformance
