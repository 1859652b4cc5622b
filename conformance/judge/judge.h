// From a case and a backend's answer to a verdict.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "conformance/backends/backend.h"
#include "conformance/judge/compare.h"
#include "conformance/judge/verdict.h"
#include "conformance/plan/case.h"

namespace touchstone::conformance {

struct Judgement {
  Verdict verdict = Verdict::not_run;
  std::string reason;  ///< empty for a pass; otherwise one line for people
  /// Of a `fail`: where the answer differs first.
  struct Difference {
    std::size_t data_set;
    std::size_t output;
    TensorDifference tensor;
  };
  std::optional<Difference> difference;
};

/// The case's expected outputs decide; all its data sets must come out right.
Judgement judge(const Case& tested, const UnitAnswer& answer);

}  // namespace touchstone::conformance
