#include "reference/codec.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include "reference/rounding.h"

namespace touchstone::reference {

using spec::ElementType;
using spec::ElementTypeInfo;
using spec::FloatFormat;
using spec::NumberKind;
using spec::SpecialCodes;

namespace {

std::uint64_t low_bits(int count) { return count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1; }

Value decode_integer(const ElementTypeInfo& type, std::uint64_t code) {
  const std::uint64_t sign_bit = std::uint64_t{1} << (type.bits - 1);
  Integer number = code;
  if (type.kind == NumberKind::signed_integer && (code & sign_bit) != 0) number -= Integer(1) << type.bits;
  return Value::of(number);
}

bool is_nan_code(const FloatFormat& format, std::uint64_t exponent_field, std::uint64_t fraction, bool negative) {
  const bool largest_exponent = exponent_field == low_bits(format.exponent_bits);
  switch (format.special_codes) {
    case SpecialCodes::ieee: return largest_exponent && fraction != 0;
    case SpecialCodes::fn: return largest_exponent && fraction == low_bits(format.fraction_bits);
    case SpecialCodes::fnuz: return negative && exponent_field == 0 && fraction == 0;
    case SpecialCodes::power_of_two: return largest_exponent;
    case SpecialCodes::none: break;
  }
  return false;
}

Value decode_power_of_two(const FloatFormat& format, std::uint64_t code) {
  if (is_nan_code(format, code, 0, false)) return Value::nan();
  return Value::scaled(false, 1, static_cast<int>(code) - format.exponent_bias);
}

Value decode_float(const FloatFormat& format, std::uint64_t code) {
  if (format.special_codes == SpecialCodes::power_of_two) return decode_power_of_two(format, code);
  const std::uint64_t fraction = code & low_bits(format.fraction_bits);
  const std::uint64_t exponent_field = (code >> format.fraction_bits) & low_bits(format.exponent_bits);
  const bool negative = ((code >> (format.fraction_bits + format.exponent_bits)) & 1) != 0;

  if (is_nan_code(format, exponent_field, fraction, negative)) return Value::nan();
  if (format.special_codes == SpecialCodes::ieee && exponent_field == low_bits(format.exponent_bits))
    return Value::infinity(negative);
  if (exponent_field == 0 && fraction == 0) return Value::zero(negative);

  const bool subnormal = exponent_field == 0;
  const std::uint64_t significand = fraction + (subnormal ? 0 : std::uint64_t{1} << format.fraction_bits);
  const int exponent = subnormal ? smallest_exponent(format) : static_cast<int>(exponent_field) - format.exponent_bias;
  return Value::scaled(negative, significand, exponent - format.fraction_bits);
}

[[noreturn]] void throw_not_a_value_of(const ElementTypeInfo& type, const Value& value) {
  throw std::domain_error(to_string(value) + " is not a value of " + std::string(type.name));
}

std::uint64_t encode_integer(const ElementTypeInfo& type, const Value& value) {
  const std::optional<Integer> magnitude = multiple_of_power_of_two(value, 0);
  if (!magnitude) throw_not_a_value_of(type, value);
  const Integer number = value.is_negative() ? Integer(-*magnitude) : *magnitude;
  if (number < lowest(type.type) || number > highest(type.type)) throw_not_a_value_of(type, value);
  return static_cast<std::uint64_t>(number < 0 ? Integer(number + (Integer(1) << type.bits)) : number);
}

std::uint64_t encode_nan(const ElementTypeInfo& type, const FloatFormat& format) {
  const std::uint64_t all_exponent_bits = low_bits(format.exponent_bits) << format.fraction_bits;
  switch (format.special_codes) {
    case SpecialCodes::ieee: return all_exponent_bits | std::uint64_t{1} << (format.fraction_bits - 1);
    case SpecialCodes::fn: return all_exponent_bits | low_bits(format.fraction_bits);
    case SpecialCodes::fnuz: return std::uint64_t{1} << (format.fraction_bits + format.exponent_bits);
    case SpecialCodes::power_of_two: return all_exponent_bits;
    case SpecialCodes::none: break;
  }
  throw_not_a_value_of(type, Value::nan());
}

std::uint64_t encode_power_of_two(const ElementTypeInfo& type, const FloatFormat& format, const Value& value) {
  const int exponent = binade(value.magnitude());
  const int field = exponent + format.exponent_bias;
  const bool has_field = 0 <= field && field < static_cast<int>(low_bits(format.exponent_bits));
  if (value.is_negative() || !has_field || multiple_of_power_of_two(value, exponent) != Integer(1))
    throw_not_a_value_of(type, value);
  return static_cast<std::uint64_t>(field);
}

/// Exponent and fraction fields of a number.
std::uint64_t encode_magnitude(const ElementTypeInfo& type, const FloatFormat& format, const Value& value) {
  const int exponent = std::max(binade(value.magnitude()), smallest_exponent(format));
  const std::optional<Integer> significand = multiple_of_power_of_two(value, exponent - format.fraction_bits);
  if (!significand) throw_not_a_value_of(type, value);
  // A significand with its leading bit is a normal number. That bit adds one to the exponent field, so `field_below` is
  // one less.
  const auto field_below = static_cast<std::uint64_t>(exponent - smallest_exponent(format));
  const std::uint64_t code = (field_below << format.fraction_bits) + static_cast<std::uint64_t>(*significand);
  const std::uint64_t exponent_field = code >> format.fraction_bits;
  const std::uint64_t largest_field = low_bits(format.exponent_bits);
  const bool is_special = exponent_field == largest_field &&
                          (format.special_codes == SpecialCodes::ieee ||
                           is_nan_code(format, exponent_field, code & low_bits(format.fraction_bits), false));
  if (exponent_field > largest_field || is_special) throw_not_a_value_of(type, value);
  return code;
}

std::uint64_t encode_float(const ElementTypeInfo& type, const FloatFormat& format, const Value& value) {
  if (value.is_nan()) return encode_nan(type, format);
  const bool is_power_of_two_only = format.special_codes == SpecialCodes::power_of_two;
  const std::uint64_t sign =
      value.is_negative() ? std::uint64_t{1} << (format.fraction_bits + format.exponent_bits) : 0;
  if (value.is_infinity()) {
    if (format.special_codes != SpecialCodes::ieee) throw_not_a_value_of(type, value);
    return sign | low_bits(format.exponent_bits) << format.fraction_bits;
  }
  if (value.is_zero()) {
    if (is_power_of_two_only) throw_not_a_value_of(type, value);
    if (format.special_codes == SpecialCodes::fnuz && value.is_negative()) throw_not_a_value_of(type, value);
    return sign;
  }

  return is_power_of_two_only ? encode_power_of_two(type, format, value) : sign | encode_magnitude(type, format, value);
}

}  // namespace

Value decode(ElementType type, std::uint64_t code) {
  const ElementTypeInfo& row = spec::info(type);
  code &= low_bits(row.bits);
  return row.format ? decode_float(*row.format, code) : decode_integer(row, code);
}

std::uint64_t encode(ElementType type, const Value& value) {
  const ElementTypeInfo& row = spec::info(type);
  return row.format ? encode_float(row, *row.format, value) : encode_integer(row, value);
}

Integer lowest(ElementType type) {
  const ElementTypeInfo& row = spec::info(type);
  return row.kind == NumberKind::signed_integer ? Integer(-Integer(std::uint64_t{1} << (row.bits - 1))) : Integer(0);
}

Integer highest(ElementType type) {
  const ElementTypeInfo& row = spec::info(type);
  return low_bits(row.kind == NumberKind::signed_integer ? row.bits - 1 : row.bits);
}

}  // namespace touchstone::reference
