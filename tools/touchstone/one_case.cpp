#include "tools/touchstone/one_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "conformance/files/text.h"
#include "tools/touchstone/selection.h"
#include "tools/touchstone/suggestion.h"

namespace touchstone::tools {

using namespace conformance;

const PlannedCase& find_case(const std::vector<PlannedCase>& cases, const std::string& id) {
  // Reports name cases as journals keep them.
  const std::string kept = valid_utf8(id);
  const auto found = std::ranges::find_if(cases, [&](const PlannedCase& row) { return valid_utf8(row.id) == kept; });
  if (found == cases.end())
    throw Exit(nothing_selected,
               fmt::format("there is no case '{}'; touchstone list shows them{}", id, did_you_mean(id, ids_of(cases))));
  return *found;
}

void check_is_new(std::string_view option, const std::string& directory) {
  std::error_code ignored;
  if (!directory.empty() && std::filesystem::exists(directory, ignored) &&
      !std::filesystem::is_empty(directory, ignored))
    throw Exit(usage, fmt::format("{} {}: it already exists and is not empty", option, directory));
}

ExitCode exit_code_of(const CaseRecord& record) {
  if (record.verdict == Verdict::harness_error) return broken;
  if (record.declined) return nothing_selected;
  return record.is_problem() ? unexpected_result : as_expected;
}

std::string tensor_text(const reference::Tensor& tensor) {
  return fmt::format("{}[{}]", spec::name(tensor.type()), fmt::join(tensor.shape(), ","));
}

std::string attribute_text(const reference::AttributeValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return in_quotes(*text);
  return fmt::format("of type {}", std::get<reference::ForeignAttribute>(value).type);
}

}  // namespace touchstone::tools
