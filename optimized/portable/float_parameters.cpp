#include "optimized/portable/float_parameters.h"

#include <cstring>

#include "optimized/portable/bytes_of_codes.h"
#include "optimized/portable/float_codes.h"
#include "optimized/portable/rounding.h"
#include "optimized/portable/values.h"

namespace touchstone::optimized {

using spec::ElementType;

namespace {

std::int64_t parameter_count(const Geometry& geometry) {
  const auto& [outer, axis, inner, block] = geometry;
  return block == 0 ? axis : outer * ((axis - 1) / block + 1) * inner;
}

template <ElementType type>
void load_scales(const std::byte* place, std::int64_t count, float* scales) {
  using Codes = FloatCodes<type>;
  for (std::int64_t i = 0; i < count; ++i) {
    typename Codes::Code code;
    std::memcpy(&code, place + i * std::int64_t{sizeof code}, sizeof code);
    scales[i] = Codes::number(code);
  }
}

/// Scales of any type; a few at a time pass through float64.
void round_scales(const Operands& operands, std::int64_t first, std::int64_t count, ElementType precision,
                  float* scales) {
  std::array<double, tile_size> numbers;
  for (std::int64_t done = 0; done < count; done += tile_size) {
    const std::int64_t length = std::min(tile_size, count - done);
    decoder(operands.scale_type)(operands.scale, first + done, length, numbers.data());
    for (std::int64_t i = 0; i < length; ++i) {
      const double number = numbers[static_cast<std::size_t>(i)];
      scales[done + i] =
          static_cast<float>(precision == ElementType::float16    ? round_to<ElementType::float16>(number)
                             : precision == ElementType::bfloat16 ? round_to<ElementType::bfloat16>(number)
                                                                  : number);
    }
  }
}

template <class Code>
void load_zero_points(const std::byte* place, std::int64_t count, std::uint32_t inverted, float* zero_points) {
  for (std::int64_t i = 0; i < count; ++i) {
    Code code;
    std::memcpy(&code, place + i * std::int64_t{sizeof code}, sizeof code);
    zero_points[i] = static_cast<float>(static_cast<std::int32_t>(static_cast<Code>(code ^ inverted)));
  }
}

}  // namespace

FloatParameters::FloatParameters(const Operands& operands, ElementType precision)
    : operands_(operands),
      precision_(precision),
      parameter_count_(parameter_count(operands.geometry)),
      runs_(operands.geometry) {}

void FloatParameters::load_from(std::int64_t parameter) {
  loaded_first_ = parameter / 8 * 8;  // begins at a whole byte
  loaded_count_ = std::min(most_loaded, parameter_count_ - loaded_first_);
  const Operands& operands = operands_;
  float* scales = loaded_.scales.data();
  const std::byte* place = moved(operands.scale, operands.scale_type, loaded_first_);
  const bool is_exact = precision_ == ElementType::float32 || precision_ == operands.scale_type;
  if (is_exact && operands.scale_type == ElementType::float32)
    load_scales<ElementType::float32>(place, loaded_count_, scales);
  else if (is_exact && operands.scale_type == ElementType::float16)
    load_scales<ElementType::float16>(place, loaded_count_, scales);
  else
    round_scales(operands, loaded_first_, loaded_count_, precision_, scales);

  float* zero_points = loaded_.zero_points.data();
  const std::uint32_t inverted = inverted_bit(operands.quantized_type);
  if (operands.zero_point == nullptr) {
    std::fill_n(zero_points, loaded_count_, static_cast<float>(inverted));
    return;
  }
  const std::byte* codes = moved(operands.zero_point, operands.quantized_type, loaded_first_);
  const int bits = spec::info(operands.quantized_type).bits;
  if (bits == 16) return load_zero_points<std::uint16_t>(codes, loaded_count_, inverted, zero_points);
  std::array<std::byte, most_loaded + 3> unpacked;
  if (bits < 8) {
    unpack(bits, codes, loaded_count_, unpacked.data());
    codes = unpacked.data();
  }
  load_zero_points<std::uint8_t>(codes, loaded_count_, inverted, zero_points);
}

}  // namespace touchstone::optimized
