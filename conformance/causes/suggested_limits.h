// The limits of a backend, according to a run.
#pragma once

#include <span>

#include "conformance/backends/capabilities.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// Whether the backend gave an output, right or wrong, for a legal case.
bool is_answered(const CaseRecord& record);

/// Limits within which the backend would not be asked what it refused, as far as `Capabilities` can express that: a
/// type, an opset, all scales from graph inputs, or all symbolic dimensions, without an answer. Every answered case is
/// within them. No limits if nothing was answered.
Capabilities find_limits(std::span<const CaseRecord> records);

}  // namespace touchstone::conformance
