// The common layout of the tables in all reports: rows, columns, and the combinations in the standard.
#pragma once

#include <fmt/color.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// The columns of several tables, each once, in the same order.
std::vector<spec::ElementTypeInfo> columns_of(std::span<const OperatorTable> tables);

/// The style of a tally on a terminal: green if all passed, yellow if nothing is wrong, red otherwise.
fmt::text_style style_of(const Tally& tally);

/// "QuantizeLinear-21", "com.microsoft.QuantizeLinear-1".
std::string version_name(const spec::OperatorVersion& version);

/// The names of the granularities of a case's cells, each once, in the order of the enumeration.
std::vector<std::string_view> granularities(const CaseRecord& record);

}  // namespace touchstone::conformance
