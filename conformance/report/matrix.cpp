#include "conformance/report/matrix.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "conformance/backends/assumptions.h"
#include "conformance/files/text.h"
#include "conformance/report/inconsistency_rows.h"
#include "conformance/report/layout.h"

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
  std::string text = fmt::format("{} of {} cases went wrong as expected\n", summary.expected, summary.cases);
  for (const KnownFailureOutcome& row : summary.expectations) {
    const KnownFailure& expectation = row.expectation;
    text +=
        fmt::format("  {} {}: {} ({}): {} cases{}\n", displayed_line(expectation.pattern), name(expectation.verdict),
                    displayed_line(expectation.reason), displayed_line(expectation.issue), row.met,
                    row.expired ? fmt::format(", but it expired on {}", *expectation.expires) : "");
    if (row.stale()) text += "    stale: no case goes wrong like this\n";
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
  std::string text = fmt::format(
      "backend {} {}, {}{}{}: passed/total by opset and quantized type; blank: not in the standard, ·: no case\n",
      displayed_line(run.backend.name), displayed_line(run.backend.version),
      displayed_line(fmt::format("{}", fmt::join(run.suites, " and "))), summary.part.empty() ? "" : ", ",
      displayed_line(summary.part));
  const std::vector<OperatorTable> tables = operator_tables(summary);
  for (auto first = tables.begin(); first != tables.end();) {
    const auto last =
        std::find_if(first, tables.end(), [&](const OperatorTable& table) { return table.domain != first->domain; });
    text += '\n' + render_text(matrix_table(summary, {first, last}, /*is_of_domain=*/true), color);
    first = last;
  }
  return text;
}

std::string render_totals(const RunInfo& run, const Summary& summary, Color color) {
  const bool all = summary.passed() == summary.cases;
  std::string text =
      styled(fmt::format("{} of {} cases passed", summary.passed(), summary.cases),
             fmt::emphasis::bold | fg(all ? fmt::terminal_color::green : fmt::terminal_color::red), color) +
      '\n';
  for (const VerdictInfo& row : verdicts) {
    if (row.verdict == Verdict::pass || summary.count(row.verdict) == 0) continue;
    text += fmt::format("{} of {} cases: {}\n", summary.count(row.verdict), summary.cases, row.name);
    if (row.verdict != Verdict::pass_variant) continue;
    for (const auto& [reading, cases] : summary.readings)
      text += fmt::format("  {}: {} x{}\n", reading.first, reading.second, cases);
  }
  text += inconsistencies_text(summary);
  if (summary.declined > 0)
    text +=
        fmt::format("{} of {} cases were not asked: the backend declares, or --assume says, that it cannot take them\n",
                    summary.declined, summary.cases);
  if (summary.flaky > 0)
    text += fmt::format("{} of {} cases are flaky: another outcome when they were run again\n", summary.flaky,
                        summary.cases);
  if (const Tally& rejected = summary.must_reject_cases; rejected.total > 0)
    text += fmt::format("{} of {} must-reject cases passed{}\n", rejected.passed, rejected.total,
                        rejected.not_shown > 0 ? fmt::format("; {} not shown", rejected.not_shown) : "");
  text += fmt::format("{} of {} legal cells of the lattice touched\n", summary.covered_cells, summary.legal_cells);
  if (summary.masked > 0)
    text += fmt::format("{} of {} elements are masked: the specification says nothing on them\n", summary.masked,
                        summary.elements);
  text += render_covered(summary) + expectations_text(summary);
  text += taken_text("declares", run.declared) + taken_text("is assumed", run.assumed);
  return text +
         fmt::format("plan {}, tier {}, seed {}\n", displayed_line(run.plan_hash), displayed_line(run.tier), run.seed);
}

}  // namespace touchstone::conformance
