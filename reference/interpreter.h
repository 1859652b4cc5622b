// The reference: what the specification requires for a node, under a policy.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>

#include "reference/model/node.h"
#include "reference/outcome.h"
#include "reference/policy.h"
#include "spec/operator_version.h"

namespace touchstone::reference {

/// The imported opset does not have the operator, or is unknown.
class NoSuchOperator : public std::runtime_error {
 public:
  /// The clause that the model violates.
  static constexpr spec::ClauseRef clause{"onnx-opset-resolution"};

  explicit NoSuchOperator(const std::string& reason)
      : std::runtime_error(reason + " (" + std::string(clause->id) + ")") {}
};

/// The opset is newer than all that are known. Whether it has the operator is not known.
class OpsetTooNew : public NoSuchOperator {
 public:
  using NoSuchOperator::NoSuchOperator;
};

/// The version of the operator that the node's opset selects. Throws NoSuchOperator.
const spec::OperatorVersion& operator_version(const Node& node, const Policy& policy = {});

/// Interprets the node. Throws NoSuchOperator; every other fault of the node is a Rejection in the outcome.
Outcome interpret(const Node& node, const Policy& policy = {});

/// The same, but computes only these elements of y, and consults the policy for them only. All others are unspecified.
/// No element of y makes a node illegal, so the node is rejected exactly if the other overload rejects it.
Outcome interpret(const Node& node, const Policy& policy, std::span<const std::int64_t> elements);

}  // namespace touchstone::reference
