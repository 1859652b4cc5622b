#include "conformance/packs/export.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "conformance/files/file_descriptor.h"
#include "conformance/files/file_error.h"
#include "conformance/files/file_io.h"
#include "conformance/files/output_file.h"
#include "conformance/files/test_directory.h"
#include "conformance/files/threads.h"
#include "conformance/packs/layout.h"
#include "conformance/packs/manifest.h"
#include "conformance/packs/packed_case.h"
#include "conformance/run/journal_lock.h"
#include "conformance/run/reproducer.h"

namespace touchstone::conformance {

namespace fs = std::filesystem;

namespace {

// ---- the directory

constexpr std::string_view unfinished_text =
    "touchstone export is writing a pack here, or was interrupted; the next export replaces the incomplete pack.\n";

/// Whether an entry belongs at the top of a pack. A file that is written atomically has a temporary name until it is
/// complete.
bool is_of_packs(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  const fs::file_status status = entry.symlink_status();
  if (std::find(pack_parts.begin(), pack_parts.end(), name) != pack_parts.end()) return fs::is_directory(status);
  constexpr std::array files{manifest_name, unfinished_name, pack_readme_name};
  return fs::is_regular_file(status) && std::any_of(files.begin(), files.end(), [&](std::string_view file) {
           return name == file || (name.starts_with(std::string(file) + '.') && name.ends_with(".part"));
         });
}

bool is_unfinished(const fs::path& directory) {
  try {
    return read_bounded_file(directory / unfinished_name, unfinished_text.size()) == unfinished_text;
  } catch (const FileError&) {
    return false;
  }
}

void refuse_link(const fs::path& directory) try { refuse_linked_directory(directory); } catch (const FileError& error) {
  throw ExportRefused(error.origin(), error.reason());
}

void check_place(const fs::path& directory, bool overwrite) {
  const auto fail = [&](const std::string& what) { throw ExportRefused(directory.string(), what); };
  if (fs::is_empty(directory)) return;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory))
    if (!is_of_packs(entry))
      throw ExportRefused(entry.path().string(), "not written by touchstone export: choose a new or empty directory");
  if (is_unfinished(directory)) return;
  if (!is_manifest(directory / manifest_name)) fail("is not empty and is not a pack: choose a new or empty directory");
  if (!overwrite) fail("already contains a pack: choose another directory, or replace it with --overwrite");
}

void remove_pack(const fs::path& directory) {
  for (const fs::directory_entry& entry : fs::directory_iterator(directory))
    if (entry.path().filename() != unfinished_name) fs::remove_all(entry.path());
}

/// The directory to which a pack is written. Protects other files in it, and prevents an incomplete pack from being
/// mistaken for a complete one.
class PackDirectory {
 public:
  /// Creates the directory if necessary, and locks it against other exports. Removes the remains of an incomplete
  /// export. Removes a finished pack, with everything in its folders, only with `overwrite`. Throws ExportRefused,
  /// before it removes anything, if the directory contains other files, a finished pack, or a symbolic link that would
  /// be removed.
  static PackDirectory begin(const fs::path& directory, bool overwrite);

  /// Creates a folder below the directory, unless it exists. Throws FileError.
  void make_folder(const fs::path& below) const;

  /// Writes a new file below the directory. Throws FileError, also if it exists.
  void write(const fs::path& below, std::string_view content) const;

  /// Writes the manifest, which completes the pack. Throws FileError.
  void finish(const std::function<void(const Sink&)>& write_manifest) const;

 private:
  PackDirectory(fs::path directory, JournalLock lock) : directory_(std::move(directory)), lock_(std::move(lock)) {}

  fs::path directory_;
  JournalLock lock_;
};

PackDirectory PackDirectory::begin(const fs::path& directory, bool overwrite) try {
  refuse_link(directory);
  fs::create_directories(directory);
  std::optional<JournalLock> lock = JournalLock::take_existing(directory);
  if (!lock) throw ExportRefused(directory.string(), "another export is writing to it: choose another directory");
  remove_partial_files(directory, unfinished_name);
  check_place(directory, overwrite);
  write_file_below(directory, unfinished_name, unfinished_text);
  remove_pack(directory);
  return {directory, *std::move(lock)};
} catch (const fs::filesystem_error& error) {
  if (is_failure_of_device(error.code())) throw FileError(directory.string(), error.code().message());
  throw ExportRefused(directory.string(), error.code().message());
}

