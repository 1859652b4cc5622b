// From a case and a backend's answer to a verdict.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/judge/compare.h"
#include "conformance/judge/expectation.h"
#include "conformance/judge/verdict.h"
#include "conformance/plan/case.h"

namespace touchstone::conformance {

struct JudgeOptions {
  bool strict = false;        ///< only the primary readings pass
  bool sign_of_zero = false;  ///< +0 is not -0, also where the reference decides; always where a file does
};

struct Judgement {
  Verdict verdict = Verdict::not_run;
  std::string reason = {};  ///< empty for a pass; otherwise one line for people
  /// Of a `fail`: where the answer differs first.
  struct Difference {
    std::size_t data_set;
    spec::ElementType type;
    TensorDifference tensor;
  };
  std::optional<Difference> difference = std::nullopt;
  std::vector<ReadingId> readings = {};  ///< of a `pass_variant` or `rejects_variant`
};

/// Whether the case's own outputs, where it brings any, are those of the primary readings. Only then can another
/// reading explain what differs from them.
bool reference_agrees(const Case& tested, const std::vector<Interpreted>& interpreted);

/// The outputs that the case brings decide, otherwise the reference. All data sets must come out right, by the primary
/// readings (pass) or by one choice of permitted ones for all of them: pass_variant, or rejects_variant where no data
/// set got an output. Where the specification rejects the node, an output that the case brings counts only if it is
/// that of a permitted reading; otherwise the case is a harness_error, whatever the answer.
Judgement judge(const Case& tested, const std::vector<Interpreted>& interpreted, const UnitAnswer& answer,
                const JudgeOptions& options = {});

}  // namespace touchstone::conformance
