// Builds the models of patterns: operands with their data, quantization operators with their parameters, and the nodes
// between them.
#pragma once

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/files/case.h"
#include "conformance/files/names.h"
#include "conformance/generate/picker.h"
#include "conformance/graphs/graph_parameters.h"

namespace touchstone::conformance {

/// The parameters of a quantization operator: the names of their tensors, and attributes.
struct Quantization {
  ElementType type;
  std::string scale;
  std::string zero_point;            ///< empty if absent
  std::optional<std::int64_t> axis;  ///< as the attribute says it, so it may be negative; absent per tensor
  std::int64_t block_size = 0;       ///< 0 unless blocked
  std::string_view domain = spec::ai_onnx;
};

/// The operands of a quantization operator in braces, which every compiler evaluates from left to right. It may
/// evaluate arguments in any order, and the names and data of operands depend on the order in which they are made.
struct QuantizationOperands {
  std::string x;
  Quantization quantization;
};

using NodeAttribute = std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>>;
using NodeAttributes = std::map<std::string, NodeAttribute>;

/// The elements that an operand gets. All are exact in every type at hand, also after DequantizeLinear if scales are
/// powers of two.
enum class Data {
  any,    ///< the whole range of the type, as far as the type of numbers holds it
  small,  ///< next to the zero point; sums of products are exact in any order
};

/// What makes the graphs of a case differ: those of the second run, and the legal twin of one that violates a rule.
struct GraphVariation {
  bool is_longer = false;         ///< the first dimension of every x has twice the length
  bool is_longer_inside = false;  ///< another dimension is longer: the second of `cube`, the third of `image`
  bool has_twin = false;          ///< the graph violates a rule, or is the twin of one that does
};

class GraphBuilder {
 public:
  GraphBuilder(const GraphParameters& parameters, std::string id, std::uint64_t seed, GraphVariation variation = {});

  const GraphParameters& parameters() const { return parameters_; }
  int opset() const { return parameters_.opset; }

  /// For choices that all data of a case have in common.
  Picker& picker() { return picker_; }
  /// For the elements of the next operand. Each has its own picker, so that a constant is the same whatever the shape
  /// of x is.
  Picker next_picker() const { return {fmt::format("{}/{}", id_, names_), seed_}; }

  // ---- shapes

  /// A shape of three dimensions. In half of the cases all are equal, so that scales fit every axis, and a wrong one
  /// gives wrong results; in the others all differ. The last one is always 4, and the others are even.
  const Shape& cube() const { return cube_; }
  /// The same with four dimensions, of which the first is the smallest, and the last two are at least 4.
  const Shape& image() const { return image_; }
  /// Whether all lengths of `cube` differ, and all of `image`.
  bool has_distinct_lengths() const { return has_distinct_lengths_; }
  /// The length of the first dimension of another x.
  std::int64_t rows(std::int64_t length) const { return variation_.is_longer ? 2 * length : length; }
  /// The axis of the first quantization of such a shape.
  std::int64_t quantized_axis(std::size_t rank) const;
  /// An axis of a shape as an attribute of another operator, which may count from the back.
  std::int64_t written_axis(std::int64_t axis, std::size_t rank);
  /// A value of auto_pad.
  std::string picked_auto_pad() { return picker_.one_of(std::array{"SAME_UPPER", "SAME_LOWER", "VALID"}); }

  // ---- operands; each returns the name of a value

  /// A quantized tensor: the x of the graph, which the form makes a graph input or a constant.
  std::string quantized_x(const Shape& shape, Data data = Data::any);
  /// The same of numbers: multiples of half a scale, so that quotients are often ties.
  std::string number_x(const Shape& shape, Data data = Data::any);
  /// An x with these numbers.
  std::string numbers_x(const Shape& shape, const std::vector<double>& values);
  /// A quantized x with these numbers.
  std::string quantized_x(const Shape& shape, const std::vector<std::int64_t>& values);
  std::string tensor_x(const Tensor& tensor);
  /// An x of int32, as far as the type of numbers holds it.
  std::string int32_x(const Shape& shape);
  /// A constant of quantized elements, such as weights, of the first type.
  std::string quantized_constant(const Shape& shape, Data data = Data::any);
  /// The same of another type.
  std::string quantized_constant(ElementType type, const Shape& shape, Data data);
  /// A constant.
  std::string constant(const Tensor& tensor);
  std::string integers(const std::vector<std::int64_t>& values);
  std::string number(double value);  ///< a scalar of the type of numbers
  std::string numbers(const Shape& shape, const std::vector<double>& values);

