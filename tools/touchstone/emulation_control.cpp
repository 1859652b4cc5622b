// Tests the arithmetic of an emulated processor with the instructions of which kernels consist. The compiler computes
// the expected values, or they are exact by construction.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "tools/touchstone/emulation.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace touchstone::tools {

namespace control {
namespace {

constexpr std::size_t length = 64;
template <class T, std::size_t count = length>
using Values = std::array<T, count>;

/// Hides from the compiler what the value is, so that the processor has to compute with it.
template <class T>
T hidden(T value) {
  asm volatile("" : "+m"(value));
  return value;
}

/// Values of all kinds; the ends of the range come often, and next to each other.
template <class T>
constexpr Values<T> values(std::uint32_t seed) {
  using Limits = std::numeric_limits<T>;
  Values<T> all{};
  for (std::size_t i = 0; i < length; ++i) {
    seed = seed * 1664525U + 1013904223U;
    const auto any = static_cast<T>(seed >> 24);
    all[i] = i % 8 < 2 ? Limits::max() : i % 8 < 4 ? Limits::min() : any;
  }
  return all;
}

constexpr Values<std::uint8_t> unsigned_bytes = values<std::uint8_t>(1);
constexpr Values<std::int8_t> signed_bytes = values<std::int8_t>(2);
constexpr Values<std::int8_t> weights = values<std::int8_t>(3);

template <class X>
constexpr std::int32_t dot(const Values<X>& x, const Values<std::int8_t>& w) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < length; ++i) sum += x[i] * w[i];
  return sum;
}

/// The sums of neighbouring products, saturated to int16 as PMADDUBSW does.
constexpr Values<std::int16_t, length / 2> pair_sums() {
  Values<std::int16_t, length / 2> sums{};
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const int sum = unsigned_bytes[2 * i] * weights[2 * i] + unsigned_bytes[2 * i + 1] * weights[2 * i + 1];
    sums[i] = static_cast<std::int16_t>(std::clamp(sum, -32768, 32767));
  }
  return sums;
}

constexpr std::int32_t unsigned_dot = dot(unsigned_bytes, weights);
constexpr std::int32_t signed_dot = dot(signed_bytes, weights);
constexpr auto expected_pair_sums = pair_sums();

struct Rounded {
  float number;
  std::int32_t integer;
};
/// Half to even; what does not fit becomes the lowest number.
constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min();
constexpr std::array<Rounded, 8> roundings{{{0.5F, 0},
                                            {1.5F, 2},
                                            {2.5F, 2},
                                            {-1.5F, -2},
                                            {-2.5F, -2},
                                            {0x1.fffffep6F, 128},
                                            {3e9F, lowest},
                                            {-8388607.0F, -8388607}}};

class Control {
 public:
  void expect(bool is_exact, std::string_view what) {
    if (!is_exact) wrong_ += fmt::format("{}{}", wrong_.empty() ? "" : ", ", what);
  }

