// opmx DequantizeLinear: one function per version, to be read next to its page.
#pragma once

#include <span>

#include "reference/version_function.h"

namespace touchstone::reference {

std::span<const VersionFunction> opmx_versions();

}  // namespace touchstone::reference
