// The operands of a measurement and their expected results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>

#include "optimized/benchmark/rows.h"
#include "optimized/isa.h"

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

/// The data are the same in every process, and finite. They repeat after 65,536 elements, which is fast to generate and
/// too long for caches and predictors to exploit. One x of QuantizeLinear in 16 is as close to a tie as its type
/// allows. Some of these reveal peers that multiply by a reciprocal instead of dividing.
struct Workload {
  Workload(const Row& of_row, std::int64_t of_elements);

  /// Scales and zero points count once.
  std::int64_t bytes_read() const;
  std::int64_t bytes_written() const;

  Row row;
  std::int64_t elements;
  Geometry geometry;
  Buffer scale;
  std::optional<Buffer> zero_point;
  Buffer x;
  Buffer y;
  Buffer expected;  ///< the result of the portable kernels
};

/// Returns the kernels that ran. Throws std::runtime_error with the kernel's error.
Isa run_touchstone(Workload& workload, Buffer& y, Isa isa);

/// The number of elements of y that differ from the expected ones.
std::int64_t differing_elements(const Workload& workload);

}  // namespace touchstone::optimized::benchmarks
