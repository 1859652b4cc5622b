// A sweep against a backend: chunk by chunk, each output held against the steps.
#pragma once

#include <functional>
#include <optional>

#include "conformance/backends/backend.h"
#include "conformance/exhaustive/sweep.h"
#include "conformance/judge/judge.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// Asked before every chunk: whether to leave off.
using Stop = std::function<bool()>;

/// The record of the sweep; its elements are those that were compared. Nothing if it was stopped.
///
/// What differs from the primary readings is judged as a small case: if permitted readings explain that, and then every
/// element of the sweep, the verdict is pass_variant. A backend that refuses a chunk, or breaks down, is judged as if
/// it had done so on the sample.
std::optional<CaseRecord> run_sweep(const Sweep& sweep, Backend& backend, const JudgeOptions& options = {},
                                    const Stop& stop = {});

}  // namespace touchstone::conformance
