// The values of a graph while it is interpreted, and how Scan and Loop take them apart and put them together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference/model/tensor.h"

namespace touchstone::reference {

struct NamedValue {
  Tensor value;
  std::vector<bool> unspecified = {};  ///< empty: no element is
  bool is_constant = false;            ///< of the graph, not computed

  bool has_unspecified() const { return std::ranges::find(unspecified, true) != unspecified.end(); }
};

/// The elements with this index along an axis, which is removed.
NamedValue slice_of(const NamedValue& x, std::size_t axis, std::int64_t index);

/// Slices of this shape along a new axis. There is at least one, all have the same type, and the shape is that of the
/// result, so that it has an element count.
NamedValue stack_of(std::span<const NamedValue> slices, std::size_t axis, Shape shape);

}  // namespace touchstone::reference
