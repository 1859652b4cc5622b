#include "conformance/exhaustive/hard_scales.h"

#include <algorithm>

#include "conformance/generate/dealer.h"
#include "conformance/generate/ordered_codes.h"

namespace touchstone::conformance {

using reference::Rational;
using spec::ElementType;

namespace {

std::vector<std::uint64_t> powers_of_two() {
  std::vector<std::uint64_t> codes;
  for (const int exponent : {0, -7, 7, -25, -127, -126, 126, 127})
    codes.push_back(nearest_code(ElementType::float8e8m0, power_of_two(exponent)));
  return codes;
}

std::vector<std::uint64_t> fixed_scales(ElementType type) {
  if (type == ElementType::float8e8m0) return powers_of_two();
  const spec::FloatFormat& format = spec::format_of(type);
  const auto power = [&](int exponent) {
    return static_cast<std::uint64_t>(format.exponent_bias + exponent) << format.fraction_bits;
  };
  const auto nearest = [&](const Rational& number) { return nearest_code(type, number); };
  std::vector<std::uint64_t> codes{
      power(0), power(-7), nearest(Rational(1, 3)), nearest(Rational(1, 10)), nearest(Rational(-1, 10)),
      nearest(Rational(1, 255)),
      // The significands nearest to 2 from below and to 1 from both sides. With the first of them, the approximate
      // quotient of P. Markstein's division ("Computation of elementary functions on the IBM RISC System/6000
      // processor", 1990) is furthest from the exact one, and the exact one is nearest to a midpoint.
      power(1) - 1, power(0) - 1, power(0) + 1,
      1,                                                // the smallest subnormal number
      power(1 - format.exponent_bias) - 1,              // the largest one
      power(1 - format.exponent_bias),                  // the smallest normal number
      power(format.exponent_bias),                      // whose reciprocal is subnormal
      static_cast<std::uint64_t>(highest_place(type)),  // the largest number
  };
  if (type != ElementType::float32) return codes;
  // Where the remainder of a division, or an earlier step, may begin to lose bits.
  for (const std::uint64_t code : {power(-99) - 1, power(-100) - 1, power(100) + 1}) codes.push_back(code);
  // Significands next to 8-bit numbers. Quotients lie close to the neighbours of an 8-bit tie, but not on them, where a
  // reciprocal of two words is most at risk (N. Brisebarre, J.-M. Muller, S. K. Raina, "Accelerating correctly rounded
  // floating-point division when the divisor is known in advance", IEEE Trans. Computers 53 (8), 2004).
  for (const std::uint64_t code : {power(0) + 0x250001, power(0) + 0x5bffff}) codes.push_back(code);
  return codes;
}

std::vector<std::uint64_t> random_scales(ElementType type, std::uint64_t seed) {
  Dealer dealer("scales of exhaustive sweeps", seed);
  const auto highest = static_cast<std::size_t>(highest_place(type));
  if (type == ElementType::float8e8m0) return {dealer.below(highest + 1)};
  const spec::FloatFormat& format = spec::format_of(type);
  const std::size_t binade = std::size_t{1} << format.fraction_bits;
  const std::size_t one = static_cast<std::size_t>(format.exponent_bias) * binade;
  // Two scales of the order of 1, and two of any order.
  return {one - 8 * binade + dealer.below(16 * binade), one - 8 * binade + dealer.below(16 * binade),
          1 + dealer.below(highest), 1 + dealer.below(highest)};
}

}  // namespace

std::vector<std::uint64_t> hard_scales(ElementType type, std::uint64_t seed) {
  std::vector<std::uint64_t> codes = fixed_scales(type);
  for (const std::uint64_t code : random_scales(type, seed))
    if (std::find(codes.begin(), codes.end(), code) == codes.end()) codes.push_back(code);
  return codes;
}

}  // namespace touchstone::conformance
