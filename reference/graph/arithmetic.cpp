// Operators that compute sums and products. Results are exact, or noted as inexact; bounds contain what
// rounding makes of them.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "reference/codec.h"
#include "reference/graph/broadcasting.h"
#include "reference/graph/elementary.h"
#include "reference/graph/exact_sum.h"
#include "reference/graph/operators.h"
#include "reference/graph/positions.h"
#include "reference/graph/products.h"
#include "reference/graph/windows.h"
#include "reference/model/shape.h"

namespace touchstone::reference {

namespace {

Value element(const Tensor& tensor, std::int64_t index) { return decode(tensor.type(), tensor.code(index)); }

// ---- Add, Sub, Mul, Div, Neg

template <class Terms>
Tensors elementwise(OperatorCall& call, const Terms& add_terms) {
  const Tensor &a = call.input(0), &b = call.input(1);
  call.require_same_type(a, b);
  return {make_tensor(a.type(), broadcast_shape(call, {a.shape(), b.shape()}), [&](const Position& position) {
    if (call.is_discarded()) return std::uint64_t{0};
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

/// Implementations multiply by the reciprocal, too, which is exact for powers of two.
Tensors div(OperatorCall& call) {
  call.require_float(call.input(0));
  call.note_wide_inputs();
  return elementwise(call, [&](ExactSum& sum, const Value& a, const Value& b) {
    ExactSum reciprocal(call.input(0).type());
    reciprocal.add(divide(Value::scaled(false, 1, 0), b));
    reciprocal.code(call);
    if (b.is_zero()) call.note_rounded("a division by zero");
    sum.add(divide(a, b));
  });
}

/// The bounds that a function gives for each pair of elements.
template <class Function>
BoundedTensors bounded_pairs(OperatorCall& call, const Function& function, bool has_one_type = true) {
  const Tensor &a = call.input(0), &b = call.input(1);
  call.require_float(a);
  if (has_one_type) call.require_same_type(a, b);
  const Bounds of_a = call.bounds(0), of_b = call.bounds(1);
  BoundedTensor y{broadcast_shape(call, {a.shape(), b.shape()}), {}};
  const FloatPrecision precision(a.type());
  for_each_position(y.shape, [&](const Position& position) {
    y.bounds.push_back(function(of_a[to_size(broadcast_index(position, a.shape()))],
                                of_b[to_size(broadcast_index(position, b.shape()))], precision));
  });
  return {y};
}

/// Fused kernels multiply both codes by rounded quotients of scales, and add the products.
Interval bounded_sum(const Interval& a, const Interval& b, const FloatPrecision& precision) {
  const bool is_exact = a.is_point() && b.is_point();
  constexpr double fused_roundings = 2;
  const double terms = a.largest_magnitude() + b.largest_magnitude();
  return rounded(is_exact ? add(a, b) : widened(add(a, b), terms * precision.gamma(fused_roundings)), precision);
}

BoundedTensors bounded_add(OperatorCall& call) { return bounded_pairs(call, bounded_sum); }

BoundedTensors bounded_sub(OperatorCall& call) {
  return bounded_pairs(call, [](const Interval& a, const Interval& b, const FloatPrecision& precision) {
    return bounded_sum(a, {-b.high, -b.low}, precision);
  });
}

BoundedTensors bounded_mul(OperatorCall& call) {
  return bounded_pairs(call, [](const Interval& a, const Interval& b, const FloatPrecision& precision) {
    return rounded(multiply(a, b), precision);
  });
}

/// Implementations multiply by the rounded reciprocal, too.
BoundedTensors bounded_div(OperatorCall& call) {
  return bounded_pairs(call, [](const Interval& a, const Interval& b, const FloatPrecision& precision) {
    return evaluated(rounded(divide(a, b), 1, precision), spec::function_accuracy("Div"), precision);
  });
}

BoundedTensors bounded_pow(OperatorCall& call) {
  const auto bounded = [](const Interval& x, const Interval& exponent, const FloatPrecision& precision) {
    constexpr double largest = 16;
    const bool is_whole = exponent.is_point() && exponent.low == std::trunc(exponent.low);
    const Interval exact =
        is_whole && std::fabs(exponent.low) <= largest ? power(x, static_cast<int>(exponent.low)) : power(x, exponent);
    return evaluated(exact, spec::function_accuracy("Pow"), precision);
  };
  return bounded_pairs(call, bounded, call.opset() < 12);  // later versions have any type of exponents
}

BoundedTensors bounded_neg(OperatorCall& call) {
  Bounds bounds = call.bounds(0);
  for (Interval& one : bounds) one = {-one.high, -one.low};
  return {{call.input(0).shape(), std::move(bounds)}};
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

template <Products (*products_of)(OperatorCall&)>
Tensors exactly(OperatorCall& call) {
  return {exact_products(call, products_of(call))};
}

template <Products (*products_of)(OperatorCall&)>
BoundedTensors bounded(OperatorCall& call) {
  return {bounded_products(call, products_of(call))};
}

/// "behaves like numpy.matmul": the last two dimensions are matrices, the others are broadcast; a vector becomes a
/// matrix for the product.
Products matmul(OperatorCall& call) {
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
  const std::int64_t rows = left[left.size() - 2], columns = right.back();
  Shape shape = batch;
  if (a.rank() > 1) shape.push_back(rows);
  if (b.rank() > 1) shape.push_back(columns);
  const auto block = [=](std::int64_t place) {
    Position first = position_of(place, batch);
    first.insert(first.end(), {0, 0});
    const std::int64_t first_a = broadcast_index(first, left), first_b = broadcast_index(first, right);
    ProductBlock made{rows, inner, columns};
    for (std::int64_t i = 0; i < rows * inner; ++i) made.x.push_back(first_a + i);
    for (std::int64_t i = 0; i < inner * columns; ++i) made.w.push_back(first_b + i);
    for (std::int64_t i = 0; i < rows * columns; ++i) made.y.push_back(place * rows * columns + i);
    return made;
  };
  return {.shape = shape, .terms = inner, .elements_of_row = inner, .blocks = call.product(batch), .block = block};
}

// ---- Gemm

Products gemm(OperatorCall& call) {
  const Tensor &a = call.input(0), &b = call.input(1);
  call.require_same_type(a, b);
  // Optional since version 11: "If not specified, the computation is done as if C is a scalar 0."
  const Tensor* c = call.opset() < 11 ? &call.input(2) : call.optional_input(2);
  const bool a_is_transposed = call.integer("transA", 0) != 0, b_is_transposed = call.integer("transB", 0) != 0;
  if (a.rank() != 2 || b.rank() != 2) call.fail("A has rank {}, B has rank {}", a.rank(), b.rank());
  const Shape of_a = a.shape(), of_b = b.shape();
  const auto [m, k] = a_is_transposed ? std::pair(of_a[1], of_a[0]) : std::pair(of_a[0], of_a[1]);
  const auto [inner, n] = b_is_transposed ? std::pair(of_b[1], of_b[0]) : std::pair(of_b[0], of_b[1]);
  if (inner != k) call.fail("A' has {} columns, B' has {} rows", k, inner);
  const Shape shape{m, n};
  // "Compute Y = alpha * A' * B' + beta * C"
  const std::int64_t elements_of_row = a_is_transposed ? a.size() : k;
  Products products{.shape = shape, .terms = k, .elements_of_row = elements_of_row, .blocks = 1, .block = {}};
  products.alpha = call.number("alpha", 1);
  products.beta = call.number("beta", 1);
  if (c != nullptr) {
    call.require_same_type(a, *c);
    const Shape of_c = c->shape();
    if (c->rank() > 2 || broadcast_shape(call, {shape, of_c}) != shape)
      call.fail("C of shape {} cannot be broadcast to {}", to_text(of_c), to_text(shape));
    products.bias_element = [=](std::int64_t element) { return broadcast_index(position_of(element, shape), of_c); };
  }
  const std::int64_t rows = m, terms = k, columns = n;  // a lambda cannot capture structured bindings in C++20 of clang
  products.block = [=](std::int64_t) {
    ProductBlock made{rows, terms, columns};
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t i = 0; i < terms; ++i) made.x.push_back(a_is_transposed ? i * rows + r : r * terms + i);
    for (std::int64_t i = 0; i < terms; ++i)
      for (std::int64_t j = 0; j < columns; ++j) made.w.push_back(b_is_transposed ? j * terms + i : i * columns + j);
    for (std::int64_t i = 0; i < rows * columns; ++i) made.y.push_back(i);
    return made;
  };
  return products;
}

// ---- Conv, ConvTranspose

/// What both have in common: each position of the result has a window, whose elements come from positions of X.
struct Convolution {
  Shape x;      ///< the shape of X
  Shape shape;  ///< of the result
  Shape kernel;
  std::int64_t groups;
  std::int64_t channels;  ///< of X, in a group
  std::int64_t maps;      ///< of the result, in a group
  /// The position in X for a position in the result and an element of the kernel, in the first channel.
  std::function<std::optional<Position>(const Position& position, const Position& element)> source;
  /// The index in W, apart from the element of the kernel.
  std::function<std::int64_t(std::int64_t group, std::int64_t channel, std::int64_t map)> filter;
};

/// Blocks are groups of images, in parts that do not need much memory.
Products products_of(const OperatorCall& call, const Convolution& of) {
  const std::int64_t of_kernel = call.product(of.kernel), terms = call.product({of.channels, of_kernel});
  const Shape spatial(of.shape.begin() + 2, of.shape.end());
  const std::int64_t positions = call.product(spatial), pixels = call.product({of.x.begin() + 2, of.x.end()});
  constexpr std::int64_t most_terms_of_part = std::int64_t{1} << 20;
  const std::int64_t rows_of_part = std::max<std::int64_t>(1, most_terms_of_part / std::max<std::int64_t>(terms, 1));
  const std::int64_t parts = ceiling_quotient(positions, rows_of_part);
  const auto block = [=](std::int64_t place) {
    const std::int64_t first = place % parts * rows_of_part;
    const std::int64_t group = place / parts % of.groups, image = place / parts / of.groups;
    ProductBlock made{std::min(rows_of_part, positions - first), terms, of.maps};
    for (std::int64_t r = 0; r < made.rows; ++r) {
      Position position = position_of(first + r, spatial);
      position.insert(position.begin(), {image, 0});
      std::vector<std::int64_t> sources;  // in the first channel of the group
      for_each_position(of.kernel, [&](const Position& element) {
        auto source = of.source(position, element);
        if (source) (*source)[1] = group * of.channels;
        sources.push_back(source ? index_of(*source, of.x) : -1);
      });
      for (std::int64_t channel = 0; channel < of.channels; ++channel)
        for (const std::int64_t source : sources) made.x.push_back(source < 0 ? -1 : source + channel * pixels);
      for (std::int64_t map = 0; map < of.maps; ++map)
        made.y.push_back(((image * of.groups + group) * of.maps + map) * positions + first + r);
    }
    for (std::int64_t channel = 0; channel < of.channels; ++channel)
      for (std::int64_t element = 0; element < of_kernel; ++element)
        for (std::int64_t map = 0; map < of.maps; ++map)
          made.w.push_back(of.filter(group, channel, map) * of_kernel + element);
    return made;
  };
  Products products{.shape = of.shape,
                    .terms = terms,
                    .elements_of_row = call.input(0).size(),
                    .blocks = of.x[0] * of.groups * parts,
                    .block = block};
  const std::int64_t maps = of.maps * of.groups;
  if (const Tensor* bias = call.optional_input(2)) {
    call.require_same_type(call.input(0), *bias);
    if (bias->shape() != Shape{maps}) call.fail("B has the shape {}", to_text(bias->shape()));
    products.bias_element = [=](std::int64_t element) { return element / positions % maps; };
  }
  return products;
}

Products conv(OperatorCall& call) {
  const Tensor &x = call.input(0), &w = call.input(1);
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
  const std::vector<AxisWindows> axes = windows_of(call, x.shape(), kernel, false);
  const std::int64_t maps_of_group = maps / groups;
  return products_of(call,
                     {.x = x.shape(),
                      .shape = shape_of_windows(x.shape()[0], maps, axes),
                      .kernel = kernel,
                      .groups = groups,
                      .channels = channels,
                      .maps = maps_of_group,
                      .source = [axes](const Position& position,
                                       const Position& element) { return window_source(axes, position, element); },
                      .filter = [=](std::int64_t group, std::int64_t channel,
                                    std::int64_t map) { return (group * maps_of_group + map) * channels + channel; }});
}

Products conv_transpose(OperatorCall& call) {
  const Tensor &x = call.input(0), &w = call.input(1);
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
  const std::vector<AxisWindows> axes = transposed_windows(call, x.shape(), kernel);
  Shape shape{x.shape()[0], call.product({maps_of_group, groups})};
  for (const AxisWindows& axis : axes) shape.push_back(axis.length);
  const std::int64_t channels_of_group = channels / groups;
  return products_of(
      call, {.x = x.shape(),
             .shape = shape,
             .kernel = kernel,
             .groups = groups,
             .channels = channels_of_group,
             .maps = maps_of_group,
             .source = [axes](const Position& position,
                              const Position& element) { return window_at(axes, position, element); },
             .filter = [=](std::int64_t group, std::int64_t channel,
                           std::int64_t map) { return (group * channels_of_group + channel) * maps_of_group + map; }});
}

// ---- AveragePool, GlobalAveragePool

std::uint64_t average_of(OperatorCall& call, ElementType type, const std::vector<Value>& terms, std::int64_t count) {
  ExactSum sum(type);
  for (const Value& term : terms) sum.add(term);
  const std::uint64_t code = sum.code(call);  // it may overflow although the average does not
  // Implementations divide the sum, or the terms, or multiply by the reciprocal of the count.
  if (std::has_single_bit(static_cast<std::uint64_t>(count)))
    return sum.scaled(-std::countr_zero(static_cast<std::uint64_t>(count))).code(call);
  if (std::ranges::all_of(terms, &Value::is_zero)) return code;
  call.note_rounded("the reciprocal of the number of elements is rounded");
  ExactSum average(type);
  average.add(divide(sum.total(), Value::of(Integer(count))));
  return average.code(call);
}

/// The elements of a window, and how many count. With ceil_mode, the page does not say whether elements after the
/// padding count.
struct AveragedWindow {
  std::vector<std::int64_t> elements;
  std::int64_t count = 0;
  std::int64_t most = 0;
};

struct Averages {
  std::vector<AxisWindows> axes;
  bool includes_padding;

  Shape shape(const Tensor& x) const { return shape_of_windows(x.shape()[0], x.shape()[1], axes); }

  AveragedWindow window(OperatorCall& call, const Position& position) const {
    AveragedWindow window;
    for_each_position(kernel_of(axes), [&](const Position& place) {
      if (const auto source = window_source(axes, position, place)) {
        window.elements.push_back(index_of(*source, call.input(0).shape()));
        ++window.count;
      } else if (includes_padding) {
        ++(is_behind_padding(axes, position, place) ? window.most : window.count);
      }
    });
    window.most += window.count;
    if (window.most > window.count) call.note_rounded("a window that ends after the padding");
    if (window.count == 0) call.note_inexact("a window without elements");
    return window;
  }
};

template <Averages (*averages_of)(OperatorCall&)>
Tensors averages(OperatorCall& call) {
  const Averages averages = averages_of(call);
  const Tensor& x = call.input(0);
  call.require_float(x);
  const Shape shape = call.checked(averages.shape(x), element_count(kernel_of(averages.axes)));
  return {make_tensor(x.type(), shape, [&](const Position& position) -> std::uint64_t {
    const AveragedWindow window = averages.window(call, position);
    if (window.count == 0) return 0;
    std::vector<Value> terms;
    for (const std::int64_t index : window.elements) terms.push_back(element(x, index));
    return average_of(call, x.type(), terms, window.count);
  })};
}

template <Averages (*averages_of)(OperatorCall&)>
BoundedTensors bounded_averages(OperatorCall& call) {
  const Averages averages = averages_of(call);
  const Tensor& x = call.input(0);
  call.require_float(x);
  const FloatPrecision precision(x.type());
  const Bounds bounds = call.bounds(0);
  BoundedTensor y{call.checked(averages.shape(x), element_count(kernel_of(averages.axes))), {}};
  for_each_position(y.shape, [&](const Position& position) {
    const AveragedWindow window = averages.window(call, position);
    Bounds terms;
    for (const std::int64_t index : window.elements) terms.push_back(bounds[to_size(index)]);
    // Implementations divide the sum, or the terms, or multiply by the reciprocal of the count.
    constexpr double roundings = 2;
    const Interval count{static_cast<double>(window.count), static_cast<double>(window.most)};
    y.bounds.push_back(rounded(divide(bounded_sum(terms, precision), count), roundings, precision));
  });
  return {y};
}

Averages average_pool(OperatorCall& call) {
  const std::vector<AxisWindows> axes =
      windows_of(call, call.input(0).shape(), call.integers("kernel_shape", {}), call.opset() >= 10);
  // The formulas of version 11 contradict each other: "floor(input_spatial_shape[i] / strides_spatial_shape[i])"
  if (call.opset() >= 11 && call.opset() < 19 && call.text("auto_pad", "NOTSET") != "NOTSET")
    for (const AxisWindows& axis : axes)
      if (axis.stride != 1) call.note_inexact("auto_pad with strides in version 11");
  return {axes, call.integer("count_include_pad", 0) != 0};
}

Averages average_pool_7(OperatorCall& call) {
  if (call.has_attribute("dilations")) call.fail("AveragePool has dilations since version 19");
  return average_pool(call);
}

Averages global_average_pool(OperatorCall& call) { return {global_windows(call, call.input(0).shape()), false}; }

constexpr std::array arithmetic_functions{
    OperatorFunction{"Add", 7, add, "Performs element-wise binary addition (with Numpy-style broadcasting support).",
                     bounded_add},
    OperatorFunction{"Sub", 7, sub, "Performs element-wise binary subtraction (with Numpy-style broadcasting support).",
                     bounded_sub},
    OperatorFunction{"Mul", 7, mul,
                     "Performs element-wise binary multiplication (with Numpy-style broadcasting support).",
                     bounded_mul},
    OperatorFunction{"Div", 7, div, "Performs element-wise binary division (with Numpy-style broadcasting support).",
                     bounded_div},
    OperatorFunction{"Pow", 7, nullptr, "the function `f(x) = x^exponent`, is applied to the data tensor elementwise.",
                     bounded_pow},
    OperatorFunction{"Neg", 6, neg, "each element flipped sign, y = -x, is applied to the tensor elementwise.",
                     bounded_neg},
    OperatorFunction{"MatMul", 1, exactly<matmul>, "Matrix product that behaves like", bounded<matmul>},
    OperatorFunction{"Gemm", 7, exactly<gemm>, "Compute Y = alpha * A' * B' + beta * C", bounded<gemm>},
    OperatorFunction{"Conv", 1, exactly<conv>,
                     "The convolution operator consumes an input tensor and a filter, and computes the output.",
                     bounded<conv>},
    OperatorFunction{"ConvTranspose", 1, exactly<conv_transpose>,
                     "If (auto_pads != SAME_UPPER): pads[start_i] = total_padding[i]/2; pads[end_i] = total_padding[i] "
                     "- (total_padding[i]/2)",
                     bounded<conv_transpose>},
    OperatorFunction{"ConvTranspose", 11, exactly<conv_transpose>,
                     "If (auto_pads == SAME_UPPER): pads[start_i] = total_padding[i]/2; pads[end_i] = total_padding[i] "
                     "- (total_padding[i]/2)",
                     bounded<conv_transpose>},
    OperatorFunction{"AveragePool", 7, averages<average_pool_7>,
                     "The output of each pooling window is divided by the number of elements (exclude pad when "
                     "attribute count_include_pad is zero).",
                     bounded_averages<average_pool_7>},
    OperatorFunction{"AveragePool", 19, averages<average_pool>,
                     "output_spatial_shape[i] = floor((input_spatial_shape[i] + pad_shape[i] - dilation[i] * "
                     "(kernel_shape[i] - 1) - 1) / strides_spatial_shape[i] + 1)",
                     bounded_averages<average_pool>},
    OperatorFunction{"GlobalAveragePool", 1, averages<global_average_pool>,
                     "This is equivalent to AveragePool with kernel size equal to the spatial dimension of input "
                     "tensor.",
                     bounded_averages<global_average_pool>},
};

}  // namespace

std::span<const OperatorFunction> arithmetic_operators() { return arithmetic_functions; }

}  // namespace touchstone::reference
