// One answer against what was demanded.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/judge/compare.h"
#include "conformance/judge/verdict.h"
#include "reference/outcome.h"

namespace touchstone::conformance {

/// What is demanded of one data set: this output, or a rejection.
struct Demand {
  const reference::Tensor* y = nullptr;             ///< null: a rejection
  const std::vector<bool>* open = nullptr;          ///< elements that may be anything; null: none
  const reference::Rejection* rejection = nullptr;  ///< where y is null
  bool sign_of_zero = true;
};

/// What an outcome demands.
Demand demand_of(const reference::Outcome& outcome, bool sign_of_zero);

struct Mismatch {
  Verdict verdict;  ///< fail, accepts_invalid or rejects_valid
  std::string reason = {};
  std::optional<TensorDifference> tensor = std::nullopt;
};

/// Nothing if the answer, outputs or a refusal, is what was demanded. `output_name` is the graph's.
std::optional<Mismatch> mismatch(const Demand& demand, const Answer& answer, const std::string& output_name);

/// "3 of 8 elements differ only in the sign of zero", of an answer that is what was demanded; empty if none does.
std::string zero_signs(const Demand& demand, const Answer& answer);

}  // namespace touchstone::conformance
