// Shrinks graphs: works on the file, because that is what a backend gets.
#include <onnx/checker.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/files/attribute.h"
#include "conformance/files/limits.h"
#include "conformance/files/message.h"
#include "conformance/generate/parts.h"
#include "conformance/judge/oracle.h"
#include "conformance/session/shrink_problem.h"

namespace touchstone::conformance {

namespace {

/// A model and its data.
struct GraphCandidate {
  onnx::ModelProto model;
  std::vector<DataSet> data;
};

/// What a length becomes, and whether the last indices are kept instead of the first.
struct Lengths {
  std::map<std::int64_t, std::int64_t> shorter;
  bool keeps_last = false;
};

/// The tensor with each dimension shortened whose length has another one.
Tensor shortened(Tensor tensor, const Lengths& lengths) {
  for (std::size_t d = 0; d < tensor.shape().size(); ++d) {
    const std::int64_t length = tensor.shape()[d];
    if (const auto found = lengths.shorter.find(length); found != lengths.shorter.end())
      tensor = part_of(tensor, d, lengths.keeps_last ? Range{length - found->second, length} : Range{0, found->second});
  }
  // A constant shape has lengths for elements.
  if (tensor.type() == ElementType::int64 && tensor.rank() == 1)
    for (std::int64_t i = 0; i < tensor.size(); ++i)
      if (const auto found = lengths.shorter.find(static_cast<std::int64_t>(tensor.code(i)));
          found != lengths.shorter.end())
        tensor.set_code(i, static_cast<std::uint64_t>(found->second));
  return tensor;
}

/// Calls visit(name, tensor) for each constant of the graph.
void for_each_constant(onnx::GraphProto& graph,
                       const std::function<void(const std::string&, onnx::TensorProto&)>& visit) {
  for (onnx::TensorProto& tensor : *graph.mutable_initializer()) visit(tensor.name(), tensor);
  for (onnx::NodeProto& node : *graph.mutable_node())
    if (node.op_type() == "Constant" && node.attribute_size() == 1 && node.attribute(0).has_t())
      visit(node.output(0), *node.mutable_attribute(0)->mutable_t());
}

std::int64_t elements_of(GraphCandidate& candidate) {
  std::int64_t elements = 0;
  for (const DataSet& data : candidate.data)
    for (const NamedTensor& input : data.inputs) elements += input.value.size();
  for_each_constant(*candidate.model.mutable_graph(), [&](const std::string&, const onnx::TensorProto& tensor) {
    elements += std::accumulate(tensor.dims().begin(), tensor.dims().end(), std::int64_t{1}, std::multiplies<>());
  });
  return elements;
}

void remove_unused_imports(onnx::ModelProto& model) {
  std::set<std::string> used;
  for (const onnx::NodeProto& node : model.graph().node()) used.insert(canonical_domain(node.domain()));
  auto& imports = *model.mutable_opset_import();
  imports.erase(std::remove_if(imports.begin(), imports.end(),
                               [&](const onnx::OperatorSetIdProto& import) {
                                 return model.functions_size() == 0 &&
                                        !used.contains(canonical_domain(import.domain()));
                               }),
                imports.end());
}

/// Gives the inputs of the file the shapes of their data, and outputs those that follow.
void declare_shapes(GraphCandidate& candidate) {
  onnx::GraphProto& graph = *candidate.model.mutable_graph();
  for (onnx::ValueInfoProto& input : *graph.mutable_input())
    for (const NamedTensor& given : candidate.data.front().inputs)
      if (given.name == input.name()) {
        onnx::TensorShapeProto& shape = *input.mutable_type()->mutable_tensor_type()->mutable_shape();
        shape.clear_dim();
        for (const std::int64_t length : given.value.shape()) shape.add_dim()->set_dim_value(length);
      }
  graph.clear_value_info();
  for (onnx::ValueInfoProto& output : *graph.mutable_output())
    output.mutable_type()->mutable_tensor_type()->clear_shape();
  onnx::shape_inference::InferShapes(candidate.model, onnx::OpSchemaRegistry::Instance(),
                                     onnx::ShapeInferenceOptions(true, 1));
  graph.clear_value_info();
}

class GraphShrinker {
 public:
  GraphShrinker(const PlannedCase& planned, const Case& whole, const CaseRecord& record, Backend& backend,
                const ShrinkOptions& options)
      : planned_(planned),
        options_(options),
        problem_(planned, record, backend, options),
        best_{.model = {}, .data = whole.data_sets},
        whole_(whole),
        whole_record_(record),
        best_case_(whole),
        best_record_(record) {
    parse_message(best_.model, whole.model.bytes, whole.id, limits().file_bytes);
    remove_unused_imports(best_.model);
    find_parameters();
  }

