#include "conformance/report/layout.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "spec/opset.h"

namespace touchstone::conformance {

using spec::Operator;

namespace {

bool has_cases(const Summary& summary, std::string_view domain) {
  const auto legal = std::any_of(summary.matrix.begin(), summary.matrix.end(),
                                 [&](const auto& row) { return row.first.first.domain == domain; });
  return legal || std::any_of(summary.must_reject.begin(), summary.must_reject.end(),
                              [&](const auto& row) { return row.first.domain == domain; });
}

/// The number of characters, each of which takes one column.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }));
}

fmt::text_style style_of(Tone tone) {
  switch (tone) {
    case Tone::plain: return {};
    case Tone::no_case: return fg(fmt::terminal_color::bright_black);
    case Tone::passed: return fg(fmt::terminal_color::green);
    case Tone::permitted: return fg(fmt::terminal_color::yellow);
    case Tone::wrong: return fg(fmt::terminal_color::red);
  }
  return {};
}

/// The same for all domains.
std::size_t column_width(const Summary& summary, spec::ElementType type) {
  std::size_t width = std::string_view("27/27").size();
  for (const auto& [place, tally] : summary.matrix)
    if (place.second == type) width = std::max(width, field_of(tally).text.size());
  return width;
}

std::string row_heading(const OperatorTable::Row& row, bool names_operator) {
  const int version = row.version->since_version;
  const std::string opset = names_operator ? fmt::format("{} {}", spec::name(row.place.op), row.place.opset)
                                           : std::to_string(row.place.opset);
  return row.place.opset == version ? opset : fmt::format("{} ({})", opset, version);
}

}  // namespace

bool standard_has(const spec::OperatorVersion& version, spec::ElementType quantized) {
  const spec::TypeList types = version.op == Operator::quantize_linear ? version.output.types : version.inputs[0].types;
  return spec::contains(types, quantized);
}

std::vector<OperatorTable> operator_tables(const Summary& summary) {
  std::vector<OperatorTable> tables;
  for (const spec::OperatorVersion& version : spec::operator_versions) {
    if (!has_cases(summary, version.domain)) continue;
    const bool is_new = tables.empty() || tables.back().domain != version.domain || tables.back().op != version.op;
    if (is_new) tables.push_back({version.domain, version.op, {}, {}});
  }
  for (OperatorTable& table : tables) {
    for (const spec::Opset& opset : spec::opsets)
      if (const spec::OperatorVersion* version = spec::resolve(table.domain, table.op, opset.number);
          version != nullptr && opset.domain == table.domain)
        table.rows.push_back({{table.domain, table.op, opset.number}, version});
    for (const spec::ElementTypeInfo& type : spec::element_types)
      if (std::any_of(table.rows.begin(), table.rows.end(),
                      [&](const OperatorTable::Row& row) { return standard_has(*row.version, type.type); }))
        table.types.push_back(type);
  }
  return tables;
}

Table::Field field_of(const Tally& tally) {
  return {fmt::format("{}/{}", tally.passed, tally.total), tally.passed == tally.total      ? Tone::passed
                                                           : tally.permitted == tally.total ? Tone::permitted
                                                                                            : Tone::wrong};
}

std::string render_text(const Table& table, Color color) {
  std::vector<std::size_t> widths;
  for (const Table::Column& column : table.columns) {
    widths.push_back(std::max(column.least_width, width_of(column.heading)));
    for (const auto& row : table.rows) widths.back() = std::max(widths.back(), width_of(row[widths.size() - 1].text));
  }
  std::string text;
  const auto append_line = [&](const auto& field_at) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const Table::Field field = field_at(i);
      const Table::Column& column = table.columns[i];
      const std::string gap(i == 0 ? 0 : 2, ' ');
      const std::string padding(widths[i] - width_of(field.text), ' ');
      const auto painted = [&](const std::string& part) {
        return color == Color::always && !part.empty() ? fmt::format(style_of(field.tone), "{}", part) : part;
      };
      text += gap + (column.is_text ? painted(field.text) + padding : padding + painted(field.text));
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  };
  append_line([&](std::size_t i) { return Table::Field{table.columns[i].heading}; });
  for (const auto& row : table.rows) append_line([&](std::size_t i) { return row[i]; });
  return text;
}

Table matrix_table(const Summary& summary, std::span<const OperatorTable> operators, bool is_of_domain) {
  std::vector<spec::ElementType> types;
  for (const spec::ElementTypeInfo& type : spec::element_types)
    if (std::ranges::any_of(operators, [&](const OperatorTable& table) {
          return std::ranges::find(table.types, type.type, &spec::ElementTypeInfo::type) != table.types.end();
        }))
      types.push_back(type.type);
  const std::string heading = is_of_domain ? fmt::format("{} opset (version)", operators.front().domain) : "opset";
  Table table{{{heading, true, std::string_view("DequantizeLinear 10 (10)").size()}}, {}};
  for (const spec::ElementType type : types)
    table.columns.push_back({std::string(spec::info(type).short_name), false, column_width(summary, type)});
  if (!summary.must_reject.empty())
    table.columns.push_back({is_of_domain ? "reject" : "must-reject", false, std::string_view("1234/1234").size()});
  if (!summary.not_shown.empty()) table.columns.push_back({"not shown"});
  for (const OperatorTable& one : operators)
    for (const OperatorTable::Row& row : one.rows) {
      std::vector<Table::Field>& fields = table.rows.emplace_back();
      fields.push_back({row_heading(row, is_of_domain)});
      for (const spec::ElementType type : types) {
        const auto tally = summary.matrix.find({row.place, type});
        fields.push_back(tally != summary.matrix.end()      ? field_of(tally->second)
                         : standard_has(*row.version, type) ? Table::Field{"·", Tone::no_case}
                                                            : Table::Field{});
      }
      if (!summary.must_reject.empty()) {
        const auto tally = summary.must_reject.find(row.place);
        fields.push_back(tally != summary.must_reject.end() ? field_of(tally->second) : Table::Field{});
      }
      if (!summary.not_shown.empty()) {
        const auto count = summary.not_shown.find(row.place);
        fields.push_back({count != summary.not_shown.end() ? std::to_string(count->second) : ""});
      }
    }
  return table;
}

std::string version_name(const spec::OperatorVersion& version) {
  return fmt::format("{}-{}", spec::qualified_name(version.domain, version.op), version.since_version);
}

std::vector<std::string_view> granularities(const CaseRecord& record) {
  std::set<spec::Granularity> found;
  for (const Cell& cell : record.cells) found.insert(cell.granularity);
  std::vector<std::string_view> names;
  for (const spec::Granularity granularity : found) names.push_back(spec::name(granularity));
  return names;
}

}  // namespace touchstone::conformance
