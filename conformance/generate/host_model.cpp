#include "conformance/generate/host_model.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "reference/codec.h"

namespace touchstone::conformance {

using spec::ElementType;
using enum spec::ElementType;
using spec::SpecialCodes;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double of_value(const reference::Value& value) {
  if (value.is_nan()) return nan;
  const double sign = value.is_negative() ? -1 : 1;
  if (value.is_infinity()) return sign * infinity;
  if (value.is_zero()) return std::copysign(0.0, sign);
  const reference::Magnitude& m = value.magnitude();
  return sign * std::ldexp(static_cast<double>(m.numerator) / static_cast<double>(m.denominator), m.exponent);
}

std::vector<double> numbers_of(ElementType type) {
  std::vector<double> numbers(std::size_t{1} << spec::info(type).bits);
  for (std::size_t code = 0; code < numbers.size(); ++code) numbers[code] = of_value(reference::decode(type, code));
  return numbers;
}

// ---- floating-point formats

const spec::FloatFormat& format(ElementType type) { return *spec::info(type).format; }
int smallest_exponent(ElementType type) { return 1 - format(type).exponent_bias; }

double largest_number(ElementType type) {
  const spec::ElementTypeInfo& row = spec::info(type);
  const int exponent_bits = row.bits - 1 - format(type).fraction_bits;
  const int all_ones = (1 << exponent_bits) - 1;
  const double unit = std::ldexp(1, -format(type).fraction_bits);
  switch (format(type).special_codes) {
    case SpecialCodes::ieee: return std::ldexp(2 - unit, all_ones - 1 - format(type).exponent_bias);
    case SpecialCodes::fn: return std::ldexp(2 - 2 * unit, all_ones - format(type).exponent_bias);
    case SpecialCodes::fnuz:
    case SpecialCodes::none: return std::ldexp(2 - unit, all_ones - format(type).exponent_bias);
    case SpecialCodes::power_of_two: break;
  }
  return std::ldexp(1, 127);
}

/// Rounds to the type's fraction bits, without an upper limit of the exponent.
double round_to_fraction_bits(double number, ElementType type, Rounding rounding) {
  if (number == 0 || !std::isfinite(number)) return number;
  const int exponent = std::max(std::ilogb(number), smallest_exponent(type)) - format(type).fraction_bits;
  return std::ldexp(round_to_integer(std::ldexp(number, -exponent), rounding), exponent);
}

bool is_subnormal(double number, ElementType type) {
  const int smallest = type == float8e8m0 ? smallest_exponent(float32) : smallest_exponent(type);
  return number != 0 && std::fabs(number) < std::ldexp(1, smallest);
}

/// The subnormal numbers that a machine without them flushes to zero: those of types with the exponents of float32,
/// those of float16, or both.
enum class Flushing { wide_types, float16_only, float16_too };
constexpr std::array flushings{Flushing::wide_types, Flushing::float16_only, Flushing::float16_too};

double flushed(double number, ElementType type, Flushing flushing) {
  const bool is_wide = type == float32 || type == bfloat16 || type == float8e8m0;
  const bool is_flushed =
      (is_wide && flushing != Flushing::float16_only) || (type == float16 && flushing != Flushing::wide_types);
  return is_flushed && is_subnormal(number, type) ? std::copysign(0.0, number) : number;
}

Operands flushed(const Cell& cell, const Operands& operands, Flushing flushing) {
  return {spec::is_integer(cell.x) ? operands.x : flushed(operands.x, cell.x, flushing),
          spec::is_integer(cell.scale) ? operands.scale : flushed(operands.scale, cell.scale, flushing),
          operands.zero_point, operands.bias};
}

double lowest(ElementType type) {
  return spec::info(type).kind == spec::NumberKind::signed_integer ? -std::ldexp(1, spec::info(type).bits - 1) : 0;
}
double modulus(ElementType type) { return std::ldexp(1, spec::info(type).bits); }
double highest(ElementType type) { return lowest(type) + modulus(type) - 1; }

double saturated(double number, ElementType type) { return std::clamp(number, lowest(type), highest(type)); }
double wrapped(double number, ElementType type) {
  const double above_lowest = number - lowest(type);
  return lowest(type) + above_lowest - modulus(type) * std::floor(above_lowest / modulus(type));
}

// ---- QuantizeLinear

double quantized_to_integer(double quotient, double zero_point, ElementType y, const QuantizeSteps& steps) {
  if (!std::isfinite(quotient)) return std::isnan(quotient) ? nan : quotient > 0 ? highest(y) : lowest(y);
  if (steps.adds_before_rounding) return saturated(round_to_integer(quotient + zero_point, steps.rounding), y);
  const double rounded = round_to_integer(quotient, steps.rounding);
  if (steps.saturates_before_adding) return wrapped(saturated(rounded, y) + zero_point, y);
  return steps.wraps ? wrapped(rounded + zero_point, y) : saturated(rounded + zero_point, y);
}

double quantized_to_float8(double number, const Cell& cell, const QuantizeSteps& steps) {
  if (std::isnan(number)) return nan;
  const double largest = largest_number(cell.y);
  const bool saturates = *cell.saturate != steps.ignores_saturate;
  const bool has_infinity = format(cell.y).special_codes == SpecialCodes::ieee;
  const double beyond = saturates      ? std::copysign(largest, number)
                        : has_infinity ? std::copysign(infinity, number)
                                       : nan;
  if (std::isinf(number)) {
    const bool is_fnuz = format(cell.y).special_codes == SpecialCodes::fnuz;
    return is_fnuz && saturates && cell.version->since_version < 24 ? nan : beyond;
  }
  const double rounded = round_to_fraction_bits(number, cell.y, steps.rounding);
  return std::fabs(steps.tests_before_rounding ? number : rounded) > largest ? beyond : rounded;
}

double quantized_to_float6_or_float4(double number, ElementType y, const QuantizeSteps& steps) {
  const double largest = largest_number(y);
  if (std::isnan(number)) return spec::is_float4(y) ? largest : nan;
  return std::clamp(round_to_fraction_bits(number, y, steps.rounding), -largest, largest);
}

// ---- DequantizeLinear

/// The product with so many bits that rounding it to any type equals rounding the exact product. If float64 cannot
/// represent the exact product, the last bit is odd.
double product(double left, double right) {
  const double rounded = left * right;
  if (!std::isfinite(rounded)) return rounded;
  const double rest = std::fma(left, right, -rounded);
  if (rest == 0 || (std::bit_cast<std::uint64_t>(rounded) & 1) != 0) return rounded;
  return std::nextafter(rounded, std::copysign(infinity, rest));
}

/// The sum, in the same way.
double sum(double left, double right) {
  const double rounded = left + right;
  if (!std::isfinite(rounded)) return rounded;
  const double taken = rounded - left;
  const double rest = (left - (rounded - taken)) + (right - taken);
  if (rest == 0 || (std::bit_cast<std::uint64_t>(rounded) & 1) != 0) return rounded;
  return std::nextafter(rounded, std::copysign(infinity, rest));
}

// ---- readings

std::vector<Arithmetic> permitted_divisions(const Cell& cell) {
  const int version = cell.version->since_version;
  if (cell.precision) return {cell.precision};
  if (cell.scale == int32) return {std::nullopt, float32};
  if (cell.scale == float8e8m0) return {float32, cell.x == int32 ? Arithmetic() : cell.x};
  if (version < 23) {
    if (cell.x == cell.scale && cell.x != float32) return {float32, cell.x, std::nullopt};
    return {float32, std::nullopt};
  }
  std::vector<Arithmetic> divisions{cell.scale, float32};
  const bool the_draft_of_23_is_silent = version == 23 && cell.x == cell.scale;
  // float64 holds both operands, and its quotients are on the same side of every threshold as the exact ones.
  if (the_draft_of_23_is_silent || cell.x == int32) divisions.emplace_back(std::nullopt);
  return divisions;
}

std::vector<Arithmetic> permitted_multiplications(const Cell& cell) {
  if (cell.version->since_version >= 23) return {cell.y, float32, std::nullopt};
  return {float32, cell.y, std::nullopt};
}

bool quantizes(const Cell& cell) { return cell.version->op == spec::Operator::quantize_linear; }

double result(const Cell& cell, const Operands& operands, const Arithmetic& arithmetic) {
  if (!quantizes(cell)) return dequantized(cell, operands, arithmetic);
  return quantized(cell, quotient(operands, arithmetic), operands.zero_point);
}

/// Packed numbers may be signed instead of offset by half their range.
Operands as_twos_complement(const Cell& cell, Operands operands) {
  const double half = modulus(cell.x) / 2;
  if (operands.x >= half) operands.x -= modulus(cell.x);
  const bool is_offset = !cell.zero_point || !spec::is_integer(*cell.zero_point);
  if (is_offset) operands.zero_point = 0;
  return operands;
}

/// x and its zero point rounded to the type of the multiplication.
Operands rounded_integers(const Operands& operands, ElementType type) {
  return {round_to_type(operands.x, type), operands.scale, round_to_type(operands.zero_point, type), operands.bias};
}

/// Operands of an operation in bfloat16 if int32 numbers are first rounded to float32, which represents all others.
Operands through_float32(const Cell& cell, const Operands& operands) {
  if (quantizes(cell))
    return {round_to_type(operands.x, float32), round_to_type(operands.scale, float32), operands.zero_point,
            operands.bias};
  return {round_to_type(operands.x - operands.zero_point, float32), operands.scale, 0, operands.bias};
}

/// The output if zero point and sum are rounded to the type of the division.
double quantized_in_type(const Cell& cell, double quotient, double zero_point, ElementType type) {
  if (!std::isfinite(quotient)) return quantized(cell, quotient, zero_point);
  const double sum = round_to_type(round_to_integer(quotient) + round_to_type(zero_point, type), type);
  return saturated(sum, cell.y);
}

/// Whether some permitted reading leaves the output open for this quotient.
bool may_be_anything(const Cell& cell, double quotient) {
  if (spec::is_float8(cell.y)) return false;
  return std::isnan(quotient) || (std::isinf(quotient) && spec::is_integer(cell.y));
}

}  // namespace

