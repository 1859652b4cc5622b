#include "reference/graph/named_value.h"

#include <utility>

namespace touchstone::reference {

namespace {

/// The number of elements of a slice that differ only in the dimensions from `axis` on.
std::int64_t inner_elements(const Shape& slice, std::size_t axis) {
  return element_count(std::span(slice).subspan(axis)).value();
}

void copy_element(const NamedValue& from, std::int64_t source, NamedValue& to, std::int64_t target) {
  to.value.set_code(target, from.value.code(source));
  if (from.unspecified.empty() || !from.unspecified[static_cast<std::size_t>(source)]) return;
  to.unspecified.resize(static_cast<std::size_t>(to.value.size()));
  to.unspecified[static_cast<std::size_t>(target)] = true;
}

}  // namespace

NamedValue slice_of(const NamedValue& x, std::size_t axis, std::int64_t index) {
  Shape shape = x.value.shape();
  const std::int64_t length = shape[axis];
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  NamedValue made{Tensor(x.value.type(), shape)};
  const std::int64_t inner = inner_elements(shape, axis);
  for (std::int64_t i = 0; i < made.value.size(); ++i)
    copy_element(x, (i / inner * length + index) * inner + i % inner, made, i);
  return made;
}

NamedValue stack_of(std::span<const NamedValue> slices, std::size_t axis, Shape shape) {
  NamedValue made{Tensor(slices.front().value.type(), std::move(shape))};
  const std::int64_t inner = inner_elements(slices.front().value.shape(), axis);
  const std::int64_t length = std::ssize(slices);
  for (std::int64_t i = 0; i < made.value.size(); ++i)
    copy_element(slices[static_cast<std::size_t>(i / inner % length)], i / inner / length * inner + i % inner, made, i);
  return made;
}

}  // namespace touchstone::reference
