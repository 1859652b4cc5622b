// DequantizeLinear of opmx for AVX2, FMA and F16C: 8 elements at a time, as float32.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "optimized/avx2_stretches.h"
#include "optimized/avx2_vectors.h"
#include "optimized/opmx_operands.h"

namespace touchstone::optimized {

namespace {

/// Zero points are float32 numbers, whatever their type: the difference of two integers of few bits is exact too.
constexpr ElementType zero_points_as = ElementType::float32;
using OpmxTile = Tile<zero_points_as>;

// ---- scales and zero points

/// So many elements of int8, of which `mask` keeps some bits, as numbers.
template <int mask>
void load_int8(const std::byte* place, std::int64_t count, float* numbers) {
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256i integers = widened<true>(_mm_loadl_epi64(at128(place + i)));
    _mm256_storeu_ps(numbers + i, _mm256_cvtepi32_ps(_mm256_and_si256(integers, broadcast_32(mask))));
  }
  for (; i < count; ++i) numbers[i] = static_cast<float>(static_cast<std::int8_t>(place[i]) & mask);
}

void load_zeros(const std::byte*, std::int64_t count, float* numbers) { std::fill_n(numbers, count, 0.0F); }

/// An integer zero point has as many bits as a code.
LoadWide zero_point_loader(const Operands& operands) {
  if (operands.zero_point == nullptr) return load_zeros;
  if (!spec::is_integer(operands.quantized_type)) return wide_loader<ElementType::float32>(operands.quantized_type);
  return operands.x_type == ElementType::int4x4 ? load_int8<0xF> : load_int8<-1>;
}

/// Those of a node from one of them on, as for_each_stretch asks for them.
class OpmxParameters {
 public:
  OpmxParameters(const Operands& operands, std::int64_t first)
      : scale_type_(operands.scale_type),
        scale_width_(spec::info(operands.scale_type).bits / 8),
        zero_point_width_(operands.zero_point == nullptr ? 0 : spec::info(operands.quantized_type).bits / 8),
        load_scales_(wide_loader<ElementType::float32>(operands.scale_type)),
        load_zero_points_(zero_point_loader(operands)),
        scales_(operands.scale + first * scale_width_),
        zero_points_(operands.zero_point + first * zero_point_width_) {}

  float scale(std::int64_t parameter) const {
    return load_one_wide<ElementType::float32>(scale_type_, scales_at(parameter));
  }

  float zero_point(std::int64_t parameter) const {
    float number;
    load_zero_points_(zero_points_at(parameter), 1, &number);
    return number;
  }

  void set(std::int64_t parameter, std::int64_t count, OpmxTile& tile) const {
    // Kernels read whole groups.
    const bool in_place = scale_type_ == ElementType::float32 && count % group_size == 0;
    tile.scales = in_place ? reinterpret_cast<const float*>(scales_at(parameter)) : tile.scale_copies;
    if (!in_place) load_scales_(scales_at(parameter), count, tile.scale_copies);
    load_zero_points_(zero_points_at(parameter), count, tile.zero_points);
  }

  void copy(const ParameterRun& run, std::int64_t place, OpmxTile& tile) const {
    tile.scales = tile.scale_copies;
    if (run.steps) {
      load_scales_(scales_at(run.parameter), run.count, tile.scale_copies + place);
      load_zero_points_(zero_points_at(run.parameter), run.count, tile.zero_points + place);
    } else {
      std::fill_n(tile.scale_copies + place, run.count, scale(run.parameter));
      std::fill_n(tile.zero_points + place, run.count, zero_point(run.parameter));
    }
  }

 private:
  const std::byte* scales_at(std::int64_t parameter) const { return scales_ + parameter * scale_width_; }
  const std::byte* zero_points_at(std::int64_t parameter) const { return zero_points_ + parameter * zero_point_width_; }