double number_of(ElementType type, std::uint64_t code) {
  if (type == float32) return std::bit_cast<float>(static_cast<std::uint32_t>(code));
  if (type == int32) return static_cast<std::int32_t>(code);
  static std::map<ElementType, std::vector<double>> tables;
  std::vector<double>& table = tables[type];
  if (table.empty()) table = numbers_of(type);
  return table[code];
}

double round_to_integer(double number, Rounding rounding) {
  const double below = std::floor(number);
  const double fraction = number - below;
  if (!std::isfinite(number) || fraction == 0) return number;
  const double towards_zero = std::trunc(number);
  const double away = number < 0 ? below : below + 1;
  if (rounding == Rounding::towards_zero) return towards_zero;
  if (rounding == Rounding::downwards) return below;
  if (fraction != 0.5) return fraction < 0.5 ? below : below + 1;
  switch (rounding) {
    case Rounding::half_away: return away;
    case Rounding::half_upwards: return below + 1;
    case Rounding::half_towards_zero: return towards_zero;
    default: return std::fmod(below, 2) == 0 ? below : below + 1;
  }
}

double round_to_type(double number, ElementType type, Rounding rounding) {
  const double rounded = round_to_fraction_bits(number, type, rounding);
  return std::fabs(rounded) > largest_number(type) ? std::copysign(infinity, number) : rounded;
}