void PackDirectory::make_folder(const fs::path& below) const {
  std::error_code error;
  fs::create_directories(directory_ / below, error);
  if (error) throw FileError((directory_ / below).string(), "cannot be created: " + error.message());
}

void PackDirectory::write(const fs::path& below, std::string_view content) const {
  make_folder(below.parent_path());
  const fs::path path = directory_ / below;
  // Does not use write_file_whole: syncing many thousand files would take hours, and incomplete files are detected by
  // the missing manifest.
  FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!file.is_open()) throw FileError(path.string(), std::string("cannot be created: ") + std::strerror(errno));
  write_parts_to(std::move(file), path, Durability::flushed, [&](const Sink& sink) { sink(content); });
}

void PackDirectory::finish(const std::function<void(const Sink&)>& write_manifest) const {
  write_file_below(directory_, manifest_name, write_manifest);
  std::error_code error;
  fs::remove(directory_ / unfinished_name, error);
  if (error) throw FileError((directory_ / unfinished_name).string(), "cannot be removed: " + error.message());
}

// ---- the contents

constexpr std::string_view readme = R"(Cases of Touchstone, the conformance suite for ONNX quantization operators.

cases/TEST/model.onnx                              a model of one operator, in the layout of ONNX's backend tests
cases/TEST/test_data_set_N/input_K.pb              its inputs: serialized onnx.TensorProto
cases/TEST/test_data_set_N/output_K.pb             the expected outputs, unless they were omitted
cases/TEST/test_data_set_N/permitted/R.output_K.pb other accepted outputs
cases/TEST/test_data_set_N/repeats.txt             the data set with the same inputs; the outputs must be the same
cases/TEST/data.json                               for ONNX's own runner: no tolerances
must_reject/TEST/...                               models that must be refused
controls/TEST/...                                  models similar to those of other cases, but legal under all readings;
                                                   the refusal of a case shows nothing if its control is refused, too
manifest.json                                      the cases: ids, clauses, masked elements, permitted outcomes,
                                                   controls

Run every model with its inputs, and write the results to the same paths below a separate directory (or, if the
expected outputs were omitted, next to the inputs):

cases/TEST/test_data_set_N/output_K.pb             a serialized onnx.TensorProto; its name is ignored
cases/TEST/test_data_set_N/refused.txt             instead of outputs: why this data set was refused, on one line
cases/TEST/refused.txt                             why the model was refused
must_reject/TEST/...                               the same
controls/TEST/...                                  the same; needed only if the case with this control was refused
backend.txt                                        optional: name, version and description of the backend, one per line

Missing answers count as not run. A correctly refused model counts as not shown if its control has no answer. Then
run, with the directory of this file and the directory of the answers:

    touchstone judge PACK --answers ANSWERS
)";

/// The number of cases whose lines of the manifest are in memory at once.
constexpr std::size_t cases_per_block = 4096;

/// Otherwise ONNX's runner would accept floats with a relative error of 0.001.
constexpr std::string_view no_tolerances = "{\"rtol\": 0, \"atol\": 0}\n";

/// Names of generated cases are unique. Those of other cases may not be.
void check_names(const std::vector<PlannedCase>& cases) {
  std::map<std::string, std::string_view> ids;
  for (const PlannedCase& planned : cases)
    if (const auto [other, is_new] = ids.emplace(test_name(planned.id), planned.id); !is_new)
      throw ExportRefused(planned.id, fmt::format("would have the name {}, like {}: exclude one of them with --filter",
                                                  other->first, other->second));
}

class Exporter {
 public:
  Exporter(const PackDirectory& directory, const PackInfo& pack) : directory_(directory), pack_(pack) {}

