// What the built-in backends share: the model is read here, and its node computed in this process.
#pragma once

#include <optional>
#include <variant>

#include "conformance/backends/backend.h"
#include "reference/model/node.h"
#include "reference/model/tensor.h"

namespace touchstone::conformance {

class NodeBackend : public Backend {
 public:
  /// The opsets that spec/opset.h does not have.
  std::optional<Refusal> declines(const OperatorModel& model) const override;
  UnitAnswer run(const Unit& unit) override;

 private:
  /// y, or why there is none. A std::exception refuses the whole unit.
  virtual std::variant<reference::Tensor, Refusal> compute(const reference::Node& node) const = 0;
};

}  // namespace touchstone::conformance
