#include "conformance/causes/support.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

#include "conformance/generate/form.h"

namespace touchstone::conformance {

namespace {

/// Whether a case with the value was answered, by the number of the value.
using Answered = std::map<int, bool>;

struct OperatorCases {
  Answered opsets, x, scale, y, granularities;

  void add(const CaseRecord& record, bool is_answered) {
    opsets[record.subject.opset] |= is_answered;
    for (const Cell& cell : record.cells) {
      x[static_cast<int>(cell.x)] |= is_answered;
      scale[static_cast<int>(cell.scale)] |= is_answered;
      y[static_cast<int>(cell.y)] |= is_answered;
      granularities[static_cast<int>(cell.granularity)] |= is_answered;
    }
  }
};

/// Whether the backend answered or refused a legal case, so that it shows what the backend supports.
bool shows_support(const CaseRecord& record) {
  if (record.declined || record.cells.empty() || !record.subject) return false;
  return is_answered(record) || record.verdict == Verdict::rejects_valid;
}

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

/// Opsets that follow each other among the asked ones.
struct Range {
  int first;
  int last;
  bool is_answered;
};

std::vector<Range> ranges_of(const Answered& opsets) {
  std::vector<Range> ranges;
  for (const auto& [opset, is_answered] : opsets)
    if (!ranges.empty() && ranges.back().is_answered == is_answered)
      ranges.back().last = opset;
    else
      ranges.push_back({opset, opset, is_answered});
  return ranges;
}

Support::Values opset_values(const Answered& opsets) {
  Support::Values values{"opset", {}, {}};
  for (const auto& [first, last, is_answered] : ranges_of(opsets))
    (is_answered ? values.supported : values.refused)
        .push_back(last == first ? std::to_string(last) : fmt::format("{} to {}", first, last));
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

bool is_answered(const CaseRecord& record) {
  const bool has_output =
      record.verdict == Verdict::pass || record.verdict == Verdict::pass_variant || record.verdict == Verdict::fail;
  return has_output && !record.must_reject();
}

std::vector<Support> find_support(std::span<const CaseRecord> records) {
  std::map<std::pair<std::string_view, spec::Operator>, OperatorCases> by_op;
  for (const CaseRecord& record : records)
    if (shows_support(record))
      by_op[{record.subject.version->domain, record.subject.version->op}].add(record, is_answered(record));
  std::vector<Support> rows;
  for (const spec::OperatorVersion& version : spec::operator_versions) {
    const auto found = by_op.find({version.domain, version.op});
    if (found == by_op.end()) continue;
    const OperatorCases& cases = found->second;
    rows.push_back(
        {spec::qualified_name(version.domain, version.op),
         {opset_values(cases.opsets), values_of("x", cases.x, type_name), values_of("scale", cases.scale, type_name),
          values_of("y", cases.y, type_name), values_of("granularity", cases.granularities, granularity_name)}});
    by_op.erase(found);
  }
  return rows;
}

Capabilities find_limits(std::span<const CaseRecord> records) {
  Answered types, symbolic_dimensions, variable_scales;
  std::map<std::string_view, Answered> opsets;
  for (const CaseRecord& record : records) {
    if (!shows_support(record)) continue;
    const bool answered = is_answered(record);
    opsets[record.subject.version->domain][record.subject.opset] |= answered;
    for (const Cell& cell : record.cells)
      for (const spec::ElementType type : {cell.x, cell.scale, cell.y})
        types[static_cast<int>(spec::tensor_type(type))] |= answered;
    if (const Form* form = find_form(record.form)) {
      symbolic_dimensions[form->dimensions == Dimensions::symbolic ? 1 : 0] |= answered;
      variable_scales[form->parameters == Source::graph_input ? 1 : 0] |= answered;
    }
  }
  const auto is_refused = [](const auto& row) { return !row.second; };
  Capabilities limits;
  if (std::ranges::all_of(types, is_refused)) return limits;
  const auto is_never_answered = [](const Answered& forms) { return forms.contains(1) && !forms.at(1); };
  limits.static_shapes_only = is_never_answered(symbolic_dimensions);
  limits.constant_scales_only = is_never_answered(variable_scales);
  if (std::ranges::any_of(types, is_refused))
    for (const auto& [type, answered] : types)
      if (answered) limits.element_types.push_back(type);
  const bool has_refused_opset =
      std::ranges::any_of(opsets, [&](const auto& row) { return std::ranges::any_of(row.second, is_refused); });
  if (!has_refused_opset) return limits;
  for (const auto& [domain, numbers] : opsets)
    for (const auto& [first, last, is_answered] : ranges_of(numbers))
      if (is_answered) limits.opsets.push_back({std::string(domain), first, last});
  return limits;
}

std::string in_words(const Support& support) {
  if (support.is_nothing()) return support.op + ": nothing";
  std::string words = fmt::format("{}: {}", support.op, list_in_words(support, &Support::Values::supported));
  if (const std::string refused = list_in_words(support, &Support::Values::refused); !refused.empty())
    words += ". Not: " + refused;
  return words;
}

}  // namespace touchstone::conformance
