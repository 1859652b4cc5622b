// A run in numbers, every one with its denominator.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/judge/verdict.h"
#include "conformance/report/covered_spaces.h"
#include "conformance/run/inconsistencies.h"
#include "conformance/run/known_failures.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

struct Tally {
  std::size_t passed = 0;
  std::size_t permitted = 0;  ///< nothing is wrong with them; those that passed among them
  std::size_t not_shown = 0;  ///< of these
  std::size_t total = 0;

  void count(Verdict verdict) {
    ++total;
    if (is_pass(verdict)) ++passed;
    if (is_permitted(verdict)) ++permitted;
    if (verdict == Verdict::not_shown) ++not_shown;
  }
};

/// The same, verdict by verdict.
struct VerdictTally {
  std::array<std::size_t, verdicts.size()> by_verdict{};  ///< in the order of `verdicts`

  void count(Verdict verdict) { ++by_verdict[static_cast<std::size_t>(verdict)]; }
  std::size_t operator[](Verdict verdict) const { return by_verdict[static_cast<std::size_t>(verdict)]; }
  /// How many passed, of all.
  Tally tally() const;
};

/// An operator at an opset of its domain.
struct OperatorAt {
  std::string_view domain;
  spec::Operator op;
  int opset;

  auto operator<=>(const OperatorAt&) const = default;
};

/// What came of the cases of a form.
struct FormResult {
  std::string form;
  std::string_view description;  ///< in words; empty of a form that this version does not know
  VerdictTally verdicts;
};

struct Summary {
  std::string part;                                       ///< of the run, in words; empty: all of it
  std::size_t cases = 0;                                  ///< of the plan, run or not
  std::array<std::size_t, verdicts.size()> by_verdict{};  ///< in the order of `verdicts`
  std::size_t declined = 0;  ///< not asked, as it is declared or assumed that the backend cannot take them
  std::size_t flaky = 0;     ///< came out otherwise when they were run again
  std::size_t legal_cells = 0;
  std::size_t covered_cells = 0;  ///< touched by a case that was run, whatever came of it
  std::int64_t elements = 0;      ///< that the specification demands
  std::int64_t masked = 0;        ///< those of them on which it says nothing

  /// Of the legal cases by operator and opset, and quantized element type; only those that a case touches.
  std::map<std::pair<OperatorAt, spec::ElementType>, Tally> matrix;
  Tally must_reject_cases;
  /// Those by operator and opset.
  std::map<OperatorAt, Tally> must_reject;
  /// Legal and must-reject cases with this verdict, by operator and opset. Has no zeros.
  std::map<OperatorAt, std::size_t> not_shown;
  /// Of the generated cases by form: those that are known in the order of their table, then others by name.
  std::vector<FormResult> forms;
  /// Of the pass_variant cases: how many each reading explains, by ambiguity and reading.
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> readings;

  /// Pairs of cases that follow different readings; nothing if nobody has looked for them. By ambiguity.
  std::optional<std::vector<Inconsistency>> inconsistencies = std::nullopt;

  /// Of the tier exhaustive; empty in the others.
  std::vector<CoveredSpace> covered;

  /// What became of the expectations, and how many cases went wrong as they say.
  KnownFailureOutcomes expectations;
  std::size_t expected = 0;
  std::size_t unexpected = 0;         ///< cases that went wrong and were not expected to; undecided ones not among them
  std::size_t unexpected_errors = 0;  ///< harness errors that were not expected

  std::size_t count(Verdict verdict) const { return by_verdict[static_cast<std::size_t>(verdict)]; }
  std::size_t passed() const { return count(Verdict::pass) + count(Verdict::pass_variant); }
};

/// Cases of the plan that have no record are not_run.
Summary summarize(std::size_t planned_cases, const std::vector<CaseRecord>& records,
                  KnownFailureOutcomes expectations = {});

/// The program's exit code for a run: 5 nothing selected, 4 incomplete whatever there was so far, 1 an unexpected
/// result (also a pass, or an expectation that no case meets), 3 only the harness failed, 5 every case is not shown,
/// 0 as expected.
int exit_code(const Summary& summary);

}  // namespace touchstone::conformance
