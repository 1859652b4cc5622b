// DequantizeLinear in standard C++, for all types. Tiles of float64 numbers pass through four steps: decode, subtract,
// multiply and round to the type of y, store.
#include <array>
#include <cstdint>

#include "optimized/operands.h"
#include "optimized/portable/integers.h"
#include "optimized/portable/rounding.h"
#include "optimized/portable/values.h"

namespace touchstone::optimized {

using spec::ElementType;

namespace {

/// Exact for integers of at most 32 bits.
void subtract_integers(std::int64_t count, const double* zero_points, double* values) {
  for (std::int64_t i = 0; i < count; ++i) values[i] -= zero_points[i];
}

void subtract_floats(std::int64_t count, const double* zero_points, double* values) {
  for (std::int64_t i = 0; i < count; ++i)
    values[i] = static_cast<double>(static_cast<float>(values[i]) - static_cast<float>(zero_points[i]));
}

/// The product of two numbers of at most 24 bits is exact in float64, so it is rounded only once.
template <ElementType type>
void multiply(std::int64_t count, const double* scales, double* values) {
  for (std::int64_t i = 0; i < count; ++i)
    values[i] = round_to<type>(round_to<type>(values[i]) * round_to<type>(scales[i]));
}

/// In the order of Multiplication.
constexpr std::array multiplications{multiply<ElementType::float16>, multiply<ElementType::bfloat16>,
                                     multiply<ElementType::float32>};

}  // namespace

Isa dequantize_portable(const Operands& operands, const DequantizeOptions& options) noexcept {
  if (dequantize_integers(operands, options)) return Isa::portable;
  const Decode decode = decoder(operands.x_type);
  const auto subtract = spec::is_integer(operands.x_type) ? subtract_integers : subtract_floats;
  const auto multiply_tile = multiplications[static_cast<std::size_t>(options.multiplication)];
  const Encode encode = encoder(operands.y_type);
  for_each_tile(operands, [&](Tile& tile) {
    decode(operands.x, tile.first, tile.count, tile.values.data());
    if (operands.zero_point != nullptr) subtract(tile.count, tile.zero_points.data(), tile.values.data());
    multiply_tile(tile.count, tile.scales.data(), tile.values.data());
    encode(tile.values.data(), tile.first, tile.count, operands.y);
  });
  return Isa::portable;
}

}  // namespace touchstone::optimized
