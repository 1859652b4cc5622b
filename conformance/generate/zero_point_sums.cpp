#include "conformance/generate/zero_point_sums.h"

#include <algorithm>

#include "conformance/generate/ordered_codes.h"
#include "conformance/generate/quantize_divisions.h"
#include "reference/codec.h"

namespace touchstone::conformance {

using reference::Rational;
using spec::ElementType;

std::vector<std::uint64_t> inputs_beside_midpoints(const Cell& cell, std::uint64_t scale, std::uint64_t zero_point) {
  const auto number = [](ElementType type, std::uint64_t code) { return reference::decode(type, code).rational(); };
  const ElementType division = cell.precision.value_or(divides_in(cell.scale) ? cell.scale : ElementType::float32);
  const Rational unit = power_of_two(-spec::format_of(division).fraction_bits);
  const Rational divisor = number(cell.scale, scale);
  const Rational sum = number(cell.y, zero_point);
  const std::int64_t place = place_below(cell.y, sum);
  std::vector<std::uint64_t> inputs;
  for (const std::int64_t neighbour : {place - 1, place + 1}) {
    const Rational half = (number(cell.y, code_at(cell.y, neighbour)) - sum) / 2;
    for (const Rational& factor : {Rational(1 - unit), Rational(1 + unit)}) {
      // The quotient of the nearest input may be a neighbour of the intended one.
      const std::int64_t nearest = place_below(cell.x, half * factor * divisor);
      for (std::int64_t x = std::max(nearest - 1, lowest_place(cell.x)); x <= nearest + 2; ++x)
        inputs.push_back(code_at(cell.x, x));
    }
  }
  return inputs;
}

}  // namespace touchstone::conformance
