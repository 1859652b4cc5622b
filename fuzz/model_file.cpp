// Reads any bytes as model.onnx. Either a FileError describes the fault, or the reference and the library compute the
// model with inputs as it declares them, and the judge must not find an error.
#include "conformance/files/model_file.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/backends/builtin/optimized_backend.h"
#include "conformance/files/limits.h"
#include "conformance/judge/judge.h"
#include "conformance/judge/oracle.h"
#include "fuzz/law.h"
#include "optimized/isa.h"
#include "reference/interpreter.h"
#include "reference/model/graph.h"
#include "spec/opset.h"

using namespace touchstone;
using namespace touchstone::conformance;

namespace {

/// Larger graphs take too long with sanitizers.
[[maybe_unused]] const bool has_small_limits =
    (set_limits("graph_elements=524288,graph_weights=524288,graph_terms=1048576"), true);

constexpr std::int64_t most_elements = 1024;
constexpr std::int64_t length_of_unknown = 2;

/// A tensor with the type and shape of a graph input, of many different codes; std::nullopt if the declaration is
/// invalid or the tensor is large.
std::optional<reference::Tensor> declared_tensor(const onnx::ValueInfoProto& input) {
  const onnx::TypeProto::Tensor& declared = input.type().tensor_type();
  const auto type = spec::element_type_from_code(declared.elem_type());
  if (!type || static_cast<std::uint64_t>(declared.shape().dim_size()) > limits().rank) return std::nullopt;
  reference::Shape shape;
  for (const auto& dim : declared.shape().dim())
    shape.push_back(dim.has_dim_value() ? dim.dim_value() : length_of_unknown);
  if (std::ranges::any_of(shape, [](std::int64_t length) { return length < 0; })) return std::nullopt;
  const auto size = reference::element_count(shape);
  if (!size || *size > most_elements) return std::nullopt;
  std::vector<std::uint64_t> codes;
  for (std::int64_t i = 0; i < *size; ++i)
    codes.push_back((static_cast<std::uint64_t>(i + 1) * 0x9e3779b97f4a7c15) >> (64 - spec::info(*type).bits));
  return reference::Tensor::from_codes(*type, std::move(shape), codes);
}

std::optional<std::vector<NamedTensor>> declared_inputs(const OperatorModel& model) {
  onnx::ModelProto proto;
  proto.ParseFromString(model.bytes);
  std::vector<NamedTensor> inputs;
  for (const std::string& name : model.graph_inputs) {
    const auto& all = proto.graph().input();
    const auto input = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name() == name; });
    auto tensor = declared_tensor(*input);
    if (!tensor) return std::nullopt;
    inputs.push_back({name, std::move(*tensor)});
  }
  return inputs;
}

void compute(OperatorModel model) {
  auto inputs = declared_inputs(model);
  if (!inputs || spec::find_opset(model.node.domain, model.node.opset) == nullptr) return;
  Case tested{.id = "input", .model = std::move(model), .data_sets = {}};
  tested.data_sets.push_back({.inputs = std::move(*inputs), .expected = {}});
  const std::vector<ReferenceOutcome> interpreted = interpret(tested);
  for (const optimized::Isa isa : {optimized::Isa::portable, optimized::default_isa()}) {
    const Unit unit{tested.id, tested.model.bytes, {tested.data_sets.front().inputs}};
    const UnitAnswer answer = OptimizedBackend(isa).run(unit);
    const Judgement judgement = judge(tested, interpreted, answer, {.strict = true});
    // not_shown: the specification leaves all elements open.
    const bool agree = judgement.verdict == Verdict::pass || judgement.verdict == Verdict::not_shown;
    fuzz::require(
        agree,
        fmt::format("the library and the reference agree; {}: {}", name(judgement.verdict), judgement.reason).c_str());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    compute(parse_model(std::string(reinterpret_cast<const char*>(data), size), "input"));
  } catch (const FileError&) {
    return 0;
  } catch (const reference::NoSuchOperator&) {  // in a graph, of any node
    return 0;
  } catch (const reference::GraphError&) {  // an operator that is not supported, or a result that depends on rounding
    return 0;
  }
  return 0;
}
