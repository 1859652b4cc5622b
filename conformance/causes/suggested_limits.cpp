#include "conformance/causes/suggested_limits.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/generate/form.h"

namespace touchstone::conformance {

namespace {

/// Whether a case with the value was answered, by the number of the value.
using Answered = std::map<int, bool>;

/// Whether the backend answered or refused a legal case, so that it shows what the backend supports.
bool shows_support(const CaseRecord& record) {
  if (record.declined || record.cells.empty() || !record.subject) return false;
  return is_answered(record) || record.verdict == Verdict::rejects_valid;
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

}  // namespace

bool is_answered(const CaseRecord& record) {
  const bool has_output =
      record.verdict == Verdict::pass || record.verdict == Verdict::pass_variant || record.verdict == Verdict::fail;
  return has_output && !record.must_reject();
}

Capabilities find_limits(std::span<const CaseRecord> records) {
  Answered types, symbolic_dimensions, variable_scales;
  std::map<std::string_view, Answered> opsets;
  for (const CaseRecord& record : records) {
    if (!shows_support(record)) continue;
    const bool answered = is_answered(record);
    opsets[record.subject.version->domain][record.subject.opset] |= answered;
    for (const Cell& cell : record.cells)
      for (const ElementType type : {cell.x, cell.scale, cell.y})
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

}  // namespace touchstone::conformance
