// Operators that compute sums and products. All results are exact, or noted as inexact.
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "reference/codec.h"
#include "reference/graph/broadcasting.h"
#include "reference/graph/exact_sum.h"
#include "reference/graph/factors.h"
#include "reference/graph/operators.h"
#include "reference/graph/positions.h"
#include "reference/graph/windows.h"
#include "reference/model/shape.h"

namespace touchstone::reference {

namespace {

Value element(const Tensor& tensor, std::int64_t index) { return decode(tensor.type(), tensor.code(index)); }

// ---- Add, Sub, Mul, Neg

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

Tensors sub(OperatorCall& call) {
  return elementwise(call, [](ExactSum& sum, const Value& a, const Value& b) {
    sum.add(a);
    sum.add(-b);
  });
}

Tensors mul(OperatorCall& call) {
  return elementwise(call, [](ExactSum& sum, const Value& a, const Value& b) { sum.add(multiply(a, b)); });
}

Tensors neg(OperatorCall& call) {
  const Tensor& x = call.input(0);
  return {make_tensor(x.type(), x.shape(), [&](const Position& position) {
    const Value negated = -element(x, index_of(position, x.shape()));
    if (!spec::is_integer(x.type())) return encode(x.type(), negated);
    ExactSum sum(x.type());  // the lowest integer has no negative
    sum.add(negated);
    return sum.code(call);
  })};
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
  const Factors factors_of_a(call, a, inner), factors_of_b(call, b);
  const Tensor y = make_tensor(a.type(), call.checked(product, inner), [&](const Position& position) {
    Position row(position.begin(), position.end() - 1), column(position.begin(), position.end() - 2);
    row.push_back(0);
    column.push_back(0);
    column.push_back(position.back());
    ExactSum sum(a.type());
    for (std::int64_t k = 0; k < inner; ++k) {
      row.back() = k;
      column[column.size() - 2] = k;
      sum.add(multiply(factors_of_a[broadcast_index(row, left)], factors_of_b[broadcast_index(column, right)]));
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
  const Factors factors_of_a(call, a, a.size()), factors_of_b(call, b);
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
      sum.add(
          multiply(alpha, multiply(factors_of_a[index_of(in_a, a.shape())], factors_of_b[index_of(in_b, b.shape())])));
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
  const Shape shape = shape_of_windows(x.shape()[0], maps, axes);
  Shape elements{channels};
  elements.insert(elements.end(), kernel.begin(), kernel.end());
  const Factors factors_of_x(call, x, x.size()), factors_of_w(call, w);
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
      sum.add(multiply(factors_of_x[index_of(*source, x.shape())], factors_of_w[index_of(in_w, w.shape())]));
    });
    if (bias != nullptr) sum.add(element(*bias, map));
    return sum.code(call);
  })};
}

// ---- ConvTranspose

Tensors conv_transpose(OperatorCall& call) {
  const Tensor &x = call.input(0), &w = call.input(1);
  const Tensor* bias = call.optional_input(2);
  call.require_same_type(x, w);
  if (x.rank() < 3 || w.rank() != x.rank())
    call.fail("X has the shape {}, W the shape {}", to_text(x.shape()), to_text(w.shape()));
  const Shape kernel(w.shape().begin() + 2, w.shape().end());
  if (call.integers("kernel_shape", kernel) != kernel) call.fail("kernel_shape differs from the shape of W");
  // "The weight tensor ...; has size (C x M/group x kH x kW)"
  const std::int64_t groups = call.integer("group", 1);
  const std::int64_t channels = x.shape()[1], maps_of_group = w.shape()[1];
  if (groups < 1 || groups > channels || channels % groups != 0 || w.shape()[0] != channels)
    call.fail("X has the shape {}, W the shape {}; group is {}", to_text(x.shape()), to_text(w.shape()), groups);
  const std::int64_t maps = call.product({maps_of_group, groups});
  if (bias != nullptr) {
    call.require_same_type(x, *bias);
    if (bias->shape() != Shape{maps}) call.fail("B has the shape {}", to_text(bias->shape()));
  }
  const Factors factors_of_x(call, x, x.size()), factors_of_w(call, w);
  const std::vector<AxisWindows> axes = transposed_windows(call, x.shape(), kernel);
  Shape shape{x.shape()[0], maps};
  for (const AxisWindows& axis : axes) shape.push_back(axis.length);
  Shape elements{channels / groups};
  elements.insert(elements.end(), kernel.begin(), kernel.end());
  return {make_tensor(x.type(), call.checked(shape, element_count(elements)), [&](const Position& position) {
    const std::int64_t map = position[1];
    const std::int64_t first_channel = map / maps_of_group * (channels / groups);
    ExactSum sum(x.type());
    for_each_position(elements, [&](const Position& element_of_w) {
      auto source = window_at(axes, position, {element_of_w.begin() + 1, element_of_w.end()});
      if (!source) return;
      (*source)[1] = first_channel + element_of_w[0];
      Position in_w{(*source)[1], map % maps_of_group};
      in_w.insert(in_w.end(), element_of_w.begin() + 1, element_of_w.end());
      sum.add(multiply(factors_of_x[index_of(*source, x.shape())], factors_of_w[index_of(in_w, w.shape())]));
    });
    if (bias != nullptr) sum.add(element(*bias, map));
    return sum.code(call);
  })};
}

