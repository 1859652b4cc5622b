// What follows from shapes and constants, where ONNX's shape inference knows nothing.
#pragma once

#include <functional>
#include <string>

#include "conformance/units/user_model.h"

namespace onnx {
class GraphProto;
}  // namespace onnx

namespace touchstone::conformance {

using SetForm = std::function<void(const std::string& value, const ValueForm& form)>;

/// Replaces nodes of the model's graph by constants that depend on nothing but known shapes, and sets the forms of
/// values that follow from constants. Returns whether there were any.
bool fold_shapes(onnx::GraphProto& graph, const UserModel& model, const SetForm& set_form);

}  // namespace touchstone::conformance
