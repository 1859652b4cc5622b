// The page that compares runtimes: the scoreboard is one with all of them.
#pragma once

#include <string>
#include <string_view>

namespace touchstone::conformance {

/// An HTML page that contains everything that it needs. `results_json` is a JSON array of compact results. Its texts
/// may be anybody's: they cannot become markup. The page leaves out results that it cannot read, and says so.
std::string comparison_page(std::string_view results_json);

}  // namespace touchstone::conformance
