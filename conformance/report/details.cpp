#include "conformance/report/details.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "conformance/files/text.h"
#include "conformance/plan/number.h"
#include "conformance/report/layout.h"
#include "conformance/run/wrong_element.h"

namespace touchstone::conformance {

namespace {

/// The number of lines of a backend's output that are shown. The record contains more.
constexpr std::size_t shown_lines = 10;
constexpr std::size_t shown_of_a_line = 500;

std::string number_text(const std::optional<ElementCode>& element) {
  if (!element) return "";
  return fmt::format("{} ({})", decimal(element->type, element->code), hex(element->type, element->code));
}

std::string number_text(const std::optional<std::int64_t>& number) { return number ? std::to_string(*number) : ""; }

struct TableColumn {
  std::string_view heading;
  std::function<std::string(const ElementRow&)> text;
};

const std::array<TableColumn, 11>& table_columns() {
  static const std::array<TableColumn, 11> columns{{
      {"index", [](const ElementRow& row) { return std::to_string(row.index); }},
      {"position", [](const ElementRow& row) { return position_text(row.position); }},
      {"x", [](const ElementRow& row) { return number_text(row.x); }},
      {"scale", [](const ElementRow& row) { return number_text(row.scale); }},
      {"scale index", [](const ElementRow& row) { return number_text(row.scale_index); }},
      {"block", [](const ElementRow& row) { return number_text(row.block); }},
      {"x / scale", [](const ElementRow& row) { return row.quotient; }},
      {"zero point", [](const ElementRow& row) { return number_text(row.zero_point); }},
      {"expected", [](const ElementRow& row) { return number_text(row.expected); }},
      {"actual", [](const ElementRow& row) { return number_text(row.actual); }},
      {"", [](const ElementRow& row) { return row.note; }},
  }};
  return columns;
}

}  // namespace

std::vector<ElementRow> element_rows(const CaseRecord& record) {
  std::vector<ElementRow> rows;
  for (const WrongElement& wrong : record.wrong_elements.unpacked())
    rows.push_back({wrong.index, wrong.x, wrong.scale, wrong.zero_point, wrong.expected, wrong.actual, "",
                    wrong.position, wrong.scale_index, wrong.block, quotient(record, wrong)});
  return rows;
}

std::string position_text(const std::vector<std::int64_t>& position) {
  return position.empty() ? "" : fmt::format("[{}]", fmt::join(position, ","));
}

std::string render_elements(const std::vector<ElementRow>& rows) {
  Table table{{}, std::vector<std::vector<Table::Field>>(rows.size())};
  for (const TableColumn& column : table_columns()) {
    if (std::ranges::all_of(rows, [&](const ElementRow& row) { return column.text(row).empty(); })) continue;
    table.columns.push_back({std::string(column.heading)});
    for (std::size_t i = 0; i < rows.size(); ++i) table.rows[i].push_back({column.text(rows[i])});
  }
  return indented(render_text(table, Color::never), "     ");
}

std::string reason_text(const CaseRecord& record) {
  std::string text = record.reason;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  if (!record.refused_operator.empty()) add(fmt::format("also refuses {} alone", *record.refused_operator));
  if (!record.flaky.empty()) add(fmt::format("flaky: {}", *record.flaky));
  return text;
}

std::string printed_end(const CaseRecord& record, std::string_view indent) {
  const std::vector<std::string_view> lines = lines_of(record.output);
  std::string text;
  for (std::size_t i = lines.size() - std::min(lines.size(), shown_lines); i < lines.size(); ++i)
    text += fmt::format("{}{}\n", indent, displayed_line(std::string(lines[i].substr(0, shown_of_a_line))));
  return text;
}

std::string render_problem(const CaseRecord& record, Color color) {
  Counts counts;
  counts.count(record);
  const std::string_view result = info(record.answer_class()).words;
  const std::string verdict =
      color == Color::always ? fmt::format(style_of(tone_of(counts)), "{}", result) : std::string(result);
  std::string text =
      fmt::format("{}  {}\n{}", verdict, displayed_line(record.id), indented(displayed(reason_text(record)), "    "));
  for (const Cell& cell : record.cells) text += fmt::format("    cell {}\n", to_string(cell));
  if (!record.wrong_elements.empty()) text += render_elements(element_rows(record));
  if (!record.output.empty()) text += "    the backend printed:\n" + printed_end(record, "      ");
  return text;
}

}  // namespace touchstone::conformance
