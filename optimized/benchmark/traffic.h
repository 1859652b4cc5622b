// The loads and stores of a kernel without its arithmetic: the limit set by the machine's caches, memory and ports.
#pragma once

#include <cstddef>
#include <span>

namespace touchstone::optimized::benchmarks {

/// Reads all of x and writes all of y in 32-byte vectors, alternating in proportion. Skips bytes after the last whole
/// vector. y must be aligned to 32 bytes.
void move_traffic(std::span<const std::byte> x, std::span<std::byte> y);

/// As move_traffic(), with stores that bypass the caches.
void stream_traffic(std::span<const std::byte> x, std::span<std::byte> y);

}  // namespace touchstone::optimized::benchmarks
