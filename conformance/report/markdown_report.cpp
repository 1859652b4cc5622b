#include <fmt/format.h>

#include "conformance/backends/assumptions.h"
#include "conformance/files/file_error.h"
#include "conformance/plan/number.h"
#include "conformance/report/causes_text.h"
#include "conformance/report/details.h"
#include "conformance/report/expected.h"
#include "conformance/report/format.h"
#include "conformance/report/layout.h"
#include "conformance/report/markdown.h"
#include "conformance/report/problems.h"
#include "conformance/report/readings_text.h"
#include "conformance/report/replay_line.h"
#include "conformance/report/support.h"
#include "conformance/run/wrong_element.h"

namespace touchstone::conformance {

namespace {

constexpr std::size_t shown_causes = 60;
constexpr std::size_t longest_example = 300;
constexpr std::size_t shown_problems = 20;
constexpr std::size_t shown_stale = 20;

constexpr std::string_view matrix_note =
    "Right/asked by opset and quantized type; one number: all are right; ✗: wrong; blank: not asked, or not in the "
    "standard.";

std::string totals(const RunInfo& run, const Summary& summary) {
  std::string text = fmt::format("## Touchstone: {}\n\n", escaped(title(run.backend)));
  if (!summary.part.empty()) text += fmt::format("Only a part of the run: {}.\n\n", escaped(summary.part));
  text += fmt::format("**{}.**\n\n", in_words(summary.all));
  if (!summary.stopped.empty()) text += fmt::format("{}.\n\n", escaped(not_run_in_words(summary)));
  text += table_head({"", "", "of"});
  for (const auto& [verdict, models, cases, total] : verdict_counts(summary))
    text += table_row({fmt::format("{}: {}", models, escaped(std::string(name(verdict)))), std::to_string(cases),
                       std::to_string(total)});
  const auto not_asked_row = [&](std::string_view models, const std::string& why, std::size_t cases, const Counts& of) {
    if (cases > 0)
      text +=
          table_row({fmt::format("{}: not asked, {}", models, why), std::to_string(cases), std::to_string(of.total())});
  };
  const auto& [legal, illegal, refused_other] = summary.all;
  const std::string declared = "as declared or assumed";
  not_asked_row("legal models", declared, legal[AnswerClass::not_asked] - summary.of_newer_opsets, legal);
  not_asked_row("illegal models", declared, illegal[AnswerClass::not_asked], illegal);
  // Whether they are legal is not known; they are counted as such.
  not_asked_row("models", escaped(summary.newer_opset), summary.of_newer_opsets, legal);
  const auto missed_row = [&](const char* what, std::size_t cases, const Counts& of) {
    if (cases > 0) text += table_row({what, std::to_string(cases), std::to_string(of.total())});
  };
  missed_row("legal models: required, and refused or not asked", summary.missed - summary.missed_illegal, legal);
  missed_row("illegal models: required, and not asked", summary.missed_illegal, illegal);
  if (summary.flaky > 0)
    text += table_row(
        {"flaky: another outcome when run again", std::to_string(summary.flaky), std::to_string(summary.cases)});
  if (!summary.expectations.empty())
    text +=
        table_row({"wrong or refused as expected", std::to_string(summary.expected), std::to_string(summary.cases)});
  text += table_row({"legal cells of the lattice touched", std::to_string(summary.covered_cells),
                     std::to_string(summary.legal_cells)});
  text += table_row({"elements that the specification decides", std::to_string(summary.elements - summary.masked),
                     std::to_string(summary.elements)});
  return text + '\n';
}

std::string causes_section(const Summary& summary) {
  if (summary.causes.empty()) return "";
  std::string text =
      fmt::format("### Causes\n\n{}.\n\n| | | cases | what | where | example |\n|---:|---|---:|---|---|---|\n",
                  causes_headline(summary));
  std::size_t number = 0;
  for (const Cause& cause : summary.causes) {
    std::string example = cause.example_element.empty() ? cause.message : cause.example_element;
    example = example.empty() ? "" : escaped(printable(example, longest_example)) + "<br>";
    const std::string kind = cause.is_wrong ? "**wrong**" : "refused";
    std::string clauses = escaped(violated_clauses(cause));
    if (!clauses.empty()) clauses.insert(0, "<br>");
    const std::string tested = cause.tested.empty() ? "" : fmt::format("<br>({})", escaped(cause.tested));
    text +=
        table_row({std::to_string(++number), kind, with_commas(cause.cases.size()),
                   escaped(cause.sentence) + tested + clauses, escaped(cause.where), example + code(cause.example)});
    if (number == shown_causes) break;
  }
  if (number < summary.causes.size()) text += fmt::format("\nand {} more\n", summary.causes.size() - number);
  return text + '\n';
}

std::string support_section(const Summary& summary) {
  std::string text;
  for (const Support& row : supported(summary)) text += fmt::format("* {}\n", escaped(in_words(row)));
  if (text.empty()) return "";
  text.insert(0, "### Supported\n\n");
  if (const std::string options = assume_options(summary); !options.empty())
    text += fmt::format(
        "\nA run with these options does not ask for types, opsets and forms that were always refused: {}\n",
        code(options));
  return text + '\n';
}

std::string matrices_section(const Summary& summary) {
  std::string text;
  for (const OperatorTable& one : operator_tables(summary))
    if (const Table table = matrix_table(summary, one); !table.rows.empty())
      text += fmt::format("### {}\n\n", one.name()) + render_markdown(table);
  if (const Table table = graphs_table(summary); !table.rows.empty())
    text += "### Graphs of both\n\n" + render_markdown(table);
  return text.empty() ? "" : fmt::format("{}\n\n{}", matrix_note, text);
}

std::string readings_section(const Summary& summary) {
  if (summary.readings.empty()) return "";
  std::string text = "### Readings that differ from the primary ones\n\n" + table_head({"ambiguity: reading", "cases"});
  for (const auto& [reading, cases] : summary.readings)
    text += table_row({fmt::format("{}: {}", escaped(std::string(reading.first)), escaped(std::string(reading.second))),
                       std::to_string(cases)});
  return text + '\n';
}

std::string inconsistencies_section(const Summary& summary) {
  const std::vector<InconsistencyRow> rows = inconsistency_rows(summary);
  if (rows.empty()) return "";
  std::string text = fmt::format(
      "### {}\n\n| ambiguity | groups of cases | the first of them | readings | | other readings | |\n"
      "|---|---:|---|---|---|---|---|\n",
      inconsistencies_title);
  for (const InconsistencyRow& row : rows) {
    std::vector<std::string> fields{escaped(std::string(row.ambiguity)), std::to_string(row.groups),
                                    escaped(in_words(row.first->group))};
    for (const Inconsistency::Evidence& evidence : row.first->evidence) {
      fields.push_back(escaped(readings_text(evidence)));
      fields.push_back(fmt::format("{}, the first {}", cases_text(evidence), escaped(evidence.id)));
    }
    text += table_row(fields);
  }
  return text + '\n';
}

/// Only the ids of ambiguities whose primary reading is followed, or that are not determined: they are the most.
std::string fingerprint_section(const Summary& summary) {
  if (!summary.fingerprint || summary.fingerprint->empty()) return "";
  std::string text = fmt::format("### Fingerprint\n\n{}.\n\n", fingerprint_headline(*summary.fingerprint));
  std::string table;
  std::string lists;
  for (const FingerprintGroup& group : fingerprint_groups(*summary.fingerprint)) {
    std::vector<std::string> ids;
    for (const FingerprintRow* row : group.rows) {
      ids.push_back(escaped(std::string(row->ambiguity)));
      for (const FingerprintRow::Part& part : row->parts)
        if (group.differs)
          table += table_row({ids.back(), std::string(group.words), escaped(readings_text(part)),
                              escaped(values_text(*row, part)), with_commas(part.cases), escaped(part.id)});
    }
    if (!group.differs) lists += fmt::format("* {}: {}\n", group.words, fmt::join(ids, ", "));
  }
  if (!table.empty())
    text += fmt::format("| ambiguity | | reading | for | cases | the first of them |\n|---|---|---|---|---:|---|\n{}\n",
                        table);
  return text + lists + '\n';
}

std::string expectations_section(const Summary& summary) {
  if (summary.expectations.empty()) return "";
  std::string text =
      "### Expectations\n\n| cases | verdict | reason | issue | expires | met | unexpected passes | |\n"
      "|---|---|---|---|---|---:|---:|---|\n";
  std::size_t stale = 0;
  for (const KnownFailureOutcome& row : summary.expectations) {
    if (row.stale() && ++stale > shown_stale) continue;
    const KnownFailure& expectation = row.expectation;
    text += table_row({escaped(cases_in_words(expectation)), escaped(std::string(name(expectation.verdict))),
                       escaped(expectation.reason), escaped(expectation.issue), expectation.expires.value_or(""),
                       std::to_string(row.met), std::to_string(row.unexpected_passes.size()), state_in_words(row)});
  }
  if (stale > shown_stale) text += fmt::format("\nand {} others that are stale\n", stale - shown_stale);
  return text + '\n';
}

std::string forms_section(const Summary& summary) {
  if (summary.forms.empty()) return "";
  Table table = forms_table(summary);
  for (Table::Column& column : table.columns) column.heading = escaped(column.heading);
  table.columns.pop_back();
  for (auto& row : table.rows) {
    const std::string words = escaped(row.back().text);
    row.pop_back();
    row.front().text = escaped(row.front().text) + (words.empty() ? "" : ": " + words);
  }
  return "### Forms\n\nHow the operands of the generated cases reach the backend.\n\n" + render_markdown(table);
}

std::string covered_section(const Summary& summary) {
  if (summary.covered.empty()) return "";
  std::string text =
      "### Covered without gaps, every combination of these codes\n\n"
      "| operator version | types of x, scale and y | x | scale | zero point | elements of each |\n"
      "|---|---|---|---|---|---:|\n";
  for (const CoveredCodes& row : covered_codes(summary.covered))
    text += table_row({escaped(row.version), fmt::format("{}", fmt::join(row.types, ", ")), row.x, row.scale,
                       row.zero_point, std::to_string(row.elements)});
  return text + '\n';
}

std::string element_text(const CaseRecord& record, const WrongElement& wrong) {
  std::string text = fmt::format("element {}{}:", wrong.index, position_text(wrong.position));
  const auto append = [&](const char* what, const std::optional<ElementCode>& number) {
    if (number)
      text += fmt::format(" {} {} ({})", what, decimal(number->type, number->code), hex(number->type, number->code));
  };
  append("x", wrong.x);
  append("scale", wrong.scale);
  if (wrong.scale_index) text += fmt::format(" (index {})", *wrong.scale_index);
  if (wrong.block) text += fmt::format(" of block {}", *wrong.block);
  if (const std::string divided = quotient(record, wrong); !divided.empty()) text += " x / scale " + divided;
  append("zero point", wrong.zero_point);
  append("expected", wrong.expected);
  append("actual", wrong.actual);
  return text;
}

std::string problems_section(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records) {
  const auto [shown, count] = choose_problems(summary, records, shown_problems);
  if (count == 0) return "";
  std::string text = fmt::format("### Problems: {} of {}{}\n\n", shown.size(), count,
                                 shown.size() < count ? ", some of each cause" : "");
  std::size_t number = 0;
  for (const CaseRecord* record : shown) {
    text += fmt::format("{}. **{}** {}  \n   {}  \n", ++number, escaped(std::string(name(record->verdict))),
                        escaped(record->id), escaped(reason_text(*record)));
    if (!record->wrong_elements.empty())
      text += "   " + escaped(element_text(*record, record->wrong_elements.front())) + "  \n";
    text += fmt::format("   {}\n", code(replay_line(run, record->id)));
  }
  return text + '\n';
}

std::string taken(const char* verb, const Capabilities& capabilities) {
  const std::string texts = fmt::format("{}", fmt::join(assumptions(capabilities), ", "));
  return texts.empty() ? "" : fmt::format("The backend {}: {}.\n\n", verb, escaped(texts));
}

std::string origin(const RunInfo& run, const Summary& summary) {
  return taken("declares", run.declared) + taken("is assumed", run.assumed) +
         fmt::format("Touchstone {}, tier {}, seed {}{}, plan {}, content {}, journal {}; {}\n",
                     escaped(run.tool_version), escaped(run.tier), run.seed,
                     run.shard.is_whole() ? "" : fmt::format(", shard {}", to_string(run.shard)),
                     escaped(run.plan_hash), summary.content, summary.journal, escaped(run.host)) +
         fmt::format("\n{}\n", code(run_line(run)));
}

}  // namespace

std::string markdown_report(const RunInfo& run, const Summary& summary, const std::vector<CaseRecord>& records) {
  std::string text = totals(run, summary) + causes_section(summary) + support_section(summary) +
                     expectations_section(summary) + problems_section(run, summary, records) +
                     matrices_section(summary);
  return text + covered_section(summary) + fingerprint_section(summary) + readings_section(summary) +
         inconsistencies_section(summary) + forms_section(summary) + origin(run, summary);
}

}  // namespace touchstone::conformance
