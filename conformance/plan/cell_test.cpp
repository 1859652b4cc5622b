#include "conformance/plan/cell.h"

#include <gtest/gtest.h>

#include <set>

#include "reference/interpreter.h"

namespace touchstone::conformance {
namespace {

using spec::ElementType;
using spec::Granularity;
using spec::Operator;

struct Count {
  Operator op;
  int version;
  std::size_t cells;
};

// Counted by hand from the pages: x types * scale types * granularities * (outputs and saturate) * precisions, with and
// without a zero point.
const Count counts[] = {
    {Operator::quantize_linear, 10, 6},      {Operator::quantize_linear, 13, 12},
    {Operator::quantize_linear, 19, 88},     {Operator::quantize_linear, 21, 336},
    {Operator::quantize_linear, 23, 5760},   {Operator::quantize_linear, 24, 7200},
    {Operator::quantize_linear, 25, 8160},   {Operator::quantize_linear, 28, 9120},
    {Operator::dequantize_linear, 10, 6},    {Operator::dequantize_linear, 13, 12},
    {Operator::dequantize_linear, 19, 84},   {Operator::dequantize_linear, 21, 198},
    {Operator::dequantize_linear, 23, 648},  {Operator::dequantize_linear, 24, 864},
    {Operator::dequantize_linear, 25, 1008}, {Operator::dequantize_linear, 28, 1152},
};

TEST(Cell, LatticeHasTheCountedSizes) {
  EXPECT_EQ(std::size(counts), spec::operator_versions.size());
  for (const Count& count : counts) {
    const auto* version = spec::find_operator_version(spec::ai_onnx, count.op, count.version);
    ASSERT_NE(version, nullptr);
    EXPECT_EQ(legal_cells(*version).size(), count.cells) << spec::name(count.op) << ' ' << count.version;
  }
  EXPECT_EQ(count_legal_cells(), 34'654U);
}

TEST(Cell, CellsAndTheirNamesAreDistinct) {
  std::set<Cell> cells;
  std::set<std::string> names;
  for (const spec::OperatorVersion& version : spec::operator_versions)
    for (const Cell& cell : legal_cells(version)) {
      cells.insert(cell);
      names.insert(to_string(cell));
    }
  EXPECT_EQ(cells.size(), 34'654U);
  EXPECT_EQ(names.size(), 34'654U);
}

/// x of shape [2,4] along axis 1: one scale, four scales, or two scales to a row in blocks of two.
reference::Shape parameter_shape(Granularity granularity) {
  switch (granularity) {
    case Granularity::per_tensor: return {};
    case Granularity::per_axis: return {4};
    case Granularity::blocked: return {2, 2};
  }
  return {};
}

reference::Node node_of(const Cell& cell) {
  const reference::Shape parameters = parameter_shape(cell.granularity);
  const ElementType zero_point = cell.quantized_type();
  reference::Node node{.op = cell.version->op, .opset = cell.version->since_version, .inputs = {}, .attributes = {}};
  node.inputs = {reference::Tensor(cell.x, {2, 4}), reference::Tensor(cell.scale, parameters)};
  if (cell.has_zero_point) node.inputs.emplace_back(reference::Tensor(zero_point, parameters));
  if (cell.granularity == Granularity::blocked) node.attributes["block_size"] = std::int64_t{2};
  if (cell.saturate) node.attributes["saturate"] = std::int64_t{*cell.saturate ? 1 : 0};
  if (cell.precision) node.attributes["precision"] = static_cast<std::int64_t>(*cell.precision);
  const bool names_output = cell.version->attribute("output_dtype") != nullptr &&
                            (cell.version->op == Operator::dequantize_linear || !cell.has_zero_point);
  if (names_output) node.attributes["output_dtype"] = static_cast<std::int64_t>(cell.y);
  return node;
}

TEST(Cell, EveryCellIsLegalToTheReferenceWhichGivesItBack) {
  for (const spec::OperatorVersion& version : spec::operator_versions)
    for (const Cell& cell : legal_cells(version)) {
      const reference::Node node = node_of(cell);
      const reference::Outcome outcome = reference::interpret(node);
      ASSERT_NE(outcome.result(), nullptr) << to_string(cell) << ": " << outcome.rejection()->reason;
      ASSERT_EQ(to_string(cell_of(node, version, *outcome.result())), to_string(cell));
    }
}

}  // namespace
}  // namespace touchstone::conformance
