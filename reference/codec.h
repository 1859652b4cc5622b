// Converts between an element's bit pattern and its exact value.
#pragma once

#include <cstdint>

#include "reference/value.h"
#include "spec/element_type.h"

namespace touchstone::reference {

/// The value that a code denotes. Every code of every type denotes one; bits above the type's width are ignored.
Value decode(spec::ElementType type, std::uint64_t code);

/// The code of a value that the type can represent. NaN gets the canonical code: quiet and positive, or the only one.
/// Throws std::domain_error for any other value, so round and saturate first.
std::uint64_t encode(spec::ElementType type, const Value& value);

/// The range of an integer type.
Integer lowest(spec::ElementType type);
Integer highest(spec::ElementType type);

}  // namespace touchstone::reference
