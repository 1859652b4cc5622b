#include "conformance/generate/quantize_quotients.h"

#include <algorithm>

#include "conformance/generate/ordered_codes.h"
#include "reference/codec.h"
#include "reference/rounding.h"

namespace touchstone::conformance {

using reference::Division;
using reference::Rational;
using reference::Value;

bool divides_in(ElementType type) { return !spec::is_integer(type) && spec::info(type).bits >= 16; }

void Divisions::add(const Division& division) {
  const auto same = [&](const Division& other) {
    return other.kind == division.kind &&
           (other.kind == Division::Kind::exact ||
            (other.type == division.type && other.through_float32 == division.through_float32));
  };
  if (std::none_of(all.begin(), all.end(), same)) all.push_back(division);
}

namespace {

Division in_type(ElementType type) { return {Division::Kind::in_format, type}; }

/// The other reading of a division in bfloat16 with an int32 operand (amb-int32-to-bfloat16).
void add_through_float32(const ValueKind& kind, ElementType type, Divisions& found) {
  const bool has_int32 = kind.x == ElementType::int32 || kind.scale == ElementType::int32;
  if (has_int32 && type == ElementType::bfloat16) found.add({Division::Kind::in_format, type, true});
}

/// The divisions of a node without the attribute `precision`.
Divisions divisions_by_operands(const ValueKind& kind) {
  using enum ElementType;
  Divisions found;
  const bool of_float8e8m0 = kind.scale == float8e8m0;
  const bool of_narrow_floats = kind.x == kind.scale && divides_in(kind.x) && kind.x != float32;
  if (kind.scale == int32) found.add({Division::Kind::exact});
  if (of_float8e8m0 || of_narrow_floats) found.add(in_type(float32));  // the latter in versions 19 and 21
  if (divides_in(kind.scale)) found.add(in_type(kind.scale));
  found.primaries = found.all.size();
  add_through_float32(kind, kind.scale, found);
  found.add(in_type(float32));
  if (of_float8e8m0 && divides_in(kind.x)) found.add(in_type(kind.x));
  if (!of_float8e8m0 || (kind.x == int32 && !kind.precision)) found.add({Division::Kind::exact});
  found.permitted = found.all.size();
  if (divides_in(kind.x)) found.add(in_type(kind.x));
  if (kind.x == float32 && kind.scale == float32) found.add({Division::Kind::reciprocal, float32});
  return found;
}

Value half_of(const Value& number) { return multiply(number, Value::scaled(false, 1, -1)); }

std::vector<Threshold> integer_thresholds(ElementType y, std::int64_t zero_point) {
  const std::int64_t low = lowest_place(y) - zero_point;
  const std::int64_t high = highest_place(y) - zero_point;
  std::vector<Threshold> thresholds;
  // Next to zero, at both ends, and further inside.
  for (const std::int64_t below :
       {std::int64_t{-3}, std::int64_t{-2}, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, std::int64_t{2},
        std::int64_t{3}, low - 1, low, high - 1, high, (low + high) / 2, low + (high - low) / 3}) {
    const Value from = Value::of(reference::Integer(below));
    const Value to = Value::of(reference::Integer(below + 1));
    const Value middle = half_of(add(from, to));
    thresholds.push_back({middle, from, to, below, below + 1, below % 2 == 0 ? below : below + 1});
  }
  return thresholds;
}

/// Halfway between neighbours, and at the end of the range.
std::vector<Threshold> float_thresholds(ElementType y) {
  const auto number = [&](std::int64_t place) { return reference::decode(y, code_at(y, place)); };
  const std::int64_t last = highest_place(y);
  const std::int64_t first_normal = std::int64_t{1} << spec::info(y).format->fraction_bits;
  const std::int64_t one = place_below(y, 1);
  const std::int64_t fraction = place_below(y, Rational(3, 10));
  std::vector<std::int64_t> places{0,       1,   2,        first_normal - 1, first_normal, fraction,
                                   one - 1, one, last - 2, last - 1,         last};
  if (last < 32)
    for (std::int64_t place = 0; place < last; ++place) places.push_back(place);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<Threshold> thresholds;
  for (const std::int64_t place : places) {
    const Value begin = number(place);
    const Value gap = place < last ? subtract(number(place + 1), begin) : subtract(begin, number(last - 1));
    const Value end = add(begin, gap);
    const Value middle = add(begin, half_of(gap));
    const std::int64_t even = place % 2 == 0 ? place : place + 1;
    thresholds.push_back({middle, begin, end, place, place + 1, even});
    thresholds.push_back({-middle, -end, -begin, -place - 1, -place, -even});
  }
  return thresholds;
}

}  // namespace

Divisions divisions(const ValueKind& kind) {
  const Divisions by_operands = divisions_by_operands(kind);
  if (!kind.precision) return by_operands;
  Divisions found{.all = {in_type(*kind.precision)}, .primaries = 1};
  add_through_float32(kind, *kind.precision, found);
  found.permitted = found.all.size();
  for (const Division& division : by_operands.all) found.add(division);
  return found;
}

std::vector<Threshold> thresholds(ElementType y, std::int64_t zero_point) {
  if (spec::is_integer(y)) return integer_thresholds(y, zero_point);
  return float_thresholds(y);
}

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
std::int64_t Quotients::search(std::int64_t guess, const Condition& condition) const {
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

const Value& Quotients::of(std::int64_t place) {
  const auto known = known_.find(place);
  if (known != known_.end()) return known->second;
  const Value x = reference::decode(x_, code_at(x_, place));
  return known_.emplace(place, reference::quotient(x, scale_, division_)).first->second;
}

/// -1, 0 or 1: the side of the threshold on which the quotient of the input lies, in the direction of growing inputs.
int Quotients::side_of(std::int64_t place, const Value& threshold) {
  const Value& q = of(place);
  if (q.is_nan()) return -1;
  return compare(q, threshold) * (scale_.is_negative() ? -1 : 1);
}

Span Quotients::equal_to(const Value& number) {
  const std::int64_t guess = place_near(x_, multiply(number, scale_));
  const std::int64_t begin = search(guess, [&](std::int64_t place) { return side_of(place, number) >= 0; });
  return {begin, search(begin, [&](std::int64_t place) { return side_of(place, number) > 0; })};
}

}  // namespace touchstone::conformance
