#include "fuzz/directory_input.h"

#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>  // mkdtemp
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "fuzz/pieces.h"

namespace touchstone::fuzz {

namespace fs = std::filesystem;

Files files_of(const std::uint8_t* data, std::size_t size, std::span<const std::string> paths) {
  Files files;
  for (std::string& piece : pieces_of(data, size, paths.size())) {
    if (piece.empty()) continue;
    const auto place = static_cast<unsigned char>(piece.front());
    piece.erase(0, 1);
    files[paths[place % paths.size()]] = std::move(piece);
  }
  return files;
}

std::string input_of(const Files& files, std::span<const std::string> paths) {
  std::string input;
  for (const auto& [path, content] : files) {
    const auto place = std::ranges::find(paths, path) - paths.begin();
    if (static_cast<std::size_t>(place) == paths.size()) throw std::out_of_range(path + " is not in the table");
    append_piece(input, static_cast<char>(place) + content);
  }
  return input;
}

namespace {

constexpr std::string_view prefix = "touchstone-fuzz-";

/// Removes the directories of crashed targets. Their names contain the ids of processes that no longer exist.
void remove_leftovers(const fs::path& parent) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored)) {
    const std::string name = entry.path().filename();
    pid_t process = 0;
    if (!name.starts_with(prefix)) continue;
    std::from_chars(name.data() + prefix.size(), name.data() + name.size(), process);
    if (process > 0 && ::kill(process, 0) != 0 && errno == ESRCH) fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace

KeptDirectory::KeptDirectory() {
  const fs::path memory = "/dev/shm";
  const fs::path parent = fs::is_directory(memory) ? memory : fs::temp_directory_path();
  remove_leftovers(parent);
  std::string name = (parent / fmt::format("{}{}-XXXXXX", prefix, ::getpid())).string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create " + name);
  path_ = name;
}

KeptDirectory::~KeptDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void KeptDirectory::forget() {
  for (const auto& entry : fs::directory_iterator(path_)) fs::remove_all(entry.path());
  files_.clear();
}

void KeptDirectory::become(Files files) {
  for (const auto& [name, content] : files_) {
    if (files.contains(name)) continue;
    fs::remove(path_ / name);
    std::error_code not_empty;
    for (fs::path folder = (path_ / name).parent_path(); folder != path_; folder = folder.parent_path())
      if (!fs::remove(folder, not_empty)) break;
  }
  for (const auto& [name, content] : files) {
    const auto before = files_.find(name);
    if (before != files_.end() && before->second == content) continue;
    if (before == files_.end()) fs::create_directories((path_ / name).parent_path());
    std::ofstream file(path_ / name, std::ios::binary);
    file << content;
    if (!file.flush()) throw std::runtime_error("cannot write " + (path_ / name).string());
  }
  files_ = std::move(files);
}

}  // namespace touchstone::fuzz
