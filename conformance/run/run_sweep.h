// A sweep against a backend, and what is to be said of it.
#pragma once

#include <optional>

#include "conformance/backends/backend.h"
#include "conformance/exhaustive/sweep.h"
#include "conformance/judge/judge.h"
#include "conformance/run/record.h"
#include "conformance/run/sweep_pass.h"

namespace touchstone::conformance {

/// The record of the sweep. Nothing if it was stopped.
///
/// What differs from the primary readings is judged as a small case: if permitted readings explain that, and then every
/// element of the sweep, the verdict is pass_variant. A backend that refuses a chunk, or breaks down, is judged as if
/// it had done so on the sample. Only a sweep of which every element was compared covers anything.
std::optional<CaseRecord> run_sweep(const Sweep& sweep, Backend& backend, const JudgeOptions& options = {},
                                    const Stop& stop = {});

}  // namespace touchstone::conformance
