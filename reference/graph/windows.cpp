#include "reference/graph/windows.h"

#include <algorithm>

#include "reference/model/shape.h"

namespace touchstone::reference {

namespace {

constexpr std::int64_t most = most_elements_per_value;

/// One value per spatial axis, each in the range from `lowest` on.
std::vector<std::int64_t> per_axis(const OperatorCall& call, const char* name, std::size_t count,
                                   std::int64_t default_value, std::int64_t lowest) {
  std::vector<std::int64_t> values = call.integers(name, std::vector<std::int64_t>(count, default_value));
  if (values.size() != count) call.fail("{} has {} values; {} are needed", name, values.size(), count);
  for (const std::int64_t value : values)
    if (value < lowest || value > most) call.fail("{} contains {}", name, value);
  return values;
}

}  // namespace

std::vector<AxisWindows> windows_of(const OperatorCall& call, const Shape& x, const std::vector<std::int64_t>& kernel,
                                    bool has_ceil_mode) {
  if (x.size() < 3) call.fail("the input has the shape {}; (N, C, D1, ...) is needed", to_text(x));
  const std::size_t axes = x.size() - 2;
  if (kernel.size() != axes) call.fail("a kernel of {} dimensions for {} spatial axes", kernel.size(), axes);
  const auto strides = per_axis(call, "strides", axes, 1, 1);
  const auto dilations = per_axis(call, "dilations", axes, 1, 1);
  const auto pads = per_axis(call, "pads", 2 * axes, 0, 0);
  const std::string auto_pad = call.text("auto_pad", "NOTSET");
  const bool same = auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER";
  if (!same && auto_pad != "NOTSET" && auto_pad != "VALID") call.fail("auto_pad is \"{}\"", auto_pad);
  const bool has_pads = auto_pad == "NOTSET";
  const bool ceil = has_ceil_mode && call.integer("ceil_mode", 0) != 0;

  std::vector<AxisWindows> windows;
  for (std::size_t d = 0; d < axes; ++d) {
    if (kernel[d] < 1 || kernel[d] > most) call.fail("the kernel has the length {}", kernel[d]);
    AxisWindows row{x[d + 2], kernel[d], strides[d], dilations[d], has_pads ? pads[d] : 0, 0};
    const std::int64_t extent = (row.kernel - 1) * row.dilation + 1;
    if (same) {
      // "SAME_UPPER or SAME_LOWER: output_spatial_shape[i] = ceil(input_spatial_shape[i] / strides_spatial_shape[i])"
      row.windows = ceiling_quotient(row.length, row.stride);
      const std::int64_t pad = std::max<std::int64_t>((row.windows - 1) * row.stride + extent - row.length, 0);
      row.pad_begin = auto_pad == "SAME_UPPER" ? pad / 2 : pad - pad / 2;
    } else {
      const std::int64_t padded = row.length + row.pad_begin + (has_pads ? pads[d + axes] : 0);
      const std::int64_t rest = padded - extent;
      if (rest < 0) call.fail("a window of length {} on a padded axis of length {}", extent, padded);
      row.windows = (ceil ? ceiling_quotient(rest, row.stride) : rest / row.stride) + 1;
      // "Sliding windows that would start in the right padded region are ignored." (version 22)
      if (ceil && (row.windows - 1) * row.stride >= row.length + row.pad_begin && call.opset() >= 22) --row.windows;
    }
    windows.push_back(row);
  }
  return windows;
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

}  // namespace touchstone::reference
