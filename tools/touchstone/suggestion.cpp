#include "tools/touchstone/suggestion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "conformance/files/file_error.h"

namespace touchstone::tools {

using conformance::Filter;
using Names = std::span<const std::string_view>;

namespace {

constexpr std::size_t longest_shown = 1000;

/// Longer texts are not compared with names: nobody types them, and the comparison would take long.
constexpr std::size_t longest_compared = 300;

std::size_t most_edits(std::string_view given) { return std::min<std::size_t>(given.size() / 3, 4); }

/// The number of characters that are inserted, removed, changed or swapped with the next one; any number above `most`
/// if there are more than `most`.
std::size_t edits_between(std::string_view from, std::string_view to, std::size_t most) {
  if (std::max(from.size(), to.size()) - std::min(from.size(), to.size()) > most) return most + 1;
  std::vector<std::size_t> two_rows_ago;
  std::vector<std::size_t> last(to.size() + 1);
  for (std::size_t k = 0; k < last.size(); ++k) last[k] = k;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::vector<std::size_t> row(to.size() + 1, most + 1);
    row[0] = i;
    std::size_t least = i;
    // Positions further apart than `most` need more edits.
    for (std::size_t k = i > most ? i - most : 1; k <= std::min(to.size(), i + most); ++k) {
      const std::size_t changed = from[i - 1] == to[k - 1] ? 0 : 1;
      row[k] = std::min({last[k] + 1, row[k - 1] + 1, last[k - 1] + changed});
      if (i > 1 && k > 1 && from[i - 1] == to[k - 2] && from[i - 2] == to[k - 1])
        row[k] = std::min(row[k], two_rows_ago[k - 2] + 1);
      least = std::min(least, row[k]);
    }
    if (least > most) return most + 1;
    two_rows_ago = std::exchange(last, std::move(row));
  }
  return last.back();
}

/// The names that differ by few edits, the closest ones first.
std::vector<std::string_view> close_names(std::string_view given, Names names) {
  std::vector<std::pair<std::size_t, std::string_view>> close;
  const std::size_t most = most_edits(given);
  if (given.size() <= longest_compared)
    for (const std::string_view name : names)
      if (const std::size_t edits = edits_between(given, name, most); edits <= most) close.emplace_back(edits, name);
  std::ranges::stable_sort(close, {}, &std::pair<std::size_t, std::string_view>::first);
  std::vector<std::string_view> sorted;
  for (const auto& [edits, name] : close) sorted.push_back(name);
  return sorted;
}

std::string line(std::string_view name) {
  return fmt::format("\ndid you mean {}?", conformance::printable(name, longest_shown));
}

bool matches_any(std::string_view pattern, Names ids) {
  return std::ranges::any_of(ids, [&](std::string_view id) { return conformance::matches(pattern, id); });
}

/// All parts of ids between slashes.
std::vector<std::string_view> segments_of(Names ids) {
  std::set<std::string_view> segments;
  for (const std::string_view id : ids) {
    std::size_t start = 0;
    for (std::size_t end = 0; (end = id.find('/', start)) != std::string_view::npos; start = end + 1)
      segments.insert(id.substr(start, end - start));
    segments.insert(id.substr(start));
  }
  return {segments.begin(), segments.end()};
}

/// Replaces the parts between wildcards and slashes that occur in no id.
std::optional<std::string> with_known_parts(std::string_view pattern, Names ids, Names segments) {
  std::string known;
  while (!pattern.empty()) {
    const std::size_t end = std::min(pattern.find_first_of("*?/"), pattern.size());
    const std::string_view part = pattern.substr(0, end);
    const std::string_view after = pattern.substr(end, 1);
    pattern.remove_prefix(std::min(end + 1, pattern.size()));
    const bool is_segment = (known.empty() || known.ends_with('/')) && (after.empty() || after == "/");
    const auto has_part = [&](std::string_view segment) {
      return is_segment ? segment == part : segment.find(part) != std::string_view::npos;
    };
    if (part.empty() || std::ranges::any_of(segments, has_part)) {
      known += part;
    } else {
      const std::vector<std::string_view> close = close_names(part, segments);
      const auto fitting = std::ranges::find_if(
          close, [&](std::string_view segment) { return matches_any(fmt::format("{}{}*", known, segment), ids); });
      if (fitting == close.end()) return std::nullopt;
      known += *fitting;
    }
    known += after;
  }
  return known;
}

std::optional<std::string> corrected(const std::string& pattern, Names ids, Names segments) {
  if (matches_any(pattern, ids)) return pattern;
  if (!pattern.starts_with('*') && !pattern.ends_with('*'))
    for (std::string more : {pattern + "/*", "*" + pattern + "*"})
      if (matches_any(more, ids)) return more;
  std::optional<std::string> known = with_known_parts(pattern, ids, segments);
  return known && matches_any(*known, ids) ? known : std::nullopt;
}

}  // namespace

std::vector<std::string_view> similar_names(std::string_view given, Names names, std::size_t most) {
  std::vector<std::string_view> similar;
  if (!given.empty())
    std::ranges::copy_if(names, std::back_inserter(similar),
                         [&](std::string_view name) { return name.find(given) != std::string_view::npos; });
  if (similar.empty()) similar = close_names(given, names);
  similar.resize(std::min(similar.size(), most));
  return similar;
}

std::string did_you_mean(std::string_view given, Names names) {
  std::string text;
  for (const std::string_view name : similar_names(given, names)) text += line(name);
  return text;
}

std::string did_you_mean(const Filter& filter, Names ids) {
  const std::vector<std::string_view> segments = segments_of(ids);
  std::vector<std::string> patterns;
  for (const std::string& pattern : filter.wanted())
    if (auto better = corrected(pattern, ids, segments)) patterns.push_back(*std::move(better));
  const auto matches_one_of = [](const std::vector<std::string>& some, std::string_view id) {
    return std::ranges::any_of(some, [&](const std::string& pattern) { return conformance::matches(pattern, id); });
  };
  const bool selects = std::ranges::any_of(
      ids, [&](std::string_view id) { return matches_one_of(patterns, id) && !matches_one_of(filter.unwanted(), id); });
  if (!selects) return "";
  std::string text = fmt::format("{}", fmt::join(patterns, ":"));
  if (!filter.unwanted().empty()) text += fmt::format(":-{}", fmt::join(filter.unwanted(), ":"));
  return line(fmt::format("'{}'", text));
}

}  // namespace touchstone::tools