  Shrunk run() {
    take_one_data_set();
    for (std::size_t before = found_ + 1; before != found_;) {
      before = found_;
      shorten();
    }
    clear_elements();
    const bool is_smaller = found_ > 0 && problem_.shown_by(best_case_).has_value();
    return {.smallest = is_smaller ? best_case_ : whole_,
            .record = is_smaller ? best_record_ : whole_record_,
            .calls = problem_.calls(),
            .is_smaller = is_smaller};
  }

 private:
  bool is_over() const { return problem_.is_over() || elements_ > options_.most_graph_elements; }

  /// Scales, zero points and what other operators take for shapes or axes keep their values.
  void find_parameters() {
    for (const onnx::NodeProto& node : best_.model.graph().node()) {
      const bool quantizes = node.op_type() == "QuantizeLinear" || node.op_type() == "DequantizeLinear";
      for (int i = 1; quantizes && i < node.input_size(); ++i) parameters_.insert(node.input(i));
      for (const onnx::AttributeProto& attribute : node.attribute())
        if (attribute.name() == "block_size" && attribute.i() > 0) block_sizes_.insert(attribute.i());
      if (node.op_type() == "DequantizeLinear" && node.input_size() > 2) zero_points_[node.input(0)] = node.input(2);
    }
  }

  /// Whether it is a legal model that shows the problem. Then it is the best one.
  bool try_one(GraphCandidate candidate) {
    if (is_over()) return false;
    try {
      declare_shapes(candidate);
      onnx::checker::check_model(candidate.model);
      std::string bytes = candidate.model.SerializeAsString();
      Case tested{.id = planned_.id,
                  .model = permitting_as(best_case_.model, parse_model(std::move(bytes), planned_.id)),
                  .data_sets = candidate.data};
      if (!problem_.is_new(tested)) return false;
      elements_ += elements_of(candidate);
      if (is_over()) return false;
      const std::vector<ReferenceOutcome> interpreted = interpret(tested);
      if (std::ranges::any_of(interpreted, [](const auto& one) { return one.outcome.result() == nullptr; }))
        return false;
      std::optional<CaseRecord> record = problem_.shown_by(tested);
      if (!record) return false;
      best_ = std::move(candidate);
      best_case_ = std::move(tested);
      best_record_ = *std::move(record);
      ++found_;
      return true;
    } catch (const BackendError&) {
      throw;
    } catch (const std::exception&) {  // the lengths do not fit, or no sum is exact
      return false;
    }
  }

  void take_one_data_set() {
    if (best_.data.size() < 2) return;
    for (DataSet data : best_.data) {
      data.repeats.reset();
      data.expected.clear();
      if (try_one({best_.model, {std::move(data)}})) return;
    }
  }

  std::set<std::int64_t, std::greater<>> lengths() {
    std::set<std::int64_t, std::greater<>> found;
    const auto add = [&](const Tensor& tensor) {
      for (const std::int64_t length : tensor.shape())
        if (length > 1) found.insert(length);
    };
    for (const NamedTensor& input : best_.data.front().inputs) add(input.value);
    for_each_constant(*best_.model.mutable_graph(),
                      [&](const std::string& name, const onnx::TensorProto& tensor) { add(to_tensor(tensor, name)); });
    return found;
  }

  bool try_lengths(const Lengths& lengths) {
    GraphCandidate candidate = best_;
    for (DataSet& data : candidate.data) {
      data.expected.clear();
      for (NamedTensor& input : data.inputs) input.value = shortened(std::move(input.value), lengths);
    }
    for_each_constant(*candidate.model.mutable_graph(), [&](const std::string& name, onnx::TensorProto& tensor) {
      tensor = to_tensor_proto(shortened(to_tensor(tensor, name), lengths), tensor.name());
    });
    return try_one(std::move(candidate));
  }

