#include "conformance/judge/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/codec.h"
#include "reference/graph/bounds.h"

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

std::uint64_t steps_between(ElementType type, std::uint64_t left, std::uint64_t right) {
  const std::int64_t one = place_of(type, left);
  const std::int64_t other = place_of(type, right);
  return static_cast<std::uint64_t>(std::max(one, other)) - static_cast<std::uint64_t>(std::min(one, other));
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

/// Takes an element that differs into account for the sizes.
void add_size(TensorDifference& difference, const Tensor& expected, const reference::CodeRange* range, std::int64_t i,
              std::uint64_t got, std::uint64_t steps) {
  const ElementType type = expected.type();
  if (spec::is_integer(type)) {
    difference.most_steps = std::max(difference.most_steps, steps);
    return;
  }
  const auto number = [&](std::uint64_t code) { return reference::number_of_code(type, code); };
  const double wanted = number(expected.code(i));
  const double error = std::fabs(number(got) - wanted);
  if (!std::isfinite(error) || std::isinf(difference.most_error)) {
    difference.most_error = std::numeric_limits<double>::infinity();
    return;
  }
  const double allowed =
      range == nullptr ? 0
                       : std::fabs(number((number(got) < wanted ? range->lowest : range->highest).code(i)) - wanted);
  if (error - allowed <= difference.most_error - difference.allowed) return;
  difference.most_error = error;
  difference.allowed = allowed;
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
    const std::uint64_t steps = comparison.range != nullptr ? steps_outside(*comparison.range, i, got)
                                                            : steps_between(expected.type(), wanted, got);
    if (comparison.range != nullptr && steps == 0) continue;
    const Codes codes = compare_codes(expected.type(), wanted, got);
    if (codes == Codes::both_zero) ++difference.zero_signs;
    if (codes == Codes::both_nan || (codes == Codes::both_zero && !comparison.sign_of_zero)) continue;
    ++difference.different_elements;
    add_size(difference, expected, comparison.range, i, got, steps);
    if (difference.first.size() < comparison.most_shown) difference.first.push_back({i, wanted, got});
  }
  return difference;
}

}  // namespace touchstone::conformance
