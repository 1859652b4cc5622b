#include "conformance/generate/quantize_values.h"

#include <algorithm>

#include "conformance/generate/cover.h"
#include "conformance/generate/ordered_codes.h"
#include "conformance/generate/quantize_defects.h"
#include "conformance/generate/quantize_divisions.h"
#include "conformance/generate/quantize_neighbours.h"
#include "conformance/generate/quantize_thresholds.h"
#include "conformance/generate/scales.h"
#include "conformance/generate/special_inputs.h"
#include "reference/codec.h"
#include "reference/rounding.h"

namespace touchstone::conformance {

using reference::Division;
using reference::Integer;
using reference::Rational;
using reference::Value;
using spec::ElementType;

namespace {

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
  std::vector<DirectedValues> rows;
  for (std::size_t i = 0; i < std::max(scale_choices.size(), zero_point_places.size()); ++i) {
    const ScaleChoice& choice = scale_choices[i % scale_choices.size()];
    const std::int64_t zero_point = zero_point_places[i % zero_point_places.size()];
    const Value scale = reference::decode(kind.scale, choice.code);
    DirectedValues row{choice.code, code_at(kind.y, zero_point), choice.ordinary};
    row.x = spread(kind, all_divisions, scale, zero_point);
    row.first = row.x.size();
    std::vector<RevealingInput> revealing;
    for (const Threshold& threshold : thresholds(kind.y, zero_point)) {
      const std::vector<RevealingInput> around = inputs_around(threshold, kind, all_divisions, scale, zero_point);
      revealing.insert(revealing.end(), around.begin(), around.end());
    }
    for (const RevealingInput& input : revealing) row.x.push_back(input.code);
    row.reveals = all_revealed(revealing) & ~readings_differ;
    row.covering_inputs = find_covers(std::move(revealing), covers_of_a_row);
    if (spec::is_integer(kind.x))
      add_special_integers(scale, row.x);
    else
      add_special_floats(kind.x, scale, row.x);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace touchstone::conformance
