// A graph of the suite `graphs` with any data: the reference and the library agree on all outputs, and the judge finds
// no error. The first bytes choose the pattern and its parameters, the others are the data.
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "conformance/backends/builtin/optimized_backend.h"
#include "conformance/graphs/graph_cases.h"
#include "conformance/judge/judge.h"
#include "conformance/judge/oracle.h"
#include "fuzz/graph_choice.h"
#include "fuzz/law.h"
#include "optimized/isa.h"
#include "reference/model/graph.h"

using namespace touchstone;
using namespace touchstone::conformance;

namespace {

const std::vector<GraphParameters>& parameters() {
  static const std::vector<GraphParameters> all = all_graph_parameters();
  return all;
}

/// The tensor with codes from these bytes, which repeat. An If node needs its condition.
reference::Tensor with_data(const reference::Tensor& tensor, std::span<const std::uint8_t> data) {
  if (data.empty() || tensor.type() == spec::ElementType::boolean) return tensor;
  std::vector<std::byte> bytes(tensor.bytes().size());
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(data[i % data.size()]);
  return {tensor.type(), tensor.shape(), std::move(bytes)};
}

void compute(Case tested) {
  const std::vector<ReferenceOutcome> interpreted = interpret(tested);
  for (const optimized::Isa isa : {optimized::Isa::portable, optimized::default_isa()}) {
    Unit unit{tested.id, tested.model.bytes, {}};
    for (const DataSet& data : tested.data_sets) unit.inputs.push_back(data.inputs);
    const Judgement judgement = judge(tested, interpreted, OptimizedBackend(isa).run(unit), {.strict = true});
    // not_shown: the specification leaves all elements open.
    const bool agree = judgement.verdict == Verdict::pass || judgement.verdict == Verdict::not_shown;
    fuzz::require(agree, fmt::format("the library and the reference agree on {}; {}: {}", tested.id,
                                     name(judgement.verdict), judgement.reason)
                             .c_str());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::GraphChoice choice{};
  if (size < sizeof choice) return -1;
  std::memcpy(&choice, data, sizeof choice);
  const Pattern& pattern = patterns()[choice.pattern % patterns().size()];
  const GraphParameters& chosen = parameters()[choice.parameters % parameters().size()];
  if (!pattern.has(chosen)) return -1;
  Case tested = make_case({.id = pattern.name, .pattern = &pattern, .parameters = chosen, .seed = 0});
  const std::span<const std::uint8_t> rest(data + sizeof choice, size - sizeof choice);
  for (DataSet& set : tested.data_sets)
    for (NamedTensor& input : set.inputs) input.value = with_data(input.value, rest);
  try {
    compute(std::move(tested));
  } catch (const reference::GraphError&) {  // a result that depends on rounding, or on an element that is left open
    return 0;
  }
  return 0;
}