  ElementType scale_type_;
  std::int64_t scale_width_;
  std::int64_t zero_point_width_;
  LoadWide load_scales_;
  LoadWide load_zero_points_;
  const std::byte* scales_;
  const std::byte* zero_points_;
};

// ---- 8 elements: their numbers, the formula, its result

constexpr std::int64_t at_a_time = 8;

struct Int8Input {
  static constexpr std::int64_t width = 1;
  TOUCHSTONE_INLINE __m256 numbers(const std::byte* place) const {
    return _mm256_cvtepi32_ps(widened<true>(_mm_loadl_epi64(at128(place))));
  }
};

/// One of the four rows that share elements of 16 bits.
class Int4x4Input {
 public:
  static constexpr std::int64_t width = 2;
  Int4x4Input(std::int64_t row, std::int32_t offset)
      : shift_(_mm_cvtsi32_si128(static_cast<int>(4 * (row % 4)))),
        offset_(_mm_set1_epi16(static_cast<std::int16_t>(offset))) {}

  TOUCHSTONE_INLINE __m256 numbers(const std::byte* place) const {
    const __m128i codes = _mm_and_si128(_mm_srl_epi16(_mm_loadu_si128(at128(place)), shift_), _mm_set1_epi16(0xF));
    return _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_sub_epi16(codes, offset_)));
  }

 private:
  __m128i shift_;
  __m128i offset_;
};

struct Subtracted {
  TOUCHSTONE_INLINE static __m256 result(__m256 number, __m256 scale, __m256 zero_point) {
    return _mm256_mul_ps(_mm256_sub_ps(number, zero_point), scale);
  }
};

/// The product is rounded before it is added to.
struct Added {
  TOUCHSTONE_INLINE static __m256 result(__m256 number, __m256 scale, __m256 zero_point) {
    return _mm256_add_ps(_mm256_mul_ps(number, scale), zero_point);
  }
};

struct Float32Output {
  static constexpr std::int64_t width = 4;
  TOUCHSTONE_INLINE static void store(__m256 numbers, std::byte* place) {
    _mm256_storeu_ps(reinterpret_cast<float*>(place), numbers);
  }
};

struct Float16Output {
  static constexpr std::int64_t width = 2;
  TOUCHSTONE_INLINE static void store(__m256 numbers, std::byte* place) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(place), _mm256_cvtps_ph(numbers, _MM_FROUND_TO_NEAREST_INT));
  }
};

// ---- consecutive elements

struct OneScale {
  __m256 scale;
  __m256 zero_point;
  __m256 scale_at(std::int64_t) const { return scale; }
  __m256 zero_point_at(std::int64_t) const { return zero_point; }
};

struct ScalesInTile {
  const float* scales;
  const float* zero_points;
  __m256 scale_at(std::int64_t place) const { return _mm256_loadu_ps(scales + place); }
  __m256 zero_point_at(std::int64_t place) const { return _mm256_loadu_ps(zero_points + place); }
};

template <class Input, class Formula, class Output>
struct Kernel {
  Input input;
  const std::byte* x;
  std::byte* y;
  const OpmxParameters& parameters;

  void uniform(std::int64_t first, std::int64_t count, std::int64_t parameter) const {
    group(first, count, parameters.scale(parameter), parameters.zero_point(parameter));
  }

  void group(std::int64_t first, std::int64_t count, float scale, float zero_point) const {
    elements(first, count, OneScale{_mm256_set1_ps(scale), _mm256_set1_ps(zero_point)});
  }

  void tile(std::int64_t first, std::int64_t count, const OpmxTile& tile) const {
    elements(first, count, ScalesInTile{tile.scales, tile.zero_points});
  }

 private:
  template <class Scales>
  void elements(std::int64_t first, std::int64_t count, const Scales& scales_in_memory) const {
    // y may be any bytes, so the compiler would read again, after each store, what it has not in local variables.
    const Scales scales = scales_in_memory;
    const Input input_here = input;
    const std::byte* in = x + first * Input::width;
    std::byte* out = y + first * Output::width;
    std::int64_t i = 0;
    for (; i + at_a_time <= count; i += at_a_time)
      eight(input_here, in + i * Input::width, i, scales, out + i * Output::width);
    const std::int64_t rest = count - i;
    if (rest == 0) return;

    alignas(16) std::byte codes[at_a_time * Input::width]{};
    alignas(32) std::byte numbers[at_a_time * Output::width];
    std::memcpy(codes, in + i * Input::width, static_cast<std::size_t>(rest * Input::width));
    eight(input_here, codes, i, scales, numbers);
    std::memcpy(out + i * Output::width, numbers, static_cast<std::size_t>(rest * Output::width));
  }

