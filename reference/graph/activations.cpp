// Activation functions. Results of exp() are exact only where all implementations round them to the same number.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "reference/codec.h"
#include "reference/graph/exact_sum.h"
#include "reference/graph/operators.h"
#include "reference/host_numbers.h"
#include "reference/model/shape.h"
#include "reference/rounding.h"

namespace touchstone::reference {

namespace {

using spec::ElementType;

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

// ---- LeakyRelu

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

// ---- Sigmoid, HardSigmoid

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

/// The input is seen as [outer, length, inner], and normalized along the middle.
Tensors softmax(OperatorCall& call, std::size_t first_axis, std::size_t end_axis) {
  const Tensor& x = call.input(0);
  Tensor y(x.type(), call.checked(x.shape()));
  if (x.size() == 0) return {y};
  const auto at = [&](std::size_t axis) { return x.shape().begin() + static_cast<std::ptrdiff_t>(axis); };
  const std::int64_t length = call.product({at(first_axis), at(end_axis)});
  const std::int64_t inner = call.product({at(end_axis), x.shape().end()});
  for (std::int64_t start = 0; start < x.size(); start += length * inner)
    for (std::int64_t i = 0; i < inner; ++i) normalize(call, x, {start + i, length, inner}, y);
  return {y};
}

Tensors softmax_1(OperatorCall& call) {
  float_type(call);
  const Tensor& x = call.input(0);
  return softmax(call, call.axis(call.integer("axis", 1), x.rank()), x.shape().size());
}

Tensors softmax_13(OperatorCall& call) {
  float_type(call);
  const std::size_t axis = call.axis(call.integer("axis", -1), call.input(0).rank());
  return softmax(call, axis, axis + 1);
}

constexpr std::array activation_functions{
    OperatorFunction{"LeakyRelu", 6, leaky_relu, "f(x) = alpha * x for x < 0, f(x) = x for x >= 0"},
    OperatorFunction{"Sigmoid", 6, sigmoid, "y = 1 / (1 + exp(-x))"},
    OperatorFunction{"HardSigmoid", 6, hard_sigmoid, "y = max(0, min(1, alpha * x + beta))"},
    OperatorFunction{"Softmax", 1, softmax_1,
                     "input will be coerced into a 2-dimensional tensor with dimensions [a_0 * ... * a_{k-1}, a_k * "
                     "... * a_{n-1}]."},
    OperatorFunction{"Softmax", 13, softmax_13,
                     "Softmax(input, axis) = Exp(input) / ReduceSum(Exp(input), axis=axis, keepdims=1)"},
};

}  // namespace

std::span<const OperatorFunction> activation_operators() { return activation_functions; }

}  // namespace touchstone::reference
