#include "conformance/report/forms_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/files/text.h"

namespace touchstone::conformance {

Table forms_table(const Summary& summary) {
  Table table{{{"form", true}, {"right"}}, {}};
  std::vector<AnswerClass> columns;
  for (const AnswerClassInfo& row : answer_classes) {
    const auto has_some = [&](const FormResult& form) { return form.tally[row.answer_class] > 0; };
    if (row.answer_class == AnswerClass::right || std::ranges::none_of(summary.forms, has_some)) continue;
    columns.push_back(row.answer_class);
    table.columns.push_back({std::string(row.words)});
  }
  table.columns.push_back({"in words", true});
  for (const FormResult& result : summary.forms) {
    std::vector<Table::Field>& fields = table.rows.emplace_back();
    fields.push_back({displayed_line(result.form)});
    fields.push_back(
        {fmt::format("{}/{}", result.tally[AnswerClass::right], result.tally.asked()), tone_of(result.tally)});
    for (const AnswerClass column : columns) {
      const std::size_t cases = result.tally[column];
      fields.push_back({cases > 0 ? std::to_string(cases) : ""});
    }
    fields.push_back({std::string(result.description)});
  }
  return table;
}

std::string render_forms(const Summary& summary, Color color) {
  if (summary.forms.empty()) return "";
  Table table = forms_table(summary);
  // A form that this version does not know is an untrusted text from a journal, so it must not begin a line.
  for (auto& row : table.rows)
    if (row.back().text.empty()) row.front().text.insert(0, "unknown: ");
  return render_text(table, color);
}

}  // namespace touchstone::conformance
