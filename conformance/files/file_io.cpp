#include "conformance/files/file_io.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

namespace touchstone::conformance {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what, int error) {
  throw FileError(path.string(), what + ": " + std::generic_category().message(error));
}

[[noreturn]] void fail_too_long(const std::filesystem::path& path, std::uint64_t limit) {
  throw FileError(path.string(), "longer than the limit of " + std::to_string(limit) + " bytes");
}

/// The target of symbolic links; it need not exist.
std::filesystem::path followed(const std::filesystem::path& path) {
  constexpr int most_links = 40;  // as in Linux
  std::filesystem::path target = path;
  std::error_code none;
  for (int links = 0; std::filesystem::is_symlink(target, none); ++links) {
    if (links == most_links) throw FileError(path.string(), "too many symbolic links, or a cycle of links");
    target = target.parent_path() / std::filesystem::read_symlink(target, none);
  }
  return target;
}

std::string partial_name(std::string_view name, pid_t writer) { return fmt::format("{}.{}.part", name, writer); }

struct PartialFile {
  std::string_view name;  ///< of the complete file
  pid_t writer;
};

/// std::nullopt if the name is not a partial_name.
std::optional<PartialFile> partial_file(std::string_view name) {
  const std::size_t last = name.rfind('.');
  const std::size_t dot = last == name.npos || last == 0 ? name.npos : name.rfind('.', last - 1);
  if (dot == name.npos) return std::nullopt;
  pid_t writer = 0;
  std::from_chars(name.data() + dot + 1, name.data() + last, writer);
  if (writer <= 0 || partial_name(name.substr(0, dot), writer) != name) return std::nullopt;
  return PartialFile{name.substr(0, dot), writer};
}

/// A device, a pipe or a socket: it is written to, not replaced.
bool is_special(const std::filesystem::path& path) {
  std::error_code none;
  const std::filesystem::file_status status = std::filesystem::status(path, none);
  return std::filesystem::exists(status) && std::filesystem::is_other(status);
}

}  // namespace

std::string read_bounded_file(const std::filesystem::path& path, std::uint64_t limit) {
  // O_NONBLOCK: otherwise opening a fifo without a writer would block. The flag has no effect on regular files.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open()) fail(path, "cannot be opened", errno);
  return read_bounded_file(file, path, limit);
}

std::uint64_t bounded_size(const FileDescriptor& file, const std::filesystem::path& path, std::uint64_t limit) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail(path, "cannot be examined", errno);
  if (!S_ISREG(status.st_mode))
    throw FileError(path.string(), S_ISDIR(status.st_mode) ? "a directory, not a regular file" : "not a regular file");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > limit) fail_too_long(path, limit);
  return size;
}

std::string read_bounded_file(const FileDescriptor& file, const std::filesystem::path& path, std::uint64_t limit) {
  const std::uint64_t announced = bounded_size(file, path, limit);
  // Room for one more byte than the announced size shows whether the file has ended or has grown.
  std::string content(static_cast<std::size_t>(announced) + 1, '\0');
  std::size_t length = 0;
  while (true) {
    const ssize_t count = ::read(file.get(), content.data() + length, content.size() - length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path, "cannot be read", errno);
    if (count == 0) break;
    length += static_cast<std::size_t>(count);
    if (length > limit) fail_too_long(path, limit);
    if (length == content.size()) content.resize(std::max<std::size_t>(2 * length, 4096));
  }
  content.resize(length);
  return content;
}

void write_parts_to(FileDescriptor file, const std::filesystem::path& path, Durability durability,
                    const std::function<void(const Sink&)>& write_parts) {
  const auto check = [&](bool written) {
    if (!written) fail(path, "cannot be written", errno);
  };
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(::fdopen(file.get(), "wb"), std::fclose);
  check(stream != nullptr);
  file.release();
  write_parts(
      [&](std::string_view part) { check(std::fwrite(part.data(), 1, part.size(), stream.get()) == part.size()); });
  check(std::fflush(stream.get()) == 0);
  if (durability == Durability::synced) check(::fsync(::fileno(stream.get())) == 0);
  check(std::fclose(stream.release()) == 0);
}

std::string partial_name(const std::string& name) { return partial_name(name, ::getpid()); }

void remove_partial_files(int directory, std::string_view name) {
  // Opened again, because the stream closes it and moves its position.
  const int again = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(again < 0 ? nullptr : ::fdopendir(again), ::closedir);
  if (stream == nullptr) return;
  while (const dirent* entry = ::readdir(stream.get())) {
    const std::optional<PartialFile> found = partial_file(entry->d_name);
    if (!found || (!name.empty() && found->name != name)) continue;
    const bool is_alive = ::kill(found->writer, 0) == 0 || errno != ESRCH;
    if (!is_alive) ::unlinkat(directory, entry->d_name, 0);
  }
}

void remove_partial_files(const std::filesystem::path& directory, std::string_view name) {
  const FileDescriptor opened(::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.is_open()) remove_partial_files(opened.get(), name);
}

void write_file_whole(const std::filesystem::path& path, std::string_view content) {
  write_file_whole(path, [&](const Sink& sink) { sink(content); });
}

void write_file_whole(const std::filesystem::path& path, const std::function<void(const Sink&)>& write_parts) {
  const auto fail = [&](const std::string& what) { throw FileError(path.string(), what); };
  const bool in_place = is_special(path);
  const std::filesystem::path target = in_place ? path : followed(path);
  std::error_code error;
  if (target.has_parent_path()) std::filesystem::create_directories(target.parent_path(), error);
  if (error) fail("its directory cannot be created: " + error.message());

  const std::string temporary = in_place ? target.string() : partial_name(target.string());
  if (!in_place) {
    std::filesystem::remove(temporary, error);  // left by an earlier process with this number, or planted
    remove_partial_files(target.parent_path(), target.filename().string());
  }
  try {
    FileDescriptor file(
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (in_place ? O_TRUNC : O_EXCL), 0666));
    if (!file.is_open()) fail(std::string("cannot be created: ") + std::strerror(errno));
    write_parts_to(std::move(file), path, in_place ? Durability::flushed : Durability::synced, write_parts);
  } catch (...) {
    if (!in_place) std::filesystem::remove(temporary, error);
    throw;
  }
  if (in_place) return;
  std::filesystem::rename(temporary, target, error);
  if (error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    fail("cannot be replaced: " + error.message());
  }
}

}  // namespace touchstone::conformance
