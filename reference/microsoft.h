// com.microsoft QuantizeLinear and DequantizeLinear: one function per version, to be read next to that version's page.
#pragma once

#include <span>

#include "reference/version_function.h"

namespace touchstone::reference {

std::span<const VersionFunction> microsoft_versions();

}  // namespace touchstone::reference
