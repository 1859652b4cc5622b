#include "conformance/files/case.h"

#include <algorithm>
#include <stdexcept>

namespace touchstone::conformance {

Node bind_inputs(const OperatorModel& model, std::span<const NamedTensor> inputs) {
  Node node = model.node;
  for (std::size_t i = 0; i < model.node_inputs.size(); ++i) {
    const std::string& name = model.node_inputs[i];
    if (name.empty() || node.inputs[i].has_value()) continue;
    const auto input =
        std::find_if(inputs.begin(), inputs.end(), [&](const NamedTensor& tensor) { return tensor.name == name; });
    if (input == inputs.end()) throw std::invalid_argument("no data for the graph input " + name);
    node.inputs[i] = input->value;
    node.variable_inputs.insert(i);
  }
  return node;
}

}  // namespace touchstone::conformance
