// Capabilities in words, as --assume takes them: "constant-scales", "types=FLOAT,UINT8", "opsets=ai.onnx:10-21".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/backends/capabilities.h"

namespace touchstone::conformance {

/// Adds what the text says; lists of types and of opsets go on where they were.
/// Throws std::invalid_argument, which says what is wrong and what there is: an unknown word, element type or domain,
/// an empty list, opsets that are no range.
void assume(Capabilities& capabilities, std::string_view text);

/// What has to be assumed to have these capabilities, one text for each kind; none of a backend that takes everything.
std::vector<std::string> assumptions(const Capabilities& capabilities);

/// The words that there are, each with what it means: for a help text.
std::string assumption_forms();

}  // namespace touchstone::conformance
