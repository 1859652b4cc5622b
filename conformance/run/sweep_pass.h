// Runs all chunks of a sweep on a backend once, and compares each output with the steps.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/exhaustive/elements_case.h"
#include "conformance/exhaustive/sweep.h"
#include "conformance/run/record.h"
#include "reference/policy.h"

namespace touchstone::conformance {

/// Called before every chunk. Returns whether to stop.
using Stop = std::function<bool()>;

/// The results of all chunks, or of those before the one that ended the sweep.
struct SweepTally {
  std::uint64_t different = 0;
  std::uint64_t open = 0;               ///< elements that the specification leaves open
  std::uint64_t answers = 0;            ///< a digest of them
  std::vector<WrongElement> first;      ///< at most first_differences of them
  std::vector<ChosenElement> evidence;  ///< some wrong elements, at most 2 per chunk, from all parts of the sweep

  // Why the sweep ended before its last chunk.
  bool stopped = false;
  std::optional<UnitAnswer> no_outputs;  ///< a refusal, or a breakdown
  std::string other_form;                ///< describes why outputs cannot be compared

  /// Whether every element was compared with its expected value.
  bool is_complete() const { return !stopped && !no_outputs && other_form.empty(); }
};

/// Runs the sweep and compares under the policy. Throws as expected_steps does, and what the backend throws.
SweepTally pass_over(const Sweep& sweep, Backend& backend, const reference::Policy& policy, const Stop& stop);

}  // namespace touchstone::conformance
