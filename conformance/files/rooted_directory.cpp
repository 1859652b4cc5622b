#include "conformance/files/rooted_directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <streambuf>
#include <system_error>
#include <utility>

#include "conformance/files/file_error.h"
#include "conformance/files/file_io.h"

namespace touchstone::conformance {

namespace fs = std::filesystem;

namespace {

// O_NONBLOCK: otherwise opening a fifo without a writer would block.
constexpr int reading = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

[[noreturn]] void fail(const fs::path& path, int error) {
  throw FileError(path.string(), "cannot be opened: " + std::generic_category().message(error));
}

/// The open file at `below`; not open if it does not exist.
FileDescriptor open_below(int root, const fs::path& root_path, const fs::path& below) {
  FileDescriptor current(::openat(root, ".", reading | O_DIRECTORY));
  if (!current.is_open()) fail(root_path, errno);
  fs::path path = root_path;
  for (const fs::path& part : below) {
    path /= part;
    if (part.empty() || part == ".." || part.is_absolute())
      throw FileError(in_quotes(below.string()), "leads out of " + root_path.string());
    FileDescriptor next(::openat(current.get(), part.c_str(), reading | O_NOFOLLOW));
    if (next.is_open()) {
      current = std::move(next);
      continue;
    }
    if (errno == ELOOP)
      throw FileError(path.string(), "a symbolic link, which is not followed: put the file itself there");
    if (errno == ENOENT || errno == ENOTDIR) return FileDescriptor();
    fail(path, errno);
  }
  return current;
}

class FileBuffer : public std::streambuf {
 public:
  explicit FileBuffer(FileDescriptor file) : file_(std::move(file)) {}

 private:
  int_type underflow() override {
    ssize_t count = 0;
    do count = ::read(file_.get(), bytes_.data(), bytes_.size());
    while (count < 0 && errno == EINTR);
    if (count <= 0) return traits_type::eof();
    setg(bytes_.data(), bytes_.data(), bytes_.data() + count);
    return traits_type::to_int_type(bytes_.front());
  }

  pos_type seekpos(pos_type position, std::ios_base::openmode) override {
    setg(nullptr, nullptr, nullptr);
    return ::lseek(file_.get(), static_cast<off_t>(position), SEEK_SET) < 0 ? pos_type(off_type(-1)) : position;
  }

  FileDescriptor file_;
  std::array<char, std::size_t{1} << 16> bytes_;
};

/// An open file. A read error ends it.
class FileStream : public std::istream {
 public:
  explicit FileStream(FileDescriptor file) : std::istream(nullptr), buffer_(std::move(file)) { rdbuf(&buffer_); }

 private:
  FileBuffer buffer_;
};

}  // namespace

RootedDirectory::RootedDirectory(fs::path root)
    : root_(std::move(root)), descriptor_(::open(root_.c_str(), reading | O_DIRECTORY)) {
  if (!descriptor_.is_open()) throw FileError(root_.string(), std::generic_category().message(errno));
}

bool RootedDirectory::has(const fs::path& below) const { return open_below(descriptor_.get(), root_, below).is_open(); }

std::vector<std::string> RootedDirectory::names_in(const fs::path& below) const {
  FileDescriptor opened = open_below(descriptor_.get(), root_, below);
  if (!opened.is_open()) return {};
  const auto close = [](DIR* directory) { ::closedir(directory); };
  const std::unique_ptr<DIR, decltype(close)> directory(::fdopendir(opened.get()), close);
  if (directory == nullptr)
    throw FileError((root_ / below).string(),
                    "cannot be read as a directory: " + std::generic_category().message(errno));
  opened.release();
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(directory.get()))
    if (const std::string name = entry->d_name; name != "." && name != "..") names.push_back(name);
  if (errno != 0)
    throw FileError((root_ / below).string(), "cannot be listed: " + std::generic_category().message(errno));
  return names;
}

std::optional<std::string> RootedDirectory::read(const fs::path& below, std::uint64_t limit) const {
  const FileDescriptor file = open_below(descriptor_.get(), root_, below);
  if (!file.is_open()) return std::nullopt;
  return read_bounded_file(file, root_ / below, limit);
}

std::unique_ptr<std::istream> RootedDirectory::open(const fs::path& below, std::uint64_t limit) const {
  FileDescriptor file = open_below(descriptor_.get(), root_, below);
  if (!file.is_open()) return nullptr;
  bounded_size(file, root_ / below, limit);
  return std::make_unique<FileStream>(std::move(file));
}

}  // namespace touchstone::conformance