  // ---- parameters of quantization operators

  /// The first scale and zero point, for tensors of this shape, along `quantized_axis`.
  Quantization first(const Shape& shape);
  /// The same along this axis; if blocked, in blocks of this size.
  Quantization first(const Shape& shape, std::int64_t axis, std::int64_t block_size = 2);
  /// The second ones, which differ as the parameters say. Without an axis, they are per tensor.
  Quantization second(const Shape& shape, std::optional<std::int64_t> axis);
  Quantization second(const Shape& shape);
  /// The same, with another difference than the parameters say.
  Quantization second(const Shape& shape, std::optional<std::int64_t> axis, Second difference);
  /// The magnitude of a first scale of a vector, or of the only one.
  double first_scale(std::int64_t place) const;
  /// For the results of an operator, whose quotients are in the range of the type with a scale of 2^exponent. Its
  /// scales are along this axis, as those of the graph are, or per tensor, which is picked.
  Quantization results(const Shape& shape, std::int64_t axis, int exponent = 1);
  /// Per tensor, with a scale of 2^exponent and the zero point of the first ones.
  Quantization per_tensor(int exponent);
  /// The same with the lowest number of the type as zero point, so that quantized numbers are not below 0 if the scale
  /// is positive.
  Quantization from_lowest(int exponent);
  /// The same with the scale that quantizers choose for numbers from 0 to 1.
  Quantization from_0_to_1();

  /// The same for the operators of com.microsoft.
  Quantization of_microsoft(Quantization quantization);

  /// Makes a scale that is an initializer a graph input as well, whose value a caller could replace.
  void declare_as_input(const std::string& initializer);
  /// The same, and the caller gives twice the scale.
  void replace_scale(const std::string& initializer);

  // ---- nodes

  std::string dequantize(const QuantizationOperands& operands);
  std::string quantize(const QuantizationOperands& operands);
  std::string node(const std::string& op, const std::vector<std::string>& inputs,
                   const NodeAttributes& attributes = {});
  std::vector<std::string> node_with_outputs(const std::string& op, const std::vector<std::string>& inputs,
                                             std::size_t outputs, const NodeAttributes& attributes = {});
  /// An If node whose branches are built by these functions. Which one runs is picked.
  template <class Then, class Else>
  std::string if_node(const Then& then_branch, const Else& else_branch);
  /// The nodes that `body` builds become a function with these inputs, which is called with them.
  template <class Body>
  std::string call_function(const std::vector<std::string>& inputs, const Body& body);

  /// A Loop node with a fixed number of iterations. `body` computes the next value from the name of the last one, which
  /// has this shape and the type of numbers.
  template <class Body>
  std::string loop_node(std::int64_t iterations, const std::string& value, const Shape& shape, const Body& body);
  /// A Scan node along the first axis of a quantized value. `body` computes from the name of a part of this shape.
  template <class Body>
  std::string scan_node(const std::string& value, const Shape& part, const Body& body);

  /// Imports another domain.
  void import_domain(const std::string& domain, int version);
  /// The same in front of the other imports.
  void import_domain_first(const std::string& domain, int version);
  /// Adds what describes the model, but does not change what it computes.
  void add_metadata();

  void output(const std::string& value) { outputs_.push_back(value); }

  /// The case of a legal graph. Throws FileError or GraphError if the graph is not one.
  Case finish();
  /// The case of a graph that violates a rule and is otherwise like the legal one.
  Case finish(const Case& legal);

