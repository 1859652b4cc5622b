// A backend in a shared library that has the functions of touchstone_backend.h, loaded into this process.
#pragma once

#include <memory>
#include <string>

#include "conformance/backends/backend.h"

namespace touchstone::conformance {

/// Throws BackendError if the library cannot be loaded, lacks a function, or has another interface version, or if the
/// backend cannot be created. `declares` throws it for invalid capabilities, and `run` if the library is broken
/// (TOUCHSTONE_BROKEN). An invalid output is Breakdown::protocol, and so is a status that touchstone_backend.h does not
/// define.
std::unique_ptr<Backend> load_library_backend(const std::string& path);

}  // namespace touchstone::conformance
