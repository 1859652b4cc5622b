// The base class of the built-in backends: reads the model; a subclass computes its node in this process.
#pragma once

#include <optional>
#include <variant>

#include "conformance/backends/backend.h"
#include "reference/model/node.h"
#include "reference/model/tensor.h"

namespace touchstone::conformance {

class NodeBackend : public Backend {
 public:
  /// Declines opsets that spec/opset.h does not list.
  std::optional<Refusal> declines(const OperatorModel& model) const override;
  UnitAnswer run(const Unit& unit) override;

 private:
  /// Computes y. A std::exception refuses the whole unit.
  virtual std::variant<reference::Tensor, Refusal> compute(const reference::Node& node) const = 0;
};

}  // namespace touchstone::conformance
