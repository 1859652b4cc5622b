// What a library hands over: structures of touchstone_backend.h, as values of this process.
#pragma once

#include <cstddef>
#include <string>

#include "conformance/backends/backend.h"
#include "conformance/backends/workers/touchstone_backend.h"

namespace touchstone::conformance {

/// The text of a pointer that may be null.
std::string text_or_empty(const char* from);

// These throw FileError if an array cannot be valid: if it is at address 0, exceeds a limit, or has another size than
// type and shape require. Only then its elements are not read.

/// `function` is the name of the function that returned the outputs.
Outputs outputs_of(const touchstone_tensor* begin, std::size_t count, const char* function);
Capabilities capabilities_of(const touchstone_capabilities& own);

}  // namespace touchstone::conformance
