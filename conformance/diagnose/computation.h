// The computation of a node with wrong models.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "conformance/diagnose/formula.h"
#include "conformance/diagnose/wrong_model.h"
#include "conformance/files/names.h"
#include "reference/graph/graph_interpreter.h"
#include "reference/known_outcomes.h"
#include "reference/model/graph.h"
#include "reference/outcome.h"
#include "reference/policy.h"

namespace touchstone::conformance {

/// A node under a policy, prepared for the computation of single elements.
class PreparedNode {
 public:
  /// Keeps a reference to the node.
  PreparedNode(const Node& node, const reference::Policy& policy);
  /// Under the primary readings, whose outcome is known. Keeps references to both.
  PreparedNode(const Node& node, const reference::Outcome& outcome);
  /// The same, if the policy differs from that of `other` only in readings that concern values: types, shapes and
  /// granularity are those of the other one, to which it keeps a reference.
  PreparedNode(const PreparedNode& other, const reference::Policy& policy);
  PreparedNode(const PreparedNode&) = delete;
  PreparedNode& operator=(const PreparedNode&) = delete;

  const Node& node() const { return node_; }
  /// Null if the node is rejected. Only type and shape of y, and the parameters, are valid.
  const reference::Result* form() const { return form_; }
  const reference::Rejection* rejection() const { return outcome_ ? outcome_->rejection() : nullptr; }
  /// Whether the formula knows the node; otherwise the reference computes it, and steps do not apply.
  bool has_formula() const { return formula_ && formula_->is_known(); }

  /// The code of each of these elements of y, or std::nullopt if it is left open.
  std::vector<std::optional<std::uint64_t>> codes(std::span<const WrongModel* const> models, std::size_t run,
                                                  std::span<const std::int64_t> elements) const;

 private:
  const Node& node_;
  reference::Policy policy_;
  std::optional<reference::Outcome> outcome_;
  const reference::Result* form_ = nullptr;
  std::optional<Formula> formula_;
};

/// Whether the models may compute this element in another way than the formula without changes. Ignores readings and
/// changes of the node.
bool concern(std::span<const WrongModel* const> models, const Place& place);

/// The primary readings, except for those that the models follow.
reference::Policy policy_of(std::span<const WrongModel* const> models, const reference::Policy& policy = {});

/// Applies the models' changes of the node. Returns whether there was one.
bool change(Node& node, std::span<const WrongModel* const> models, const ModelRun& run);

/// What computations of one graph share, because each wrong model changes few of its nodes.
struct SharedComputation {
  explicit SharedComputation(std::shared_ptr<reference::KnownOutcomes> constants = nullptr)
      : quantized(reference::KnownOutcomes::usual_elements, std::move(constants)) {}

  reference::KnownOutcomes quantized;
  reference::KnownValues others;
};

/// The y that an implementation with these defects computes: all elements.
std::variant<Tensor, reference::Rejection> compute(const Node& node, std::span<const WrongModel* const> models,
                                                   const ModelRun& run, SharedComputation* known = nullptr);

/// The outputs of a graph that an implementation with these defects computes, or the rejection of one of its nodes;
/// with ranges where its sums are rounded. Throws reference::GraphError if the defects make the graph invalid.
std::variant<std::vector<reference::Output>, reference::Rejection> compute(const reference::GraphModel& graph,
                                                                           std::span<const Tensor> inputs,
                                                                           std::span<const WrongModel* const> models,
                                                                           std::size_t run,
                                                                           SharedComputation* known = nullptr);

}  // namespace touchstone::conformance
