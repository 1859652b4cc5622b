// The tables of the reports: their rows and columns, and the combinations in the standard.
#pragma once

#include <fmt/color.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/matrix.h"
#include "conformance/report/summary.h"
#include "spec/operator_version.h"

namespace touchstone::conformance {

/// Whether the version quantizes to the type, or dequantizes from it.
bool standard_has(const spec::OperatorVersion& version, spec::ElementType quantized);

/// The table of an operator of a domain.
struct OperatorTable {
  std::string_view domain;
  spec::Operator op;
  /// The columns: types that some version quantizes to or dequantizes from, in the order of spec::element_types.
  std::vector<spec::ElementTypeInfo> types;
  struct Row {
    OperatorAt place;
    const spec::OperatorVersion* version;
  };
  std::vector<Row> rows;  ///< one for each opset

  std::string name() const { return spec::qualified_name(domain, op); }
};

/// The tables of all operators of the domains in the run, grouped by domain.
std::vector<OperatorTable> operator_tables(const Summary& summary);

/// The worst answer class of the cases in a field of a table.
enum class Tone { plain, no_case, right, undecided, refused, wrong };

/// A table, built once for a terminal and for Markdown.
struct Table {
  struct Column {
    std::string heading;
    bool is_text = false;  ///< left-aligned on a terminal
  };
  struct Field {
    std::string text;
    Tone tone = Tone::plain;
  };
  std::vector<Column> columns;
  std::vector<std::vector<Field>> rows;
};

Tone tone_of(const Counts& counts);
fmt::text_style style_of(Tone tone);

/// "12/15✗2": right cases, asked cases, wrong cases; of illegal models, those that were rejected, asked and not
/// rejected. One number if all that were asked are right or rejected. Empty if the backend was not asked.
Table::Field field_of(const Counts& counts);

/// The widest line of a terminal that the matrix uses.
inline constexpr std::size_t matrix_width = 80;

/// Columns with the width of their longest field, two blanks between them, and the heading as the first line.
std::string render_text(const Table& table, Color color);

/// The matrix of an operator: a row for each opset, a column for each quantized type, and for the must-reject cases and
/// those that are undecided if there are any. Without the rows and columns in which no case was asked.
Table matrix_table(const Summary& summary, const OperatorTable& of_operator);

/// The matrix of graphs: a row for each opset, a column for each quantized type, for the must-reject cases, and for the
/// refusals of another operator if there are any.
Table graphs_table(const Summary& summary);

/// A row for each form: right/asked, the number of cases of each other answer class that some form has, and a
/// description in the last column.
Table forms_table(const Summary& summary);

/// Divides the columns among as few tables as possible that are not wider than `width`, unless one column is too wide.
/// Each begins with the first column, and has no row that is otherwise empty.
std::vector<Table> divided(const Table& table, std::size_t width);

/// "QuantizeLinear-21", "com.microsoft.QuantizeLinear-1".
std::string version_name(const spec::OperatorVersion& version);

/// The names of the granularities of a case's cells, each once, in the order of the enumeration.
std::vector<std::string_view> granularities(const CaseRecord& record);

}  // namespace touchstone::conformance
