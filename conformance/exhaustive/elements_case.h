// A small case of chosen elements, each with a scale and a zero point of its own.
#pragma once

#include <string>
#include <vector>

#include "conformance/files/case.h"
#include "conformance/plan/cell.h"
#include "conformance/plan/code_interval.h"

namespace touchstone::conformance {

struct Form;

/// The node of a cell that has a zero point, at the opset of its version, with these operands.
/// per_tensor: x [n], scale and zero point []; per_axis: x [rows, columns], scale and zero point [rows].
reference::Node node_of(const Cell& cell, reference::Tensor x, reference::Tensor scale, reference::Tensor zero_point);

/// The form of a cell's models: one scale is an initializer, as quantizers write it; many are a graph input.
const Form& form_of(const Cell& cell);

/// At least one element; those of a per_tensor cell have one scale and one zero point, and there are no others.
Case elements_case(std::string id, const Cell& cell, const Form& form, const std::vector<ChosenElement>& elements);
Case elements_case(std::string id, const Cell& cell, const std::vector<ChosenElement>& elements);

}  // namespace touchstone::conformance
