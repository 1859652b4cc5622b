#include "conformance/generate/quantize_values.h"

#include <algorithm>
#include <array>

#include "conformance/generate/ordered_codes.h"
#include "reference/codec.h"
#include "reference/division.h"
#include "reference/rounding.h"

namespace touchstone::conformance {

using reference::Division;
using reference::Integer;
using reference::Rational;
using reference::Value;
using spec::ElementType;

namespace {

// ---- scales and zero points

bool divides_in(ElementType type) { return !spec::is_integer(type) && spec::info(type).bits >= 16; }

/// Whether every input is converted to float16, in which few numbers are beyond 2^16 and below 2^-24.
bool divides_in_float16(const ValueKind& kind) { return kind.precision.value_or(kind.scale) == ElementType::float16; }

std::vector<std::uint64_t> scales(const ValueKind& kind) {
  using enum ElementType;
  std::vector<Rational> numbers;
  if (kind.scale == int32)
    numbers = {2, 3, -5, 1, 1000};
  else if (kind.scale == float8e8m0 && kind.x == int32)
    numbers = {2, Rational(1, 2), 16, 64, 1};
  else if (kind.scale == float8e8m0)
    numbers = {Rational(1, 2), 1, 2, Rational(1, 16), Rational(1, 64)};
  else if (kind.x == int32)  // whole numbers: for ties the scale must be even
    numbers = {2, Rational(1, 2), -3, Rational(327, 10), 100};
  else
    numbers = {Rational(1, 10), Rational(1, 2), Rational(-3, 10), Rational(8, 3), Rational(1, 1000)};
  // What float16 has no room for.
  if (kind.x == int32 && kind.scale != float16 && !divides_in_float16(kind)) numbers.push_back(60000);
  if (kind.scale == float8e8m0 && kind.x != int32 && kind.x != float16 && !divides_in_float16(kind))
    numbers.push_back(power_of_two(-30));
  std::vector<std::uint64_t> codes;
  for (const Rational& number : numbers) codes.push_back(nearest_code(kind.scale, number));
  // A subnormal scale divides what is as small, in a type that has it.
  const bool keeps_it = kind.precision.value_or(kind.scale) == kind.scale;
  if (kind.x == kind.scale && divides_in(kind.scale) && keeps_it) codes.push_back(code_at(kind.scale, 3));
  return codes;
}

/// Odd and even, at both ends and in the middle. Of floating-point types only zero: others are unusual, and cases of
/// their own.
std::vector<std::int64_t> zero_points(const ValueKind& kind) {
  if (!kind.zero_point || !spec::is_integer(kind.y)) return {0};
  const std::int64_t low = lowest_place(kind.y);
  const std::int64_t high = highest_place(kind.y);
  const std::int64_t middle = (low + high + 1) / 2;
  return {std::min(middle + 1, high), low, high, middle, low + 1, high - 1};
}

// ---- quotients at which y changes, before the zero point is added

std::vector<Rational> integer_thresholds(ElementType y, std::int64_t zero_point) {
  const Rational half(1, 2);
  const std::int64_t low = lowest_place(y) - zero_point;
  const std::int64_t high = highest_place(y) - zero_point;
  std::vector<Rational> thresholds;
  for (const std::int64_t end : {low, high})
    for (const int side : {-1, 1}) thresholds.push_back(end + side * half);
  for (const int number : {-2, -1, 0, 1, 2}) thresholds.push_back(number + half);
  thresholds.push_back((low + high) / 2 + half);
  thresholds.push_back(low + (high - low) / 3 + half);
  return thresholds;
}

/// Halfway between neighbours, and where the largest number ends.
std::vector<Rational> float_thresholds(ElementType y) {
  const auto number = [&](std::int64_t place) { return reference::decode(y, code_at(y, place)).rational(); };
  const std::int64_t last = highest_place(y);
  const std::int64_t first_normal = std::int64_t{1} << spec::info(y).format->fraction_bits;
  const std::int64_t one = place_below(y, 1);
  std::vector<std::int64_t> places{0, 1, 2, first_normal - 1, first_normal, one - 1, one, last - 2, last - 1};
  if (last < 32)
    for (std::int64_t place = 0; place < last; ++place) places.push_back(place);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<Rational> thresholds;
  for (const std::int64_t place : places) thresholds.push_back((number(place) + number(place + 1)) / 2);
  const Rational beyond = number(last) + (number(last) - number(last - 1)) / 2;
  thresholds.push_back(beyond);
  const std::size_t positive = thresholds.size();
  for (std::size_t i = 0; i < positive; ++i) thresholds.push_back(-thresholds[i]);
  return thresholds;
}

// ---- inputs around a quotient

/// Every division that some reading of the cell does.
std::vector<Division> divisions(const ValueKind& kind) {
  std::vector<Division> all{{Division::Kind::exact}};
  const auto add = [&](ElementType type) {
    const auto has = [&](const Division& other) {
      return other.kind == Division::Kind::in_format && other.type == type;
    };
    if (divides_in(type) && std::none_of(all.begin(), all.end(), has)) all.push_back({Division::Kind::in_format, type});
  };
  if (kind.precision) add(*kind.precision);
  add(kind.scale);
  add(kind.x);
  add(ElementType::float32);
  return all;
}

/// The place of a number, rounded to the type and brought within it.
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

class Neighbours {
 public:
  Neighbours(ElementType x, const Value& scale) : x_(x), scale_(scale) {}

