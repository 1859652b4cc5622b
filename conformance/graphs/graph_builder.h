// Builds the models of patterns: operands with their data, quantization operators with their parameters, and the nodes
// between them.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/files/case.h"
#include "conformance/generate/dealer.h"
#include "conformance/graphs/graph_parameters.h"
#include "reference/model/tensor.h"

namespace touchstone::conformance {

/// The parameters of a quantization operator: the names of their tensors, and attributes.
struct Quantization {
  spec::ElementType type;
  std::string scale;
  std::string zero_point;            ///< empty if absent
  std::optional<std::int64_t> axis;  ///< absent per tensor
  std::int64_t block_size = 0;       ///< 0 unless blocked
  std::string_view domain = spec::ai_onnx;
};

using NodeAttribute = std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>>;
using NodeAttributes = std::map<std::string, NodeAttribute>;

/// The elements that an operand gets. All are exact in every type at hand, also after DequantizeLinear.
enum class Data {
  any,    ///< the whole range of the type, as far as the type of numbers holds it
  small,  ///< small integers, of which sums of products are exact in any order
};

class GraphBuilder {
 public:
  GraphBuilder(const GraphParameters& parameters, std::string id, std::uint64_t seed);

  const GraphParameters& parameters() const { return parameters_; }
  int opset() const { return parameters_.opset; }

  // ---- operands; each returns the name of a value

  /// A quantized tensor: the x of the graph, which the form makes a graph input or a constant.
  std::string quantized_x(const reference::Shape& shape, Data data = Data::any);
  /// The same of numbers: multiples of half a scale, so that quotients are often ties.
  std::string number_x(const reference::Shape& shape, Data data = Data::any);
  /// A constant of quantized elements, such as weights.
  std::string quantized_constant(const reference::Shape& shape, Data data = Data::any);
  /// A constant.
  std::string constant(const reference::Tensor& tensor);
  std::string integers(const std::vector<std::int64_t>& values);
  std::string number(double value);  ///< a scalar of the type of numbers
  std::string numbers(const reference::Shape& shape, const std::vector<double>& values);

  // ---- parameters of quantization operators

  /// The first scale and zero point, for tensors of this shape. The axis is 1, or 0 for vectors.
  Quantization first(const reference::Shape& shape);
  Quantization first(const reference::Shape& shape, std::int64_t axis);
  /// The second ones, which differ as the parameters say. Without an axis, they are per tensor.
  Quantization second(const reference::Shape& shape, std::optional<std::int64_t> axis);
  Quantization second(const reference::Shape& shape);
  /// The same, with another difference than the parameters say.
  Quantization second(const reference::Shape& shape, std::optional<std::int64_t> axis, Second difference);
  /// Per tensor, with a scale of 2^exponent and the zero point of the first ones.
  Quantization per_tensor(int exponent);
  /// The same with the lowest number of the type as zero point, so that quantized numbers are not below 0 if the scale
  /// is positive.
  Quantization from_lowest(int exponent);

  /// The same for the operators of com.microsoft.
  Quantization of_microsoft(Quantization quantization);

  /// Makes a scale that is an initializer a graph input as well, whose value a caller could replace.
  void declare_as_input(const std::string& initializer);

  // ---- nodes

  std::string dequantize(const std::string& x, const Quantization& quantization);
  std::string quantize(const std::string& x, const Quantization& quantization);
  std::string node(const std::string& op, const std::vector<std::string>& inputs,
                   const NodeAttributes& attributes = {});
  std::vector<std::string> node_with_outputs(const std::string& op, const std::vector<std::string>& inputs,
                                             std::size_t outputs, const NodeAttributes& attributes = {});
  /// An If node whose branches are built by these functions. Which one runs is dealt.
  template <class Then, class Else>
  std::string if_node(const Then& then_branch, const Else& else_branch);
  /// The nodes that `body` builds become a function with these inputs, which is called with them.
  template <class Body>
  std::string call_function(const std::vector<std::string>& inputs, const Body& body);

  /// Imports another domain.
  void import_domain(const std::string& domain, int version);

  void output(const std::string& value) { outputs_.push_back(value); }

  /// The case of a legal graph. Throws FileError or GraphError if the graph is not one.
  Case finish();
  /// The case of a graph that violates a rule and is otherwise like the legal one.
  Case finish(const Case& legal);

 private:
  struct Tensors {
    reference::Tensor scale;
    std::optional<reference::Tensor> zero_point;
  };

  std::string quantization_node(const std::string& op, const std::string& x, const Quantization& quantization,
                                const NodeAttributes& attributes);
  std::string new_name(const std::string& stem);
  onnx::NodeProto& add_node(const std::string& op, const std::vector<std::string>& inputs,
                            const NodeAttributes& attributes);
  std::string operand(const std::string& stem, const reference::Tensor& tensor, Source source);
  Quantization quantization(const std::string& stem, const reference::Shape& shape, std::optional<std::int64_t> axis,
                            Second difference);
  reference::Tensor quantized_tensor(const reference::Shape& shape, Data data);
  struct Layout {
    reference::Shape scale;
    reference::Shape zero_point;
    std::optional<std::int64_t> axis = {};
  };

  /// Makes a legal layout violate the rule that the graph is to violate, unless an earlier one does.
  void violate_rule(Layout& layout, std::size_t rank);
  void declare(onnx::ValueInfoProto& info, const std::string& name, const reference::Tensor& tensor) const;
  Case make_case() const;
  Quantization per_tensor(int exponent, std::int64_t zero_point);
  std::string add_if(onnx::GraphProto then_branch, const std::string& then_output, onnx::GraphProto else_branch,
                     const std::string& else_output);

  GraphParameters parameters_;
  std::string id_;
  Dealer dealer_;
  onnx::ModelProto model_;
  onnx::GraphProto* graph_;  ///< to which nodes are added
  std::vector<NamedTensor> inputs_;
  std::vector<std::string> outputs_;
  std::map<std::string, Quantization> known_;  ///< by stem, shape and axis
  int names_ = 0;
  Violation violation_;  ///< that is still to be made
};

template <class Then, class Else>
std::string GraphBuilder::if_node(const Then& then_branch, const Else& else_branch) {
  onnx::GraphProto* outer = graph_;
  onnx::GraphProto then_graph, else_graph;
  graph_ = &then_graph;
  const std::string then_output = then_branch();
  graph_ = &else_graph;
  const std::string else_output = else_branch();
  graph_ = outer;
  return add_if(std::move(then_graph), then_output, std::move(else_graph), else_output);
}

template <class Body>
std::string GraphBuilder::call_function(const std::vector<std::string>& inputs, const Body& body) {
  onnx::GraphProto* outer = graph_;
  onnx::GraphProto nodes;
  graph_ = &nodes;
  const std::string output = body();
  graph_ = outer;
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
