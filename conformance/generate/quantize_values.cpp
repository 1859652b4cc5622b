// Revealing inputs of QuantizeLinear.
#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "conformance/generate/cover.h"
#include "conformance/generate/directed_values.h"
#include "conformance/generate/listed_inputs.h"
#include "conformance/generate/ordered_codes.h"
#include "conformance/generate/quantize_quotients.h"
#include "conformance/generate/scales.h"
#include "reference/codec.h"
#include "reference/rounding.h"
#include "reference/value.h"

namespace touchstone::conformance {

using reference::Division;
using reference::Integer;
using reference::Rational;
using reference::Value;

namespace {

// ---- which inputs reveal a defect: those for which it gives another output than any permitted division

/// The bit of RevealingInput::reveals for permitted divisions that differ. This is not a defect, but deserves a place
/// in a cover.
constexpr std::uint64_t readings_differ = std::uint64_t{1} << 63;

/// The bit of DirectedValues::reveals for each defect. Defects of the steps after the division have a bit for each
/// primary division, because divisions differ between versions.
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
constexpr std::size_t first_wrong_division = most_primaries * bits_of_a_division;

/// One threshold with the inputs around it. For each division, determines on which side an input lies and what output
/// follows.
class Surroundings {
 public:
  /// Takes the quotients by each of the divisions.
  Surroundings(const Threshold& threshold, const ValueKind& kind, const Divisions& divisions,
               std::vector<Quotients>& quotients, const Value& scale, std::int64_t zero_point)
      : x_(kind.x),
        y_(kind.y),
        low_(lowest_place(kind.y)),
        high_(highest_place(kind.y)),
        divisions_(divisions),
        quotients_(quotients),
        direction_(scale.is_negative() ? -1 : 1),
        zero_point_(zero_point),
        threshold_(threshold) {
    for (Quotients& by_division : quotients) spans_.push_back(by_division.equal_to(threshold.quotient));
    if (spec::is_integer(y_)) return;
    const auto is_whole = [&](std::int64_t place) {
      const Rational number = reference::decode(y_, code_at(y_, std::clamp(place, low_, high_))).rational();
      return boost::multiprecision::denominator(number) == 1;
    };
    between_fractions_ = !is_whole(threshold.lower) && !is_whole(threshold.upper);
  }

