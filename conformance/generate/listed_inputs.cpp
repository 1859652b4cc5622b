#include "conformance/generate/listed_inputs.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <set>

#include "conformance/generate/ordered_codes.h"
#include "conformance/generate/quantize_quotients.h"
#include "reference/codec.h"

namespace touchstone::conformance {

using reference::Rational;
using reference::Value;

namespace {

/// Codes in insertion order, without duplicates.
class List {
 public:
  explicit List(ElementType type) : type_(type) {}

  void add(const Value& number, std::int64_t distance = 0) {
    const std::int64_t place = place_near(type_, number) + distance;
    if (place < lowest_place(type_) || place > highest_place(type_)) return;
    const std::uint64_t code = code_at(type_, place);
    if (there_.insert(code).second) codes_.push_back(code);
  }

  void add_with_neighbours(const Value& number) {
    for (const std::int64_t distance : {-1, 0, 1}) add(number, distance);
  }

  std::vector<std::uint64_t> take() { return std::move(codes_); }

 private:
  ElementType type_;
  std::vector<std::uint64_t> codes_;
  std::set<std::uint64_t> there_;
};

bool is_power_of_two(const Rational& number) {
  const auto has_one_bit = [](const reference::Integer& integer) { return (integer & (integer - 1)) == 0; };
  return has_one_bit(boost::multiprecision::numerator(number)) &&
         has_one_bit(boost::multiprecision::denominator(number));
}

/// In 16 steps up to twice the largest integer, and in 16 longer ones up to four times the largest integer.
std::vector<Rational> quotients_beyond_integers(ElementType y) {
  const Rational end(highest_place(y) + 1);
  std::vector<Rational> found;
  for (int step = 0; step < 16; ++step) {
    found.push_back(end * (1 + Rational(2 * step + 1, 32)));
    found.push_back(2 * end * (1 + Rational(2 * step + 1, 32)));
  }
  return found;
}

/// In each gap between the numbers up to four times the largest one that the type would have with a larger exponent.
std::vector<Rational> quotients_in_gaps(ElementType y) {
  const auto number = [&](std::int64_t place) { return reference::decode(y, code_at(y, place)).rational(); };
  const Rational largest = number(highest_place(y));
  Rational gap = largest - number(highest_place(y) - 1);
  // The first half of the first gap rounds to the largest number.
  std::vector<Rational> found{largest + gap * 3 / 4};
  for (Rational next = largest + gap; next < 4 * largest; next += gap) {
    found.push_back(next);
    if (is_power_of_two(next)) gap *= 2;
    found.push_back(next + gap / 2);
  }
  return found;
}

/// The positive ones.
std::vector<Rational> quotients_beyond(ElementType y) {
  std::vector<Rational> found = spec::is_integer(y) ? quotients_beyond_integers(y) : quotients_in_gaps(y);
  const Rational largest = reference::decode(y, code_at(y, highest_place(y))).rational();
  for (const int exponent : {3, 4, 6, 8, 12, 16, 24, 31, 32, 63, 90}) found.push_back(largest * power_of_two(exponent));
  return found;
}

/// The zero point as thresholds() takes it.
std::int64_t number_in_thresholds(ElementType y, std::uint64_t zero_point) {
  return spec::is_integer(y)
             ? static_cast<std::int64_t>(boost::multiprecision::numerator(reference::decode(y, zero_point).rational()))
             : 0;
}

std::vector<std::uint64_t> all_codes(ElementType type) {
  std::vector<std::uint64_t> codes(std::size_t{1} << spec::info(type).bits);
  std::iota(codes.begin(), codes.end(), 0);
  return codes;
}

std::vector<std::uint64_t> special_integers(ElementType type) {
  std::vector<std::uint64_t> codes;
  for (const std::int64_t place : {lowest_place(type), highest_place(type), lowest_place(type) + 1, std::int64_t{0},
                                   std::int64_t{2049}, std::int64_t{257}, std::int64_t{16777217}})
    if (place <= highest_place(type)) codes.push_back(code_at(type, place));
  return codes;
}

std::vector<std::uint64_t> special_floats(ElementType type) {
  const ElementTypeInfo& row = spec::info(type);
  const std::uint64_t sign = std::uint64_t{1} << (row.bits - 1);
  const auto infinity = static_cast<std::uint64_t>(highest_place(type)) + 1;
  const std::uint64_t first_normal = std::uint64_t{1} << row.format->fraction_bits;
  const std::uint64_t quiet_nan = infinity | first_normal >> 1;
  std::vector<std::uint64_t> codes;
  for (const std::uint64_t magnitude :
       {infinity, quiet_nan, std::uint64_t{0}, infinity - 1, std::uint64_t{1}, first_normal - 1, first_normal})
    for (const std::uint64_t code : {magnitude, magnitude | sign}) codes.push_back(code);
  return codes;
}

}  // namespace

const std::vector<Value>& small_quotients() {
  static const std::vector<Value> all = [] {
    std::vector<Value> found;
    for (const int halves : {3, -5, 7, 2, -1, 10, -6}) found.push_back(Value::scaled(halves < 0, std::abs(halves), -1));
    return found;
  }();
  return all;
}

std::vector<Value> ties_away_from_zero(ElementType y, std::uint64_t zero_point) {
  std::vector<Value> found;
  for (const Threshold& threshold : thresholds(y, number_in_thresholds(y, zero_point)))
    if (threshold.even == (threshold.quotient.is_negative() ? threshold.lower : threshold.upper))
      found.push_back(threshold.quotient);
  return found;
}

std::vector<std::uint64_t> inputs_beyond_range(ElementType x, ElementType y, const Value& scale) {
  List list(x);
  for (const Rational& quotient : quotients_beyond(y))
    for (const int sign : {1, -1}) list.add(multiply(Value::of(Rational(quotient * sign)), scale));
  return list.take();
}

std::vector<std::uint64_t> inputs_at_powers_of_two(ElementType x, const Value& scale) {
  List list(x);
  for (const int exponent : {15, 16, 31, 32, 63})
    for (const bool is_negative : {false, true}) {
      const Value power = Value::scaled(is_negative, 1, exponent);
      list.add_with_neighbours(power);
      list.add_with_neighbours(multiply(power, scale));
    }
  return list.take();
}

std::vector<std::uint64_t> inputs_at_steps(ElementType x, ElementType y, std::uint64_t zero_point) {
  const Value one = Value::of(reference::Integer(1));
  List list(x);
  for (const Threshold& threshold : thresholds(y, number_in_thresholds(y, zero_point))) {
    list.add(threshold.from);
    list.add_with_neighbours(threshold.quotient);
    list.add(threshold.to);
  }
  for (const std::uint64_t code : inputs_at_powers_of_two(x, one)) list.add(reference::decode(x, code));
  return list.take();
}

std::vector<std::uint64_t> special_inputs(ElementType x) {
  if (spec::info(x).bits <= 8) return all_codes(x);
  return spec::is_integer(x) ? special_integers(x) : special_floats(x);
}

std::vector<std::uint64_t> inputs_beside_midpoints(const Cell& cell, std::uint64_t scale, std::uint64_t zero_point) {
  const auto number = [](ElementType type, std::uint64_t code) { return reference::decode(type, code).rational(); };
  const ElementType division = cell.precision.value_or(divides_in(cell.scale) ? cell.scale : ElementType::float32);
  const Rational unit = power_of_two(-spec::format_of(division).fraction_bits);
  const Rational divisor = number(cell.scale, scale);
  const Rational sum = number(cell.y, zero_point);
  const std::int64_t place = place_below(cell.y, sum);
  std::vector<std::uint64_t> inputs;
  for (const std::int64_t neighbour : {place - 1, place + 1}) {
    const Rational half = (number(cell.y, code_at(cell.y, neighbour)) - sum) / 2;
    for (const Rational& factor : {Rational(1 - unit), Rational(1 + unit)}) {
      // The quotient of the nearest input may be a neighbour of the intended one.
      const std::int64_t nearest = place_below(cell.x, half * factor * divisor);
      for (std::int64_t x = std::max(nearest - 1, lowest_place(cell.x)); x <= nearest + 2; ++x)
        inputs.push_back(code_at(cell.x, x));
    }
  }
  return inputs;
}

}  // namespace touchstone::conformance
