// The reference against the library optimized/, with each instruction set that this CPU has.
#pragma once

#include <cstdint>
#include <span>

#include "fuzz/coded_example.h"

namespace touchstone::fuzz {

/// Compares the results of the library with those of the reference: rejections, and y with its type, its shape and
/// every element that the specification decides, bit for bit, computed as a whole and in parts. Checks also that the
/// library leaves the caller's floating-point environment as it was. If there is a difference, this simplifies the
/// example, writes it as a test directory to $TOUCHSTONE_FUZZ_REPRODUCERS or the current directory, reports it, and
/// aborts.
void compare_with_reference(std::span<const std::uint8_t> bytes, Operators operators);

}  // namespace touchstone::fuzz
