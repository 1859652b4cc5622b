#include "conformance/session/pending_journal.h"

#include <system_error>
#include <utility>

#include "conformance/files/output_file.h"
#include "conformance/run/journal.h"

namespace touchstone::conformance {

namespace fs = std::filesystem;

PendingJournal::PendingJournal(OutputDirectory& output, const std::string& data,
                               std::optional<std::string> known_failures)
    : output_(output),
      known_failures_(std::move(known_failures)),
      is_new_directory_(!fs::exists(output.path)),
      path_(output.path / partial_name(std::string(journal_name))) {
  claim(output_, data);
}

PendingJournal::~PendingJournal() {
  if (is_in_place_) return;
  std::error_code error;
  fs::remove(path_, error);
  if (journal_state(output_.journal()) == JournalState::nothing) fs::remove(output_.journal(), error);  // the lock's
  if (is_new_directory_) fs::remove(output_.path, error);  // unless it has files
}

void PendingJournal::put_in_place() {
  save_known_failures(output_.path, known_failures_);  // first, because the disk may be full
  remove_results(output_);
  put_journal_in_place(output_, path_);
  is_in_place_ = true;
}

}  // namespace touchstone::conformance
