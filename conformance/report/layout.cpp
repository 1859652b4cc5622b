#include "conformance/report/layout.h"

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

std::vector<spec::ElementTypeInfo> columns_of(std::span<const OperatorTable> tables) {
  std::vector<spec::ElementTypeInfo> columns;
  for (const spec::ElementTypeInfo& type : spec::element_types)
    if (std::any_of(tables.begin(), tables.end(), [&](const OperatorTable& table) {
          return std::any_of(table.types.begin(), table.types.end(),
                             [&](const spec::ElementTypeInfo& one) { return one.type == type.type; });
        }))
      columns.push_back(type);
  return columns;
}

fmt::text_style style_of(const Tally& tally) {
  if (tally.passed == tally.total) return fg(fmt::terminal_color::green);
  return fg(tally.permitted == tally.total ? fmt::terminal_color::yellow : fmt::terminal_color::red);
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
