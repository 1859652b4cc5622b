#include "conformance/run/reproducer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "conformance/files/output_file.h"
#include "conformance/files/test_directory.h"

namespace touchstone::conformance {

namespace {

using Cluster = std::tuple<Verdict, const spec::OperatorVersion*, std::optional<spec::ElementType>,
                           std::optional<spec::Granularity>, std::string_view>;

Cluster cluster_of(const CaseRecord& record) {
  const auto* version = record.subject ? record.subject->version : nullptr;
  const auto type = record.subject ? std::optional(record.subject->quantized_type) : std::nullopt;
  const auto granularity = record.cells.empty() ? std::nullopt : std::optional(record.cells.front().granularity);
  return {record.verdict, version, type, granularity, record.violated};
}

/// Whether the case is neither wrong nor refused.
bool has_no_reproducer(const CaseRecord& record) {
  return record.answer_class() != AnswerClass::wrong && record.answer_class() != AnswerClass::refused;
}

}  // namespace

void for_each_file(const Case& written, const std::vector<ReferenceOutcome>& interpreted, const OnFile& on_file) {
  const auto tensor = [&](TestFile::Kind kind, const std::filesystem::path& path, const reference::Tensor& value,
                          const std::string& name) {
    on_file({kind, path, tensor_file_content(value, name)});
  };
  on_file({TestFile::Kind::input, "model.onnx", written.model.bytes});
  for (std::size_t i = 0; i < written.data_sets.size(); ++i) {
    const DataSet& data = written.data_sets[i];
    const std::filesystem::path set = data_set_name(i);
    for (std::size_t k = 0; k < data.inputs.size(); ++k)
      tensor(TestFile::Kind::input, set / fmt::format("input_{}.pb", k), data.inputs[k].value, data.inputs[k].name);
    if (data.repeats)
      on_file({TestFile::Kind::input, set / repeats_name,
               fmt::format(
                   "{0}\nThe inputs are those of test_data_set_{0}: the outputs must be the same to the last bit.\n",
                   *data.repeats)});
    const reference::Outcome& outcome = interpreted[i].outcome;
    if (!data.expected.empty())
      tensor(TestFile::Kind::expected, set / "output_0.pb", data.expected.front().value, data.expected.front().name);
    else if (const reference::Result* result = outcome.result())
      tensor(TestFile::Kind::expected, set / "output_0.pb", result->y, written.model.graph_outputs.front());
    else
      on_file({TestFile::Kind::expected, set / must_reject_name,
               fmt::format("{}: {}\n{}\n", outcome.rejection()->clause->id, outcome.rejection()->reason,
                           outcome.rejection()->clause->sentence)});
  }
}

void write_reproducer(const std::filesystem::path& directory, const Case& written, const std::filesystem::path& below) {
  for_each_file(written, interpret(written),
                [&](const TestFile& file) { write_file_below(directory, below / file.path, file.content); });
}

Case reproduction(const PlannedCase& planned, const CaseRecord& record) {
  if (!planned.reduce || record.wrong_elements.empty()) return planned.read();
  std::vector<ChosenElement> elements;  // the reference knows a reducible case to be legal, so all operands are there
  for (const WrongElement& wrong : record.wrong_elements)
    elements.push_back({wrong.x.value().code, wrong.scale.value().code, wrong.zero_point.value().code});
  return planned.reduce(elements);
}

std::vector<std::size_t> choose_reproducers(std::span<const CaseRecord> records, std::size_t most) {
  std::map<Cluster, std::size_t> seen;
  // For each failure: how many of its cluster precede it, and its index.
  std::vector<std::pair<std::size_t, std::size_t>> by_turn;
  for (std::size_t i = 0; i < records.size(); ++i)
    if (!has_no_reproducer(records[i])) by_turn.emplace_back(seen[cluster_of(records[i])]++, i);
  std::stable_sort(by_turn.begin(), by_turn.end());
  std::vector<std::size_t> chosen;
  for (const auto& [turn, place] : by_turn)
    if (chosen.size() < most) chosen.push_back(place);
  return chosen;
}

std::filesystem::path reproducer_path(const std::string& id) {
  std::filesystem::path path;
  for (const std::filesystem::path& part : std::filesystem::path(id))
    if (part != ".." && part != "." && !part.has_root_path()) path /= part;
  return path;
}

}  // namespace touchstone::conformance
