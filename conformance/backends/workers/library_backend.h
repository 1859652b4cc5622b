// A backend in a shared library that has the functions of touchstone_backend.h, loaded into this process.
#pragma once

#include <memory>
#include <string>

#include "conformance/backends/backend.h"

namespace touchstone::conformance {

/// Throws BackendError: it cannot be loaded, lacks a function, is of another interface, or cannot be created. So do
/// `declares`: what it declares cannot be read; and `run`: the library says that nothing more can be run. An output
/// that cannot be is Breakdown::protocol, as is a status that touchstone_backend.h does not define.
std::unique_ptr<Backend> load_library_backend(const std::string& path);

}  // namespace touchstone::conformance
