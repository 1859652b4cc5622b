#include "conformance/generate/simpler_values.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "reference/codec.h"
#include "reference/host_numbers.h"
#include "reference/rounding.h"

namespace touchstone::conformance {

using reference::number_of;

namespace {

/// Infinities and NaN are more complex than most finite numbers.
constexpr double complexity_of_infinity = 1000;
constexpr double complexity_of_nan = 1002;

int significant_bits(double number) {
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(number), &exponent);
  const auto digits = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
  return 53 - std::countr_zero(digits);
}

/// The code of `number` if the type has it, otherwise `code`.
std::uint64_t code_or(ElementType type, double number, std::uint64_t code) {
  const std::uint64_t nearest = nearest_code_or(type, number, code);
  return number_of(type, nearest) == number ? nearest : code;
}

/// The number truncated to `bits` significant bits.
double truncated(double number, int bits) {
  int exponent = 0;
  const double fraction = std::frexp(number, &exponent);
  return std::ldexp(std::trunc(std::ldexp(fraction, bits)), exponent - bits);
}

/// Integers between the two: halfway, then closer and closer to `from`, so that few steps suffice.
std::vector<double> towards(double from, double to) {
  std::vector<double> numbers;
  double distance = std::trunc((from - to) / 2);
  while (distance != 0) {
    numbers.push_back(from - distance);
    distance = std::trunc(distance / 2);
  }
  return numbers;
}

}  // namespace

std::uint64_t nearest_code_or(ElementType type, double number, std::uint64_t code) {
  if (!std::isfinite(number)) return code;
  if (spec::is_integer(type)) return reference::rounded_code(type, number);
  const reference::Value rounded = reference::round_to_type(reference::exact(number), type);
  return rounded.is_finite() ? reference::encode(type, rounded) : code;
}

double complexity(ElementType type, std::uint64_t code) {
  const double number = number_of(type, code);
  if (number == 0) return std::signbit(number) ? 0.5 : 0;
  if (std::isnan(number)) return complexity_of_nan;
  const double sign = number < 0 ? 1 : 0;
  if (std::isinf(number)) return complexity_of_infinity + sign;
  if (spec::is_integer(type)) return 2 * std::fabs(number) + sign - 1;
  return 1 + 8 * (significant_bits(number) - 1) + 2 * std::abs(std::ilogb(number)) + sign;
}

std::vector<std::uint64_t> simpler_codes(ElementType type, std::uint64_t code) {
  const double number = number_of(type, code);
  std::vector<double> numbers{0, 1, std::fabs(number), std::trunc(number)};
  if (spec::is_integer(type)) {
    for (const double other : towards(number, 0)) numbers.push_back(other);
  } else if (std::isfinite(number) && number != 0) {
    const int bits = significant_bits(number);
    for (int kept = 1; kept < bits; kept *= 2) numbers.push_back(truncated(number, kept));
    numbers.push_back(truncated(number, bits - 1));
    const int exponent = std::ilogb(number);
    for (const double other : towards(exponent, 0))
      numbers.push_back(std::ldexp(number, static_cast<int>(other) - exponent));
  }
  std::vector<std::uint64_t> simpler;
  for (const double one : numbers) {
    const std::uint64_t other = code_or(type, one, code);
    const bool is_new = std::count(simpler.begin(), simpler.end(), other) == 0;
    if (is_new && complexity(type, other) < complexity(type, code)) simpler.push_back(other);
  }
  return simpler;
}

std::uint64_t shifted(ElementType type, std::uint64_t code, int shift) {
  return code_or(type, std::ldexp(number_of(type, code), shift), code);
}

int exponent_of(ElementType type, std::uint64_t code) {
  const double number = number_of(type, code);
  return std::isfinite(number) && number != 0 ? std::ilogb(number) : 0;
}

}  // namespace touchstone::conformance
