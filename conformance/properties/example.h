// An example with which a property is tested.
#pragma once

#include <ostream>
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

/// For rapidcheck.
void showValue(const Example& example, std::ostream& out);

}  // namespace touchstone::conformance
