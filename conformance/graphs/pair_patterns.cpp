// Patterns of quantization operators alone, and of what several nodes share.
#include <array>

#include "conformance/graphs/pattern_conditions.h"
#include "conformance/graphs/patterns.h"

namespace touchstone::conformance {

namespace {

using namespace conditions;
using Graph = GraphBuilder;

// ---- pairs of quantization operators

void ql_dq(Graph& g) {
  const auto q = g.first(g.cube());
  g.output(g.dequantize({g.quantize({g.number_x(g.cube()), q}), q}));
}

void dq_ql(Graph& g) {
  const auto first = g.first(g.cube());
  const auto second = g.second(g.cube());
  g.output(g.quantize({g.dequantize({g.quantized_x(g.cube()), first}), second}));
}

void ql_dq_ql_dq(Graph& g) {
  const auto first = g.first(g.cube());
  const auto second = g.second(g.cube());
  const auto once = g.dequantize({g.quantize({g.number_x(g.cube()), first}), first});
  g.output(g.dequantize({g.quantize({once, second}), second}));
}

void dq_ql_dq(Graph& g) {
  const auto first = g.first(g.cube());
  const auto second = g.second(g.cube());
  g.output(g.dequantize({g.quantize({g.dequantize({g.quantized_x(g.cube()), first}), second}), second}));
}

void dq_ql_dq_ql(Graph& g) {
  const auto first = g.first(g.cube());
  const auto second = g.second(g.cube());
  const auto once = g.quantize({g.dequantize({g.quantized_x(g.cube()), first}), second});
  g.output(g.quantize({g.dequantize({once, second}), first}));
}

void ql_identity_dq_identity_ql_dq(Graph& g) {
  const auto first = g.first(g.cube());
  const auto second = g.second(g.cube());
  const auto once = g.dequantize({g.node("Identity", {g.quantize({g.number_x(g.cube()), first})}), first});
  g.output(g.dequantize({g.quantize({g.node("Identity", {once}), second}), second}));
}

void dq_ql_of_nothing(Graph& g) {
  const Shape empty{0, g.rows(4)};
  const auto first = g.first(empty);
  g.output(g.quantize({g.dequantize({g.quantized_x(empty), first}), g.second(empty)}));
}

// ---- several readers

void dq_with_two_readers(Graph& g) {
  const auto first = g.first(g.cube());
  const std::string value = g.dequantize({g.quantized_x(g.cube()), first});
  g.output(g.quantize({value, first}));
  g.output(g.quantize({g.node("Relu", {value}), first}));
}

void ql_with_two_readers(Graph& g) {
  const auto first = g.first(g.cube());
  const auto second = g.second(g.cube(), g.quantized_axis(3), Second::scale);
  const std::string value = g.quantize({g.number_x(g.cube()), first});
  g.output(g.dequantize({value, first}));
  g.output(g.dequantize({value, second}));
}

void dq_that_is_an_output(Graph& g) {
  const auto first = g.first(g.cube());
  const std::string value = g.dequantize({g.quantized_x(g.cube()), first});
  g.output(g.quantize({value, g.second(g.cube())}));
  g.output(value);
}

void ql_that_is_an_output(Graph& g) {
  const auto first = g.first(g.cube());
  const std::string value = g.quantize({g.number_x(g.cube()), first});
  g.output(g.dequantize({value, first}));
  g.output(value);
}

void relu_that_is_an_output(Graph& g) {
  const auto first = g.first(g.cube());
  const std::string value = g.node("Relu", {g.dequantize({g.quantized_x(g.cube()), first})});
  g.output(g.quantize({value, g.second(g.cube())}));
  g.output(value);
}

// ---- operands that several nodes share

void scale_for_two_axes(Graph& g) {
  // One vector of scales fits both axes only if their lengths are the same.
  const Shape square{is_per_tensor(g.parameters()) ? g.rows(3) : 3, 3};
  const auto rows = g.first(square, 0);
  Quantization columns = rows;
  if (columns.axis) columns.axis = 1;
  g.output(g.quantize({g.dequantize({g.quantized_x(square), rows}), columns}));
}

/// One of the readers is followed by a factor, which an optimizer may multiply into the scale of both.
void scale_for_two_nodes(Graph& g) {
  const auto q = g.first(g.cube());
  const std::string scaled = g.node("Mul", {g.dequantize({g.quantized_x(g.cube()), q}), g.number(2)});
  g.output(scaled);
  g.output(g.dequantize({g.quantized_constant(g.cube()), q}));
}

void weight_for_two_nodes(Graph& g) {
  const auto first = g.first(g.cube());
  const auto second = g.second(g.cube(), g.quantized_axis(3), Second::scale);
  const std::string weight = g.quantized_constant(g.cube());
  const std::string x = g.dequantize({g.quantized_x(g.cube()), first});
  g.output(g.node("Max", {x, g.dequantize({weight, first})}));
  g.output(g.node("Max", {x, g.dequantize({weight, second})}));
}

// ---- parameters that are computed, or that a caller may replace

void scale_that_a_node_computes(Graph& g) {
  Quantization q = g.first(g.cube());
  q.scale = g.node("Mul", {q.scale, g.number(2)});
  g.output(g.quantize({g.dequantize({g.quantized_x(g.cube()), q}), g.second(g.cube())}));
}

void scale_that_is_an_input(Graph& g) {
  const Quantization q = g.first(g.cube());
  g.output(g.quantize({g.dequantize({g.quantized_x(g.cube()), q}), g.second(g.cube())}));
  g.declare_as_input(q.scale);
}

void scale_that_the_caller_replaces(Graph& g) {
  const Quantization q = g.first(g.cube());
  g.output(g.quantize({g.dequantize({g.quantized_x(g.cube()), q}), g.second(g.cube())}));
  g.replace_scale(q.scale);
}

void zero_point_that_a_node_computes(Graph& g) {
  Quantization q = g.first(g.cube());
  if (!q.zero_point.empty()) q.zero_point = g.node("Identity", {q.zero_point});
  g.output(g.quantize({g.dequantize({g.quantized_x(g.cube()), q}), g.second(g.cube())}));
}

// ---- models that import other domains

void other_imports(Graph& g) {
  g.import_domain_first("ai.onnx.ml", 2);
  g.add_metadata();
  dq_ql(g);
}

void ql_of_microsoft_dq(Graph& g) {
  const auto q = g.first(g.cube());
  g.output(g.dequantize({g.quantize({g.number_x(g.cube()), g.of_microsoft(q)}), q}));
}

void dq_ql_of_microsoft(Graph& g) {
  const auto first = g.first(g.cube());
  const auto second = g.second(g.cube());
  g.output(g.quantize({g.dequantize({g.quantized_x(g.cube()), first}), g.of_microsoft(second)}));
}

// clang-format off
constexpr std::array pair_rows{
    Pattern{"ql_dq", "QuantizeLinear, DequantizeLinear", "removes the pair", equal_pairs_of_any_scales, ql_dq},
    Pattern{"dq_ql_same", "DequantizeLinear, QuantizeLinear with the same parameters", "replaces the identity by something else", equal_pairs, dq_ql},
    Pattern{"dq_ql_other", "DequantizeLinear, QuantizeLinear with other parameters", "removes the pair", unlike_pair, dq_ql},
    Pattern{"ql_dq_ql_dq_same", "two pairs with the same parameters", "merges the pairs, and rounds otherwise", equal_pairs, ql_dq_ql_dq},
    Pattern{"ql_dq_ql_dq_other", "two pairs with other parameters", "merges the pairs into one", unlike_pair, ql_dq_ql_dq},
    Pattern{"dq_ql_dq", "DequantizeLinear, QuantizeLinear, DequantizeLinear", "keeps only the first operator", any, dq_ql_dq},
    Pattern{"dq_ql_dq_ql", "two requantizations", "merges them into one", any, dq_ql_dq_ql},
    Pattern{"ql_identity_dq_identity_ql_dq", "two pairs with Identity within and between", "merges the pairs into one", pair_of_bytes, ql_identity_dq_identity_ql_dq},
    Pattern{"empty_dq_ql", "DequantizeLinear, QuantizeLinear of a tensor without elements", "fails for a tensor without elements", pair, dq_ql_of_nothing, always},

    Pattern{"dq_two_readers", "DequantizeLinear with two readers", "fuses it into one reader, and loses the other", one_pair, dq_with_two_readers},
    Pattern{"ql_two_readers", "QuantizeLinear with two readers", "merges it with one reader, and loses the other", one_pair, ql_with_two_readers},
    Pattern{"dq_output", "DequantizeLinear whose output is an output of the graph", "removes what the graph gives", pair, dq_that_is_an_output},
    Pattern{"ql_output", "QuantizeLinear whose output is an output of the graph", "removes what the graph gives", one_pair_of_any_scales, ql_that_is_an_output},
    Pattern{"relu_output", "Relu between, whose output is an output of the graph", "removes what the graph gives", pair, relu_that_is_an_output},
    Pattern{"scale_for_two_axes", "one scale for two axes", "uses one axis for both", one_pair_not_blocked, scale_for_two_axes},
    Pattern{"scale_for_two_nodes", "one scale for two nodes, one of which a factor follows", "multiplies the scale of both nodes", one_pair_of_integers, scale_for_two_nodes},
    Pattern{"weight_for_two_nodes", "one constant for two DequantizeLinear with different scales", "dequantizes the constant once", one_pair, weight_for_two_nodes},
    Pattern{"computed_scale", "a scale that a node computes", "uses the scale before it is computed", pair, scale_that_a_node_computes},
    Pattern{"scale_and_input", "a scale that is an initializer and a graph input", "takes the scale for a value that the caller must give", has_initializers, scale_that_is_an_input},
    Pattern{"replaced_scale", "a scale that is an initializer and a graph input, for which the caller gives another value", "folds the value of the initializer", has_initializers, scale_that_the_caller_replaces},
    Pattern{"computed_zero_point", "a zero point that a node computes", "takes the zero point for 0", pair_of_other_types, zero_point_that_a_node_computes},

    Pattern{"other_imports", "DequantizeLinear, QuantizeLinear in a model that imports another domain first, and has metadata", "takes the first imported version for that of the operators", one_pair, other_imports},
    Pattern{"ms_ql_dq", "QuantizeLinear of com.microsoft, DequantizeLinear of ai.onnx", "removes the pair", equal_pairs_of_microsoft, ql_of_microsoft_dq, is_disputed_by_microsoft},
    Pattern{"dq_ms_ql", "DequantizeLinear of ai.onnx, QuantizeLinear of com.microsoft", "removes the pair", is_of_microsoft, dq_ql_of_microsoft, is_disputed_by_microsoft},
};
// clang-format on

}  // namespace

std::span<const Pattern> pair_patterns() { return pair_rows; }

}  // namespace touchstone::conformance
