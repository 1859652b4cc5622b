#include "conformance/packs/pack_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "conformance/files/output_file.h"
#include "conformance/packs/layout.h"
#include "conformance/packs/manifest.h"

namespace touchstone::conformance {

namespace fs = std::filesystem;

namespace {

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

void check_place(const fs::path& directory, bool overwrite) {
  const auto fail = [&](const std::string& what) { throw FileError(directory.string(), what); };
  if (fs::is_empty(directory)) return;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory))
    if (!is_of_packs(entry))
      throw FileError(entry.path().string(), "not written by touchstone export: name a new or empty directory");
  if (is_unfinished(directory)) return;
  if (!is_manifest(directory / manifest_name)) fail("is not empty and is not a pack: name a new or empty directory");
  if (!overwrite) fail("already contains a pack: name another directory, or replace it with --overwrite");
}

void remove_pack(const fs::path& directory) {
  for (const fs::directory_entry& entry : fs::directory_iterator(directory))
    if (entry.path().filename() != unfinished_name) fs::remove_all(entry.path());
}

}  // namespace

PackDirectory PackDirectory::begin(const fs::path& directory, bool overwrite) try {
  refuse_linked_directory(directory);
  fs::create_directories(directory);
  std::optional<JournalLock> lock = JournalLock::take_existing(directory);
  if (!lock) throw FileError(directory.string(), "another export is writing to it: name another directory");
  check_place(directory, overwrite);
  write_file_below(directory, unfinished_name, unfinished_text);
  remove_pack(directory);
  return {directory, *std::move(lock)};
} catch (const fs::filesystem_error& error) {
  throw FileError(directory.string(), error.code().message());
}

void PackDirectory::make_folder(const fs::path& below) const {
  std::error_code error;
  fs::create_directories(directory_ / below, error);
  if (error) throw FileError((directory_ / below).string(), "cannot be created: " + error.message());
}

void PackDirectory::write(const fs::path& below, std::string_view content) const {
  make_folder(below.parent_path());
  const fs::path path = directory_ / below;
  const auto fail = [&](const std::string& what) { throw FileError(path.string(), what); };
  // Does not use write_file_whole: syncing many thousand files would take hours, and incomplete files are detected by
  // the missing manifest.
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0) fail(std::string("cannot be created: ") + std::strerror(errno));
  while (!content.empty()) {
    const ssize_t count = ::write(file, content.data(), content.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    content.remove_prefix(static_cast<std::size_t>(count));
  }
  const int write_error = content.empty() ? 0 : errno;
  const bool closed = ::close(file) == 0;
  if (write_error != 0 || !closed)
    fail(std::string("cannot be written: ") + std::strerror(write_error != 0 ? write_error : errno));
}

void PackDirectory::finish(const std::function<void(const Sink&)>& write_manifest) const {
  write_file_below(directory_, manifest_name, write_manifest);
  std::error_code error;
  fs::remove(directory_ / unfinished_name, error);
  if (error) throw FileError((directory_ / unfinished_name).string(), "cannot be removed: " + error.message());
}

}  // namespace touchstone::conformance
