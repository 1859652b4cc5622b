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

std::string weights(GraphBuilder& g, const Shape& shape, std::int64_t axis);
/// Weights that are not quantized. One of them is so large that 8 bits for all lose the others.
std::string float_weights(GraphBuilder& g, const Shape& shape);
std::string activations(GraphBuilder& g, const Shape& shape);
/// A vector of this length. `kind` must not be `none`.
std::string bias(GraphBuilder& g, Bias kind, std::int64_t length);

/// What of an operand is extreme as a whole.
enum class Ends {
  rows,     ///< every second one of the left operand
  columns,  ///< the first two of the right operand
  filters,  ///< the first two of Conv
};

/// Elements at the ends of the range of the type. Sums of any two products of extreme rows and columns overflow int16,
/// however far apart the two are.
Tensor ends(GraphBuilder& g, ElementType type, const Shape& shape, Ends what);
std::int64_t picked_rows(GraphBuilder& g);

/// Quantizes the product, which has this shape, adds other activations, and quantizes the sum.
std::string residual(GraphBuilder& g, const std::string& product, const Shape& shape);

/// An x of numbers. Along the first dimension, each part has a power of two at one of the places from `first` on at
/// this distance, and 0 elsewhere.
std::string x_of_single_terms(GraphBuilder& g, const Shape& shape, std::int64_t distance, std::int64_t first);

}  // namespace touchstone::conformance
