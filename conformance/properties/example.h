// An example with which a property is tested.
#pragma once

#include <string>

#include "conformance/files/case.h"
#include "conformance/generate/form.h"
#include "optimized/float_environment_testing.h"
#include "reference/model/node.h"

namespace touchstone::conformance {

struct Example {
  reference::Node node;  ///< with all operands
  const Form* form;      ///< how they reach the backend
  /// The floating-point environment of the caller, for a backend in this process.
  optimized::Environment environment = {};
};

/// The example as a case with one data set. Throws FileError if no model of the node can be written.
Case case_of(const Example& example);

/// Describes the example in several lines.
std::string to_text(const Example& example);

/// Whether the model, not its run-time inputs, has nonzero padding that only the 6-bit types forbid. Then case_of()
/// makes a model that cannot be read.
bool sets_float6_padding(const Example& example);

/// The node that a backend reads from the example's model: equal to bind_inputs of case_of, but without building the
/// model. In a form with garbage, padding bits are set; no result may depend on them.
reference::Node node_in_model(const Example& example);

}  // namespace touchstone::conformance
