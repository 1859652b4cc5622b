// The windows of pooling and convolution along their spatial axes.
#pragma once

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
  std::int64_t pad_end;
  std::int64_t windows;  ///< their number: the length of the output

  /// The index in the input of an element of a window; std::nullopt in the padding.
  std::optional<std::int64_t> source(std::int64_t window, std::int64_t element) const {
    const std::int64_t index = window * stride + element * dilation - pad_begin;
    return 0 <= index && index < length ? std::optional(index) : std::nullopt;
  }
  /// Whether an element of a window is after the padding. Only ceil_mode has such elements.
  bool is_behind(std::int64_t window, std::int64_t element) const {
    return window * stride + element * dilation - pad_begin >= length + pad_end;
  }
  /// The window that has this element at an index of the input; std::nullopt if there is none.
  std::optional<std::int64_t> window_at(std::int64_t index, std::int64_t element) const {
    const std::int64_t start = index + pad_begin - element * dilation;
    return start >= 0 && start % stride == 0 && start / stride < windows ? std::optional(start / stride) : std::nullopt;
  }
};

/// Reads strides, dilations, pads, auto_pad and, if `has_ceil_mode`, ceil_mode. `x` has the shape (N, C, D1, D2, ...).
/// Throws GraphError for invalid ones.
std::vector<AxisWindows> windows_of(OperatorCall& call, const Shape& x, const std::vector<std::int64_t>& kernel,
                                    bool has_ceil_mode);

/// "kernel size equal to the spatial dimension of input tensor": one window.
std::vector<AxisWindows> global_windows(const OperatorCall& call, const Shape& x);

/// Those of ConvTranspose. What it calls its input are the windows here, and its output is what they cover. Reads
/// strides, dilations, pads, auto_pad, output_padding and output_shape.
std::vector<AxisWindows> transposed_windows(OperatorCall& call, const Shape& x,
                                            const std::vector<std::int64_t>& kernel);

/// The lengths of the kernel.
Shape kernel_of(const std::vector<AxisWindows>& axes);

/// The shape (N, C, ...) with one element for each window.
Shape shape_of_windows(std::int64_t batch, std::int64_t channels, const std::vector<AxisWindows>& axes);

/// The position in the input of an element of a window; std::nullopt in the padding. The first two dimensions are those
/// of `position`, which is that of the window.
std::optional<Position> window_source(const std::vector<AxisWindows>& axes, const Position& position,
                                      const Position& element);

/// Whether an element of a window is after the padding along some axis.
bool is_behind_padding(const std::vector<AxisWindows>& axes, const Position& position, const Position& element);

/// The position of the window that has this element at a position of the input; std::nullopt if there is none. The
/// first two dimensions are those of `position`.
std::optional<Position> window_at(const std::vector<AxisWindows>& axes, const Position& position,
                                  const Position& element);

}  // namespace touchstone::reference
