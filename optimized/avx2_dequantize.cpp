// DequantizeLinear for AVX2, FMA and F16C.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "optimized/avx2_stretches.h"
#include "optimized/avx2_vectors.h"
#include "optimized/operands.h"
#include "optimized/small_floats.h"

namespace touchstone::optimized {

namespace {

constexpr ElementType type_of(Multiplication multiplication) {
  switch (multiplication) {
    case Multiplication::in_float16: return ElementType::float16;
    case Multiplication::in_bfloat16: return ElementType::bfloat16;
    default: return ElementType::float32;
  }
}

template <ElementType type>
using ZeroPoints = std::conditional_t<spec::is_integer(type), Codes, Floats>;

inline Codes broadcast(std::int32_t number) {
  const __m256i part = broadcast_32(number);
  return {{part, part, part, part}};
}

inline Floats broadcast(float number) {
  const __m256 part = _mm256_set1_ps(number);
  return {{part, part, part, part}};
}

/// x - zero point, as float32: exact for integers, since they have at most 16 bits or the zero point is 0.
template <ElementType type>
Floats differences(const std::byte* x, const ZeroPoints<type>& zero_points) {
  const Codes codes = load_group<type>(x);
  Floats result;
  for (std::size_t i = 0; i < 4; ++i) {
    if constexpr (spec::is_integer(type))
      result.part[i] = _mm256_cvtepi32_ps(_mm256_sub_epi32(codes.part[i], zero_points.part[i]));
    else
      result.part[i] = _mm256_sub_ps(_mm256_i32gather_ps(float_values<type>.data(), codes.part[i], sizeof(float)),
                                     zero_points.part[i]);
  }
  return result;
}

/// One scale and zero point.
template <ElementType type>
class OneParameter {
 public:
  OneParameter(float scale, ZeroPoint<type> zero_point)
      : scale_(_mm256_set1_ps(scale)), zero_points_(broadcast(zero_point)) {}
  __m256 scale(std::int64_t, std::size_t) const { return scale_; }
  const ZeroPoints<type>& zero_points(std::int64_t) const { return zero_points_; }

 private:
  __m256 scale_;
  ZeroPoints<type> zero_points_;
};

/// Those of each element.
template <ElementType type>
class TileOfParameters {
 public:
  explicit TileOfParameters(const Tile<type>& tile) : tile_(tile) {}
  __m256 scale(std::int64_t first, std::size_t part) const {
    return _mm256_loadu_ps(tile_.scales.data() + first + static_cast<std::int64_t>(8 * part));
  }
  ZeroPoints<type> zero_points(std::int64_t first) const {
    if constexpr (spec::is_integer(type))
      return load_integers(tile_.zero_points.data() + first);
    else
      return load_floats(tile_.zero_points.data() + first);
  }

 private:
  const Tile<type>& tile_;
};

/// Products to y, for each of its types. A product of float16 or bfloat16 numbers is exact in float32, or so small that
/// it becomes 0 or is told from the smallest midpoint (see portable_rounding.h); so one rounding is left to do.
struct ToFloat32 {
  static constexpr std::int64_t width = 4;
  static void store(const Floats& products, std::byte* place) {
    for (std::size_t i = 0; i < 4; ++i) _mm256_storeu_ps(reinterpret_cast<float*>(place) + 8 * i, products.part[i]);
  }
};

struct ToFloat16 {
  static constexpr std::int64_t width = 2;
  static void store(const Floats& products, std::byte* place) {
    for (std::size_t i = 0; i < 4; ++i)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(place) + i,
                       _mm256_cvtps_ph(products.part[i], _MM_FROUND_TO_NEAREST_INT));
  }
};

struct ToBfloat16 {
  static constexpr std::int64_t width = 2;
  static void store(const Floats& products, std::byte* place) {
    const auto pack = [](__m256 low, __m256 high) {
      return in_order_16(
          _mm256_packus_epi32(_mm256_srli_epi32(bfloat16_codes(low), 16), _mm256_srli_epi32(bfloat16_codes(high), 16)));
    };
    auto* out = reinterpret_cast<__m256i*>(place);
    _mm256_storeu_si256(out, pack(products.part[0], products.part[1]));
    _mm256_storeu_si256(out + 1, pack(products.part[2], products.part[3]));
  }
};

template <ElementType type, class Output>
struct Kernel {
  static constexpr int bits = spec::info(type).bits;

