#include "conformance/report/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "conformance/files/text.h"
#include "spec/opset.h"

namespace touchstone::conformance {

using spec::Operator;

namespace {

/// The blanks between two columns on a terminal.
constexpr std::size_t gap = 2;

bool has_cases(const Summary& summary, std::string_view domain) {
  const auto legal = std::any_of(summary.matrix.begin(), summary.matrix.end(),
                                 [&](const auto& row) { return row.first.first.domain == domain; });
  return legal || std::any_of(summary.illegal.begin(), summary.illegal.end(),
                              [&](const auto& row) { return row.first.domain == domain; });
}

/// The number of characters, each of which takes one column.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }));
}

std::string row_heading(const OperatorTable::Row& row) {
  const int version = row.version->since_version;
  const int opset = row.place.opset;
  return opset == version ? std::to_string(opset) : fmt::format("{} ({})", opset, version);
}

bool is_empty(const Table::Field& field) { return field.text.empty() || field.tone == Tone::no_case; }

std::size_t column_width(const Table& table, std::size_t column) {
  std::size_t width = width_of(table.columns[column].heading);
  for (const auto& row : table.rows) width = std::max(width, width_of(row[column].text));
  return width;
}

/// Some columns of a table, and the rows that have more than a heading in them.
Table with_columns(const Table& table, const std::vector<std::size_t>& columns) {
  Table part;
  for (const std::size_t column : columns) part.columns.push_back(table.columns[column]);
  for (const auto& row : table.rows) {
    std::vector<Table::Field> fields;
    for (const std::size_t column : columns) fields.push_back(row[column]);
    if (!std::all_of(fields.begin() + 1, fields.end(), is_empty)) part.rows.push_back(std::move(fields));
  }
  return part;
}

/// The columns of as few tables as possible, each of which begins with the first column.
std::vector<std::vector<std::size_t>> columns_of_parts(const Table& table, std::size_t width) {
  std::vector<std::vector<std::size_t>> parts;
  std::size_t used = 0;
  for (std::size_t column = 1; column < table.columns.size(); ++column) {
    const std::size_t wanted = gap + column_width(table, column);
    if (parts.empty() || (used + wanted > width && parts.back().size() > 1)) {
      parts.push_back({0});
      used = column_width(table, 0);
    }
    parts.back().push_back(column);
    used += wanted;
  }
  return parts;
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

Tone tone_of(const Counts& counts) {
  if (counts[AnswerClass::wrong] + counts[AnswerClass::not_rejected] > 0) return Tone::wrong;
  if (counts[AnswerClass::refused] > 0) return Tone::refused;
  if (counts[AnswerClass::undecided] > 0) return Tone::undecided;
  return counts.asked() > 0 ? Tone::right : Tone::no_case;
}

fmt::text_style style_of(Tone tone) {
  switch (tone) {
    case Tone::plain: return {};
    case Tone::no_case: return fg(fmt::terminal_color::bright_black);
    case Tone::right: return fg(fmt::terminal_color::green);
    case Tone::undecided: return fg(fmt::terminal_color::bright_black);
    case Tone::refused: return fg(fmt::terminal_color::yellow);
    case Tone::wrong: return fg(fmt::terminal_color::red);
  }
  return {};
}

Table::Field field_of(const Counts& counts) {
  // The cases are either all legal or all illegal, so one term of each sum is zero.
  const std::size_t right = counts[AnswerClass::right] + counts[AnswerClass::rejected];
  const std::size_t wrong = counts[AnswerClass::wrong] + counts[AnswerClass::not_rejected];
  if (counts.asked() == 0) return {};
  std::string text = std::to_string(right);
  if (right < counts.asked()) text += fmt::format("/{}", counts.asked());
  if (wrong > 0) text += fmt::format("✗{}", wrong);
  return {std::move(text), tone_of(counts)};
}

std::string render_text(const Table& table, Color color) {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < table.columns.size(); ++column) widths.push_back(column_width(table, column));
  std::string text;
  const auto append_line = [&](const auto& field_at) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const Table::Field field = field_at(i);
      const Table::Column& column = table.columns[i];
      const std::string before(i == 0 ? 0 : gap, ' ');
      const std::string padding(widths[i] - width_of(field.text), ' ');
      const auto painted = [&](const std::string& part) {
        return color == Color::always && !part.empty() ? fmt::format(style_of(field.tone), "{}", part) : part;
      };
      text += before + (column.is_text ? painted(field.text) + padding : padding + painted(field.text));
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  };
  append_line([&](std::size_t i) { return Table::Field{table.columns[i].heading}; });
  for (const auto& row : table.rows) append_line([&](std::size_t i) { return row[i]; });
  return text;
}

