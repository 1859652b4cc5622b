#include "optimized/portable_values.h"

#include <algorithm>
#include <array>

#include "optimized/small_floats.h"

namespace touchstone::optimized {

using spec::ElementType;

namespace {

template <ElementType type>
double number_of(std::uint32_t code) {
  constexpr spec::ElementTypeInfo row = spec::info(type);
  if constexpr (type == ElementType::float32) {
    return static_cast<double>(std::bit_cast<float>(code));
  } else if constexpr (row.format.has_value() && row.bits <= 8) {
    return static_cast<double>(float_values<type>[code]);
  } else if constexpr (row.format.has_value()) {
    return decode_float(*row.format, code);
  } else if constexpr (row.kind == spec::NumberKind::signed_integer) {
    constexpr int unused = 32 - row.bits;
    return static_cast<double>(static_cast<std::int32_t>(code << unused) >> unused);
  } else {
    return static_cast<double>(code);
  }
}

template <ElementType type>
void decode(const std::byte* bytes, std::int64_t first, std::int64_t count, double* numbers) {
  for (std::int64_t i = 0; i < count; ++i)
    numbers[i] = number_of<type>(load_code<spec::info(type).bits>(bytes, first + i));
}

struct Row {
  ElementType type;
  Decode decode;
};

template <ElementType... types>
constexpr std::array<Row, sizeof...(types)> rows_of{Row{types, decode<types>}...};

constexpr auto rows =
    rows_of<ElementType::float32, ElementType::float16, ElementType::bfloat16, ElementType::int32, ElementType::uint16,
            ElementType::int16, ElementType::uint8, ElementType::int8, ElementType::uint4, ElementType::int4,
            ElementType::uint2, ElementType::int2, ElementType::float8e4m3fn, ElementType::float8e4m3fnuz,
            ElementType::float8e5m2, ElementType::float8e5m2fnuz, ElementType::float6e2m3, ElementType::float6e3m2,
            ElementType::float4e2m1, ElementType::float8e8m0>;

}  // namespace

Decode decoder(ElementType type) {
  return std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.type == type; })->decode;
}

ParameterTiles::ParameterTiles(const Operands& operands)
    : operands_(operands),
      decode_scale_(decoder(operands.scale_type)),
      decode_zero_point_(decoder(operands.quantized_type)),
      runs_(operands.geometry) {}

void ParameterTiles::next(std::int64_t count, double* scales, double* zero_points) {
  const auto fill = [&](Decode decode, const std::byte* bytes, std::int64_t length, double* numbers) {
    decode(bytes, run_.parameter, run_.steps ? length : 1, numbers);
    if (!run_.steps) std::fill_n(numbers + 1, length - 1, numbers[0]);
  };
  for (std::int64_t done = 0; done < count;) {
    if (run_.count == 0) run_ = runs_.next();
    const std::int64_t length = std::min(count - done, run_.count);
    fill(decode_scale_, operands_.scale, length, scales + done);
    if (operands_.zero_point != nullptr) fill(decode_zero_point_, operands_.zero_point, length, zero_points + done);
    if (run_.steps) run_.parameter += length;
    run_.count -= length;
    done += length;
  }
}

}  // namespace touchstone::optimized
