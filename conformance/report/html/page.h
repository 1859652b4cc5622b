// The pages' sources, embedded by embed.cmake, and what fills them.
#pragma once

#include <functional>
#include <string_view>

#include "conformance/files/file_io.h"

namespace touchstone::conformance {

struct HtmlPage {
  std::string_view page;  ///< with the placeholders {{style}}, {{style hash}}, {{script}}, {{script hash}} and {{data}}
  std::string_view style;
  std::string_view script;
  std::string_view style_sha256;  ///< in hex
  std::string_view script_sha256;
};

extern const HtmlPage report_html;      ///< report.html: of one run
extern const HtmlPage comparison_html;  ///< comparison.html: of several runtimes

/// Writes the page. `write_data` gives JSON in any parts; no text in it can end the element around it.
void write_page(const HtmlPage& page, const std::function<void(const Sink&)>& write_data, const Sink& sink);

}  // namespace touchstone::conformance
