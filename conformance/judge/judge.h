// Judges a backend's answer to a case.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/files/case.h"
#include "conformance/judge/compare.h"
#include "conformance/judge/oracle.h"
#include "conformance/judge/verdict.h"

namespace touchstone::conformance {

struct JudgeOptions {
  bool strict = false;        ///< only the primary readings pass
  bool sign_of_zero = false;  ///< +0 differs from -0
  /// The limit of the search for readings that explain an answer. If the limit is reached, and no element proves that
  /// no readings explain the answer, the verdict is harness_error.
  std::size_t most_interpretations = 10'000;
  bool explains = true;  ///< whether wrong results get the hypotheses that explain them, a long search
};

struct Judgement {
  Verdict verdict = Verdict::not_run;
  std::string reason = {};  ///< one line; for a pass, reports differences in the signs of zeros, otherwise empty
  /// For a `fail`: the first elements that differ. Elements that no permitted reading explains come first.
  struct Difference {
    std::size_t data_set;
    ElementType type;
    TensorDifference tensor;
  };
  std::optional<Difference> difference = std::nullopt;
  std::vector<ReadingId> readings = {};  ///< for a `pass_variant` or `rejects_variant`
};

/// Why outputs with the right types and shapes show nothing, if not both for some elements each.
inline constexpr std::string_view every_element_open = "the specification leaves every element of the outputs open";
inline constexpr std::string_view bounds_too_wide =
    "the bounds of every element of the outputs are too wide to prove anything";

/// Whether the expected outputs of the case, if any, agree with the primary readings. Only then can another reading
/// explain a difference from them.
bool reference_agrees(const Case& tested, const std::vector<ReferenceOutcome>& interpreted, bool sign_of_zero = false);

/// Judges by the expected outputs of the case or, if it has none, by the reference. All data sets must be right under
/// the primary readings (pass), or under one choice of permitted readings for all of them: pass_variant, or
/// rejects_variant if no data set got an output. A data set that repeats another must get the same output, except for
/// elements that the readings which explain it leave open.
///
/// The verdict is `not_shown` if all of this holds:
/// - Two or more permitted readings are needed. One permitted reading alone always passes.
/// - They explain no element: they leave open all elements that differ from the primary readings.
/// - A rejected reading alone, with all others primary, explains every element, and leaves none of them open.
/// Then nothing in the case distinguishes a backend that follows the permitted readings from one that follows the
/// rejected reading. Other cases do, with elements that the permitted readings do not leave open.
///
/// It is also `not_shown` if the primary readings, or bounds that are too wide, leave every element of all outputs
/// open: any bytes would be right. The types and shapes are still compared. Outputs without elements are right or wrong
/// by their shapes.
///
/// If the specification rejects the node, an expected output in the case counts only if a permitted reading gives it.
/// Otherwise the verdict is harness_error for any answer.
Judgement judge(const Case& tested, const std::vector<ReferenceOutcome>& interpreted, const UnitAnswer& answer,
                const JudgeOptions& options = {});

}  // namespace touchstone::conformance