  template <class Scales>
  TOUCHSTONE_INLINE static void eight(const Input& input, const std::byte* x, std::int64_t first, const Scales& scales,
                                      std::byte* y) {
    Output::store(Formula::result(input.numbers(x), scales.scale_at(first), scales.zero_point_at(first)), y);
  }
};

// ---- stretches of x and y that are consecutive in both

/// Groups of so many consecutive elements, one after the other, each with the next scale.
template <class Kernel>
void for_each_group(std::int64_t count, std::int64_t length, const OpmxParameters& parameters, const Kernel& kernel) {
  OpmxTile tile;
  for (std::int64_t first = 0; first < count; first += tile_size) {
    const std::int64_t groups = std::min(tile_size, count - first);
    parameters.copy({groups, first, true}, 0, tile);
    for (std::int64_t i = 0; i < groups; ++i)
      kernel.group((first + i) * length, length, tile.scale_copies[i], tile.zero_points[i]);
  }
}

/// As for_each_stretch, but that it reads the scales of many short groups at once.
template <class Kernel>
void dequantize_stretches(const Operands& operands, const OpmxParameters& parameters, const Kernel& kernel) {
  const std::int64_t block = operands.geometry.block;
  if (operands.geometry.inner == 1 && block >= at_a_time)
    for_each_group(operands.count / block, block, parameters, kernel);
  else
    for_each_stretch<zero_points_as>(operands, parameters, kernel);
}

// ---- the tensor

template <class Formula, class Output>
void dequantize_int8(const OpmxOperands& opmx) {
  const Operands& operands = opmx.operands;
  const OpmxParameters parameters(operands, 0);
  dequantize_stretches(operands, parameters,
                       Kernel<Int8Input, Formula, Output>{{}, operands.x, operands.y, parameters});
}

/// A row as a tensor of its own: its geometry, and the first of its parameters.
struct Row {
  Geometry geometry;
  std::int64_t first_parameter;
};

Row row_of(const OpmxOperands& opmx, std::int64_t row) {
  const auto& [rows, columns, inner, granularity, quant_axis, group_size_of_axis] = opmx.geometry;
  const std::int64_t block = opmx.operands.geometry.block;
  if (granularity == spec::Granularity::per_tensor) return {{1, 1, opmx.row_length(), 0}, 0};
  if (quant_axis == 0) return {{1, opmx.row_length(), 1, 0}, row / block * opmx.row_length()};
  return {{1, columns, inner, block}, row * (columns / block) * inner};
}

template <class Formula, class Output>
void dequantize_int4x4(const OpmxOperands& opmx) {
  const std::int64_t length = opmx.row_length();
  Operands operands = opmx.operands;
  operands.count = length;
  for (std::int64_t row = 0; row < opmx.geometry.rows; ++row) {
    const auto [geometry, first_parameter] = row_of(opmx, row);
    operands.geometry = geometry;
    const OpmxParameters parameters(operands, first_parameter);
    const Kernel<Int4x4Input, Formula, Output> kernel{{row, opmx.offset},
                                                      operands.x + row / 4 * length * Int4x4Input::width,
                                                      operands.y + row * length * Output::width,
                                                      parameters};
    dequantize_stretches(operands, parameters, kernel);
  }
}

template <class Formula, class Output>
void dequantize_to(const OpmxOperands& opmx) {
  if (opmx.operands.x_type == ElementType::int4x4)
    dequantize_int4x4<Formula, Output>(opmx);
  else
    dequantize_int8<Formula, Output>(opmx);
}

template <class Formula>
void dequantize(const OpmxOperands& opmx) {
  if (opmx.operands.y_type == ElementType::float16)
    dequantize_to<Formula, Float16Output>(opmx);
  else
    dequantize_to<Formula, Float32Output>(opmx);
}

}  // namespace

Isa dequantize_opmx_avx2(const OpmxOperands& opmx) noexcept {
  if (opmx.adds_zero_point)
    dequantize<Added>(opmx);
  else
    dequantize<Subtracted>(opmx);
  return Isa::avx2;
}

}  // namespace touchstone::optimized
