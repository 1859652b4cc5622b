#include "conformance/causes/support.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

namespace touchstone::conformance {

namespace {

/// Whether a case with the value was answered, by the number of the value.
using Answered = std::map<int, bool>;

struct OperatorCases {
  Answered opsets, x, scale, y, granularities;

  void add(const CaseRecord& record, bool is_answered) {
    opsets[record.subject->opset] |= is_answered;
    for (const Cell& cell : record.cells) {
      x[static_cast<int>(cell.x)] |= is_answered;
      scale[static_cast<int>(cell.scale)] |= is_answered;
      y[static_cast<int>(cell.y)] |= is_answered;
      granularities[static_cast<int>(cell.granularity)] |= is_answered;
    }
  }
};

std::string type_name(int number) { return std::string(spec::name(static_cast<spec::ElementType>(number))); }

std::string granularity_name(int number) {
  std::string words(spec::name(static_cast<spec::Granularity>(number)));
  std::ranges::replace(words, '_', ' ');
  return words;
}

Support::Values values_of(std::string dimension, const Answered& all, const std::function<std::string(int)>& name) {
  Support::Values values{std::move(dimension), {}, {}};
  for (const auto& [number, is_answered] : all)
    (is_answered ? values.supported : values.refused).push_back(name(number));
  return values;
}

/// Opsets, with those that follow each other among the asked ones merged into ranges.
Support::Values opset_ranges(const Answered& all) {
  Support::Values values{"opset", {}, {}};
  for (auto first = all.begin(); first != all.end();) {
    const auto end = std::find_if(first, all.end(), [&](const auto& row) { return row.second != first->second; });
    const int last = std::prev(end)->first;
    (first->second ? values.supported : values.refused)
        .push_back(last == first->first ? std::to_string(last) : fmt::format("{} to {}", first->first, last));
    first = end;
  }
  return values;
}

/// "opset 10 to 25; x float, float16; per tensor"
std::string list_in_words(const Support& support, std::vector<std::string> Support::Values::*part) {
  std::vector<std::string> lists;
  for (const Support::Values& values : support.values)
    if (const std::vector<std::string>& list = values.*part; !list.empty())
      lists.push_back(
          fmt::format("{}{}", values.dimension == "granularity" ? "" : values.dimension + " ", fmt::join(list, ", ")));
  return fmt::format("{}", fmt::join(lists, "; "));
}

}  // namespace

std::vector<Support> find_support(std::span<const CaseRecord> records) {
  std::map<std::pair<std::string_view, spec::Operator>, OperatorCases> by_op;
  for (const CaseRecord& record : records) {
    const bool is_answered =
        record.verdict == Verdict::pass || record.verdict == Verdict::pass_variant || record.verdict == Verdict::fail;
    if (record.declined || record.cells.empty() || !record.subject) continue;
    if (!is_answered && record.verdict != Verdict::rejects_valid) continue;
    by_op[{record.subject->version->domain, record.subject->version->op}].add(record, is_answered);
  }
  std::vector<Support> rows;
  for (const spec::OperatorVersion& version : spec::operator_versions) {
    const auto found = by_op.find({version.domain, version.op});
    if (found == by_op.end()) continue;
    const OperatorCases& cases = found->second;
    rows.push_back(
        {spec::qualified_name(version.domain, version.op),
         {opset_ranges(cases.opsets), values_of("x", cases.x, type_name), values_of("scale", cases.scale, type_name),
          values_of("y", cases.y, type_name), values_of("granularity", cases.granularities, granularity_name)}});
    by_op.erase(found);
  }
  return rows;
}

std::string in_words(const Support& support) {
  if (support.is_nothing()) return support.op + ": nothing";
  std::string words = fmt::format("{}: {}", support.op, list_in_words(support, &Support::Values::supported));
  if (const std::string refused = list_in_words(support, &Support::Values::refused); !refused.empty())
    words += ". Not: " + refused;
  return words;
}

}  // namespace touchstone::conformance
