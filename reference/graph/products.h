// Sums of products, as MatMul, Gemm, Conv and ConvTranspose compute them: which elements of the operands are multiplied
// for which element of the result; evaluated in exact numbers, or in bounds.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "reference/graph/bounds.h"
#include "reference/graph/operator_call.h"
#include "reference/graph/operators.h"

namespace touchstone::reference {

/// A product of two matrices, by the indices of elements; -1 is a zero that is not multiplied.
struct ProductBlock {
  std::int64_t rows = 0;
  std::int64_t terms = 0;
  std::int64_t columns = 0;
  std::vector<std::int64_t> x = {};  ///< rows x terms, in the input `x`
  std::vector<std::int64_t> w = {};  ///< terms x columns, in the input `w`
  std::vector<std::int64_t> y = {};  ///< rows x columns, in the result
};

/// y = alpha * sum(x * w) + beta * bias
struct Products {
  Shape shape;                   ///< of the result
  std::int64_t terms;            ///< of each element
  std::int64_t elements_of_row;  ///< of x; see Factors
  std::int64_t blocks;
  std::function<ProductBlock(std::int64_t block)> block;
  std::size_t x = 0, w = 1, bias = 2;  ///< places of the inputs
  /// The element of the bias for an element of the result; empty if there is no bias.
  std::function<std::int64_t(std::int64_t element)> bias_element = {};
  float alpha = 1, beta = 1;
};

Tensor exact_products(OperatorCall& call, const Products& products);
BoundedTensor bounded_products(OperatorCall& call, const Products& products);

}  // namespace touchstone::reference