std::vector<Arithmetic> permitted_arithmetic(const Cell& cell) {
  return quantizes(cell) ? permitted_divisions(cell) : permitted_multiplications(cell);
}

double quotient(const Operands& operands, const Arithmetic& arithmetic) {
  if (!arithmetic) return operands.x / operands.scale;
  const auto rounded = [&](double number) { return round_to_type(number, *arithmetic); };
  return rounded(rounded(operands.x) / rounded(operands.scale));
}

double quantized(const Cell& cell, double quotient, double zero_point, const QuantizeSteps& steps) {
  if (spec::is_integer(cell.y)) return quantized_to_integer(quotient, zero_point, cell.y, steps);
  const double number = (steps.rounds_to_integer ? round_to_integer(quotient) : quotient) + zero_point;
  return spec::is_float8(cell.y) ? quantized_to_float8(number, cell, steps)
                                 : quantized_to_float6_or_float4(number, cell.y, steps);
}

double dequantized(const Cell& cell, const Operands& operands, const Arithmetic& arithmetic,
                   const DequantizeSteps& steps) {
  double difference = operands.x - (steps.ignores_zero_point ? 0 : operands.zero_point);
  if (steps.wraps) difference = wrapped(difference, cell.x);
  if (!arithmetic)
    return round_to_type(sum(product(difference, operands.scale), operands.bias), cell.y, steps.rounding);
  const auto rounded = [&](double number) { return round_to_type(number, *arithmetic); };
  const auto computed = [&](double number) { return round_to_type(number, *arithmetic, steps.rounding); };
  const double in_type = computed(product(rounded(difference), rounded(operands.scale)));
  const double with_bias = operands.bias == 0 ? in_type : computed(sum(in_type, rounded(operands.bias)));
  return round_to_type(with_bias, cell.y, steps.rounding);
}

