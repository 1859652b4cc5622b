#include "reference/microsoft.h"

namespace touchstone::reference {

std::span<const VersionFunction> microsoft_versions() { return {}; }

}  // namespace touchstone::reference
