// Activation functions. Results of exp() are exact only where all implementations round them to the same number.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "reference/codec.h"
#include "reference/graph/broadcasting.h"
#include "reference/graph/elementary.h"
#include "reference/graph/exact_sum.h"
#include "reference/graph/operators.h"
#include "reference/graph/positions.h"
#include "reference/host_numbers.h"
#include "reference/model/shape.h"
#include "reference/rounding.h"

namespace touchstone::reference {

namespace {

const Value zero_value = Value::zero(false);
const Value one_value = Value::scaled(false, 1, 0);

/// exp(-x) is less than half of the smallest number of the type from here on, and adds nothing to 1.
Value limit_of_exp(ElementType type) { return Value::of(Integer(type == ElementType::float64 ? 800 : 120)); }

/// A result of the host's exp(). It is noted as inexact, so it decides nothing.
std::uint64_t approximation(OperatorCall& call, ElementType type, double number) {
  call.note_rounded("exp is rounded");
  return rounded_code(type, number);
}

double number_of(const Value& value) {
  if (value.is_nan()) return nan;
  if (value.is_infinity()) return value.is_negative() ? -inf : inf;
  return static_cast<double>(value.rational());
}

/// The type of the input.
ElementType float_type(const OperatorCall& call) {
  call.require_float(call.input(0));
  return call.input(0).type();
}

/// The codes that a function gives for the elements of the input.
template <class Function>
Tensors activated(OperatorCall& call, const Function& function) {
  const Tensor& x = call.input(0);
  Tensor y(x.type(), call.checked(x.shape()));
  for (std::int64_t i = 0; i < x.size(); ++i) y.set_code(i, function(decode(x.type(), x.code(i))));
  return {y};
}

/// The bounds that a function gives for those of each element of the input.
template <class Function>
BoundedTensors bounded_elements(OperatorCall& call, const Function& function) {
  const FloatPrecision precision(float_type(call));
  BoundedTensor y{call.checked(call.input(0).shape()), call.bounds(0)};
  for (Interval& one : y.bounds) one = function(one, precision);
  return {y};
}

// ---- LeakyRelu, PRelu

Tensors leaky_relu(OperatorCall& call) {
  const ElementType type = float_type(call);
  const Value alpha = value_of(call.number("alpha", 0.01F));
  return activated(call, [&](const Value& x) {
    if (x.is_nan()) call.note_inexact("a comparison with NaN");
    if (x.is_nan() || !less(x, zero_value)) return encode(type, x);  // "f(x) = x for x >= 0"
    ExactSum product(type);
    product.add(multiply(alpha, x));  // "f(x) = alpha * x for x < 0"
    // Every float32 implementation rounds the same product. Others may round alpha or compute in float32.
    const Value rounded = round_to_type(multiply(alpha, x), type);
    const Value smallest = Value::scaled(false, 1, smallest_exponent(spec::format_of(type)));
    const bool is_normal = rounded.is_finite() && !less(rounded.is_negative() ? -rounded : rounded, smallest);
    if (type == ElementType::float32 && is_normal) return encode(type, rounded);
    return product.code(call);
  });
}

/// slope * x for x < 0, and x for x >= 0
Interval bounded_slope(const Interval& x, const Interval& slope, const FloatPrecision& precision) {
  if (!x.is_known()) return {};
  const Interval left = rounded(multiply({std::min(x.low, 0.0), std::min(x.high, 0.0)}, slope), 2, precision);
  if (!left.is_known()) return {};
  if (x.high < 0) return left;
  const Interval right{std::max(x.low, 0.0), x.high};
  return x.low >= 0 ? right : Interval{std::min(left.low, right.low), std::max(left.high, right.high)};
}

BoundedTensors bounded_leaky_relu(OperatorCall& call) {
  const auto alpha = static_cast<double>(call.number("alpha", 0.01F));
  return bounded_elements(call, [&](const Interval& x, const FloatPrecision& precision) {
    return bounded_slope(x, {alpha, alpha}, precision);
  });
}

/// The slope, whose shape and type fit x.
const Tensor& slope_of(const OperatorCall& call) {
  const Tensor &x = call.input(0), &slope = call.input(1);
  call.require_same_type(x, slope);
  if (broadcast_shape(call, {x.shape(), slope.shape()}) != x.shape())
    call.fail("slope of shape {} cannot be broadcast to {}", to_text(slope.shape()), to_text(x.shape()));
  return slope;
}

Tensors prelu(OperatorCall& call) {
  const ElementType type = float_type(call);
  const Tensor &x = call.input(0), &slope = slope_of(call);
  call.note_wide_inputs();
  return {make_tensor(type, x.shape(), [&](const Position& position) {
    if (call.is_discarded()) return std::uint64_t{0};
    const Value one = decode(type, x.code(index_of(position, x.shape())));
    if (one.is_nan() || !less(one, zero_value)) return encode(type, one);  // "f(x) = x for x >= 0"
    ExactSum product(type);
    product.add(multiply(decode(type, slope.code(broadcast_index(position, slope.shape()))), one));
    return product.code(call);  // "f(x) = slope * x for x < 0"
  })};
}

BoundedTensors bounded_prelu(OperatorCall& call) {
  const Tensor &x = call.input(0), &slope = slope_of(call);
  const FloatPrecision precision(float_type(call));
  const Bounds of_slope = call.bounds(1);
  BoundedTensor y{x.shape(), call.bounds(0)};
  std::size_t index = 0;
  for_each_position(y.shape, [&](const Position& position) {
    Interval& one = y.bounds[index++];
    one = bounded_slope(one, of_slope[to_size(broadcast_index(position, slope.shape()))], precision);
  });
  return {y};
}

// ---- Exp, Sqrt, Reciprocal, Tanh, Erf, Gelu

BoundedTensors bounded_function(OperatorCall& call, Interval (*function)(const Interval&),
                                const spec::FunctionAccuracy& accuracy) {
  return bounded_elements(call, [&](const Interval& x, const FloatPrecision& precision) {
    return evaluated(function(x), accuracy, precision);
  });
}

Interval reciprocal(const Interval& x) { return divide({1, 1}, x); }

BoundedTensors bounded_exp(OperatorCall& call) { return bounded_function(call, exp, spec::function_accuracy("Exp")); }
BoundedTensors bounded_sqrt(OperatorCall& call) {
  return bounded_function(call, sqrt, spec::function_accuracy("Sqrt"));
}
BoundedTensors bounded_reciprocal(OperatorCall& call) {
  return bounded_function(call, reciprocal, spec::function_accuracy("Reciprocal"));
}
BoundedTensors bounded_tanh(OperatorCall& call) {
  return bounded_function(call, tanh, spec::function_accuracy("Tanh"));
}
BoundedTensors bounded_erf(OperatorCall& call) { return bounded_function(call, erf, spec::function_accuracy("Erf")); }

/// "y = 0.5 * x * (1 + erf(x/sqrt(2)))" or "y = 0.5 * x * (1 + Tanh(sqrt(2/pi) * (x + 0.044715 * x^3)))". The sum
/// cancels for negative x, so the error is relative to x.
BoundedTensors bounded_gelu(OperatorCall& call) {
  const std::string approximate = call.text("approximate", "none");
  if (approximate != "none" && approximate != "tanh") call.fail("approximate is \"{}\"", approximate);
  return bounded_elements(call, [&](const Interval& x, const FloatPrecision& precision) {
    constexpr double root_of_half = 0x1.6a09e667f3bcdp-1, root_of_2_by_pi = 0x1.9884533d43651p-1;
    constexpr double roundings = 8;  // of any order of the products
    Interval function;
    if (approximate == "tanh") {
      const Interval sum = add(x, multiply({0.044715, 0.044715}, power(x, 3)));
      const Interval product = rounded(multiply(sum, {root_of_2_by_pi, root_of_2_by_pi}), roundings, precision);
      function = evaluated(tanh(product), spec::function_accuracy("Tanh"), precision);
    } else {
      const Interval product = rounded(multiply(x, {root_of_half, root_of_half}), roundings, precision);
      function = evaluated(erf(product), spec::function_accuracy("Erf"), precision);
    }
    const Interval factor = widened(add({1, 1}, function), roundings * precision.unit);
    return rounded(multiply(multiply(x, factor), {0.5, 0.5}), roundings, precision);
  });
}

// ---- Sigmoid, HardSigmoid, HardSwish

BoundedTensors bounded_sigmoid(OperatorCall& call) {
  return bounded_function(call, sigmoid, spec::function_accuracy("Sigmoid"));
}

/// "y = max(0, min(1, alpha * x + beta))". Implementations divide by 1 / alpha, too, or sum before they multiply.
Interval bounded_hard_sigmoid(const Interval& x, double alpha, double beta, const FloatPrecision& precision) {
  constexpr double roundings = 8;
  const Interval product = multiply({alpha, alpha}, x);
  const double magnitude = product.largest_magnitude() + std::fabs(beta);
  const Interval sum = widened(add(product, {beta, beta}), magnitude * precision.gamma(roundings));
  if (!sum.is_known()) return {};
  return {std::clamp(sum.low, 0.0, 1.0), std::clamp(sum.high, 0.0, 1.0)};
}

BoundedTensors bounded_hard_sigmoid(OperatorCall& call) {
  const auto alpha = static_cast<double>(call.number("alpha", 0.2F));
  const auto beta = static_cast<double>(call.number("beta", 0.5F));
  return bounded_elements(call, [&](const Interval& x, const FloatPrecision& precision) {
    return bounded_hard_sigmoid(x, alpha, beta, precision);
  });
}

/// "y = x * max(0, min(1, alpha * x + beta)) ..., where alpha = 1/6 and beta = 0.5". Implementations divide last, too.
BoundedTensors bounded_hard_swish(OperatorCall& call) {
  return bounded_elements(call, [](const Interval& x, const FloatPrecision& precision) {
    constexpr double roundings = 4;
    return rounded(multiply(x, bounded_hard_sigmoid(x, 1.0 / 6, 0.5, precision)), roundings, precision);
  });
}

Tensors sigmoid(OperatorCall& call) {
  const ElementType type = float_type(call);
  const Value limit = limit_of_exp(type);
  return activated(call, [&](const Value& x) {
    // "y = 1 / (1 + exp(-x))"
    if (x.is_zero()) return encode(type, Value::scaled(false, 1, -1));
    if (!x.is_nan() && !less(x, limit)) return encode(type, one_value);
    if (!x.is_nan() && !less(-x, limit)) return encode(type, zero_value);
    return approximation(call, type, 1 / (1 + std::exp(-number_of(x))));
  });
}

Tensors hard_sigmoid(OperatorCall& call) {
  const ElementType type = float_type(call);
  const Value alpha = value_of(call.number("alpha", 0.2F)), beta = value_of(call.number("beta", 0.5F));
  // Several times as much as rounding the attributes, the product and the sum can change the sum, relative to its
  // terms.
  const int precision = spec::format_of(type).fraction_bits - 3;
  return activated(call, [&](const Value& x) {
    // "y = max(0, min(1, alpha * x + beta))"
    const Value product = multiply(alpha, x);
    const Value y = add(product, beta);
    ExactSum sum(type);
    sum.add(product);
    sum.add(beta);
    if (y.is_nan()) {
      call.note_inexact("the page does not say what max and min give for NaN");
      return sum.code(call);
    }
    const Value terms = add(product.is_negative() ? -product : product, beta.is_negative() ? -beta : beta);
    const Value error = terms.is_finite() ? multiply(terms, Value::scaled(false, 1, -precision)) : zero_value;
    if (!less(y, add(one_value, error))) return encode(type, one_value);
    if (!less(-error, y)) return encode(type, zero_value);
    const std::uint64_t code = sum.code(call);
    if (!less(zero_value, y)) return encode(type, zero_value);
    return less(y, one_value) ? code : encode(type, one_value);
  });
}

// ---- Softmax

/// The elements that are normalized together: `length` of them, `step` apart.
struct SoftmaxRow {
  std::int64_t first;
  std::int64_t length;
  std::int64_t step;
};

/// The largest element; std::nullopt if there is a NaN.
std::optional<Value> largest_of(const std::vector<Value>& elements) {
  Value largest = elements.front();
  for (const Value& element : elements) {
    if (element.is_nan()) return std::nullopt;
    if (less(largest, element)) largest = element;
  }
  return largest;
}

/// Sets the elements of a row that equal the maximum to equal shares of 1, and all others to 0.
void share_equally(OperatorCall& call, const std::vector<Value>& elements, const Value& maximum, const SoftmaxRow& row,
                   Tensor& y) {
  ExactSum sum(y.type()), share(y.type());
  std::int64_t count = 0;
  for (const Value& element : elements)
    if (compare(element, maximum) == 0) {
      sum.add(one_value);
      ++count;
    }
  sum.code(call);
  share.add(divide(one_value, Value::of(Integer(count))));  // inexact unless the count is a power of two
  const std::uint64_t code = share.code(call);
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (compare(elements[i], maximum) == 0) y.set_code(row.first + static_cast<std::int64_t>(i) * row.step, code);
}

void normalize(OperatorCall& call, const Tensor& x, const SoftmaxRow& row, Tensor& y) {
  std::vector<Value> elements;
  for (std::int64_t i = 0; i < row.length; ++i) elements.push_back(decode(x.type(), x.code(row.first + i * row.step)));
  const std::optional<Value> maximum = largest_of(elements);
  const bool is_finite = maximum && maximum->is_finite();
  const Value limit = limit_of_exp(x.type());
  const auto is_decided = [&](const Value& element) {
    return compare(element, *maximum) == 0 || !less(subtract(*maximum, element), limit);
  };
  if (is_finite && std::ranges::all_of(elements, is_decided)) return share_equally(call, elements, *maximum, row, y);
  std::vector<double> exponentials;
  double sum = 0;
  for (const Value& element : elements) {
    const Value difference = is_finite ? subtract(element, *maximum) : Value::nan();
    exponentials.push_back(difference.is_infinity() ? 0 : std::exp(number_of(difference)));
    sum += exponentials.back();
  }
  for (std::int64_t i = 0; i < row.length; ++i)
    y.set_code(row.first + i * row.step,
               approximation(call, x.type(), exponentials[static_cast<std::size_t>(i)] / sum));
}

/// The first axis that is normalized, and the one after the last.
using SoftmaxAxes = std::pair<std::size_t, std::size_t>;

/// The input is seen as [outer, length, inner], and normalized along the middle.
template <class Visit>
void for_each_row(OperatorCall& call, const SoftmaxAxes& axes, const Visit& visit) {
  const Tensor& x = call.input(0);
  if (x.size() == 0) return;
  const auto at = [&](std::size_t axis) { return x.shape().begin() + static_cast<std::ptrdiff_t>(axis); };
  const std::int64_t length = call.product({at(axes.first), at(axes.second)});
  const std::int64_t inner = call.product({at(axes.second), x.shape().end()});
  for (std::int64_t start = 0; start < x.size(); start += length * inner)
    for (std::int64_t i = 0; i < inner; ++i) visit(SoftmaxRow{start + i, length, inner});
}

SoftmaxAxes axes_1(OperatorCall& call) {
  const Shape& shape = call.input(0).shape();
  return {call.axis(call.integer("axis", 1), std::ssize(shape)), shape.size()};
}

SoftmaxAxes axes_13(OperatorCall& call) {
  const std::size_t axis = call.axis(call.integer("axis", -1), call.input(0).rank());
  return {axis, axis + 1};
}

template <SoftmaxAxes (*axes)(OperatorCall&)>
Tensors softmax(OperatorCall& call) {
  Tensor y(float_type(call), call.checked(call.input(0).shape()));
  for_each_row(call, axes(call), [&](const SoftmaxRow& row) { normalize(call, call.input(0), row, y); });
  return {y};
}

/// The bounds of a row. With the exact sum of the exponentials, an element is e_i / (e_i + the others).
void bound_row(Bounds& elements, const SoftmaxRow& row, const FloatPrecision& precision) {
  const auto at = [&](std::int64_t i) -> Interval& { return elements[to_size(row.first + i * row.step)]; };
  double maximum = -inf, largest = 0;
  bool is_known = true;
  for (std::int64_t i = 0; i < row.length; ++i) {
    maximum = std::max(maximum, at(i).high);
    largest = std::max(largest, at(i).largest_magnitude());
    is_known = is_known && at(i).is_known();
  }
  Bounds exponentials;
  Interval sum{0, 0};
  double errors = 0;
  // Unit roundoffs of an exponential: its own, and those of its argument, which may be the difference to the maximum or
  // to the logarithm of the sum.
  const auto roundoffs = [&](const Interval& element) {
    return 2 * spec::function_accuracy("Exp").ulps + 2 * (maximum - element.low) + 2 * largest +
           2 * static_cast<double>(std::bit_width(static_cast<std::uint64_t>(row.length)));
  };
  for (std::int64_t i = 0; is_known && i < row.length; ++i) {
    exponentials.push_back(exp(Interval{at(i).low - maximum, at(i).high - maximum}));
    sum = add(sum, exponentials.back());
    errors += exponentials.back().high * roundoffs(at(i));
  }
  const auto terms = static_cast<double>(row.length);
  for (std::int64_t i = 0; i < row.length; ++i) {
    if (!is_known) {
      at(i) = {};
      continue;
    }
    const Interval own = exponentials[to_size(i)];
    const Interval share{own.low / (own.low + std::max(sum.high - own.high, 0.0)),
                         std::min(own.high / (own.high + std::max(sum.low - own.low, 0.0)), 1.0)};
    const double roundings = roundoffs(at(i)) + errors / sum.low + terms + 2 * spec::function_accuracy("Div").ulps + 1;
    // An exponential may be flushed to zero, or be no less than the smallest normal number.
    at(i) = widened(rounded(share, roundings, precision), 4 * precision.smallest);
    // Arguments so large that their roundoff says nothing: no rounding makes an exponential negative, or larger than
    // the sum.
    if (!at(i).is_known()) at(i) = {0, 1 + 16 * precision.unit};
  }
}

template <SoftmaxAxes (*axes)(OperatorCall&)>
BoundedTensors bounded_softmax(OperatorCall& call) {
  const FloatPrecision precision(float_type(call));
  BoundedTensor y{call.checked(call.input(0).shape()), call.bounds(0)};
  for_each_row(call, axes(call), [&](const SoftmaxRow& row) { bound_row(y.bounds, row, precision); });
  return {y};
}

constexpr std::array activation_functions{
    OperatorFunction{"LeakyRelu", 6, leaky_relu, "f(x) = alpha * x for x < 0, f(x) = x for x >= 0", bounded_leaky_relu},
    OperatorFunction{"PRelu", 7, prelu, "f(x) = slope * x for x < 0", bounded_prelu},
    OperatorFunction{"Exp", 6, nullptr, "Calculates the exponential of the given input tensor, element-wise.",
                     bounded_exp},
    OperatorFunction{"Sqrt", 6, nullptr, "the square root is, y = x^0.5, is applied to the tensor elementwise.",
                     bounded_sqrt},
    OperatorFunction{"Reciprocal", 6, nullptr, "the reciprocal is, y = 1/x, is applied to the tensor elementwise.",
                     bounded_reciprocal},
    OperatorFunction{"Tanh", 6, nullptr, "Calculates the hyperbolic tangent of the given input tensor element-wise.",
                     bounded_tanh},
    OperatorFunction{"Erf", 9, nullptr, "Computes the error function of the given input tensor element-wise.",
                     bounded_erf},
    OperatorFunction{"Gelu", 20, nullptr, "$y = 0.5 * x * (1 + erf(x/sqrt(2)))$ is applied to the tensor elementwise.",
                     bounded_gelu},
    OperatorFunction{"Sigmoid", 6, sigmoid, "y = 1 / (1 + exp(-x))", bounded_sigmoid},
    OperatorFunction{"HardSigmoid", 6, hard_sigmoid, "y = max(0, min(1, alpha * x + beta))", bounded_hard_sigmoid},
    OperatorFunction{"HardSwish", 14, nullptr,
                     "y = x * max(0, min(1, alpha * x + beta)) = x * HardSigmoid<alpha, beta>(x)", bounded_hard_swish},
    OperatorFunction{"Softmax", 1, softmax<axes_1>,
                     "input will be coerced into a 2-dimensional tensor with dimensions [a_0 * ... * a_{k-1}, a_k * "
                     "... * a_{n-1}].",
                     bounded_softmax<axes_1>},
    OperatorFunction{"Softmax", 13, softmax<axes_13>,
                     "Softmax(input, axis) = Exp(input) / ReduceSum(Exp(input), axis=axis, keepdims=1)",
                     bounded_softmax<axes_13>},
};

}  // namespace

std::span<const OperatorFunction> activation_operators() { return activation_functions; }

}  // namespace touchstone::reference
