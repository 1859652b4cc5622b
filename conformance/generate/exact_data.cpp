#include "conformance/generate/exact_data.h"

#include <cstdint>
#include <utility>

#include "conformance/generate/ordered_codes.h"

namespace touchstone::conformance {

namespace {

std::uint64_t code_of_power_of_two(ElementType type, std::int64_t exponent) {
  switch (type) {
    case ElementType::boolean: return 1;
    case ElementType::int64:
    case ElementType::uint64: return std::uint64_t{1} << exponent;
    case ElementType::float64: return static_cast<std::uint64_t>(spec::format_of(type).exponent_bias + exponent) << 52;
    default: return nearest_code(type, 1 << exponent);
  }
}

Tensor filled(ElementType type, Shape shape, std::int64_t exponent) {
  Tensor tensor(type, std::move(shape));
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, code_of_power_of_two(type, exponent));
  return tensor;
}

}  // namespace

Tensor numbers(ElementType type, Shape shape) {
  Tensor tensor(type, std::move(shape));
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, code_of_power_of_two(type, i % 3));
  return tensor;
}

Tensor exact_data(std::size_t operand, ElementType type, Shape shape) {
  if (operand == x_operand) return filled(type, std::move(shape), 2);
  if (operand == scale_operand) return numbers(type, std::move(shape));
  const bool must_be_zero = !spec::is_integer(type) || type == ElementType::int32;
  return must_be_zero ? Tensor(type, std::move(shape)) : filled(type, std::move(shape), 0);
}

}  // namespace touchstone::conformance
