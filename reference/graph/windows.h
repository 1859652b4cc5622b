// The windows of MaxPool and Conv along their spatial axes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "reference/graph/operator_call.h"
#include "reference/graph/positions.h"

namespace touchstone::reference {

/// The windows along one spatial axis.
struct AxisWindows {
  std::int64_t length;  ///< of the input
  std::int64_t kernel;
  std::int64_t stride;
  std::int64_t dilation;
  std::int64_t pad_begin;
  std::int64_t windows;  ///< their number: the length of the output

  /// The index in the input of an element of a window; std::nullopt in the padding.
  std::optional<std::int64_t> source(std::int64_t window, std::int64_t element) const {
    const std::int64_t index = window * stride + element * dilation - pad_begin;
    return 0 <= index && index < length ? std::optional(index) : std::nullopt;
  }
};

/// Reads strides, dilations, pads, auto_pad and, if `has_ceil_mode`, ceil_mode. `x` has the shape (N, C, D1, D2, ...).
/// Throws GraphError for invalid ones.
std::vector<AxisWindows> windows_of(const OperatorCall& call, const Shape& x, const std::vector<std::int64_t>& kernel,
                                    bool has_ceil_mode);

/// The position in the input of an element of a window; std::nullopt in the padding. The first two dimensions are those
/// of `position`, which is that of the window.
std::optional<Position> window_source(const std::vector<AxisWindows>& axes, const Position& position,
                                      const Position& element);

}  // namespace touchstone::reference
