// Reads any text as a filter, and matches an id with it. Either std::invalid_argument says how to write the filter, or
// it selects what a naive comparison selects.
#include "conformance/plan/filter.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/law.h"
#include "fuzz/pieces.h"

using namespace touchstone::conformance;
using touchstone::fuzz::require;

namespace {

/// For each beginning of the id whether the pattern matches it, extended by one character of the pattern after the
/// other.
bool naively_matches(std::string_view pattern, std::string_view id) {
  std::vector<char> matched(id.size() + 1, 0);
  matched[0] = 1;
  for (const char character : pattern) {
    std::vector<char> next(id.size() + 1, 0);
    for (std::size_t i = 0; i <= id.size(); ++i) {
      const bool takes_one = i > 0 && matched[i - 1] != 0 && (character == '?' || character == id[i - 1]);
      const bool takes_any = matched[i] != 0 || (i > 0 && next[i - 1] != 0);
      next[i] = static_cast<char>(character == '*' ? takes_any : takes_one);
    }
    matched = next;
  }
  return matched.back() != 0;
}

bool naively_matches(const std::vector<std::string>& patterns, std::string_view id) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) { return naively_matches(pattern, id); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> pieces = touchstone::fuzz::pieces_of(data, size, 2);
  pieces.resize(2);
  const std::string& id = pieces[1];
  try {
    const Filter filter(pieces[0]);
    require(!filter.wanted().empty(), "a filter wants something");
    require(filter.matches(id) == (naively_matches(filter.wanted(), id) && !naively_matches(filter.unwanted(), id)),
            "a filter selects what a naive comparison selects");
  } catch (const std::invalid_argument&) {
    return 0;
  }
  return 0;
}
