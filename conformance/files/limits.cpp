#include "conformance/files/limits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <vector>

#include "conformance/files/file_error.h"

namespace touchstone::conformance {

namespace {

Limits in_force;

[[noreturn]] void fail(const std::string& what) {
  throw std::invalid_argument(fmt::format("{}: {}", limits_variable, what));
}

const LimitRow& row_of(std::string_view name) {
  const auto* row = std::ranges::find(limit_rows, name, &LimitRow::name);
  if (row != limit_rows.end()) return *row;
  std::vector<std::string_view> names;
  for (const LimitRow& one : limit_rows) names.push_back(one.name);
  fail(fmt::format("unknown limit {}; the limits are {}", in_quotes(name), fmt::join(names, ", ")));
}

}  // namespace

const Limits& limits() { return in_force; }

void set_limits(std::string_view text) {
  Limits changed = in_force;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    const std::size_t sign = part.find('=');
    if (sign == std::string_view::npos)
      fail(fmt::format("{} is not NAME=NUMBER, for example rank=8; separate several by commas", in_quotes(part)));
    const LimitRow& row = row_of(part.substr(0, sign));
    const std::string_view digits = part.substr(sign + 1);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool is_number = error == std::errc() && end == digits.data() + digits.size();
    if (!is_number || number < 1 || number > row.most)
      fail(fmt::format("{}={} is not a whole number from 1 to {}", row.name, printable(digits, 100), row.most));
    changed.*row.value = number;
  }
  in_force = changed;
}

std::map<std::string, std::uint64_t> changed_limits() {
  std::map<std::string, std::uint64_t> changed;
  for (const LimitRow& row : limit_rows) {
    const bool is_of_journals = row.value == &Limits::journal_bytes || row.value == &Limits::line_bytes;
    if (!is_of_journals && in_force.*row.value != Limits{}.*row.value) changed.emplace(row.name, in_force.*row.value);
  }
  return changed;
}

std::string limits_text() {
  std::string text;
  for (const LimitRow& row : limit_rows)
    text += fmt::format("{:<21} {:>11} {:<12} {}\n", row.name, in_force.*row.value, row.unit, row.bounds);
  return text;
}

}  // namespace touchstone::conformance