  const Operands& operands;
  const Parameters<type>& parameters;
  ElementType precision;

  void uniform(std::int64_t first, std::int64_t count, std::int64_t parameter) const {
    groups(first, count, OneParameter<type>(parameters.scale(parameter), parameters.zero_point(parameter)));
  }

  void tile(std::int64_t first, std::int64_t count, const Tile<type>& tile) const {
    groups(first, count, TileOfParameters<type>(tile));
  }

 private:
  template <class Choice>
  void groups(std::int64_t first, std::int64_t count, const Choice& choice) const {
    if (precision == ElementType::float32)
      groups_in<ElementType::float32>(first, count, choice);
    else if (precision == ElementType::float16)
      groups_in<ElementType::float16>(first, count, choice);
    else
      groups_in<ElementType::bfloat16>(first, count, choice);
  }

  template <ElementType type_of_product, class Choice>
  void groups_in(std::int64_t first, std::int64_t count, const Choice& choice) const {
    const std::byte* x = operands.x + first * bits / 8;
    std::byte* y = operands.y + first * Output::width;
    std::int64_t i = 0;
    for (; i + group_size <= count; i += group_size)
      Output::store(products<type_of_product>(x + i * bits / 8, i, choice), y + i * Output::width);
    const std::int64_t rest = count - i;
    if (rest == 0) return;

    alignas(32) std::array<std::byte, group_size * 4> codes{};
    alignas(32) std::array<std::byte, group_size * 4> numbers;
    std::memcpy(codes.data(), x + i * bits / 8, static_cast<std::size_t>((rest * bits + 7) / 8));
    Output::store(products<type_of_product>(codes.data(), i, choice), numbers.data());
    std::memcpy(y + i * Output::width, numbers.data(), static_cast<std::size_t>(rest * Output::width));
  }

  template <ElementType type_of_product, class Choice>
  static Floats products(const std::byte* x, std::int64_t first, const Choice& choice) {
    Floats result = differences<type>(x, choice.zero_points(first));
    for (std::size_t part = 0; part < 4; ++part) {
      __m256& number = result.part[part];
      number = _mm256_mul_ps(rounded_to(type_of_product, number), choice.scale(first, part));
      number = rounded_to(type_of_product, number);
    }
    return result;
  }
};

template <ElementType type>
void dequantize(const Operands& operands, const DequantizeOptions& options) {
  const ElementType precision = type_of(options.multiplication);
  const Parameters<type> parameters(operands, precision);
  switch (operands.y_type) {
    case ElementType::float16:
      return for_each_stretch(operands, parameters, Kernel<type, ToFloat16>{operands, parameters, precision});
    case ElementType::bfloat16:
      return for_each_stretch(operands, parameters, Kernel<type, ToBfloat16>{operands, parameters, precision});
    default: return for_each_stretch(operands, parameters, Kernel<type, ToFloat32>{operands, parameters, precision});
  }
}

struct Row {
  ElementType type;
  void (*dequantize)(const Operands&, const DequantizeOptions&);
};

template <ElementType... types>
constexpr std::array<Row, sizeof...(types)> rows_of{Row{types, dequantize<types>}...};

constexpr auto rows =
    rows_of<ElementType::int32, ElementType::uint16, ElementType::int16, ElementType::uint8, ElementType::int8,
            ElementType::uint4, ElementType::int4, ElementType::uint2, ElementType::int2, ElementType::float8e4m3fn,
            ElementType::float8e4m3fnuz, ElementType::float8e5m2, ElementType::float8e5m2fnuz, ElementType::float6e2m3,
            ElementType::float6e3m2, ElementType::float4e2m1>;

/// Vectors hold float32: a difference of int32 has one bit more than they, and int32 would be rounded twice on the way
/// to narrower types.
bool has_kernel(const Operands& operands, const DequantizeOptions& options) {
  return operands.x_type != ElementType::int32 ||
         (operands.zero_point == nullptr && options.multiplication == Multiplication::in_float32);
}

}  // namespace

Isa dequantize_avx2(const Operands& operands, const DequantizeOptions& options) noexcept {
  if (!has_kernel(operands, options)) return dequantize_portable(operands, options);
  for (const Row& row : rows)
    if (row.type == operands.x_type) row.dequantize(operands, options);
  return Isa::avx2;
}

}  // namespace touchstone::optimized
