#include "conformance/check/doubts.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "conformance/check/overview.h"
#include "conformance/diagnose/hypotheses.h"
#include "conformance/plan/number.h"
#include "spec/ambiguities.h"

namespace touchstone::conformance {

namespace {

/// The right parts that contradict a hypothesis or a reading; null if they were not sought.
const Contradictions* contradictions_of(const JudgedParts& judged, const std::string& hypothesis) {
  const auto row = std::ranges::find(judged.contradictions, hypothesis, &Contradictions::hypothesis);
  return row == judged.contradictions.end() ? nullptr : &*row;
}

/// The hypothesis that no right node or unit contradicts, and the fewest windows do, where a runtime may have other
/// kernels; of those, the first one. Null if there is none.
const Contradictions* likeliest(const JudgedParts& judged, const std::vector<std::string>& hypotheses) {
  const Contradictions* found = nullptr;
  for (const std::string& name : hypotheses)
    if (const Contradictions* row = contradictions_of(judged, name);
        row != nullptr && (found == nullptr || row->cases.size() < found->cases.size()) &&
        std::ranges::all_of(row->cases, [](const std::string& id) { return id.find("/window/") != std::string::npos; }))
      found = row;
  return found;
}

/// The products in a part.
std::set<std::string_view> products_of(const ModelParts& parts, std::size_t number) {
  std::set<std::string_view> found;
  for (const std::size_t index : parts.part(number).nodes)
    if (const std::string& op = parts.model().proto().graph().node(static_cast<int>(index)).op_type();
        !op.empty() && std::ranges::count(spec::FactorPrecision::row.applies.others, op) > 0)
      found.insert(op);
  return found;
}

/// Why a part may be wrong that only another precision of products makes right: a wrong graph gives its results, too,
/// and right parts with the same products contradict that precision. Empty if this is not so.
std::string doubt_about(const JudgedParts& judged, std::size_t number, const ReadingId& reading) {
  const Contradictions* const defect = likeliest(judged, *judged.records[number].hypotheses);
  const Contradictions* const against = contradictions_of(judged, hypothesis_of(reading));
  if (defect == nullptr || against == nullptr) return "";
  const std::set<std::string_view> products = products_of(judged.parts, number);
  const auto has_same = [&](const std::string& id) {
    const auto right = std::ranges::find_if(judged.records, [&](const CaseRecord& record) { return *record.id == id; });
    const std::set<std::string_view> others =
        products_of(judged.parts, static_cast<std::size_t>(right - judged.records.begin()));
    return std::ranges::any_of(others, [&](std::string_view op) { return products.contains(op); });
  };
  const auto contradicting = std::ranges::count_if(against->cases, has_same);
  if (contradicting == 0) return "";
  return fmt::format(
      "; but {} with such a product {} this reading, and a backend that {} gives these results, too{}",
      counted(static_cast<std::size_t>(contradicting), "other right part"),
      contradicting == 1 ? "contradicts" : "contradict", sentence_of(defect->hypothesis),
      defect->cases.empty() ? "" : fmt::format(" (not so in {})", counted(defect->cases.size(), "right part")));
}

}  // namespace

std::vector<std::string> local_explanations(const JudgedParts& judged, std::span<const Cause> causes) {
  constexpr std::size_t fewest_wrong_elements = 2;
  std::map<const Contradictions*, std::vector<const CaseRecord*>> parts;  // by the likeliest hypothesis
  for (const Cause& cause : causes)
    if (cause.is_wrong && cause.name.empty())
      for (const std::size_t place : cause.cases) {
        const CaseRecord& record = judged.records[place];
        if (const Contradictions* row = likeliest(judged, *record.hypotheses)) parts[row].push_back(&record);
      }
  std::vector<std::string> found;
  for (const auto& [row, records] : parts) {
    std::size_t wrong_elements = 0;
    for (const CaseRecord* record : records) wrong_elements += record->wrong_elements.size();
    if (wrong_elements < fewest_wrong_elements) continue;
    const std::string others = records.size() == 1 ? "" : fmt::format(" and {}", counted(records.size() - 1, "other"));
    found.push_back(fmt::format("{}{} alone: as if the backend {} (not so in {})", *records.front()->id, others,
                                sentence_of(row->hypothesis), counted(row->cases.size(), "right part")));
  }
  return found;
}

std::vector<std::string> permitted_readings(const JudgedParts& judged) {
  std::map<std::pair<ReadingId, std::string>, std::size_t> counts;
  for (std::size_t number = 0; number < judged.records.size(); ++number)
    if (judged.records[number].verdict == Verdict::pass_variant)
      for (const ReadingId& reading : judged.records[number].readings)
        ++counts[{reading, doubt_about(judged, number, reading)}];
  std::vector<std::string> sentences;
  for (const auto& [row, count] : counts)
    sentences.push_back(fmt::format("{} {} right by a permitted reading: {}={}{}", with_commas(count),
                                    count == 1 ? "part is" : "parts are", row.first.ambiguity, row.first.reading,
                                    row.second));
  return sentences;
}

}  // namespace touchstone::conformance
