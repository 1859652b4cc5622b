#include "reference/opmx.h"

namespace touchstone::reference {

std::span<const VersionFunction> opmx_versions() { return {}; }

}  // namespace touchstone::reference
