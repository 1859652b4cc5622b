// Checks the attributes of nodes in files.
#pragma once

#include <string>

namespace onnx {
class AttributeProto;
}

namespace touchstone::conformance {

/// "attribute 'axis'"
std::string described(const onnx::AttributeProto& attribute);

/// "INT", "FLOATS" ...
std::string type_name(const onnx::AttributeProto& attribute);

/// Throws FileError if the attribute has no name or no type, or has a value of another type. A missing value is the
/// default of the type, because writers with proto3 semantics omit it. An attribute that refers to one of a function
/// has no value; it is valid only if `is_in_function`.
void check_attribute(const onnx::AttributeProto& attribute, const std::string& origin, bool is_in_function = false);

/// ONNX's default domain has two names in files.
std::string canonical_domain(const std::string& domain);

}  // namespace touchstone::conformance
