#include "conformance/judge/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reference/codec.h"

namespace touchstone::conformance {

namespace {

std::string form_difference(const Tensor& expected, const Tensor& actual) {
  if (expected.type() != actual.type())
    return fmt::format("the type is {}, expected {}", spec::name(actual.type()), spec::name(expected.type()));
  if (expected.shape() != actual.shape())
    return fmt::format("the shape is [{}], expected [{}]", fmt::join(actual.shape(), ","),
                       fmt::join(expected.shape(), ","));
  return {};
}

enum class Codes { different, both_nan, both_zero };

/// Classifies the difference between two different codes of a type.
Codes compare_codes(ElementType type, std::uint64_t left, std::uint64_t right) {
  if (spec::is_integer(type)) return Codes::different;
  const reference::Value left_value = reference::decode(type, left);
  const reference::Value right_value = reference::decode(type, right);
  if (left_value.is_nan() && right_value.is_nan()) return Codes::both_nan;
  return left_value.is_zero() && right_value.is_zero() ? Codes::both_zero : Codes::different;
}

/// Numbers the codes of a type in the order of the numbers that they denote. Both zeros have the same place.
std::int64_t place_of(ElementType type, std::uint64_t code) {
  const int bits = spec::info(type).bits;
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  switch (spec::info(type).kind) {
    case NumberKind::unsigned_integer: return static_cast<std::int64_t>(code);
    case NumberKind::signed_integer: return static_cast<std::int64_t>((code ^ sign) - sign);
    case NumberKind::floating_point: break;
  }
  const auto magnitude = static_cast<std::int64_t>(code & (sign - 1));
  return (code & sign) != 0 ? -magnitude : magnitude;
}

bool is_nan(ElementType type, std::uint64_t code) {
  return !spec::is_integer(type) && reference::decode(type, code).is_nan();
}

/// How many numbers of the type the code is outside of the range.
std::uint64_t steps_outside(const reference::CodeRange& range, std::int64_t element, std::uint64_t code) {
  const ElementType type = range.lowest.type();
  if (is_nan(type, code)) return 1;
  const std::int64_t place = place_of(type, code);
  const std::int64_t lowest = place_of(type, range.lowest.code(element));
  const std::int64_t highest = place_of(type, range.highest.code(element));
  if (place < lowest) return static_cast<std::uint64_t>(lowest) - static_cast<std::uint64_t>(place);
  return place > highest ? static_cast<std::uint64_t>(place) - static_cast<std::uint64_t>(highest) : 0;
}

}  // namespace

bool is_in_range(const reference::CodeRange& range, std::int64_t element, std::uint64_t code) {
  return steps_outside(range, element, code) == 0;
}

std::uint64_t representative(ElementType type, std::uint64_t code, bool sign_of_zero) {
  if (spec::is_integer(type)) return code;
  const spec::FloatFormat& format = spec::format_of(type);
  const std::uint64_t last = (std::uint64_t{1} << format.exponent_bits) - 1;
  const std::uint64_t exponent = (code >> format.fraction_bits) & last;
  if (exponent != 0 && exponent != last) return code;  // neither NaN nor zero; decoding would cost more
  const reference::Value value = reference::decode(type, code);
  if (value.is_nan()) return reference::encode(type, value);
  return value.is_zero() && !sign_of_zero ? 0 : code;
}

TensorDifference compare(const Tensor& expected, const Tensor& actual, const Comparison& comparison) {
  TensorDifference difference{.form = form_difference(expected, actual), .elements = expected.size(), .first = {}};
  if (!difference.form.empty()) return difference;
  for (std::int64_t i = 0; i < expected.size(); ++i) {
    if (comparison.open != nullptr && (*comparison.open)[static_cast<std::size_t>(i)]) continue;
    const std::uint64_t wanted = expected.code(i);
    const std::uint64_t got = actual.code(i);
    if (wanted == got) continue;
    const std::uint64_t steps = comparison.range != nullptr ? steps_outside(*comparison.range, i, got) : 1;
    if (steps == 0) continue;
    const Codes codes = compare_codes(expected.type(), wanted, got);
    if (codes == Codes::both_zero) ++difference.zero_signs;
    if (codes == Codes::both_nan || (codes == Codes::both_zero && !comparison.sign_of_zero)) continue;
    ++difference.different_elements;
    if (comparison.range != nullptr) difference.most_steps = std::max(difference.most_steps, steps);
    if (difference.first.size() < comparison.most_shown) difference.first.push_back({i, wanted, got});
  }
  return difference;
}

}  // namespace touchstone::conformance
