// The output directory of a finished or interrupted run.
#pragma once

#include <string>

#include "conformance/run/journal.h"

namespace touchstone::tools {

/// The journal in the directory. Throws Exit if there is none or it is corrupt.
conformance::Journal journal_in(const std::string& directory);

}  // namespace touchstone::tools
