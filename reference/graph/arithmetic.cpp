// Operators that compute sums and products. All results are exact, or noted as inexact.
#include <array>

#include "reference/codec.h"
#include "reference/graph/broadcasting.h"
#include "reference/graph/exact_sum.h"
#include "reference/graph/operators.h"
#include "reference/graph/positions.h"
#include "reference/graph/windows.h"
#include "reference/model/shape.h"

namespace touchstone::reference {

namespace {

Value element(const Tensor& tensor, std::int64_t index) { return decode(tensor.type(), tensor.code(index)); }

// ---- Add, Mul

template <class Terms>
Tensors elementwise(OperatorCall& call, const Terms& add_terms) {
  const Tensor &a = call.input(0), &b = call.input(1);
  call.require_same_type(a, b);
  return {make_tensor(a.type(), broadcast_shape(call, {a.shape(), b.shape()}), [&](const Position& position) {
    ExactSum sum(a.type());
    add_terms(sum, element(a, broadcast_index(position, a.shape())), element(b, broadcast_index(position, b.shape())));
    return sum.code(call);
  })};
}

Tensors add(OperatorCall& call) {
  return elementwise(call, [](ExactSum& sum, const Value& a, const Value& b) {
    sum.add(a);
    sum.add(b);
  });
}

Tensors mul(OperatorCall& call) {
  return elementwise(call, [](ExactSum& sum, const Value& a, const Value& b) { sum.add(multiply(a, b)); });
}

// ---- MatMul

/// "behaves like numpy.matmul": the last two dimensions are matrices, the others are broadcast; a vector becomes a
/// matrix for the product.
Tensors matmul(OperatorCall& call) {
  const Tensor &a = call.input(0), &b = call.input(1);
  call.require_same_type(a, b);
  Shape left = a.shape(), right = b.shape();
  if (left.empty() || right.empty()) call.fail("an operand is a scalar");
  if (a.rank() == 1) left.insert(left.begin(), 1);
  if (b.rank() == 1) right.push_back(1);
  const std::int64_t inner = left.back();
  if (right[right.size() - 2] != inner)
    call.fail("matrices of the shapes {} and {}", to_text(a.shape()), to_text(b.shape()));
  const Shape batch = broadcast_shape(call, {{left.begin(), left.end() - 2}, {right.begin(), right.end() - 2}});
  Shape product = batch;
  product.push_back(left[left.size() - 2]);
  product.push_back(right.back());
  const Tensor y = make_tensor(a.type(), call.checked(product, inner), [&](const Position& position) {
    Position row(position.begin(), position.end() - 1), column(position.begin(), position.end() - 2);
    row.push_back(0);
    column.push_back(0);
    column.push_back(position.back());
    ExactSum sum(a.type());
    for (std::int64_t k = 0; k < inner; ++k) {
      row.back() = k;
      column[column.size() - 2] = k;
      sum.add(multiply(element(a, broadcast_index(row, left)), element(b, broadcast_index(column, right))));
    }
    return sum.code(call);
  });
  Shape shape = batch;
  if (a.rank() > 1) shape.push_back(left[left.size() - 2]);
  if (b.rank() > 1) shape.push_back(right.back());
  return {Tensor(y.type(), shape, {y.bytes().begin(), y.bytes().end()})};
}

// ---- Gemm

Tensors gemm(OperatorCall& call) {
  const Tensor &a = call.input(0), &b = call.input(1);
  call.require_same_type(a, b);
  // Optional since version 11: "If not specified, the computation is done as if C is a scalar 0."
  const Tensor* c = call.opset() < 11 ? &call.input(2) : call.optional_input(2);
  const bool a_is_transposed = call.integer("transA", 0) != 0, b_is_transposed = call.integer("transB", 0) != 0;
  const Value alpha = value_of(call.number("alpha", 1)), beta = value_of(call.number("beta", 1));
  if (a.rank() != 2 || b.rank() != 2) call.fail("A has rank {}, B has rank {}", a.rank(), b.rank());
  const auto [m, k] = a_is_transposed ? std::pair(a.shape()[1], a.shape()[0]) : std::pair(a.shape()[0], a.shape()[1]);
  const auto [rows, n] =
      b_is_transposed ? std::pair(b.shape()[1], b.shape()[0]) : std::pair(b.shape()[0], b.shape()[1]);
  if (rows != k) call.fail("A' has {} columns, B' has {} rows", k, rows);
  const Shape shape{m, n};
  if (c != nullptr) {
    call.require_same_type(a, *c);
    if (c->rank() > 2 || broadcast_shape(call, {shape, c->shape()}) != shape)
      call.fail("C of shape {} cannot be broadcast to {}", to_text(c->shape()), to_text(shape));
  }
  return {make_tensor(a.type(), call.checked(shape, k), [&](const Position& position) {
    // "Compute Y = alpha * A' * B' + beta * C"
    ExactSum sum(a.type());
    for (std::int64_t i = 0; i < k; ++i) {
      const Position in_a = a_is_transposed ? Position{i, position[0]} : Position{position[0], i};
      const Position in_b = b_is_transposed ? Position{position[1], i} : Position{i, position[1]};
      sum.add(multiply(alpha, multiply(element(a, index_of(in_a, a.shape())), element(b, index_of(in_b, b.shape())))));
    }
    if (c != nullptr) sum.add(multiply(beta, element(*c, broadcast_index(position, c->shape()))));
    return sum.code(call);
  })};
}

// ---- Conv

Tensors conv(OperatorCall& call) {
  const Tensor &x = call.input(0), &w = call.input(1);
  const Tensor* bias = call.optional_input(2);
  call.require_same_type(x, w);
  if (x.rank() < 3 || w.rank() != x.rank())
    call.fail("X has the shape {}, W the shape {}", to_text(x.shape()), to_text(w.shape()));
  const Shape kernel(w.shape().begin() + 2, w.shape().end());
  if (call.integers("kernel_shape", kernel) != kernel) call.fail("kernel_shape differs from the shape of W");
  const std::int64_t groups = call.integer("group", 1);
  const std::int64_t maps = w.shape()[0], channels = w.shape()[1];
  // "X.shape[1] == (W.shape[1] * group) == C and W.shape[0] mod G == 0"
  if (groups < 1 || groups > maps || maps % groups != 0 || x.shape()[1] != channels * groups)
    call.fail("X has the shape {}, W the shape {}; group is {}", to_text(x.shape()), to_text(w.shape()), groups);
  if (bias != nullptr) {
    call.require_same_type(x, *bias);
    if (bias->shape() != Shape{maps}) call.fail("B has the shape {}", to_text(bias->shape()));
  }
  const std::vector<AxisWindows> axes = windows_of(call, x.shape(), kernel, false);
  Shape shape{x.shape()[0], maps};
  for (const AxisWindows& axis : axes) shape.push_back(axis.windows);
  Shape elements{channels};
  elements.insert(elements.end(), kernel.begin(), kernel.end());
  return {make_tensor(x.type(), call.checked(shape, element_count(elements)), [&](const Position& position) {
    const std::int64_t map = position[1];
    const std::int64_t first_channel = map / (maps / groups) * channels;
    ExactSum sum(x.type());
    for_each_position(elements, [&](const Position& element_of_w) {
      auto source = window_source(axes, position, {element_of_w.begin() + 1, element_of_w.end()});
      if (!source) return;
      (*source)[1] = first_channel + element_of_w[0];
      Position in_w{map};
      in_w.insert(in_w.end(), element_of_w.begin(), element_of_w.end());
      sum.add(multiply(element(x, index_of(*source, x.shape())), element(w, index_of(in_w, w.shape()))));
    });
    if (bias != nullptr) sum.add(element(*bias, map));
    return sum.code(call);
  })};
}

constexpr std::array arithmetic_functions{
    OperatorFunction{"Add", 7, add, "Performs element-wise binary addition (with Numpy-style broadcasting support)."},
    OperatorFunction{"Mul", 7, mul,
                     "Performs element-wise binary multiplication (with Numpy-style broadcasting support)."},
    OperatorFunction{"MatMul", 1, matmul, "Matrix product that behaves like"},
    OperatorFunction{"Gemm", 7, gemm, "Compute Y = alpha * A' * B' + beta * C"},
    OperatorFunction{"Conv", 1, conv,
                     "The convolution operator consumes an input tensor and a filter, and computes the output."},
};

}  // namespace

std::span<const OperatorFunction> arithmetic_operators() { return arithmetic_functions; }

}  // namespace touchstone::reference