  /// Writes a case, and returns its line of the manifest.
  std::string write(const PlannedCase& planned) {
    PackedCase packed(planned, pack_);
    if (packed.has_files())
      write(packed);
    else
      ++(packed.is_declined ? declined_ : unreadable_);
    return std::move(packed.line);
  }

  Exported exported() const { return {cases_, must_reject_, controls_, unreadable_, declined_, files_, bytes_}; }

 private:
  void write(const PackedCase& packed) {
    const auto& [written, interpreted, record] = *packed.read;
    const fs::path folder = pack_path(record.id, record.must_reject());
    write_test(folder, written, interpreted);
    if (packed.control) write_control(*packed.control);
    for (const PermittedOutcome& row : packed.permitted) write_permitted(folder, row, written);
    ++cases_;
    if (record.must_reject()) ++must_reject_;
  }

  void write_test(const fs::path& folder, const Case& written, const std::vector<ReferenceOutcome>& interpreted) {
    // Creates the folders of all data sets, because one without inputs and outputs has no files.
    for (std::size_t i = 0; i < written.data_sets.size(); ++i) directory_.make_folder(folder / data_set_name(i));
    for_each_file(written, interpreted, [&](const TestFile& file) {
      if (pack_.with_outputs || file.kind == TestFile::Kind::input) write(folder / file.path, file.content);
    });
    if (pack_.with_outputs) write(folder / "data.json", no_tolerances);
  }

  /// Writes the control of a case, unless another case has the same one.
  void write_control(const Case& control) {
    {
      const std::lock_guard lock(mutex_);
      if (!written_controls_.insert(control.id).second) return;
    }
    write_test(pack_path(control.id, false), control, interpret(control));
    ++controls_;
  }

  void write(const fs::path& path, std::string_view content) {
    directory_.write(path, content);
    ++files_;
    bytes_ += content.size();
  }

  void write_permitted(const fs::path& folder, const PermittedOutcome& permitted, const Case& written) {
    const std::vector<std::string>& names = written.model.graph_outputs;
    for (std::size_t i = 0; i < permitted.outcomes.size(); ++i) {
      const Result* result = permitted.outcomes[i].result();
      if (result == nullptr || !permitted.differs[i] || written.data_sets[i].repeats) continue;
      for (std::size_t o = 0; o <= result->further.size(); ++o)
        write(folder / data_set_name(i) / permitted_path(permitted, o),
              tensor_file_content(o == 0 ? result->y : result->further[o - 1].value, names[o]));
    }
  }

  const PackDirectory& directory_;
  const PackInfo& pack_;
  std::atomic<std::size_t> declined_ = 0;
  std::atomic<std::size_t> cases_ = 0;
  std::atomic<std::size_t> must_reject_ = 0;
  std::mutex mutex_;
  std::set<std::string> written_controls_;  ///< guarded by the mutex
  std::atomic<std::size_t> controls_ = 0;
  std::atomic<std::size_t> unreadable_ = 0;
  std::atomic<std::uint64_t> files_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
};

}  // namespace

Exported export_pack(const fs::path& directory, const PackInfo& pack, const std::vector<PlannedCase>& cases,
                     const ExportOptions& options, const OnExported& on_exported) {
  check_names(cases);
  const PackDirectory written = PackDirectory::begin(directory, options.overwrite);
  Exporter exporter(written, pack);
  written.write(pack_readme_name, readme);
  written.finish([&](const Sink& sink) {
    std::mutex mutex;
    sink(manifest_head(pack));
    for (std::size_t first = 0; first < cases.size(); first += cases_per_block) {
      std::vector<std::string> lines(std::min(cases_per_block, cases.size() - first));
      for_each_in_threads(options.jobs, lines.size(), [&](std::size_t i) {
        lines[i] = exporter.write(cases[first + i]);
        const std::lock_guard lock(mutex);
        on_exported(cases[first + i].id);
      });
      for (std::size_t i = 0; i < lines.size(); ++i) {
        sink(lines[i]);
        if (first + i + 1 < cases.size()) sink(",\n");
      }
    }
    sink(manifest_end());
  });
  return exporter.exported();
}

}  // namespace touchstone::conformance
