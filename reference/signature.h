// "Attributes", "Inputs" and "Type constraints" of a version's page: the basic requirements on a node.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reference/interpretation.h"
#include "reference/model/node.h"
#include "spec/operator_version.h"

namespace touchstone::reference {

/// A node whose attributes and inputs are those of its version. Keeps a reference to the node, which must outlive it.
struct Signature {
  const spec::OperatorVersion& version;
  const Node& node;
  const Tensor& x;
  const Tensor& scale;
  const Tensor* zero_point;  ///< null if absent

  bool has_attribute(std::string_view name) const { return node.attributes.contains(std::string(name)); }
  /// The value of one of the version's attributes, or its default. Throws std::bad_optional_access if it has neither.
  std::int64_t attribute(std::string_view name) const;
  /// The same for a string attribute.
  std::string text_attribute(std::string_view name) const;
};

/// Checks attributes, number of inputs and type constraints against the version's tables, in this order.
Signature read_signature(const spec::OperatorVersion& version, const Node& node, Interpretation& in);

/// Checks that inputs with the same type variable have the same type.
void check_type_bindings(const Signature& signature, Interpretation& in);

/// Cites the clauses on the storage of a tensor of the type.
void cite_storage(ElementType type, Interpretation& in);

/// Describes the TensorProto.DataType in an attribute: "uint8", or "47, which is not a numeric type of ONNX".
std::string describe_type(std::int64_t code);

}  // namespace touchstone::reference
