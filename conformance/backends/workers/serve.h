// The other side: any backend as a worker.
#pragma once

#include "conformance/backends/backend.h"

namespace touchstone::conformance {

/// Says Hello, in which it declares what the backend takes, and answers requests until there are no more. Throws
/// std::runtime_error: what comes is not the protocol, or the answers cannot be written.
void serve(Backend& backend, const Capabilities& declared, int requests, int responses);

}  // namespace touchstone::conformance
