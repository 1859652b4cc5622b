// Any files as the answers to a case of a pack: what cannot be taken for an answer is said to be so, and the judge says
// something of every answer. And any bytes as the manifest of a pack. Answers are read from the system's files, which
// is what the target does most of the time; the manifest is not.
#include "fuzz/pack_answers.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "conformance/judge/judge.h"
#include "conformance/packs/answers_backend.h"
#include "conformance/packs/manifest.h"
#include "fuzz/directory_input.h"
#include "fuzz/small_plan.h"

using namespace touchstone;
using namespace touchstone::conformance;

namespace {

/// Of two data sets, the second as the first.
Case asked_case() {
  Case asked = fuzz::small_plan().front().read();
  asked.data_sets.resize(1);
  asked.data_sets.push_back(asked.data_sets.front());
  return asked;
}

void read_answers(const std::filesystem::path& directory) {
  static const Case asked = asked_case();
  static const std::vector<Interpreted> interpreted = interpret(asked);
  AnswersBackend backend(directory);
  const Unit unit{asked.id, asked.model.bytes, {asked.data_sets[0].inputs, asked.data_sets[1].inputs}};
  judge(asked, interpreted, backend.run(unit));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<std::string> paths = fuzz::paths_of_answers(fuzz::small_plan().front().id);
  static fuzz::KeptDirectory directory;
  fuzz::Files files = fuzz::files_of(data, size, paths);
  try {
    if (const auto manifest = files.extract(paths.front())) parse_manifest(manifest.mapped(), "input");
    if (files.empty()) return 0;
    directory.become(std::move(files));
    read_answers(directory.path());
  } catch (const FileError&) {
    return 0;
  }
  return 0;
}
