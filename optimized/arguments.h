// What both operators require of their arguments, except their types.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>

#include "optimized/operands.h"
#include "optimized/status.h"
#include "optimized/tensor_view.h"

namespace touchstone::optimized {

struct Arguments {
  ConstTensorView x;
  ConstTensorView scale;
  std::optional<ConstTensorView> zero_point;
  TensorView y;
  Geometry geometry;
};

/// The product of extents. Nothing if one is negative, or if the product is too large.
std::optional<std::int64_t> element_count(std::initializer_list<std::int64_t> extents) noexcept;

/// The first error in the geometry, the sizes or the places in memory; Error::none if there is none.
Error check_memory(const Arguments& arguments) noexcept;

/// The same for `count` elements of x and y and `parameters` elements of scale and zero point, without a geometry.
Error check_memory(const Arguments& arguments, std::int64_t count, std::int64_t parameters) noexcept;

/// The operands for the kernels. `arguments` must have been checked.
Operands operands_of(const Arguments& arguments, spec::ElementType quantized_type) noexcept;

}  // namespace touchstone::optimized
