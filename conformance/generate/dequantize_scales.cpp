#include "conformance/generate/ordered_codes.h"
#include "conformance/generate/scales.h"

namespace touchstone::conformance {

using reference::Rational;
using spec::ElementType;

namespace {

std::vector<ScaleChoice> ordinary_scales(const ValueKind& kind) {
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
  switch (kind.scales) {
    case Scales::negative: return negated(ordinary_scales(kind), kind.scale);
    case Scales::subnormal: return subnormal_scales(kind.scale);
    case Scales::ordinary: break;
  }
  return ordinary_scales(kind);
}

}  // namespace touchstone::conformance
