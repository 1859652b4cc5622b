#include "conformance/files/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace touchstone::conformance {

namespace fs = std::filesystem;

namespace {

constexpr int directory_only = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

[[noreturn]] void fail_at(const fs::path& path, std::string_view what, int error) {
  throw FileError(path.string(), fmt::format("{}: {}", what, std::generic_category().message(error)));
}

fs::path without_slash(const fs::path& path) {
  return path.has_filename() || !path.has_relative_path() ? path : path.parent_path();
}

bool is_link(int parent, const fs::path& name) {
  struct stat status {};
  return ::fstatat(parent, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
}

[[noreturn]] void refuse_link(const fs::path& path) {
  throw FileError(path.string(), "a symbolic link, which is not followed: give the directory that it points to");
}

/// Opens the directory `name` in an open directory, and creates it if it is missing. `path` is used in messages.
FileDescriptor enter(int parent, const fs::path& name, const fs::path& path) {
  if (::mkdirat(parent, name.c_str(), 0777) != 0 && errno != EEXIST)
    fail_at(path, "this directory cannot be created", errno);
  FileDescriptor entered(::openat(parent, name.c_str(), directory_only));
  if (entered.is_open()) return entered;
  const int error = errno;
  if (is_link(parent, name)) refuse_link(path);
  fail_at(path, "cannot be opened as a directory", error);
}

/// Opens the directory of the file.
FileDescriptor enter_all(const fs::path& root, const fs::path& below) {
  std::error_code error;
  const fs::path parent = fs::absolute(root).parent_path();
  fs::create_directories(parent, error);
  FileDescriptor current(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!current.is_open()) fail_at(parent, "this directory cannot be opened", errno);
  fs::path path = root;
  if (fs::absolute(root).has_filename()) current = enter(current.get(), fs::absolute(root).filename(), path);
  for (const fs::path& part : below.parent_path()) {
    path /= part;
    if (part == ".." || part.empty() || part.is_absolute())
      throw FileError(path.string(), "leads out of " + root.string());
    current = enter(current.get(), part, path);
  }
  return current;
}

FileDescriptor create(int directory, const std::string& name) {
  constexpr int new_file = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  FileDescriptor file(::openat(directory, name.c_str(), new_file, 0666));
  if (file.is_open() || errno != EEXIST) return file;
  ::unlinkat(directory, name.c_str(), 0);  // left by a killed run, or planted
  return FileDescriptor(::openat(directory, name.c_str(), new_file, 0666));
}

}  // namespace

void write_file_below(const fs::path& root, const fs::path& below, std::string_view content) {
  write_file_below(root, below, [&](const Sink& sink) { sink(content); });
}

void write_file_below(const fs::path& root, const fs::path& below,
                      const std::function<void(const Sink&)>& write_parts) {
  const fs::path path = root / below;
  const FileDescriptor directory = enter_all(without_slash(root), below);
  const std::string name = below.filename().string();
  const std::string temporary = partial_name(name);
  remove_partial_files(directory.get(), name);
  FileDescriptor created = create(directory.get(), temporary);
  if (!created.is_open()) fail_at(path, "cannot be created", errno);
  try {
    write_parts_to(std::move(created), path, Durability::synced, write_parts);
    if (::renameat(directory.get(), temporary.c_str(), directory.get(), name.c_str()) != 0)
      fail_at(path, "cannot be replaced", errno);
  } catch (...) {
    ::unlinkat(directory.get(), temporary.c_str(), 0);
    throw;
  }
}

void refuse_linked_directory(const fs::path& directory) {
  const fs::path path = without_slash(directory);
  if (is_link(AT_FDCWD, path)) refuse_link(path);
}

}  // namespace touchstone::conformance
