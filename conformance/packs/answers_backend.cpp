#include "conformance/packs/answers_backend.h"

#include <fmt/format.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <utility>

#include "conformance/files/file_io.h"
#include "conformance/files/limits.h"
#include "conformance/files/test_directory.h"
#include "conformance/packs/layout.h"
#include "conformance/packs/manifest.h"

namespace touchstone::conformance {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t longest_text = 64 << 10;

/// Whether there is something at `below`, without following a symbolic link on the way from `root`: who can write
/// answers cannot have other files read. Throws FileError if there is one.
bool is_there(const fs::path& root, const fs::path& below) {
  fs::path path = root;
  for (const fs::path& part : below) {
    path /= part;
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    if (status.type() == fs::file_type::not_found) return false;
    if (error) throw FileError(path.string(), error.message());
    if (fs::is_symlink(status))
      throw FileError(path.string(), "a symbolic link, which is not followed: put the file itself there");
  }
  return true;
}

/// Its first line, printable.
std::string reason_in(const fs::path& path) {
  const std::string text = read_bounded_file(path, longest_text);
  const std::string line = text.substr(0, text.find_first_of("\r\n"));
  return line.empty() ? "refused without a reason" : printable(line, longest_text);
}

class Reader {
 public:
  Reader(const fs::path& root, fs::path below) : root_(root), below_(std::move(below)) {}

  UnitAnswer read(std::size_t data_sets) const {
    if (is_there(root_, below_ / refused_name)) {
      for (std::size_t i = 0; i < data_sets; ++i)
        if (count_outputs(below_ / data_set_name(i)) > 0)
          throw FileError((root_ / below_ / refused_name).string(),
                          fmt::format("says that the model was refused, but {} has outputs", data_set_name(i)));
      return Refusal{reason_in(root_ / below_ / refused_name)};
    }
    std::vector<Answer> answers;
    for (std::size_t i = 0; i < data_sets; ++i) answers.push_back(answer(below_ / data_set_name(i)));
    return answers;
  }

 private:
  Answer answer(const fs::path& set) const {
    const bool refused = is_there(root_, set / refused_name);
    const std::size_t outputs = count_outputs(set);
    if (refused && outputs > 0)
      throw FileError((root_ / set / refused_name).string(), "says that the data set was refused, but it has outputs");
    if (refused) return Refusal{reason_in(root_ / set / refused_name)};
    if (outputs == 0)
      return Breakdown{Breakdown::Kind::absent, fmt::format("no answer: {} and {} are not in {}", output_name(0),
                                                            refused_name, (root_ / set).string())};
    Outputs tensors;
    for (std::size_t k = 0; k < outputs; ++k) {
      const fs::path path = set / output_name(k);
      if (!is_there(root_, path))
        throw FileError((root_ / path).string(), "missing, though there are outputs of other numbers");
      tensors.push_back({"", read_tensor_file(root_ / path).value});
    }
    return tensors;
  }

  std::size_t count_outputs(const fs::path& set) const {
    if (!is_there(root_, set)) return 0;
    std::size_t count = 0;
    std::error_code error;
    for (fs::directory_iterator entry(root_ / set, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      if (name.starts_with("output_") && name.ends_with(".pb")) ++count;
    }
    if (error) throw FileError((root_ / set).string(), "cannot be read as a directory: " + error.message());
    if (count > limits::files_per_data_set)
      throw FileError((root_ / set).string(),
                      fmt::format("{} outputs; the limit is {}", count, limits::files_per_data_set));
    return count;
  }

  const fs::path& root_;
  const fs::path below_;
};

BackendIdentity identity_in(const fs::path& answers) {
  if (!is_there(answers, answering_backend_name)) return {"answers", "", "outputs that were read from files"};
  std::istringstream lines(read_bounded_file(answers / answering_backend_name, longest_text));
  const auto next = [&] {
    std::string line;
    std::getline(lines, line);
    if (line.ends_with('\r')) line.pop_back();
    return printable(line, longest_text);
  };
  BackendIdentity identity;
  identity.name = next();
  identity.version = next();
  identity.description = next();
  if (identity.name.empty())
    throw FileError((answers / answering_backend_name).string(),
                    "its first line is empty: name the backend there, its version and a description below");
  return identity;
}

}  // namespace

AnswersBackend::AnswersBackend(fs::path answers) : answers_(std::move(answers)) {
  std::error_code error;
  if (!fs::is_directory(answers_, error))
    throw FileError(answers_.string(), error ? error.message() : "not a directory");
  if (is_there(answers_, manifest_name) && read_manifest(answers_).with_outputs)
    throw FileError(answers_.string(),
                    "a pack with expected outputs, which would be taken for answers: put the answers into a directory "
                    "of their own, or export the pack with --without-outputs");
  identity_ = identity_in(answers_);
}

UnitAnswer AnswersBackend::run(const Unit& unit) try {
  const std::string id(unit.case_id);
  for (const bool must_reject : {false, true})
    if (const fs::path below = pack_path(id, must_reject); is_there(answers_, below))
      return Reader(answers_, below).read(unit.inputs.size());
  return Breakdown{Breakdown::Kind::absent,
                   fmt::format("no answer: neither {} nor {} is there", (answers_ / pack_path(id, false)).string(),
                               (answers_ / pack_path(id, true)).string())};
} catch (const FileError& error) {
  return Breakdown{Breakdown::Kind::protocol, error.what()};
}

}  // namespace touchstone::conformance
