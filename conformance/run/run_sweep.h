// Runs a sweep on a backend and judges the result.
#pragma once

#include <functional>
#include <optional>

#include "conformance/backends/backend.h"
#include "conformance/judge/judge.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/controls.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// Called before every chunk. Returns whether to stop.
using Stop = std::function<bool()>;

/// The record of the sweep, or std::nullopt if it was stopped.
///
/// Elements that differ from the primary readings are judged as a small case. If permitted readings explain them, and
/// then every element of the sweep, the verdict is pass_variant. A backend that refuses a chunk, or fails, is judged as
/// if it had done so on the sample; a refusal counts only if the backend accepts the sweep's control. A sweep counts as
/// coverage only if every element was compared.
std::optional<CaseRecord> run_sweep(const PlannedCase& planned, Backend& backend, const JudgeOptions& options,
                                    Controls& controls, const Stop& stop = {});

}  // namespace touchstone::conformance
