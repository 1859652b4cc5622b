// Operators that move elements to or from places that another input gives. Only reductions change elements.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "reference/codec.h"
#include "reference/graph/elementary.h"
#include "reference/graph/exact_sum.h"
#include "reference/graph/operators.h"
#include "reference/graph/positions.h"
#include "reference/model/shape.h"

namespace touchstone::reference {

namespace {

/// The rows of a matrix of indices: tuples, each of which names an element or a slice of data.
struct IndexTuples {
  std::vector<std::int64_t> indices;
  std::int64_t length;  ///< of each tuple

  std::span<const std::int64_t> tuple(std::int64_t place) const {
    return std::span(indices).subspan(to_size(place * length), to_size(length));
  }
};

/// The indices of GatherND and ScatterND into the axes of data after the batch axes, counted from the front.
IndexTuples tuples_of(const OperatorCall& call, std::int64_t batch_axes) {
  const Tensor& data = call.input(0);
  const Shape& shape = call.input(1).shape();
  if (shape.empty()) call.fail("indices are a scalar");
  IndexTuples tuples{call.integers_of_input(1), shape.back()};
  // "The `indices_shape[-1]` should have a value between 1 (inclusive) and rank `r-b` (inclusive)"
  if (tuples.length < 1 || tuples.length > data.rank() - batch_axes)
    call.invalid("indices of the shape {} do not fit data of the shape {}", to_text(shape), to_text(data.shape()));
  // "All values in `indices` are expected to be within bounds [-s, s-1] along axis of size `s`"
  for (std::size_t i = 0; i < tuples.indices.size(); ++i) {
    const std::int64_t axis = batch_axes + static_cast<std::int64_t>(i) % tuples.length;
    tuples.indices[i] = call.index(tuples.indices[i], data.shape()[to_size(axis)]);
  }
  return tuples;
}

/// The position of the element of data that a position in the outputs of GatherND, or in the updates of ScatterND,
/// means: the batch axes, the tuple that the next axes name, and the axes of the slice.
Position position_in_data(const Position& position, const IndexTuples& tuples, const Shape& indices,
                          std::ptrdiff_t batch_axes) {
  Position source(position.begin(), position.begin() + batch_axes);
  const Position row(position.begin(), position.begin() + std::ssize(indices) - 1);
  const std::int64_t place = index_of(row, Shape(indices.begin(), indices.end() - 1));
  const auto tuple = tuples.tuple(place);
  source.insert(source.end(), tuple.begin(), tuple.end());
  source.insert(source.end(), position.begin() + std::ssize(row), position.end());
  return source;
}

/// "indices_shape[:-1] + data_shape[batch_dims + indices_shape[-1]:]"
Shape shape_of_slices(const Shape& data, const Shape& indices, std::int64_t batch_axes) {
  Shape shape(indices.begin(), indices.end() - 1);
  shape.insert(shape.end(), data.begin() + batch_axes + indices.back(), data.end());
  return shape;
}

Tensors gather_nd(OperatorCall& call) {
  const Tensor& data = call.input(0);
  const Shape& indices = call.input(1).shape();
  const std::int64_t batch_axes = call.integer("batch_dims", 0);
  // "0 <= b < min(q, r)", and "the first `b` dimensions of the shape of `indices` tensor and `data` tensor must be
  // equal"
  if (batch_axes < 0 || batch_axes >= std::min(std::ssize(indices), std::ssize(data.shape())) ||
      !std::equal(indices.begin(), indices.begin() + batch_axes, data.shape().begin()))
    call.fail("batch_dims is {}, data has the shape {}, and indices have the shape {}", batch_axes,
              to_text(data.shape()), to_text(indices));
  const IndexTuples tuples = tuples_of(call, batch_axes);
  const Shape shape = call.checked(shape_of_slices(data.shape(), indices, batch_axes));
  return {rearranged(
      data, shape, [&](const Position& position) { return position_in_data(position, tuples, indices, batch_axes); })};
}

/// For each element of data, the indices of the updates for it.
using Updates = std::vector<std::vector<std::int64_t>>;

template <class Target>
Updates updates_of(const OperatorCall& call, const Target& target) {
  const Tensor &data = call.input(0), &updates = call.input(2);
  call.require_same_type(data, updates);
  Updates made(to_size(data.size()));
  std::int64_t next = 0;
  for_each_position(updates.shape(), [&](const Position& position) {
    made[to_size(index_of(target(position), data.shape()))].push_back(next++);
  });
  return made;
}

Updates scatter_nd(const OperatorCall& call) {
  const Tensor& data = call.input(0);
  const Shape& indices = call.input(1).shape();
  const IndexTuples tuples = tuples_of(call, 0);
  // "the shape of `updates` must equal indices.shape[0:q-1] ++ data.shape[k:r]"
  if (call.input(2).shape() != shape_of_slices(data.shape(), indices, 0))
    call.invalid("updates have the shape {}, not {}", to_text(call.input(2).shape()),
                 to_text(shape_of_slices(data.shape(), indices, 0)));
  return updates_of(call, [&](const Position& position) { return position_in_data(position, tuples, indices, 0); });
}

/// The indices of GatherElements and ScatterElements along the axis, counted from the front.
std::vector<std::int64_t> indices_along(const OperatorCall& call, std::size_t axis) {
  const Tensor& data = call.input(0);
  const Shape& shape = call.input(1).shape();
  bool fits = shape.size() == data.shape().size();
  for (std::size_t d = 0; fits && d < shape.size(); ++d) fits = d == axis || shape[d] <= data.shape()[d];
  if (!fits)
    call.fail("indices of the shape {} do not fit data of the shape {}", to_text(shape), to_text(data.shape()));
  std::vector<std::int64_t> indices = call.integers_of_input(1);
  for (std::int64_t& index : indices) index = call.index(index, data.shape()[axis]);
  return indices;
}

/// "out[i][j][k] = input[index[i][j][k]][j][k] if axis = 0"
Tensors gather_elements(OperatorCall& call) {
  const Tensor& data = call.input(0);
  const Shape& shape = call.input(1).shape();
  const std::size_t axis = call.axis(call.integer("axis", 0), data.rank());
  const std::vector<std::int64_t> indices = indices_along(call, axis);
  call.checked(shape);
  return {rearranged(data, shape, [&](Position position) {
    position[axis] = indices[to_size(index_of(position, shape))];
    return position;
  })};
}

/// "output[indices[i][j]][j] = updates[i][j] if axis = 0"
Updates scatter_elements(const OperatorCall& call) {
  const Shape& shape = call.input(1).shape();
  const std::size_t axis = call.axis(call.integer("axis", 0), call.input(0).rank());
  const std::vector<std::int64_t> indices = indices_along(call, axis);
  // "updates: Tensor of rank r >=1 (same rank and shape as indices)"
  if (call.input(2).shape() != shape)
    call.invalid("updates have the shape {}, but indices {}", to_text(call.input(2).shape()), to_text(shape));
  return updates_of(call, [&](Position position) {
    position[axis] = indices[to_size(index_of(position, shape))];
    return position;
  });
}

/// "produced by creating a copy of the input `data`, and then updating its value to values specified by `updates`"
template <Updates (*updates_of_node)(const OperatorCall&)>
Tensors scattered(OperatorCall& call) {
  const Updates all = updates_of_node(call);
  Tensor output = call.input(0);
  for (std::int64_t place = 0; place < output.size(); ++place)
    for (const std::int64_t update : all[to_size(place)]) {
      const std::uint64_t code = call.input(2).code(update);
      if (update != all[to_size(place)].front() && output.code(place) != code)
        call.note_inexact("indices name an element twice");
      output.set_code(place, code);
    }
  return {output};
}

/// "none, add, mul" since version 16, and "max, min" since version 18
std::string reduction_of(const OperatorCall& call) {
  const std::string reduction = call.text("reduction", "none");
  if (const bool is_extremum = reduction == "max" || reduction == "min";
      reduction != "none" && reduction != "add" && reduction != "mul" && !(is_extremum && call.opset() >= 18))
    call.fail("the reduction is \"{}\"", reduction);
  return reduction;
}

std::uint64_t combined(OperatorCall& call, const std::string& reduction, ElementType type, std::uint64_t code,
                       std::uint64_t update) {
  const Value left = decode(type, code), right = decode(type, update);
  if (reduction == "add" || reduction == "mul") {
    ExactSum result(type);
    result.add(reduction == "mul" ? multiply(left, right) : left);
    if (reduction == "add") result.add(right);
    return result.code(call);
  }
  if (left.is_nan() || right.is_nan()) call.note_inexact("a comparison with NaN");
  return (reduction == "max" ? less(left, right) : less(right, left)) ? update : code;
}

/// "output[indices[i][j]][j] = f(output[indices[i][j]][j], updates[i][j])", in any order.
template <Updates (*updates_of_node)(const OperatorCall&)>
Tensors scatter_reduced(OperatorCall& call) {
  const std::string reduction = reduction_of(call);
  if (reduction == "none") return scattered<updates_of_node>(call);
  const Updates all = updates_of_node(call);
  Tensor output = call.input(0);
  const ElementType type = output.type();
  for (std::int64_t place = 0; place < output.size(); ++place)
    for (const std::int64_t update : all[to_size(place)]) {
      if (update != all[to_size(place)].front() && (reduction == "add" || reduction == "mul"))
        call.note_rounded("the result of several updates may depend on their order");
      output.set_code(place, combined(call, reduction, type, output.code(place), call.input(2).code(update)));
    }
  return {output};
}

/// The product of numbers, in any order. Each partial product may be flushed to zero.
Interval bounded_product(const Bounds& factors, const FloatPrecision& precision) {
  Interval product{1, 1};
  double above = 1;  // all other factors together
  for (const Interval& factor : factors) {
    product = multiply(product, factor);
    above *= std::max(1.0, factor.largest_magnitude());
  }
  const auto roundings = static_cast<double>(factors.size());
  if (!(above < precision.largest)) return {};
  return widened(rounded(product, roundings, precision), roundings * precision.smallest * above);
}

template <Updates (*updates_of_node)(const OperatorCall&)>
BoundedTensors bounded_scatter(OperatorCall& call) {
  const std::string reduction = reduction_of(call);
  const Updates all = updates_of_node(call);
  call.require_float(call.input(0));
  const FloatPrecision precision(call.input(0).type());
  const Bounds updates = call.bounds(2);
  BoundedTensor y{call.input(0).shape(), call.bounds(0)};
  for (std::size_t place = 0; place < all.size(); ++place) {
    if (all[place].empty()) continue;
    Interval& one = y.bounds[place];
    Bounds terms{one};
    for (const std::int64_t update : all[place]) terms.push_back(updates[to_size(update)]);
    if (reduction == "add") one = rounded(bounded_sum(terms, precision), precision);
    if (reduction == "mul") one = bounded_product(terms, precision);
    for (std::size_t i = 1; i < terms.size(); ++i) {
      if (reduction == "max") one = {std::max(one.low, terms[i].low), std::max(one.high, terms[i].high)};
      if (reduction == "min") one = {std::min(one.low, terms[i].low), std::min(one.high, terms[i].high)};
      if (reduction == "none") one = terms[i];
      if (reduction == "none" && i > 1 && !(one.is_point() && one == terms[i - 1]))
        call.note_inexact("indices name an element twice");
    }
  }
  return {y};
}

Tensors compress(OperatorCall& call) {
  const Tensor &input = call.input(0), &condition = call.input(1);
  if (condition.type() != ElementType::boolean || condition.rank() != 1)
    call.fail("condition is of type {} and has the shape {}", spec::name(condition.type()), to_text(condition.shape()));
  // "If not specified, input is flattened before elements being selected."
  const bool is_flat = !call.has_attribute("axis");
  const std::size_t axis = is_flat ? 0 : call.axis(call.integer("axis"), input.rank());
  Shape shape = is_flat ? Shape{input.size()} : input.shape();
  std::vector<std::int64_t> chosen;
  for (std::int64_t i = 0; i < condition.size(); ++i)
    if (condition.code(i) != 0) chosen.push_back(i);
  if (!chosen.empty() && chosen.back() >= shape[axis])
    call.fail("condition selects {} of {} slices", chosen.back(), shape[axis]);
  const Shape whole = shape;
  shape[axis] = std::ssize(chosen);
  return {make_tensor(input.type(), shape, [&](Position position) {
    position[axis] = chosen[to_size(position[axis])];
    return input.code(index_of(position, whole));
  })};
}

Tensors reverse_sequence(OperatorCall& call) {
  const Tensor& input = call.input(0);
  const std::int64_t batch = call.integer("batch_axis", 1), time = call.integer("time_axis", 0);
  // "Must be one of 1 (default), or 0."
  if (input.rank() < 2 || batch + time != 1 || batch * time != 0)
    call.fail("batch_axis is {}, time_axis is {}, and input has the shape {}", batch, time, to_text(input.shape()));
  const std::vector<std::int64_t> lengths = call.integers_of_input(1);
  const std::int64_t longest = input.shape()[to_size(time)];
  if (std::ssize(lengths) != input.shape()[to_size(batch)] ||
      std::ranges::any_of(lengths, [&](std::int64_t length) { return length < 0 || length > longest; }))
    call.fail("sequence_lens are {}, and input has the shape {}", to_text(lengths), to_text(input.shape()));
  return {rearranged(input, input.shape(), [&](Position position) {
    // "the operator reverses the first sequence_lens[i] elements on time axis, and copies elements whose index's
    // beyond"
    const std::int64_t length = lengths[to_size(position[to_size(batch)])];
    std::int64_t& index = position[to_size(time)];
    if (index < length) index = length - 1 - index;
    return position;
  })};
}

// clang-format off
constexpr std::array indexing_functions{
    OperatorFunction{"GatherElements", 11, gather_elements, "It is an indexing operation that produces its output by indexing into the input data tensor at index positions determined by elements of the `indices` tensor."},
    OperatorFunction{"GatherND", 11, gather_nd, "The output tensor is obtained by mapping each index-tuple in the `indices` tensor to the corresponding slice of the input `data`."},
    OperatorFunction{"ScatterElements", 11, scattered<scatter_elements>, "The output of the operation is produced by creating a copy of the input `data`, and then updating its value to values specified by `updates` at specific index positions specified by `indices`."},
    OperatorFunction{"ScatterND", 11, scattered<scatter_nd>, "The output of the operation is produced by creating a copy of the input `data`, and then updating its value to values specified by `updates` at specific index positions specified by `indices`."},
    OperatorFunction{"ScatterElements", 16, scatter_reduced<scatter_elements>, "`reduction` allows specification of an optional reduction operation, which is applied to all values in `updates` tensor into `output` at the specified `indices`.", bounded_scatter<scatter_elements>},
    OperatorFunction{"ScatterND", 16, scatter_reduced<scatter_nd>, "`reduction` allows specification of an optional reduction operation, which is applied to all values in `updates` tensor into `output` at the specified `indices`.", bounded_scatter<scatter_nd>},
    OperatorFunction{"Compress", 9, compress, "Selects slices from an input tensor along a given axis where condition evaluates to True for each axis index."},
    OperatorFunction{"ReverseSequence", 10, reverse_sequence, "For each slice i iterating on batch axis, the operator reverses the first sequence_lens[i] elements on time axis, and copies elements whose index's beyond sequence_lens[i] to the output."},
};
// clang-format on

}  // namespace

std::span<const OperatorFunction> indexing_operators() { return indexing_functions; }

}  // namespace touchstone::reference
