#include "conformance/session/reproducers.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/files/file_io.h"
#include "conformance/files/json_text.h"
#include "conformance/files/output_file.h"
#include "conformance/files/text.h"
#include "conformance/report/details.h"
#include "conformance/report/problems.h"
#include "conformance/report/replay_line.h"
#include "conformance/run/reproducer.h"

namespace touchstone::conformance {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view mark_name = "written-by-touchstone.txt";
constexpr std::uint64_t longest_mark = 10'000;

/// Contains the path of the directory, so that the mark is not valid for a copy that a user works on.
std::string mark_of(const fs::path& place) {
  return fmt::format("touchstone run wrote this directory, and the next run into the same output removes it.\n{}\n",
                     place.string());
}

bool is_marked(const fs::path& root, const fs::path& place) {
  try {
    return read_bounded_file(root / place / mark_name, longest_mark) == mark_of(place);
  } catch (const FileError&) {
    return false;
  }
}

/// Whether runs write a file with this path to a reproducer's directory. Includes files that a killed run left
/// incomplete.
bool is_name_of_runs(const fs::path& file) {
  static const std::regex names(
      R"((model\.onnx|output\.txt|replay\.txt|show\.py|written-by-touchstone\.txt|)"
      R"(test_data_set_\d+/(input_\d+\.pb|output_\d+\.pb|must_reject\.txt|repeats\.txt))(\.\d+\.part)?)");
  return std::regex_match(file.string(), names);
}

bool was_written_by_run(const fs::path& root, const fs::directory_entry& entry) {
  if (!fs::is_regular_file(entry.symlink_status())) return false;
  const fs::path file = entry.path().lexically_relative(root);
  for (const fs::path& place : {file.parent_path(), file.parent_path().parent_path()})
    if (is_name_of_runs(file.lexically_relative(place)) && is_marked(root, place)) return true;
  return false;
}

struct Found {
  std::vector<fs::path> of_runs;
  std::vector<fs::path> others;
};

Found look_through(const fs::path& root) {
  Found found;
  if (fs::is_symlink(fs::symlink_status(root))) {
    found.others.push_back(root);
    return found;
  }
  if (!fs::exists(root)) return found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root))
    if (!fs::is_directory(entry.symlink_status()))
      (was_written_by_run(root, entry) ? found.of_runs : found.others).push_back(entry.path());
  // Deeper files come first, and the mark last: if the removal is interrupted, the remaining files still have a mark.
  const auto turn = [](const fs::path& path) {
    return std::pair(-std::distance(path.begin(), path.end()), path.filename() == mark_name);
  };
  std::sort(found.of_runs.begin(), found.of_runs.end(),
            [&](const fs::path& a, const fs::path& b) { return turn(a) < turn(b); });
  std::sort(found.others.begin(), found.others.end());
  return found;
}

/// The cause of a case; null if it has none.
const Cause* cause_of(const Summary& summary, std::size_t index) {
  const auto found = std::ranges::find_if(
      summary.causes, [&](const Cause& cause) { return std::ranges::binary_search(cause.cases, index); });
  return found != summary.causes.end() ? &*found : nullptr;
}

/// What is wrong, in one line: an element, or the message.
std::string evidence(const CaseRecord& record) {
  return record.wrong_elements.empty() ? displayed_line(fmt::format("{}: {}", name(record.verdict), *record.reason))
                                       : element_in_words(record.wrong_elements.front());
}

/// A Python program that needs only onnx. It shows the model, its data, and what the backend gave. Its first two
/// comments say what the backend does and for which cases, and an element that shows it.
std::string show_program(const CaseRecord& record, const Cause* cause) {
  std::string what = cause != nullptr ? "The backend " + cause->sentence : "The cause is not known";
  if (cause != nullptr && !cause->where.empty()) what += fmt::format("; where: {}", cause->where);
  std::string program = fmt::format("# {}.\n# {}\n", displayed_line(what), evidence(record));
  program += R"(import pathlib

import onnx
import onnx.printer
from onnx import numpy_helper

directory = pathlib.Path(__file__).parent
model = onnx.load(directory / "model.onnx")
print(onnx.printer.to_text(model))
for path in sorted(directory.glob("test_data_set_*/*.pb")):  # output_0.pb is the expected output
    tensor = onnx.load_tensor(path)
    print(path.relative_to(directory), onnx.helper.tensor_dtype_to_string(tensor.data_type), list(tensor.dims))
    print(numpy_helper.to_array(tensor))
)";
  if (record.wrong_elements.empty()) program += fmt::format("print({})\n", Json(evidence(record)).dump());
  for (const WrongElement& wrong : record.wrong_elements.unpacked())
    program += fmt::format("print({})\n", Json(element_in_words(wrong)).dump());
  return program;
}

