// The interpretation of one version of an operator.
#pragma once

#include "reference/interpretation.h"
#include "reference/node.h"

namespace touchstone::reference {

struct VersionFunction {
  int since_version;
  /// y of a node of exactly this version. Throws Rejection where the node violates a clause.
  Result (*interpret)(const Node& node, Interpretation& in);
};

}  // namespace touchstone::reference
