#include "optimized/benchmark/traffic.h"

#include <immintrin.h>

#include <cstdint>

namespace touchstone::optimized::benchmarks {

namespace {

/// Uses a loaded value, because the compiler would otherwise remove the load.
void use(__m256i value) { asm volatile("" : : "x"(value)); }

/// Alternates between x and y in steps of some hundred elements, so that the CPU always has both loads and stores to
/// issue.
template <class Store>
void move(std::span<const std::byte> x, std::span<std::byte> y, Store store) {
  const auto* from = reinterpret_cast<const __m256i*>(x.data());
  auto* to = reinterpret_cast<__m256i*>(y.data());
  const std::size_t loads = x.size() / 32;
  const std::size_t stores = y.size() / 32;
  const std::size_t more = loads > stores ? loads : stores;
  const std::size_t steps = (more + 31) / 32;
  const __m256i zero = _mm256_setzero_si256();
  std::size_t loaded = 0;
  std::size_t stored = 0;
  for (std::size_t step = 1; step <= steps; ++step) {
    const std::size_t load_end = loads * step / steps;
    __m256i sum[4] = {zero, zero, zero, zero};
    for (; loaded + 4 <= load_end; loaded += 4)
      for (std::size_t i = 0; i < 4; ++i) sum[i] = _mm256_or_si256(sum[i], _mm256_loadu_si256(from + loaded + i));
    for (; loaded < load_end; ++loaded) sum[0] = _mm256_or_si256(sum[0], _mm256_loadu_si256(from + loaded));
    for (const __m256i& part : sum) use(part);
    for (const std::size_t store_end = stores * step / steps; stored < store_end; ++stored) store(to + stored, zero);
  }
}

}  // namespace

void move_traffic(std::span<const std::byte> x, std::span<std::byte> y) {
  move(x, y, [](__m256i* place, __m256i value) { _mm256_storeu_si256(place, value); });
}

void stream_traffic(std::span<const std::byte> x, std::span<std::byte> y) {
  move(x, y, [](__m256i* place, __m256i value) { _mm256_stream_si256(place, value); });
  _mm_sfence();
}

}  // namespace touchstone::optimized::benchmarks
