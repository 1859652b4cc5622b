#include "conformance/run/controls.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "conformance/judge/alternatives.h"
#include "conformance/judge/oracle.h"
#include "conformance/plan/digest.h"
#include "conformance/run/output_limits.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

namespace {

/// Interprets no elements of y: they cannot make a node illegal.
Outcome legality_of(const Case& tested, const Node& node, const std::vector<Choice>& choices) {
  return interpret(tested, node, policy_of(choices), std::span<const std::int64_t>{});
}

/// Whether the node is legal under each permitted reading of the open ambiguities, combined with the chosen readings,
/// and under the readings of ambiguities that are first consulted then.
bool is_legal(const Case& tested, const Node& node, const std::vector<Choice>& chosen, const Consulted& open,
              const Consulted& seen) {
  for (const Choice& choice : alternatives(operator_versions(tested), open, chosen)) {
    std::vector<Choice> choices = chosen;
    choices.push_back(choice);
    const Outcome outcome = legality_of(tested, node, choices);
    if (outcome.result() == nullptr) return false;
    const Consulted further = outcome.consulted & ~seen;
    if (further.any() && !is_legal(tested, node, choices, further, seen | further)) return false;
  }
  return true;
}

std::string control_id(std::uint64_t digest) { return fmt::format("{}{:016x}", control_prefix, digest); }
std::string id_of_content(const Case& control) { return control_id(digest_of(control)); }

ControlOutcome outcome_of(const Breakdown& breakdown) {
  using Kind = ControlOutcome::Kind;
  const bool is_known = breakdown.kind == Breakdown::Kind::crash || breakdown.kind == Breakdown::Kind::timeout;
  return {is_known ? Kind::refused : Kind::unknown, "gives no answer to", breakdown.detail};
}

ControlOutcome outcome_of(const Refusal& refusal) {
  return {ControlOutcome::Kind::refused, "also refuses", refusal.reason};
}

ControlOutcome outcome_of(const Outputs&) { return {}; }

ControlOutcome outcome_of(const std::vector<Answer>& answers) {
  for (const Answer& answer : answers)
    if (const ControlOutcome outcome = std::visit([](const auto& one) { return outcome_of(one); }, answer);
        outcome.kind != ControlOutcome::Kind::accepted)
      return outcome;
  return {};
}

ControlOutcome ask(const Unit& unit, Backend& backend) {
  return std::visit([](const auto& one) { return outcome_of(one); }, backend.run(unit));
}

ControlOutcome try_control(const Case& control, Backend& backend) {
  if (const auto refusal = backend.declines(control.model))
    return {ControlOutcome::Kind::refused, "does not take", refusal->reason};
  const std::string id = id_of_content(control);
  Unit unit{id, control.model.bytes, {}};
  for (const DataSet& data : control.data_sets) unit.inputs.emplace_back(data.inputs);
  return ask(unit, backend);
}

}  // namespace

bool is_legal_by_all_readings(const Case& tested) {
  return std::ranges::all_of(tested.data_sets, [&](const DataSet& data) {
    const Node node = bind_inputs(tested.model, data.inputs);
    const Outcome outcome = legality_of(tested, node, {});
    return outcome.result() != nullptr && is_legal(tested, node, {}, outcome.consulted, outcome.consulted);
  });
}

std::optional<Case> control_of(const PlannedCase& planned) {
  std::optional<Case> control;
  planned.offer_control_candidates([&](const Case& candidate) {
    if (!is_legal_by_all_readings(candidate)) return false;
    control = candidate;
    control->id = id_of_content(candidate);
    return true;
  });
  return control;
}

ControlOutcome Controls::outcome_of(const PlannedCase& planned) {
  ControlOutcome outcome{ControlOutcome::Kind::absent};
  planned.offer_control_candidates([&](const Case& candidate) {
    const auto [known, is_new] = known_.try_emplace(digest_of(candidate));
    if (is_new && is_legal_by_all_readings(candidate)) {
      known->second = try_control(candidate, backend_);
      cut_reason(known->second->why, kept_of_reason);  // each case may have another control
    }
    if (!known->second) return false;
    outcome = *known->second;
    return true;
  });
  return outcome;
}

bool Controls::refuses(const SingleNode& node) {
  const auto [known, is_new] = refused_nodes_.try_emplace(node.digest);
  if (is_new)
    known->second =
        ask({control_id(node.digest), node.model, {node.inputs}}, backend_).kind == ControlOutcome::Kind::refused;
  return known->second;
}

std::string Controls::refused_node_of(const Case& graph) {
  for (const SingleNode& node : single_nodes(graph))
    if (refuses(node)) return refuses(identity_node(node.opset)) ? "" : node.name;
  return "";
}

}  // namespace touchstone::conformance
