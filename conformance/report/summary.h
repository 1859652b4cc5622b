// A summary of a run: numbers with their denominators.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/backends/capabilities.h"
#include "conformance/causes/causes.h"
#include "conformance/causes/suggested_limits.h"
#include "conformance/judge/verdict.h"
#include "conformance/report/covered_spaces.h"
#include "conformance/run/findings.h"
#include "conformance/run/known_failures.h"
#include "conformance/run/record.h"
#include "conformance/run/requirement.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

/// The number of cases of each verdict, and of each answer class.
struct Counts {
  std::array<std::size_t, verdicts.size()> by_verdict{};      ///< in the order of `verdicts`
  std::array<std::size_t, answer_classes.size()> by_class{};  ///< in the order of `answer_classes`

  void count(const CaseRecord& record, std::size_t cases = 1) {
    by_verdict[static_cast<std::size_t>(record.verdict)] += cases;
    by_class[static_cast<std::size_t>(record.answer_class())] += cases;
  }
  std::size_t operator[](Verdict verdict) const { return by_verdict[static_cast<std::size_t>(verdict)]; }
  std::size_t operator[](AnswerClass wanted) const { return by_class[static_cast<std::size_t>(wanted)]; }
  Counts& operator+=(const Counts& other) {
    std::ranges::transform(by_verdict, other.by_verdict, by_verdict.begin(), std::plus());
    std::ranges::transform(by_class, other.by_class, by_class.begin(), std::plus());
    return *this;
  }
  std::size_t total() const { return std::accumulate(by_class.begin(), by_class.end(), std::size_t{0}); }
  std::size_t asked() const { return total() - (*this)[AnswerClass::not_asked]; }
};

/// Legal and illegal models, which are never added up: a backend that refuses everything rejects every illegal model.
struct Tally {
  Counts legal;
  Counts illegal;
  std::size_t refused_other{};  ///< of the refused ones: graphs in which the backend refuses another operator alone

  void count(const CaseRecord& record, std::size_t cases = 1) {
    (record.must_reject() ? illegal : legal).count(record, cases);
    if (!record.refused_operator.empty()) refused_other += cases;
  }
  Tally& operator+=(const Tally& other) {
    legal += other.legal;
    illegal += other.illegal;
    refused_other += other.refused_other;
    return *this;
  }
  std::size_t cases(Verdict verdict) const { return legal[verdict] + illegal[verdict]; }
};

/// "9,757 right, 1,587 wrong, 42,546 refused, 0 not asked, of 53,890; illegal models: 1,040 rejected, 3 accepted as a
/// reading permits, of 1,050". The undecided cases are counted before the total if there are any, so that the numbers
/// always add up to it. "42,546 refused (120 of another operator)" if there are such. Of illegal models, only numbers
/// other than 0 follow that of the rejected ones.
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

struct Summary : Findings {
  std::string part;        ///< the part of the run, in words; empty: all of it
  bool all_cases = false;  ///< whether reports with a line for each case also have lines for the right ones
  std::string journal;     ///< the sum of its last case, which depends on all of them, see Journal::sum
  std::string content;     ///< the SHA-256 of the ids and digests of the cases that have a record, in their order
  RunTimes times;          ///< only for summary.json
  std::size_t cases = 0;   ///< in the plan, run or not
  Tally all;               ///< of them
  std::size_t flaky = 0;   ///< had another result when they were run again
  std::size_t of_newer_opsets = 0;  ///< not asked, because the tables of the specification do not have their opsets
  std::string newer_opset;          ///< the reason of the first one
  std::size_t legal_cells = 0;
  std::size_t covered_cells = 0;  ///< cells of cases that were run, whatever the result
  std::int64_t elements = 0;      ///< of the outputs of legal cases that the backend answered
  std::int64_t masked = 0;        ///< those among them whose value the specification leaves open

  /// Legal cases by operator, opset and quantized element type; only combinations that a case has.
  std::map<std::pair<OperatorAt, spec::ElementType>, Counts> matrix;
  /// Cases of the suite `graphs` by opset of ai.onnx and quantized element type.
  std::map<std::pair<int, spec::ElementType>, Tally> graphs;
  /// Illegal cases by operator and opset.
  std::map<OperatorAt, Counts> illegal;
  /// The generated cases by form: known forms in the order of their table, then others by name.
  std::vector<FormResult> forms;
  /// The number of pass_variant cases that each reading explains, by ambiguity and reading.
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> readings;

  std::vector<Cause> causes;  ///< of all problems, expected or not
  Capabilities limits;        ///< the assumptions under which it is not asked what it always refused

  /// For the tier exhaustive; empty in the others.
  std::vector<CoveredSpace> covered;

  /// The outcomes of the expectations, and the number of expected failures.
  KnownFailureOutcomes expectations;
  std::size_t expected = 0;
  std::size_t expected_refusals = 0;  ///< of them: refused or not asked
  std::size_t unexpected = 0;         ///< wrong cases that were not expected
  std::size_t unexpected_errors = 0;  ///< harness errors that were not expected

  Requirement requirement;
  std::size_t missed = 0;          ///< required cases that were refused or not asked, and not expected
  std::size_t missed_illegal = 0;  ///< of them: illegal models, which were not asked
};

/// The cases with a verdict, of legal or of illegal models.
struct VerdictCount {
  Verdict verdict;
  std::string_view models;  ///< "legal models", "illegal models", or "cases", if it is not known what they are
  std::size_t cases;
  std::size_t total;  ///< of all verdicts
};

/// Verdicts other than pass, without the cases that were not asked. Contains no zeros.
std::vector<VerdictCount> verdict_counts(const Summary& summary);

/// "not run: 90 of 100 cases, stopped after 1 unexpected result, because of --maxfail"; empty if all cases were run.
std::string not_run_in_words(const Summary& summary);

/// Whether such reports have a line for the case.
inline bool is_listed(const Summary& summary, const CaseRecord& record) {
  return summary.all_cases || !is_right(record.answer_class());
}

/// Cases of the plan that have no record are not_run.
Summary summarize(std::size_t planned_cases, const std::vector<CaseRecord>& records,
                  KnownFailureOutcomes expectations = {}, Requirement requirement = Requirement(),
                  const Findings& findings = {});

/// The program's exit code for a run. The first that applies:
///   5  nothing was selected
///   4  the run is incomplete
///   1  an unexpected result: a wrong case, a refusal of what --require names, a pass, or an expectation that no case
///      meets
///   5  no legal model is right, no illegal one is rejected, and nothing is wrong as expected, although the harness did
///      not fail; expected refusals do not count
///   1  a refusal of what is required by default
///   3  the harness failed
///   0  as expected
int exit_code(const Summary& summary);

}  // namespace touchstone::conformance
