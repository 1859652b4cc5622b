// Controls: legal cases that a backend must accept for its refusal of another case to show anything. Whoever refuses
// every model of a kind also refuses those that must be refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "conformance/backends/backend.h"
#include "conformance/plan/cell.h"
#include "conformance/plan/planned_case.h"

namespace touchstone::conformance {

/// Whether the node of every data set is legal by the primary readings, and by any permitted reading in their place.
bool is_legal_by_all_readings(const Case& tested);

/// The control of a case, with an id made from its content; nothing if it has none.
std::optional<Case> control_of(const PlannedCase& planned);

/// What became of a control.
struct ControlOutcome {
  enum class Kind {
    accepted,  ///< there are outputs; whether they are right is for other cases to say
    refused,   ///< also by a crash or a timeout, and where the backend declines such models
    unknown,   ///< there is no answer, or none that can be read
  } kind = Kind::accepted;
  std::string_view does = {};  ///< what the backend does with the control, in words
  std::string why = {};
  std::optional<Cell> cell = std::nullopt;  ///< of the control
};

/// The controls of the cases that one backend runs, each tried once.
class Controls {
 public:
  explicit Controls(Backend& backend) : backend_(backend) {}

  /// Nothing if the case has no control. Throws BackendError, and what the case's files throw.
  std::optional<ControlOutcome> outcome_of(const PlannedCase& planned);

 private:
  Backend& backend_;
  /// By the digests of the candidates. Nothing: some permitted reading rejects it.
  std::unordered_map<std::uint64_t, std::optional<ControlOutcome>> known_;
};

}  // namespace touchstone::conformance
