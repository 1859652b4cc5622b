// A case of one node and one data set.
#pragma once

#include "conformance/files/case.h"
#include "conformance/files/names.h"
#include "conformance/generate/form.h"

namespace touchstone::conformance {

/// The case of a node with all operands, which reach the backend in this form. Throws FileError if no model of the node
/// can be written.
Case case_of(const Node& node, const Form& form);

}  // namespace touchstone::conformance
