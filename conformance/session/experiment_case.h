// Models and inputs of experiments: cases of the plan with other values, or in other circumstances.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/generate/directed_values.h"
#include "conformance/generate/form.h"
#include "conformance/generate/node_case.h"
#include "conformance/generate/picker.h"
#include "conformance/judge/oracle.h"
#include "conformance/run/experiment.h"

namespace touchstone::conformance {

/// A case that is varied: a node, or a graph.
struct VariedCase {
  std::size_t place;
  Case graph;  ///< only of a graph
  reference::Node node = {};
  const Form* form = nullptr;
  ValueKind kind = {};
  bool is_per_axis = false;
  std::int64_t elements = 0;
};

/// A model and its inputs, with what the reference knows about them.
struct ExperimentCase {
  Case tested;
  std::vector<ReferenceOutcome> interpreted = {};
  /// Whether a graph got other scales and zero points. An optimizer may leave such a graph alone, so a right answer
  /// refutes nothing.
  bool has_other_parameters = false;
};

/// Other values in the same or other circumstances; std::nullopt if the model would be illegal. It has two runs if
/// something differs between them.
std::optional<ExperimentCase> vary(const VariedCase& base, ExperimentChange change, Picker& picker);

}  // namespace touchstone::conformance
