#include "conformance/judge/oracle.h"

#include "reference/interpreter.h"

namespace touchstone::conformance {

namespace {

/// Adds the clauses about the model file to the outcome of its node.
reference::Outcome with_the_file(const Case& tested, const reference::Policy& policy, reference::Outcome outcome) {
  if (!tested.float6_padding_is_set) return outcome;
  constexpr spec::ClauseRef clause = "onnx-6-bit-padding";
  outcome.cited.set(clause.index());
  outcome.consulted.set(spec::ambiguity_index<spec::Float6Padding>);
  if (policy.reading<spec::Float6Padding>() == spec::Float6Padding::invalid)
    outcome.value = reference::Rejection{clause, "the padding bits of a float6 tensor in the model are set"};
  return outcome;
}

}  // namespace

reference::Outcome interpret(const Case& tested, const reference::Node& node, const reference::Policy& policy) {
  return with_the_file(tested, policy, reference::interpret(node, policy));
}

reference::Outcome interpret(const Case& tested, const reference::Node& node, const reference::Policy& policy,
                             std::span<const std::int64_t> elements) {
  return with_the_file(tested, policy, reference::interpret(node, policy, elements));
}

std::vector<ReferenceOutcome> interpret(const Case& tested) {
  std::vector<ReferenceOutcome> interpreted;
  for (const DataSet& data : tested.data_sets) {
    if (data.repeats) {
      interpreted.push_back(interpreted.at(*data.repeats));
      continue;
    }
    reference::Node node = bind_inputs(tested.model, data.inputs);
    reference::Outcome outcome = interpret(tested, node);
    interpreted.push_back({std::move(node), std::move(outcome)});
  }
  return interpreted;
}

}  // namespace touchstone::conformance
