// The loads and stores of a kernel without its arithmetic: what the machine's caches, memory and ports allow.
#pragma once

#include <cstddef>
#include <span>

namespace touchstone::optimized::benchmarks {

/// Reads all of x and writes all of y, in 32-byte vectors, alternately in proportion. Bytes behind the last whole
/// vector are left out. y begins on a boundary of 32 bytes.
void move_traffic(std::span<const std::byte> x, std::span<std::byte> y);

/// With stores that go past the caches.
void stream_traffic(std::span<const std::byte> x, std::span<std::byte> y);

}  // namespace touchstone::optimized::benchmarks
