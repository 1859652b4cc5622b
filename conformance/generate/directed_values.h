// Values that distinguish implementations. For each kind of cell: scales and zero points, and for each pair of these,
// inputs on both sides of every threshold.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/generate/cover.h"
#include "conformance/plan/cell.h"

namespace touchstone::conformance {

/// The kinds of scales. Ordinary ones are positive normal numbers, and so is the smallest normal number; an
/// implementation may reject others as invalid.
enum class Scales { ordinary, negative, subnormal, smallest, smallest_normal };

/// The properties of a cell that determine its directed values.
struct ValueKind {
  Operator op;
  ElementType x;
  ElementType scale;
  ElementType y;
  std::optional<ElementType> precision;
  std::optional<ElementType> zero_point;  ///< set only if it may be nonzero
  Scales scales = Scales::ordinary;

  auto operator<=>(const ValueKind&) const = default;
};

ValueKind value_kind(const Cell& cell, Scales scales = Scales::ordinary);

/// A scale and a zero point (0 if absent), and inputs that are revealing with them. The first inputs have results that
/// are spread over the whole range, in an order in which any few consecutive ones are spread as well. The others are in
/// no particular order, so that a few consecutive ones are a fair sample. All values are codes.
struct DirectedValues {
  std::uint64_t scale;
  std::uint64_t zero_point;
  bool ordinary = true;  ///< most inputs give distinct results with this scale
  Codes x = {};
  std::size_t first = 0;  ///< the number of spread inputs at the front; they deserve every second element of a case
  /// Small selections of inputs. Each selection reveals every defect that any input reveals with this scale and zero
  /// point, and deserves the first elements of a case.
  std::vector<Codes> covering_inputs = {};
  std::uint64_t reveals = 0;  ///< the revealed defects, one bit for each; all values of a kind use the same bits
};

/// For QuantizeLinear: the last input before and the first after each tie (next to 0, odd and even, at both ends of the
/// range) and each overflow of float outputs, for every type in which some reading or some defect divides; quotients
/// beyond int32; and special values of x. For DequantizeLinear: all codes of types of at most 8 bits; for wider types,
/// extremes and inputs whose product depends on the type of the multiplication.
///
/// Computed once for each kind, and then shared. May be called from several threads.
const std::vector<DirectedValues>& directed_values(const ValueKind& kind);

/// The same for one operator, before doubles are removed and the inputs are put in order.
std::vector<DirectedValues> quantize_values(const ValueKind& kind);
std::vector<DirectedValues> dequantize_values(const ValueKind& kind);

}  // namespace touchstone::conformance
