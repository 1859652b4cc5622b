// Values at which implementations part: for every kind of cell, scales and zero points, and for each of them inputs on
// both sides of everything that happens.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/plan/cell.h"

namespace touchstone::conformance {

/// What of a cell decides which values are worth trying.
struct ValueKind {
  spec::Operator op;
  spec::ElementType x;
  spec::ElementType scale;
  spec::ElementType y;
  std::optional<spec::ElementType> precision;
  std::optional<spec::ElementType> zero_point;

  auto operator<=>(const ValueKind&) const = default;
};

ValueKind value_kind(const Cell& cell);

/// A scale and a zero point (0 where there is none), and inputs that are telling with them, first some that are most,
/// then the others; both in no particular order, so that a few in a row are a fair sample. All are codes.
struct DirectedValues {
  std::uint64_t scale;
  std::uint64_t zero_point;
  std::vector<std::uint64_t> x;
  std::size_t first = 0;  ///< so many at the front tell most apart, and are worth every second element of a case
};

/// The first ones are the most ordinary. QuantizeLinear: the last input before and the first after ties (next to 0, odd
/// and even, at both ends of the range), overflow of float outputs and quotients beyond int32, for every type in which
/// some reading divides; and special values of x. DequantizeLinear: all codes of types of 8 bits or less; of wider ones
/// extremes and inputs whose product depends on the type of the multiplication.
///
/// Computed once for each kind, and then shared: safe to call from several threads.
const std::vector<DirectedValues>& directed_values(const ValueKind& kind);

/// So many of the first ones have scales with which most inputs give results of their own.
inline constexpr std::size_t ordinary_kinds = 3;

}  // namespace touchstone::conformance
