// Converts between bytes and examples. Any bytes that a fuzzer produces give an example. One bit makes it a free one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fuzz/example.h"
#include "spec/operator_version.h"

namespace touchstone::fuzz {

/// The operators of a target.
enum class Operators { quantize_linear, dequantize_linear, both };

/// The versions of all domains, in the order of spec::operator_versions.
std::span<const spec::OperatorVersion* const> versions(Operators operators);

/// Decodes any bytes to an example. Its tensors have at most `most_elements` elements, and not many more than there are
/// bytes.
Example decode(std::span<const std::uint8_t> bytes, Operators operators);

/// The bytes that decode() converts to this example, with all padding bits 0. std::nullopt for an example that decode()
/// never returns: with an operator, a domain, a form or an attribute name that is not in the tables, or with large
/// tensors.
std::optional<std::vector<std::uint8_t>> encode(const Example& example, Operators operators);

}  // namespace touchstone::fuzz
