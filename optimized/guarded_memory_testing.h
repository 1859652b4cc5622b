// For tests: memory between inaccessible pages.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>

namespace touchstone::optimized {

/// Which end of the bytes is directly next to an inaccessible page.
enum class Edge { front, back };

/// Bytes between two inaccessible pages.
class GuardedBytes {
 public:
  GuardedBytes(std::size_t size, Edge edge) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inside = (size + page - 1) / page * page;
    mapped_ = inside + 2 * page;
    base_ = static_cast<std::byte*>(mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (base_ == MAP_FAILED) throw std::runtime_error("mmap failed");
    if (inside > 0 && mprotect(base_ + page, inside, PROT_READ | PROT_WRITE) != 0)
      throw std::runtime_error("mprotect failed");
    bytes_ = {base_ + page + (edge == Edge::back ? inside - size : 0), size};
  }
  GuardedBytes(std::span<const std::byte> content, Edge edge) : GuardedBytes(content.size(), edge) {
    std::copy(content.begin(), content.end(), bytes_.begin());
  }
  ~GuardedBytes() { munmap(base_, mapped_); }
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::byte* base_;
  std::size_t mapped_;
  std::span<std::byte> bytes_;
};

}  // namespace touchstone::optimized
