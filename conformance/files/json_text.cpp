#include "conformance/files/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/files/file_error.h"
#include "conformance/files/limits.h"

namespace touchstone::conformance {

std::string to_line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n'; }

void check_json_limits(std::string_view text, std::optional<std::uint64_t> given_members) {
  constexpr std::int64_t any_number = std::numeric_limits<std::int64_t>::min();  // for arrays
  std::array<std::int64_t, most::of_recursion> commas{};                         // of the open objects and arrays
  const auto most_members = static_cast<std::int64_t>(given_members.value_or(limits().members_per_object));
  std::size_t depth = 0;
  std::uint64_t values = 1;  // at least as many as there are
  bool is_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (letter == '"') is_string = !is_string;
    if (is_string) {
      if (letter == '\\') ++i;  // an escaped quotation mark does not end the string
    } else if (letter == '{' || letter == '[') {
      ++values;
      if (depth == limits().nesting)
        throw std::runtime_error(fmt::format("is nested deeper than the limit of {}", limits().nesting));
      commas[depth++] = letter == '[' ? any_number : 0;
    } else if (letter == '}' || letter == ']') {
      if (depth > 0) --depth;
    } else if (letter == ',' && depth > 0) {
      ++values;
      if (++commas[depth - 1] >= most_members)
        throw std::runtime_error(fmt::format("has an object with more members than the limit of {}", most_members));
    }
    if (values > limits().json_values)
      throw std::runtime_error(fmt::format("has more values than the limit of {} (json_values)", limits().json_values));
  }
}

Json parse_json(std::string_view text, std::optional<std::uint64_t> most_members) {
  check_json_limits(text, most_members);
  std::vector<std::vector<std::string>> open_objects;  // the names of their members so far
  const auto check_names = [&](int, Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) open_objects.emplace_back();
    if (event == Json::parse_event_t::object_end) open_objects.pop_back();
    if (event != Json::parse_event_t::key) return true;
    const auto& name = parsed.get_ref<const std::string&>();
    if (std::ranges::find(open_objects.back(), name) != open_objects.back().end())
      throw std::runtime_error(in_quotes(name) + " occurs twice");
    open_objects.back().push_back(name);
    return true;
  };
  try {
    return Json::parse(text, check_names);
  } catch (const Json::exception& error) {
    const std::string_view what = error.what();  // "[json.exception...] parse error at line 1, column 2: ..."
    throw std::runtime_error(fmt::format("is not JSON: {}", what.substr(what.find("] ") + 2)));
  }
}

}  // namespace touchstone::conformance
