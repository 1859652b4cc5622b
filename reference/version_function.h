// The interpretation of one version of an operator.
#pragma once

#include <span>
#include <string_view>

#include "reference/interpretation.h"
#include "reference/model/node.h"
#include "spec/operator_version.h"

namespace touchstone::reference {

struct VersionFunction {
  std::string_view domain;
  spec::Operator op;
  int since_version;
  /// Computes y of a node of this version, whose row is passed too. Throws Rejection if the node violates a clause.
  Result (*interpret)(const spec::OperatorVersion& version, const Node& node, Interpretation& in);
};

// The versions of ai.onnx, by operator, and those of the other domains.
std::span<const VersionFunction> quantize_linear_versions();
std::span<const VersionFunction> dequantize_linear_versions();
std::span<const VersionFunction> microsoft_versions();
std::span<const VersionFunction> opmx_versions();

}  // namespace touchstone::reference
