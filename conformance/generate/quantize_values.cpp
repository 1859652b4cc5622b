#include "conformance/generate/quantize_values.h"

#include <algorithm>
#include <array>

#include "conformance/generate/cover.h"
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

// ---- divisions

bool divides_in(ElementType type) { return !spec::is_integer(type) && spec::info(type).bits >= 16; }

/// What the quotient is rounded to before y, by all who might be right and by some who are not.
struct Divisions {
  std::vector<Division> all;
  std::size_t primaries = 0;  ///< so many at the front are the primary reading in some version
  std::size_t permitted = 0;  ///< so many at the front are permitted in some version; behind them are defects

  void add(const Division& division) {
    const auto same = [&](const Division& other) {
      return other.kind == division.kind && (other.kind == Division::Kind::exact || other.type == division.type);
    };
    if (std::none_of(all.begin(), all.end(), same)) all.push_back(division);
  }
};

Division in_type(ElementType type) { return {Division::Kind::in_format, type}; }

/// Of a node that does not set `precision`.
Divisions divisions_by_operands(const ValueKind& kind) {
  using enum ElementType;
  Divisions found;
  const bool of_float8e8m0 = kind.scale == float8e8m0;
  const bool of_narrow_floats = kind.x == kind.scale && divides_in(kind.x) && kind.x != float32;
  if (kind.scale == int32) found.add({Division::Kind::exact});
  if (of_float8e8m0 || of_narrow_floats) found.add(in_type(float32));  // the latter in versions 19 and 21
  if (divides_in(kind.scale)) found.add(in_type(kind.scale));
  found.primaries = found.all.size();
  found.add(in_type(float32));
  if (of_float8e8m0 && divides_in(kind.x)) found.add(in_type(kind.x));
  if (!of_float8e8m0) found.add({Division::Kind::exact});
  found.permitted = found.all.size();
  if (divides_in(kind.x)) found.add(in_type(kind.x));
  if (kind.x == float32 && kind.scale == float32) found.add({Division::Kind::reciprocal, float32});
  return found;
}

Divisions divisions(const ValueKind& kind) {
  const Divisions by_operands = divisions_by_operands(kind);
  if (!kind.precision) return by_operands;
  Divisions found{.all = {in_type(*kind.precision)}, .primaries = 1, .permitted = 1};
  for (const Division& division : by_operands.all) found.add(division);
  return found;
}

// ---- scales and zero points

/// The number nearest to this that has so few fraction bits that the type also has 1.5 times as much, and so that it
/// does not have 3.5 times: there are ties, and there are quotients that become ties in this type and not in others.
std::uint64_t with_room_for_ties(ElementType type, ElementType x, const Rational& number) {
  const int x_bits = spec::is_integer(x) ? spec::info(x).bits : spec::info(x).format->fraction_bits;
  const int own_bits = spec::info(type).format->fraction_bits;
  const int cleared = own_bits - std::min(own_bits, x_bits) + 2;
  const std::uint64_t unit = std::uint64_t{1} << cleared;
  return (nearest_code(type, number) & ~(unit - 1)) | unit;
}

struct ScaleChoice {
  std::uint64_t code;
  bool ordinary;
};

std::vector<ScaleChoice> integer_scales(const ValueKind& kind) {
  // Ties need an even scale where x is a whole number, and a multiple of 4 in float6e2m3.
  const bool whole = kind.x == ElementType::int32;
  const std::int64_t multiple = whole ? 4 : 1;
  const std::int64_t with_room = kind.x == ElementType::bfloat16 ? 51 : whole ? 205 : 409;
  // The first is no number of float16 and bfloat16, the second none of float32: they take the power of two above it.
  constexpr std::int64_t not_in_float16 = 4095;
  constexpr std::int64_t not_in_float32 = 33554431;
  std::vector<ScaleChoice> scales;
  for (const std::int64_t number : {with_room * multiple, 3 * multiple, std::int64_t{1}, -51 * multiple})
    scales.push_back({code_at(kind.scale, number), !whole || number != 1});
  for (const std::int64_t number : {not_in_float16, not_in_float32})
    scales.push_back({code_at(kind.scale, number), false});
  return scales;
}

