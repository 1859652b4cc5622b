// For tests: random codes and thresholds.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

#include "optimized/codes_testing.h"
#include "reference/codec.h"
#include "reference/model/tensor.h"

namespace touchstone::optimized {

using reference::Tensor;

using Random = std::mt19937_64;

inline std::int64_t random_in(Random& random, std::int64_t first, std::int64_t last) {
  return std::uniform_int_distribution<std::int64_t>(first, last)(random);
}

/// An arbitrary code, or the code of a moderate number with a short significand.
inline std::uint64_t random_code(Random& random, ElementType type) {
  if (spec::is_integer(type)) return random() >> random_in(random, 0, 63);
  if (spec::info(type).bits <= 8 || random_in(random, 0, 5) == 0) return random();
  const double significand = 1.0 + static_cast<double>(random_in(random, 0, 4095)) / 4096;
  return rounded_code(
      type, std::ldexp(random() % 4 == 0 ? -significand : significand, static_cast<int>(random_in(random, -9, 9))));
}

/// A quotient at which y may change: a half-integer near an end of the range or anywhere in it, or a number with few
/// significant bits. The latter include the midpoints of small floating-point types.
inline double random_threshold(Random& random, ElementType type, double zero_point) {
  if (spec::is_integer(type)) {
    const auto lowest = static_cast<std::int64_t>(reference::lowest(type));
    const auto highest = static_cast<std::int64_t>(reference::highest(type));
    const std::int64_t end = random() % 2 == 0 ? lowest : highest;
    const std::int64_t place = random() % 2 == 0 ? random_in(random, lowest, highest) : end + random_in(random, -2, 2);
    return static_cast<double>(place) + 0.5 - zero_point;
  }
  const double magnitude =
      std::ldexp(static_cast<double>(random_in(random, 1, 63)), static_cast<int>(random_in(random, -23, 12)));
  return random() % 2 == 0 ? magnitude : -magnitude;
}

inline Tensor random_tensor(Random& random, ElementType type, const reference::Shape& shape) {
  Tensor tensor(type, shape);
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, random_code(random, type));
  return tensor;
}

}  // namespace touchstone::optimized
