// DequantizeLinear of integers of at most 16 bits in standard C++, in float32. The loops have no branches and no calls,
// so that compilers vectorize them.
#include <algorithm>
#include <array>
#include <cstdint>

#include "optimized/operands.h"
#include "optimized/portable/bytes_of_codes.h"
#include "optimized/portable/float_codes.h"
#include "optimized/portable/float_parameters.h"
#include "optimized/portable/integers.h"

namespace touchstone::optimized {

using spec::ElementType;

namespace {

/// Handles elements that use each of `parameters` parameters `times` times; `times` is 1 unless `repeats`. Differences
/// are exact, and so are products of two float16 or two bfloat16 numbers: the conversion to the type of y is then the
/// only rounding.
template <class XCode, ElementType y_type, bool repeats>
void dequantize(const std::byte* x, std::int64_t parameters, std::int64_t times, const float* scales,
                const float* zero_points, std::uint32_t inverted, std::byte* y) {
  using YCode = typename FloatCodes<y_type>::Code;
  const std::int64_t length = repeats ? times : parameters;
  for (std::int64_t run = 0; run < (repeats ? parameters : 1); ++run) {
    const float scale = scales[run];
    const float zero_point = zero_points[run];
    transform_elements<XCode, YCode>(x, length, y, [&](std::int64_t i, XCode code) {
      const auto number = static_cast<float>(static_cast<std::int32_t>(static_cast<XCode>(code ^ inverted)));
      const float difference = number - (repeats ? zero_point : zero_points[i]);
      return FloatCodes<y_type>::code(difference * (repeats ? scale : scales[i]));
    });
    x += length * std::int64_t{sizeof(XCode)};
    y += length * std::int64_t{sizeof(YCode)};
  }
}

using Loop = void (*)(const std::byte* x, std::int64_t parameters, std::int64_t times, const float* scales,
                      const float* zero_points, std::uint32_t inverted, std::byte* y);

struct Row {
  ElementType y_type;
  std::array<std::array<Loop, 2>, 2> loops;  ///< [16-bit codes][repeats]
};

template <ElementType y_type>
constexpr Row row_of() {
  return {y_type,
          {{{dequantize<std::uint8_t, y_type, false>, dequantize<std::uint8_t, y_type, true>},
            {dequantize<std::uint16_t, y_type, false>, dequantize<std::uint16_t, y_type, true>}}}};
}

constexpr std::array rows{row_of<ElementType::float32>(), row_of<ElementType::float16>(),
                          row_of<ElementType::bfloat16>()};

/// The type of the multiplication. float32 has room for products of numbers of type y, but the difference of 16-bit
/// integers would have to be rounded first.
bool has_loop(const Operands& operands, const DequantizeOptions& options) {
  const int bits = spec::info(operands.x_type).bits;
  if (!spec::is_integer(operands.x_type) || bits > 16) return false;
  switch (options.multiplication) {
    case Multiplication::in_float32: return true;
    case Multiplication::in_float16: return operands.y_type == ElementType::float16 && bits <= 8;
    case Multiplication::in_bfloat16: return operands.y_type == ElementType::bfloat16 && bits <= 8;
  }
  return false;
}

}  // namespace

bool dequantize_integers(const Operands& operands, const DequantizeOptions& options) noexcept {
  if (!has_loop(operands, options)) return false;
  const auto* row =
      std::find_if(rows.begin(), rows.end(), [&](const Row& entry) { return entry.y_type == operands.y_type; });
  const int bits = spec::info(operands.x_type).bits;
  const std::uint32_t inverted = inverted_bit(operands.x_type);
  const std::array<Loop, 2>& loops = row->loops[bits == 16 ? 1 : 0];
  const std::int64_t width = bits == 16 ? 2 : 1;
  const std::int64_t y_width = spec::info(operands.y_type).bits / 8;
  FloatParameters parameters(
      operands, options.multiplication == Multiplication::in_float32 ? ElementType::float32 : operands.y_type);
  std::array<std::byte, piece_size> buffer;
  for (std::int64_t first = 0; first < operands.count; first += piece_size) {
    const std::int64_t count = std::min(piece_size, operands.count - first);
    const std::byte* x = operands.x + first * bits / 8;
    if (bits < 8) unpack(bits, x, count, buffer.data());
    const std::byte* codes = bits < 8 ? buffer.data() : x;
    std::byte* y = operands.y + first * y_width;
    parameters.next(count, [&](std::int64_t place, std::int64_t number, std::int64_t times, const float* scales,
                               const float* zero_points) {
      loops[times > 1 ? 1 : 0](codes + place * width, number, times, scales, zero_points, inverted,
                               y + place * y_width);
    });
  }
  return true;
}

}  // namespace touchstone::optimized
