// A graph as the interpreter receives it: nodes that are connected by names, not yet checked.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "reference/model/node.h"
#include "reference/model/tensor.h"
#include "spec/applicability.h"
#include "spec/operator_version.h"
#include "spec/opset.h"

namespace touchstone::reference {

/// The graph is invalid, is too large, or needs something that the interpreter of graphs does not have.
class GraphError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The page of an operator forbids the node, whatever the values of inputs are that are not constant.
class InvalidNode : public GraphError {
 public:
  using GraphError::GraphError;
};

struct Graph;

/// The value of the function's attribute with this name: `ref_attr_name`.
struct AttributeReference {
  std::string name;
  bool operator==(const AttributeReference&) const = default;
};

using GraphAttribute =
    std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>, std::vector<float>,
                 std::shared_ptr<const Tensor>, std::shared_ptr<const Graph>, AttributeReference, ForeignAttribute>;

/// The attribute as a quantization operator can have it. Throws GraphError for a reference.
AttributeValue to_attribute_value(const GraphAttribute& attribute);

struct GraphNode {
  std::string domain{spec::ai_onnx};
  std::string op_type;
  std::vector<std::string> inputs;   ///< names of values; empty if the optional input is absent
  std::vector<std::string> outputs;  ///< names; empty if the optional output is absent
  std::map<std::string, GraphAttribute> attributes = {};
  std::string label = {};  ///< how messages name it: "node 3 Relu r"; empty: by its index and operator

  /// Shared tensors and graphs are equal if they are the same object.
  bool operator==(const GraphNode&) const = default;
};

/// The operator of the node if it is a quantization operator.
inline std::optional<spec::Operator> quantization_operator(const GraphNode& node) {
  if (spec::newest_of(node.domain) == nullptr) return std::nullopt;
  for (const auto op : {spec::Operator::quantize_linear, spec::Operator::dequantize_linear})
    if (spec::name(op) == node.op_type) return op;
  return std::nullopt;
}

/// Whether the node is a Constant of ai.onnx.
bool is_constant(const GraphNode& node);

/// The output of a Constant node. Throws GraphError for an input, for another number of attributes, and for an
/// attribute other than value, value_float(s) and value_int(s), or of another type.
Tensor constant_value(const GraphNode& node);

struct Graph {
  /// Names, without those of initializers. A branch of an If node has none; the body of a Loop or Scan node has some.
  std::vector<std::string> inputs;
  std::map<std::string, Tensor> initializers;
  /// In an order in which each node uses only values that are defined before it, here or in the enclosing graph.
  std::vector<GraphNode> nodes;
  std::vector<std::string> outputs;
};

/// A model-local function. Its nodes see only its inputs.
struct GraphFunction {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::map<std::string, GraphAttribute> defaults;  ///< of attributes
  std::vector<GraphNode> nodes;
  std::map<std::string, int> opsets;  ///< by domain
};

/// What the interpretation of a graph may cost.
struct GraphLimits {
  std::int64_t elements = std::int64_t{1} << 19;  ///< of all values that nodes compute, but for dequantized constants
  std::int64_t weights = std::int64_t{1} << 19;   ///< of all dequantized constants
  std::int64_t terms = std::int64_t{1} << 20;     ///< of all sums of one node, where it computes bounds
};

struct GraphModel {
  Graph graph;
  std::map<std::string, int> opsets;                                            ///< by domain
  std::map<std::pair<std::string, std::string>, GraphFunction> functions = {};  ///< by domain and name
  std::map<std::string, Tensor> replaced_defaults = {};                         ///< of inputs that the caller gives
  GraphLimits limits = {};
  /// Its outputs are values inside of a larger model, which an implementation may keep in a narrower type, as it may
  /// keep those between operators.
  bool is_part = false;
  /// An implementation may skip the rounding of DequantizeLinear also where sums and products of what it gives are
  /// exact: a kernel for integers applies the scales later, whatever the numbers are.
  bool fuses_scales = false;
};

}  // namespace touchstone::reference
