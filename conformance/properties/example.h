// What a property is tried with.
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
  /// What the caller of a backend in this process has set.
  optimized::Environment environment = {};
};

/// The same as a case of one data set. Throws FileError for a node of which no model can be written.
Case case_of(const Example& example);

/// The same in lines, for people.
std::string to_text(const Example& example);

/// For rapidcheck.
void showValue(const Example& example, std::ostream& out);

}  // namespace touchstone::conformance