// ---- AveragePool, GlobalAveragePool

std::uint64_t average_of(OperatorCall& call, spec::ElementType type, const std::vector<Value>& terms,
                         std::int64_t count) {
  if (count == 0) {
    call.note_inexact("a window without elements");
    return 0;
  }
  ExactSum sum(type);
  for (const Value& term : terms) sum.add(term);
  const std::uint64_t code = sum.code(call);  // it may overflow although the average does not
  // Implementations divide the sum, or the terms, or multiply by the reciprocal of the count.
  if (std::has_single_bit(static_cast<std::uint64_t>(count)))
    return sum.scaled(-std::countr_zero(static_cast<std::uint64_t>(count))).code(call);
  if (std::ranges::all_of(terms, &Value::is_zero)) return code;
  call.note_inexact("the reciprocal of the number of elements is rounded");
  ExactSum average(type);
  average.add(divide(sum.total(), Value::of(Integer(count))));
  return average.code(call);
}

Tensors averages(OperatorCall& call, const std::vector<AxisWindows>& axes, bool includes_padding) {
  const Tensor& x = call.input(0);
  call.require_float(x);
  const Shape kernel = kernel_of(axes);
  const Shape shape = shape_of_windows(x.shape()[0], x.shape()[1], axes);
  return {make_tensor(x.type(), call.checked(shape, element_count(kernel)), [&](const Position& position) {
    std::vector<Value> terms;
    std::int64_t count = 0;
    for_each_position(kernel, [&](const Position& place) {
      const auto source = window_source(axes, position, place);
      if (source) {
        terms.push_back(element(x, index_of(*source, x.shape())));
        ++count;
      } else if (includes_padding) {
        // With ceil_mode, the page does not say whether elements behind the padding count.
        if (is_behind_padding(axes, position, place))
          call.note_inexact("a window that ends behind the padding");
        else
          ++count;
      }
    });
    return average_of(call, x.type(), terms, count);
  })};
}

Tensors average_pool(OperatorCall& call) {
  const std::vector<AxisWindows> axes =
      windows_of(call, call.input(0).shape(), call.integers("kernel_shape", {}), call.opset() >= 10);
  // The formulas of version 11 contradict each other: "floor(input_spatial_shape[i] / strides_spatial_shape[i])"
  if (call.opset() >= 11 && call.opset() < 19 && call.text("auto_pad", "NOTSET") != "NOTSET")
    for (const AxisWindows& axis : axes)
      if (axis.stride != 1) call.note_inexact("auto_pad with strides in version 11");
  return averages(call, axes, call.integer("count_include_pad", 0) != 0);
}

Tensors average_pool_7(OperatorCall& call) {
  if (call.has_attribute("dilations")) call.fail("AveragePool has dilations since version 19");
  return average_pool(call);
}

Tensors average_pool_19(OperatorCall& call) { return average_pool(call); }

Tensors global_average_pool(OperatorCall& call) {
  return averages(call, global_windows(call, call.input(0).shape()), false);
}

constexpr std::array arithmetic_functions{
    OperatorFunction{"Add", 7, add, "Performs element-wise binary addition (with Numpy-style broadcasting support)."},
    OperatorFunction{"Sub", 7, sub,
                     "Performs element-wise binary subtraction (with Numpy-style broadcasting support)."},
    OperatorFunction{"Mul", 7, mul,
                     "Performs element-wise binary multiplication (with Numpy-style broadcasting support)."},
    OperatorFunction{"Neg", 6, neg, "each element flipped sign, y = -x, is applied to the tensor elementwise."},
    OperatorFunction{"MatMul", 1, matmul, "Matrix product that behaves like"},
    OperatorFunction{"Gemm", 7, gemm, "Compute Y = alpha * A' * B' + beta * C"},
    OperatorFunction{"Conv", 1, conv,
                     "The convolution operator consumes an input tensor and a filter, and computes the output."},
    OperatorFunction{"ConvTranspose", 1, conv_transpose,
                     "If (auto_pads != SAME_UPPER): pads[start_i] = total_padding[i]/2; pads[end_i] = total_padding[i] "
                     "- (total_padding[i]/2)"},
    OperatorFunction{"ConvTranspose", 11, conv_transpose,
                     "If (auto_pads == SAME_UPPER): pads[start_i] = total_padding[i]/2; pads[end_i] = total_padding[i] "
                     "- (total_padding[i]/2)"},
    OperatorFunction{"AveragePool", 7, average_pool_7,
                     "The output of each pooling window is divided by the number of elements (exclude pad when "
                     "attribute count_include_pad is zero)."},
    OperatorFunction{"AveragePool", 19, average_pool_19,
                     "output_spatial_shape[i] = floor((input_spatial_shape[i] + pad_shape[i] - dilation[i] * "
                     "(kernel_shape[i] - 1) - 1) / strides_spatial_shape[i] + 1)"},
    OperatorFunction{"GlobalAveragePool", 1, global_average_pool,
                     "This is equivalent to AveragePool with kernel size equal to the spatial dimension of input "
                     "tensor."},
};

}  // namespace

std::span<const OperatorFunction> arithmetic_operators() { return arithmetic_functions; }

}  // namespace touchstone::reference
