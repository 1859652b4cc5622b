// Compares one answer with the required output or rejection.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/judge/compare.h"
#include "conformance/judge/verdict.h"
#include "reference/outcome.h"

namespace touchstone::conformance {

/// The requirement of one data set: this output, or a rejection.
struct Demand {
  const reference::Tensor* y = nullptr;             ///< null: a rejection
  const std::vector<bool>* open = nullptr;          ///< elements that may have any value; null: none
  const reference::Rejection* rejection = nullptr;  ///< set if y is null
  bool sign_of_zero = true;
};

/// The requirement that follows from an outcome.
Demand demand_of(const reference::Outcome& outcome, bool sign_of_zero);

struct Mismatch {
  Verdict verdict;  ///< fail, accepts_invalid or rejects_valid
  std::string reason = {};
  std::optional<TensorDifference> tensor = std::nullopt;
};

/// std::nullopt if the answer meets the requirement. `output_name` is the name of the graph's output.
std::optional<Mismatch> mismatch(const Demand& demand, const Answer& answer, const std::string& output_name);

/// "3 of 8 elements differ only in the sign of zero", for an answer that meets the requirement; empty if none does.
std::string zero_signs(const Demand& demand, const Answer& answer);

}  // namespace touchstone::conformance
