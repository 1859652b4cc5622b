#include "conformance/packs/answers_backend.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "conformance/files/case_size.h"
#include "conformance/files/limits.h"
#include "conformance/files/message.h"
#include "conformance/files/test_directory.h"
#include "conformance/packs/layout.h"
#include "conformance/packs/manifest.h"
#include "conformance/plan/planned_case.h"

namespace touchstone::conformance {

namespace fs = std::filesystem;

namespace {

/// The first line of a refused.txt, printable.
std::string reason_in(const std::string& text) {
  const std::string line = text.substr(0, text.find_first_of("\r\n"));
  return line.empty() ? "refused without a reason" : printable(line, limits().answer_text_bytes);
}

class Reader {
 public:
  Reader(const RootedDirectory& answers, fs::path below) : answers_(answers), below_(std::move(below)) {}

  UnitAnswer read(std::size_t data_sets) {
    if (const auto refused = answers_.read(below_ / refused_name, limits().answer_text_bytes)) {
      for (std::size_t i = 0; i < data_sets; ++i)
        if (count_outputs(below_ / data_set_name(i)) > 0)
          throw FileError(shown(below_ / refused_name),
                          fmt::format("says that the model was refused, but {} has outputs", data_set_name(i)));
      return Refusal{reason_in(*refused)};
    }
    std::vector<Answer> answers;
    for (std::size_t i = 0; i < data_sets; ++i) answers.push_back(answer(below_ / data_set_name(i)));
    return answers;
  }

 private:
  std::string shown(const fs::path& below) const { return (answers_.path() / below).string(); }

  Answer answer(const fs::path& set) {
    const auto refused = answers_.read(set / refused_name, limits().answer_text_bytes);
    const std::size_t outputs = count_outputs(set);
    if (refused && outputs > 0)
      throw FileError(shown(set / refused_name), "says that the data set was refused, but it has outputs");
    if (refused) return Refusal{reason_in(*refused)};
    if (outputs == 0)
      return Breakdown{Breakdown::Kind::absent,
                       fmt::format("no answer: {} and {} are not in {}", output_name(0), refused_name, shown(set))};
    Outputs tensors;
    for (std::size_t k = 0; k < outputs; ++k) {
      const fs::path path = set / output_name(k);
      const auto bytes = answers_.read(path, limits().file_bytes);
      if (!bytes) throw FileError(shown(path), "missing, although there are outputs with other numbers");
      onnx::TensorProto proto;
      parse_message(proto, *bytes, shown(path));
      tensors.push_back({"", to_tensor(proto, shown(path))});
      size_.add(tensors.back().value, shown(path));
    }
    return tensors;
  }

  std::size_t count_outputs(const fs::path& set) const {
    const std::vector<std::string> names = answers_.names_in(set);
    const auto count = static_cast<std::size_t>(std::ranges::count_if(
        names, [](const std::string& name) { return name.starts_with("output_") && name.ends_with(".pb"); }));
    if (count > limits().files_per_data_set)
      throw FileError(shown(set), fmt::format("{} outputs; the limit is {}", count, limits().files_per_data_set));
    return count;
  }

  const RootedDirectory& answers_;
  const fs::path below_;
  CaseSize size_;
};

BackendIdentity identity_in(const RootedDirectory& answers) {
  const auto text = answers.read(answering_backend_name, limits().answer_text_bytes);
  if (!text) return {"answers", "", "outputs that were read from files"};
  std::istringstream lines(*text);
  const auto next = [&] {
    std::string line;
    std::getline(lines, line);
    if (line.ends_with('\r')) line.pop_back();
    return printable(line, limits().answer_text_bytes);
  };
  BackendIdentity identity;
  identity.name = next();
  identity.version = next();
  identity.description = next();
  if (identity.name.empty())
    throw FileError((answers.path() / answering_backend_name).string(),
                    "its first line is empty: write the backend's name there, and its version and a description below");
  return identity;
}

}  // namespace

AnswersBackend::AnswersBackend(const fs::path& answers) : answers_(answers), identity_(identity_in(answers_)) {
  if (answers_.has(manifest_name) && ManifestReader(answers_).pack().with_outputs)
    throw FileError(
        answers.string(),
        "a pack with expected outputs, which would be mistaken for answers: put the answers into a directory "
        "of their own, or export the pack with --without-outputs");
}

UnitAnswer AnswersBackend::run(const Unit& unit) try {
  const std::string id(unit.case_id);
  std::vector<std::string> missing;
  for (const bool must_reject : {false, true}) {
    const fs::path below = pack_path(id, must_reject);
    if (answers_.has(below)) return Reader(answers_, below).read(unit.inputs.size());
    missing.push_back((answers_.path() / below).string());
  }
  if (id.starts_with(control_prefix))
    return Breakdown{Breakdown::Kind::absent, fmt::format("no answer: {} does not exist", missing.front())};
  return Breakdown{Breakdown::Kind::absent,
                   fmt::format("no answer: neither {} nor {} exists", missing.front(), missing.back())};
} catch (const FileError& error) {
  return Breakdown{Breakdown::Kind::protocol, error.what()};
}

}  // namespace touchstone::conformance
