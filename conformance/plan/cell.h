// The lattice of legal combinations. Its cells are enumerated from the tables of spec/ alone.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "conformance/files/names.h"
#include "reference/outcome.h"

namespace touchstone::conformance {

struct Cell {
  const OperatorVersion* version;
  ElementType x;
  ElementType scale;
  ElementType y;
  Granularity granularity;
  std::optional<ElementType> zero_point = {};  ///< std::nullopt if absent
  /// Only for float8 outputs; others do not depend on it.
  std::optional<bool> saturate = {};
  /// std::nullopt if it is not set, or does not exist.
  std::optional<ElementType> precision = {};

  /// The type that represents the cell in reports: the output of quantization, or the input of dequantization.
  ElementType quantized_type() const { return version->op == Operator::quantize_linear ? y : x; }

  bool has_zero_point() const { return zero_point.has_value(); }

  auto operator<=>(const Cell&) const = default;
};

/// The prefix of the ids of a version's cells and cases: quantize_linear/23, com.microsoft/quantize_linear/1.
std::string id_of(const OperatorVersion& version);

/// Operator, version, types of x, scale and y, granularity, zero point (with its type if several are possible), and the
/// other properties that affect the outcome: quantize_linear/23/f32-f16-i4/blocked/zp/precision=f32
std::string to_string(const Cell& cell);

/// The legal cell with this text, or std::nullopt.
std::optional<Cell> find_cell(const std::string& text);

/// Every legal cell of one of the spec::operator_versions, in a fixed order.
const std::vector<Cell>& legal_cells(const OperatorVersion& version);

/// Whether the cell of a node is one of the legal_cells of its version.
bool is_in_lattice(const Cell& cell);

/// The number of legal cells of all versions: 34,654 in ai.onnx, 84 in com.microsoft, 48 in opmx.
std::size_t count_legal_cells();

/// The cell of a legal node whose interpretation gave this result. The lattice does not contain precisions that the
/// text neither allows nor forbids (amb-precision-values).
Cell cell_of(const Node& node, const OperatorVersion& version, const reference::Result& result);

}  // namespace touchstone::conformance