double primary_result(const Cell& cell, const Operands& operands) {
  return result(cell, operands, permitted_arithmetic(cell).front());
}

PermittedResults permitted_results(const Cell& cell, const Operands& operands) {
  PermittedResults results;
  const auto add_in = [&](const Operands& taken, const Arithmetic& arithmetic) {
    results.any = results.any || (quantizes(cell) && may_be_anything(cell, quotient(taken, arithmetic)));
    const double value = result(cell, taken, arithmetic);
    results.values.push_back(value);
    if (quantizes(cell)) {
      const double q = quotient(taken, arithmetic);
      if (arithmetic == float16 && is_subnormal(q, float16))
        results.values.push_back(quantized(cell, std::copysign(0.0, q), taken.zero_point));
      if (arithmetic && taken.zero_point != 0 && spec::is_integer(cell.y))
        results.values.push_back(quantized_in_type(cell, q, taken.zero_point, *arithmetic));
    } else {
      for (const Flushing flushing : flushings) results.values.push_back(flushed(value, cell.y, flushing));
      if (arithmetic && spec::is_integer(cell.x))
        results.values.push_back(dequantized(cell, rounded_integers(taken, *arithmetic), arithmetic));
      const bool overflows = std::isinf(value) && std::isfinite(taken.x) && std::isfinite(taken.scale);
      if (overflows) results.values.push_back(std::copysign(largest_number(cell.y), value));
    }
    const bool may_be_symmetric = quantizes(cell) && cell.y == int4 && cell.version->domain == spec::com_microsoft;
    if (may_be_symmetric && value == lowest(int4)) results.values.push_back(value + 1);
    // The result of infinity in these types differs between versions. This model permits the result of any version.
    const bool is_fnuz = !spec::is_integer(cell.y) && format(cell.y).special_codes == SpecialCodes::fnuz;
    if (quantizes(cell) && is_fnuz && *cell.saturate) {
      const double q = quotient(taken, arithmetic);
      if (std::isinf(q)) results.values.insert(results.values.end(), {nan, std::copysign(largest_number(cell.y), q)});
    }
  };
  const auto add = [&](const Operands& taken) {
    for (const Arithmetic& arithmetic : permitted_arithmetic(cell)) {
      add_in(taken, arithmetic);
      if (arithmetic == bfloat16 && (cell.x == int32 || cell.scale == int32))
        add_in(through_float32(cell, taken), arithmetic);
    }
  };
  add(operands);
  if (spec::info(cell.x).carrier) add(as_twos_complement(cell, operands));
  for (const Flushing flushing : flushings)
    if (const Operands taken = flushed(cell, operands, flushing);
        taken.x != operands.x || taken.scale != operands.scale)
      add(taken);
  return results;
}

bool PermittedResults::contain(double value) const {
  return any || std::any_of(values.begin(), values.end(), [&](double one) { return same_output(one, value); });
}

bool same_output(double left, double right) { return left == right || (std::isnan(left) && std::isnan(right)); }

}  // namespace touchstone::conformance
