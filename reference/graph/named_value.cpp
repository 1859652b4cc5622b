#include "reference/graph/named_value.h"

#include <cmath>
#include <utility>

namespace touchstone::reference {

namespace {

/// The number of elements of a slice that differ only in the dimensions from `axis` on.
std::int64_t inner_elements(const Shape& slice, std::size_t axis) {
  return element_count(std::span(slice).subspan(axis)).value();
}

void copy_element(const NamedValue& from, std::int64_t source, NamedValue& to, std::int64_t target, Bounds& bounds) {
  bounds[static_cast<std::size_t>(target)] = from.bounds_of(source);
  to.is_exact = to.is_exact && from.is_exact;
  to.value.set_code(target, from.value.code(source));
  if (from.unspecified.empty() || !from.unspecified[static_cast<std::size_t>(source)]) return;
  to.unspecified.resize(static_cast<std::size_t>(to.value.size()));
  to.unspecified[static_cast<std::size_t>(target)] = true;
}

}  // namespace

bool NamedValue::operator==(const NamedValue& other) const {
  const bool has_bounds = bounds != nullptr;
  return has_bounds == (other.bounds != nullptr) && (!has_bounds || *bounds == *other.bounds) && value == other.value &&
         unspecified == other.unspecified && is_constant == other.is_constant && is_computed == other.is_computed &&
         is_exact == other.is_exact;
}

Interval NamedValue::bounds_of(std::int64_t element) const {
  if (bounds) return (*bounds)[static_cast<std::size_t>(element)];
  const double number = number_of_code(value.type(), value.code(element));
  return std::isfinite(number) ? Interval{number, number} : Interval{};
}

NamedValue slice_of(const NamedValue& x, std::size_t axis, std::int64_t index) {
  Shape shape = x.value.shape();
  const std::int64_t length = shape[axis];
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  NamedValue made{Tensor(x.value.type(), shape)};
  Bounds bounds(static_cast<std::size_t>(made.value.size()));
  const std::int64_t inner = inner_elements(shape, axis);
  for (std::int64_t i = 0; i < made.value.size(); ++i)
    copy_element(x, (i / inner * length + index) * inner + i % inner, made, i, bounds);
  if (x.bounds) made.bounds = std::make_shared<const Bounds>(std::move(bounds));
  return made;
}

NamedValue stack_of(std::span<const NamedValue> slices, std::size_t axis, Shape shape) {
  NamedValue made{Tensor(slices.front().value.type(), std::move(shape))};
  Bounds bounds(static_cast<std::size_t>(made.value.size()));
  const std::int64_t inner = inner_elements(slices.front().value.shape(), axis);
  const std::int64_t length = std::ssize(slices);
  for (std::int64_t i = 0; i < made.value.size(); ++i)
    copy_element(slices[static_cast<std::size_t>(i / inner % length)], i / inner / length * inner + i % inner, made, i,
                 bounds);
  if (std::ranges::any_of(slices, [](const NamedValue& slice) { return slice.bounds != nullptr; }))
    made.bounds = std::make_shared<const Bounds>(std::move(bounds));
  return made;
}

}  // namespace touchstone::reference
