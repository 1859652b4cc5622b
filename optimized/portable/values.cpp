#include "optimized/portable/values.h"

#include <algorithm>
#include <array>
#include <bit>

#include "optimized/portable/rounding.h"
#include "optimized/small_floats.h"
#include "optimized/type_list.h"

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

template <ElementType type>
void encode(const double* numbers, std::int64_t first, std::int64_t count, std::byte* bytes) {
  std::array<std::uint32_t, tile_size> codes;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(i);
    if constexpr (type == ElementType::float32)
      codes[place] = std::bit_cast<std::uint32_t>(static_cast<float>(numbers[i]));
    else
      codes[place] = ieee_code(spec::format_of(type), numbers[i]);
  }
  store_codes<spec::info(type).bits>(codes.data(), first, count, bytes);
}

template <class Function>
struct Row {
  ElementType type;
  Function function;
};

template <const spec::TypeList& types>
constexpr auto decoders = expand<types>([]<ElementType... all>() {
  return std::array{Row<Decode>{all, decode<all>}...};
});

constexpr auto encoders = expand<result_types>([]<ElementType... all>() {
  return std::array{Row<Encode>{all, encode<all>}...};
});

template <class Rows>
auto find(const Rows& rows, ElementType type) {
  return std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.type == type; })->function;
}

}  // namespace

Decode decoder(ElementType type) {
  if (spec::contains(dequantized_types, type)) return find(decoders<dequantized_types>, type);
  return find(decoders<scale_types>, type);
}

Encode encoder(ElementType type) { return find(encoders, type); }

ParameterTiles::ParameterTiles(const Operands& operands)
    : operands_(operands),
      decode_scale_(decoder(operands.scale_type)),
      decode_zero_point_(decoder(operands.quantized_type)),
      runs_(operands.geometry) {}

void ParameterTiles::next(std::int64_t count, double* scales, double* zero_points) {
  const auto fill = [](Decode decode, const std::byte* bytes, const ParameterRun& run, double* numbers) {
    decode(bytes, run.parameter, run.parameters, numbers);
    if (run.times == 1) return;
    // From the last parameter to the first, so that none is overwritten before it is copied.
    for (std::int64_t i = run.parameters - 1; i >= 0; --i) std::fill_n(numbers + i * run.times, run.times, numbers[i]);
  };
  for (std::int64_t done = 0; done < count;) {
    const ParameterRun run = runs_.next(count - done);
    fill(decode_scale_, operands_.scale, run, scales + done);
    if (operands_.zero_point != nullptr) fill(decode_zero_point_, operands_.zero_point, run, zero_points + done);
    done += run.count();
  }
}

}  // namespace touchstone::optimized
