// One case on its way through a backend: it is read and described, announced, answered and judged.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/backends/backend.h"
#include "conformance/judge/judge.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/controls.h"
#include "conformance/run/read_case.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// How the reason begins why a case is not asked whose opset is newer than the tables of the specification.
inline constexpr std::string_view unknown_opset = "unknown: ";

class Attempt {
 public:
  /// Reads the case, which must outlive the attempt, unless it was read before, and asks whether the backend declines
  /// it. A case of an opset that is newer than the tables of the specification is not asked. Never throws because of
  /// the case's content.
  Attempt(const PlannedCase& planned, Backend& backend, std::shared_ptr<const ReadCase> read = nullptr);

  /// Announces the case to the backend if it will be asked. Attempts must be finished in the order of their
  /// announcement.
  void announce();

  /// The length of the model; 0 if there is none to run.
  std::size_t model_bytes() const { return unit_.model.size(); }

  /// Null if it cannot be read.
  const std::shared_ptr<const ReadCase>& read_case() const { return case_; }

  /// Whether there is a model to run and the backend does not decline it.
  bool is_asked() const { return case_ != nullptr && !declined_; }

  /// Runs and judges the case. A refusal counts only if the backend accepts the case's control, which is run after it.
  /// If a legal graph is refused, its single nodes are run, too. If the case cannot be read, or
  /// the backend throws, the verdict is harness_error. Throws BackendError. Outputs that are like those of an `earlier`
  /// attempt get its verdict, without anything that explains it: a judgement may take long.
  CaseRecord finish(const JudgeOptions& options, Controls& controls, const CaseRecord* earlier = nullptr);

 private:
  void judge_answer(const UnitAnswer& answer, const JudgeOptions& options);
  /// `name`: see Controls::refused_node_of.
  void judge_refused_node(const std::string& name);
  void fail(const std::exception& error);

  const PlannedCase& planned_;
  Backend& backend_;
  CaseRecord record_;
  std::shared_ptr<const ReadCase> case_;  ///< null: there is no model to run
  Unit unit_ = {};
  std::optional<Refusal> declined_;
};

/// The record of a case that was not run because the backend declines such models. It never passes, even if the model
/// must be rejected, because the backend would reject it for another reason.
CaseRecord decline(CaseRecord record, const Refusal& refusal);

/// Takes the credit for a refusal back unless the backend accepts the control.
void judge_control(CaseRecord& record, const ControlOutcome& outcome, bool is_from_files);

/// Whether the record of a case with this verdict keeps what the backend printed.
bool explains_output(Verdict verdict);

}  // namespace touchstone::conformance
