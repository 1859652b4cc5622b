#include "optimized/benchmark/plain_loop.h"

#ifdef __F16C__
#include <immintrin.h>
#endif

#include <bit>
#include <cmath>

namespace touchstone::optimized::benchmarks::TOUCHSTONE_PLAIN_LOOP {

namespace {

using spec::ElementType;

// How elements are read, and written if necessary.

struct Float32 {
  static constexpr std::int64_t bits = 32;
  static float get(const std::byte* data, std::int64_t i) { return reinterpret_cast<const float*>(data)[i]; }
  static void set(std::byte* data, std::int64_t i, float number) { reinterpret_cast<float*>(data)[i] = number; }
};

struct Float16 {
  static constexpr std::int64_t bits = 16;
#ifdef __F16C__
  static float get(const std::byte* data, std::int64_t i) {
    return _cvtsh_ss(reinterpret_cast<const std::uint16_t*>(data)[i]);
  }
  static void set(std::byte* data, std::int64_t i, float number) {
    reinterpret_cast<std::uint16_t*>(data)[i] = _cvtss_sh(number, _MM_FROUND_TO_NEAREST_INT);
  }
#else
  static float get(const std::byte* data, std::int64_t i) {
    return static_cast<float>(reinterpret_cast<const _Float16*>(data)[i]);
  }
  static void set(std::byte* data, std::int64_t i, float number) {
    reinterpret_cast<_Float16*>(data)[i] = static_cast<_Float16>(number);
  }
#endif
};

struct Bfloat16 {
  static constexpr std::int64_t bits = 16;
  static float get(const std::byte* data, std::int64_t i) {
    return std::bit_cast<float>(std::uint32_t{reinterpret_cast<const std::uint16_t*>(data)[i]} << 16);
  }
};

template <class Integer, int low, int high>
struct Whole {
  static constexpr std::int64_t bits = 8 * sizeof(Integer);
  static std::int32_t get(const std::byte* data, std::int64_t i) { return reinterpret_cast<const Integer*>(data)[i]; }
  static void set(std::byte* data, std::int64_t i, std::int32_t code) {
    reinterpret_cast<Integer*>(data)[i] = static_cast<Integer>(code);
  }
  static std::int32_t code(float quotient, std::int32_t zero_point) {
    const float number = std::nearbyint(quotient) + static_cast<float>(zero_point);
    const float at_least = number < static_cast<float>(low) ? static_cast<float>(low) : number;
    return static_cast<std::int32_t>(at_least > static_cast<float>(high) ? static_cast<float>(high) : at_least);
  }
};

template <int low, int high>
struct Nibble : Whole<std::uint8_t, low, high> {
  static constexpr std::int64_t bits = 4;
  static std::int32_t get(const std::byte* data, std::int64_t i) {
    const std::int32_t code = std::to_integer<std::int32_t>(data[i / 2]) >> (i % 2 * 4) & 15;
    return low < 0 ? (code ^ 8) - 8 : code;
  }
  static void set(std::byte* data, std::int64_t i, std::int32_t first, std::int32_t second) {
    data[i / 2] = static_cast<std::byte>((first & 15) | (second & 15) << 4);
  }
};

struct Float8e4m3fn {
  static constexpr std::int64_t bits = 8;
  static void set(std::byte* data, std::int64_t i, std::int32_t code) { data[i] = static_cast<std::byte>(code); }
  static std::int32_t code(float quotient, std::int32_t) {
    const auto pattern = std::bit_cast<std::int32_t>(quotient);
    const std::int32_t magnitude = pattern & 0x7FFFFFFF;
    const float number = std::bit_cast<float>(magnitude);
    // Normal numbers lose 20 bits of their fraction, and 120 of the exponent's bias; subnormal ones count in 2^-9.
    const std::int32_t normal = ((magnitude + 0x7FFFF + (magnitude >> 20 & 1)) >> 20) - (120 << 3);
    const std::int32_t small = static_cast<std::int32_t>(std::nearbyint((number < 0x1p-6F ? number : 0.0F) * 0x1p9F));
    const std::int32_t rounded = number < 0x1p-6F ? small : normal;
    return (pattern >> 24 & 0x80) | (rounded > 0x7E ? 0x7E : rounded);
  }
};

using Uint16 = Whole<std::uint16_t, 0, 65535>;
using Int16 = Whole<std::int16_t, -32768, 32767>;
using Uint8 = Whole<std::uint8_t, 0, 255>;
using Int8 = Whole<std::int8_t, -128, 127>;
using Uint4 = Nibble<0, 15>;
using Int4 = Nibble<-8, 7>;

template <class Quantized>
std::int32_t zero_point_at(const std::byte* data, std::int64_t i) {
  if constexpr (requires { Quantized::get(data, i); })
    return Quantized::get(data, i);
  else
    return 0;
}

template <class X, class Y>
struct Quantize {
  using Scale = X;
  using Quantized = Y;
  static constexpr std::int64_t x_bits = X::bits;
  static constexpr std::int64_t y_bits = Y::bits;
  static constexpr std::int64_t step = y_bits < 8 ? 8 / y_bits : 1;
  static void at(const std::byte* x, std::byte* y, std::int64_t i, float scale, std::int32_t zero_point) {
    const auto code = [&](std::int64_t k) { return Y::code(X::get(x, k) / scale, zero_point); };
    if constexpr (step == 2)
      Y::set(y, i, code(i), code(i + 1));
    else
      Y::set(y, i, code(i));
  }
};

template <class X, class Y>
struct Dequantize {
  using Scale = Y;
  using Quantized = X;
  static constexpr std::int64_t x_bits = X::bits;
  static constexpr std::int64_t y_bits = Y::bits;
  static constexpr std::int64_t step = 1;
  static void at(const std::byte* x, std::byte* y, std::int64_t i, float scale, std::int32_t zero_point) {
    Y::set(y, i, static_cast<float>(X::get(x, i) - zero_point) * scale);
  }
};

// Tensors do not overlap. With __restrict, the compiler adds no checks.

template <class Job>
void with_one_parameter(const std::byte* __restrict x, std::byte* __restrict y, std::int64_t count, float scale,
                        std::int32_t zero_point) {
  for (std::int64_t i = 0; i < count; i += Job::step) Job::at(x, y, i, scale, zero_point);
}

template <class Job>
void with_one_each(const std::byte* __restrict x, std::byte* __restrict y, std::int64_t count,
                   const std::byte* __restrict scales, const std::byte* __restrict zero_points) {
  for (std::int64_t i = 0; i < count; ++i)
    Job::at(x, y, i, Job::Scale::get(scales, i), zero_point_at<typename Job::Quantized>(zero_points, i));
}

template <class Job>
void run(const PlainOperands& operands) {
  const auto [x, scales, zero_points, y, outer, axis, inner, block] = operands;
  constexpr std::int64_t x_bits = Job::x_bits;
  constexpr std::int64_t y_bits = Job::y_bits;
  if (block == 0 && axis > 1 && inner == 1) {
    for (std::int64_t row = 0; row < outer; ++row)
      with_one_each<Job>(x + row * axis * x_bits / 8, y + row * axis * y_bits / 8, axis, scales, zero_points);
    return;
  }
  const std::int64_t length = block > 0 ? block : inner;
  const std::int64_t parameters = block > 0 ? outer * axis / block : axis;
  for (std::int64_t part = 0; part < outer * axis * inner / length; ++part)
    with_one_parameter<Job>(x + part * length * x_bits / 8, y + part * length * y_bits / 8, length,
                            Job::Scale::get(scales, part % parameters),
                            zero_point_at<typename Job::Quantized>(zero_points, part % parameters));
}

struct Entry {
  bool quantizes;
  ElementType x;
  ElementType y;
  PlainLoop loop;
};

constexpr Entry entries[] = {
    {true, ElementType::float32, ElementType::uint16, run<Quantize<Float32, Uint16>>},
    {true, ElementType::float32, ElementType::int16, run<Quantize<Float32, Int16>>},
    {true, ElementType::float32, ElementType::uint8, run<Quantize<Float32, Uint8>>},
    {true, ElementType::float32, ElementType::int8, run<Quantize<Float32, Int8>>},
    {true, ElementType::float32, ElementType::uint4, run<Quantize<Float32, Uint4>>},
    {true, ElementType::float32, ElementType::int4, run<Quantize<Float32, Int4>>},
    {true, ElementType::float32, ElementType::float8e4m3fn, run<Quantize<Float32, Float8e4m3fn>>},
    {true, ElementType::float16, ElementType::uint8, run<Quantize<Float16, Uint8>>},
    {true, ElementType::float16, ElementType::int8, run<Quantize<Float16, Int8>>},
    {true, ElementType::float16, ElementType::uint4, run<Quantize<Float16, Uint4>>},
    {true, ElementType::float16, ElementType::int4, run<Quantize<Float16, Int4>>},
    {true, ElementType::bfloat16, ElementType::uint8, run<Quantize<Bfloat16, Uint8>>},
    {false, ElementType::uint16, ElementType::float32, run<Dequantize<Uint16, Float32>>},
    {false, ElementType::int16, ElementType::float32, run<Dequantize<Int16, Float32>>},
    {false, ElementType::uint8, ElementType::float32, run<Dequantize<Uint8, Float32>>},
    {false, ElementType::int8, ElementType::float32, run<Dequantize<Int8, Float32>>},
    {false, ElementType::uint4, ElementType::float32, run<Dequantize<Uint4, Float32>>},
    {false, ElementType::int4, ElementType::float32, run<Dequantize<Int4, Float32>>},
    {false, ElementType::uint8, ElementType::float16, run<Dequantize<Uint8, Float16>>},
    {false, ElementType::int8, ElementType::float16, run<Dequantize<Int8, Float16>>},
    {false, ElementType::uint4, ElementType::float16, run<Dequantize<Uint4, Float16>>},
    {false, ElementType::int4, ElementType::float16, run<Dequantize<Int4, Float16>>},
};

}  // namespace

PlainLoop find_plain_loop(bool quantizes, ElementType x, ElementType y, bool along_axis) {
  const ElementType quantized = quantizes ? y : x;
  if (along_axis && (quantized == ElementType::uint4 || quantized == ElementType::int4)) return nullptr;
  for (const Entry& entry : entries)
    if (entry.quantizes == quantizes && entry.x == x && entry.y == y) return entry.loop;
  return nullptr;
}

}  // namespace touchstone::optimized::benchmarks::TOUCHSTONE_PLAIN_LOOP