Table matrix_table(const Summary& summary, const OperatorTable& of_operator) {
  Table table{{{"opset", true}}, {}};
  for (const spec::ElementTypeInfo& type : of_operator.types) table.columns.push_back({std::string(type.short_name)});
  for (const char* heading : {"undecided", "must-reject", "must-reject undecided"}) table.columns.push_back({heading});
  const auto count = [](std::size_t cases) { return Table::Field{cases > 0 ? std::to_string(cases) : ""}; };
  for (const OperatorTable::Row& row : of_operator.rows) {
    std::vector<Table::Field>& fields = table.rows.emplace_back();
    fields.push_back({row_heading(row)});
    std::size_t undecided = 0;
    for (const spec::ElementTypeInfo& type : of_operator.types) {
      const auto tally = summary.matrix.find({row.place, type.type});
      fields.push_back(tally != summary.matrix.end()           ? field_of(tally->second)
                       : standard_has(*row.version, type.type) ? Table::Field{"·", Tone::no_case}
                                                               : Table::Field{});
      if (tally != summary.matrix.end()) undecided += tally->second[AnswerClass::undecided];
    }
    fields.push_back(count(undecided));
    const auto illegal = summary.illegal.find(row.place);
    fields.push_back(illegal != summary.illegal.end() ? field_of(illegal->second) : Table::Field{});
    fields.push_back(count(illegal != summary.illegal.end() ? illegal->second[AnswerClass::undecided] : 0));
  }
  std::vector<std::size_t> kept{0};
  for (std::size_t column = 1; column < table.columns.size(); ++column)
    if (!std::ranges::all_of(table.rows, [&](const auto& row) { return is_empty(row[column]); }))
      kept.push_back(column);
  return with_columns(table, kept);
}

Table graphs_table(const Summary& summary) {
  std::set<int> opsets;
  std::set<spec::ElementType> types;
  for (const auto& [place, tally] : summary.graphs) {
    opsets.insert(place.first);
    types.insert(place.second);
  }
  Table table{{{"opset", true}}, {}};
  for (const spec::ElementTypeInfo& type : spec::element_types)
    if (types.contains(type.type)) table.columns.push_back({std::string(type.short_name)});
  const auto has_some = [&](const auto& of_tally) {
    return std::ranges::any_of(summary.graphs, [&](const auto& row) { return of_tally(row.second) > 0; });
  };
  const bool has_illegal = has_some([](const Tally& tally) { return tally.illegal.asked(); });
  const bool has_others = has_some([](const Tally& tally) { return tally.refused_other; });
  if (has_illegal) table.columns.push_back({"must-reject"});
  if (has_others) table.columns.push_back({"another operator refused"});
  for (const int opset : opsets) {
    Tally all;
    std::vector<Table::Field>& fields = table.rows.emplace_back();
    fields.push_back({std::to_string(opset)});
    for (const spec::ElementTypeInfo& type : spec::element_types) {
      if (!types.contains(type.type)) continue;
      const auto tally = summary.graphs.find({opset, type.type});
      fields.push_back(tally != summary.graphs.end() ? field_of(tally->second.legal) : Table::Field{});
      if (tally != summary.graphs.end()) all += tally->second;
    }
    if (has_illegal) fields.push_back(field_of(all.illegal));
    if (has_others) fields.push_back({all.refused_other > 0 ? std::to_string(all.refused_other) : ""});
  }
  return table;
}

Table forms_table(const Summary& summary) {
  Table table{{{"form", true}, {"right"}}, {}};
  std::vector<AnswerClass> columns;
  for (const AnswerClassInfo& row : answer_classes) {
    const auto has_some = [&](const FormResult& form) { return form.tally.legal[row.answer_class] > 0; };
    if (row.answer_class == AnswerClass::right || std::ranges::none_of(summary.forms, has_some)) continue;
    columns.push_back(row.answer_class);
    table.columns.push_back({std::string(row.words)});
  }
  const bool has_illegal =
      std::ranges::any_of(summary.forms, [](const FormResult& form) { return form.tally.illegal.asked() > 0; });
  if (has_illegal) table.columns.push_back({"illegal models rejected"});
  table.columns.push_back({"in words", true});
  for (const FormResult& result : summary.forms) {
    const auto& [legal, illegal, refused_other] = result.tally;
    std::vector<Table::Field>& fields = table.rows.emplace_back();
    fields.push_back({displayed_line(result.form)});
    if (legal.total() > 0)
      fields.push_back({fmt::format("{}/{}", legal[AnswerClass::right], legal.asked()), tone_of(legal)});
    else
      fields.emplace_back();
    for (const AnswerClass column : columns) fields.push_back({legal[column] > 0 ? std::to_string(legal[column]) : ""});
    if (has_illegal) fields.push_back(field_of(illegal));
    fields.push_back({std::string(result.description)});
  }
  return table;
}

std::vector<Table> divided(const Table& table, std::size_t width) {
  auto parts = columns_of_parts(table, width);
  // With the smallest width that needs no more tables, these are about equally wide.
  while (width > 0 && columns_of_parts(table, width - 1).size() == parts.size())
    parts = columns_of_parts(table, --width);
  std::vector<Table> tables;
  for (const std::vector<std::size_t>& columns : parts) tables.push_back(with_columns(table, columns));
  return tables;
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
