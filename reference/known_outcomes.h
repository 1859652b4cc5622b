// Outcomes of nodes, kept for interpretations of one graph under several policies.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/model/node.h"
#include "reference/outcome.h"
#include "reference/policy.h"

namespace touchstone::reference {

/// Interprets nodes. A node has the outcome of an equal one under a policy that decided all ambiguities alike that this
/// one consulted. Keeps a limited number of outcomes.
class KnownOutcomes {
 public:
  /// Throws as reference::interpret does.
  Outcome interpret(const Node& node, const Policy& policy);

 private:
  struct Entry {
    Node node;
    Policy policy;
    Outcome outcome;
  };

  std::vector<Entry> entries_;
  std::int64_t elements_ = 0;  ///< of the results in `entries_`
};

}  // namespace touchstone::reference
