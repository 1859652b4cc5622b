// The checks of arguments that both operators share: everything but the types.
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

/// The product of extents; std::nullopt if an extent is negative or the product is too large.
std::optional<std::int64_t> element_count(std::initializer_list<std::int64_t> extents) noexcept;

/// The first error in the geometry, the sizes or the memory ranges, or Error::none.
Error check_memory(const Arguments& arguments) noexcept;

/// The operands for the kernels. `arguments` must have passed the checks.
Operands operands_of(const Arguments& arguments, spec::ElementType quantized_type) noexcept;

}  // namespace touchstone::optimized
