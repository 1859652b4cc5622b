#include "reference/random/values.h"

#include <array>
#include <cmath>

#include "reference/codec.h"
#include "reference/interpreter.h"

namespace touchstone::reference {

namespace {

/// All exponents equally often, subnormal ones more often; a power of two, the number before one, or any fraction.
std::uint64_t hard_scale(Random& random, ElementType type) {
  const auto& format = spec::info(type).format;
  if (!format || format->fraction_bits == 0) return random();
  const std::uint64_t fractions = std::uint64_t{1} << format->fraction_bits;
  const std::uint64_t exponents = std::uint64_t{1} << format->exponent_bits;
  const std::uint64_t exponent = random() % 4 == 0 ? random() % 3 : random() % (exponents - 1);
  const std::array fraction{std::uint64_t{0}, std::uint64_t{1}, fractions - 1, random() % fractions};
  return exponent << format->fraction_bits | fraction[random() % fraction.size()];
}

}  // namespace

std::int64_t random_in(Random& random, std::int64_t first, std::int64_t last) {
  return std::uniform_int_distribution<std::int64_t>(first, last)(random);
}

std::uint64_t random_code(Random& random, ElementType type) {
  if (spec::is_integer(type)) return random() >> random_in(random, 0, 63);
  if (spec::info(type).bits <= 8 || random_in(random, 0, 5) == 0) return random();
  const std::int64_t zeros = random_in(random, 0, 12);
  const double significand = 1.0 + static_cast<double>(random_in(random, 0, 4095) >> zeros << zeros) / 4096;
  return rounded_code(
      type, std::ldexp(random() % 4 == 0 ? -significand : significand, static_cast<int>(random_in(random, -9, 9))));
}

Tensor random_tensor(Random& random, ElementType type, const Shape& shape) {
  Tensor tensor(type, shape);
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, random_code(random, type));
  return tensor;
}

Tensor random_zero_point(Random& random, ElementType type, const Shape& shape) {
  const bool is_zero = spec::is_integer(type) ? random() % 4 == 0 : random() % 3 != 0;
  return is_zero ? Tensor(type, shape) : random_tensor(random, type, shape);
}

double random_threshold(Random& random, ElementType type, double zero_point) {
  if (spec::is_integer(type)) {
    const auto low = static_cast<std::int64_t>(lowest(type));
    const auto high = static_cast<std::int64_t>(highest(type));
    const std::int64_t end = random() % 2 == 0 ? low : high;
    const std::int64_t place = random() % 2 == 0 ? random_in(random, low, high) : end + random_in(random, -2, 2);
    return static_cast<double>(place) + 0.5 - zero_point;
  }
  const double magnitude =
      std::ldexp(static_cast<double>(random_in(random, 1, 63)), static_cast<int>(random_in(random, -23, 12)));
  return random() % 2 == 0 ? magnitude : -magnitude;
}

void move_to_thresholds(Random& random, Tensor& x, const Tensor& scale, const Tensor* zero_point, ElementType y,
                        const ParameterMap& parameters) {
  for (std::int64_t i = 0; i < x.size(); ++i) {
    if (random() % 8 == 0) continue;
    const double step = number_of(scale.type(), scale.code(parameters.scale(i)));
    const double zero =
        zero_point == nullptr ? 0 : number_of(zero_point->type(), zero_point->code(parameters.zero_point(i)));
    const double threshold = step * random_threshold(random, y, zero);
    if (!std::isfinite(threshold)) continue;
    x.set_code(i, rounded_code(x.type(), threshold) + static_cast<std::uint64_t>(random_in(random, -2, 2)));
  }
}

void draw_values(Random& random, Node& node, bool may_break_rules) {
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (!node.inputs[i]) continue;
    Tensor& operand = *node.inputs[i];
    // "There's no zero point in the case of dequantizing int32."
    const bool must_be_zero = operand.type() == ElementType::int32 && node.domain == spec::ai_onnx && !may_break_rules;
    if (i != 2)
      operand = random_tensor(random, operand.type(), operand.shape());
    else if (!must_be_zero)
      operand = random_zero_point(random, operand.type(), operand.shape());
  }
  if (random() % 4 == 0) return;
  const Outcome outcome = interpret(node, {}, {});  // of no element
  const Result* result = outcome.result();
  if (result == nullptr || result->y.size() == 0) return;
  Tensor& scale = *node.inputs[1];
  const bool is_hard = random() % 2 == 0;
  for (std::int64_t i = 0; is_hard && i < scale.size(); ++i)
    if (random() % 2 == 0) scale.set_code(i, hard_scale(random, scale.type()));
  if (node.op == spec::Operator::quantize_linear)
    move_to_thresholds(random, *node.inputs[0], scale, zero_point_of(node, *result), result->y.type(),
                       result->parameters);
}

}  // namespace touchstone::reference