  void scalar() {
    expect(dot(hidden(unsigned_bytes), hidden(weights)) == unsigned_dot, "uint8 * int8 sums");
    expect(dot(hidden(signed_bytes), hidden(weights)) == signed_dot, "int8 * int8 sums");
    std::int32_t sum = 0;
    constexpr std::int32_t terms = 1 << 16;
    for (std::int32_t i = 0; i < terms; ++i) sum += hidden(255) * hidden(-128);
    expect(sum == -32640 * terms, "long sums");
    float product = 0;
    for (std::size_t i = 0; i < length; ++i)
      product += static_cast<float>(hidden(signed_bytes)[i]) * static_cast<float>(hidden(weights)[i]);
    expect(product == static_cast<float>(signed_dot), "float dot products");  // all sums are below 2^24
    for (const auto& [number, integer] : roundings)
      expect(integer == lowest || std::lrint(hidden(number)) == integer, "rounding of float to int32");
    expect(hidden(1.0F) / hidden(3.0F) == 0x1.555556p-2F, "float division");
    expect(static_cast<float>(hidden(16777217)) == 16777216.0F, "conversion of int32 to float");
    expect(static_cast<float>(hidden(0.1)) == 0x1.99999ap-4F, "conversion of double to float");
  }

#ifdef __x86_64__
  [[gnu::target("ssse3")]] void ssse3() {
    const auto x = hidden(unsigned_bytes);
    const auto w = hidden(weights);
    Values<std::int16_t, length / 2> pairs{};
    for (std::size_t i = 0; i < length; i += 16)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(&pairs[i / 2]),
                       _mm_maddubs_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(&x[i])),
                                         _mm_loadu_si128(reinterpret_cast<const __m128i*>(&w[i]))));
    expect(pairs == expected_pair_sums, "PMADDUBSW of 128 bits");
    for (const auto& [number, integer] : roundings)
      expect(_mm_cvtss_si32(_mm_set_ss(hidden(number))) == integer, "CVTSS2SI");
  }

  [[gnu::target("avx2,fma,f16c")]] void avx2() {
    const auto x = hidden(unsigned_bytes);
    const auto y = hidden(signed_bytes);
    const auto w = hidden(weights);
    Values<std::int16_t, length / 2> pairs{};
    __m256i sum = _mm256_setzero_si256();
    __m256 products = _mm256_setzero_ps();
    for (std::size_t i = 0; i < length; i += 32)
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(&pairs[i / 2]),
                          _mm256_maddubs_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(&x[i])),
                                               _mm256_loadu_si256(reinterpret_cast<const __m256i*>(&w[i]))));
    for (std::size_t i = 0; i < length; i += 16) {
      const __m256i left = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(&y[i])));
      const __m256i right = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(&w[i])));
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(left, right));
    }
    for (std::size_t i = 0; i < length; i += 8) {
      const __m256i left = _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(&y[i])));
      const __m256i right = _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(&w[i])));
      products = _mm256_fmadd_ps(_mm256_cvtepi32_ps(left), _mm256_cvtepi32_ps(right), products);
    }
    Values<std::int32_t, 8> sums{};
    Values<float, 8> floats{};
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums.data()), sum);
    _mm256_storeu_ps(floats.data(), products);
    std::int32_t total = 0;
    float float_total = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) total += sums[i], float_total += floats[i];
    expect(pairs == expected_pair_sums, "VPMADDUBSW");
    expect(total == signed_dot, "VPMADDWD");
    expect(float_total == static_cast<float>(signed_dot), "VFMADD of integers");
    Values<float, 8> numbers{};
    Values<std::int32_t, 8> integers{};
    for (std::size_t i = 0; i < roundings.size(); ++i) numbers[i] = hidden(roundings[i].number);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(integers.data()),
                        _mm256_cvtps_epi32(_mm256_loadu_ps(numbers.data())));
    for (std::size_t i = 0; i < roundings.size(); ++i) expect(integers[i] == roundings[i].integer, "VCVTPS2DQ");
    const __m128 one = _mm_set_ss(hidden(0x1.001p0F));  // its square needs 25 bits
    expect(_mm_cvtss_f32(_mm_fmsub_ss(one, one, _mm_set_ss(hidden(1.0F)))) == 0x1.0008p-11F, "VFMSUB");
    const __m128i halves =
        _mm_cvtps_ph(_mm_setr_ps(hidden(65519.0F), hidden(65520.0F), hidden(0x1p-25F), hidden(0x1.002p0F)), 0);
    expect(_mm_cvtsi128_si64(halves) == 0x3c00'0000'7c00'7bff, "VCVTPS2PH");
  }
#endif

  const std::string& wrong() const { return wrong_; }

 private:
  std::string wrong_;
};

}  // namespace
}  // namespace control

std::string wrong_arithmetic() {
  control::Control control;
  control.scalar();
#ifdef __x86_64__
  if (__builtin_cpu_supports("ssse3")) control.ssse3();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    control.avx2();  // such processors have F16C, too
#endif
  return control.wrong();
}

}  // namespace touchstone::tools
