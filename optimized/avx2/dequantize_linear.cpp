// DequantizeLinear for AVX2, FMA and F16C.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "optimized/avx2/vectors.h"
#include "optimized/avx2/walk.h"
#include "optimized/operands.h"
#include "optimized/small_floats.h"

namespace touchstone::optimized {

namespace {

template <ElementType type>
using ZeroPoints = std::conditional_t<spec::is_integer(type), Codes, Floats>;

/// x - zero point, as float32: exact for integers, since they have at most 16 bits or the zero point is 0.
template <ElementType type>
TOUCHSTONE_INLINE Floats differences(const std::byte* x, const ZeroPoints<type>& zero_points) {
  const Codes codes = load_group<type>(x);
  Floats result;
  for (std::size_t i = 0; i < 4; ++i) {
    if constexpr (spec::is_integer(type))
      result.part[i] = _mm256_cvtepi32_ps(_mm256_sub_epi32(codes.part[i], zero_points.part[i]));
    else
      result.part[i] = _mm256_sub_ps(decoded<type>(codes.part[i]), zero_points.part[i]);
  }
  return result;
}

/// One scale and zero point.
template <ElementType type>
class OneParameter {
 public:
  OneParameter(const PreparedParameters<type>& parameters, std::int64_t parameter)
      : scale_(_mm256_set1_ps(parameters.scales[parameter])) {
    for (auto& part : zero_points_.part) {
      if constexpr (spec::is_integer(type))
        part = broadcast_32(parameters.zero_points[parameter]);
      else
        part = _mm256_set1_ps(parameters.zero_points[parameter]);
    }
  }
  __m256 scale(std::int64_t, std::size_t) const { return scale_; }
  const ZeroPoints<type>& zero_points(std::int64_t) const { return zero_points_; }

 private:
  __m256 scale_;
  ZeroPoints<type> zero_points_;
};

/// Those of each element.
template <ElementType type>
class ParametersInTile {
 public:
  explicit ParametersInTile(const PreparedParameters<type>& parameters)
      : scales_(parameters.scales), zero_points_(parameters.zero_points) {}
  __m256 scale(std::int64_t first, std::size_t part) const {
    return _mm256_loadu_ps(scales_ + first + static_cast<std::int64_t>(8 * part));
  }
  ZeroPoints<type> zero_points(std::int64_t first) const {
    if constexpr (spec::is_integer(type))
      return load_integers(zero_points_ + first);
    else
      return load_floats(zero_points_ + first);
  }

 private:
  const float* scales_;
  const ZeroPoint<type>* zero_points_;
};

/// Products to y, for each of its types. A product of float16 or bfloat16 numbers is exact in float32, or so small that
/// it becomes 0 or is told from the smallest midpoint (see portable/rounding.h); so one rounding is left to do.
struct ToFloat32 {
  static constexpr ElementType type = ElementType::float32;
  static constexpr std::int64_t width = 4;
  TOUCHSTONE_INLINE static void store(const Floats& products, std::byte* place) {
    for (std::size_t i = 0; i < 4; ++i) _mm256_storeu_ps(reinterpret_cast<float*>(place) + 8 * i, products.part[i]);
  }
};

struct ToFloat16 {
  static constexpr ElementType type = ElementType::float16;
  static constexpr std::int64_t width = 2;
  TOUCHSTONE_INLINE static void store(const Floats& products, std::byte* place) {
    for (std::size_t i = 0; i < 4; ++i)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(place) + i,
                       _mm256_cvtps_ph(products.part[i], _MM_FROUND_TO_NEAREST_INT));
  }
};

struct ToBfloat16 {
  static constexpr ElementType type = ElementType::bfloat16;
  static constexpr std::int64_t width = 2;
  TOUCHSTONE_INLINE static void store(const Floats& products, std::byte* place) {
    const auto pack = [](__m256 low, __m256 high) {
      return in_order_16(
          _mm256_packus_epi32(_mm256_srli_epi32(bfloat16_codes(low), 16), _mm256_srli_epi32(bfloat16_codes(high), 16)));
    };
    auto* out = reinterpret_cast<__m256i*>(place);
    _mm256_storeu_si256(out, pack(products.part[0], products.part[1]));
    _mm256_storeu_si256(out + 1, pack(products.part[2], products.part[3]));
  }
};

/// `precision` is float32 or the type of the output.
template <ElementType type, class Output, ElementType precision>
struct Kernel {
  static constexpr int bits = spec::info(type).bits;
  /// Integers of 8 bits, and their differences, are float16 and bfloat16 numbers.
  static constexpr ElementType precision_of_difference =
      spec::is_integer(type) && bits <= 8 ? ElementType::float32 : precision;

  const Operands& operands;

  void runs(std::int64_t first, std::int64_t length, std::int64_t runs,
            const PreparedParameters<type>& parameters) const {
    if (length % group_size == 0) return whole_runs(x_at(first), length, 0, runs, parameters, y_at(first));
    for (std::int64_t run = 0; run < runs; ++run)
      stretch(first + run * length, length, [&](const std::byte* x, std::int64_t, std::int64_t count, std::byte* y) {
        whole_runs(x, count, run, run + 1, parameters, y);
      });
  }

