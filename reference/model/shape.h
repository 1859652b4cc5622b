// Predicates on shapes for the rules on granularity.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "reference/model/tensor.h"

namespace touchstone::reference {

inline bool is_scalar(const Shape& shape) { return shape.empty(); }
/// Whether the shape is [] or [1], which mostly mean the same.
inline bool is_scalar_or_single(const Shape& shape) { return shape.empty() || shape == Shape{1}; }
/// Whether there is one element, of any rank.
inline bool has_one_element(const Shape& shape) {
  return std::all_of(shape.begin(), shape.end(), [](std::int64_t length) { return length == 1; });
}

/// "[2,3]"
inline std::string to_text(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ",")); }

constexpr std::int64_t ceiling_quotient(std::int64_t dividend, std::int64_t divisor) {
  return dividend / divisor + (dividend % divisor != 0 ? 1 : 0);
}

}  // namespace touchstone::reference
