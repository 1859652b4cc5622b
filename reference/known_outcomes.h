// Outcomes of nodes, kept for interpretations of one graph under several policies, or with several inputs.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "reference/model/node.h"
#include "reference/outcome.h"
#include "reference/policy.h"

namespace touchstone::reference {

/// Interprets nodes. A node has the outcome of an equal one under a policy that decided all ambiguities alike that this
/// one consulted. Keeps a limited number of outcomes.
class KnownOutcomes {
 public:
  static constexpr std::int64_t usual_elements = std::int64_t{1} << 20;

  /// Keeps outcomes with so many elements together. `constants`: keeps those of nodes whose inputs are all constants,
  /// which interpretations with other inputs share; null: they are not kept elsewhere.
  explicit KnownOutcomes(std::int64_t most_elements = usual_elements,
                         std::shared_ptr<KnownOutcomes> constants = nullptr)
      : most_elements_(most_elements), constants_(std::move(constants)) {}

  /// Throws as reference::interpret does.
  Outcome interpret(const Node& node, const Policy& policy);

 private:
  struct Entry {
    Node node;
    Policy policy;
    Outcome outcome;
  };

  std::int64_t most_elements_;
  std::shared_ptr<KnownOutcomes> constants_;
  std::vector<Entry> entries_;
  std::int64_t elements_ = 0;  ///< of the results in `entries_`
};

/// For the nodes of a graph whose inputs are all constants, such as weights.
inline std::shared_ptr<KnownOutcomes> outcomes_of_constants() {
  constexpr std::int64_t most_elements = std::int64_t{1} << 25;
  return std::make_shared<KnownOutcomes>(most_elements);
}

}  // namespace touchstone::reference