/// Powers of two. Those far from 1 are out of the range of float16, or bring x or the quotient there.
std::vector<ScaleChoice> float8e8m0_scales(const ValueKind& kind) {
  const bool whole = kind.x == ElementType::int32;
  std::vector<ScaleChoice> scales;
  for (const int exponent : whole ? std::array{1, 12, 16, 6, -1, 4} : std::array{-1, 0, 16, 1, -23, -4})
    scales.push_back({nearest_code(kind.scale, power_of_two(exponent)), exponent < 13 && exponent > (whole ? 0 : -10)});
  if (!whole && kind.x != ElementType::float16) return scales;
  scales.push_back({nearest_code(kind.scale, power_of_two(whole ? 23 : -30)), false});
  return scales;
}

/// A third of a number of few bits, rounded up: 1.5 times as much is a little more than such a number, whose quotient
/// becomes a tie when it is rounded.
Rational third_rounded_up(ElementType type) {
  return spec::info(type).format->fraction_bits % 2 == 0 ? Rational(10, 3) : Rational(8, 3);
}

std::vector<ScaleChoice> float_scales(const ValueKind& kind) {
  const bool whole = kind.x == ElementType::int32;
  // Of integers only odd ones tell rounding before the addition from rounding after it.
  const bool any_zero_point = !kind.has_zero_point || !spec::is_integer(kind.y);
  std::vector<ScaleChoice> scales;
  const auto add = [&](std::uint64_t code, bool ordinary = true) { scales.push_back({code, ordinary}); };
  if (whole) {
    for (const int number : {820, 3274, -104, 2}) add(nearest_code(kind.scale, number));
    for (const Rational& number : {Rational(60000), Rational(1, 2)}) add(nearest_code(kind.scale, number), false);
  } else {
    // In float32 the reciprocal of this one is rounded by almost half a unit.
    add(with_room_for_ties(kind.scale, kind.x, Rational(123, 1000)));
    add(nearest_code(kind.scale, third_rounded_up(kind.scale)));
    add(nearest_code(kind.scale, Rational(1, 2)), any_zero_point);
    add(with_room_for_ties(kind.scale, kind.x, Rational(-3, 10)));
    // Float16 takes its smallest number for it.
    add(nearest_code(kind.scale, power_of_two(-24) * Rational(14, 10)), false);
    add(nearest_code(kind.scale, Rational(1, 1000)), any_zero_point);
  }
  // A subnormal scale divides what is as small, in a type that has it.
  const bool keeps_it = kind.precision.value_or(kind.scale) == kind.scale;
  if (kind.x == kind.scale && divides_in(kind.scale) && keeps_it) add(code_at(kind.scale, 3), false);
  return scales;
}

std::vector<ScaleChoice> scales(const ValueKind& kind) {
  if (spec::is_integer(kind.scale)) return integer_scales(kind);
  return kind.scale == ElementType::float8e8m0 ? float8e8m0_scales(kind) : float_scales(kind);
}

/// Odd and even, at both ends and in the middle. Of floating-point types only zero: others are unusual, and cases of
/// their own.
std::vector<std::int64_t> zero_points(const ValueKind& kind) {
  if (!kind.has_zero_point || !spec::is_integer(kind.y)) return {0};
  const std::int64_t low = lowest_place(kind.y);
  const std::int64_t high = highest_place(kind.y);
  const std::int64_t middle = (low + high + 1) / 2;
  return {std::min(middle + 1, high), high, low, low + 1, middle, high - 1};
}

// ---- quotients at which y changes, before the zero point is added

/// Places of y on both sides (of integers: numbers, before the zero point is added), and the place of the even one.
struct Threshold {
  Rational quotient;
  Rational from;  ///< the number at the lower place
  Rational to;    ///< the number at the upper place
  std::int64_t lower;
  std::int64_t upper;
  std::int64_t even;
};

std::vector<Threshold> integer_thresholds(ElementType y, std::int64_t zero_point) {
  const std::int64_t low = lowest_place(y) - zero_point;
  const std::int64_t high = highest_place(y) - zero_point;
  std::vector<Threshold> thresholds;
  // Next to zero; at both ends; further in.
  for (const std::int64_t below :
       {std::int64_t{-3}, std::int64_t{-2}, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, std::int64_t{2},
        std::int64_t{3}, low - 1, low, high - 1, high, (low + high) / 2, low + (high - low) / 3})
    thresholds.push_back(
        {below + Rational(1, 2), below, below + 1, below, below + 1, below % 2 == 0 ? below : below + 1});
  return thresholds;
}

