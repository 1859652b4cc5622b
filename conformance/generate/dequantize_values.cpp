// Revealing inputs of DequantizeLinear.
#include <algorithm>

#include "conformance/generate/cover.h"
#include "conformance/generate/directed_values.h"
#include "conformance/generate/listed_inputs.h"
#include "conformance/generate/ordered_codes.h"
#include "conformance/generate/picker.h"
#include "conformance/generate/scales.h"
#include "reference/codec.h"
#include "reference/rounding.h"

namespace touchstone::conformance {

using reference::Rational;
using reference::Value;

namespace {

struct ZeroPoint {
  std::uint64_t code;
  std::int64_t subtracted;  ///< from x, before the multiplication
};

/// The implicit offset if no integer zero point replaces it: packed numbers are offset by half of their range.
std::int64_t offset(ElementType x) { return spec::info(x).carrier ? std::int64_t{1} << (spec::info(x).bits - 1) : 0; }

/// Zero points that are added: the middle of a range, including one that float16 cannot represent.
std::vector<ZeroPoint> floating_zero_points(const ValueKind& kind) {
  std::vector<ZeroPoint> found;
  for (const Rational& number : {Rational(5, 4), Rational(1, 3), Rational(-3, 8), Rational(100), Rational(0)})
    found.push_back({nearest_code(*kind.zero_point, number), offset(kind.x)});
  return found;
}

/// The same zero points as for QuantizeLinear's output. int32 has none.
std::vector<ZeroPoint> zero_points(const ValueKind& kind) {
  if (!kind.zero_point || kind.x == ElementType::int32) return {{0, offset(kind.x)}};
  if (!spec::is_integer(*kind.zero_point)) return floating_zero_points(kind);
  const std::int64_t low = lowest_place(kind.x);
  const std::int64_t high = highest_place(kind.x);
  const std::int64_t middle = (low + high + 1) / 2;
  std::vector<ZeroPoint> found;
  for (const std::int64_t place : {std::min(middle + 1, high), low, high, low + 1, high - 1, middle, std::int64_t{0}})
    found.push_back({code_at(*kind.zero_point, place), place});
  return found;
}

// ---- the defects that an input reveals

/// The product computed in `type`, by the reading of version 23 and later or by that of earlier ones.
Value product(const Value& difference, const Value& scale, ElementType type, ElementType y) {
  const auto rounded = [&](const Value& value) { return reference::round_to_type(value, type); };
  return reference::round_to_type(rounded(multiply(rounded(difference), rounded(scale))), y);
}

/// Whether the product differs between float32 and the output type.
bool product_depends_on_type(const ValueKind& kind, std::int64_t difference, const Value& scale) {
  const Value number = Value::of(reference::Integer(difference));
  return !(product(number, scale, ElementType::float32, kind.y) == product(number, scale, kind.y, kind.y));
}

/// The product rounded towards zero.
Value towards_zero(const Value& exact, ElementType type) {
  const Value nearest = reference::round_to_type(exact, type);
  if (nearest.kind() != Value::Kind::number || exact.kind() != Value::Kind::number) return nearest;
  if (!(nearest.magnitude() > exact.magnitude())) return nearest;
  return reference::decode(type, reference::encode(type, nearest) - 1);
}

/// The bit of DirectedValues::reveals for each defect.
enum Bit : std::size_t { multiplies_in_float16, multiplies_in_bfloat16, truncates, ignores_zero_point, wraps };

class Defects {
 public:
  Defects(const ValueKind& kind, const Value& scale, std::int64_t zero_point)
      : kind_(kind), scale_(scale), zero_point_(zero_point) {}

  std::uint64_t revealed_by(std::uint64_t code) const {
    const Value x = reference::decode(kind_.x, code);
    const Value difference = zero_point_ == 0 ? x : subtract(x, Value::of(reference::Integer(zero_point_)));
    const Value in_float32 = product(difference, scale_, ElementType::float32, kind_.y);
    const Value in_y = product(difference, scale_, kind_.y, kind_.y);
    const Value exact = reference::round_to_type(multiply(difference, scale_), kind_.y);
    const Value of_rounded = product(rounded_difference(x), scale_, kind_.y, kind_.y);
    std::uint64_t bits = 0;
    const auto reveal = [&](Bit bit, const Value& y) {
      const bool right = y == in_float32 || y == in_y || y == exact || y == of_rounded;
      const bool is_permitted = (y.is_zero() && may_be_flushed(exact)) || (y.is_finite() && !exact.is_finite());
      if (!right && !is_permitted) bits |= std::uint64_t{1} << bit;
    };
    reveal(multiplies_in_float16, product(difference, scale_, ElementType::float16, kind_.y));
    reveal(multiplies_in_bfloat16, product(difference, scale_, ElementType::bfloat16, kind_.y));
    const auto rounded = [&](const Value& value) { return reference::round_to_type(value, kind_.y); };
    reveal(truncates, towards_zero(multiply(rounded(difference), rounded(scale_)), kind_.y));
    if (zero_point_ == 0) return bits;
    reveal(ignores_zero_point, product(x, scale_, ElementType::float32, kind_.y));
    const reference::Rational number = difference.rational();
    const bool beyond = number < lowest_place(kind_.x) || number > highest_place(kind_.x);
    if (beyond && !in_y.is_zero()) bits |= std::uint64_t{1} << wraps;
    return bits;
  }

 private:
  /// The difference if both operands are first rounded to the output type, which is permitted.
  Value rounded_difference(const Value& x) const {
    const auto rounded = [&](const Value& value) { return reference::round_to_type(value, kind_.y); };
    return zero_point_ == 0 ? rounded(x) : subtract(rounded(x), rounded(Value::of(reference::Integer(zero_point_))));
  }

