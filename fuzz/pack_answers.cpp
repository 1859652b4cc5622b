// Reads any files as the answers to cases of a pack. Invalid answers must be reported. Only the right outputs without
// further files may pass, or the refusal of a must-reject case. Also reads any bytes as the manifest of a pack. Answers
// are read from real files, which takes most of the target's time; the manifest is read from memory.
#include "fuzz/pack_answers.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <sstream>

#include "conformance/files/tensor_file.h"
#include "conformance/judge/judge.h"
#include "conformance/packs/answers_backend.h"
#include "conformance/packs/manifest.h"
#include "conformance/packs/packed_case.h"
#include "fuzz/directory_input.h"
#include "fuzz/law.h"

using namespace touchstone;
using namespace touchstone::conformance;
namespace fs = std::filesystem;

namespace {

/// The case with two data sets, the second of which repeats the first.
Case twice(Case asked) {
  asked.data_sets.resize(1);
  asked.data_sets.push_back(asked.data_sets.front());
  return asked;
}

bool is_refusal(const fs::path& folder) {
  const auto is_refused = [&](const char* set) { return fs::exists(folder / set / refused_name); };
  return fs::exists(folder / refused_name) || std::ranges::all_of(fuzz::packed_sets, is_refused);
}

bool has_outputs(const fs::path& folder) {
  return std::ranges::any_of(fuzz::packed_sets, [&](const char* set) {
    return fs::exists(folder / set / output_name(0)) || fs::exists(folder / set / output_name(1));
  });
}

/// Whether each data set has y as its only output.
bool is_right(const fs::path& folder, const reference::Tensor& y) {
  if (fs::exists(folder / refused_name)) return false;
  return std::ranges::all_of(fuzz::packed_sets, [&](const char* set) {
    if (fs::exists(folder / set / refused_name) || fs::exists(folder / set / output_name(1))) return false;
    try {
      return fuzz::same(read_tensor_file(folder / set / output_name(0)).value, y);
    } catch (const FileError&) {
      return false;
    }
  });
}

void judge_answers(const Case& asked, const fs::path& directory) {
  const std::vector<ReferenceOutcome> interpreted = interpret(asked);
  AnswersBackend backend(directory);
  const Unit unit{asked.id, asked.model.bytes, {asked.data_sets[0].inputs, asked.data_sets[1].inputs}};
  const Judgement judgement = judge(asked, interpreted, backend.run(unit), {.strict = true});
  const reference::Result* result = interpreted.front().outcome.result();
  const fs::path folder = directory / pack_path(asked.id, result == nullptr);
  const bool passes = result != nullptr ? is_right(folder, result->y) : is_refusal(folder) && !has_outputs(folder);
  fuzz::require(is_pass(judgement.verdict) == passes, "what passes are the right outputs, or a refusal, and only they");
}

void read_manifest(const std::string& content) {
  static const std::vector<PlannedCase> plan{fuzz::packed_case(), fuzz::packed_illegal_case()};
  ManifestReader manifest(std::make_unique<std::istringstream>(content), "input");
  if (manifest.pack().run.cases == plan.size()) check_manifest(manifest, plan, {});
  while (manifest.next()) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::array asked{twice(fuzz::packed_case().read()), twice(fuzz::packed_illegal_case().read())};
  static const std::vector<std::string> paths = fuzz::paths_of_answers();
  static fuzz::KeptDirectory directory;
  const fuzz::Files files = fuzz::files_of(data, size, paths);
  try {
    if (const auto manifest = files.find(std::string(manifest_name)); manifest != files.end())
      read_manifest(manifest->second);
    if (files.size() <= files.count(std::string(manifest_name))) return 0;
    directory.become(files);
    for (const Case& one : asked) judge_answers(one, directory.path());
  } catch (const FileError&) {
    return 0;
  }
  return 0;
}
