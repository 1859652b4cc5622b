// For tests: builds nodes of opmx, which has no QuantizeLinear of its own. Shares only tensors with the interpreter;
// indices, packing and arithmetic are implemented independently.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "reference/opmx_testing.h"

namespace touchstone::reference {

/// int4x4: rows 4p ... 4p + 3 of the codes, of shape (d0, d1, ...), side by side in row p, the first in the lowest
/// bits.
inline Tensor pack_int4x4(const Shape& shape, const Codes& codes) {
  if (shape.empty() || shape[0] % 4 != 0) throw std::invalid_argument("int4x4 packs four rows at a time");
  Shape packed_shape = shape;
  packed_shape[0] /= 4;
  const std::size_t row_length = shape[0] == 0 ? 0 : codes.size() / static_cast<std::size_t>(shape[0]);
  Codes packed_codes;
  for (std::size_t first = 0; first < codes.size(); first += 4 * row_length)
    for (std::size_t k = first; k < first + row_length; ++k)
      packed_codes.push_back(codes[k] | codes[k + row_length] << 4 | codes[k + 2 * row_length] << 8 |
                             codes[k + 3 * row_length] << 12);
  return coded(spec::ElementType::int16, packed_shape, packed_codes);
}

enum class ZeroPoints { none, integer, floating };

/// The layout and types of a quantized tensor.
struct Layout {
  bool int4 = true;
  spec::Granularity granularity = spec::Granularity::per_tensor;
  std::size_t axis = 1;
  std::int64_t group_size = 0;
  ZeroPoints zero_points = ZeroPoints::none;
  spec::ElementType scale_type = spec::ElementType::float32;
  spec::ElementType zero_point_type = spec::ElementType::float32;  ///< if they are floating-point
  Shape shape;                                                     ///< unpacked

  std::size_t size() const { return static_cast<std::size_t>(element_count(shape).value()); }

  Shape parameter_shape() const {
    if (granularity == spec::Granularity::per_tensor) return {};
    Shape parameters = shape;
    parameters[axis] = granularity == spec::Granularity::blocked ? shape[axis] / group_size : 1;
    return parameters;
  }

  std::size_t parameter_count() const { return static_cast<std::size_t>(element_count(parameter_shape()).value()); }

  /// The index of the scale of an element.
  std::size_t parameter_of(std::size_t element) const {
    if (granularity == spec::Granularity::per_tensor) return 0;
    std::vector<std::int64_t> indices(shape.size());
    auto rest = static_cast<std::int64_t>(element);
    for (std::size_t k = shape.size(); k-- > 0; rest /= shape[k]) indices[k] = rest % shape[k];
    indices[axis] = granularity == spec::Granularity::blocked ? indices[axis] / group_size : 0;
    const Shape parameters = parameter_shape();
    std::int64_t place = 0;
    for (std::size_t k = 0; k < shape.size(); ++k) place = place * parameters[k] + indices[k];
    return static_cast<std::size_t>(place);
  }

  /// The lowest and the highest number of a code, before a zero point is subtracted. For int4 data, numbers begin at 0
  /// if the zero point is an integer, and at -8 otherwise.
  std::pair<int, int> range() const {
    if (!int4) return {-128, 127};
    return zero_points == ZeroPoints::integer ? std::pair{0, 15} : std::pair{-8, 7};
  }
};

/// A quantized tensor. `numbers` lie in the range of the layout.
struct Quantized {
  Layout layout;
  std::vector<int> numbers;
  Numbers scales;
  Numbers zero_points;  ///< empty if there are none
};

/// "dequantized = scale * (quantized - zeropoint)", or with a floating-point zero point "scale * quantized +
/// zeropoint".
inline Rational dequantized(const Quantized& q, std::size_t element) {
  const std::size_t parameter = q.layout.parameter_of(element);
  const auto exactly = [](double number) { return exact(number).rational(); };
  const Rational scale = exactly(q.scales[parameter]);
  const Rational number = q.numbers[element];
  switch (q.layout.zero_points) {
    case ZeroPoints::none: break;
    case ZeroPoints::integer: return scale * (number - exactly(q.zero_points[parameter]));
    case ZeroPoints::floating: return scale * number + exactly(q.zero_points[parameter]);
  }
  return scale * number;
}

/// The node's tensors and attributes for a quantized tensor.
inline Node packed_node(const Quantized& q) {
  using enum spec::ElementType;
  const Layout& layout = q.layout;
  Codes codes;
  for (const int number : q.numbers)
    codes.push_back(static_cast<std::uint64_t>(layout.int4 ? number - layout.range().first : number));
  const Shape parameters = layout.parameter_shape();
  std::optional<Tensor> zero_point;
  if (layout.zero_points != ZeroPoints::none)
    zero_point =
        tensor(layout.zero_points == ZeroPoints::integer ? int8 : layout.zero_point_type, parameters, q.zero_points);
  const Attributes attributes = groups(static_cast<std::int64_t>(layout.axis), layout.group_size,
                                       zero_point.has_value(), layout.zero_points == ZeroPoints::floating);
  return with_data_type(layout.int4 ? "int4" : "int8",
                        opmx_node(layout.int4 ? pack_int4x4(layout.shape, codes) : coded(int8, layout.shape, codes),
                                  tensor(layout.scale_type, parameters, q.scales), std::move(zero_point), attributes));
}

/// Rounds to the nearest integer, and up if there are two.
inline int nearest(double number) { return static_cast<int>(std::floor(number + 0.5)); }

/// Quantizes small integers. The scales are powers of two, so that everything is exact.
inline Quantized quantize_for_opmx(const Layout& layout, const std::vector<int>& reals) {
  Quantized q{layout, std::vector<int>(reals.size()), Numbers(layout.parameter_count(), 1), {}};
  const auto [lowest, highest] = layout.range();
  for (std::size_t parameter = 0; parameter < layout.parameter_count(); ++parameter) {
    double least = 0;  // 0 must have a code of its own, except with a floating-point zero point
    double greatest = 0;
    bool first = layout.zero_points == ZeroPoints::floating;
    for (std::size_t i = 0; i < reals.size(); ++i) {
      if (layout.parameter_of(i) != parameter) continue;
      least = first ? reals[i] : std::min<double>(least, reals[i]);
      greatest = first ? reals[i] : std::max<double>(greatest, reals[i]);
      first = false;
    }
    const double middle = (least + greatest) / 2;  // "(max(X) + min(X)) / 2"
    const double reach = layout.zero_points == ZeroPoints::none ? std::max(-least, greatest) : (greatest - least) / 2;
    double& scale = q.scales[parameter];
    scale = 0x1p-6;
    const int room = (highest - lowest) / 2 - 1;  // for numbers on each side of the zero point
    while (reach / scale > room) scale *= 2;
    double zero_point = 0;
    if (layout.zero_points == ZeroPoints::integer) zero_point = nearest((lowest + highest) / 2.0 - middle / scale);
    if (layout.zero_points == ZeroPoints::floating) zero_point = middle;
    if (layout.zero_points != ZeroPoints::none) q.zero_points.push_back(zero_point);
    for (std::size_t i = 0; i < reals.size(); ++i) {
      if (layout.parameter_of(i) != parameter) continue;
      q.numbers[i] = layout.zero_points == ZeroPoints::floating ? nearest((reals[i] - zero_point) / scale)
                                                                : nearest(reals[i] / scale + zero_point);
    }
  }
  return q;
}

}  // namespace touchstone::reference
