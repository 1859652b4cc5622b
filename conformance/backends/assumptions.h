// Capabilities as text, in the syntax of --assume: "constant-scales", "types=FLOAT,UINT8", "opsets=ai.onnx:10-21".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/backends/capabilities.h"

namespace touchstone::conformance {

/// Adds the assumption in the text; types and opsets are appended to those that `capabilities` already has.
/// Throws std::invalid_argument for an unknown word, element type or domain, an empty list, or an invalid opset range.
/// The message lists the valid values.
void assume(Capabilities& capabilities, std::string_view text);

/// The assumptions that give these capabilities, one text for each kind; empty for an unlimited backend.
std::vector<std::string> assumptions(const Capabilities& capabilities);

/// For help texts: every kind of assumption with its meaning.
std::string assumption_forms();

}  // namespace touchstone::conformance
