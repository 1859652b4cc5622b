#include "conformance/plan/cell.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "reference/interpreter.h"

namespace touchstone::conformance::cell_test {
namespace {

using spec::ElementType;
using spec::Granularity;
using spec::Operator;

struct Count {
  std::string_view domain;
  Operator op;
  int version;
  std::size_t cells;
};

// Counted by hand from the pages: x types * scale types * granularities * (outputs and saturate) * precisions, with and
// without a zero point. com.microsoft: 2 * 2 * (6 + 1), 7 * 2 * 2 * 2; opmx: 2 * 2 * 3, with 3 types of zero points and
// without.
const Count counts[] = {
    {spec::ai_onnx, Operator::quantize_linear, 10, 6},       {spec::ai_onnx, Operator::quantize_linear, 13, 12},
    {spec::ai_onnx, Operator::quantize_linear, 19, 88},      {spec::ai_onnx, Operator::quantize_linear, 21, 336},
    {spec::ai_onnx, Operator::quantize_linear, 23, 5760},    {spec::ai_onnx, Operator::quantize_linear, 24, 7200},
    {spec::ai_onnx, Operator::quantize_linear, 25, 8160},    {spec::ai_onnx, Operator::quantize_linear, 28, 9120},
    {spec::ai_onnx, Operator::dequantize_linear, 10, 6},     {spec::ai_onnx, Operator::dequantize_linear, 13, 12},
    {spec::ai_onnx, Operator::dequantize_linear, 19, 84},    {spec::ai_onnx, Operator::dequantize_linear, 21, 198},
    {spec::ai_onnx, Operator::dequantize_linear, 23, 648},   {spec::ai_onnx, Operator::dequantize_linear, 24, 864},
    {spec::ai_onnx, Operator::dequantize_linear, 25, 1008},  {spec::ai_onnx, Operator::dequantize_linear, 28, 1152},
    {spec::com_microsoft, Operator::quantize_linear, 1, 28}, {spec::com_microsoft, Operator::dequantize_linear, 1, 56},
    {spec::opmx, Operator::dequantize_linear, 1, 48},
};

TEST(Cell, LatticeHasTheCountedSizes) {
  EXPECT_EQ(std::size(counts), spec::operator_versions.size());
  for (const Count& count : counts) {
    const auto* version = spec::find_operator_version(count.domain, count.op, count.version);
    ASSERT_NE(version, nullptr);
    EXPECT_EQ(legal_cells(*version).size(), count.cells) << spec::name(count.op) << ' ' << count.version;
  }
  EXPECT_EQ(count_legal_cells(), 34'654U + 84U + 48U);
}

TEST(Cell, CellsAndTheirNamesAreDistinct) {
  std::set<Cell> cells;
  std::set<std::string> names;
  for (const spec::OperatorVersion& version : spec::operator_versions)
    for (const Cell& cell : legal_cells(version)) {
      cells.insert(cell);
      names.insert(to_string(cell));
    }
  EXPECT_EQ(cells.size(), 34'654U + 84U + 48U);
  EXPECT_EQ(names.size(), 34'654U + 84U + 48U);
}

// For each domain, a node of every cell: x of shape [2,4] along axis 1, with one scale, one for each index, or two
// scales per row in blocks of two.

void use_onnx_attributes(const Cell& cell, reference::Node& node) {
  if (cell.granularity == Granularity::blocked) node.attributes["block_size"] = 2;
  if (cell.saturate) node.attributes["saturate"] = *cell.saturate ? 1 : 0;
  if (cell.precision) node.attributes["precision"] = static_cast<std::int64_t>(*cell.precision);
  const bool names_output = cell.version->attribute("output_dtype") != nullptr &&
                            (cell.version->op == Operator::dequantize_linear || !cell.has_zero_point());
  if (names_output) node.attributes["output_dtype"] = static_cast<std::int64_t>(cell.y);
}

void use_microsoft_attributes(const Cell& cell, reference::Node& node) {
  if (cell.granularity == Granularity::per_axis) node.attributes["axis"] = 1;
}

void use_opmx_attributes(const Cell& cell, reference::Node& node) {
  node.attributes["quant_data_type"] = std::string(cell.x == ElementType::int8 ? "int8" : "int4");
  node.attributes["group_size"] = cell.granularity == Granularity::blocked ? 2 : 0;
  node.attributes["has_zeropoint"] = cell.has_zero_point() ? 1 : 0;
  node.attributes["float_zeropoint"] = cell.has_zero_point() && *cell.zero_point != ElementType::int8 ? 1 : 0;
}

reference::Shape parameter_shape(const Cell& cell) {
  const std::int64_t rows = 2 * spec::elements_per_carrier(cell.x);
  switch (cell.granularity) {
    case Granularity::per_tensor: return {};
    case Granularity::per_axis:
      return cell.version->domain == spec::opmx ? reference::Shape{rows, 1} : reference::Shape{4};
    case Granularity::blocked: return {rows, 2};
  }
  return {};
}

reference::Node node_of(const Cell& cell) {
  using UseAttributes = void (*)(const Cell&, reference::Node&);
  static const std::map<std::string_view, UseAttributes> attributes{{spec::ai_onnx, use_onnx_attributes},
                                                                    {spec::com_microsoft, use_microsoft_attributes},
                                                                    {spec::opmx, use_opmx_attributes}};
  const reference::Shape parameters = parameter_shape(cell);
  reference::Node node{.domain = std::string(cell.version->domain),
                       .op = cell.version->op,
                       .opset = cell.version->since_version,
                       .inputs = {},
                       .attributes = {}};
  node.inputs = {reference::Tensor(spec::tensor_type(cell.x), {2, 4}), reference::Tensor(cell.scale, parameters)};
  if (cell.has_zero_point()) node.inputs.emplace_back(reference::Tensor(*cell.zero_point, parameters));
  attributes.at(cell.version->domain)(cell, node);
  return node;
}

TEST(Cell, ReferenceAcceptsEveryCellAndRecoversIt) {
  for (const spec::OperatorVersion& version : spec::operator_versions)
    for (const Cell& cell : legal_cells(version)) {
      const reference::Node node = node_of(cell);
      const reference::Outcome outcome = reference::interpret(node);
      ASSERT_NE(outcome.result(), nullptr) << to_string(cell) << ": " << outcome.rejection()->reason;
      ASSERT_EQ(to_string(cell_of(node, version, *outcome.result())), to_string(cell));
      ASSERT_TRUE(is_in_lattice(cell)) << to_string(cell);
    }
}

}  // namespace
}  // namespace touchstone::conformance::cell_test
