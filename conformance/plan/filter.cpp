#include "conformance/plan/filter.h"

#include <fnmatch.h>

#include <algorithm>

namespace touchstone::conformance {

namespace {

std::size_t find_dash(std::string_view patterns) {
  for (std::size_t i = 0; i < patterns.size(); ++i)
    if (patterns[i] == '-' && (i == 0 || patterns[i - 1] == ':' || patterns[i - 1] == '*')) return i;
  return std::string_view::npos;
}

std::vector<std::string> split(std::string_view patterns) {
  std::vector<std::string> parts;
  while (!patterns.empty()) {
    const std::size_t end = std::min(patterns.find(':'), patterns.size());
    std::string part;
    for (char character : patterns.substr(0, end)) {
      if (character == '*' && part.ends_with('*')) continue;    // fnmatch would look at each, for each id
      if (character == '[' || character == '\\') part += '\\';  // special to fnmatch only
      part += character;
    }
    if (!part.empty()) parts.push_back(part);
    patterns.remove_prefix(std::min(end + 1, patterns.size()));
  }
  return parts;
}

bool matches_any(const std::vector<std::string>& patterns, const std::string& id) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return ::fnmatch(pattern.c_str(), id.c_str(), 0) == 0; });
}

}  // namespace

Filter::Filter(std::string_view patterns) {
  const std::size_t dash = find_dash(patterns);
  wanted_ = split(patterns.substr(0, dash));
  if (dash != std::string_view::npos) unwanted_ = split(patterns.substr(dash + 1));
  if (wanted_.empty()) wanted_.emplace_back("*");
}

bool Filter::takes(const std::string& id) const { return matches_any(wanted_, id) && !matches_any(unwanted_, id); }

}  // namespace touchstone::conformance
