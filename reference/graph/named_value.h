// The values of a graph while it is interpreted, and how Scan and Loop take them apart and put them together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "reference/graph/bounds.h"
#include "reference/model/tensor.h"

namespace touchstone::reference {

struct NamedValue {
  Tensor value;
  std::vector<bool> unspecified = {};  ///< empty: no element is
  bool is_constant = false;            ///< of the graph, not computed
  bool is_computed = false;            ///< by a node, from inputs of the graph or from constants
  bool is_weight = false;              ///< DequantizeLinear computes it from constants
  bool follows_weights = false;        ///< it is a weight, or computed from weights and constants alone
  /// Intervals that contain what every legal evaluation gives; null: see skipped_roundings.
  std::shared_ptr<const Bounds> bounds = nullptr;
  /// If there are no `bounds`: they follow from so many roundings of each element of `value`, which takes less memory;
  /// 0: `value` alone.
  double skipped_roundings = 0;
  /// The scale of the node that dequantized all elements; 0 if there is none, or several.
  double scale = 0;
  /// Every evaluation gives `value`, bit for bit. If it has bounds too, these are of evaluations that skip the rounding
  /// of DequantizeLinear and round later, where the result of a later node depends on that.
  bool is_exact = true;

  Interval bounds_of(std::int64_t element) const;
  bool has_bounds() const { return bounds != nullptr || skipped_roundings > 0; }
  /// Null if there are none.
  std::shared_ptr<const Bounds> all_bounds() const;
  bool has_unspecified() const { return std::ranges::find(unspecified, true) != unspecified.end(); }

  bool operator==(const NamedValue& other) const;
};

/// The elements with this index along an axis, which is removed.
NamedValue slice_of(const NamedValue& x, std::size_t axis, std::int64_t index);

/// The elements with some indices along an axis.
NamedValue part_of(const NamedValue& x, std::size_t axis, std::int64_t first, std::int64_t count);

/// Slices of this shape along a new axis. There is at least one, all have the same type, and the shape is that of the
/// result, so that it has an element count.
NamedValue stack_of(std::span<const NamedValue> slices, std::size_t axis, Shape shape);

}  // namespace touchstone::reference
