#include "reference/host_numbers.h"

#include <algorithm>

#include "reference/codec.h"
#include "reference/rounding.h"

namespace touchstone::reference {

using spec::ElementType;

std::uint64_t rounded_code(ElementType type, double number) {
  if (spec::is_integer(type)) {
    const auto low = static_cast<double>(lowest(type));
    const auto high = static_cast<double>(highest(type));
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::nearbyint(std::clamp(number, low, high))));
  }
  const bool is_small = spec::info(type).bits <= 8 && type != ElementType::float8e8m0;
  return encode(type, is_small ? round_to_small_float(exact(number), type, /*saturates=*/true)
                               : round_to_type(exact(number), type));
}

double number_of(ElementType type, std::uint64_t code) {
  const Value value = decode(type, code);
  if (value.is_nan()) return std::numeric_limits<double>::quiet_NaN();
  if (value.is_infinity()) return value.is_negative() ? -HUGE_VAL : HUGE_VAL;
  return static_cast<double>(value.rational());
}

}  // namespace touchstone::reference
