// A node as the interpreter receives it: an operator, its inputs and its attributes, not yet checked.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "reference/model/tensor.h"
#include "spec/applicability.h"

namespace touchstone::reference {

/// An attribute of a type that no attribute of these operators has, represented by the name of that type ("FLOAT",
/// "INTS" ...).
struct ForeignAttribute {
  std::string type;
  bool operator==(const ForeignAttribute&) const = default;
};

using AttributeValue = std::variant<std::int64_t, std::string, ForeignAttribute>;

struct Node {
  std::string domain{spec::ai_onnx};
  spec::Operator op{};
  int opset = 0;  ///< the version of `domain` that the model imports
  /// std::nullopt if the node omits a trailing input or gives it the empty name.
  std::vector<std::optional<Tensor>> inputs = {};
  /// The indices of inputs that are given at run time instead of being constants of the graph.
  std::set<std::size_t> variable_inputs = {};
  std::map<std::string, AttributeValue> attributes = {};

  bool operator==(const Node&) const = default;
};

}  // namespace touchstone::reference
