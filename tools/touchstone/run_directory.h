// The directory that a run wrote to.
#pragma once

#include <string>

#include "conformance/run/journal.h"

namespace touchstone::tools {

/// The journal in it. Throws Exit: there is none, or it is corrupt.
conformance::Journal journal_in(const std::string& directory);

}  // namespace touchstone::tools
