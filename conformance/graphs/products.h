// Operands of sums and products, as quantizers write them.
#pragma once

#include <string>

#include "conformance/graphs/graph_builder.h"

namespace touchstone::conformance {

/// The bias of a product whose operands are `activations` and `weights`.
enum class Bias {
  none,
  numbers,      ///< a constant of the type of numbers; no element is a multiple of a product of scales
  quantized,    ///< int32, with the product of the scales of both operands as scale, as quantizers choose it
  other_scale,  ///< the same with another scale
};

std::string weights(GraphBuilder& g, const reference::Shape& shape, std::int64_t axis);
std::string activations(GraphBuilder& g, const reference::Shape& shape);
/// Four numbers. `kind` must not be `none`.
std::string bias(GraphBuilder& g, Bias kind);

}  // namespace touchstone::conformance
