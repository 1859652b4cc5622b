#include "conformance/report/forms_table.h"

#include <algorithm>

#include "conformance/files/text.h"

namespace touchstone::conformance {

Table forms_table(const Summary& summary) {
  Table table{{{"form", true}, {"passed"}}, {}};
  std::vector<Verdict> columns;
  for (const VerdictInfo& row : verdicts) {
    if (row.verdict == Verdict::pass ||
        std::ranges::none_of(summary.forms, [&](const FormResult& form) { return form.verdicts[row.verdict] > 0; }))
      continue;
    columns.push_back(row.verdict);
    table.columns.push_back({std::string(row.name)});
  }
  table.columns.push_back({"in words", true});
  for (const FormResult& result : summary.forms) {
    std::vector<Table::Field>& fields = table.rows.emplace_back();
    fields.push_back({displayed_line(result.form)});
    fields.push_back(field_of(result.verdicts.tally()));
    for (const Verdict verdict : columns) {
      const std::size_t cases = result.verdicts[verdict];
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
