// Shrinks a case that a backend gets wrong, or refuses, to a small model that still shows the problem.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/files/case.h"
#include "conformance/judge/judge.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

struct ShrinkOptions {
  JudgeOptions judge;
  /// The limit of calls to the backend. There are fewer after a crash or a timeout, because each of them takes long.
  std::size_t most_calls = 200;
  /// The limit of the elements of all data and constants of the graphs that are tried, because computing large ones
  /// takes longer than the call.
  std::int64_t most_graph_elements = std::numeric_limits<std::int64_t>::max();
  /// The hypothesis that must still explain the outputs, alone or in a pair. Empty: any of those that explain the
  /// outputs of the whole case.
  std::string hypothesis = {};
  /// None of these may explain the outputs of a simpler case, unless it explains those of the whole one, because these
  /// are other causes.
  std::vector<std::string> other_hypotheses = {};
  std::function<bool()> stop = {};                      ///< called before each call; true ends the search
  std::function<void(std::size_t calls)> on_call = {};  ///< called before each call, with its number
};

struct Shrunk {
  Case smallest;
  CaseRecord record;  ///< of `smallest`, with the id of the whole case
  std::size_t calls = 0;
  bool is_smaller = false;  ///< false: this is the whole case
};

/// Repeatedly replaces the case by a simpler one that shows the same problem: another node, or a graph with one data
/// set, shorter dimensions and more zeros. Every simpler case is judged like any other, and illegal ones are not tried
/// unless they violate the same clause. The problem is the same if the verdict is, and
/// - for wrong outputs, one of the hypotheses that explained them explains those of the simpler case, and no other
/// cause
///   does. If none explained them, any difference of the same kind will do. Simpler values must not be explained by
///   hypotheses that the values before exclude.
/// - for refusals, crashes and timeouts, the message is the same apart from numbers, names and types.
///
/// `record` is the result of the planned case. Returns the whole case if the problem does not show again in a separate
/// model, or only once. If the backend is deterministic and `stop` does not end the search, the result depends only on
/// the arguments. Throws BackendError, and the errors of reading the case.
Shrunk shrink(const PlannedCase& planned, const CaseRecord& record, Backend& backend,
              const ShrinkOptions& options = {});

}  // namespace touchstone::conformance
