// QuantizeLinear in standard C++, for all types. Tiles of float64 numbers pass through four steps: decode, divide, add
// the zero point and round to the type of y, store.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "optimized/operands.h"
#include "optimized/packed_codes.h"
#include "optimized/portable/integers.h"
#include "optimized/portable/rounding.h"
#include "optimized/portable/values.h"
#include "optimized/small_floats.h"
#include "optimized/type_list.h"

namespace touchstone::optimized {

using spec::ElementType;

namespace {

// ---- arithmetic of each precision

/// Rounding to odd records in the last bit whether the result is inexact. A later rounding to at most 51 bits then
/// gives the same as a single rounding of the exact number (S. Boldo and G. Melquiond, "Emulation of FMA and correctly
/// rounded sums: proved algorithms using rounding to odd", IEEE Trans. Computers 57 (4), 2008). `error` is exact minus
/// rounded, or anything with the same sign.
double rounded_to_odd(double rounded, double error) {
  const auto bits = std::bit_cast<std::uint64_t>(rounded);
  if (error == 0 || (bits & 1) != 0) return rounded;
  const bool away_from_zero = (error > 0) == (rounded > 0);
  return std::bit_cast<double>(away_from_zero ? bits + 1 : bits - 1);
}

template <ElementType type>
struct InType {
  static double quotient(double x, double scale) { return round_to<type>(round_to<type>(x) / round_to<type>(scale)); }
};

template <>
struct InType<ElementType::float32> {
  static double quotient(double x, double scale) {
    return static_cast<double>(static_cast<float>(x) / static_cast<float>(scale));
  }
};

/// The exact quotient of operands with at most 32 bits, which neither overflow nor underflow in float64.
struct Exact {
  static double quotient(double x, double scale) {
    const double rounded = x / scale;
    if (!std::isfinite(rounded) || !std::isfinite(scale) || rounded == 0) return rounded;
    const double remainder = std::fma(-rounded, scale, x);  // exact
    return rounded_to_odd(rounded, scale > 0 ? remainder : -remainder);
  }
};

/// Rounds the sum to odd, so that only the rounding to the type of y has an effect (amb-float-zero-point-sum). A sum
/// that matters to a small type is at least 2^-18, and a quotient at most 2^17. So if the quotient was rounded to odd,
/// the last bit of the sum is above that of the quotient.
double sum(double quotient, double zero_point) {
  const double rounded = quotient + zero_point;
  if (!std::isfinite(rounded)) return rounded;
  // The exact error of a sum: D. E. Knuth, The Art of Computer Programming, vol. 2, 4.2.2, theorem B.
  const double of_zero_point = rounded - quotient;
  const double error = (quotient - (rounded - of_zero_point)) + (zero_point - of_zero_point);
  return rounded_to_odd(rounded, error);
}

using Divide = void (*)(std::int64_t count, const double* scales, double* values);

template <class Precision>
void divide(std::int64_t count, const double* scales, double* values) {
  for (std::int64_t i = 0; i < count; ++i) values[i] = Precision::quotient(values[i], scales[i]);
}

/// In the order of Division.
constexpr std::array<Divide, 5> divisions{divide<InType<ElementType::float16>>, divide<InType<ElementType::bfloat16>>,
                                          divide<InType<ElementType::float32>>, divide<InType<ElementType::float64>>,
                                          divide<Exact>};

// ---- results

struct Target {
  bool has_zero_point;
  bool saturate;
  FnuzInfinity fnuz_infinity;
};

/// Converts quotients to codes. May change the quotients.
using Encode = void (*)(std::int64_t count, const Target& target, double* quotients, const double* zero_points,
                        std::uint32_t* codes);

template <ElementType type>
void encode_integers(std::int64_t count, const Target& target, double* quotients, const double* zero_points,
                     std::uint32_t* codes) {
  constexpr spec::ElementTypeInfo row = spec::info(type);
  constexpr bool is_signed = row.kind == spec::NumberKind::signed_integer;
  constexpr std::int32_t lowest = is_signed ? -(1 << (row.bits - 1)) : 0;
  constexpr std::int32_t highest = (1 << (is_signed ? row.bits - 1 : row.bits)) - 1;
  // Numbers this large, and infinities, saturate with any zero point. NaN becomes -huge.
  constexpr double huge = 1 << 20;
  // Next to 1.5 * 2^52, the spacing of float64 numbers is 1, so adding and subtracting it rounds to an integer.
  constexpr double integers = 0x1.8p52;
  for (std::int64_t i = 0; i < count; ++i) {
    double q = quotients[i];
    q = q < huge ? q : q >= huge ? huge : -huge;
    q = q > -huge ? q : -huge;
    const auto rounded = static_cast<std::int32_t>((q + integers) - integers);
    const std::int32_t zero_point = target.has_zero_point ? static_cast<std::int32_t>(zero_points[i]) : 0;
    codes[i] = static_cast<std::uint32_t>(std::clamp(rounded + zero_point, lowest, highest));
  }
}

/// Follows the tables of Cast for float8. float6 and float4 have neither infinities nor NaN, and always saturate.
template <ElementType type>
std::uint32_t small_float_code(double value, const Target& target) {
  constexpr spec::FloatFormat format = spec::format_of(type);
  constexpr SmallFloatCodes code = small_float_codes(type);
  constexpr bool is_fnuz = format.special_codes == spec::SpecialCodes::fnuz;
  if (std::isnan(value)) return code.nan;

  const bool negative = std::signbit(value);
  const std::uint32_t magnitude = magnitude_code(format, value);
  if (is_fnuz && magnitude == 0) return 0;  // there is no negative zero
  const std::uint32_t sign = negative ? code.sign : 0;
  if (magnitude <= code.largest) return sign | magnitude;

  if (is_fnuz && std::isinf(value) && target.fnuz_infinity == FnuzInfinity::is_nan) return code.nan;
  if (target.saturate || !spec::is_float8(type)) return sign | code.largest;
  return code.infinity | (is_fnuz ? 0 : sign);
}

template <ElementType type>
void encode_floats(std::int64_t count, const Target& target, double* quotients, const double* zero_points,
                   std::uint32_t* codes) {
  if (target.has_zero_point)
    for (std::int64_t i = 0; i < count; ++i) quotients[i] = sum(quotients[i], zero_points[i]);
  for (std::int64_t i = 0; i < count; ++i) codes[i] = small_float_code<type>(quotients[i], target);
}

using Store = void (*)(const std::uint32_t* codes, std::int64_t first, std::int64_t count, std::byte* bytes);

struct Row {
  ElementType type;
  Encode encode;
  Store store;
};

template <ElementType type>
constexpr Encode encoder_of() {
  if constexpr (spec::is_integer(type))
    return encode_integers<type>;
  else
    return encode_floats<type>;
}

constexpr auto rows = expand<quantized_types>([]<ElementType... types>() {
  return std::array{Row{types, encoder_of<types>(), store_codes<spec::info(types).bits>}...};
});

}  // namespace

Isa quantize_portable(const Operands& operands, const QuantizeOptions& options) noexcept {
  if (quantize_integers(operands, options)) return Isa::portable;
  const Decode decode = decoder(operands.x_type);
  const Divide divide_tile = divisions[static_cast<std::size_t>(options.division)];
  const Row& y = *std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.type == operands.y_type; });
  const Target target{operands.zero_point != nullptr, options.saturate, options.fnuz_infinity};
  for_each_tile(operands, [&](Tile& tile) {
    std::array<std::uint32_t, tile_size> codes;
    decode(operands.x, tile.first, tile.count, tile.values.data());
    divide_tile(tile.count, tile.scales.data(), tile.values.data());
    y.encode(tile.count, target, tile.values.data(), tile.zero_points.data(), codes.data());
    y.store(codes.data(), tile.first, tile.count, operands.y);
  });
  return Isa::portable;
}

}  // namespace touchstone::optimized
