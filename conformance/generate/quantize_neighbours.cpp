#include "conformance/generate/quantize_neighbours.h"

#include <algorithm>

#include "conformance/generate/ordered_codes.h"
#include "reference/codec.h"
#include "reference/rounding.h"

namespace touchstone::conformance {

using reference::Division;
using reference::Rational;
using reference::Value;
using spec::ElementType;

/// The place of a number, rounded to the type and clamped to its range.
std::int64_t place_near(ElementType type, const Value& number) {
  if (spec::is_integer(type)) {
    const Rational whole = reference::floor(number).rational();
    if (whole <= lowest_place(type)) return lowest_place(type);
    if (whole >= highest_place(type)) return highest_place(type);
    return static_cast<std::int64_t>(boost::multiprecision::numerator(whole));
  }
  const Value rounded = reference::round_to_type(number, type);
  if (rounded.is_infinity()) return rounded.is_negative() ? lowest_place(type) : highest_place(type);
  const std::uint64_t sign = std::uint64_t{1} << (spec::info(type).bits - 1);
  const std::uint64_t code = reference::encode(type, rounded);
  const auto magnitude = static_cast<std::int64_t>(code & (sign - 1));
  return (code & sign) != 0 ? -magnitude : magnitude;
}

/// The first place for which a monotone condition is true, searched from a guess.
template <class Condition>
std::int64_t Neighbours::search(std::int64_t guess, const Condition& condition) const {
  const std::int64_t end = highest_place(x_) + 1;
  const auto holds = [&](std::int64_t place) {
    return place >= end || (place >= lowest_place(x_) && condition(place));
  };
  std::int64_t step = 1;
  std::int64_t low = guess;  // where the condition is still false
  std::int64_t high = guess;
  if (holds(guess)) {
    while (low >= lowest_place(x_) && holds(low)) low = std::max(low - step, lowest_place(x_) - 1), step *= 2;
  } else {
    while (!holds(high)) low = high, high = std::min(high + step, end), step *= 2;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

Value Neighbours::quotient(std::int64_t place, const Division& division) const {
  return reference::quotient(reference::decode(x_, code_at(x_, place)), scale_, division);
}

/// -1, 0 or 1: the side of the threshold on which the quotient of the input lies, in the direction of growing inputs.
int Neighbours::side_of(std::int64_t place, const Value& threshold, const Division& division) const {
  const Value q = quotient(place, division);
  if (q.is_nan()) return -1;
  const int direction = scale_.is_negative() ? -1 : 1;
  if (q.is_infinity()) return (q.is_negative() ? -1 : 1) * direction;
  const Value difference = subtract(q, threshold);
  return difference.is_zero() ? 0 : (difference.is_negative() ? -1 : 1) * direction;
}

Span Neighbours::at(const Rational& number, const Division& division) const {
  const Value threshold = Value::of(number);
  const Value estimate = multiply(threshold, scale_);
  const auto side = [&](std::int64_t place) { return side_of(place, threshold, division); };
  const std::int64_t first_not_below = search(place_near(x_, estimate), [&](std::int64_t p) { return side(p) >= 0; });
  return {first_not_below, search(first_not_below, [&](std::int64_t p) { return side(p) > 0; })};
}

}  // namespace touchstone::conformance
