// Converts the structures that a library returns (touchstone_backend.h) to Touchstone's own types.
#pragma once

#include <cstddef>
#include <string>

#include "conformance/backends/backend.h"
#include "conformance/backends/workers/touchstone_backend.h"

namespace touchstone::conformance {

/// The text, or an empty string if the pointer is null.
std::string text_or_empty(const char* from);

// These throw FileError if an array is at address 0, exceeds a limit, or does not have the size that type and shape
// require. They check this before they read its elements.

/// `function` is the name of the function that returned the outputs.
Outputs outputs_of(const touchstone_tensor* begin, std::size_t count, const char* function);
Capabilities capabilities_of(const touchstone_capabilities& own);

}  // namespace touchstone::conformance