/// Writes the files of a reproducer below the directory; `replay` are lines of replay.txt.
void write_files(const fs::path& directory, const fs::path& place, const Case& written, const CaseRecord& record,
                 const Cause* cause, std::string_view replay) {
  const auto write = [&](std::string_view name, std::string_view content) {
    write_file_below(directory, place / name, content);
  };
  write_reproducer(directory, written, place);
  write("replay.txt", replay);
  write("show.py", show_program(record, cause));
  if (!record.output.empty()) write("output.txt", record.output);
}

/// The command that runs a case again, and the result as a comment.
std::string replay_lines(const RunInfo& run, const std::string& id, const CaseRecord& record) {
  return fmt::format("{}\n# {}: {}\n", replay_line(run, id), name(record.verdict), displayed_line(reason_text(record)));
}

/// The same for a shrunk case, which is read from a directory in `root`, and the command for the whole case.
std::string replay_lines(const RunInfo& run, const fs::path& root, const fs::path& place, const Shrunk& shrunk) {
  RunInfo own = run;
  own.data = fs::absolute(root).lexically_normal().string();
  return fmt::format("{}# shrunk by {} calls of the backend from\n# {}\n",
                     replay_lines(own, "onnx/" + place.generic_string(), shrunk.record), shrunk.calls,
                     replay_line(run, shrunk.record.id));
}

}  // namespace

fs::path reproducers_in(const fs::path& directory) { return directory / "reproducers"; }

std::map<std::size_t, const Cause*> first_reproducers(std::span<const CaseRecord> records, const Summary& summary,
                                                      std::size_t most) {
  std::map<std::size_t, const Cause*> first;
  for (const CaseRecord* record : choose_problems(summary, records, most).shown) {
    const auto index = static_cast<std::size_t>(record - records.data());
    const Cause* cause = cause_of(summary, index);
    if (cause != nullptr && *record->id == cause->example) first.emplace(index, cause);
  }
  return first;
}

void write_reproducers(const fs::path& directory, const RunInfo& run, std::span<const PlannedCase> cases,
                       std::span<const CaseRecord> records, const Summary& summary, std::size_t most,
                       const ShrunkCases& shrunk) {
  for (const CaseRecord* record : choose_problems(summary, records, most).shown) {
    if (record->answer_class() == AnswerClass::undecided) continue;  // there is no failure to reproduce
    const fs::path name = reproducer_path(record->id);
    const fs::path place = reproducers_in("") / name;
    const auto index = static_cast<std::size_t>(record - records.data());
    const Cause* cause = cause_of(summary, index);
    // The mark comes first: only files in a marked directory, with a name that runs use, are ever removed.
    write_file_below(directory, place / mark_name, mark_of(name));
    if (const auto found = shrunk.find(index); found != shrunk.end() && found->second.is_smaller)
      write_files(directory, place, found->second.smallest, found->second.record, cause,
                  replay_lines(run, reproducers_in(directory), name, found->second));
    else
      write_files(directory, place, reproduction(cases[index], *record), *record, cause,
                  replay_lines(run, record->id, *record));
  }
}

void write_shrunk(const fs::path& directory, const RunInfo& run, const Shrunk& shrunk, const Cause& cause) {
  const fs::path whole = fs::absolute(directory).lexically_normal();
  const fs::path place = whole.has_filename() ? whole : whole.parent_path();
  const std::string replay = shrunk.is_smaller ? replay_lines(run, place.parent_path(), place.filename(), shrunk)
                                               : replay_lines(run, shrunk.record.id, shrunk.record);
  write_files(directory, "", shrunk.smallest, shrunk.record, &cause, replay);
}

void check_reproducers(const fs::path& directory) try {
  const Found found = look_through(reproducers_in(directory));
  if (!found.others.empty())
    throw FileError(found.others.front().string(),
                    "no run wrote this, and a run would write its reproducers next to it: move it elsewhere, or choose "
                    "another directory");
} catch (const fs::filesystem_error& error) {
  throw FileError(reproducers_in(directory).string(), error.code().message());
}

void remove_reproducers(const fs::path& directory) try {
  const fs::path root = reproducers_in(directory);
  for (const fs::path& file : look_through(root).of_runs) {
    fs::remove(file);
    for (fs::path left = file.parent_path(); left != root.parent_path() && fs::is_empty(left);
         left = left.parent_path())
      fs::remove(left);
  }
} catch (const fs::filesystem_error& error) {
  throw FileError(reproducers_in(directory).string(), "cannot be removed: " + error.code().message());
}

}  // namespace touchstone::conformance
