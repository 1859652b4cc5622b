// Controls: legal cases that a backend must accept for its refusal of another case to count. A backend that refuses all
// models of a kind also refuses those that must be rejected. The single nodes of a graph are controls, too: a backend
// that refuses one refuses the graph because of another operator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "conformance/backends/backend.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/single_nodes.h"

namespace touchstone::conformance {

/// Whether the node of every data set is legal under the primary readings and under all permitted readings.
bool is_legal_by_all_readings(const Case& tested);

/// The control of a case, with an id derived from its content; std::nullopt if there is none.
std::optional<Case> control_of(const PlannedCase& planned);

/// The result of running a control.
struct ControlOutcome {
  enum class Kind {
    accepted,  ///< there are outputs; other cases check whether they are right
    refused,   ///< also by a crash or a timeout, or because the backend declines such models
    unknown,   ///< there is no answer, or none that can be read
    absent,    ///< the case has no control
  } kind = Kind::accepted;
  std::string_view does = {};  ///< the backend's reaction to the control, in words
  std::string why = {};        ///< in Controls::outcome_of, at most kept_of_reason bytes of it
};

/// The controls of the cases that one backend runs. Each control is run once.
class Controls {
 public:
  explicit Controls(Backend& backend) : backend_(backend) {}

  /// Throws BackendError, and what reading the case throws.
  ControlOutcome outcome_of(const PlannedCase& planned);

  /// The first single node of a graph that the backend refuses, by its name; empty if there is none, and if the backend
  /// refuses any model of that opset. Throws BackendError.
  std::string refused_node_of(const Case& graph);

 private:
  bool refuses(const SingleNode& node);

  Backend& backend_;
  /// Keyed by the digests of the candidates. std::nullopt: some permitted reading rejects the candidate.
  std::unordered_map<std::uint64_t, std::optional<ControlOutcome>> known_;
  std::unordered_map<std::uint64_t, bool> refused_nodes_;  ///< keyed by SingleNode::digest
};

}  // namespace touchstone::conformance
