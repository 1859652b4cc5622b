// A summary of a run: numbers with their denominators.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/backends/capabilities.h"
#include "conformance/causes/causes.h"
#include "conformance/causes/support.h"
#include "conformance/judge/verdict.h"
#include "conformance/report/covered_spaces.h"
#include "conformance/run/fingerprint.h"
#include "conformance/run/inconsistencies.h"
#include "conformance/run/known_failures.h"
#include "conformance/run/record.h"
#include "conformance/run/requirement.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

/// The number of cases of each verdict, and of each answer class.
struct Tally {
  std::array<std::size_t, verdicts.size()> by_verdict{};      ///< in the order of `verdicts`
  std::array<std::size_t, answer_classes.size()> by_class{};  ///< in the order of `answer_classes`
  std::size_t refused_other{};  ///< of those refused: graphs in which the backend refuses another operator alone

  void count(const CaseRecord& record, std::size_t cases = 1) {
    by_verdict[static_cast<std::size_t>(record.verdict)] += cases;
    by_class[static_cast<std::size_t>(record.answer_class())] += cases;
    if (!record.refused_operator.empty()) refused_other += cases;
  }
  std::size_t operator[](Verdict verdict) const { return by_verdict[static_cast<std::size_t>(verdict)]; }
  std::size_t operator[](AnswerClass wanted) const { return by_class[static_cast<std::size_t>(wanted)]; }
  std::size_t passed() const { return (*this)[Verdict::pass] + (*this)[Verdict::pass_variant]; }
  std::size_t total() const { return std::accumulate(by_class.begin(), by_class.end(), std::size_t{0}); }
  std::size_t asked() const { return total() - (*this)[AnswerClass::not_asked]; }
};

/// "9,757 right, 1,587 wrong, 42,546 refused, 0 not asked, of 53,890". The undecided cases are counted before the total
/// if there are any, so that the numbers always add up to it. "42,546 refused (120 of another operator)" if there are
/// such.
std::string in_words(const Tally& tally);

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
  Tally tally;
};

struct Summary {
  std::string part;        ///< the part of the run, in words; empty: all of it
  bool all_cases = false;  ///< whether reports with a line for each case also have lines for the right ones
  std::string journal;     ///< the sum of its last case, which depends on all of them, see Journal::sum
  std::string content;     ///< the SHA-256 of the ids and digests of the cases that have a record, in their order
  RunTimes times;          ///< only for summary.json
  std::size_t cases = 0;   ///< in the plan, run or not
  Tally all;               ///< of them
  std::size_t flaky = 0;   ///< had another result when they were run again
  std::size_t legal_cells = 0;
  std::size_t covered_cells = 0;  ///< cells of cases that were run, whatever the result
  std::int64_t elements = 0;      ///< of the outputs of legal cases that the backend answered
  std::int64_t masked = 0;        ///< those among them whose value the specification leaves open

  /// Legal cases by operator, opset and quantized element type; only combinations that a case has.
  std::map<std::pair<OperatorAt, spec::ElementType>, Tally> matrix;
  /// Cases of the suite `graphs` by opset of ai.onnx and quantized element type.
  std::map<std::pair<int, spec::ElementType>, Tally> graphs;
  Tally must_reject_cases;
  /// Must-reject cases by operator and opset.
  std::map<OperatorAt, Tally> must_reject;
  /// Undecided legal and must-reject cases, by operator and opset. Contains no zeros.
  std::map<OperatorAt, std::size_t> undecided;
  /// The generated cases by form: known forms in the order of their table, then others by name.
  std::vector<FormResult> forms;
  /// The number of pass_variant cases that each reading explains, by ambiguity and reading.
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> readings;

  /// Pairs of cases that follow different readings, by ambiguity; nothing if they were not searched for.
  std::optional<std::vector<Inconsistency>> inconsistencies = std::nullopt;

  /// What the right cases show of each ambiguity; nothing if it was not looked for, or the report is on a part of the
  /// run.
  std::optional<std::vector<FingerprintRow>> fingerprint = std::nullopt;

  std::vector<Cause> causes;                   ///< of all problems, expected or not
  std::vector<Contradictions> contradictions;  ///< of the hypotheses that explain failures
  std::vector<Support> support;                ///< what the backend supports of each operator
  Capabilities limits;                         ///< the assumptions under which it is not asked for the rest

  /// For the tier exhaustive; empty in the others.
  std::vector<CoveredSpace> covered;

  /// The outcomes of the expectations, and the number of expected failures.
  KnownFailureOutcomes expectations;
  std::size_t expected = 0;
  std::size_t unexpected = 0;         ///< wrong cases that were not expected
  std::size_t unexpected_errors = 0;  ///< harness errors that were not expected

  Requirement requirement;
  std::size_t missed = 0;  ///< required cases that were refused or not asked, and not expected
};

/// Whether such reports have a line for the case.
inline bool is_listed(const Summary& summary, const CaseRecord& record) {
  return summary.all_cases || record.answer_class() != AnswerClass::right;
}

/// Cases of the plan that have no record are not_run.
Summary summarize(std::size_t planned_cases, const std::vector<CaseRecord>& records,
                  KnownFailureOutcomes expectations = {}, Requirement requirement = Requirement(),
                  std::vector<Contradictions> contradictions = {});

/// The program's exit code for a run, in order of precedence: 5 nothing selected, 4 incomplete, 1 an unexpected result
/// (a wrong or a required case, a pass, or an expectation that no case meets), 3 only the harness failed, 5 no case is
/// right or fails as expected, 0 as expected.
int exit_code(const Summary& summary);

}  // namespace touchstone::conformance
