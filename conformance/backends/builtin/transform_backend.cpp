#include "conformance/backends/builtin/transform_backend.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/files/names.h"
#include "reference/graph/bounds.h"
#include "reference/graph/graph_interpreter.h"

namespace touchstone::conformance {

namespace {

using reference::GraphModel;
using reference::GraphOutcome;

/// No inputs: the tool only rewrites the model.
constexpr std::span<const NamedTensor> no_inputs;

Unit without_inputs(const Unit& unit) { return {unit.case_id, unit.model, {no_inputs}}; }

struct Rewritten {
  std::string model;
  std::string fault;
};

/// What the tool answers; std::nullopt if this is not a model.
std::optional<Rewritten> rewritten_of(const Outputs& outputs) {
  Rewritten rewritten;
  bool has_model = false;
  for (const auto& [name, value] : outputs) {
    if (value.type() != ElementType::uint8 || value.rank() != 1) return std::nullopt;
    const std::span<const std::byte> bytes = value.bytes();
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (name == rewritten_model) {
      rewritten.model = std::move(text);
      has_model = true;
    } else if (name == fault_of_model) {
      rewritten.fault = std::move(text);
    } else {
      return std::nullopt;
    }
  }
  return has_model ? std::optional(std::move(rewritten)) : std::nullopt;
}

Breakdown invalid(std::string_view reason) {
  return {Breakdown::Kind::invalid, fmt::format("the rewritten model {}", reason)};
}

std::string text_of(const reference::Rejection& rejection) {
  return fmt::format("{}: {}", rejection.clause->id, rejection.reason);
}

std::string words(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("'{}'", fmt::join(names, "', '"));
}

GraphOutcome outcome_of(const GraphModel& graph, std::span<const NamedTensor> inputs) {
  std::vector<Tensor> values;
  for (const NamedTensor& input : inputs) values.push_back(input.value);
  return reference::interpret(graph, values);
}

/// Whether the rewritten model leaves an element open that the original determines.
bool opens_elements(const std::vector<reference::Output>& rewritten, const std::vector<reference::Output>& original) {
  for (std::size_t o = 0; o < std::min(rewritten.size(), original.size()); ++o)
    for (std::size_t i = 0; i < std::min(rewritten[o].unspecified.size(), original[o].unspecified.size()); ++i)
      if (rewritten[o].unspecified[i] && !original[o].unspecified[i]) return true;
  return false;
}

/// An output of the rewritten model as an answer to the original: where rounding leaves several codes, one that the
/// original permits too, or else the nearest to those.
Tensor answer_of(const reference::Output& rewritten, const reference::Output* original) {
  Tensor answer = rewritten.value;
  if (!rewritten.range || original == nullptr || original->value.type() != answer.type() ||
      original->value.shape() != answer.shape())
    return answer;
  const ElementType type = answer.type();
  for (std::int64_t i = 0; i < answer.size(); ++i) {
    const std::uint64_t wanted = original->value.code(i);
    const double number = reference::number_of_code(type, wanted);
    const std::uint64_t lowest = rewritten.range->lowest.code(i), highest = rewritten.range->highest.code(i);
    if (number < reference::number_of_code(type, lowest))
      answer.set_code(i, lowest);
    else if (number > reference::number_of_code(type, highest))
      answer.set_code(i, highest);
    else
      answer.set_code(i, wanted);
  }
  return answer;
}

/// The clause that a model violates of which ONNX's checker says why it is invalid: "ID: REASON; "; empty if none is
/// known.
std::string violated_clause(const GraphModel& model, std::span<const NamedTensor> inputs) try {
  const GraphOutcome outcome = outcome_of(model, inputs);
  return outcome.rejection() != nullptr ? text_of(*outcome.rejection()) + "; " : "";
} catch (const std::exception&) {  // the interpreter does not know it
  return "";
}

/// The answer to one set of inputs. `fault` is what ONNX's checker says.
Answer compute(const GraphModel& original, const GraphModel& rewritten, const std::string& fault,
               std::span<const NamedTensor> inputs) {
  const GraphOutcome before = outcome_of(original, inputs);
  if (const reference::Rejection* illegal = before.rejection(); illegal != nullptr && !fault.empty())
    return Refusal{fault};
  if (!fault.empty()) return invalid(fmt::format("is invalid: {}{}", violated_clause(rewritten, inputs), fault));
  if (rewritten.graph.inputs != original.graph.inputs)
    return invalid(fmt::format("has the inputs {}; the original has {}", words(rewritten.graph.inputs),
                               words(original.graph.inputs)));
  const GraphOutcome after = outcome_of(rewritten, inputs);
  if (const reference::Rejection* rejection = after.rejection()) {
    if (before.rejection() != nullptr) return Refusal{text_of(*rejection)};
    return invalid(fmt::format("is illegal: {}", text_of(*rejection)));
  }
  if (after.unbounded)
    return Breakdown{
        Breakdown::Kind::open,
        fmt::format("implementations may differ in the outputs of the rewritten model: {}", *after.unbounded)};
  if (before.outputs() != nullptr && opens_elements(*after.outputs(), *before.outputs()))
    return Breakdown{Breakdown::Kind::open,
                     "the specification leaves elements of the outputs open in the rewritten model, but not in the "
                     "original"};
  Outputs outputs;
  for (std::size_t i = 0; i < rewritten.graph.outputs.size(); ++i) {
    const bool has_original = before.outputs() != nullptr && i < before.outputs()->size();
    const reference::Output* of_original = has_original ? &(*before.outputs())[i] : nullptr;
    outputs.push_back({rewritten.graph.outputs[i], answer_of(after.outputs()->at(i), of_original)});
  }
  return outputs;
}

/// The rewritten model; empty if it has a fault, and cannot be read. Throws FileError if it has none: the interpreter
/// lacks something.
GraphModel changed_graph(const Rewritten& rewritten, std::size_t inputs) try {
  return parse_graph(rewritten.model, "the rewritten model", inputs);
} catch (const FileError&) {
  if (rewritten.fault.empty()) throw;
  return {};
}

}  // namespace

void TransformBackend::announce(const Unit& unit) { tool_->announce(without_inputs(unit)); }

UnitAnswer TransformBackend::run(const Unit& unit) {
  UnitAnswer answer = tool_->run(without_inputs(unit));
  const auto* answers = std::get_if<std::vector<Answer>>(&answer);
  if (answers == nullptr) return answer;
  const Answer& first = answers->at(0);
  if (const auto* refusal = std::get_if<Refusal>(&first)) return *refusal;
  if (const auto* breakdown = std::get_if<Breakdown>(&first)) return *breakdown;
  const std::optional<Rewritten> rewritten = rewritten_of(std::get<Outputs>(first));
  if (!rewritten) return Breakdown{Breakdown::Kind::protocol, "the tool did not answer with a model"};
  try {
    const std::size_t given = unit.inputs.empty() ? 0 : unit.inputs.front().size();
    const GraphModel original = parse_graph(unit.model, "the model", given);
    const GraphModel changed = changed_graph(*rewritten, given);
    std::vector<Answer> results;
    for (const std::span<const NamedTensor> inputs : unit.inputs)
      results.push_back(compute(original, changed, rewritten->fault, inputs));
    return results;
  } catch (const std::exception& error) {  // FileError, GraphError, NoSuchOperator, too little memory
    return Refusal{fmt::format("the interpreter cannot run the rewritten model: {}", error.what())};
  }
}

}  // namespace touchstone::conformance
