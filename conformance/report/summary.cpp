#include "conformance/report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "conformance/files/text.h"
#include "conformance/generate/form.h"
#include "conformance/graphs/graph_parameters.h"
#include "conformance/plan/digest.h"
#include "conformance/plan/number.h"
#include "conformance/report/expected.h"
#include "conformance/run/attempt.h"

namespace touchstone::conformance {

namespace {

std::vector<FormResult> sorted_forms(std::map<std::string, Tally> by_name) {
  std::vector<FormResult> results;
  for (const Form& form : forms())
    if (auto found = by_name.extract(std::string(form.name)); !found.empty())
      results.push_back({std::move(found.key()), form.description, found.mapped()});
  for (auto& [form, tally] : by_name) results.push_back({form, {}, tally});
  return results;
}

}  // namespace

std::string in_words(const Tally& tally) {
  const auto& [legal, illegal, refused_other] = tally;
  std::string text;
  for (const AnswerClassInfo& row : answer_classes) {
    const std::size_t cases = legal[row.answer_class];
    if (!row.is_of_legal || (row.answer_class == AnswerClass::undecided && cases == 0)) continue;
    const bool has_others = row.answer_class == AnswerClass::refused && refused_other > 0;
    const std::string others = has_others ? fmt::format(" ({} of another operator)", with_commas(refused_other)) : "";
    text += fmt::format("{} {}{}, ", with_commas(cases), row.words, others);
  }
  text += "of " + with_commas(legal.total());
  if (illegal.total() == 0) return text;
  text += "; illegal models: ";
  for (const AnswerClassInfo& row : answer_classes)
    if (const std::size_t cases = illegal[row.answer_class]; cases > 0 || row.answer_class == AnswerClass::rejected)
      text += fmt::format("{} {}, ", with_commas(cases), row.words);
  return fmt::format("{}of {}", text, with_commas(illegal.total()));
}

std::string not_run_in_words(const Summary& summary) {
  const std::size_t not_run = summary.all.cases(Verdict::not_run);
  if (not_run == 0) return "";
  return fmt::format("not run: {} of {} cases{}{}", with_commas(not_run), with_commas(summary.cases),
                     summary.stopped.empty() ? "" : ", ", displayed_line(summary.stopped));
}

std::vector<VerdictCount> verdict_counts(const Summary& summary) {
  std::vector<VerdictCount> rows;
  const auto add = [&](Verdict verdict, std::string_view models, const Counts& counts) {
    const std::size_t not_asked = verdict == Verdict::rejects_valid ? counts[AnswerClass::not_asked] : 0;
    if (counts[verdict] > not_asked) rows.push_back({verdict, models, counts[verdict] - not_asked, counts.total()});
  };
  for (const auto& [verdict, name] : verdicts) {
    if (verdict == Verdict::pass) continue;
    if (const std::size_t cases = summary.all.cases(verdict); verdict == Verdict::not_run && cases > 0) {
      rows.push_back({verdict, "cases", cases, summary.cases});
    } else {
      add(verdict, "legal models", summary.all.legal);
      add(verdict, "illegal models", summary.all.illegal);
    }
  }
  return rows;
}

namespace {

void count_unexpected(Summary& summary, const KnownFailureOutcomes& expectations, const CaseRecord& record) {
  if (is_expected(expectations, record)) {
    ++summary.expected;
    if (record.verdict == Verdict::rejects_valid) ++summary.expected_refusals;
  } else if (record.verdict == Verdict::harness_error) {
    ++summary.unexpected_errors;
  } else if (is_wrong(record.answer_class())) {
    ++summary.unexpected;
  } else if (summary.requirement.is_missed_by(record)) {
    ++summary.missed;
    if (record.must_reject()) ++summary.missed_illegal;
  }
}

void count_in_tables(Summary& summary, const CaseRecord& record) {
  summary.all.count(record);
  if (const auto parameters = find_graph_parameters(record.id))
    summary.graphs[{parameters->opset, parameters->quantized}].count(record);
  if (!record.subject) return;
  const auto& [version, opset, type] = record.subject;
  const OperatorAt place{version->domain, version->op, opset};
  if (record.must_reject())
    summary.illegal[place].count(record);
  else
    summary.matrix[{place, type}].count(record);
}

}  // namespace

Summary summarize(std::size_t planned_cases, const std::vector<CaseRecord>& records, KnownFailureOutcomes expectations,
                  Requirement requirement, const Findings& findings) {
  Summary summary;
  static_cast<Findings&>(summary) = findings;
  summary.cases = planned_cases;
  summary.legal_cells = count_legal_cells();
  summary.requirement = std::move(requirement);
  summary.all.count(CaseRecord{}, planned_cases - records.size());
  summary.causes = find_causes(records, summary.contradictions, summary.experiments);
  apply_causes(expectations, records, summary.causes);
  std::set<Cell> covered;
  std::map<std::string, Tally> forms;
  ContentHash content;
  for (const CaseRecord& record : records) {
    content.add(valid_utf8(record.id)).add(to_hex(record.digest));
    count_in_tables(summary, record);
    count_unexpected(summary, expectations, record);
    if (is_answered(record)) {
      summary.elements += record.elements;
      summary.masked += record.masked;
    }
    const bool ran = !record.declined && record.verdict != Verdict::not_run && record.verdict != Verdict::harness_error;
    if (ran) covered.insert(record.cells.begin(), record.cells.end());
    if (record.verdict == Verdict::pass_variant)
      for (const ReadingId& row : record.readings) ++summary.readings[{row.ambiguity, row.reading}];
    if (!record.flaky.empty()) ++summary.flaky;
    const bool is_of_newer_opset = record.declined && record.reason->starts_with(unknown_opset);
    if (is_of_newer_opset && summary.of_newer_opsets++ == 0) summary.newer_opset = *record.reason;
    if (!record.form.empty()) forms[record.form].count(record);
  }
  summary.content = to_hex(content.finish());
  summary.forms = sorted_forms(std::move(forms));
  summary.covered_cells = covered.size();
  summary.covered = covered_spaces(records);
  summary.limits = find_limits(records);
  summary.expectations = std::move(expectations);
  return summary;
}

int exit_code(const Summary& summary) {
  // An expired expectation counts, too, because it should be removed from the file.
  const bool is_contradicted =
      std::any_of(summary.expectations.begin(), summary.expectations.end(),
                  [](const KnownFailureOutcome& row) { return row.stale() || !row.unexpected_passes.empty(); });
  const auto& [legal, illegal, refused_other] = summary.all;
  const std::size_t right =
      legal[AnswerClass::right] + illegal[AnswerClass::rejected] + illegal[AnswerClass::permitted];
  if (summary.cases == 0) return 5;
  if (summary.all.cases(Verdict::not_run) > 0) return 4;
  const bool misses_given = summary.missed > 0 && summary.requirement.is_given();
  if (summary.unexpected > 0 || is_contradicted || misses_given) return 1;
  if (right == 0 && summary.expected == summary.expected_refusals && summary.unexpected_errors == 0) return 5;
  if (summary.missed > 0) return 1;
  return summary.unexpected_errors > 0 ? 3 : 0;
}

}  // namespace touchstone::conformance
