// Values at which implementations part: for every kind of cell, scales and zero points, and for each of them inputs on
// both sides of everything that happens.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/plan/cell.h"

namespace touchstone::conformance {

/// Which scales there are. Ordinary ones are positive normal numbers: of others an implementation may say that they are
/// no scales.
enum class Scales { ordinary, negative, subnormal };

/// What of a cell decides which values are worth trying.
struct ValueKind {
  spec::Operator op;
  spec::ElementType x;
  spec::ElementType scale;
  spec::ElementType y;
  std::optional<spec::ElementType> precision;
  std::optional<spec::ElementType> zero_point;  ///< of one that need not be zero
  Scales scales = Scales::ordinary;

  auto operator<=>(const ValueKind&) const = default;
};

ValueKind value_kind(const Cell& cell, Scales scales = Scales::ordinary);

/// A scale and a zero point (0 where there is none), and inputs that are telling with them: first some whose results
/// are spread over all that there are, in an order in which any few in a row are spread as well; then the others, in no
/// particular order, so that a few in a row are a fair sample. All are codes.
struct DirectedValues {
  std::uint64_t scale;
  std::uint64_t zero_point;
  bool ordinary = true;  ///< with this scale most inputs give results of their own
  std::vector<std::uint64_t> x = {};
  std::size_t first = 0;  ///< so many at the front are spread, and worth every second element of a case
  /// A few inputs each that together tell every defect which any input tells with this scale and zero point: worth the
  /// first elements of a case.
  std::vector<std::vector<std::uint64_t>> covering_inputs = {};
  std::uint64_t reveals = 0;  ///< those defects, a bit for each; the same bits in all values of a kind
};

/// QuantizeLinear: the last input before and the first after ties (next to 0, odd and even, at both ends of the range)
/// and overflow of float outputs, for every type in which some reading or some defect divides; quotients beyond int32;
/// and special values of x. DequantizeLinear: all codes of types of 8 bits or less; of wider ones extremes and inputs
/// whose product depends on the type of the multiplication.
///
/// Computed once for each kind, and then shared: safe to call from several threads.
const std::vector<DirectedValues>& directed_values(const ValueKind& kind);

}  // namespace touchstone::conformance
