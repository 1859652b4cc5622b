// Builds a model file from a node and its operands.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "conformance/files/model_file.h"
#include "conformance/files/names.h"
#include "conformance/files/tensor_file.h"
#include "conformance/generate/form.h"
#include "spec/opset.h"

namespace touchstone::conformance {

/// The opset of ai.onnx that a model of this opset imports: the newest one with the same IR version. Exporters import
/// ai.onnx together with every other domain.
int opset_of_onnx(const spec::Opset& opset);

/// A model of this one node in the given form. `node.inputs` holds all operands. The model contains the operands that
/// the form makes constant, and only type and shape of the others. The graph declares an output of type `y` and shape
/// `y_shape`. Throws std::invalid_argument for a domain without operators.
OperatorModel build_model(const Node& node, const Form& form, ElementType y, const Shape& y_shape);

/// The bytes of the model file, including forms that no reader should accept.
std::string model_file(const Node& node, const Form& form, ElementType y, const Shape& y_shape);

/// The indices of the operands that the form makes graph inputs.
std::set<std::size_t> variable_inputs(const Node& node, const Form& form);

/// The operands that the form makes graph inputs, with their names in the model.
std::vector<NamedTensor> graph_inputs(const Node& node, const Form& form);

}  // namespace touchstone::conformance
