// Memory for the peers' operands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

namespace touchstone::optimized::benchmarks {

/// Bytes aligned to a cache line; large buffers use huge pages, as numpy's do for ONNX Runtime.
class Buffer {
 public:
  explicit Buffer(std::int64_t size);
  std::span<std::byte> bytes() { return {data_.get(), size_}; }
  std::span<const std::byte> bytes() const { return {data_.get(), size_}; }

 private:
  struct Free {
    void operator()(std::byte* data) const { std::free(data); }
  };
  std::size_t size_;
  std::unique_ptr<std::byte[], Free> data_;
};

}  // namespace touchstone::optimized::benchmarks
