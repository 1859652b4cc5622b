// Operators whose results are among their inputs: they compare or choose, and compute nothing else.
#include <array>

#include "reference/codec.h"
#include "reference/graph/broadcasting.h"
#include "reference/graph/exact_sum.h"
#include "reference/graph/operators.h"
#include "reference/graph/positions.h"
#include "reference/graph/windows.h"
#include "reference/model/shape.h"
#include "reference/rounding.h"

namespace touchstone::reference {

namespace {

/// The codes of the larger or the smaller of two elements. The pages do not say what comparisons with NaN give.
class Extremum {
 public:
  Extremum(OperatorCall& call, ElementType type, bool larger) : call_(call), type_(type), larger_(larger) {}

  std::uint64_t operator()(std::uint64_t left, std::uint64_t right) const {
    const Value a = decode(type_, left), b = decode(type_, right);
    if (a.is_nan() || b.is_nan()) {
      call_.note_inexact("a comparison with NaN");
      return a.is_nan() ? left : right;
    }
    return (larger_ ? less(a, b) : less(b, a)) ? right : left;
  }

 private:
  OperatorCall& call_;
  ElementType type_;
  bool larger_;
};

// ---- Relu, Clip, Max, Min

Tensors relu(OperatorCall& call) {
  const Tensor& x = call.input(0);
  const std::uint64_t zero = encode(x.type(), Value::zero(false));
  const Extremum larger(call, x.type(), true);
  Tensor y(x.type(), x.shape());
  for (std::int64_t i = 0; i < x.size(); ++i) y.set_code(i, larger(zero, x.code(i)));  // "y = max(0, x)"
  return {y};
}

/// A null limit is absent.
Tensors clip(OperatorCall& call, const Tensor* min, const Tensor* max) {
  const Tensor& input = call.input(0);
  for (const Tensor* limit : {min, max}) {
    if (limit == nullptr) continue;
    call.require_same_type(input, *limit);
    if (!is_scalar_or_single(limit->shape())) call.fail("a limit of shape {}", to_text(limit->shape()));
  }
  const Extremum larger(call, input.type(), true), smaller(call, input.type(), false);
  if (min != nullptr && max != nullptr && larger(min->code(0), max->code(0)) != max->code(0) && call.opset() < 13)
    call.note_inexact("min is greater than max");
  Tensor output(input.type(), input.shape());
  for (std::int64_t i = 0; i < input.size(); ++i) {
    // "this is equivalent to 'Min(max, Max(input, min))'"
    std::uint64_t code = input.code(i);
    if (min != nullptr) code = larger(code, min->code(0));
    if (max != nullptr) code = smaller(code, max->code(0));
    output.set_code(i, code);
  }
  return {output};
}

std::optional<Tensor> limit_of(const OperatorCall& call, std::string_view name) {
  if (!call.has_attribute(name)) return std::nullopt;
  const ElementType type = call.input(0).type();
  Tensor limit(type, {});
  limit.set_code(0, encode(type, round_to_type(value_of(call.number(name, 0)), type)));
  return limit;
}

Tensors clip_6(OperatorCall& call) {
  const std::optional<Tensor> min = limit_of(call, "min"), max = limit_of(call, "max");
  return clip(call, min ? &*min : nullptr, max ? &*max : nullptr);
}
Tensors clip_11(OperatorCall& call) { return clip(call, call.optional_input(1), call.optional_input(2)); }

Tensors extremum(OperatorCall& call, bool larger) {
  const std::vector<const Tensor*> inputs = call.inputs_of_one_type();
  std::vector<Shape> shapes;
  for (const Tensor* input : inputs) shapes.push_back(input->shape());
  const Extremum choose(call, inputs.front()->type(), larger);
  return {make_tensor(inputs.front()->type(), broadcast_shape(call, shapes), [&](const Position& position) {
    const auto element = [&](const Tensor* input) { return input->code(broadcast_index(position, input->shape())); };
    std::uint64_t found = element(inputs.front());
    for (const Tensor* input : inputs) found = choose(found, element(input));
    return found;
  })};
}

Tensors max(OperatorCall& call) { return extremum(call, true); }
Tensors min(OperatorCall& call) { return extremum(call, false); }

// ---- MaxPool, GlobalMaxPool

Tensors maxima(OperatorCall& call, const std::vector<AxisWindows>& axes) {
  const Tensor& x = call.input(0);
  const Shape kernel = kernel_of(axes);
  const Shape shape = shape_of_windows(x.shape()[0], x.shape()[1], axes);
  const Extremum larger(call, x.type(), true);
  return {make_tensor(x.type(), call.checked(shape, element_count(kernel)), [&](const Position& position) {
    // "The output of each pooling window is maximum number of elements exclude pad."
    std::optional<std::uint64_t> found;
    for_each_position(kernel, [&](const Position& element) {
      const auto source = window_source(axes, position, element);
      if (!source) return;
      const std::uint64_t code = x.code(index_of(*source, x.shape()));
      found = found ? larger(*found, code) : code;
    });
    if (!found) call.note_inexact("a window without elements");
    return found.value_or(0);
  })};
}

Tensors max_pool(OperatorCall& call) {
  if (call.outputs() > 1) call.fail("the output Indices is not supported");
  return maxima(call, windows_of(call, call.input(0).shape(), call.integers("kernel_shape", {}), call.opset() >= 10));
}

Tensors global_max_pool(OperatorCall& call) { return maxima(call, global_windows(call, call.input(0).shape())); }

// ---- ArgMax, ArgMin

/// Which of equal extrema an index names.
enum class Occurrence { any, first, last };

/// The index of the extremum among the elements at `position`, with any index along the axis.
std::int64_t index_of_extremum(OperatorCall& call, Position position, std::size_t axis, bool larger,
                               Occurrence occurrence) {
  const Tensor& data = call.input(0);
  std::optional<Value> extremum;
  std::int64_t found = 0;
  bool is_tied = false;
  for (std::int64_t i = 0; i < data.shape()[axis]; ++i) {
    position[axis] = i;
    const Value element = decode(data.type(), data.code(index_of(position, data.shape())));
    if (element.is_nan()) {
      call.note_inexact("a comparison with NaN");
      continue;
    }
    const int order = extremum ? compare(element, *extremum) * (larger ? 1 : -1) : 1;
    is_tied = order == 0 || (is_tied && order < 0);
    if (order > 0 || (order == 0 && occurrence == Occurrence::last)) {
      extremum = element;
      found = i;
    }
  }
  if (is_tied && occurrence == Occurrence::any) call.note_inexact("the extremum is found more than once");
  return found;
}

Tensors arg_extremum(OperatorCall& call, bool larger, Occurrence occurrence) {
  const Tensor& data = call.input(0);
  const std::size_t axis = call.axis(call.integer("axis", 0), data.rank());
  const std::int64_t length = data.shape()[axis];
  if (length == 0) call.fail("the axis has the length 0");
  Shape shape = data.shape();
  shape[axis] = 1;
  const Tensor reduced = make_tensor(ElementType::int64, call.checked(shape, length), [&](const Position& position) {
    return static_cast<std::uint64_t>(index_of_extremum(call, position, axis, larger, occurrence));
  });
  // "If keepdims equals 0, then the resulting tensor has the reduced dimension pruned."
  if (call.integer("keepdims", 1) == 0) shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  return {Tensor(reduced.type(), shape, {reduced.bytes().begin(), reduced.bytes().end()})};
}

/// "If select_last_index is True (default False), the index of the last occurrence of the max is selected"
Occurrence selected_occurrence(const OperatorCall& call) {
  return call.integer("select_last_index", 0) != 0 ? Occurrence::last : Occurrence::first;
}

Tensors argmax_1(OperatorCall& call) { return arg_extremum(call, true, Occurrence::any); }
Tensors argmax_12(OperatorCall& call) { return arg_extremum(call, true, selected_occurrence(call)); }
Tensors argmin_1(OperatorCall& call) { return arg_extremum(call, false, Occurrence::any); }
Tensors argmin_12(OperatorCall& call) { return arg_extremum(call, false, selected_occurrence(call)); }

constexpr std::array selection_functions{
    OperatorFunction{"Relu", 6, relu, "y = max(0, x), is applied to the tensor elementwise.", nullptr, true},
    OperatorFunction{"Clip", 6, clip_6, "The interval is specified with arguments 'min' and 'max'.", nullptr, true},
    OperatorFunction{"Clip", 11, clip_11, "The interval is specified by the inputs 'min' and 'max'.", nullptr, true},
    OperatorFunction{"Max", 8, max, "Element-wise max of each of the input tensors (with Numpy-style broadcasting",
                     nullptr, true},
    OperatorFunction{"Min", 8, min, "Element-wise min of each of the input tensors (with Numpy-style broadcasting",
                     nullptr, true},
    OperatorFunction{"MaxPool", 8, max_pool,
                     "The output of each pooling window is maximum number of elements exclude pad.", nullptr, true},
    OperatorFunction{"GlobalMaxPool", 1, global_max_pool,
                     "This is equivalent to MaxPool with kernel size equal to the spatial dimension of input tensor.",
                     nullptr, true},
    OperatorFunction{"ArgMax", 1, argmax_1,
                     "Computes the indices of the max elements of the input tensor's element along the provided axis."},
    OperatorFunction{"ArgMax", 12, argmax_12,
                     "If select_last_index is True (default False), the index of the last occurrence of the max is "
                     "selected if the max appears more than once in the input."},
    OperatorFunction{"ArgMin", 1, argmin_1,
                     "Computes the indices of the min elements of the input tensor's element along the provided axis."},
    OperatorFunction{"ArgMin", 12, argmin_12,
                     "If select_last_index is True (default False), the index of the last occurrence of the min is "
                     "selected if the min appears more than once in the input."},
};

}  // namespace

std::span<const OperatorFunction> selection_operators() { return selection_functions; }

}  // namespace touchstone::reference
