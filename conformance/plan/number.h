// Readable numbers: the value of a bit pattern in decimal, and the pattern itself in hex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "conformance/files/names.h"

namespace touchstone::conformance {

/// "0.1", "-inf", "nan", "-0": the value of a code.
std::string decimal(ElementType type, std::uint64_t code);

/// "0x3dcccccd": the code, with as many digits as its type needs.
std::string hex(ElementType type, std::uint64_t code);

/// "38,860": a count with a comma before each group of three digits.
std::string with_commas(std::size_t count);

}  // namespace touchstone::conformance
