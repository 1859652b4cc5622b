#include "conformance/report/forms_table.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>

#include "conformance/files/text.h"
#include "conformance/report/layout.h"

namespace touchstone::conformance {

namespace {

constexpr std::string_view gap = "  ";

struct Cell {
  std::string text;
  fmt::text_style style = {};
};

using Line = std::vector<Cell>;  // form, passed/total, a cell for each verdict, words

Line line_of(const FormResult& result, const std::vector<VerdictInfo>& columns) {
  const Tally tally = result.verdicts.tally();
  // A form that this version does not know is an untrusted text from a journal, so it must not begin a line.
  const std::string form = (result.description.empty() ? "unknown: " : "") + displayed_line(result.form);
  Line line{{form}, {fmt::format("{}/{}", tally.passed, tally.total), style_of(tally)}};
  for (const VerdictInfo& column : columns) {
    const std::size_t cases = result.verdicts[column.verdict];
    line.push_back({cases > 0 ? std::to_string(cases) : ""});
  }
  line.push_back({std::string(result.description)});
  return line;
}

}  // namespace

std::vector<VerdictInfo> verdicts_of_forms(const Summary& summary) {
  std::vector<VerdictInfo> found;
  for (const VerdictInfo& row : verdicts)
    if (row.verdict != Verdict::pass &&
        std::ranges::any_of(summary.forms, [&](const FormResult& result) { return result.verdicts[row.verdict] > 0; }))
      found.push_back(row);
  return found;
}

std::string render_forms(const Summary& summary, Color color) {
  if (summary.forms.empty()) return "";
  const std::vector<VerdictInfo> columns = verdicts_of_forms(summary);
  std::vector<Line> lines{{{"form"}, {"passed"}}};
  for (const VerdictInfo& column : columns) lines.front().push_back({std::string(column.name)});
  lines.front().push_back({"in words"});
  for (const FormResult& result : summary.forms) lines.push_back(line_of(result, columns));

  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const Line& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].text.size());
  std::string text;
  for (const Line& line : lines) {
    text += fmt::format("{:<{}}", line.front().text, widths.front());
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
      const std::string cell = fmt::format("{:>{}}", line[i].text, widths[i]);
      text += gap;
      text += color == Color::always ? fmt::format(line[i].style, "{}", cell) : cell;
    }
    text += fmt::format("{}{}", gap, line.back().text);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace touchstone::conformance
