#include "conformance/plan/filter.h"

#include <algorithm>
#include <cstddef>

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
    for (const char character : patterns.substr(0, end))
      if (character != '*' || !part.ends_with('*')) part += character;
    if (!part.empty()) parts.push_back(part);
    patterns.remove_prefix(std::min(end + 1, patterns.size()));
  }
  return parts;
}

bool matches_any(const std::vector<std::string>& patterns, std::string_view id) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return matches(pattern, id); });
}

}  // namespace

bool matches(std::string_view pattern, std::string_view id) {
  constexpr std::size_t none = std::string_view::npos;
  std::size_t p = 0;
  std::size_t i = 0;
  // Backtracks only to the last star: the shortest match of an earlier one leaves the most text for the rest.
  std::size_t after_star = none;
  std::size_t taken_by_star = 0;
  while (i < id.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      taken_by_star = i;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == id[i])) {
      ++p;
      ++i;
    } else if (after_star != none) {
      p = after_star;
      if (p == pattern.size()) return true;
      i = ++taken_by_star;
      // The star also matches all text before the next occurrence of the character after it.
      if (pattern[p] != '?' && pattern[p] != '*') i = taken_by_star = std::min(id.find(pattern[p], i), id.size());
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

Filter::Filter(std::string_view patterns) {
  const std::size_t dash = find_dash(patterns);
  wanted_ = split(patterns.substr(0, dash));
  if (dash != std::string_view::npos) unwanted_ = split(patterns.substr(dash + 1));
  if (wanted_.empty()) wanted_.emplace_back("*");
}

bool Filter::matches(const std::string& id) const { return matches_any(wanted_, id) && !matches_any(unwanted_, id); }

}  // namespace touchstone::conformance
