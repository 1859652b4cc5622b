#include "conformance/run/reproducer.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/files/file_error.h"
#include "conformance/files/output_file.h"
#include "conformance/files/test_directory.h"

namespace touchstone::conformance {

namespace {

/// The maximum length of an id in a message.
constexpr std::size_t longest_quoted = 1000;

/// Whether the operands of the element are among these codes.
bool is_covered(const WrongElement& wrong, const CodeIntervals& codes) {
  return std::ranges::all_of(codes, [&](const CodeInterval& row) {
    const auto& element = row.operand == Operand::x       ? wrong.x
                          : row.operand == Operand::scale ? wrong.scale
                                                          : wrong.zero_point;
    return element && element->type == row.type && row.first <= element->code && element->code <= row.last;
  });
}

}  // namespace

void for_each_file(const Case& written, const std::vector<ReferenceOutcome>& interpreted, const OnFile& on_file) {
  const auto tensor = [&](TestFile::Kind kind, const std::filesystem::path& path, const Tensor& value,
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
    const Outcome& outcome = interpreted[i].outcome;
    const auto output = [&](std::size_t number, const Tensor& value) {
      tensor(TestFile::Kind::expected, set / fmt::format("output_{}.pb", number), value,
             written.model.graph_outputs[number]);
    };
    if (!data.expected.empty()) {
      for (std::size_t k = 0; k < data.expected.size(); ++k) output(k, data.expected[k].value);
    } else if (const Result* result = outcome.result()) {
      output(0, result->y);
      for (std::size_t k = 0; k < result->further.size(); ++k) output(k + 1, result->further[k].value);
    } else {
      on_file({TestFile::Kind::expected, set / must_reject_name,
               fmt::format("{}: {}\n{}\n", outcome.rejection()->clause->id, outcome.rejection()->reason,
                           outcome.rejection()->clause->sentence)});
    }
  }
}

void write_reproducer(const std::filesystem::path& directory, const Case& written, const std::filesystem::path& below) {
  for_each_file(written, interpret(written),
                [&](const TestFile& file) { write_file_below(directory, below / file.path, file.content); });
}

Case reproduction(const PlannedCase& planned, const CaseRecord& record) {
  const ValueSpace* space = planned.value_space();
  if (space == nullptr || record.wrong_elements.empty()) return planned.read();
  std::vector<ChosenElement> elements;
  for (const WrongElement& wrong : record.wrong_elements.unpacked()) {
    if (!is_covered(wrong, space->codes))
      throw FileError(printable(planned.id, longest_quoted),
                      fmt::format("wrong_elements: element {} is none of this case; somebody has changed the journal",
                                  wrong.index));
    elements.push_back({wrong.x->code, wrong.scale->code, wrong.zero_point->code});
  }
  return space->reduce(elements);
}

std::filesystem::path reproducer_path(const std::string& id) {
  std::filesystem::path path;
  for (const std::filesystem::path& part : std::filesystem::path(id))
    if (part != ".." && part != "." && !part.has_root_path()) path /= part;
  return path;
}

}  // namespace touchstone::conformance