/// Halfway between neighbours, and where the largest number ends.
std::vector<Threshold> float_thresholds(ElementType y) {
  const auto number = [&](std::int64_t place) { return reference::decode(y, code_at(y, place)).rational(); };
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
    const Rational end = place < last ? number(place + 1) : 2 * number(last) - number(last - 1);
    const Rational begin = number(place);
    const Rational middle = (begin + end) / 2;
    const std::int64_t even = place % 2 == 0 ? place : place + 1;
    thresholds.push_back({middle, begin, end, place, place + 1, even});
    thresholds.push_back({-middle, -end, -begin, -place - 1, -place, -even});
  }
  return thresholds;
}

// ---- inputs around a quotient

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

/// The inputs whose quotient is a threshold: from one place to before another, or none if they are the same.
struct Span {
  std::int64_t begin;
  std::int64_t end;

  bool operator==(const Span&) const = default;
};

class Neighbours {
 public:
  Neighbours(ElementType x, const Value& scale) : x_(x), scale_(scale) {}

  Span at(const Rational& number, const Division& division) const {
    const Value threshold = Value::of(number);
    const Value estimate = multiply(threshold, scale_);
    const auto side = [&](std::int64_t place) { return side_of(place, threshold, division); };
    const std::int64_t first_not_below = search(place_near(x_, estimate), [&](std::int64_t p) { return side(p) >= 0; });
    return {first_not_below, search(first_not_below, [&](std::int64_t p) { return side(p) > 0; })};
  }

  Value quotient(std::int64_t place, const Division& division) const {
    return reference::quotient(reference::decode(x_, code_at(x_, place)), scale_, division);
  }

