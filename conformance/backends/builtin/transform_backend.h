// A tool that rewrites models, as a backend: the reference computes the outputs of what the tool makes of a model.
#pragma once

#include <memory>
#include <string_view>

#include "conformance/backends/backend.h"

namespace touchstone::conformance {

/// The outputs of the tool: the bytes of a serialized onnx.ModelProto, and what is wrong with it according to ONNX's
/// checker, in UTF-8, if anything. Both are uint8 tensors.
inline constexpr std::string_view rewritten_model = "model";
inline constexpr std::string_view fault_of_model = "fault";

class TransformBackend : public Backend {
 public:
  /// The tool gets each model with one set of no inputs.
  explicit TransformBackend(std::unique_ptr<Backend> tool) : tool_(std::move(tool)) {}

  BackendIdentity identity() const override { return tool_->identity(); }
  Capabilities declares() const override { return tool_->declares(); }
  std::optional<Refusal> declines(const OperatorModel& model) const override { return tool_->declines(model); }
  bool works_ahead() const override { return tool_->works_ahead(); }
  void announce(const Unit& unit) override;
  /// A rewritten model that is invalid, or has other inputs, or that the specification rejects although it does not
  /// reject the original, is a Breakdown::invalid. One whose outputs may differ between implementations is open. One
  /// that the reference cannot run is refused.
  UnitAnswer run(const Unit& unit) override;
  std::string take_output() override { return tool_->take_output(); }

 private:
  std::unique_ptr<Backend> tool_;
};

}  // namespace touchstone::conformance
