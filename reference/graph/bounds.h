// Intervals that contain every legal result of floating-point arithmetic.
//
// Sources: Higham, Accuracy and Stability of Numerical Algorithms, chapters 3 and 4, for sums in any order; IEEE 754
// for single operations. An implementation may fuse a product with a sum (FMA), sum in a wider type, skip the rounding
// of what DequantizeLinear gives, multiply integers and apply the product of the scales later, and flush subnormal
// numbers to zero. The intervals are computed in float64 without contraction, and without functions of the host whose
// results differ from host to host: they are the same everywhere.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "reference/model/tensor.h"
#include "reference/outcome.h"
#include "spec/element_type.h"

namespace touchstone::reference {

/// All numbers from `low` to `high`. Without limits if nothing is known; then a NaN is possible too.
struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool is_point() const { return low == high; }
  bool is_known() const;
  /// Of all numbers in it.
  double largest_magnitude() const;

  bool operator==(const Interval&) const = default;
};

/// One for each element of a tensor; integers by the numbers that they denote.
using Bounds = std::vector<Interval>;

struct BoundedTensor {
  Shape shape;
  Bounds bounds;
  std::optional<ElementType> type = std::nullopt;  ///< that of the first input
};
using BoundedTensors = std::vector<BoundedTensor>;

/// An integer output is open where more than this part of the type's codes is possible, but not because of two
/// neighbours. An output of another type is open where the bound is wider than this part of the largest number of the
/// tensor. Wider bounds prove little.
inline constexpr double widest_part = 1.0 / 16;

/// What a floating-point type means for rounding.
struct FloatPrecision {
  explicit FloatPrecision(ElementType type);

  int bits;         ///< of a significand
  double unit;      ///< the unit roundoff, with what computing in float64 adds
  double smallest;  ///< normal number
  double largest;   ///< finite number

  /// gamma_k = k u / (1 - k u), rounded up; infinite if k u is not small.
  double gamma(double roundings) const;
  bool has(double number) const;
};

Interval add(const Interval& left, const Interval& right);
Interval multiply(const Interval& left, const Interval& right);
/// Not known if the divisor may be zero.
Interval divide(const Interval& left, const Interval& right);
/// All numbers that differ by no more than this from one in the interval.
Interval widened(const Interval& exact, double by);
/// Every result of so many roundings of one of the numbers, each of which may also flush to zero.
Interval rounded(const Interval& exact, double roundings, const FloatPrecision& precision);
/// The result of one operation that IEEE 754 rounds: exact where the type has the number.
Interval rounded(const Interval& exact, const FloatPrecision& precision);

double number_of_code(ElementType type, std::uint64_t code);
/// Each element alone: an interval without width, or not known for infinities and NaN.
Bounds exact_bounds(const Tensor& tensor);
/// The numbers of a type that are next to the middles of the intervals.
Tensor middles(ElementType type, const Shape& shape, const Bounds& bounds);
/// The lowest and the highest number of the type in each interval, or next to it; the middle where it is not known.
CodeRange ends(ElementType type, const Shape& shape, const Bounds& bounds);
/// The intervals between the numbers of both, in any order.
Bounds between(const Tensor& left, const Tensor& right);
/// The elements whose bounds prove nothing; see widest_part.
std::vector<bool> open_elements(ElementType type, const Bounds& bounds);

}  // namespace touchstone::reference
