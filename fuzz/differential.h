// The reference against the library optimized/, with each instruction set that this CPU has.
#pragma once

#include <cstdint>
#include <span>

#include "fuzz/coded_example.h"

namespace touchstone::fuzz {

/// Holds them against each other: rejections, and y with its type, its shape and every element that the specification
/// decides, bit for bit, computed as a whole and in parts; and that the library leaves the caller's floating-point
/// environment as it was. Of a difference it tells, with what is left of the example when it is made as simple as it
/// can be, which it writes as a test directory to $TOUCHSTONE_FUZZ_REPRODUCERS or the current directory. Then it
/// aborts.
void compare_with_reference(std::span<const std::uint8_t> bytes, Operators operators);

}  // namespace touchstone::fuzz
