// For tests: parameters of graphs, and a graph of which every reading of the precision of factors gives another result.
#pragma once

#include <string>
#include <utility>

#include "conformance/files/case.h"
#include "conformance/graphs/graph_builder.h"
#include "reference/testing.h"

namespace touchstone::conformance {

/// The parameters of graphs of uint8 without zero points. x is a graph input.
inline GraphParameters byte_parameters() {
  return {.opset = 21,
          .quantized = spec::ElementType::uint8,
          .number = spec::ElementType::float32,
          .granularity = spec::Granularity::per_tensor,
          .zero_points = ZeroPoints::none,
          .scales = Scales::positive,
          .second = Second::same,
          .form = &plain_form()};
}

/// MatMul of a row and a column of dequantized ones, which gives the sum of the numbers.
inline Case sum_case(std::string id, const reference::Numbers& numbers) {
  using enum spec::ElementType;
  GraphBuilder graph(byte_parameters(), std::move(id), 0);
  const auto length = static_cast<std::int64_t>(numbers.size());
  const std::string row = graph.constant(reference::tensor(float32, {1, length}, numbers));
  const std::string ones = graph.constant(reference::tensor(uint8, {length, 1}, reference::Numbers(numbers.size(), 1)));
  const std::string column =
      graph.dequantize({ones, {.type = uint8, .scale = graph.number(1), .zero_point = "", .axis = {}}});
  graph.output(graph.node("MatMul", {row, column}));
  return graph.finish();
}

}  // namespace touchstone::conformance
