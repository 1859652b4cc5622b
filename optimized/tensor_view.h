// Tensors that belong to the caller: an element type, and bytes in the layout of ONNX's raw_data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>

#include "spec/element_type.h"

namespace touchstone::optimized {

/// Elements to read. Little-endian; 4-, 2- and 6-bit elements are packed over the whole tensor, the first one in the
/// low bits (spec/element_type.h); int4x4 packs four elements of a column (dequantize_opmx.h). The bytes need no
/// alignment, and padding bits may have any value.
struct ConstTensorView {
  spec::ElementType type;
  std::span<const std::byte> bytes;
};

/// Elements to write. Padding bits are written as zero.
struct TensorView {
  spec::ElementType type;
  std::span<std::byte> bytes;
};

/// The number of bytes of `count` elements. `count` must not be negative, and count * bits must fit int64.
constexpr std::int64_t packed_bytes(spec::ElementType type, std::int64_t count) {
  return (count * spec::info(type).bits + 7) / 8;
}

/// The layout of x, and which scale and zero point apply to an element. x is the row-major tensor
/// [outer, axis, inner]; y has the same shape. Scale and zero point have one shape:
///   per-tensor   [1]                                          axis = 1, block = 0, all elements in outer and inner
///   per-axis     [axis]                                       block = 0
///   blocked      [outer, ceil(axis / block), inner]           block > 0; the last block along the axis may be short
/// Source: the inputs y_scale and x_scale, and the attributes axis and block_size, on the operators' pages.
struct Geometry {
  std::int64_t outer = 1;
  std::int64_t axis = 1;
  std::int64_t inner = 1;
  std::int64_t block = 0;

  static constexpr Geometry per_tensor(std::int64_t elements) noexcept { return {1, 1, elements, 0}; }

  /// `shape` and `axis` are those of x in a model; a negative axis counts from the end. A call with the result returns
  /// Error::geometry if the shape does not have this axis or is not one, or if block_size is not positive.
  static constexpr Geometry per_axis(std::span<const std::int64_t> shape, std::int64_t axis) noexcept {
    return along(shape, axis, 0);
  }
  static constexpr Geometry per_axis(std::initializer_list<std::int64_t> shape, std::int64_t axis) noexcept {
    return along({shape.begin(), shape.size()}, axis, 0);
  }
  static constexpr Geometry blocked(std::span<const std::int64_t> shape, std::int64_t axis,
                                    std::int64_t block_size) noexcept {
    return along(shape, axis, block_size > 0 ? block_size : -1);
  }
  static constexpr Geometry blocked(std::initializer_list<std::int64_t> shape, std::int64_t axis,
                                    std::int64_t block_size) noexcept {
    return blocked(std::span(shape.begin(), shape.size()), axis, block_size);
  }

 private:
  static constexpr Geometry along(std::span<const std::int64_t> shape, std::int64_t axis, std::int64_t block) noexcept {
    const auto rank = static_cast<std::int64_t>(shape.size());
    if (axis < -rank || axis >= rank) return {-1, -1, -1, block};
    const auto place = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
    return {product(shape.first(place)), shape[place], product(shape.subspan(place + 1)), block};
  }

  /// -1 if it is too large, or if an extent is negative.
  static constexpr std::int64_t product(std::span<const std::int64_t> extents) noexcept {
    std::int64_t result = 1;
    for (const std::int64_t extent : extents) {
      if (extent < 0 || (extent > 0 && result > std::numeric_limits<std::int64_t>::max() / extent)) return -1;
      result *= extent;
    }
    return result;
  }
};

}  // namespace touchstone::optimized
