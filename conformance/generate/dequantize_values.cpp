#include "conformance/generate/dequantize_values.h"

#include <algorithm>

#include "conformance/generate/dealer.h"
#include "conformance/generate/ordered_codes.h"
#include "reference/codec.h"
#include "reference/rounding.h"

namespace touchstone::conformance {

using reference::Rational;
using reference::Value;
using spec::ElementType;

namespace {

/// Ordinary, negative, one that a narrower output type rounds, subnormal products, products beyond the largest number.
std::vector<std::uint64_t> scales(const ValueKind& kind) {
  using enum ElementType;
  const auto power = power_of_two;
  std::vector<Rational> numbers;
  if (kind.scale == float8e8m0)
    numbers = {Rational(1, 2), 1, power(-20), power(20), power(-30), power(-127), power(127)};
  else if (kind.scale == float16)
    numbers = {Rational(1, 10), Rational(-3, 10), Rational(10003, 10000), power(-24) * 3, 60000, 1000};
  else
    numbers = {Rational(1, 10), Rational(-3, 10), Rational(10003, 10000), power(-24) * 3, 1000,
               power(-133) * 5, power(125) * 3};
  std::vector<std::uint64_t> codes;
  for (const Rational& number : numbers) codes.push_back(nearest_code(kind.scale, number));
  return codes;
}

/// As of QuantizeLinear's output, and the middle of a range where they are numbers of their own. There is none of
/// int32.
std::vector<std::int64_t> zero_points(const ValueKind& kind) {
  if (!kind.zero_point || !spec::is_integer(kind.x) || kind.x == ElementType::int32) return {0};
  if (!spec::is_integer(*kind.zero_point)) {
    std::vector<std::int64_t> places;
    for (const Rational& number : {Rational(5, 4), Rational(-3, 8), Rational(100), Rational(1, 3), Rational(0)})
      places.push_back(place_below(*kind.zero_point, number));
    return places;
  }
  const std::int64_t low = lowest_place(kind.x);
  const std::int64_t high = highest_place(kind.x);
  const std::int64_t middle = (low + high + 1) / 2;
  return {std::min(middle + 1, high), low, high, middle, low + 1, high - 1, 0};
}

std::vector<std::uint64_t> all_codes(ElementType type) {
  std::vector<std::uint64_t> codes(std::size_t{1} << spec::info(type).bits);
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = i;
  return codes;
}

/// Whether the product comes out differently in float32 and in the output type.
bool product_depends_on_type(const ValueKind& kind, std::int64_t difference, const Value& scale) {
  const auto in = [&](ElementType type) {
    const auto rounded = [&](const Value& value) { return reference::round_to_type(value, type); };
    const Value product = rounded(multiply(rounded(Value::of(reference::Integer(difference))), rounded(scale)));
    return reference::round_to_type(product, kind.y);
  };
  return !(in(ElementType::float32) == in(kind.y));
}

std::vector<std::uint64_t> wide_integers(const ValueKind& kind, const Value& scale, std::int64_t zero_point) {
  const std::int64_t low = lowest_place(kind.x);
  const std::int64_t high = highest_place(kind.x);
  std::vector<std::int64_t> numbers{low, low + 1, high - 1, high, 0, 1, -1, zero_point, zero_point - 1, zero_point + 1};
  for (const std::int64_t exact_until : {256, 2048, 4096, 16777216})  // of bfloat16, float16, and float32
    for (const std::int64_t number : {exact_until - 1, exact_until + 1, 2 * exact_until + 3, -exact_until - 1})
      numbers.insert(numbers.end(), {number, number + zero_point});
  for (const std::int64_t number : {25599, 12345, -12345, 1 << 30, 123456789}) numbers.push_back(number);

  Dealer dealer("wide integers", 0);
  const auto any = [&] {
    return low + static_cast<std::int64_t>(dealer.below(static_cast<std::size_t>(high - low) + 1));
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
  const std::vector<std::uint64_t> scale_codes = scales(kind);
  const std::vector<std::int64_t> zero_point_places = zero_points(kind);
  std::vector<DirectedValues> rows;
  for (std::size_t i = 0; i < std::max(scale_codes.size(), zero_point_places.size()); ++i) {
    const std::uint64_t scale = scale_codes[i % scale_codes.size()];
    const std::int64_t zero_point = zero_point_places[i % zero_point_places.size()];
    const bool narrow = spec::info(kind.x).bits <= 8;
    rows.push_back(
        {scale, kind.zero_point ? code_at(*kind.zero_point, zero_point) : 0,
         narrow ? all_codes(kind.x) : wide_integers(kind, reference::decode(kind.scale, scale), zero_point)});
  }
  return rows;
}

}  // namespace touchstone::conformance
