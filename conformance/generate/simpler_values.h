// Codes of an element type, ordered by the simplicity of their numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "conformance/files/names.h"

namespace touchstone::conformance {

/// 0 for zero, 1 for one; more for more significant bits, for exponents further from 0, and for a sign.
double complexity(ElementType type, std::uint64_t code);

/// Less complex codes, the simplest first.
std::vector<std::uint64_t> simpler_codes(ElementType type, std::uint64_t code);

/// The code of the number nearest to `number`; `code` if that is not finite.
std::uint64_t nearest_code_or(ElementType type, double number, std::uint64_t code);

/// The code of 2^shift times the number; `code` if the type does not have that number exactly.
std::uint64_t shifted(ElementType type, std::uint64_t code, int shift);

/// The exponent of the leading bit of a finite nonzero number; otherwise 0.
int exponent_of(ElementType type, std::uint64_t code);

}  // namespace touchstone::conformance
