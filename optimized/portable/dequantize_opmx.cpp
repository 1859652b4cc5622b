// opmx.DequantizeLinear in standard C++. Tiles of float32 numbers, held as float64, pass through the steps of the
// formula.
#include <cstdint>

#include "optimized/opmx_operands.h"
#include "optimized/packed_codes.h"
#include "optimized/portable/values.h"

namespace touchstone::optimized {

using spec::ElementType;

namespace {

constexpr std::int64_t rows_of_int4x4 = spec::elements_per_carrier(ElementType::int4x4);

/// Unpacks `count` codes, which may lie in several rows.
void unpack_rows(const OpmxOperands& opmx, std::int64_t first, std::int64_t count, double* codes) {
  const std::int64_t length = opmx.row_length;
  std::int64_t row = first / length;
  std::int64_t place = first % length;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint32_t packed = load_code<16>(opmx.operands.x, row / rows_of_int4x4 * length + place);
    codes[i] = packed >> (4 * (row % rows_of_int4x4)) & 0xF;
    if (++place < length) continue;
    place = 0;
    ++row;
  }
}

void load_numbers(const OpmxOperands& opmx, std::int64_t first, std::int64_t count, double* numbers) {
  if (opmx.operands.x_type == ElementType::int4x4)
    unpack_rows(opmx, first, count, numbers);
  else
    decoder(opmx.operands.x_type)(opmx.operands.x, first, count, numbers);
  for (std::int64_t i = 0; i < count; ++i) numbers[i] -= opmx.offset;
}

/// An integer zero point has as many bits as a code.
void keep_low_bits(std::int64_t count, double* zero_points) {
  for (std::int64_t i = 0; i < count; ++i) zero_points[i] = static_cast<int>(zero_points[i]) & 0xF;
}

/// The steps. Each reads float32 numbers and rounds its results to float32.
void subtract(std::int64_t count, const double* operand, double* numbers) {
  for (std::int64_t i = 0; i < count; ++i)
    numbers[i] = static_cast<double>(static_cast<float>(numbers[i]) - static_cast<float>(operand[i]));
}
void multiply(std::int64_t count, const double* operand, double* numbers) {
  for (std::int64_t i = 0; i < count; ++i)
    numbers[i] = static_cast<double>(static_cast<float>(numbers[i]) * static_cast<float>(operand[i]));
}
void add(std::int64_t count, const double* operand, double* numbers) {
  for (std::int64_t i = 0; i < count; ++i)
    numbers[i] = static_cast<double>(static_cast<float>(numbers[i]) + static_cast<float>(operand[i]));
}

}  // namespace

Isa dequantize_opmx_portable(const OpmxOperands& opmx) noexcept {
  const Operands& operands = opmx.operands;
  const bool has_zero_point = operands.zero_point != nullptr;
  const bool has_4_bits = operands.x_type == ElementType::int4x4 && spec::is_integer(operands.quantized_type);
  const Encode encode = encoder(operands.y_type);
  for_each_tile(operands, [&](Tile& tile) {
    const std::int64_t count = tile.count;
    load_numbers(opmx, tile.first, count, tile.values.data());
    if (has_zero_point && has_4_bits) keep_low_bits(count, tile.zero_points.data());
    if (has_zero_point && !opmx.adds_zero_point) subtract(count, tile.zero_points.data(), tile.values.data());
    multiply(count, tile.scales.data(), tile.values.data());
    if (opmx.adds_zero_point) add(count, tile.zero_points.data(), tile.values.data());
    encode(tile.values.data(), tile.first, count, operands.y);
  });
  return Isa::portable;
}

}  // namespace touchstone::optimized
