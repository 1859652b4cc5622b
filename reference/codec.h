// Between an element's bit pattern and its exact value.
#pragma once

#include <cstdint>

#include "reference/value.h"
#include "spec/element_type.h"

namespace touchstone::reference {

/// The value that a code denotes. Every code of every type denotes one; bits above the type's width are ignored.
Value decode(spec::ElementType type, std::uint64_t code);

/// The code of a value that the type has. A NaN gets the canonical code: quiet and positive, or the only one there is.
/// Throws std::domain_error for a value that the type does not have: rounding and saturation come before.
std::uint64_t encode(spec::ElementType type, const Value& value);

/// The range of an integer type.
Integer lowest(spec::ElementType type);
Integer highest(spec::ElementType type);

}  // namespace touchstone::reference
