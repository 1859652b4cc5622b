#include "conformance/report/matrix.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include "conformance/backends/assumptions.h"
#include "conformance/files/text.h"
#include "conformance/plan/number.h"
#include "conformance/report/layout.h"
#include "conformance/report/readings_text.h"

namespace touchstone::conformance {

namespace {

constexpr std::size_t shown_passes = 5;

std::string styled(const std::string& text, const fmt::text_style& style, Color color) {
  return color == Color::always ? fmt::format(style, "{}", text) : text;
}

std::string render_covered(const Summary& summary) {
  if (summary.covered.empty()) return "";
  std::string text = "covered without gaps, every combination of these codes:\n";
  for (const CoveredCodes& row : covered_codes(summary.covered))
    text += fmt::format("  {} {}\n    x           {}\n    scale       {}\n    zero point  {}\n    elements    {}{}\n",
                        row.version, fmt::join(row.types, ", "), row.x, row.scale, row.zero_point, row.elements,
                        row.types.size() == 1 ? "" : " of each");
  return text;
}

std::string inconsistencies_text(const Summary& summary) {
  if (!summary.inconsistencies || summary.inconsistencies->empty()) return "";
  std::string text = fmt::format(
      "inconsistent: {} groups of cases of the same version, types and form follow different "
      "readings\n",
      summary.inconsistencies->size());
  for (const InconsistencyRow& row : inconsistency_rows(summary)) {
    text += fmt::format("  {} x{}, first {}:\n", row.ambiguity, row.groups, displayed_line(in_words(row.first->group)));
    for (const Inconsistency::Evidence& evidence : row.first->evidence)
      text +=
          fmt::format("    {} ({}): {}\n", readings_text(evidence), cases_text(evidence), displayed_line(evidence.id));
  }
  return text;
}

/// Expected failures, and expectations that were not met.
std::string expectations_text(const Summary& summary) {
  if (summary.expectations.empty()) return "";
  std::string text = fmt::format("{} of {} cases are wrong or refused as expected\n", summary.expected, summary.cases);
  for (const KnownFailureOutcome& row : summary.expectations) {
    const KnownFailure& expectation = row.expectation;
    text += fmt::format("  {}: {} ({}): {} cases{}\n", displayed_line(cases_in_words(expectation)),
                        displayed_line(expectation.reason), displayed_line(expectation.issue), row.met,
                        row.expired ? fmt::format(", but it expired on {}", *expectation.expires) : "");
    if (row.stale()) text += "    stale: no case fails in this way\n";
    for (std::size_t i = 0; i < row.unexpected_passes.size() && i < shown_passes; ++i)
      text += fmt::format("    unexpected pass: {}\n", displayed_line(row.unexpected_passes[i]));
    if (row.unexpected_passes.size() > shown_passes)
      text += fmt::format("    ... {} unexpected passes in all\n", row.unexpected_passes.size());
  }
  return text;
}

std::string taken_text(const char* verb, const Capabilities& capabilities) {
  const std::string texts = fmt::format("{}", fmt::join(assumptions(capabilities), ", "));
  return texts.empty() ? "" : fmt::format("the backend {}: {}\n", verb, displayed_line(texts));
}

}  // namespace

std::string render_matrix(const RunInfo& run, const Summary& summary, Color color) {
  std::string text = fmt::format("backend {}, {}{}{}\n", displayed_line(title(run.backend)),
                                 displayed_line(fmt::format("{}", fmt::join(run.suites, " and "))),
                                 summary.part.empty() ? "" : ", ", displayed_line(summary.part)) +
                     "right/asked by opset and quantized type; one number: all are right; ✗: wrong;\n"
                     "·: no case; blank: not asked, or not in the standard\n";
  for (const OperatorTable& one : operator_tables(summary)) {
    const Table table = matrix_table(summary, one);
    if (table.rows.empty()) continue;
    text += fmt::format("\n{}\n", one.name());
    for (const Table& part : divided(table, matrix_width)) text += render_text(part, color);
  }
  if (const Table table = graphs_table(summary); !table.rows.empty()) {
    text += "\ngraphs of both\n";
    for (const Table& part : divided(table, matrix_width)) text += render_text(part, color);
  }
  return text;
}

std::string render_totals(const RunInfo& run, const Summary& summary, Color color) {
  Counts all = summary.all.legal;
  all += summary.all.illegal;
  std::string text = styled(in_words(summary.all), fmt::emphasis::bold | style_of(tone_of(all)), color) + '\n';
  for (const auto& [verdict, models, cases, total] : verdict_counts(summary)) {
    if (verdict == Verdict::not_run) text += fmt::format("{} of {} {} are not run\n", cases, total, models);
    if (verdict == Verdict::crash) text += fmt::format("{} of {} {} crashed the backend\n", cases, total, models);
    if (verdict == Verdict::timeout) text += fmt::format("{} of {} {} had no answer in time\n", cases, total, models);
  }
  for (const auto& [reading, explained] : summary.readings)
    text += fmt::format("reading {}: {} x{}\n", reading.first, reading.second, explained);
  if (summary.of_newer_opsets > 0)
    text += fmt::format("{} of {} cases are not asked: {}\n", summary.of_newer_opsets, summary.cases,
                        displayed_line(summary.newer_opset));
  text += inconsistencies_text(summary);
  if (const std::size_t missed = summary.missed - summary.missed_illegal; missed > 0)
    text += fmt::format("{} of {} legal models are required and were refused{}\n", missed, summary.all.legal.total(),
                        run.require.empty() ? "; --assume or --require limits what is required" : " or not asked");
  if (summary.missed_illegal > 0)
    text += fmt::format("{} of {} illegal models are required and were not asked\n", summary.missed_illegal,
                        summary.all.illegal.total());
  if (summary.flaky > 0)
    text += fmt::format("{} of {} cases are flaky: another outcome when they were run again\n", summary.flaky,
                        summary.cases);
  text += render_covered(summary) + expectations_text(summary);
  return text + taken_text("declares", run.declared) + taken_text("is assumed", run.assumed);
}

std::string conclusion(const Summary& summary) {
  const auto& [legal, illegal, refused_other] = summary.all;
  const auto of = [](std::string_view what, std::size_t cases, const Counts& all, std::string_view models) {
    return fmt::format("{} {} of {} {} models", what, with_commas(cases), with_commas(all.total()), models);
  };
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  const std::size_t right = legal[AnswerClass::right];
  if (legal[AnswerClass::wrong] > 0) add(of("Wrong:", legal[AnswerClass::wrong], legal, "legal"));
  if (const std::size_t accepted = illegal[AnswerClass::not_rejected]; accepted > 0)
    add(of(text.empty() ? "Not rejected:" : "not rejected:", accepted, illegal, "illegal"));
  if (text.empty() && right < legal.total() && legal[AnswerClass::refused] > 0)
    add(of("Nothing is wrong; refused:", legal[AnswerClass::refused], legal, "legal"));
  if (text.empty())
    add(legal.total() > 0 ? of("Right:", right, legal, "legal")
                          : of("Rejected:", illegal[AnswerClass::rejected], illegal, "illegal"));
  if (!summary.expectations.empty())
    add(fmt::format("unexpected: {}", with_commas(summary.unexpected + summary.missed)));
  if (const std::string not_run = not_run_in_words(summary); !not_run.empty()) add(not_run);
  return text + '.';
}

std::string render_forms(const Summary& summary, Color color) {
  if (summary.forms.empty()) return "";
  Table table = forms_table(summary);
  // A form that this version does not know is an untrusted text from a journal, so it must not begin a line.
  for (auto& row : table.rows)
    if (row.back().text.empty()) row.front().text.insert(0, "unknown: ");
  table.columns.pop_back();  // the descriptions, for which a terminal has no room
  for (auto& row : table.rows) row.pop_back();
  return render_text(table, color);
}

}  // namespace touchstone::conformance
