#include "reference/graph/bounds.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "reference/codec.h"
#include "reference/host_numbers.h"
#include "reference/rounding.h"

namespace touchstone::reference {

namespace {

/// What one operation in float64 adds to a bound, relatively.
constexpr double own_error = 0x1p-52;

/// The code of the next number of a floating-point type.
std::uint64_t next_code(ElementType type, std::uint64_t code, bool up) {
  const std::uint64_t sign = std::uint64_t{1} << (spec::info(type).bits - 1);
  const bool is_negative = (code & sign) != 0;
  if ((code & ~sign) == 0) return up ? 1 : sign | 1;
  return is_negative == up ? code - 1 : code + 1;
}

/// The code of a number rounded to nearest.
std::uint64_t code_of(ElementType type, double number) {
  if (type == ElementType::float32) return std::bit_cast<std::uint32_t>(static_cast<float>(number));
  if (type == ElementType::float64) return std::bit_cast<std::uint64_t>(number);
  return rounded_code(type, number);
}

std::uint64_t code_beside(ElementType type, double number, bool up) {
  const std::uint64_t code = code_of(type, number);
  if (spec::is_integer(type)) return code;
  const double rounded = number_of_code(type, code);
  if (std::isinf(rounded) || !(up ? rounded < number : number < rounded)) return code;
  return next_code(type, code, up);
}

double middle(const Interval& interval) { return interval.low / 2 + interval.high / 2; }

}  // namespace

bool Interval::is_known() const { return std::isfinite(low) && std::isfinite(high); }

double Interval::largest_magnitude() const { return std::max(std::fabs(low), std::fabs(high)); }

FloatPrecision::FloatPrecision(ElementType type) {
  const spec::FloatFormat& format = spec::format_of(type);
  bits = format.fraction_bits + 1;
  unit = std::ldexp(1, -bits) + own_error;
  smallest = std::ldexp(1, smallest_exponent(format));
  largest = static_cast<double>(largest_finite(format).rational());
}

double FloatPrecision::gamma(double roundings) const {
  const double part = roundings * unit;
  return part < 0.5 ? part / (1 - part) * (1 + 4 * own_error) : std::numeric_limits<double>::infinity();
}

bool FloatPrecision::has(double number) const {
  if (number == 0) return true;
  int exponent = 0;
  const double scaled = std::ldexp(std::frexp(number, &exponent), bits);
  return std::fabs(number) >= smallest && std::fabs(number) <= largest && scaled == std::trunc(scaled);
}

Interval widened(const Interval& exact, double by) {
  if (by == 0) return exact;
  if (!exact.is_known() || !std::isfinite(by)) return {};
  const double more = by * (1 + own_error);
  return {exact.low - more - std::fabs(exact.low) * own_error, exact.high + more + std::fabs(exact.high) * own_error};
}

Interval rounded(const Interval& exact, double roundings, const FloatPrecision& precision) {
  if (!exact.is_known() || (exact.low == 0 && exact.high == 0)) return exact;
  const double part = precision.gamma(roundings);
  Interval result{exact.low - std::fabs(exact.low) * part, exact.high + std::fabs(exact.high) * part};
  // A result below the normal numbers is rounded to a multiple of the smallest number, or flushed to zero.
  if (result.low < precision.smallest && result.high > -precision.smallest) {
    const double step = precision.smallest * roundings * precision.unit;
    result = {std::min(result.low - step, 0.0), std::max(result.high + step, 0.0)};
  }
  return result.largest_magnitude() < precision.largest ? result : Interval{};
}

Interval rounded(const Interval& exact, const FloatPrecision& precision) {
  return exact.is_point() && precision.has(exact.low) ? exact : rounded(exact, 1, precision);
}

Interval add(const Interval& left, const Interval& right) {
  const Interval sum{left.low + right.low, left.high + right.high};
  return left.is_known() && right.is_known() && sum.is_known() ? sum : Interval{};
}

namespace {

template <class Operation>
Interval of_corners(const Interval& left, const Interval& right, const Operation& operation) {
  if (!left.is_known() || !right.is_known()) return {};
  const auto [low, high] = std::minmax({operation(left.low, right.low), operation(left.low, right.high),
                                        operation(left.high, right.low), operation(left.high, right.high)});
  const Interval result{low, high};
  return result.is_known() ? result : Interval{};
}

}  // namespace

Interval multiply(const Interval& left, const Interval& right) {
  return of_corners(left, right, [](double a, double b) { return a * b; });
}

Interval divide(const Interval& left, const Interval& right) {
  if (right.low <= 0 && right.high >= 0) return {};
  return of_corners(left, right, [](double a, double b) { return a / b; });
}

double number_of_code(ElementType type, std::uint64_t code) {
  switch (type) {
    case ElementType::float32: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(code)));
    case ElementType::float64: return std::bit_cast<double>(code);
    case ElementType::uint8: return static_cast<double>(code);
    case ElementType::int8: return static_cast<double>(static_cast<std::int8_t>(code));
    default: return number_of(type, code);
  }
}

Bounds exact_bounds(const Tensor& tensor) {
  Bounds bounds(static_cast<std::size_t>(tensor.size()));
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const double number = number_of_code(tensor.type(), tensor.code(i));
    if (std::isfinite(number)) bounds[static_cast<std::size_t>(i)] = {number, number};
  }
  return bounds;
}

Tensor middles(ElementType type, const Shape& shape, const Bounds& bounds) {
  Tensor made(type, shape);
  for (std::int64_t i = 0; i < made.size(); ++i)
    if (const Interval& interval = bounds[static_cast<std::size_t>(i)]; interval.is_known())
      made.set_code(i, code_of(type, middle(interval)));
  return made;
}

CodeRange ends(ElementType type, const Shape& shape, const Bounds& bounds) {
  CodeRange range{Tensor(type, shape), Tensor(type, shape)};
  for (std::int64_t i = 0; i < range.lowest.size(); ++i) {
    const Interval& interval = bounds[static_cast<std::size_t>(i)];
    if (!interval.is_known()) continue;
    range.lowest.set_code(i, code_beside(type, interval.low, false));
    range.highest.set_code(i, code_beside(type, interval.high, true));
  }
  return range;
}

Bounds between(const Tensor& left, const Tensor& right) {
  Bounds bounds = exact_bounds(left);
  const Bounds others = exact_bounds(right);
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const Interval one = bounds[i], other = others[i];
    bounds[i] = {std::min(one.low, other.low), std::max(one.high, other.high)};
  }
  return bounds;
}

std::vector<bool> open_elements(ElementType type, const Bounds& bounds) {
  double widest = 0;
  if (spec::is_integer(type)) {
    widest = std::max(1.0, std::ldexp(widest_part, spec::info(type).bits) - 1);
  } else {
    for (const Interval& interval : bounds)
      if (interval.is_known()) widest = std::max(widest, std::fabs(middle(interval)) * widest_part);
  }
  std::vector<bool> open;
  for (const Interval& interval : bounds)
    open.push_back(!interval.is_known() || (interval.high - interval.low > widest && !interval.is_point()));
  return open;
}

}  // namespace touchstone::reference
