// Readable numbers: the value of a bit pattern in decimal, and the pattern itself in hex.
#pragma once

#include <cstdint>
#include <string>

#include "spec/element_type.h"

namespace touchstone::conformance {

/// "0.1", "-inf", "nan", "-0": the value of a code.
std::string decimal(spec::ElementType type, std::uint64_t code);

/// "0x3dcccccd": the code, with as many digits as its type needs.
std::string hex(spec::ElementType type, std::uint64_t code);

}  // namespace touchstone::conformance
