#include "conformance/session/merged_journal.h"

#include <system_error>
#include <utility>

#include "conformance/files/output_file.h"

namespace touchstone::conformance {

namespace fs = std::filesystem;

namespace {

JournalWriter begin_in(OutputDirectory& output, const fs::path& path, const RunInfo& run, const std::string& started) {
  claim(output, run.data);
  return JournalWriter::begin(path, run, started);
}

}  // namespace

MergedJournal::MergedJournal(OutputDirectory output, const RunInfo& run, const std::string& started,
                             const fs::path& known_failures)
    : output_(std::move(output)),
      known_failures_(known_failures_content(known_failures, output_.path)),
      is_new_directory_(!fs::exists(output_.path)),
      path_(output_.path / partial_name(std::string(journal_name))),
      journal_(begin_in(output_, path_, run, started)) {}

MergedJournal::~MergedJournal() {
  std::error_code error;
  fs::remove(path_, error);
  if (journal_state(output_.journal()) == JournalState::nothing) fs::remove(output_.journal(), error);  // the lock's
  if (is_new_directory_) fs::remove(output_.path, error);  // unless it has files
}

void MergedJournal::add(CaseRecord record) {
  texts_.cut(record);
  journal_.write({&record, 1});
}

void MergedJournal::put_in_place() {
  remove_results(output_);
  save_known_failures(output_.path, known_failures_);
  put_journal_in_place(output_, path_);
}

}  // namespace touchstone::conformance
