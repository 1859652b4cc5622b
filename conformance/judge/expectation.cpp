#include "conformance/judge/expectation.h"

#include "reference/interpreter.h"

namespace touchstone::conformance {

std::vector<Interpreted> interpret(const Case& tested) {
  std::vector<Interpreted> interpreted;
  for (const DataSet& data : tested.data_sets) {
    if (data.repeats) {
      interpreted.push_back(interpreted.at(*data.repeats));
      continue;
    }
    reference::Node node = bind_inputs(tested.model, data.inputs);
    reference::Outcome outcome = reference::interpret(node);
    interpreted.push_back({std::move(node), std::move(outcome)});
  }
  return interpreted;
}

}  // namespace touchstone::conformance
