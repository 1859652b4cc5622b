// A small case of chosen elements, each with its own scale and zero point.
#pragma once

#include <string>
#include <vector>

#include "conformance/files/case.h"
#include "conformance/plan/cell.h"
#include "conformance/plan/code_interval.h"

namespace touchstone::conformance {

struct Form;

/// The node of a cell with a zero point, at the opset of its version, with these operands.
/// per_tensor: x [n], scale and zero point []; per_axis: x [rows, columns], scale and zero point [rows].
Node node_of(const Cell& cell, Tensor x, Tensor scale, Tensor zero_point);

/// The form of a cell's models. A single scale is an initializer, as quantizers write it; several are a graph input.
const Form& form_of(const Cell& cell);

/// The case of these elements, of which there must be at least one. If the cell is per_tensor, all must have the same
/// scale and zero point.
Case elements_case(std::string id, const Cell& cell, const Form& form, const std::vector<ChosenElement>& elements);
Case elements_case(std::string id, const Cell& cell, const std::vector<ChosenElement>& elements);

}  // namespace touchstone::conformance
