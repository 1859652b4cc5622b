// Compares the library optimized/ with the reference, on each instruction set of this CPU.
#pragma once

#include <cstdint>
#include <span>

#include "fuzz/coded_example.h"

namespace touchstone::fuzz {

/// Compares the results of the library with those of the reference: rejections, and y with its type, its shape and
/// every element that the specification defines, bit for bit, computed as a whole and in parts. Also checks that the
/// library restores the caller's floating-point environment. If there is a difference, reports it and
/// aborts.
void compare_with_reference(std::span<const std::uint8_t> bytes, Operators operators);

}  // namespace touchstone::fuzz
