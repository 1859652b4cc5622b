#include "reference/graph/named_value.h"

#include <cmath>
#include <map>
#include <utility>

namespace touchstone::reference {

namespace {

/// The number of elements of a slice that differ only in the dimensions from `axis` on.
std::int64_t inner_elements(const Shape& slice, std::size_t axis) {
  return element_count(std::span(slice).subspan(axis)).value();
}

/// The precision of each type that DequantizeLinear gives. They are made once, because that takes longer than rounding.
const FloatPrecision& precision_of(spec::ElementType type) {
  using enum spec::ElementType;
  static const std::map<spec::ElementType, FloatPrecision> all = [] {
    std::map<spec::ElementType, FloatPrecision> made;
    for (const spec::ElementType one : {float16, bfloat16, float32, float64}) made.emplace(one, FloatPrecision(one));
    return made;
  }();
  return all.at(type);
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
         is_weight == other.is_weight && follows_weights == other.follows_weights &&
         skipped_roundings == other.skipped_roundings && scale == other.scale && is_exact == other.is_exact;
}

Interval NamedValue::bounds_of(std::int64_t element) const {
  if (bounds) return (*bounds)[static_cast<std::size_t>(element)];
  const double number = number_of_code(value.type(), value.code(element));
  if (!std::isfinite(number)) return {};
  const Interval exact{number, number};
  if (skipped_roundings == 0) return exact;
  if (!unspecified.empty() && unspecified[static_cast<std::size_t>(element)]) return {};
  return rounded(exact, skipped_roundings, precision_of(value.type()));
}

std::shared_ptr<const Bounds> NamedValue::all_bounds() const {
  if (bounds || !has_bounds()) return bounds;
  Bounds made;
  for (std::int64_t i = 0; i < value.size(); ++i) made.push_back(bounds_of(i));
  return std::make_shared<const Bounds>(std::move(made));
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
  if (x.has_bounds()) made.bounds = std::make_shared<const Bounds>(std::move(bounds));
  return made;
}

NamedValue part_of(const NamedValue& x, std::size_t axis, std::int64_t first, std::int64_t count) {
  Shape shape = x.value.shape();
  const std::int64_t length = shape[axis];
  shape[axis] = count;
  NamedValue made{Tensor(x.value.type(), shape)};
  made.is_constant = x.is_constant;
  made.is_computed = x.is_computed;
  made.is_weight = x.is_weight;
  made.follows_weights = x.follows_weights;
  made.scale = x.scale;
  Bounds bounds(static_cast<std::size_t>(made.value.size()));
  const std::int64_t inner = inner_elements(shape, axis + 1);
  for (std::int64_t i = 0; i < made.value.size(); ++i)
    copy_element(x, (i / inner / count * length + first + i / inner % count) * inner + i % inner, made, i, bounds);
  made.is_exact = x.is_exact;
  if (x.has_bounds()) made.bounds = std::make_shared<const Bounds>(std::move(bounds));
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
  if (std::ranges::any_of(slices, [](const NamedValue& slice) { return slice.has_bounds(); }))
    made.bounds = std::make_shared<const Bounds>(std::move(bounds));
  return made;
}

}  // namespace touchstone::reference
