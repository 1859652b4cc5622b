// What both operators ask of their arguments, beside their types.
#pragma once

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

/// The first thing that is wrong with the geometry, the sizes or the places in memory; Error::none if nothing is.
Error check_memory(const Arguments& arguments) noexcept;

/// Of arguments that were checked.
Operands operands_of(const Arguments& arguments, spec::ElementType quantized_type) noexcept;

}  // namespace touchstone::optimized
