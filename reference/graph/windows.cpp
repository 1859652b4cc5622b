#include "reference/graph/windows.h"

#include <algorithm>

#include "reference/model/shape.h"

namespace touchstone::reference {

namespace {

constexpr std::int64_t most = most_exact_terms;

/// One value per spatial axis, each in the range from `lowest` on.
std::vector<std::int64_t> per_axis(const OperatorCall& call, const char* name, std::size_t count,
                                   std::int64_t default_value, std::int64_t lowest) {
  std::vector<std::int64_t> values = call.integers(name, std::vector<std::int64_t>(count, default_value));
  if (values.size() != count) call.fail("{} has {} values; {} are needed", name, values.size(), count);
  for (const std::int64_t value : values)
    if (value < lowest || value > most) call.fail("{} contains {}", name, value);
  return values;
}

/// What the windows of all axes have in common.
struct WindowAttributes {
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> dilations;
  std::vector<std::int64_t> pads;  ///< 0 if auto_pad replaces them
  std::string auto_pad;

  bool is_same() const { return auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER"; }
};

WindowAttributes window_attributes(const OperatorCall& call, const Shape& x, const std::vector<std::int64_t>& kernel) {
  if (x.size() < 3) call.fail("the input has the shape {}; (N, C, D1, ...) is needed", to_text(x));
  const std::size_t axes = x.size() - 2;
  if (kernel.size() != axes) call.fail("a kernel of {} dimensions for {} spatial axes", kernel.size(), axes);
  for (const std::int64_t length : kernel)
    if (length < 1 || length > most) call.fail("the kernel has the length {}", length);
  WindowAttributes given{per_axis(call, "strides", axes, 1, 1), per_axis(call, "dilations", axes, 1, 1),
                         per_axis(call, "pads", 2 * axes, 0, 0), call.text("auto_pad", "NOTSET")};
  const bool has_pads = given.auto_pad == "NOTSET";
  if (!has_pads && !given.is_same() && given.auto_pad != "VALID") call.fail("auto_pad is \"{}\"", given.auto_pad);
  if (!has_pads) given.pads.assign(2 * axes, 0);
  return given;
}

/// The number of windows with ceil_mode.
std::int64_t rounded_up_windows(OperatorCall& call, const AxisWindows& row, std::int64_t rest, bool is_valid) {
  const std::int64_t windows = ceiling_quotient(rest, row.stride) + 1;
  // "VALID: output_spatial_shape[i] = ceil((input_spatial_shape[i] - ((kernel_spatial_shape[i] - 1) * dilations[i] + 1)
  // + 1) / strides_spatial_shape[i])" is one less than the same page's formula of ceil_mode.
  if (is_valid && rest % row.stride != 0) call.note_inexact("auto_pad VALID with ceil_mode");
  if ((windows - 1) * row.stride < row.length + row.pad_begin) return windows;
  // "Sliding windows that would start in the right padded region are ignored." (version 22)
  if (call.opset() >= 22) return windows - 1;
  call.note_inexact("a window that starts in the right padding");
  return windows;
}

}  // namespace

std::vector<AxisWindows> windows_of(OperatorCall& call, const Shape& x, const std::vector<std::int64_t>& kernel,
                                    bool has_ceil_mode) {
  const WindowAttributes given = window_attributes(call, x, kernel);
  const bool ceil = has_ceil_mode && call.integer("ceil_mode", 0) != 0;
  std::vector<AxisWindows> windows;
  for (std::size_t d = 0; d < kernel.size(); ++d) {
    AxisWindows row{
        x[d + 2], kernel[d], given.strides[d], given.dilations[d], given.pads[d], given.pads[d + kernel.size()], 0};
    const std::int64_t extent = (row.kernel - 1) * row.dilation + 1;
    if (given.is_same()) {
      // "SAME_UPPER or SAME_LOWER: output_spatial_shape[i] = ceil(input_spatial_shape[i] / strides_spatial_shape[i])"
      row.windows = ceiling_quotient(row.length, row.stride);
      std::int64_t pad = (row.windows - 1) * row.stride + extent - row.length;
      if (pad < 0) call.note_inexact("a negative padding");
      pad = std::max<std::int64_t>(pad, 0);
      row.pad_begin = given.auto_pad == "SAME_UPPER" ? pad / 2 : pad - pad / 2;
      row.pad_end = pad - row.pad_begin;
    } else {
      const std::int64_t padded = row.length + row.pad_begin + row.pad_end;
      const std::int64_t rest = padded - extent;
      if (rest < 0) call.fail("a window of length {} on a padded axis of length {}", extent, padded);
      row.windows = ceil ? rounded_up_windows(call, row, rest, given.auto_pad == "VALID") : rest / row.stride + 1;
    }
    windows.push_back(row);
  }
  return windows;
}

std::vector<AxisWindows> global_windows(const OperatorCall& call, const Shape& x) {
  if (x.size() < 3) call.fail("the input has the shape {}; (N, C, D1, ...) is needed", to_text(x));
  std::vector<AxisWindows> windows;
  for (std::size_t d = 2; d < x.size(); ++d) windows.push_back({x[d], x[d], 1, 1, 0, 0, 1});
  return windows;
}

std::vector<AxisWindows> transposed_windows(OperatorCall& call, const Shape& x,
                                            const std::vector<std::int64_t>& kernel) {
  const WindowAttributes given = window_attributes(call, x, kernel);
  const auto output_padding = per_axis(call, "output_padding", kernel.size(), 0, 0);
  const bool has_output_shape = call.has_attribute("output_shape");
  const auto output_shape = per_axis(call, "output_shape", kernel.size(), 1, 1);
  std::vector<AxisWindows> windows;
  for (std::size_t d = 0; d < kernel.size(); ++d) {
    AxisWindows row{
        0, kernel[d], given.strides[d], given.dilations[d], given.pads[d], given.pads[d + kernel.size()], x[d + 2]};
    if (row.windows < 1 || row.windows > most) call.fail("a spatial axis of length {}", row.windows);
    // "Each padding value in "output_padding" must be less than the corresponding stride/dilation dimension."
    if (output_padding[d] >= std::max(row.stride, row.dilation))
      call.fail("output_padding {} with the stride {} and the dilation {}", output_padding[d], row.stride,
                row.dilation);
    // "The zero-padding added to one side of the output" may replace numbers before version 11.
    if (output_padding[d] > 0 && call.opset() < 11) call.note_inexact("output_padding before version 11");
    // "stride[i] * (input_size[i] - 1) + output_padding[i] + ((kernel_shape[i] - 1) * dilations[i] + 1)"
    const std::int64_t full = row.stride * (row.windows - 1) + output_padding[d] + (row.kernel - 1) * row.dilation + 1;
    if (has_output_shape || given.is_same()) {
      // "output_shape[i] = input_shape[i] * strides[i]"
      row.length = has_output_shape ? output_shape[d] : row.windows * row.stride;
      const std::int64_t total_padding = full - row.length;
      // Version 1 exchanges the two sides, and describes auto_pad as version 11 does. The halves of a negative number
      // are not defined.
      const bool begins_with_less = (given.auto_pad == "SAME_UPPER") == (call.opset() >= 11);
      if (total_padding % 2 != 0 && call.opset() < 11) call.note_inexact("an odd padding before version 11");
      if (total_padding < 0) call.note_inexact("a negative padding");
      row.pad_begin = begins_with_less ? total_padding / 2 : total_padding - total_padding / 2;
      if (total_padding < 0) row.pad_begin = 0;
      row.pad_end = total_padding - row.pad_begin;
    } else {
      row.length = full - row.pad_begin - row.pad_end;
      if (row.length < 1) call.fail("the output has the length {}", row.length);
    }
    windows.push_back(row);
  }
  return windows;
}

Shape kernel_of(const std::vector<AxisWindows>& axes) {
  Shape kernel;
  for (const AxisWindows& axis : axes) kernel.push_back(axis.kernel);
  return kernel;
}

Shape shape_of_windows(std::int64_t batch, std::int64_t channels, const std::vector<AxisWindows>& axes) {
  Shape shape{batch, channels};
  for (const AxisWindows& axis : axes) shape.push_back(axis.windows);
  return shape;
}

std::optional<Position> window_source(const std::vector<AxisWindows>& axes, const Position& position,
                                      const Position& element) {
  Position source = position;
  for (std::size_t d = 0; d < axes.size(); ++d) {
    const auto index = axes[d].source(position[d + 2], element[d]);
    if (!index) return std::nullopt;
    source[d + 2] = *index;
  }
  return source;
}

bool is_behind_padding(const std::vector<AxisWindows>& axes, const Position& position, const Position& element) {
  for (std::size_t d = 0; d < axes.size(); ++d)
    if (axes[d].is_behind(position[d + 2], element[d])) return true;
  return false;
}

std::optional<Position> window_at(const std::vector<AxisWindows>& axes, const Position& position,
                                  const Position& element) {
  Position window = position;
  for (std::size_t d = 0; d < axes.size(); ++d) {
    const auto index = axes[d].window_at(position[d + 2], element[d]);
    if (!index) return std::nullopt;
    window[d + 2] = *index;
  }
  return window;
}

}  // namespace touchstone::reference
