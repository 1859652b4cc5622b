// QuantizeLinear from floating-point numbers to integers of at most 16 bits in standard C++, in float32. The loops have
// no branches and no calls, so that compilers vectorize them.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "optimized/operands.h"
#include "optimized/portable/bytes_of_codes.h"
#include "optimized/portable/float_codes.h"
#include "optimized/portable/float_parameters.h"
#include "optimized/portable/integers.h"

namespace touchstone::optimized {

using spec::ElementType;

namespace {

/// The codes of a type, without zero point and before the bit is inverted, are the integers from 0 to `highest`.
struct Range {
  float highest;
  std::uint32_t inverted;
};

/// float32 has 24 >= 2 * 11 + 2 bits, so that rounding a quotient of float16 or bfloat16 numbers a second time, to
/// their precision, is innocuous (see portable/rounding.h).
template <ElementType precision, class Code>
Code code_of(float x, float scale, float zero_point, const Range& range) {
  const float quotient = with_precision_of<precision>(x / scale);
  // NaN becomes the lowest number. The limits are integers, so that the order of limiting and rounding does not matter.
  const float lowest = 0.0F - zero_point;
  const float highest = range.highest - zero_point;
  const float not_too_low = quotient > lowest ? quotient : lowest;
  const float limited = not_too_low < highest ? not_too_low : highest;
  // Next to 1.5 * 2^23, the spacing of float32 numbers is 1, so adding it rounds to an integer, which is then in the
  // low bits. The second addition is exact.
  const float shifted = (limited + 0x1.8p23F) + zero_point;
  return static_cast<Code>(std::bit_cast<std::uint32_t>(shifted) ^ range.inverted);
}

/// Handles elements that use each of `parameters` parameters `times` times; `times` is 1 unless `repeats`.
template <ElementType x_type, ElementType precision, class Code, bool repeats>
void quantize(const std::byte* x, std::int64_t parameters, std::int64_t times, const float* scales,
              const float* zero_points, const Range& range_in_memory, std::byte* codes) {
  using XCode = typename FloatCodes<x_type>::Code;
  const Range range = range_in_memory;  // a local copy: the codes may alias anything
  const std::int64_t length = repeats ? times : parameters;
  for (std::int64_t run = 0; run < (repeats ? parameters : 1); ++run) {
    const float scale = scales[run];
    const float zero_point = zero_points[run];
    transform_elements<XCode, Code>(x, length, codes, [&](std::int64_t i, XCode x_code) {
      return code_of<precision, Code>(FloatCodes<x_type>::number(x_code), repeats ? scale : scales[i],
                                      repeats ? zero_point : zero_points[i], range);
    });
    x += length * std::int64_t{sizeof(XCode)};
    codes += length * std::int64_t{sizeof(Code)};
  }
}

using Loop = void (*)(const std::byte* x, std::int64_t parameters, std::int64_t times, const float* scales,
                      const float* zero_points, const Range& range, std::byte* codes);

struct Row {
  ElementType x_type;
  Division division;
  ElementType precision;
  std::array<std::array<Loop, 2>, 2> loops;  ///< [16-bit codes][repeats]
};

template <ElementType x_type, Division division, ElementType precision>
constexpr Row row_of() {
  return {x_type,
          division,
          precision,
          {{{quantize<x_type, precision, std::uint8_t, false>, quantize<x_type, precision, std::uint8_t, true>},
            {quantize<x_type, precision, std::uint16_t, false>, quantize<x_type, precision, std::uint16_t, true>}}}};
}

constexpr std::array rows{
    row_of<ElementType::float32, Division::in_float32, ElementType::float32>(),
    row_of<ElementType::float16, Division::in_float32, ElementType::float32>(),
    row_of<ElementType::float16, Division::in_float16, ElementType::float16>(),
    row_of<ElementType::bfloat16, Division::in_float32, ElementType::float32>(),
    row_of<ElementType::bfloat16, Division::in_bfloat16, ElementType::bfloat16>(),
};

}  // namespace

bool quantize_integers(const Operands& operands, const QuantizeOptions& options) noexcept {
  const auto* row = std::find_if(rows.begin(), rows.end(), [&](const Row& entry) {
    return entry.x_type == operands.x_type && entry.division == options.division;
  });
  if (row == rows.end() || !spec::is_integer(operands.y_type)) return false;
  const int bits = spec::info(operands.y_type).bits;
  const Range range{static_cast<float>((1 << bits) - 1), inverted_bit(operands.y_type)};
  const std::array<Loop, 2>& loops = row->loops[bits == 16 ? 1 : 0];
  const std::int64_t width = bits == 16 ? 2 : 1;
  FloatParameters parameters(operands, row->precision);
  std::array<std::byte, piece_size + 3> buffer;
  for (std::int64_t first = 0; first < operands.count; first += piece_size) {
    const std::int64_t count = std::min(piece_size, operands.count - first);
    const std::byte* x = moved(operands.x, operands.x_type, first);
    std::byte* y = operands.y + first * bits / 8;
    std::byte* codes = bits < 8 ? buffer.data() : y;
    parameters.next(count, [&](std::int64_t place, std::int64_t number, std::int64_t times, const float* scales,
                               const float* zero_points) {
      loops[times > 1 ? 1 : 0](moved(x, operands.x_type, place), number, times, scales, zero_points, range,
                               codes + place * width);
    });
    if (bits < 8) pack(bits, codes, count, y);
  }
  return true;
}

}  // namespace touchstone::optimized