  /// Shortens all dimensions of the same length at once, because operators want equal ones. Blocks stay whole.
  void shorten() {
    for (const std::int64_t length : lengths()) {
      for (const std::int64_t block : block_sizes_)
        if (length % block == 0 && length > block)
          for (const bool keeps_last : {false, true})
            if (try_lengths({{{length, block}, {length / block, 1}}, keeps_last})) return;
      for (const std::int64_t shorter : {std::int64_t{1}, std::int64_t{2}, length / 4, length / 2, length - 1})
        for (const bool keeps_last : {false, true})
          if (0 < shorter && shorter < length && try_lengths({{{length, shorter}}, keeps_last})) return;
    }
  }

  /// The code that means 0, where a constant says so.
  std::uint64_t zero_of(const std::string& value) {
    std::uint64_t code = 0;
    const auto zero_point = zero_points_.find(value);
    for_each_constant(*best_.model.mutable_graph(), [&](const std::string& name, const onnx::TensorProto& tensor) {
      if (zero_point == zero_points_.end() || name != zero_point->second) return;
      const Tensor numbers = to_tensor(tensor, name);
      if (numbers.size() == 1) code = numbers.code(0);
    });
    return code;
  }

  /// Makes ever shorter parts of a tensor zero, as long as the problem shows. `get` finds the tensor in a candidate,
  /// and `set` replaces it.
  void clear(const std::string& name, const std::function<Tensor(const GraphCandidate&)>& get,
             const std::function<void(GraphCandidate&, const Tensor&)>& set) {
    constexpr std::int64_t most_parts = 4096;
    const std::uint64_t zero = zero_of(name);
    const std::int64_t size = get(best_).size();
    for (const Range& range : chunks(size, std::max<std::int64_t>(1, size / most_parts))) {
      if (is_over()) return;
      Tensor tensor = get(best_);
      bool is_changed = false;
      for (std::int64_t i = range.first; i < range.last; ++i) {
        is_changed = is_changed || tensor.code(i) != zero;
        tensor.set_code(i, zero);
      }
      if (!is_changed) continue;
      GraphCandidate candidate = best_;
      for (DataSet& data : candidate.data) data.expected.clear();
      set(candidate, tensor);
      try_one(std::move(candidate));
    }
  }

  void clear_elements() {
    for (std::size_t d = 0; d < best_.data.size(); ++d)
      for (std::size_t i = 0; i < best_.data[d].inputs.size(); ++i)
        if (!parameters_.contains(best_.data[d].inputs[i].name))
          clear(
              best_.data[d].inputs[i].name, [=](const GraphCandidate& of) { return of.data[d].inputs[i].value; },
              [=](GraphCandidate& of, const Tensor& tensor) { of.data[d].inputs[i].value = tensor; });
    std::vector<std::string> constants;
    for_each_constant(*best_.model.mutable_graph(), [&](const std::string& name, const onnx::TensorProto& tensor) {
      if (!parameters_.contains(name) && tensor.data_type() != onnx::TensorProto::INT64) constants.push_back(name);
    });
    for (const std::string& constant : constants) {
      const auto get = [&](const GraphCandidate& of) {
        Tensor found(ElementType::uint8, {0});
        onnx::GraphProto graph = of.model.graph();
        for_each_constant(graph, [&](const std::string& name, const onnx::TensorProto& tensor) {
          if (name == constant) found = to_tensor(tensor, name);
        });
        return found;
      };
      clear(constant, get, [&](GraphCandidate& of, const Tensor& value) {
        for_each_constant(*of.model.mutable_graph(), [&](const std::string& name, onnx::TensorProto& tensor) {
          if (name == constant) tensor = to_tensor_proto(value, tensor.name());
        });
      });
    }
  }

  const PlannedCase& planned_;
  const ShrinkOptions& options_;
  ShrinkProblem problem_;
  std::int64_t elements_ = 0;
  std::size_t found_ = 0;
  GraphCandidate best_;
  const Case& whole_;
  const CaseRecord& whole_record_;
  Case best_case_;
  CaseRecord best_record_;
  std::set<std::string> parameters_;
  std::set<std::int64_t> block_sizes_;
  std::map<std::string, std::string> zero_points_;  ///< by what they dequantize
};

}  // namespace

Shrunk shrink_graph(const PlannedCase& planned, const Case& whole, const CaseRecord& record, Backend& backend,
                    const ShrinkOptions& options) {
  return GraphShrinker(planned, whole, record, backend, options).run();
}

}  // namespace touchstone::conformance
