// The base class of the built-in backends: reads the model; a subclass computes its quantization operators in this
// process. Other operators of a graph are those of the reference.
#pragma once

#include <optional>
#include <span>
#include <variant>

#include "conformance/backends/backend.h"
#include "conformance/files/names.h"
#include "reference/policy.h"

namespace touchstone::conformance {

class NodeBackend : public Backend {
 public:
  /// Declines opsets that spec/opset.h does not list.
  std::optional<Refusal> declines(const OperatorModel& model) const override;
  UnitAnswer run(const Unit& unit) override;

 private:
  Answer run_graph(const OperatorModel& model, std::span<const NamedTensor> inputs) const;
  /// Computes y. A std::exception refuses the whole unit.
  virtual std::variant<Tensor, Refusal> compute(const Node& node) const = 0;
  /// The readings that the other operators of a graph follow.
  virtual reference::Policy policy() const { return {}; }
};

}  // namespace touchstone::conformance
