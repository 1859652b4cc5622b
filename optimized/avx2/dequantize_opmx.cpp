// DequantizeLinear of opmx for AVX2, FMA and F16C, as float32. Zero points are float32 numbers, whatever their type:
// the difference of two integers of few bits is exact too.
#include <algorithm>
#include <cstdint>

#include "optimized/avx2/dequantize_kernel.h"
#include "optimized/avx2/packed_groups.h"
#include "optimized/avx2/vectors.h"
#include "optimized/avx2/walk.h"
#include "optimized/avx2/wide_numbers.h"
#include "optimized/opmx_operands.h"

namespace touchstone::optimized {

namespace {

// ---- zero points

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

class OpmxZeroPoints {
 public:
  explicit OpmxZeroPoints(const Operands& operands)
      : zero_points_(operands.zero_point),
        width_(operands.zero_point == nullptr ? 0 : spec::info(operands.quantized_type).bits / 8),
        load_(zero_point_loader(operands)) {}

  void load(std::int64_t first, std::int64_t count, float* numbers) const {
    load_(zero_points_ + first * width_, count, numbers);
  }

 private:
  const std::byte* zero_points_;
  std::int64_t width_;
  LoadWide load_;
};

using OpmxParameters = Parameters<ElementType::float32, ElementType::float32, OpmxZeroPoints>;

// ---- 8 elements of a group: their numbers, and the formula

struct Int8Codes {
  static constexpr int bits = 8;
  TOUCHSTONE_INLINE __m256 numbers(const std::byte* place, std::size_t part) const {
    return _mm256_cvtepi32_ps(widened<true>(_mm_loadl_epi64(at128(place + 8 * part))));
  }
};

/// One of the four rows that share elements of 16 bits.
class Int4x4Codes {
 public:
  static constexpr int bits = 16;
  Int4x4Codes(std::int64_t row, std::int32_t offset)
      : shift_(_mm_cvtsi32_si128(static_cast<int>(4 * (row % 4)))),
        offset_(_mm_set1_epi16(static_cast<std::int16_t>(offset))) {}

  TOUCHSTONE_INLINE __m256 numbers(const std::byte* place, std::size_t part) const {
    const __m128i words = _mm_loadu_si128(at128(place + 16 * part));
    const __m128i codes = _mm_and_si128(_mm_srl_epi16(words, shift_), _mm_set1_epi16(0xF));
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

template <class InputCodes, class Use>
struct OpmxFormula {
  static constexpr ElementType parameter_type = ElementType::float32;
  static constexpr int bits = InputCodes::bits;

  InputCodes codes;

  template <class Choice>
  TOUCHSTONE_INLINE Floats operator()(const std::byte* x, std::int64_t first, const Choice& choice) const {
    const Floats& zero_points = choice.zero_points(first);  // a copy would go through memory
    Floats result;
    for (std::size_t part = 0; part < 4; ++part)
      result.part[part] = Use::result(codes.numbers(x, part), choice.scale(first, part), zero_points.part[part]);
    return result;
  }
};

// ---- the tensor

template <class Use, class Output, class InputCodes>
void dequantize_codes(const Operands& operands, const InputCodes& codes) {
  using Kernel = DequantizeLoops<OpmxFormula<InputCodes, Use>, Output>;
  const OpmxParameters parameters(operands);
  const Kernel kernel{operands, {codes}};
  Walk<ElementType::float32, Kernel, OpmxParameters>(operands, parameters, kernel)();
}

/// A row as a tensor of its own.
Operands row_of(const OpmxOperands& opmx, std::int64_t row) {
  const auto& [rows, columns, inner, granularity, quant_axis, group_size_of_axis] = opmx.geometry;
  const std::int64_t length = opmx.row_length();
  Operands part = moved(opmx.operands, 0, parameter_of_row(opmx, row));
  part.x += row / 4 * length * 2;
  part.y += row * length * (spec::info(part.y_type).bits / 8);
  part.count = length;
  if (granularity == spec::Granularity::per_tensor)
    part.geometry = {1, 1, length, 0};
  else if (quant_axis == 0)
    part.geometry = {1, length, 1, 0};
  else
    part.geometry = {1, columns, inner, opmx.operands.geometry.block};
  return part;
}

template <class Use, class Output>
void dequantize_to(const OpmxOperands& opmx) {
  if (opmx.operands.x_type != ElementType::int4x4) return dequantize_codes<Use, Output>(opmx.operands, Int8Codes{});
  for (std::int64_t row = 0; row < opmx.geometry.rows; ++row)
    dequantize_codes<Use, Output>(row_of(opmx, row), Int4x4Codes(row, opmx.offset));
}

template <class Use>
void dequantize(const OpmxOperands& opmx) {
  if (opmx.operands.y_type == ElementType::float16)
    dequantize_to<Use, ToFloat16>(opmx);
  else
    dequantize_to<Use, ToFloat32>(opmx);
}

}  // namespace

Isa dequantize_opmx_avx2(const OpmxOperands& opmx) noexcept {
  // A row of int4x4 is a walk of its own, which begins slowly.
  if (opmx.operands.x_type == ElementType::int4x4 && opmx.row_length() < group_size)
    return dequantize_opmx_portable(opmx);
  if (opmx.adds_zero_point)
    dequantize<Added>(opmx);
  else
    dequantize<Subtracted>(opmx);
  return Isa::avx2;
}

}  // namespace touchstone::optimized
