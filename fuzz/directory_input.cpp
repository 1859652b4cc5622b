#include "fuzz/directory_input.h"

#include <stdlib.h>  // mkdtemp

#include <algorithm>
#include <fstream>
#include <stdexcept>
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

KeptDirectory::KeptDirectory() {
  const fs::path memory = "/dev/shm";
  const fs::path parent = fs::is_directory(memory) ? memory : fs::temp_directory_path();
  std::string name = (parent / "touchstone-fuzz-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create " + name);
  path_ = name;
}

KeptDirectory::~KeptDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
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
