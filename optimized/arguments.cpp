#include "optimized/arguments.h"

#include <array>
#include <functional>
#include <initializer_list>
#include <limits>

namespace touchstone::optimized {

namespace {

/// Elements may have up to 32 bits, and their bits are counted in int64.
constexpr std::int64_t largest_count = std::numeric_limits<std::int64_t>::max() / 32 - 1;

/// Nothing if a factor is negative, or if the product of those that are not 0 is too large.
std::optional<std::int64_t> product(std::initializer_list<std::int64_t> factors) {
  std::int64_t result = 1;
  bool is_zero = false;
  for (const std::int64_t factor : factors) {
    if (factor < 0) return std::nullopt;
    if (factor == 0) {
      is_zero = true;
      continue;
    }
    if (result > largest_count / factor) return std::nullopt;
    result *= factor;
  }
  return is_zero ? 0 : result;
}

/// Of scale and zero point. The extents were checked.
std::int64_t parameter_count(const Geometry& geometry) {
  const auto& [outer, axis, inner, block] = geometry;
  if (block == 0) return axis;
  return outer * (axis / block + (axis % block != 0 ? 1 : 0)) * inner;
}

bool has_elements(const ConstTensorView& tensor, std::int64_t count) {
  return tensor.bytes.size() == static_cast<std::size_t>(packed_bytes(tensor.type, count));
}

/// std::less orders pointers into different objects, which < does not.
bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  const std::less<const std::byte*> before;
  return !a.empty() && !b.empty() && before(a.data(), b.data() + b.size()) && before(b.data(), a.data() + a.size());
}

}  // namespace

Error check_memory(const Arguments& arguments) noexcept {
  const auto& [x, scale, zero_point, y, geometry] = arguments;
  const std::optional<std::int64_t> count = product({geometry.outer, geometry.axis, geometry.inner});
  if (!count || geometry.block < 0) return Error::geometry;
  if (!has_elements(x, *count)) return Error::x_size;
  const std::int64_t parameters = parameter_count(geometry);
  if (!has_elements(scale, parameters)) return Error::scale_size;
  if (zero_point && !has_elements(*zero_point, parameters)) return Error::zero_point_size;
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
          geometry.outer * geometry.axis * geometry.inner};
}

}  // namespace touchstone::optimized
