// Data with which no question of values arises: every quotient, product and sum is a small integer.
#pragma once

#include <cstddef>

#include "conformance/files/names.h"

namespace touchstone::conformance {

constexpr std::size_t x_operand = 0;
constexpr std::size_t scale_operand = 1;
constexpr std::size_t zero_point_operand = 2;

/// 1, 2, 4, 1 and so on, so that neighbouring elements differ.
Tensor numbers(ElementType type, Shape shape);

/// Values of an operand of a quantization operator: an x of 4, scales of 1, 2, 4, 1 and so on, and zero points of 1.
/// Zero points are 0 if others of their type are illegal or disputed. Nothing is rounded, and nothing exceeds the range
/// of a type of 4 bits or more, whatever scale and zero point belong to an element.
Tensor exact_data(std::size_t operand, ElementType type, Shape shape);

}  // namespace touchstone::conformance
