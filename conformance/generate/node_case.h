// A case of one node and one data set.
#pragma once

#include "conformance/files/case.h"
#include "conformance/generate/form.h"
#include "reference/model/node.h"

namespace touchstone::conformance {

/// The case of a node with all operands, which reach the backend in this form. Throws FileError if no model of the node
/// can be written.
Case case_of(const reference::Node& node, const Form& form);

/// Whether the model, not its run-time inputs, has nonzero padding that only the 6-bit types forbid. Then case_of()
/// makes a model that cannot be read.
bool sets_float6_padding(const reference::Node& node, const Form& form);

}  // namespace touchstone::conformance
