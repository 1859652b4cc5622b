// Sums of which every order of evaluation gives the same bits, on hosts that fuse products and on those that do not.
#pragma once

#include <cstdint>
#include <optional>

#include "reference/graph/operator_call.h"
#include "reference/value.h"
#include "spec/element_type.h"

namespace touchstone::reference {

/// The value of an attribute of type float.
Value value_of(float number);

/// Collects the terms of a sum.
class ExactSum {
 public:
  explicit ExactSum(ElementType type) : type_(type) {}

  void add(const Value& term);

  /// The sum of the same terms, each multiplied by 2^exponent.
  ExactSum scaled(int exponent) const;

  const Value& total() const { return total_; }

  /// Whether all partial sums of all terms, in any order, are normal numbers of the type: all terms are multiples of
  /// some power of two, and the sum of their magnitudes is below 2^24 of it (for float32).
  bool is_exact() const;

  /// The code of the sum, rounded to the type. Notes that the sum is inexact unless it is_exact(), or terms that are
  /// infinite or NaN decide alone, in any order, because the sum of the others does not overflow.
  std::uint64_t code(OperatorCall& call) const;

 private:
  ElementType type_;
  Value total_ = Value::zero(false);
  Value magnitudes_ = Value::zero(false);
  std::optional<int> lowest_bit_;   ///< the largest exponent e such that all terms are multiples of 2^e
  bool has_special_terms_ = false;  ///< NaN or an infinity
  bool has_other_terms_ = false;    ///< a fraction whose denominator is not a power of two
};

}  // namespace touchstone::reference
