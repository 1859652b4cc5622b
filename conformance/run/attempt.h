// One case on its way through a backend: read and described, sent ahead, answered and judged.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/judge/judge.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/controls.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

class Attempt {
 public:
  /// Reads the case, which must stay, and asks whether the backend declines it. Never throws for what the case
  /// contains.
  Attempt(const PlannedCase& planned, Backend& backend);

  /// Tells the backend of it, if it will be asked. Attempts are finished in the order in which they were announced.
  void announce();

  /// Whether there is something to ask the backend, and it does not decline.
  bool is_asked() const { return ready_ != nullptr && !ready_->declined; }

  /// A refusal counts only if the backend accepts the case's control, which is tried after it. A case that cannot be
  /// read, or at which the backend throws, is a harness_error. Throws BackendError.
  CaseRecord finish(const JudgeOptions& options, Controls& controls);

 private:
  struct Ready {
    Case tested;
    CodeIntervals codes;
    std::vector<ReferenceOutcome> interpreted;
    Unit unit;
    std::optional<Refusal> declined;
  };
  void judge_answer(const UnitAnswer& answer, const JudgeOptions& options);
  void judge_control(const ControlOutcome& outcome);
  /// Whether the case, or a data set of it, is of this cell.
  bool is_of(const Cell& cell) const;
  void fail(const std::exception& error);

  const PlannedCase& planned_;
  Backend& backend_;
  CaseRecord record_;
  std::unique_ptr<Ready> ready_;  ///< null: there is nothing to ask
};

/// The record of a case that the backend was not asked, for it takes no such models. That is never a pass, also where
/// the model has to be refused: then it would be refused for another reason.
CaseRecord decline(CaseRecord record, const Refusal& refusal);

/// What the backend printed at a case is kept where it did not do what it should.
bool explains_output(Verdict verdict);

}  // namespace touchstone::conformance