  /// Whether the product becomes zero on a machine without subnormal numbers. Such a machine may keep the subnormal
  /// numbers of types of 8 bits and less.
  bool may_be_flushed(const Value& product) const {
    const auto is_subnormal = [](const Value& value, ElementType type) {
      const int smallest = type == ElementType::float16 ? -14 : -126;
      return value.kind() == Value::Kind::number && reference::binade(value.magnitude()) < smallest;
    };
    return is_subnormal(product, kind_.y) || is_subnormal(scale_, kind_.scale) ||
           (kind_.y == ElementType::float16 && is_subnormal(scale_, ElementType::float16));
  }

  const ValueKind& kind_;
  Value scale_;
  std::int64_t zero_point_;
};

/// The inputs for all floating-point numbers of at most 8 bits, or for a sample of integers.
std::vector<RevealingInput> revealing_inputs(ElementType type, const std::vector<std::uint64_t>& x,
                                             const Defects& defects) {
  constexpr std::size_t sample = 32;
  std::vector<std::uint64_t> codes = x;
  if (!spec::is_integer(type)) {
    codes.resize(codes.size() / 2);  // the other half are the same numbers below zero
  } else if (codes.size() > sample) {
    Picker picker("telling inputs", 0);
    for (std::uint64_t& code : codes) code = picker.one_of(x);
    codes.resize(sample);
  }
  std::vector<RevealingInput> found;
  for (const std::uint64_t code : codes) found.push_back({code, defects.revealed_by(code)});
  return found;
}

/// Integers whose products are spread over the numbers of y, within the range of x.
std::vector<std::uint64_t> spread_integers(const ValueKind& kind, const Value& scale, std::int64_t zero_point) {
  constexpr std::int64_t steps = 16;
  const Value largest = Value::number(false, reference::largest_finite(spec::format_of(kind.y)));
  const Value limit = divide(largest, scale.is_negative() ? -scale : scale);
  const Rational both =
      std::min(limit.rational(), largest.rational());  // the integer is rounded to the type of y first
  const std::int64_t reach = std::max(place_below(ElementType::int32, both), steps);
  const std::int64_t low = std::max(lowest_place(kind.x), zero_point - reach);
  const std::int64_t high = std::min(highest_place(kind.x), zero_point + reach);
  std::vector<std::uint64_t> codes;
  for (std::int64_t i = 0; i < steps; ++i)
    codes.push_back(code_at(kind.x, low + (high - low) * (2 * i + 1) / (2 * steps)));
  return codes;
}

std::vector<std::uint64_t> wide_integers(const ValueKind& kind, const Value& scale, std::int64_t zero_point) {
  const std::int64_t low = lowest_place(kind.x);
  const std::int64_t high = highest_place(kind.x);
  std::vector<std::int64_t> numbers{low, low + 1, high - 1, high, 0, 1, -1, zero_point, zero_point - 1, zero_point + 1};
  for (const std::int64_t exact_until : {256, 2048, 4096, 16777216})  // limits of bfloat16, float16, and float32
    for (const std::int64_t number : {exact_until - 1, exact_until + 1, 2 * exact_until + 3, -exact_until - 1})
      numbers.insert(numbers.end(), {number, number + zero_point});
  for (const std::int64_t number : {25599, 12345, -12345, 1 << 30, 123456789}) numbers.push_back(number);

  Picker picker("wide integers", 0);
  const auto any = [&] {
    return low + static_cast<std::int64_t>(picker.below(static_cast<std::size_t>(high - low) + 1));
  };
  for (int i = 0; i < 16; ++i) numbers.push_back(any());
  std::size_t found = 0;
  for (int tries = 0; tries < 200 && found < 8; ++tries) {
    const std::int64_t number = any();
    if (!product_depends_on_type(kind, number - zero_point, scale)) continue;
    numbers.push_back(number);
    ++found;
  }
  std::vector<std::uint64_t> codes;
  for (const std::int64_t number : numbers)
    if (low <= number && number <= high) codes.push_back(code_at(kind.x, number));
  return codes;
}

}  // namespace

std::vector<DirectedValues> dequantize_values(const ValueKind& kind) {
  constexpr std::size_t covers_of_a_row = 4;
  const std::vector<ScaleChoice> scale_choices = dequantize_scales(kind);
  const std::vector<ZeroPoint> zero_point_choices = zero_points(kind);
  std::vector<DirectedValues> rows;
  for (std::size_t i = 0; i < std::max(scale_choices.size(), zero_point_choices.size()); ++i) {
    const ScaleChoice& choice = scale_choices[i % scale_choices.size()];
    const auto& [zero_point_code, zero_point] = zero_point_choices[i % zero_point_choices.size()];
    const Value scale = reference::decode(kind.scale, choice.code);
    const bool narrow = spec::info(kind.x).bits <= 8;
    DirectedValues row{choice.code, zero_point_code, choice.ordinary};
    std::vector<std::uint64_t> x;
    if (narrow) {
      x = special_inputs(kind.x);
    } else {
      x = spread_integers(kind, scale, zero_point);
      row.first = x.size();
      const std::vector<std::uint64_t> others = wide_integers(kind, scale, zero_point);
      x.insert(x.end(), others.begin(), others.end());
    }
    row.x.assign(x.begin(), x.end());
    std::vector<RevealingInput> revealing = revealing_inputs(kind.x, x, {kind, scale, zero_point});
    row.reveals = all_revealed(revealing);
    row.covering_inputs = find_covers(std::move(revealing), covers_of_a_row);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace touchstone::conformance
