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
  explicit ExactSum(spec::ElementType type) : type_(type) {}

  void add(const Value& term);

  /// The code of the sum, rounded to the type. Notes that the sum is inexact unless all partial sums of all terms, in
  /// any order, are normal numbers of the type: all terms are multiples of some power of two, and the sum of their
  /// magnitudes is below 2^24 of it (for float32).
  std::uint64_t code(OperatorCall& call) const;

 private:
  bool is_exact() const;

  spec::ElementType type_;
  Value total_ = Value::zero(false);
  Value magnitudes_ = Value::zero(false);
  std::optional<int> lowest_bit_;  ///< the largest exponent e such that all terms are multiples of 2^e
  bool has_other_terms_ = false;   ///< NaN, an infinity, or a fraction whose denominator is not a power of two
};

}  // namespace touchstone::reference
