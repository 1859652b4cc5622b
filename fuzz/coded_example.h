// Bytes as examples, and examples as bytes. What a fuzzer makes of the bytes is an example again: most are legal nodes,
// for shapes, types and attributes are described by what goes with what was described before. One bit lets each of them
// be anything instead.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "conformance/properties/example.h"
#include "spec/operator_version.h"

namespace touchstone::fuzz {

/// What a target is about.
enum class Operators { quantize_linear, dequantize_linear, both };

/// The versions of all domains, in the order of spec::operator_versions.
std::span<const spec::OperatorVersion* const> versions(Operators operators);

/// An example for any bytes; of tensors with at most `most_elements` elements, and not many more than there are bytes.
conformance::Example decode(std::span<const std::uint8_t> bytes, Operators operators);

/// The bytes that decode reads as this example, with all padding bits 0. Nothing for one that it never gives: of an
/// operator or domain, a form or an attribute's name that are not in the tables, or with large tensors.
std::optional<std::vector<std::uint8_t>> encode(const conformance::Example& example, Operators operators);

/// The node as a backend finds it in the example's model: bind_inputs of case_of, without the way there. In a form with
/// garbage, padding bits are set, which nothing may depend on.
reference::Node node_in_model(const conformance::Example& example);

}  // namespace touchstone::fuzz
