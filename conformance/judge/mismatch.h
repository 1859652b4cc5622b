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

struct Mismatch {
  Verdict verdict;  ///< fail, accepts_invalid or rejects_valid
  std::string reason = {};
  std::optional<TensorDifference> tensor = std::nullopt;

  /// How much of the output is wrong, for comparing explanations: elements, all of them and one more where they cannot
  /// be compared.
  std::int64_t size = 0;
};

/// Nothing if the answer, outputs or a refusal, is what was demanded. `output_name` is the graph's.
std::optional<Mismatch> mismatch(const Demand& demand, const Answer& answer, const std::string& output_name);

}  // namespace touchstone::conformance