  std::vector<std::int64_t> places() const {
    std::vector<std::int64_t> found;
    for (const Span& span : spans_)
      for (const std::int64_t place : {span.begin - 1, span.begin, span.end - 1, span.end})
        if (place >= lowest_place(x_) && place <= highest_place(x_)) found.push_back(place);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  std::uint64_t reveals(std::int64_t place) const {
    std::uint64_t bits = 0;
    for (std::size_t d = 1; d < divisions_.permitted; ++d)
      if (output(rounded(d, place)) != output(rounded(0, place))) bits |= readings_differ;
    if (!is_near(place)) return bits;
    const std::vector<std::int64_t> permitted = permitted_outputs(place);
    for (std::size_t d = 0; d < divisions_.primaries; ++d)
      bits |= revealed_beyond(d, place, permitted) << (d * bits_of_a_division);
    for (std::size_t d = divisions_.permitted; d < spans_.size(); ++d)
      if (!is_in(permitted, output(rounded(d, place))))
        bits |= std::uint64_t{1} << (first_wrong_division + d - divisions_.permitted);
    return bits;
  }

 private:
  /// Whether, by all permitted divisions, the quotient is between the neighbours of the threshold in y. It is not if x
  /// or the quotient is coarser than y, or outside the range of the division.
  bool is_near(std::int64_t place) const {
    for (std::size_t d = 0; d < divisions_.permitted; ++d) {
      const Value& q = quotients_[d].of(place);
      if (!q.is_finite() || less(q, threshold_.from) || less(threshold_.to, q)) return false;
    }
    return true;
  }

  /// -1, 0 or 1: the side of the threshold on which the quotient lies, by a division.
  int side(std::size_t division, std::int64_t place) const {
    const Span& span = spans_[division];
    return (place < span.begin ? -1 : place < span.end ? 0 : 1) * direction_;
  }

  /// The rounded quotient, before the zero point is added.
  std::int64_t rounded(std::size_t division, std::int64_t place) const {
    const int where = side(division, place);
    return where < 0 ? threshold_.lower : where > 0 ? threshold_.upper : threshold_.even;
  }

  std::int64_t output(std::int64_t result) const { return std::clamp(result + zero_point_, low_, high_); }

  /// Whether a machine without float16 subnormals takes the input for zero, which is permitted. An operand that becomes
  /// subnormal only by conversion to float16 counts as kept: without such operands, no input with a precision of
  /// float16 would reveal some divisions in float32.
  bool may_be_flushed(std::int64_t place) const {
    if (x_ != ElementType::float16) return false;
    const Value x = reference::decode(x_, code_at(x_, place));
    return x.kind() == Value::Kind::number && reference::binade(x.magnitude()) < -14;
  }

  /// What the permitted divisions, sums in their types, and a flushed input give.
  std::vector<std::int64_t> permitted_outputs(std::int64_t place) const {
    std::vector<std::int64_t> found;
    if (may_be_flushed(place)) found.push_back(output(0));
    for (std::size_t d = 0; d < divisions_.permitted; ++d) {
      found.push_back(output(rounded(d, place)));
      found.push_back(output_in_type(d, place));
    }
    return found;
  }

  static bool is_in(const std::vector<std::int64_t>& outputs, std::int64_t y) {
    return std::find(outputs.begin(), outputs.end(), y) != outputs.end();
  }

  /// The output if zero point and sum are rounded to the type of the division, which is permitted for integers.
  std::int64_t output_in_type(std::size_t division, std::int64_t place) const {
    const ElementType type = divisions_.all[division].type;
    if (!spec::is_integer(y_) || zero_point_ == 0 || divisions_.all[division].kind != Division::Kind::in_format)
      return output(rounded(division, place));
    const auto in_type = [&](std::int64_t number) {
      return reference::round_to_type(Value::of(reference::Integer(number)), type);
    };
    const Value zero_point = in_type(zero_point_);
    if (!zero_point.is_finite()) return zero_point.is_negative() ? low_ : high_;
    const Value sum =
        reference::round_to_type(add(zero_point, Value::of(reference::Integer(rounded(division, place)))), type);
    if (!sum.is_finite()) return sum.is_negative() ? low_ : high_;
    return std::clamp(static_cast<std::int64_t>(numerator(sum.rational())), low_, high_);
  }

  std::int64_t wrapped(std::int64_t number) const {
    const std::int64_t modulus = high_ - low_ + 1;
    return low_ + ((number - low_) % modulus + modulus) % modulus;
  }

  std::uint64_t revealed_beyond(std::size_t division, std::int64_t place,
                                const std::vector<std::int64_t>& permitted) const {
    std::uint64_t bits = 0;
    const auto reveal = [&](Bit bit, std::int64_t y) {
      if (!is_in(permitted, y)) bits |= std::uint64_t{1} << bit;
    };
    const int where = side(division, place);
    const std::int64_t right = rounded(division, place);
    const bool negative = threshold_.quotient.is_negative();
    const std::int64_t inner = negative ? threshold_.upper : threshold_.lower;
    const std::int64_t outer = negative ? threshold_.lower : threshold_.upper;
    if (where == 0) {
      reveal(half_away, output(outer));
      reveal(half_upwards, output(threshold_.upper));
      reveal(half_towards_zero, output(inner));
    }
    reveal(towards_zero, output(inner));
    reveal(downwards, output(threshold_.lower));
    if (spec::is_integer(y_)) {
      const bool turns = where == 0 && zero_point_ % 2 != 0;
      if (turns) reveal(adds_before_rounding, output(threshold_.lower + threshold_.upper - right));
      reveal(saturates_before_adding, wrapped(std::clamp(right, low_, high_) + zero_point_));
      reveal(right < 0 ? wraps_below : wraps_above, wrapped(right + zero_point_));
      return bits;
    }
    if (between_fractions_ && !may_be_flushed(place)) bits |= std::uint64_t{1} << rounds_to_integer;
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
  std::vector<Quotients>& quotients_;
  int direction_;
  std::int64_t zero_point_;
  const Threshold& threshold_;
  std::vector<Span> spans_;
  bool between_fractions_ = false;
};

/// The inputs around a threshold. For each division: the last one whose quotient is below it, the first one above it,
/// and one between them, if any.
std::vector<RevealingInput> inputs_around(const Threshold& threshold, const ValueKind& kind, const Divisions& divisions,
                                          std::vector<Quotients>& quotients, const Value& scale,
                                          std::int64_t zero_point) {
  const Surroundings surroundings(threshold, kind, divisions, quotients, scale, zero_point);
  std::vector<RevealingInput> inputs;
  for (const std::int64_t place : surroundings.places())
    inputs.push_back({code_at(kind.x, place), surroundings.reveals(place)});
  return inputs;
}

// ---- zero points

/// Odd and even zero points, at both ends and in the middle. Floating-point types have only zero here; other zero
/// points are unusual and have separate cases.
std::vector<std::int64_t> zero_points(const ValueKind& kind) {
  if (!kind.zero_point || !spec::is_integer(kind.y)) return {0};
  const std::int64_t low = lowest_place(kind.y);
  const std::int64_t high = highest_place(kind.y);
  const std::int64_t middle = (low + high + 1) / 2;
  return {std::min(middle + 1, high), high, low, low + 1, middle, high - 1};
}

// ---- special inputs

void add_special_integers(const Value& scale, std::vector<std::uint64_t>& values) {
  for (std::int64_t number = -12; number <= 12; ++number) values.push_back(code_at(ElementType::int32, number));
  for (const std::int64_t number : {16777217, -16777217, 2147483520, 2147483647, -2147483647, -2147483647 - 1})
    values.push_back(code_at(ElementType::int32, number));
  values.push_back(
      code_at(ElementType::int32, place_near(ElementType::int32, multiply(Value::of(Integer(12)), scale))));
}

void add_special_floats(ElementType type, const Value& scale, std::vector<std::uint64_t>& values) {
  for (const std::uint64_t code : special_inputs(type)) values.push_back(code);
  for (const Rational& number : {Rational(1), Rational(-3), Rational(100), Rational(-1, 3), Rational(7, 10)})
    values.push_back(code_at(type, place_near(type, Value::of(number))));
  // Quotients outside the range of int32 and of int64.
  for (const int exponent : {31, 32, 40, 63})
    for (const int direction : {-1, 1})
      values.push_back(code_at(type, place_near(type, multiply(Value::scaled(direction < 0, 1, exponent), scale))));
}

// ---- spread inputs

/// The largest quotient of any input.
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

/// Inputs with quotients that are spread over the reachable outputs.
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
  const std::vector<ScaleChoice> scale_choices = quantize_scales(kind);
  const std::vector<std::int64_t> zero_point_places = zero_points(kind);
  const Divisions all_divisions = divisions(kind);
  std::map<std::int64_t, std::vector<Threshold>> thresholds_by_zero_point;
  for (const std::int64_t zero_point : zero_point_places)
    thresholds_by_zero_point.emplace(zero_point, thresholds(kind.y, zero_point));
  std::vector<DirectedValues> rows;
  for (std::size_t i = 0; i < std::max(scale_choices.size(), zero_point_places.size()); ++i) {
    const ScaleChoice& choice = scale_choices[i % scale_choices.size()];
    const std::int64_t zero_point = zero_point_places[i % zero_point_places.size()];
    const Value scale = reference::decode(kind.scale, choice.code);
    DirectedValues row{choice.code, code_at(kind.y, zero_point), choice.ordinary};
    std::vector<std::uint64_t> x = spread(kind, all_divisions, scale, zero_point);
    row.first = x.size();
    std::vector<Quotients> quotients;
    for (const Division& division : all_divisions.all) quotients.emplace_back(kind.x, scale, division);
    std::vector<RevealingInput> revealing;
    for (const Threshold& threshold : thresholds_by_zero_point.at(zero_point)) {
      const std::vector<RevealingInput> around =
          inputs_around(threshold, kind, all_divisions, quotients, scale, zero_point);
      revealing.insert(revealing.end(), around.begin(), around.end());
    }
    for (const RevealingInput& input : revealing) x.push_back(input.code);
    row.reveals = all_revealed(revealing) & ~readings_differ;
    row.covering_inputs = find_covers(std::move(revealing), covers_of_a_row);
    if (spec::is_integer(kind.x))
      add_special_integers(scale, x);
    else
      add_special_floats(kind.x, scale, x);
    row.x.assign(x.begin(), x.end());
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace touchstone::conformance
