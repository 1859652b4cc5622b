// Attributes of nodes, and the tensors that Constant nodes make of them.
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

/// Throws FileError: no name; no type; a value of another type than it says; a reference to a function's attribute.
/// A value that is missing is the type's default, as writers with proto3 semantics leave it out.
reference::AttributeValue to_attribute_value(const onnx::AttributeProto& attribute, const std::string& origin);

/// What a Constant node produces: value, value_float(s) or value_int(s).
/// Throws FileError: an input; not exactly one attribute; another attribute; what to_attribute_value and to_tensor
/// throw.
reference::Tensor constant_value(const onnx::NodeProto& node, const std::string& origin);

}  // namespace touchstone::conformance
