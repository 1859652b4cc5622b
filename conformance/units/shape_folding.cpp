#include "conformance/units/shape_folding.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/files/attribute.h"
#include "conformance/files/graph_file.h"
#include "conformance/files/tensor_file.h"
#include "conformance/generate/stored_tensor.h"
#include "conformance/units/quantization_nodes.h"
#include "reference/graph/graph_interpreter.h"
#include "reference/graph/positions.h"
#include "reference/host_numbers.h"

namespace touchstone::conformance {

namespace {

/// The documentation of a constant that was another node in the file.
constexpr const char* folded_mark = "follows from shapes";

Tensor as_integers(const Shape& shape) {
  std::vector<std::uint64_t> codes(shape.begin(), shape.end());
  return Tensor::from_codes(ElementType::int64, {std::ssize(shape)}, codes);
}

using Constants = std::map<std::string_view, const onnx::TensorProto*>;

/// What the interpreter makes of a node with one output, where inputs that are not constant are zeros; std::nullopt if
/// it cannot compute it.
std::optional<reference::GraphOutcome> outcome_of(const onnx::NodeProto& node, const Constants& constants,
                                                  const UserModel& model) try {
  if (node.output_size() != 1) return std::nullopt;
  onnx::ModelProto single;
  *single.mutable_opset_import() = model.proto().opset_import();
  onnx::GraphProto& graph = *single.mutable_graph();
  *graph.add_node() = node;
  std::vector<Tensor> zeros;
  std::set<std::string_view> added;
  for (const std::string& input : node.input()) {
    if (input.empty() || !added.insert(input).second) continue;
    if (const auto constant = constants.find(input); constant != constants.end()) {
      onnx::TensorProto& tensor = *graph.add_initializer() = *constant->second;
      tensor.set_name(input);
      continue;
    }
    const ValueForm form = model.form_of(input).value();
    refuse_large(form, input);
    zeros.emplace_back(form.type, form.shape);
    graph.add_input()->set_name(input);
  }
  graph.add_output()->set_name(node.output(0));
  reference::GraphOutcome outcome = reference::interpret(to_graph_model(single, "a node"), zeros);
  return outcome.outputs() == nullptr ? std::nullopt : std::optional(std::move(outcome));
} catch (const std::exception&) {
  return std::nullopt;
}

/// The same for a node with constant inputs; std::nullopt also if it rounds.
std::optional<Tensor> value_of(const onnx::NodeProto& node, const Constants& constants, const UserModel& model) {
  const auto outcome = outcome_of(node, constants, model);
  return outcome && !outcome->inexact ? std::optional(outcome->outputs()->front().value) : std::nullopt;
}

/// Shapes, indices and conditions.
bool may_decide_shapes(ElementType type) {
  return type == ElementType::int64 || type == ElementType::int32 || type == ElementType::boolean;
}

/// What NonZero gives for a constant: "the indices of the elements that are non-zero (in row-major order - by
/// dimension)".
Tensor indices_of_nonzero(const Tensor& x) {
  std::vector<reference::Position> found;
  std::int64_t next = 0;
  reference::for_each_position(x.shape(), [&](const reference::Position& position) {
    if (reference::number_of(x.type(), x.code(next++)) != 0) found.push_back(position);
  });
  return reference::make_tensor(ElementType::int64, {x.rank(), std::ssize(found)}, [&](const auto& place) {
    return static_cast<std::uint64_t>(found[reference::to_size(place[1])][reference::to_size(place[0])]);
  });
}

/// Visits the nodes in their order.
class Folding {
 public:
  Folding(onnx::GraphProto& graph, const UserModel& model, const SetForm& set_form)
      : graph_(graph), model_(model), set_form_(set_form) {
    for (const onnx::TensorProto& tensor : graph.initializer())
      if (independent_.insert(tensor.name()); tensor.data_location() != onnx::TensorProto::EXTERNAL)
        constants_.emplace(tensor.name(), &tensor);
  }

