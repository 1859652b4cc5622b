// Patterns in branches, in the bodies of loops, and in functions.
#include <array>
#include <string>
#include <vector>

#include "conformance/graphs/pattern_conditions.h"
#include "conformance/graphs/patterns.h"

namespace touchstone::conformance {

namespace {

using namespace conditions;
using Graph = GraphBuilder;

void if_dq(Graph& g) {
  const auto first = g.first(g.cube());
  const std::string x = g.quantized_x(g.cube());
  const auto second = g.second(g.cube(), g.quantized_axis(3), Second::scale);
  g.output(g.if_node([&] { return g.dequantize({x, first}); }, [&] { return g.dequantize({x, second}); }));
}

void dq_if_ql(Graph& g) {
  const auto first = g.first(g.cube());
  const auto second = g.second(g.cube());
  const std::string value = g.dequantize({g.quantized_x(g.cube()), first});
  g.output(g.if_node(
      [&] {
        return g.quantize({value, second});
      },
      [&] {
        return g.quantize({g.node("Relu", {value}), second});
      }));
}

void function_dq_ql(Graph& g) {
  const auto q = g.first(g.cube());
  const std::string x = g.quantized_x(g.cube());
  std::vector<std::string> inputs{x, q.scale};
  if (!q.zero_point.empty()) inputs.push_back(q.zero_point);
  g.output(g.call_function(inputs, [&] { return g.quantize({g.node("Relu", {g.dequantize({x, q})}), q}); }));
}

/// Each iteration doubles the number, so that the number of iterations shows.
void loop_ql_dq(Graph& g) {
  const auto q = g.first(g.cube());
  const std::string x = g.number_x(g.cube(), Data::small);
  const std::string two = g.number(2);
  g.output(g.loop_node(2, x, g.cube(), [&](const std::string& last) {
    return g.node("Mul", {g.dequantize({g.quantize({last, q}), q}), two});
  }));
}

void scan_dq(Graph& g) {
  const Shape part{g.cube()[1], g.cube()[2]};
  const auto q = g.first(part);
  const std::string x = g.quantized_x(g.cube());
  g.output(g.scan_node(x, part, [&](const std::string& row) { return g.dequantize({row, q}); }));
}

// clang-format off
constexpr std::array nested_rows{
    Pattern{"if_dq", "DequantizeLinear in branches of If", "uses the scale of the other branch", one_pair_of_any_scales, if_dq},
    Pattern{"dq_if_ql", "QuantizeLinear in branches of If", "moves it out of one branch", pair_of_other_types, dq_if_ql},
    Pattern{"function_dq_ql", "DequantizeLinear, Relu, QuantizeLinear in a function", "removes Relu", one_pair, function_dq_ql},
    Pattern{"loop_ql_dq", "QuantizeLinear, DequantizeLinear in the body of Loop", "removes the pair", loops, loop_ql_dq},
    Pattern{"scan_dq", "DequantizeLinear in the body of Scan", "keeps the axis of the scales", scans, scan_dq},
};
// clang-format on

}  // namespace

std::span<const Pattern> nested_patterns() { return nested_rows; }

}  // namespace touchstone::conformance
