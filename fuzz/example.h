// An example: a node, its form, and the floating-point environment of the caller.
#pragma once

#include <string>

#include "conformance/files/case.h"
#include "conformance/generate/form.h"
#include "optimized/float_environment_testing.h"
#include "reference/model/node.h"

namespace touchstone::fuzz {

struct Example {
  reference::Node node;           ///< with all operands
  const conformance::Form* form;  ///< how they reach the backend
  /// The floating-point environment of the caller, for a backend in this process.
  optimized::Environment environment = {};
};

/// The example as a case with one data set. Throws FileError if no model of the node can be written.
conformance::Case case_of(const Example& example);

/// Describes the example in several lines.
std::string to_text(const Example& example);

/// The node that a backend reads from the example's model: equal to bind_inputs of case_of, but without building the
/// model. In a form with garbage, padding bits are set; no result may depend on them.
reference::Node node_in_model(const Example& example);

}  // namespace touchstone::fuzz