  bool run() {
    for (onnx::NodeProto& node : *graph_.mutable_node()) {
      if (std::ranges::all_of(node.input(), [&](const auto& input) { return independent_.contains(input); }))
        independent_.insert(node.output().begin(), node.output().end());
      set_known_shape(node);
      if (node.op_type() == "Constant" && node.attribute_size() == 1 && node.attribute(0).has_t()) {
        constants_.emplace(node.output(0), &node.attribute(0).t());
        if (node.doc_string() == folded_mark) folded_.insert(node.output(0));
      } else if (node.output_size() == 1) {
        if (std::optional<Tensor> value = value_from_shapes(node))
          replace(node, *value);
        else
          add_form(node);
      }
    }
    return has_folded_;
  }

 private:
  bool is_constant(const std::string& input) const { return input.empty() || constants_.contains(input); }
  bool has_constant_inputs(const onnx::NodeProto& node) const {
    return std::ranges::all_of(node.input(), [&](const std::string& input) { return is_constant(input); });
  }

  /// The inference may know the result of a shape that it cannot compute.
  void set_known_shape(onnx::NodeProto& node) {
    if ((node.op_type() != "Reshape" && node.op_type() != "Expand") || node.input_size() != 2 ||
        independent_.contains(node.input(1)))
      return;
    const auto form = model_.form_of(node.output(0));
    if (!form) return;
    const std::string name = node.output(0) + " shape";
    *graph_.add_initializer() = to_tensor_proto(as_integers(form->shape), name);
    node.set_input(1, name);
  }

  std::optional<Tensor> value_from_shapes(const onnx::NodeProto& node) const {
    if (node.op_type() == "Shape" && node.attribute_size() == 0 && node.input_size() == 1) {
      const auto shape = model_.form_of(node.input(0));
      return shape ? std::optional(as_integers(shape->shape)) : std::nullopt;
    }
    if (node.op_type() == "NonZero" && node.input_size() == 1 && constants_.contains(node.input(0)))
      return indices_of_nonzero(to_tensor(*constants_.at(node.input(0)), "a constant"));
    const bool reads_folded =
        std::ranges::any_of(node.input(), [&](const std::string& input) { return folded_.contains(input); });
    return reads_folded && has_constant_inputs(node) ? value_of(node, constants_, model_) : std::nullopt;
  }

  void replace(onnx::NodeProto& node, const Tensor& value) {
    const std::string output = node.output(0);
    node.Clear();
    make_constant(node, to_tensor_proto(value, output), output);
    node.set_doc_string(folded_mark);
    constants_.emplace(node.output(0), &node.attribute(0).t());
    folded_.insert(node.output(0));
    has_folded_ = true;
  }

  /// The node stays, but its value may decide the shapes of others.
  void add_form(const onnx::NodeProto& node) {
    const std::string& output = node.output(0);
    const std::optional<ValueForm> form = model_.form_of(output);
    std::optional<Tensor> value;
    if (has_constant_inputs(node)) {
      if (form && !may_decide_shapes(form->type)) return;
      value = value_of(node, constants_, model_);
      if (value) constants_.emplace(output, &computed_.emplace_back(to_tensor_proto(*value, output)));
    } else if (!form && !has_inner_graph(node) &&
               std::all_of(node.input().begin() + 1, node.input().end(),
                           [&](const std::string& input) { return is_constant(input); })) {
      // The elements of the first input decide no shape of what the interpreter's operators without graphs give.
      if (const auto outcome = outcome_of(node, constants_, model_)) value = outcome->outputs()->front().value;
    }
    if (!value || form) return;
    set_form_(output, {value->type(), value->shape()});
    has_folded_ = true;
  }

  onnx::GraphProto& graph_;
  const UserModel& model_;
  const SetForm& set_form_;
  Constants constants_;
  std::deque<onnx::TensorProto> computed_;
  std::set<std::string_view> folded_, independent_;  ///< independent of inputs of the model
  bool has_folded_ = false;
};

}  // namespace

bool fold_shapes(onnx::GraphProto& graph, const UserModel& model, const SetForm& set_form) {
  return Folding(graph, model, set_form).run();
}

}  // namespace touchstone::conformance
