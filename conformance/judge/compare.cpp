#include "conformance/judge/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reference/codec.h"

namespace touchstone::conformance {

using reference::Tensor;

namespace {

std::string form_difference(const Tensor& expected, const Tensor& actual) {
  if (expected.type() != actual.type())
    return fmt::format("the type is {}, expected {}", spec::name(actual.type()), spec::name(expected.type()));
  if (expected.shape() != actual.shape())
    return fmt::format("the shape is [{}], expected [{}]", fmt::join(actual.shape(), ","),
                       fmt::join(expected.shape(), ","));
  return {};
}

bool is_nan(spec::ElementType type, std::uint64_t code) {
  return !spec::is_integer(type) && reference::decode(type, code).is_nan();
}

}  // namespace

TensorDifference compare(const Tensor& expected, const Tensor& actual) {
  TensorDifference difference{.form = form_difference(expected, actual), .elements = expected.size(), .first = {}};
  if (!difference.form.empty()) return difference;
  for (std::int64_t i = 0; i < expected.size(); ++i) {
    const std::uint64_t wanted = expected.code(i);
    const std::uint64_t got = actual.code(i);
    if (wanted == got || (is_nan(expected.type(), wanted) && is_nan(expected.type(), got))) continue;
    ++difference.different_elements;
    if (difference.first.size() < first_differences) difference.first.push_back({i, wanted, got});
  }
  return difference;
}

}  // namespace touchstone::conformance