 private:
  std::string quantization_node(const std::string& op, const std::string& x, const Quantization& quantization,
                                const NodeAttributes& attributes);
  NodeAttributes attributes_of(const Quantization& quantization) const;
  std::string new_name(const std::string& stem);
  onnx::NodeProto& add_node(const std::string& op, const std::vector<std::string>& inputs,
                            const NodeAttributes& attributes);
  std::string operand(const std::string& stem, const Tensor& tensor, Source source);
  Quantization quantization(const std::string& stem, const Shape& shape, std::optional<std::int64_t> axis,
                            Second difference, std::int64_t block_size, int exponent);
  std::int64_t zero_point_at(ElementType type, std::int64_t place, bool is_other) const;
  std::uint64_t quantized_code(ElementType type, Data data, std::int64_t place, Picker& picker) const;
  Tensor quantized_tensor(ElementType type, const Shape& shape, Data data) const;
  struct Layout {
    Shape scale;
    Shape zero_point;
    std::optional<std::int64_t> axis = {};
  };

  /// Makes a legal layout violate the rule that the graph is to violate, unless an earlier one does.
  void violate_rule(Layout& layout, std::size_t rank);
  void declare(onnx::ValueInfoProto& info, const std::string& name, const Tensor& tensor) const;
  Case make_case() const;
  Quantization per_tensor(std::uint64_t scale, std::int64_t zero_point);
  std::uint64_t scale_of_tensor(int exponent) const;
  template <class Body>
  std::pair<onnx::GraphProto, std::string> body_graph(const Body& body);
  std::string add_loop(std::int64_t iterations, const std::string& value, const Shape& shape, const std::string& last,
                       onnx::GraphProto body, const std::string& next);
  std::string add_scan(const std::string& value, const Shape& shape, const std::string& part, onnx::GraphProto body,
                       const std::string& result);
  void add_graph(onnx::NodeProto& node, const char* name, onnx::GraphProto graph) const;
  std::string add_if(onnx::GraphProto then_branch, const std::string& then_output, onnx::GraphProto else_branch,
                     const std::string& else_output);

  GraphParameters parameters_;
  std::string id_;
  std::uint64_t seed_;
  GraphVariation variation_;
  Picker picker_;
  bool has_distinct_lengths_;
  Shape cube_, image_;
  onnx::ModelProto model_;
  onnx::GraphProto* graph_;  ///< to which nodes are added
  std::vector<NamedTensor> inputs_;
  std::vector<std::string> outputs_;
  std::map<std::string, Quantization> known_;  ///< by stem, shape and axis
  int names_ = 0;
  Violation violation_;  ///< that is still to be made
};

template <class Body>
std::pair<onnx::GraphProto, std::string> GraphBuilder::body_graph(const Body& body) {
  onnx::GraphProto nodes;
  onnx::GraphProto* outer = std::exchange(graph_, &nodes);
  std::string output = body();
  graph_ = outer;
  return {std::move(nodes), std::move(output)};
}

template <class Then, class Else>
std::string GraphBuilder::if_node(const Then& then_branch, const Else& else_branch) {
  auto [then_graph, then_output] = body_graph(then_branch);
  auto [else_graph, else_output] = body_graph(else_branch);
  return add_if(std::move(then_graph), then_output, std::move(else_graph), else_output);
}

template <class Body>
std::string GraphBuilder::loop_node(std::int64_t iterations, const std::string& value, const Shape& shape,
                                    const Body& body) {
  const std::string last = new_name("v");
  auto [graph, next] = body_graph([&] { return body(last); });
  return add_loop(iterations, value, shape, last, std::move(graph), next);
}

template <class Body>
std::string GraphBuilder::scan_node(const std::string& value, const Shape& shape, const Body& body) {
  const std::string part = new_name("v");
  auto [graph, result] = body_graph([&] { return body(part); });
  return add_scan(value, shape, part, std::move(graph), result);
}

template <class Body>
std::string GraphBuilder::call_function(const std::vector<std::string>& inputs, const Body& body) {
  const auto [nodes, output] = body_graph(body);
  import_domain("touchstone.test", 1);
  onnx::FunctionProto& function = *model_.add_functions();
  function.set_name("Pattern");
  function.set_domain("touchstone.test");
  for (const std::string& input : inputs) function.add_input(input);
  function.add_output(output);
  *function.mutable_node() = nodes.node();
  function.add_opset_import()->set_version(parameters_.opset);
  onnx::NodeProto& call = add_node("Pattern", inputs, {});
  call.set_domain("touchstone.test");
  call.add_output(new_name("y"));
  return call.output(0);
}

}  // namespace touchstone::conformance
