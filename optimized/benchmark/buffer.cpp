#include "optimized/benchmark/buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace touchstone::optimized::benchmarks {

namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21;

std::size_t alignment_of(std::size_t size) { return size >= 2 * huge_page ? huge_page : 64; }

std::byte* allocate(std::size_t size) {
  const std::size_t alignment = alignment_of(size);
  const std::size_t whole = (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment;
  void* data = std::aligned_alloc(alignment, whole);
  if (data == nullptr) throw std::bad_alloc();
  // This is only advice: it has no effect if the system has no huge pages.
  if (alignment == huge_page) madvise(data, whole, MADV_HUGEPAGE);
  return static_cast<std::byte*>(data);
}

}  // namespace

Buffer::Buffer(std::int64_t size) : size_(static_cast<std::size_t>(size)), data_(allocate(size_)) {}

}  // namespace touchstone::optimized::benchmarks
