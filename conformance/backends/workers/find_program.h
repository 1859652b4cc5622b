// Finds a program by its name or its path.
#pragma once

#include <string>

namespace touchstone::conformance {

/// Finds a program by its name or path as a shell does, and returns its path. Throws BackendError with the reason if it
/// cannot be found or executed.
std::string find_program(const std::string& name);

}  // namespace touchstone::conformance
