// The values of every cell's case reveal defects: nearly all outputs lie between the ends of the type, and known
// defects change the output. The results of the defects, and of every permitted reading, are computed in the host's
// arithmetic, which shares nothing with the interpreter.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "conformance/diagnose/host_arithmetic.h"
#include "conformance/effort_testing.h"
#include "conformance/generate/legal_cases.h"
#include "conformance/generate/listed_inputs.h"
#include "conformance/generate/ordered_codes.h"
#include "conformance/judge/oracle.h"

namespace touchstone::conformance::value_quality_test {
namespace {

using enum spec::ElementType;
using host::is_subnormal;
using host::round_to_fraction_bits;
using host::round_to_integer;
using host::round_to_type;
using host::Rounding;
using spec::ElementType;
using spec::SpecialCodes;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool quantizes(const Cell& cell) { return cell.version->op == spec::Operator::quantize_linear; }
bool quantizes_to_integer(const Cell& cell) { return quantizes(cell) && spec::is_integer(cell.y); }
bool quantizes_to_float(const Cell& cell) { return quantizes(cell) && !spec::is_integer(cell.y); }
bool adds_zero_point(const Cell& cell) { return quantizes_to_integer(cell) && cell.has_zero_point(); }
/// int32 zero points must be zero, and floating-point ones are.
bool subtracts_zero_point(const Cell& cell) {
  return !quantizes(cell) && cell.has_zero_point() && spec::is_integer(*cell.zero_point) && cell.x != int32;
}
/// A floating-point zero point of integers is added to the product.
bool has_bias(const Cell& cell) {
  return !quantizes(cell) && spec::is_integer(cell.x) && cell.has_zero_point() && !spec::is_integer(*cell.zero_point);
}
bool has_saturate(const Cell& cell) { return cell.saturate.has_value(); }
bool does_not_saturate(const Cell& cell) { return cell.saturate == std::optional(false); }

// ---- both operators in the host's arithmetic

const spec::FloatFormat& format(ElementType type) { return *spec::info(type).format; }

double wrapped(double number, ElementType type) {
  const spec::ElementTypeInfo& row = spec::info(type);
  return host::wrap(number, row.bits, row.kind == spec::NumberKind::signed_integer);
}
double saturated(double number, ElementType type) {
  return std::clamp(number, host::lowest(type), host::highest(type));
}

/// Whether two outputs are equal. Any NaN equals any NaN, and the sign of zero does not count.
bool same_output(double left, double right) { return left == right || (std::isnan(left) && std::isnan(right)); }

/// One element of x with its parameters.
struct Operands {
  double x;
  double scale;
  double zero_point;  ///< added to the quotient, or subtracted from x; 0 if absent
  double bias = 0;    ///< added to the product
};

/// The type in which an operation is computed, after rounding its operands to this type. std::nullopt: exactly.
using Arithmetic = std::optional<ElementType>;

double quotient(const Operands& operands, const Arithmetic& arithmetic) {
  if (!arithmetic) return operands.x / operands.scale;
  const auto rounded = [&](double number) { return round_to_type(number, *arithmetic); };
  return rounded(rounded(operands.x) / rounded(operands.scale));
}

/// Defects in the steps of QuantizeLinear after the division.
struct QuantizeSteps {
  Rounding rounding = Rounding::half_to_even;
  bool adds_before_rounding = false;     ///< the zero point
  bool wraps = false;                    ///< instead of saturating
  bool saturates_before_adding = false;  ///< and then wraps
  bool rounds_to_integer = false;        ///< also for floating-point outputs
  bool ignores_saturate = false;         ///< does the opposite of the attribute
  bool tests_before_rounding = false;    ///< for the largest float8 number
};

double quantized_to_integer(double quotient, double zero_point, ElementType y, const QuantizeSteps& steps) {
  if (!std::isfinite(quotient)) return std::isnan(quotient) ? nan : quotient > 0 ? host::highest(y) : host::lowest(y);
  if (steps.adds_before_rounding) return saturated(round_to_integer(quotient + zero_point, steps.rounding), y);
  const double rounded = round_to_integer(quotient, steps.rounding);
  if (steps.saturates_before_adding) return wrapped(saturated(rounded, y) + zero_point, y);
  return steps.wraps ? wrapped(rounded + zero_point, y) : saturated(rounded + zero_point, y);
}

double quantized_to_float8(double number, const Cell& cell, const QuantizeSteps& steps) {
  if (std::isnan(number)) return nan;
  const double largest = host::largest(cell.y);
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
  const double largest = host::largest(y);
  if (std::isnan(number)) return spec::is_float4(y) ? largest : nan;
  return std::clamp(round_to_fraction_bits(number, y, steps.rounding), -largest, largest);
}

/// NaN represents itself for output types that have it. For all others it means that the output is open.
double quantized(const Cell& cell, double quotient, double zero_point, const QuantizeSteps& steps = {}) {
  if (spec::is_integer(cell.y)) return quantized_to_integer(quotient, zero_point, cell.y, steps);
  const double number = (steps.rounds_to_integer ? round_to_integer(quotient) : quotient) + zero_point;
  return spec::is_float8(cell.y) ? quantized_to_float8(number, cell, steps)
                                 : quantized_to_float6_or_float4(number, cell.y, steps);
}

/// The sum, such that rounding it to any type gives the rounded exact sum: if float64 cannot represent that, the last
/// bit is odd.
double sum(double left, double right) {
  const double rounded = left + right;
  if (!std::isfinite(rounded)) return rounded;
  const double taken = rounded - left;
  const double rest = (left - (rounded - taken)) + (right - taken);
  if (rest == 0 || (std::bit_cast<std::uint64_t>(rounded) & 1) != 0) return rounded;
  return std::nextafter(rounded, std::copysign(infinity, rest));
}

/// Defects in the steps of DequantizeLinear.
struct DequantizeSteps {
  Rounding rounding = Rounding::half_to_even;
  bool ignores_zero_point = false;
  bool wraps = false;  ///< the difference, in the type of x
};

double dequantized(const Cell& cell, const Operands& operands, const Arithmetic& arithmetic,
                   const DequantizeSteps& steps = {}) {
  double difference = operands.x - (steps.ignores_zero_point ? 0 : operands.zero_point);
  if (steps.wraps) difference = wrapped(difference, cell.x);
  if (!arithmetic)
    return round_to_type(sum(host::product(difference, operands.scale), operands.bias), cell.y, steps.rounding);
  const auto rounded = [&](double number) { return round_to_type(number, *arithmetic); };
  const auto computed = [&](double number) { return round_to_type(number, *arithmetic, steps.rounding); };
  const double in_type = computed(host::product(rounded(difference), rounded(operands.scale)));
  const double with_bias = operands.bias == 0 ? in_type : computed(sum(in_type, rounded(operands.bias)));
  return round_to_type(with_bias, cell.y, steps.rounding);
}

// ---- the results of permitted readings

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

/// The permitted readings of a cell's division or multiplication, the primary one first.
std::vector<Arithmetic> permitted_arithmetic(const Cell& cell) {
  return quantizes(cell) ? permitted_divisions(cell) : permitted_multiplications(cell);
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

double result(const Cell& cell, const Operands& operands, const Arithmetic& arithmetic) {
  if (!quantizes(cell)) return dequantized(cell, operands, arithmetic);
  return quantized(cell, quotient(operands, arithmetic), operands.zero_point);
}

/// The result of the primary readings.
double primary_result(const Cell& cell, const Operands& operands) {
  return result(cell, operands, permitted_arithmetic(cell).front());
}

/// Packed numbers may be signed instead of offset by half their range.
Operands as_twos_complement(const Cell& cell, Operands operands) {
  const double modulus = std::ldexp(1, spec::info(cell.x).bits);
  if (operands.x >= modulus / 2) operands.x -= modulus;
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

/// All results that some choice of permitted readings gives.
struct PermittedResults {
  bool any = false;
  std::vector<double> values;

  bool contain(double value) const {
    return any || std::any_of(values.begin(), values.end(), [&](double one) { return same_output(one, value); });
  }
};

void add_quantized(PermittedResults& results, const Cell& cell, const Operands& taken, const Arithmetic& arithmetic) {
  const double q = quotient(taken, arithmetic);
  results.any = results.any || may_be_anything(cell, q);
  if (arithmetic == float16 && is_subnormal(q, float16))
    results.values.push_back(quantized(cell, std::copysign(0.0, q), taken.zero_point));
  if (arithmetic && taken.zero_point != 0 && spec::is_integer(cell.y))
    results.values.push_back(quantized_in_type(cell, q, taken.zero_point, *arithmetic));
  // The result of infinity in these types differs between versions. This model permits the result of any version.
  const bool is_fnuz = !spec::is_integer(cell.y) && format(cell.y).special_codes == SpecialCodes::fnuz;
  if (is_fnuz && *cell.saturate && std::isinf(q))
    results.values.insert(results.values.end(), {nan, std::copysign(host::largest(cell.y), q)});
}

void add_dequantized(PermittedResults& results, const Cell& cell, const Operands& taken, const Arithmetic& arithmetic) {
  const double value = result(cell, taken, arithmetic);
  for (const Flushing flushing : flushings) results.values.push_back(flushed(value, cell.y, flushing));
  if (arithmetic && spec::is_integer(cell.x))
    results.values.push_back(dequantized(cell, rounded_integers(taken, *arithmetic), arithmetic));
  const bool overflows = std::isinf(value) && std::isfinite(taken.x) && std::isfinite(taken.scale);
  if (overflows) results.values.push_back(std::copysign(host::largest(cell.y), value));
}

PermittedResults permitted_results(const Cell& cell, const Operands& operands) {
  PermittedResults results;
  const auto add_in = [&](const Operands& taken, const Arithmetic& arithmetic) {
    const double value = result(cell, taken, arithmetic);
    results.values.push_back(value);
    quantizes(cell) ? add_quantized(results, cell, taken, arithmetic)
                    : add_dequantized(results, cell, taken, arithmetic);
    const bool may_be_symmetric = quantizes(cell) && cell.y == int4 && cell.version->domain == spec::com_microsoft;
    if (may_be_symmetric && value == host::lowest(int4)) results.values.push_back(value + 1);
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

// ---- where two divisions always agree

double smallest_number(ElementType type) { return spec::is_integer(type) ? 1 : host::decode(type, 1); }

Arithmetic division_without_precision(Cell cell) {
  cell.precision = std::nullopt;
  return permitted_arithmetic(cell).front();
}

bool ignoring_precision_shows(const Cell& cell) {
  if (!cell.precision || division_without_precision(cell) == Arithmetic(cell.precision)) return false;
  // x, which is a number of both types, is divided by a power of two, so its bits do not change. bfloat16 has the
  // exponents of float32; float32's smallest subnormal numbers, which it lacks, are zero in every output.
  if (cell.scale == float8e8m0 && cell.x == bfloat16 && cell.precision == bfloat16) return false;
  // The exact quotient of 11 bits and an integer differs from a threshold t by at least 1 part in 2^11 if x is so
  // coarse. Otherwise x and t * scale are multiples of the last bit of t, and below 2^17, so the difference is at least
  // 1 part in 2^22. Float32 has 24 bits, so the quotient stays on its side if float32 can represent the scale. From
  // 2^24 on it may not; then no quotient exceeds 65504 / 2^24, and below the first threshold all results are zero.
  const double first_threshold = smallest_number(cell.y) / 2;
  if (cell.scale == int32 && cell.x == float16 && cell.precision == float32)
    return first_threshold <= std::ldexp(65504, -24);
  return true;
}

bool dividing_in_float32_shows(const Cell& cell) {
  return cell.precision && cell.precision != float32 && division_without_precision(cell) != Arithmetic(float32);
}

/// Permitted if the type of x is the wider one.
bool dividing_in_type_of_x_shows(const Cell& cell) {
  const bool is_division = cell.x == float16 || cell.x == bfloat16;
  const bool other_float = cell.scale != cell.x && cell.scale != int32 && cell.scale != float8e8m0;
  return quantizes(cell) && !cell.precision && is_division && other_float;
}

bool multiplying_by_reciprocal_shows(const Cell& cell) {
  const bool in_float32 = cell.precision.value_or(float32) == float32;
  return quantizes(cell) && cell.x == float32 && cell.scale == float32 && in_float32;
}

// ---- where two multiplications always agree

/// The significant bits of all numbers of a floating-point type, or of integers and their differences.
int significant_bits(ElementType type) { return spec::info(type).format->fraction_bits + 1; }

int bits_of_differences(const Cell& cell) {
  if (!spec::is_integer(cell.x)) return significant_bits(cell.x);
  const spec::ElementTypeInfo& row = spec::info(cell.x);
  const bool has_sign = row.kind == spec::NumberKind::signed_integer;
  // -2^n, the only number with n bits besides its sign, is a power of two. Differences have twice the range.
  return row.bits - (has_sign && !subtracts_zero_point(cell) ? 1 : 0);
}

int bits_of_product(int left, int right) { return left == 1 ? right : right == 1 ? left : left + right; }

/// Whether every product of a difference and a scale is a number of y, once both are numbers of the type of the
/// multiplication.
bool products_are_exact(const Cell& cell) {
  const ElementType type = *permitted_arithmetic(cell).front();
  const int most = significant_bits(type);
  const int bits =
      bits_of_product(std::min(bits_of_differences(cell), most), std::min(significant_bits(cell.scale), most));
  const double smallest_scale = std::max(smallest_number(cell.scale), smallest_number(type));
  // One bit that is too small is at most half of the smallest number, which rounds to zero.
  const bool may_be_too_small = bits > 1 && smallest_number(cell.x) * smallest_scale < smallest_number(cell.y);
  return bits <= significant_bits(cell.y) && !may_be_too_small;
}

bool truncating_shows(const Cell& cell) { return !quantizes(cell) && !products_are_exact(cell); }

/// Float16 has a smaller range of exponents than any other type, so scales or products are outside of it.
bool multiplying_in_float16_shows(const Cell& cell) { return !quantizes(cell) && cell.y != float16; }

/// Bfloat16 has the exponents of float32, but not its smallest subnormal numbers.
bool multiplying_in_bfloat16_shows(const Cell& cell) {
  if (quantizes(cell) || cell.y == bfloat16) return false;
  const int bits = bits_of_product(bits_of_differences(cell), significant_bits(cell.scale));
  const bool is_too_small =
      cell.y == float32 && smallest_number(cell.x) * smallest_number(cell.scale) < smallest_number(bfloat16);
  return bits > significant_bits(bfloat16) || is_too_small;
}

// ---- defects

struct Defect {
  const char* name;
  std::function<bool(const Cell&)> shows;  ///< with some value; otherwise none distinguishes it from what is permitted
  std::function<double(const Cell&, const Operands&)> result;
};

Defect quantizing(const char* name, std::function<bool(const Cell&)> shows, const QuantizeSteps& steps) {
  return {name, std::move(shows), [=](const Cell& cell, const Operands& operands) {
            const Arithmetic division = permitted_arithmetic(cell).front();
            return quantized(cell, quotient(operands, division), operands.zero_point, steps);
          }};
}

Defect dividing(const char* name, std::function<bool(const Cell&)> shows,
                const std::function<Arithmetic(const Cell&)>& division) {
  return {name, std::move(shows), [=](const Cell& cell, const Operands& operands) {
            return quantized(cell, quotient(operands, division(cell)), operands.zero_point);
          }};
}

Defect dequantizing(const char* name, std::function<bool(const Cell&)> shows, const DequantizeSteps& steps) {
  return {name, std::move(shows), [=](const Cell& cell, const Operands& operands) {
            return dequantized(cell, operands, permitted_arithmetic(cell).front(), steps);
          }};
}

Defect multiplying(const char* name, std::function<bool(const Cell&)> shows, ElementType type) {
  return {name, std::move(shows),
          [=](const Cell& cell, const Operands& operands) { return dequantized(cell, operands, type); }};
}

double by_reciprocal(const Cell& cell, const Operands& operands) {
  const double reciprocal = round_to_type(1 / operands.scale, float32);
  return quantized(cell, round_to_type(operands.x * reciprocal, float32), operands.zero_point);
}

const std::vector<Defect>& defects() {
  static const std::vector<Defect> rows{
      quantizing("rounds ties away from zero", quantizes, {.rounding = Rounding::half_away}),
      quantizing("rounds ties upwards", quantizes, {.rounding = Rounding::half_up}),
      quantizing("rounds ties towards zero", quantizes, {.rounding = Rounding::half_toward_zero}),
      quantizing("truncates", quantizes, {.rounding = Rounding::toward_zero}),
      quantizing("rounds downwards", quantizes, {.rounding = Rounding::floor}),
      quantizing("adds the zero point before rounding", adds_zero_point, {.adds_before_rounding = true}),
      quantizing("wraps instead of saturating", quantizes_to_integer, {.wraps = true}),
      quantizing("saturates before adding the zero point", adds_zero_point, {.saturates_before_adding = true}),
      quantizing("rounds to an integer first", quantizes_to_float, {.rounds_to_integer = true}),
      quantizing("ignores saturate", has_saturate, {.ignores_saturate = true}),
      quantizing("tests for overflow before rounding", does_not_saturate, {.tests_before_rounding = true}),
      dividing("ignores precision", ignoring_precision_shows, division_without_precision),
      dividing("divides in float32", dividing_in_float32_shows, [](const Cell&) { return Arithmetic(float32); }),
      dividing("divides in the type of x", dividing_in_type_of_x_shows,
               [](const Cell& cell) { return Arithmetic(cell.x); }),
      {"multiplies by the reciprocal", multiplying_by_reciprocal_shows, by_reciprocal},
      dequantizing("ignores the zero point", subtracts_zero_point, {.ignores_zero_point = true}),
      dequantizing("wraps the difference", subtracts_zero_point, {.wraps = true}),
      dequantizing("truncates the product", truncating_shows, {.rounding = Rounding::toward_zero}),
      multiplying("multiplies in float16", multiplying_in_float16_shows, float16),
      multiplying("multiplies in bfloat16", multiplying_in_bfloat16_shows, bfloat16),
  };
  return rows;
}

// ---- walking through a case

struct Element {
  Operands operands;
  std::uint64_t code;  ///< of y, by the reference
  double y;
};

/// The elements of a data set whose result the specification defines.
std::vector<Element> elements(const Cell& cell, const ReferenceOutcome& data) {
  const reference::Result& result = *data.outcome.result();
  const auto& inputs = data.node.inputs;
  std::vector<Element> found;
  for (std::int64_t i = 0; i < result.y.size(); ++i) {
    if (result.unspecified[static_cast<std::size_t>(i)]) continue;
    const auto number = [&](std::size_t operand, std::int64_t place) {
      return host::decode(inputs[operand]->type(), inputs[operand]->code(place));
    };
    const double x = host::decode(cell.x, result.x.code(i));
    const double scale = number(1, result.parameters.scale(i));
    const double zero_point = cell.has_zero_point() ? number(2, result.parameters.zero_point(i)) : 0;
    const bool is_subtracted = !has_bias(cell) && (cell.has_zero_point() || !spec::info(cell.x).carrier);
    const double offset = spec::info(cell.x).carrier ? 8 : 0;
    const std::uint64_t code = result.y.code(i);
    found.push_back({{x, scale, is_subtracted ? zero_point : offset, has_bias(cell) ? zero_point : 0},
                     code,
                     host::decode(cell.y, code)});
  }
  return found;
}

/// The number of distinct outputs strictly between the ends of the type's range.
std::size_t distinct_results(const Cell& cell, const std::vector<Element>& elements) {
  const double low = host::decode(cell.y, code_at(cell.y, lowest_place(cell.y)));
  const double high = host::decode(cell.y, code_at(cell.y, highest_place(cell.y)));
  std::set<std::uint64_t> codes;
  for (const Element& element : elements)
    if (element.y > low && element.y < high) codes.insert(element.code);
  return codes.size();
}

/// The required number of distinct outputs. With 48 or more elements, a case shows both values of a 2-bit type between
/// the ends, half of about 14 values of a 4-bit type, and more values of wider types. For DequantizeLinear, it is the
/// number of values of x if there are so few.
std::size_t fewest_results(const Cell& cell) {
  if (quantizes(cell)) {
    switch (spec::info(cell.y).bits) {
      case 2: return 2;
      case 4: return 7;
      case 6: return 12;
      default: return 8;
    }
  }
  switch (spec::info(cell.x).bits) {
    case 2: return 4;
    case 4: return 16;
    case 6: return 20;
    case 8: return 80;
    default: return 16;
  }
}

bool is_revealed(const Defect& defect, const Cell& cell, const std::vector<Element>& elements) {
  return std::any_of(elements.begin(), elements.end(), [&](const Element& element) {
    const double y = defect.result(cell, element.operands);
    return !same_output(y, element.y) && !permitted_results(cell, element.operands).contain(y);
  });
}

std::size_t missing_special_inputs(const Cell& cell, const reference::Result& result) {
  std::set<std::uint64_t> missing;
  for (const std::uint64_t code : special_inputs(cell.x)) missing.insert(code);
  for (std::int64_t i = 0; i < result.x.size(); ++i) missing.erase(result.x.code(i));
  return missing.size();
}

struct Count {
  std::size_t cells = 0;
  std::vector<std::string> unrevealed;
};

/// Parameterized by the seed.
class ValuesOfEveryCell : public testing::TestWithParam<std::uint64_t> {};

TEST_P(ValuesOfEveryCell, GiveManyResultsAndRevealEveryVisibleDefect) {
  if (GetParam() != 0 && !is_nightly()) GTEST_SKIP() << "other seeds are tried at night";
  std::vector<Count> counts(defects().size());
  for (const Recipe& recipe : cell_recipes(GetParam())) {
    const Cell& cell = recipe.cell;
    std::vector<std::size_t> open;
    for (std::size_t d = 0; d < defects().size(); ++d)
      if (defects()[d].shows(cell)) open.push_back(d), ++counts[d].cells;
    bool is_first = true;
    const Case made = make_case(recipe);
    for (const DataSet& data : made.data_sets) {
      if (data.repeats) continue;
      const reference::Node node = bind_inputs(made.model, data.inputs);
      const ReferenceOutcome interpreted{node, interpret(made, node)};
      const std::vector<Element> known = elements(cell, interpreted);
      for (const Element& element : known)
        ASSERT_TRUE(same_output(element.y, primary_result(cell, element.operands)))
            << *recipe.id << ": the reference gives " << element.y << " for x = " << element.operands.x;
      if (is_first) {
        EXPECT_GE(distinct_results(cell, known), fewest_results(cell)) << *recipe.id;
        EXPECT_EQ(missing_special_inputs(cell, *interpreted.outcome.result()), 0U) << *recipe.id;
      }
      is_first = false;
      std::erase_if(open, [&](std::size_t d) { return is_revealed(defects()[d], cell, known); });
    }
    for (const std::size_t d : open) counts[d].unrevealed.push_back(recipe.id);
  }
  for (std::size_t d = 0; d < defects().size(); ++d) {
    const Count& count = counts[d];
    std::string some;
    for (std::size_t i = 0; i < std::min<std::size_t>(count.unrevealed.size(), 100); ++i)
      some += "\n  " + count.unrevealed[i];
    fmt::print("{}: revealed in {} of {} cells\n", defects()[d].name, count.cells - count.unrevealed.size(),
               count.cells);
    EXPECT_TRUE(count.unrevealed.empty()) << "a backend that " << defects()[d].name << " is not detected in "
                                          << count.unrevealed.size() << " of " << count.cells << " cells:" << some;
    EXPECT_GT(count.cells, 0U) << defects()[d].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ValuesOfEveryCell, testing::Values(0, 1, 2));

}  // namespace
}  // namespace touchstone::conformance::value_quality_test
