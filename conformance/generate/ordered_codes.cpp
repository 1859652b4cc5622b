#include "conformance/generate/ordered_codes.h"

#include "reference/codec.h"

namespace touchstone::conformance {

using reference::Rational;
using spec::SpecialCodes;

namespace {

bool has_sign_bit(const ElementTypeInfo& row) {
  return row.format && row.format->special_codes != SpecialCodes::power_of_two;
}

std::int64_t largest_magnitude_code(const ElementTypeInfo& row) {
  const auto& format = *row.format;
  const std::int64_t all = (std::int64_t{1} << (row.bits - 1)) - 1;  // of the bits below the sign
  switch (format.special_codes) {
    case SpecialCodes::ieee: return all - (std::int64_t{1} << format.fraction_bits);
    case SpecialCodes::fn: return all - 1;
    case SpecialCodes::fnuz:
    case SpecialCodes::none: return all;
    case SpecialCodes::power_of_two: return 254;
  }
  return 0;
}

}  // namespace

std::int64_t lowest_place(ElementType type) {
  const ElementTypeInfo& row = spec::info(type);
  if (has_sign_bit(row)) return -largest_magnitude_code(row);
  return row.kind == NumberKind::signed_integer ? -(std::int64_t{1} << (row.bits - 1)) : 0;
}

std::int64_t highest_place(ElementType type) {
  const ElementTypeInfo& row = spec::info(type);
  if (row.format) return largest_magnitude_code(row);
  const int value_bits = row.kind == NumberKind::signed_integer ? row.bits - 1 : row.bits;
  return (std::int64_t{1} << value_bits) - 1;
}

std::uint64_t code_at(ElementType type, std::int64_t place) {
  const ElementTypeInfo& row = spec::info(type);
  const std::uint64_t mask = (std::uint64_t{1} << row.bits) - 1;
  if (place >= 0 || !has_sign_bit(row)) return static_cast<std::uint64_t>(place) & mask;
  return static_cast<std::uint64_t>(-place) | (std::uint64_t{1} << (row.bits - 1));
}

std::int64_t place_below(ElementType type, const Rational& number) {
  const auto bound = reference::Value::of(number);  // comparing values costs less than comparing rational numbers
  std::int64_t low = lowest_place(type);
  std::int64_t high = highest_place(type);
  while (low < high) {
    const std::int64_t middle = low + (high - low + 1) / 2;
    if (!reference::less(bound, reference::decode(type, code_at(type, middle))))
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

std::uint64_t nearest_code(ElementType type, const Rational& number) {
  const std::int64_t below = place_below(type, number);
  if (below == highest_place(type)) return code_at(type, below);
  const auto distance = [&](std::int64_t place) -> Rational {
    const Rational difference = reference::decode(type, code_at(type, place)).rational() - number;
    return difference < 0 ? Rational(-difference) : difference;
  };
  return code_at(type, distance(below + 1) < distance(below) ? below + 1 : below);
}

}  // namespace touchstone::conformance
