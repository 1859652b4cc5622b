// The lattice of legal combinations: one cell for each, enumerated from the tables of spec/ alone.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reference/model/node.h"
#include "reference/outcome.h"
#include "spec/operator_version.h"

namespace touchstone::conformance {

struct Cell {
  const spec::OperatorVersion* version;
  spec::ElementType x;
  spec::ElementType scale;
  spec::ElementType y;
  spec::Granularity granularity;
  std::optional<spec::ElementType> zero_point;  ///< nothing where it is absent
  /// Only of float8 outputs, the others do not depend on it.
  std::optional<bool> saturate;
  /// Nothing where it is not set, or does not exist.
  std::optional<spec::ElementType> precision;

  /// The type that stands for the cell in reports: what is quantized to, or dequantized from.
  spec::ElementType quantized_type() const { return version->op == spec::Operator::quantize_linear ? y : x; }

  bool has_zero_point() const { return zero_point.has_value(); }

  auto operator<=>(const Cell&) const = default;
};

/// The beginning of the ids of a version's cells and cases: quantize_linear/23, com.microsoft/quantize_linear/1.
std::string id_of(const spec::OperatorVersion& version);

/// Operator, version, types of x, scale and y, granularity, zero point (and its type where others could be), and what
/// else decides the outcome: quantize_linear/23/f32-f16-i4/blocked/zp/precision=f32
std::string to_string(const Cell& cell);

/// The legal cell with this text; nothing if there is none.
std::optional<Cell> find_cell(const std::string& text);

/// Every legal cell of one operator version, in a fixed order.
std::vector<Cell> legal_cells(const spec::OperatorVersion& version);

/// Whether legal_cells of its version has a cell that a node can have.
bool is_in_lattice(const Cell& cell);

/// The number of legal cells of all versions: 34,654 of ai.onnx, 84 of com.microsoft, 48 of opmx.
std::size_t count_legal_cells();

/// The cell of a legal node, which the reference interpreted to this result. The lattice does not contain precisions
/// that the text neither allows nor forbids (amb-precision-values).
Cell cell_of(const reference::Node& node, const spec::OperatorVersion& version, const reference::Result& result);

}  // namespace touchstone::conformance
