// From a node and its operands to a model file.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "conformance/files/model_file.h"
#include "conformance/files/tensor_file.h"
#include "conformance/generate/form.h"
#include "reference/model/node.h"
#include "spec/opset.h"

namespace touchstone::conformance {

/// The opset of ai.onnx that a model of this opset imports. Exporters import ai.onnx with every other domain. This is
/// the newest opset with the same IR version.
int opset_of_onnx(const spec::Opset& opset);

/// A model of this one node, in the given form. `node.inputs` holds all operands. The model contains the operands that
/// the form makes constant, and only type and shape of the others. `y` and its shape are what the graph declares as its
/// output. Throws std::invalid_argument: a domain without operators.
OperatorModel build_model(const reference::Node& node, const Form& form, spec::ElementType y,
                          const reference::Shape& y_shape);

/// The same as a file, also where the form makes it one that no reader should take.
std::string model_file(const reference::Node& node, const Form& form, spec::ElementType y,
                       const reference::Shape& y_shape);

/// The places of those operands.
std::set<std::size_t> variable_inputs(const reference::Node& node, const Form& form);

/// The operands that the form leaves to be given, by the names that the model has for them.
std::vector<NamedTensor> graph_inputs(const reference::Node& node, const Form& form);

}  // namespace touchstone::conformance
