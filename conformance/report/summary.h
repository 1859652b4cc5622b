// A summary of a run: numbers with their denominators.
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
  std::size_t permitted = 0;  ///< nothing is wrong with them; includes those that passed
  std::size_t not_shown = 0;  ///< among the permitted ones
  std::size_t total = 0;

  void count(Verdict verdict) {
    ++total;
    if (is_pass(verdict)) ++passed;
    if (is_permitted(verdict)) ++permitted;
    if (verdict == Verdict::not_shown) ++not_shown;
  }
};

/// The same for each verdict.
struct VerdictTally {
  std::array<std::size_t, verdicts.size()> by_verdict{};  ///< in the order of `verdicts`

  void count(Verdict verdict) { ++by_verdict[static_cast<std::size_t>(verdict)]; }
  std::size_t operator[](Verdict verdict) const { return by_verdict[static_cast<std::size_t>(verdict)]; }
  /// The number of passed cases, and of all cases.
  Tally tally() const;
};

/// An operator at an opset of its domain.
struct OperatorAt {
  std::string_view domain;
  spec::Operator op;
  int opset;

  auto operator<=>(const OperatorAt&) const = default;
};

/// The results of the cases of a form.
struct FormResult {
  std::string form;
  std::string_view description;  ///< in words; empty for a form that this version does not know
  VerdictTally verdicts;
};

struct Summary {
  std::string part;                                       ///< the part of the run, in words; empty: all of it
  std::size_t cases = 0;                                  ///< in the plan, run or not
  std::array<std::size_t, verdicts.size()> by_verdict{};  ///< in the order of `verdicts`
  std::size_t declined = 0;  ///< not asked, because the backend is declared or assumed not to support them
  std::size_t flaky = 0;     ///< had another result when they were run again
  std::size_t legal_cells = 0;
  std::size_t covered_cells = 0;  ///< cells of cases that were run, whatever the result
  std::int64_t elements = 0;      ///< output elements that the specification requires
  std::int64_t masked = 0;        ///< those among them whose value it leaves open

  /// Legal cases by operator, opset and quantized element type; only combinations that a case has.
  std::map<std::pair<OperatorAt, spec::ElementType>, Tally> matrix;
  Tally must_reject_cases;
  /// Must-reject cases by operator and opset.
  std::map<OperatorAt, Tally> must_reject;
  /// Legal and must-reject cases with the verdict not_shown, by operator and opset. Contains no zeros.
  std::map<OperatorAt, std::size_t> not_shown;
  /// The generated cases by form: known forms in the order of their table, then others by name.
  std::vector<FormResult> forms;
  /// The number of pass_variant cases that each reading explains, by ambiguity and reading.
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> readings;

  /// Pairs of cases that follow different readings, by ambiguity; nothing if they were not searched for.
  std::optional<std::vector<Inconsistency>> inconsistencies = std::nullopt;

  /// For the tier exhaustive; empty in the others.
  std::vector<CoveredSpace> covered;

  /// The outcomes of the expectations, and the number of expected failures.
  KnownFailureOutcomes expectations;
  std::size_t expected = 0;
  std::size_t unexpected = 0;         ///< unexpected failures, without undecided cases
  std::size_t unexpected_errors = 0;  ///< harness errors that were not expected

  std::size_t count(Verdict verdict) const { return by_verdict[static_cast<std::size_t>(verdict)]; }
  std::size_t passed() const { return count(Verdict::pass) + count(Verdict::pass_variant); }
};

/// Cases of the plan that have no record are not_run.
Summary summarize(std::size_t planned_cases, const std::vector<CaseRecord>& records,
                  KnownFailureOutcomes expectations = {});

/// The program's exit code for a run, in order of precedence: 5 nothing selected, 4 incomplete, 1 an unexpected result
/// (also a pass, or an expectation that no case meets), 3 only the harness failed, 5 every case is not shown, 0 as
/// expected.
int exit_code(const Summary& summary);

}  // namespace touchstone::conformance
