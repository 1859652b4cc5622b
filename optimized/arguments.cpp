#include "optimized/arguments.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace touchstone::optimized {

namespace {

/// The largest number of elements whose bits can be counted in int64; an element has up to 32 bits.
constexpr std::int64_t largest_count = std::numeric_limits<std::int64_t>::max() / 32 - 1;

/// The number of elements of scale and zero point; std::nullopt if it is too large.
std::optional<std::int64_t> parameter_count(const Geometry& geometry) {
  const auto& [outer, axis, inner, block] = geometry;
  if (block == 0) return element_count({axis});
  return element_count({outer, axis / block + (axis % block != 0 ? 1 : 0), inner});
}

bool has_elements(const ConstTensorView& tensor, std::int64_t count) {
  return tensor.bytes.size() == static_cast<std::size_t>(packed_bytes(tensor.type, count));
}

/// Pointers into different objects can be compared with std::less, but not with <.
bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  const std::less<const std::byte*> before;
  return !a.empty() && !b.empty() && before(a.data(), b.data() + b.size()) && before(b.data(), a.data() + a.size());
}

}  // namespace

std::optional<std::int64_t> element_count(std::initializer_list<std::int64_t> extents) noexcept {
  if (std::any_of(extents.begin(), extents.end(), [](std::int64_t extent) { return extent < 0; })) return std::nullopt;
  if (std::any_of(extents.begin(), extents.end(), [](std::int64_t extent) { return extent == 0; })) return 0;
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) {
    if (count > largest_count / extent) return std::nullopt;
    count *= extent;
  }
  return count;
}

Error check_memory(const Arguments& arguments) noexcept {
  const auto& [x, scale, zero_point, y, geometry] = arguments;
  const auto count = element_count({geometry.outer, geometry.axis, geometry.inner});
  if (!count || geometry.block < 0) return Error::geometry;
  const auto parameters = parameter_count(geometry);
  if (!parameters) return Error::geometry;
  if (!has_elements(x, *count)) return Error::x_size;
  if (!has_elements(scale, *parameters)) return Error::scale_size;
  if (zero_point && !has_elements(*zero_point, *parameters)) return Error::zero_point_size;
  if (!has_elements({y.type, y.bytes}, *count)) return Error::y_size;

  const bool in_place = x.bytes.data() == y.bytes.data() && spec::info(x.type).bits == spec::info(y.type).bits;
  if (overlap(scale.bytes, y.bytes) || (!in_place && overlap(x.bytes, y.bytes)) ||
      (zero_point && overlap(zero_point->bytes, y.bytes)))
    return Error::overlap;
  return Error::none;
}

Operands operands_of(const Arguments& arguments, spec::ElementType quantized_type) noexcept {
  const auto& [x, scale, zero_point, y, geometry] = arguments;
  return {x.type,
          scale.type,
          quantized_type,
          y.type,
          x.bytes.data(),
          scale.bytes.data(),
          zero_point ? zero_point->bytes.data() : nullptr,
          y.bytes.data(),
          geometry,
          *element_count({geometry.outer, geometry.axis, geometry.inner})};
}

}  // namespace touchstone::optimized