  /// The last input whose quotient is below the threshold, the first that is above, and one between them, if any is.
  void add(const Rational& threshold, const Division& division, std::vector<std::uint64_t>& values) const {
    const Value quotient = Value::of(threshold);
    const Value estimate = multiply(quotient, scale_);
    const auto side = [&](std::int64_t place) { return side_of(place, quotient, division); };
    const std::int64_t first_not_below = search(place_near(x_, estimate), [&](std::int64_t p) { return side(p) >= 0; });
    const std::int64_t first_above = search(first_not_below, [&](std::int64_t p) { return side(p) > 0; });
    for (const std::int64_t place : {first_not_below - 1, first_not_below, first_above - 1, first_above})
      if (place >= lowest_place(x_) && place <= highest_place(x_)) values.push_back(code_at(x_, place));
  }

 private:
  /// -1, 0 or 1: on which side of the threshold the quotient of the input lies, in the direction of growing inputs.
  int side_of(std::int64_t place, const Value& threshold, const Division& division) const {
    const Value q = reference::quotient(reference::decode(x_, code_at(x_, place)), scale_, division);
    if (q.is_nan()) return -1;
    const int direction = scale_.is_negative() ? -1 : 1;
    if (q.is_infinity()) return (q.is_negative() ? -1 : 1) * direction;
    const Value difference = subtract(q, threshold);
    return difference.is_zero() ? 0 : (difference.is_negative() ? -1 : 1) * direction;
  }

  /// The first place for which a condition that stays true is true, starting from a guess.
  template <class Condition>
  std::int64_t search(std::int64_t guess, const Condition& condition) const {
    const std::int64_t end = highest_place(x_) + 1;
    const auto holds = [&](std::int64_t place) {
      return place >= end || (place >= lowest_place(x_) && condition(place));
    };
    std::int64_t step = 1;
    std::int64_t low = guess;  // where it does not hold yet
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

  ElementType x_;
  Value scale_;
};

// ---- inputs that are special by themselves

void add_special_integers(const Value& scale, std::vector<std::uint64_t>& values) {
  for (std::int64_t number = -12; number <= 12; ++number) values.push_back(code_at(ElementType::int32, number));
  for (const std::int64_t number : {16777217, -16777217, 2147483520, 2147483647, -2147483647, -2147483647 - 1})
    values.push_back(code_at(ElementType::int32, number));
  values.push_back(
      code_at(ElementType::int32, place_near(ElementType::int32, multiply(Value::of(reference::Integer(12)), scale))));
}

void add_special_floats(ElementType type, const Value& scale, std::vector<std::uint64_t>& values) {
  const spec::ElementTypeInfo& row = spec::info(type);
  const std::uint64_t sign = std::uint64_t{1} << (row.bits - 1);
  const auto infinity = static_cast<std::uint64_t>(highest_place(type)) + 1;
  const auto first_normal = std::uint64_t{1} << row.format->fraction_bits;
  const std::uint64_t quiet = infinity | first_normal >> 1;
  for (const std::uint64_t magnitude :
       {std::uint64_t{0}, std::uint64_t{1}, first_normal - 1, first_normal, infinity - 1, infinity, quiet, quiet | 1})
    for (const std::uint64_t code : {magnitude, magnitude | sign}) values.push_back(code);
  for (const Rational& number : {Rational(1), Rational(-3), Rational(100), Rational(-1, 3), Rational(7, 10)})
    values.push_back(code_at(type, place_near(type, Value::of(number))));
  // Quotients that no int32 and no int64 holds.
  for (const int exponent : {31, 32, 40, 63})
    for (const int direction : {-1, 1})
      values.push_back(code_at(type, place_near(type, multiply(Value::scaled(direction < 0, 1, exponent), scale))));
}

/// A tie next to zero: there the sum with a zero point differs most between orders of rounding and adding.
bool is_near_zero(const Rational& threshold) { return threshold >= -1 && threshold <= 2; }

}  // namespace

std::vector<DirectedValues> quantize_values(const ValueKind& kind) {
  const std::vector<std::uint64_t> scale_codes = scales(kind);
  const std::vector<std::int64_t> zero_point_places = zero_points(kind);
  const std::vector<Division> all_divisions = divisions(kind);
  std::vector<DirectedValues> rows;
  for (std::size_t i = 0; i < std::max(scale_codes.size(), zero_point_places.size()); ++i) {
    const std::uint64_t scale_code = scale_codes[i % scale_codes.size()];
    const std::int64_t zero_point = zero_point_places[i % zero_point_places.size()];
    const Value scale = reference::decode(kind.scale, scale_code);
    const Neighbours neighbours(kind.x, scale);
    DirectedValues row{scale_code, code_at(kind.y, zero_point), {}};
    std::vector<std::uint64_t> others;
    const auto thresholds =
        spec::is_integer(kind.y) ? integer_thresholds(kind.y, zero_point) : float_thresholds(kind.y);
    for (const Rational& threshold : thresholds) {
      std::vector<std::vector<std::uint64_t>> around(all_divisions.size());
      for (std::size_t d = 0; d < all_divisions.size(); ++d) neighbours.add(threshold, all_divisions[d], around[d]);
      // Where the divisions come to the threshold at different inputs, these tell them apart.
      const bool tells_divisions_apart =
          std::any_of(around.begin(), around.end(), [&](const auto& codes) { return codes != around.front(); });
      const bool first = tells_divisions_apart || (spec::is_integer(kind.y) && is_near_zero(threshold));
      for (const auto& codes : around)
        (first ? row.x : others).insert((first ? row.x : others).end(), codes.begin(), codes.end());
    }
    row.first = row.x.size();
    row.x.insert(row.x.end(), others.begin(), others.end());
    if (spec::is_integer(kind.x))
      add_special_integers(scale, row.x);
    else
      add_special_floats(kind.x, scale, row.x);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace touchstone::conformance
