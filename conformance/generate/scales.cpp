#include "conformance/generate/scales.h"

#include <algorithm>
#include <array>

#include "conformance/generate/ordered_codes.h"
#include "conformance/generate/quantize_quotients.h"

namespace touchstone::conformance {

using reference::Rational;

std::vector<ScaleChoice> negated(std::vector<ScaleChoice> scales, ElementType type) {
  const std::uint64_t sign = std::uint64_t{1} << (spec::info(type).bits - 1);
  const std::uint64_t all_bits = sign | (sign - 1);
  for (ScaleChoice& scale : scales)
    scale.code = spec::is_integer(type) ? (~scale.code + 1) & all_bits : scale.code | sign;
  return scales;
}

std::vector<ScaleChoice> subnormal_scales(ElementType type) {
  if (spec::is_integer(type)) return {};
  if (type == ElementType::float8e8m0) return {{0, true}};
  const std::uint64_t first_normal = std::uint64_t{1} << spec::info(type).format->fraction_bits;
  return {{3, true}, {first_normal - 1, true}, {1, true}, {5, true}};
}

bool has_neighbours(ElementType type) { return !spec::is_integer(type) && spec::info(type).bits >= 16; }

std::uint64_t similar_scale(ElementType type, bool is_larger) {
  const std::uint64_t distance = type == ElementType::float32 ? 1 << 12 : 1;
  return nearest_code(type, Rational(1, 2)) + (is_larger ? distance : 0);
}

// ---- QuantizeLinear

namespace {

/// The nearest number to `number` with so few fraction bits that the type can represent 1.5 times the scale, but not
/// 3.5 times. So there are ties, and quotients that become ties in this type and not in others.
std::uint64_t with_room_for_ties(ElementType type, ElementType x, const Rational& number) {
  const int x_bits = spec::is_integer(x) ? spec::info(x).bits : spec::info(x).format->fraction_bits;
  const int own_bits = spec::info(type).format->fraction_bits;
  const int cleared = own_bits - std::min(own_bits, x_bits) + 2;
  const std::uint64_t unit = std::uint64_t{1} << cleared;
  return (nearest_code(type, number) & ~(unit - 1)) | unit;
}

std::vector<ScaleChoice> integer_scales(const ValueKind& kind) {
  // If x is an integer, ties need an even scale; in float6e2m3 they need a multiple of 4.
  const bool whole = kind.x == ElementType::int32;
  const std::int64_t multiple = whole ? 4 : 1;
  const std::int64_t with_room = kind.x == ElementType::bfloat16 ? 51 : whole ? 205 : 409;
  // float16 and bfloat16 cannot represent the first number, and float32 cannot represent the second. They round to the
  // power of two above.
  constexpr std::int64_t not_in_float16 = 4095;
  constexpr std::int64_t not_in_float32 = 33554431;
  std::vector<ScaleChoice> scales;
  for (const std::int64_t number : {with_room * multiple, 3 * multiple, std::int64_t{1}, 51 * multiple})
    scales.push_back({code_at(kind.scale, number), !whole || number != 1});
  for (const std::int64_t number : {not_in_float16, not_in_float32})
    scales.push_back({code_at(kind.scale, number), false});
  return scales;
}

/// Powers of two. Those far from 1 are outside the range of float16, or bring x or the quotient outside of it.
std::vector<ScaleChoice> float8e8m0_scales(const ValueKind& kind) {
  const bool whole = kind.x == ElementType::int32;
  std::vector<ScaleChoice> scales;
  for (const int exponent : whole ? std::array{1, 12, 16, 6, -1, 4} : std::array{-1, 0, 16, 1, -23, -4})
    scales.push_back({nearest_code(kind.scale, power_of_two(exponent)), exponent < 13 && exponent > (whole ? 0 : -10)});
  if (!whole && kind.x != ElementType::float16) return scales;
  scales.push_back({nearest_code(kind.scale, power_of_two(whole ? 23 : -30)), false});
  return scales;
}

/// A third of a number with few bits, rounded up. 1.5 times the scale is slightly more than such a number, so its
/// quotient becomes a tie when rounded.
Rational third_rounded_up(ElementType type) {
  return spec::info(type).format->fraction_bits % 2 == 0 ? Rational(10, 3) : Rational(8, 3);
}

std::vector<ScaleChoice> float_scales(const ValueKind& kind) {
  const bool whole = kind.x == ElementType::int32;
  // Only odd integers distinguish rounding before the addition from rounding after it.
  const bool any_zero_point = !kind.zero_point || !spec::is_integer(kind.y);
  std::vector<ScaleChoice> scales;
  const auto add = [&](std::uint64_t code, bool ordinary = true) { scales.push_back({code, ordinary}); };
  if (whole) {
    for (const int number : {820, 3274, 104, 2}) add(nearest_code(kind.scale, number));
    for (const Rational& number : {Rational(60000), Rational(1, 2)}) add(nearest_code(kind.scale, number), false);
  } else {
    // The float32 reciprocal of this scale has a rounding error of almost half a unit.
    add(with_room_for_ties(kind.scale, kind.x, Rational(123, 1000)));
    add(nearest_code(kind.scale, third_rounded_up(kind.scale)));
    add(nearest_code(kind.scale, Rational(1, 2)), any_zero_point);
    add(with_room_for_ties(kind.scale, kind.x, Rational(3, 10)));
    // Float16 would round 1.4 * 2^-24 to its smallest number. As a normal float16 number it needs a larger exponent.
    const int exponent = kind.scale == ElementType::float16 ? -14 : -24;
    add(nearest_code(kind.scale, power_of_two(exponent) * Rational(14, 10)), false);
    add(nearest_code(kind.scale, Rational(1, 1000)), any_zero_point);
  }
  return scales;
}

/// The ordinary scales of the operator, or those that the kind asks for instead.
std::vector<ScaleChoice> chosen_scales(const ValueKind& kind, std::vector<ScaleChoice> (*ordinary)(const ValueKind&)) {
  switch (kind.scales) {
    case Scales::negative: return negated(ordinary(kind), kind.scale);
    case Scales::subnormal: return subnormal_scales(kind.scale);
    case Scales::smallest: return {{1, true}};
    case Scales::smallest_normal: return {{std::uint64_t{1} << spec::info(kind.scale).format->fraction_bits, true}};
    case Scales::ordinary: break;
  }
  return ordinary(kind);
}

std::vector<ScaleChoice> ordinary_quantize_scales(const ValueKind& kind) {
  if (spec::is_integer(kind.scale)) return integer_scales(kind);
  return kind.scale == ElementType::float8e8m0 ? float8e8m0_scales(kind) : float_scales(kind);
}

}  // namespace

std::vector<ScaleChoice> quantize_scales(const ValueKind& kind) {
  return chosen_scales(kind, ordinary_quantize_scales);
}

// ---- DequantizeLinear

namespace {

std::vector<ScaleChoice> ordinary_dequantize_scales(const ValueKind& kind) {
  using enum ElementType;
  const auto power = power_of_two;
  std::vector<ScaleChoice> scales;
  const auto add = [&](const Rational& number, bool ordinary) {
    scales.push_back({nearest_code(kind.scale, number), ordinary});
  };
  const bool has_room = kind.y != float16;
  if (kind.scale == float8e8m0) {
    // With the smallest float16 number as scale, products with few bits are rounded; with other scales products are
    // exact.
    if (kind.y == float16) add(power(-24), false);
    for (const int exponent : {-1, -25, 20, 0, -20, -126, 127}) {
      const bool extreme = exponent == -126 || exponent == 127;
      add(power(exponent), exponent == -1 || exponent == 0 || (has_room && !extreme));
    }
    return scales;
  }
  // Three times the first scale rounds up, from a number whose last bit is set, in bfloat16 and float32. Three times
  // 1001/1000 does so in float16, whatever the type of the multiplication. As a float16 number, 1.32045 * 2^-22 would
  // be subnormal with few bits, 5 times the smallest number, so a float16 scale gets a larger exponent.
  add(power(kind.scale == float16 ? -14 : -22) * Rational(132045, 100000), has_room);
  for (const Rational& number : {Rational(1, 10), Rational(1001, 1000), Rational(3, 10)}) add(number, true);
  add(1000, has_room);
  if (kind.scale == float16) {
    add(60000, false);
    return scales;
  }
  add(power(-126) * Rational(131, 128), false);  // with the smallest inputs its last bits are below those of float32
  add(power(125) * 3, false);
  return scales;
}

}  // namespace

std::vector<ScaleChoice> dequantize_scales(const ValueKind& kind) {
  return chosen_scales(kind, ordinary_dequantize_scales);
}

}  // namespace touchstone::conformance
