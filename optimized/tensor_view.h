// Tensors that belong to the caller: an element type, and bytes in the layout of ONNX's raw_data.
#pragma once

#include <cstddef>
#include <cstdint>
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
};

}  // namespace touchstone::optimized
