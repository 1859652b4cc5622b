#include "conformance/plan/filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "conformance/files/file_error.h"
#include "conformance/files/limits.h"
#include "conformance/plan/cell.h"

namespace touchstone::conformance {

namespace {

/// What every id begins with: the name of its suite, or for generated cases the operator version, after "exhaustive/"
/// for sweeps.
const std::vector<std::string>& id_beginnings() {
  static const std::vector<std::string> beginnings = [] {
    std::vector<std::string> all{"onnx/", "graphs/", "model/", "random/"};
    for (const OperatorVersion& version : spec::operator_versions)
      for (const char* tier : {"", "exhaustive/"}) all.push_back(tier + id_of(version) + '/');
    return all;
  }();
  return beginnings;
}

bool can_match_an_id(std::string_view pattern) {
  return std::ranges::any_of(id_beginnings(), [&](std::string_view beginning) {
    for (std::size_t i = 0; i < std::min(pattern.size(), beginning.size()); ++i) {
      if (pattern[i] == '*') return true;
      if (pattern[i] != '?' && pattern[i] != beginning[i]) return false;
    }
    return true;
  });
}

/// Whether the text can follow a "-" in an id such as quantize_linear/21/f32-f32-u8/per_tensor/zp/values.
bool looks_like_types(std::string_view text) {
  const std::string_view segment = text.substr(0, text.find('/'));
  if (segment.find('-') != std::string_view::npos) return true;
  const std::string_view start = segment.substr(0, segment.find_first_of("*?"));
  return !start.empty() && std::ranges::any_of(spec::element_types, [&](const ElementTypeInfo& type) {
    return type.short_name.starts_with(start);
  });
}

[[noreturn]] void refuse_ambiguous(std::string_view patterns, std::size_t dash) {
  const std::string_view before = patterns.substr(0, dash);
  const std::string_view after = patterns.substr(dash);
  constexpr std::size_t longest = 1000;
  throw std::invalid_argument(fmt::format(
      "the '-' in '{}' after '{}' may be a part of an id or the start of the patterns to exclude; "
      "write '{}' if it is a part of an id, '{}' to exclude",
      printable(patterns, longest), printable(before, longest), printable(fmt::format("{}?{}", before, after), longest),
      printable(fmt::format("{}:{}", before, after), longest)));
}

/// The "-" at which the patterns to exclude begin.
std::size_t find_dash(std::string_view patterns) {
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (patterns[i] != '-') continue;
    if (i == 0 || patterns[i - 1] == ':') return i;
    if (patterns[i - 1] != '*') continue;
    const std::string_view after = patterns.substr(i + 1, patterns.find(':', i) - (i + 1));
    if (!can_match_an_id(after)) continue;
    const std::size_t last_other = patterns.substr(0, i).find_last_not_of('*');
    const bool only_stars_before = last_other == std::string_view::npos || patterns[last_other] == ':';
    if (!only_stars_before && looks_like_types(after)) refuse_ambiguous(patterns, i);
    return i;
  }
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
  if (std::cmp_greater(std::ranges::count(patterns, ':'), limits().filter_patterns - 1))
    throw std::invalid_argument(
        fmt::format("has more than the limit of {} patterns (filter_patterns); a pattern with * matches many cases",
                    limits().filter_patterns));
  const std::size_t dash = find_dash(patterns);
  wanted_ = split(patterns.substr(0, dash));
  if (dash != std::string_view::npos) unwanted_ = split(patterns.substr(dash + 1));
  if (wanted_.empty() && unwanted_.empty()) throw std::invalid_argument("has no pattern; '*' selects all cases");
  if (wanted_.empty()) wanted_.emplace_back("*");
}

bool Filter::matches(const std::string& id) const { return matches_any(wanted_, id) && !matches_any(unwanted_, id); }

}  // namespace touchstone::conformance