 private:
  /// -1, 0 or 1: on which side of the threshold the quotient of the input lies, in the direction of growing inputs.
  int side_of(std::int64_t place, const Value& threshold, const Division& division) const {
    const Value q = quotient(place, division);
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

// ---- what an input tells

/// Which bit of DirectedValues::tells stands for which defect. Those of the steps behind the division are there for
/// each primary division, as they differ between versions.
enum Bit : std::size_t {
  half_away,
  half_upwards,
  half_towards_zero,
  towards_zero,
  downwards,
  adds_before_rounding,
  saturates_before_adding,
  wraps_below,
  wraps_above,
  rounds_to_integer,
  ignores_saturate,
  tests_before_rounding,
  bits_of_a_division,
};
constexpr std::size_t first_wrong_division = 3 * bits_of_a_division;
/// Stands for permitted readings that differ: no defect, but worth a place in a cover.
constexpr std::uint64_t readings = std::uint64_t{1} << 63;

/// One threshold with all inputs around it: on which side of it an input lies for each division, and what comes of
/// that.
class Surroundings {
 public:
  Surroundings(const ValueKind& kind, const Divisions& divisions, const Neighbours& neighbours, bool scale_is_negative,
               std::int64_t zero_point, const Threshold& threshold)
      : x_(kind.x),
        y_(kind.y),
        low_(lowest_place(kind.y)),
        high_(highest_place(kind.y)),
        divisions_(divisions),
        neighbours_(neighbours),
        direction_(scale_is_negative ? -1 : 1),
        zero_point_(zero_point),
        threshold_(threshold) {
    for (const Division& division : divisions.all) spans_.push_back(neighbours.at(threshold.quotient, division));
    if (spec::is_integer(y_)) return;
    const auto is_whole = [&](std::int64_t place) {
      const Rational number = reference::decode(y_, code_at(y_, std::clamp(place, low_, high_))).rational();
      return boost::multiprecision::denominator(number) == 1;
    };
    between_fractions_ = !is_whole(threshold.lower) && !is_whole(threshold.upper);
  }

  /// For each division the last input whose quotient is below the threshold, the first that is above, and one between
  /// them, if any is.
  std::vector<std::int64_t> places() const {
    std::vector<std::int64_t> found;
    for (const Span& span : spans_)
      for (const std::int64_t place : {span.begin - 1, span.begin, span.end - 1, span.end})
        if (place >= lowest_place(x_) && place <= highest_place(x_)) found.push_back(place);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  std::uint64_t tells(std::int64_t place) const {
    if (!is_near(place)) return 0;
    std::uint64_t bits = 0;
    for (std::size_t d = 0; d < divisions_.primaries; ++d) bits |= told_behind(d, place) << (d * bits_of_a_division);
    for (std::size_t d = divisions_.permitted; d < spans_.size(); ++d)
      if (is_wrong(output(rounded(d, place)), place))
        bits |= std::uint64_t{1} << (first_wrong_division + d - divisions_.permitted);
    return bits;
  }

  /// Whether permitted divisions come to different results: no defect, but worth knowing.
  bool tells_readings_apart(std::int64_t place) const {
    for (std::size_t d = 1; d < divisions_.permitted; ++d)
      if (output(rounded(d, place)) != output(rounded(0, place))) return true;
    return false;
  }

 private:
  /// Whether the quotient is as near to the threshold by all permitted divisions as the places of y beside it. It is
  /// not where x or the quotient is coarser than y, or out of the range of the division.
  bool is_near(std::int64_t place) const {
    for (std::size_t d = 0; d < divisions_.permitted; ++d) {
      const Value q = neighbours_.quotient(place, divisions_.all[d]);
      if (!q.is_finite()) return false;
      const Rational number = q.rational();
      if (number < threshold_.from || number > threshold_.to) return false;
    }
    return true;
  }

  /// -1, 0 or 1: where the quotient lies, by a division.
  int side(std::size_t division, std::int64_t place) const {
    const Span& span = spans_[division];
    return (place < span.begin ? -1 : place < span.end ? 0 : 1) * direction_;
  }

  /// Before the zero point is added.
  std::int64_t rounded(std::size_t division, std::int64_t place) const {
    const int where = side(division, place);
    return where < 0 ? threshold_.lower : where > 0 ? threshold_.upper : threshold_.even;
  }

  std::int64_t output(std::int64_t result) const { return std::clamp(result + zero_point_, low_, high_); }

  /// Whether no permitted division gives this.
  bool is_wrong(std::int64_t y, std::int64_t place) const {
    for (std::size_t d = 0; d < divisions_.permitted; ++d)
      if (output(rounded(d, place)) == y) return false;
    return true;
  }

  std::int64_t wrapped(std::int64_t number) const {
    const std::int64_t modulus = high_ - low_ + 1;
    return low_ + ((number - low_) % modulus + modulus) % modulus;
  }

  std::uint64_t told_behind(std::size_t division, std::int64_t place) const {
    std::uint64_t bits = 0;
    const auto tell = [&](Bit bit, std::int64_t y) {
      if (is_wrong(y, place)) bits |= std::uint64_t{1} << bit;
    };
    const int where = side(division, place);
    const std::int64_t right = rounded(division, place);
    const bool negative = threshold_.quotient < 0;
    const std::int64_t inner = negative ? threshold_.upper : threshold_.lower;
    const std::int64_t outer = negative ? threshold_.lower : threshold_.upper;
    if (where == 0) {
      tell(half_away, output(outer));
      tell(half_upwards, output(threshold_.upper));
      tell(half_towards_zero, output(inner));
    }
    tell(towards_zero, output(inner));
    tell(downwards, output(threshold_.lower));
    if (spec::is_integer(y_)) {
      const bool turns = where == 0 && zero_point_ % 2 != 0;
      if (turns) tell(adds_before_rounding, output(threshold_.lower + threshold_.upper - right));
      tell(saturates_before_adding, wrapped(std::clamp(right, low_, high_) + zero_point_));
      tell(right < 0 ? wraps_below : wraps_above, wrapped(right + zero_point_));
      return bits;
    }
    if (between_fractions_) bits |= std::uint64_t{1} << rounds_to_integer;
    const bool at_the_end = inner == (negative ? low_ : high_);
    if (at_the_end) {
      bool beyond_for_all = true;
      bool within_for_all = true;
      for (std::size_t d = 0; d < divisions_.permitted; ++d)
        (rounded(d, place) == outer ? within_for_all : beyond_for_all) = false;
      if (beyond_for_all) bits |= std::uint64_t{1} << ignores_saturate;
      if (within_for_all) bits |= std::uint64_t{1} << tests_before_rounding;
    }
    return bits;
  }

  ElementType x_;
  ElementType y_;
  std::int64_t low_;
  std::int64_t high_;
  const Divisions& divisions_;
  const Neighbours& neighbours_;
  int direction_;
  std::int64_t zero_point_;
  Threshold threshold_;
  std::vector<Span> spans_;
  bool between_fractions_ = false;
};

/// The largest quotient that some input has.
Rational largest_quotient(const ValueKind& kind, const Divisions& divisions, const Value& scale) {
  Value x = reference::decode(kind.x, code_at(kind.x, highest_place(kind.x)));
  for (std::size_t d = 0; d < divisions.primaries; ++d) {
    const ElementType type = divisions.all[d].type;
    const Value limit = Value::number(false, reference::largest_finite(spec::format_of(type)));
    if (divisions.all[d].kind == Division::Kind::in_format && x.magnitude() > limit.magnitude()) x = limit;
  }
  const Rational quotient = divide(x, scale).rational();
  return quotient < 0 ? Rational(-quotient) : quotient;
}

/// Inputs with quotients that are spread over the outputs, as far as they can be reached.
std::vector<std::uint64_t> spread(const ValueKind& kind, const Divisions& divisions, const Value& scale,
                                  std::int64_t zero_point) {
  constexpr std::int64_t most = 16;
  const Rational limit = largest_quotient(kind, divisions, scale);
  const bool to_integer = spec::is_integer(kind.y);
  const std::int64_t reach = to_integer ? place_below(ElementType::int32, limit) : place_below(kind.y, limit);
  const std::int64_t low = std::max(lowest_place(kind.y) + 1, zero_point - reach);
  const std::int64_t high = std::min(highest_place(kind.y) - 1, zero_point + reach);
  const std::int64_t count = std::min(most, high - low + 1);
  std::vector<std::uint64_t> codes;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t place = low + (high - low) * i / std::max<std::int64_t>(count - 1, 1);
    const Value y = reference::decode(kind.y, code_at(kind.y, place));
    const Value quotient = to_integer ? subtract(y, Value::of(Integer(zero_point))) : y;
    codes.push_back(code_at(kind.x, place_near(kind.x, multiply(quotient, scale))));
  }
  return codes;
}

}  // namespace

std::vector<DirectedValues> quantize_values(const ValueKind& kind) {
  constexpr std::size_t covers_of_a_row = 4;
  const std::vector<ScaleChoice> scale_choices = scales(kind);
  const std::vector<std::int64_t> zero_point_places = zero_points(kind);
  const Divisions all_divisions = divisions(kind);
  std::vector<DirectedValues> rows;
  for (std::size_t i = 0; i < std::max(scale_choices.size(), zero_point_places.size()); ++i) {
    const ScaleChoice& choice = scale_choices[i % scale_choices.size()];
    const std::int64_t zero_point = zero_point_places[i % zero_point_places.size()];
    const Value scale = reference::decode(kind.scale, choice.code);
    const Neighbours neighbours(kind.x, scale);
    DirectedValues row{choice.code, code_at(kind.y, zero_point), choice.ordinary};
    row.x = spread(kind, all_divisions, scale, zero_point);
    row.first = row.x.size();
    std::vector<TellingInput> telling;
    const auto thresholds =
        spec::is_integer(kind.y) ? integer_thresholds(kind.y, zero_point) : float_thresholds(kind.y);
    for (const Threshold& threshold : thresholds) {
      const Surroundings surroundings(kind, all_divisions, neighbours, scale.is_negative(), zero_point, threshold);
      for (const std::int64_t place : surroundings.places()) {
        const std::uint64_t code = code_at(kind.x, place);
        row.x.push_back(code);
        telling.push_back(
            {code, surroundings.tells(place) | (surroundings.tells_readings_apart(place) ? readings : 0)});
      }
    }
    row.tells = all_that_is_told(telling) & ~readings;
    row.covers = covers(std::move(telling), covers_of_a_row);
    if (spec::is_integer(kind.x))
      add_special_integers(scale, row.x);
    else
      add_special_floats(kind.x, scale, row.x);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace touchstone::conformance
