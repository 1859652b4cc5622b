#include "conformance/packs/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "conformance/files/test_directory.h"
#include "conformance/packs/layout.h"
#include "conformance/packs/pack_directory.h"
#include "conformance/plan/digest.h"
#include "conformance/run/controls.h"
#include "conformance/run/reproducer.h"
#include "conformance/run/runner.h"

namespace touchstone::conformance {

namespace fs = std::filesystem;

namespace {

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

/// Otherwise ONNX's runner would pass a float that is wrong by a thousandth.
constexpr std::string_view no_tolerances = "{\"rtol\": 0, \"atol\": 0}\n";

/// Names of generated cases are unique. Those of other cases may not be.
void check_names(const std::vector<PlannedCase>& cases) {
  std::map<std::string, std::string_view> ids;
  for (const PlannedCase& planned : cases)
    if (const auto [other, is_new] = ids.emplace(test_name(planned.id), planned.id); !is_new)
      throw FileError(planned.id, fmt::format("would have the name {}, like {}: exclude one of them with --filter",
                                              other->first, other->second));
}

class Exporter {
 public:
  Exporter(const PackDirectory& directory, const PackInfo& pack)
      : directory_(directory), assumed_(pack.assumed), with_outputs_(pack.with_outputs) {}

  /// Writes a case, and returns its line of the manifest.
  std::string write(const PlannedCase& planned) {
    std::optional<Case> written;
    std::vector<ReferenceOutcome> interpreted;
    try {
      written = planned.read();
      interpreted = interpret(*written);
    } catch (const std::exception& error) {  // as in run_case: the judge will report the same
      ++unreadable_;
      return manifest_line(planned.id, error.what());
    }
    if (const auto reason = declined(assumed_, written->model, assumption)) {
      ++declined_;
      return manifest_line(planned.id, *reason, digest_of(*written));
    }
    CaseRecord record = describe(*written, interpreted);
    record.digest = digest_of(*written);
    const fs::path folder = pack_path(planned.id, record.must_reject());
    write_test(folder, *written, interpreted);
    std::vector<PermittedOutcome> permitted = permitted_outcomes(*written, interpreted);
    const bool needs_control = record.must_reject() || std::ranges::any_of(permitted, may_be_refused);
    const fs::path control = needs_control ? write_control(planned) : fs::path();
    if (!with_outputs_) permitted.clear();
    for (const PermittedOutcome& row : permitted) write_permitted(folder, row, *written);
    ++cases_;
    if (record.must_reject()) ++must_reject_;
    return manifest_line(record, interpreted, permitted, control);
  }

  Exported exported() const { return {cases_, must_reject_, controls_, unreadable_, declined_, files_, bytes_}; }

 private:
  static bool may_be_refused(const PermittedOutcome& row) {
    return std::ranges::any_of(row.outcomes, [](const auto& outcome) { return outcome.result() == nullptr; });
  }

  void write_test(const fs::path& folder, const Case& written, const std::vector<ReferenceOutcome>& interpreted) {
    // Creates the folders of all data sets, because one without inputs and outputs has no files.
    for (std::size_t i = 0; i < written.data_sets.size(); ++i) directory_.make_folder(folder / data_set_name(i));
    for_each_file(written, interpreted, [&](const TestFile& file) {
      if (with_outputs_ || file.kind == TestFile::Kind::input) write(folder / file.path, file.content);
    });
    if (with_outputs_) write(folder / "data.json", no_tolerances);
  }

  /// Writes the control of a case, unless another case has the same one, and returns its folder. Returns an empty path
  /// if the case has no control that the device supports.
  fs::path write_control(const PlannedCase& planned) {
    const std::optional<Case> control = control_of(planned);
    if (!control || declined(assumed_, control->model, assumption)) return {};
    fs::path folder = pack_path(control->id, false);
    const auto is_new = [&] {
      const std::lock_guard lock(mutex_);
      return written_controls_.insert(control->id).second;
    };
    if (is_new()) {
      write_test(folder, *control, interpret(*control));
      ++controls_;
    }
    return folder;
  }

  void write(const fs::path& path, std::string_view content) {
    directory_.write(path, content);
    ++files_;
    bytes_ += content.size();
  }

  void write_permitted(const fs::path& folder, const PermittedOutcome& permitted, const Case& written) {
    for (std::size_t i = 0; i < permitted.outcomes.size(); ++i)
      if (const reference::Result* result = permitted.outcomes[i].result();
          result != nullptr && permitted.differs[i] && !written.data_sets[i].repeats)
        write(folder / data_set_name(i) / permitted_path(permitted),
              tensor_file_content(result->y, written.model.graph_outputs.front()));
  }

  const PackDirectory& directory_;
  const Capabilities& assumed_;
  const bool with_outputs_;
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

/// Calls `work` once with each number from 0 to `count` - 1, from `jobs` threads, or as many as the system can start.
/// After an exception no new numbers are started; the first exception is rethrown.
void in_threads(unsigned jobs, std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr error;
  const auto loop = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    try {
      for (unsigned i = 1; i < jobs; ++i) threads.emplace_back(loop);
    } catch (const std::system_error&) {
      // The threads that were started do all the work.
    }
    loop();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace

Exported export_pack(const fs::path& directory, const PackInfo& pack, const std::vector<PlannedCase>& cases,
                     const ExportOptions& options, const OnExported& on_exported) {
  check_names(cases);
  const PackDirectory written = PackDirectory::begin(directory, options.overwrite);
  Exporter exporter(written, pack);
  std::vector<std::string> lines(cases.size());
  std::mutex mutex;
  in_threads(options.jobs, cases.size(), [&](std::size_t i) {
    lines[i] = exporter.write(cases[i]);
    const std::lock_guard lock(mutex);
    on_exported(cases[i].id);
  });
  written.write(pack_readme_name, readme);
  written.finish([&](const Sink& sink) {
    sink(manifest_head(pack, cases.size()));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      sink(lines[i]);
      if (i + 1 < lines.size()) sink(",\n");
    }
    sink(manifest_end());
  });
  return exporter.exported();
}

}  // namespace touchstone::conformance
