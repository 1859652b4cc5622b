// Finds a program by its name or its path.
#pragma once

#include <string>

namespace touchstone::conformance {

/// The path of a program, found like a shell does. Throws BackendError that says why there is none.
std::string find_program(const std::string& name);

}  // namespace touchstone::conformance
