// The worker's side of the protocol, for any backend.
#pragma once

#include "conformance/backends/backend.h"

namespace touchstone::conformance {

/// Sends a Hello with the declared capabilities, and answers requests until there are no more. Throws
/// std::runtime_error if the requests violate the protocol, or if the answers cannot be written.
void serve(Backend& backend, const Capabilities& declared, int requests, int responses);

}  // namespace touchstone::conformance
