// The AVX2, FMA and F16C kernels of opmx.DequantizeLinear, computed in float32. Zero points of every type become
// float32 numbers: the difference of two narrow integers is exact in float32, too.
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

/// Loads `count` int8 elements as numbers, after keeping only the bits of `mask`.
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

/// One of the four rows that share 16-bit elements.
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

/// The product is rounded before the addition.
struct Added {
  TOUCHSTONE_INLINE static __m256 result(__m256 number, __m256 scale, __m256 zero_point) {
    return _mm256_add_ps(_mm256_mul_ps(number, scale), zero_point);
  }
};

template <class InputCodes, class Use>
struct OpmxFormula {
  static constexpr ElementType parameter_type = ElementType::float32;
  static constexpr int bits = InputCodes::bits;
  static constexpr bool may_repeat = true;

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

template <class Use, class Output>
using Int8Loops = DequantizeLoops<OpmxFormula<Int8Codes, Use>, Output>;

/// The loops for int4x4, row by row.
template <class Use, class Output>
struct Int4x4Loops {
  using LoopsOfRow = DequantizeLoops<OpmxFormula<Int4x4Codes, Use>, Output>;

  const OpmxOperands& opmx;

  void runs(std::int64_t first, std::int64_t length, std::int64_t runs,
            const PreparedParameters<ElementType::float32>& parameters) const {
    // A run is part of a row, or consists of whole rows.
    in_rows(first, length * runs,
            [&](const LoopsOfRow& loops, std::int64_t place, std::int64_t count, std::int64_t done) {
              const std::int64_t in_row = std::min(length, count);
              loops.runs(place, in_row, count / in_row, from(parameters, done / length));
            });
  }

  void rows(std::int64_t first, std::int64_t count, std::int64_t stride, std::int64_t rows,
            const PreparedParameters<ElementType::float32>& parameters) const {
    for (std::int64_t row = 0; row < rows; ++row)
      in_rows(first + row * stride, count,
              [&](const LoopsOfRow& loops, std::int64_t place, std::int64_t part, std::int64_t done) {
                // Loops read whole groups of parameters.
                if (part >= group_size || done + group_size <= count)
                  return loops.rows(place, part, part, 1, from(parameters, done));
                Tile<ElementType::float32, group_size> of_part;
                std::copy_n(parameters.scales + done, part, of_part.scale_copies);
                std::copy_n(parameters.zero_points + done, part, of_part.zero_point_copies);
                OpmxParameters::complete_group(part, of_part);
                loops.rows(place, part, part, 1, of_part);
              });
  }

 private:
  static PreparedParameters<ElementType::float32> from(const PreparedParameters<ElementType::float32>& parameters,
                                                       std::int64_t first) {
    return {parameters.scales + first, parameters.zero_points + first};
  }

  /// Splits elements [first, first + count) at the row boundaries. Calls loop(loops of the row, place in the row, count
  /// in the row, done) for each part; `done` is the number of elements in the parts before it.
  template <class Loop>
  void in_rows(std::int64_t first, std::int64_t count, const Loop& loop) const {
    const std::int64_t length = opmx.row_length;
    std::int64_t row = first / length;
    std::int64_t place = first % length;
    for (std::int64_t done = 0; done < count; ++row, place = 0) {
      const std::int64_t part = std::min(length - place, count - done);
      loop({opmx.operands.x + row / 4 * length * 2,
            opmx.operands.y + row * length * Output::width,
            {Int4x4Codes(row, opmx.offset)}},
           place, part, done);
      done += part;
    }
  }
};

template <class Loops>
void dequantize_with(const Operands& operands, const Loops& loops) {
  const OpmxParameters parameters(operands);
  Walk<ElementType::float32, Loops, OpmxParameters>(operands, parameters, loops)();
}

template <class Use, class Output>
void dequantize_to(const OpmxOperands& opmx) {
  const Operands& operands = opmx.operands;
  if (operands.x_type == ElementType::int4x4)
    dequantize_with(operands, Int4x4Loops<Use, Output>{opmx});
  else
    dequantize_with(operands, Int8Loops<Use, Output>{operands.x, operands.y, {}});
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
  if (opmx.adds_zero_point)
    dequantize<Added>(opmx);
  else
    dequantize<Subtracted>(opmx);
  return Isa::avx2;
}

}  // namespace touchstone::optimized
