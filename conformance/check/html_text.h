// What the parts of the HTML page share.
#pragma once

#include <string>
#include <string_view>

#include "conformance/check/overview.h"

namespace touchstone::conformance {

/// Printable and escaped text, shortened if it is very long.
std::string in_html(std::string_view text);

/// The class of the page's style for a result.
std::string_view style_class(const PartResult& result);

}  // namespace touchstone::conformance
