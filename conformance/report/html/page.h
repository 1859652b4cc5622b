// The page's sources, embedded by embed.cmake.
#pragma once

#include <string_view>

namespace touchstone::conformance {

/// page.html, with the placeholders {{style}}, {{style hash}}, {{script}}, {{script hash}} and {{data}}.
extern const std::string_view html_page;
extern const std::string_view html_style;
extern const std::string_view html_script;
extern const std::string_view html_style_sha256;  ///< in hex
extern const std::string_view html_script_sha256;

}  // namespace touchstone::conformance
