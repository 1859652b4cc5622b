#include "conformance/generate/listed_inputs.h"

#include <set>

#include "conformance/generate/ordered_codes.h"
#include "conformance/generate/quantize_neighbours.h"
#include "conformance/generate/quantize_thresholds.h"
#include "reference/codec.h"

namespace touchstone::conformance {

using reference::Rational;
using reference::Value;
using spec::ElementType;

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

/// The positive ones.
std::vector<Rational> quotients_beyond(ElementType y) {
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
  for (const int exponent : {3, 4, 6, 8, 12, 16, 24, 31, 32, 63, 90}) found.push_back(largest * power_of_two(exponent));
  return found;
}

}  // namespace

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
  const std::int64_t place =
      spec::is_integer(y)
          ? static_cast<std::int64_t>(boost::multiprecision::numerator(reference::decode(y, zero_point).rational()))
          : 0;
  for (const Threshold& threshold : thresholds(y, place)) {
    list.add(Value::of(threshold.from));
    list.add_with_neighbours(Value::of(threshold.quotient));
    list.add(Value::of(threshold.to));
  }
  for (const std::uint64_t code : inputs_at_powers_of_two(x, one)) list.add(reference::decode(x, code));
  return list.take();
}

}  // namespace touchstone::conformance
