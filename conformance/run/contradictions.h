// Finds right cases that contradict a hypothesis which explains wrong ones.
//
// A hypothesis explains a failure, and may be true only for some cases: a backend that rounds wrongly may do so in one
// of its kernels. The right cases in which the hypothesis would show delimit where it holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conformance/plan/planned_case.h"
#include "conformance/run/read_case.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

struct Contradictions {
  std::string hypothesis;
  std::size_t checked = 0;         ///< right cases that were examined
  std::vector<std::string> cases;  ///< the ids of those in which the hypothesis would show, in the order of the plan

  bool operator==(const Contradictions&) const = default;
};

/// The number of hypotheses that are examined: those that explain the most failures. Others that explain as many as the
/// last one are examined, too: one that is not would seem the likeliest.
inline constexpr std::size_t most_hypotheses = 24;

/// For the same reason, so many hypotheses of each failure are examined, as long as these are at most so many more.
inline constexpr std::size_t hypotheses_of_failure = 12;
inline constexpr std::size_t most_rare_hypotheses = 96;

/// The number of right cases of an operator that are examined. If there are more, they are spread evenly over the plan.
inline constexpr std::size_t most_right_cases = 1'500;

/// The number of elements of all graphs among them. If they have more, the smallest ones are examined: a unit of a
/// user's model takes up to a second for each hypothesis.
inline constexpr std::int64_t most_elements_of_right_graphs = std::int64_t{1} << 20;

/// The name under which a reading may be contradicted.
std::string hypothesis_of(const ReadingId& reading);

/// The contradictions of the hypotheses that the records name, and of the precisions of products by which records with
/// a hypothesis are right; nothing if there are none. `records` are those of the first cases of the plan. Examines
/// legal cases with the verdict pass, and no sweeps. A hypothesis on the nodes of a graph from files, of which rules
/// know nothing, is also contradicted by single nodes from files with the same operator and quantized type.
std::vector<Contradictions> find_contradictions(std::span<const PlannedCase> plan, std::span<const CaseRecord> records,
                                                const ExaminationOptions& options = {});

}  // namespace touchstone::conformance
