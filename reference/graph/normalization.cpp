// Operators that reduce axes, and that normalize by statistics. Sums are in any order.
#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "reference/codec.h"
#include "reference/graph/elementary.h"
#include "reference/graph/operators.h"
#include "reference/graph/positions.h"
#include "reference/model/shape.h"

namespace touchstone::reference {

namespace {

// ---- ReduceSum, ReduceMean, ReduceMax

/// The elements of the input that each element of the result reduces.
struct Reduction {
  Shape shape;  ///< of the result
  std::vector<std::vector<std::int64_t>> groups;
};

/// Reads keepdims, noop_with_empty_axes and the axes.
Reduction reduction_of(const OperatorCall& call, bool has_axes_input) {
  const Tensor& data = call.input(0);
  std::vector<std::int64_t> given = call.integers("axes", {});
  if (has_axes_input && call.optional_input(1) != nullptr) given = call.integers_of_input(1);
  std::set<std::size_t> axes;
  for (const std::int64_t axis : given) axes.insert(call.axis(axis, data.rank()));
  // "Default behavior with 'false' is to reduce all axes."
  if (given.empty() && (!has_axes_input || call.integer("noop_with_empty_axes", 0) == 0))
    for (std::size_t d = 0; d < data.shape().size(); ++d) axes.insert(d);
  Shape kept = data.shape();
  for (const std::size_t axis : axes) kept[axis] = 1;
  Reduction reduction{{}, std::vector<std::vector<std::int64_t>>(to_size(call.product(kept)))};
  std::int64_t index = 0;
  for_each_position(data.shape(), [&](Position position) {
    for (const std::size_t axis : axes) position[axis] = 0;
    reduction.groups[to_size(index_of(position, kept))].push_back(index++);
  });
  for (std::size_t d = 0; d < kept.size(); ++d)
    if (call.integer("keepdims", 1) != 0 || !axes.contains(d)) reduction.shape.push_back(kept[d]);
  if (std::ranges::any_of(reduction.groups, [](const auto& group) { return group.empty(); }))
    call.fail("data without elements");
  return reduction;
}

template <bool has_axes_input>
BoundedTensors bounded_sums(OperatorCall& call, bool divides) {
  call.require_float(call.input(0));
  const FloatPrecision precision(call.input(0).type());
  call.checked(call.input(0).shape());
  const Reduction reduction = reduction_of(call, has_axes_input);
  const Bounds bounds = call.bounds(0);
  BoundedTensor y{reduction.shape, {}};
  for (const auto& group : reduction.groups) {
    Bounds terms;
    for (const std::int64_t element : group) terms.push_back(bounds[to_size(element)]);
    const Interval sum = bounded_sum(terms, precision);
    // Implementations divide the sum, or the terms, or multiply by the reciprocal of the count.
    constexpr double roundings = 2;
    const auto count = static_cast<double>(group.size());
    y.bounds.push_back(divides ? rounded(divide(sum, {count, count}), roundings, precision) : rounded(sum, precision));
  }
  return {y};
}

template <bool has_axes_input>
BoundedTensors reduce_sum(OperatorCall& call) {
  return bounded_sums<has_axes_input>(call, false);
}

template <bool has_axes_input>
BoundedTensors reduce_mean(OperatorCall& call) {
  return bounded_sums<has_axes_input>(call, true);
}

template <bool has_axes_input>
Tensors reduce_max(OperatorCall& call) {
  const Tensor& data = call.input(0);
  call.checked(data.shape());
  const Reduction reduction = reduction_of(call, has_axes_input);
  Tensor reduced(data.type(), reduction.shape);
  for (std::size_t i = 0; i < reduction.groups.size(); ++i) {
    std::uint64_t found = data.code(reduction.groups[i].front());
    for (const std::int64_t element : reduction.groups[i]) {
      const Value one = decode(data.type(), data.code(element)), largest = decode(data.type(), found);
      if (one.is_nan() || largest.is_nan())
        call.note_inexact("a comparison with NaN");
      else if (less(largest, one))
        found = data.code(element);
    }
    reduced.set_code(static_cast<std::int64_t>(i), found);
  }
  return {reduced};
}

// ---- LayerNormalization, BatchNormalization

/// Roundings of 1 / sqrt(x), by any of the usual instructions with one step of Newton's method.
constexpr double roundings_of_inverse_root = 16;

/// 1 / sqrt(variance + epsilon)
Interval inverse_deviation(const Interval& variance, float epsilon, const FloatPrecision& precision) {
  const auto number = static_cast<double>(epsilon);
  const Interval root = sqrt(rounded(add(variance, {number, number}), 2, precision));
  return rounded(divide({1, 1}, root), roundings_of_inverse_root, precision);
}

/// (x - mean) * factor + bias, or x * factor + (bias - mean * factor)
Interval normalized(const Interval& x, const Interval& mean, const Interval& factor, const Interval& bias,
                    const FloatPrecision& precision, double further_error = 0) {
  constexpr double roundings = 6;
  const Interval y = add(multiply(add(x, {-mean.high, -mean.low}), factor), bias);
  const double magnitude =
      (x.largest_magnitude() + mean.largest_magnitude()) * factor.largest_magnitude() + bias.largest_magnitude();
  return rounded(widened(y, (precision.gamma(roundings) + further_error) * magnitude), 1, precision);
}

/// One row of elements that are normalized together. Implementations compute the variance in one pass, too: the mean of
/// the squares less the square of the mean, which cancels.
void normalize_layer(std::span<Interval> row, const Bounds& scale, const Bounds& bias, float epsilon,
                     const FloatPrecision& precision) {
  const auto count = static_cast<double>(row.size());
  const auto mean_of = [&](const Bounds& terms) {
    return rounded(divide(bounded_sum(terms, precision), {count, count}), 2, precision);
  };
  Bounds squares, deviations;
  const Interval mean = mean_of({row.begin(), row.end()});
  for (const Interval& x : row) {
    squares.push_back(square(x));
    deviations.push_back(square(add(x, {-mean.high, -mean.low})));
  }
  const double largest = mean_of(squares).high + square(mean).high;
  constexpr double further_roundings = 8;
  Interval variance = widened(mean_of(deviations), largest * precision.gamma(count + further_roundings));
  if (variance.is_known()) variance.low = std::max(variance.low, 0.0);
  const Interval inverse = inverse_deviation(variance, epsilon, precision);
  for (std::size_t i = 0; i < row.size(); ++i)
    row[i] = normalized(row[i], mean, multiply(inverse, scale[i]), bias.empty() ? Interval{0, 0} : bias[i], precision);
}

BoundedTensors layer_normalization(OperatorCall& call) {
  const Tensor &x = call.input(0), &scale = call.input(1);
  if (call.outputs() > 1) call.fail("the outputs Mean and InvStdDev are not supported");
  call.require_integer("stash_type", 1);
  call.require_float(x);
  call.require_same_type(x, scale);
  const FloatPrecision precision(x.type());
  const std::size_t axis = call.axis(call.integer("axis", -1), x.rank());
  const Shape shape(x.shape().begin() + static_cast<std::ptrdiff_t>(axis), x.shape().end());
  const std::int64_t length = call.product(shape);
  if (scale.size() != length) call.fail("Scale has the shape {}", to_text(scale.shape()));
  Bounds bias;
  if (call.optional_input(2) != nullptr) bias = call.bounds(2);
  if (!bias.empty() && std::ssize(bias) != length) call.fail("B has the shape {}", to_text(call.input(2).shape()));
  const Bounds of_scale = call.bounds(1);
  BoundedTensor y{call.checked(x.shape()), call.bounds(0)};
  for (std::int64_t first = 0; first < x.size(); first += length)
    normalize_layer(std::span(y.bounds).subspan(to_size(first), to_size(length)), of_scale, bias,
                    call.number("epsilon", 1e-5F), precision);
  return {y};
}

/// "Y = (X - input_mean) / sqrt(input_var + epsilon) * scale + B"
BoundedTensors batch_normalization(OperatorCall& call) {
  const Tensor& x = call.input(0);
  if (call.outputs() > 1) call.fail("outputs of training are not supported");
  call.require_integer("training_mode", 0);
  call.require_integer("spatial", 1);
  call.require_float(x);
  if (x.rank() < 2) call.fail("X has the shape {}", to_text(x.shape()));
  const FloatPrecision precision(x.type());
  const std::int64_t channels = x.shape()[1];
  std::array<Bounds, 4> statistics;  // scale, B, mean, variance
  for (std::size_t i = 0; i < statistics.size(); ++i) {
    statistics[i] = call.bounds(i + 1);
    if (call.input(i + 1).shape() != Shape{channels})
      call.fail("input {} has the shape {}", i + 1, to_text(call.input(i + 1).shape()));
  }
  const auto& [scale, bias, mean, variance] = statistics;
  const std::int64_t inner = call.product({x.shape().begin() + 2, x.shape().end()});
  BoundedTensor y{call.checked(x.shape()), call.bounds(0)};
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const std::size_t channel = to_size(i / inner % channels);
    const Interval inverse = inverse_deviation(variance[channel], call.number("epsilon", 1e-5F), precision);
    Interval& one = y.bounds[to_size(i)];
    one = normalized(one, mean[channel], multiply(inverse, scale[channel]), bias[channel], precision,
                     call.further_error(precision));
    one = widened(one, call.further_roundings() * precision.smallest);  // each rounding may flush to zero
  }
  return {y};
}

constexpr std::array normalization_functions{
    OperatorFunction{"ReduceSum", 1, nullptr, "Computes the sum of the input tensor's element along the provided axes.",
                     reduce_sum<false>},
    OperatorFunction{"ReduceSum", 13, nullptr,
                     "Computes the sum of the input tensor's elements along the provided axes.", reduce_sum<true>},
    OperatorFunction{"ReduceMean", 1, nullptr,
                     "Computes the mean of the input tensor's element along the provided axes.", reduce_mean<false>},
    OperatorFunction{"ReduceMean", 18, nullptr,
                     "Computes the mean of the input tensor's elements along the provided axes.", reduce_mean<true>},
    OperatorFunction{"ReduceMax", 1, reduce_max<false>,
                     "Computes the max of the input tensor's element along the provided axes.", nullptr, true},
    OperatorFunction{"ReduceMax", 18, reduce_max<true>,
                     "Computes the max of the input tensor's elements along the provided axes.", nullptr, true},
    OperatorFunction{"LayerNormalization", 17, nullptr, "This is layer normalization defined in ONNX as function.",
                     layer_normalization},
    OperatorFunction{"BatchNormalization", 7, nullptr, "Carries out batch normalization as described in the paper",
                     batch_normalization},
};

}  // namespace

std::span<const OperatorFunction> normalization_operators() { return normalization_functions; }

}  // namespace touchstone::reference