  void rows(std::int64_t first, std::int64_t count, std::int64_t stride, std::int64_t rows,
            const PreparedParameters<type>& parameters) const {
    for (std::int64_t row = 0; row < rows; ++row)
      stretch(first + row * stride, count,
              [&](const std::byte* x, std::int64_t place, std::int64_t length, std::byte* y) {
                whole_row(x, place, length, parameters, y);
              });
  }

 private:
  const std::byte* x_at(std::int64_t first) const { return operands.x + first * bits / 8; }
  std::byte* y_at(std::int64_t first) const { return operands.y + first * Output::width; }

  /// Calls loop(x, first, count, y) for whole groups; `first` counts from the beginning of the stretch.
  template <class Loop>
  void stretch(std::int64_t first, std::int64_t count, const Loop& loop) const {
    const std::int64_t whole = count / group_size * group_size;
    if (whole > 0) loop(x_at(first), 0, whole, y_at(first));
    if (whole == count) return;
    const std::int64_t rest = count - whole;
    alignas(32) std::byte codes[group_size * 4]{};
    alignas(32) std::byte numbers[group_size * 4];
    std::memcpy(codes, x_at(first + whole), static_cast<std::size_t>((rest * bits + 7) / 8));
    loop(codes, whole, group_size, numbers);
    std::memcpy(y_at(first + whole), numbers, static_cast<std::size_t>(rest * Output::width));
  }

  /// Runs of whole groups.
  [[gnu::noinline]] static void whole_runs(const std::byte* x, std::int64_t length, std::int64_t first_run,
                                           std::int64_t last_run, const PreparedParameters<type>& parameters,
                                           std::byte* y) {
    for (std::int64_t run = first_run; run < last_run; ++run) {
      groups(x, 0, length, OneParameter<type>(parameters, run), y);
      x += length * bits / 8;
      y += length * Output::width;
    }
  }

  [[gnu::noinline]] static void whole_row(const std::byte* x, std::int64_t first, std::int64_t count,
                                          const PreparedParameters<type>& parameters, std::byte* y) {
    groups(x, first, count, ParametersInTile<type>(parameters), y);
  }

  template <class Choice>
  TOUCHSTONE_INLINE static void groups(const std::byte* x, std::int64_t first, std::int64_t count,
                                       const Choice& choice_in_memory, std::byte* y) {
    // y may be any bytes, so the compiler would read again, after each store, what it has not in local variables.
    const Choice choice = choice_in_memory;
    for (std::int64_t i = 0; i < count; i += group_size) {
      std::byte* place = y + i * Output::width;
      prefetch(place, group_size * Output::width);
      Output::store(products(x + i * bits / 8, first + i, choice), place);
    }
  }

  template <class Choice>
  TOUCHSTONE_INLINE static Floats products(const std::byte* x, std::int64_t first, const Choice& choice) {
    Floats result = differences<type>(x, choice.zero_points(first));
    for (std::size_t part = 0; part < 4; ++part)
      result.part[part] =
          _mm256_mul_ps(rounded_to<precision_of_difference>(result.part[part]), choice.scale(first, part));
    return result;
  }
};

template <ElementType type, class Output, ElementType precision>
void dequantize_in(const Operands& operands) {
  using ThisKernel = Kernel<type, Output, precision>;
  const Parameters<type, precision> parameters(operands);
  const ThisKernel kernel{operands};
  Walk<type, ThisKernel, Parameters<type, precision>>(operands, parameters, kernel)();
}

template <ElementType type, class Output>
void dequantize_to(const Operands& operands, const DequantizeOptions& options) {
  if (options.multiplication == Multiplication::in_float32)
    dequantize_in<type, Output, ElementType::float32>(operands);
  else
    dequantize_in<type, Output, Output::type>(operands);
}

template <ElementType type>
void dequantize(const Operands& operands, const DequantizeOptions& options) {
  switch (operands.y_type) {
    case ElementType::float16: return dequantize_to<type, ToFloat16>(operands, options);
    case ElementType::bfloat16: return dequantize_to<type, ToBfloat16>(operands, options);
    default: return dequantize_to<type, ToFloat32>(operands, options);
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
/// to narrower types. No version multiplies in another type than float32 or that of y.
bool has_kernel(const Operands& operands, const DequantizeOptions& options) {
  switch (options.multiplication) {
    case Multiplication::in_float32: return operands.x_type != ElementType::int32 || operands.zero_point == nullptr;
    case Multiplication::in_float16:
      return operands.x_type != ElementType::int32 && operands.y_type == ElementType::float16;
    case Multiplication::in_bfloat16:
      return operands.x_type != ElementType::int32 && operands.y_type == ElementType::bfloat16;
  }
  return false;
}

}  // namespace

Isa dequantize_avx2(const Operands& operands, const DequantizeOptions& options) noexcept {
  if (!has_kernel(operands, options)) return dequantize_portable(operands, options);
  for (const Row& row : rows)
    if (row.type == operands.x_type) row.dequantize(operands, options);
  return Isa::avx2;
}

}  // namespace touchstone::optimized
