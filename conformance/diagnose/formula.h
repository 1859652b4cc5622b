// The formulas of both operators in the host's arithmetic, with steps that can be changed.
#pragma once

#include <cstdint>
#include <optional>

#include "conformance/diagnose/steps.h"
#include "conformance/files/names.h"
#include "reference/division.h"
#include "reference/outcome.h"
#include "reference/policy.h"
#include "reference/product.h"

namespace touchstone::conformance {

/// The formula of one node. It follows the policy's readings of values; granularity, types and shapes are those of the
/// given result. Keeps references to the arguments.
class Formula {
 public:
  /// `result` is the reference's result for this node and policy, of which only type, shape and parameters are used.
  Formula(const Node& node, const reference::Policy& policy, const reference::Result& result);

  /// The formula of the same node and result under a policy that differs only in readings that concern values, without
  /// the search for unusual zero points.
  Formula(const Formula& other, const reference::Policy& policy);

  /// False for opmx, which only the reference computes.
  bool is_known() const { return known_; }

  /// The code of element `index` of y; std::nullopt if the specification leaves it open.
  std::optional<std::uint64_t> operator()(std::int64_t index, const Steps& steps) const;

 private:
  struct Operands {
    double x;
    double scale;
    double zero_point;
    bool has_zero_point;
    bool is_negative_nan = false;  ///< the first of x and the scale that is NaN has a sign
  };

  void choose_arithmetic();
  bool is_per_axis() const;

  Operands read(std::int64_t index, const Steps& steps) const;
  double flushed_operand(double number, ElementType type) const;
  double flushed_result(double number, ElementType type) const;
  double converted(double number, ElementType type, bool through_float32) const;

  double quotient(const Operands& operands, const Steps& steps) const;
  std::optional<double> integer_of(double quotient, const Operands& operands, const Steps& steps) const;
  std::optional<double> integer_of_nan(double zero_point, const Steps& steps) const;
  /// The rounded quotient modulo 2^33, also if it is exact and has more bits than a double.
  double low_part(double rounded, const Operands& operands, const Steps& steps) const;
  double saturated(double integer, const Steps& steps) const;
  std::optional<double> small_float_of(double quotient, const Operands& operands, const Steps& steps) const;
  double float8_of(double sum, const Steps& steps) const;
  double clamped_to_float8(const Operands& operands) const;
  double emulated_float8(const Operands& operands) const;
  std::optional<double> float6_or_4_of(double sum, const Steps& steps) const;
  double fake_quantized(const Operands& operands) const;
  double scaled_to_levels(const Operands& operands) const;
  double truncated_sum(const Operands& operands, const Steps& steps) const;
  double with_zero_point(double quotient, const Operands& operands) const;

  double dequantized(const Operands& operands, const Steps& steps) const;
  double difference(const Operands& operands, const Steps& steps) const;
  double in_output_type(double number) const;
  double dequantized_in_output_type(const Operands& operands, bool folds_zero_point) const;
  double rounded_output(double number, bool from_finite, const Steps& steps) const;

  std::uint64_t encoded(double number, const Steps& steps) const;

  const Node& node_;
  const reference::Result& result_;
  const reference::Policy* policy_;
  const Tensor& x_;
  const Tensor& scale_;
  const Tensor* zero_point_;
  ElementType y_;
  bool known_ = true;
  reference::Division division_{};
  reference::Multiplication multiplication_{};
  reference::ZeroPointUse zero_points_ = reference::ZeroPointUse::as_in_formula;
  double absent_zero_point_ = 0;
  bool all_zero_points_are_zero_ = true;
  bool saturates_ = true;
  bool integers_saturate_ = true;
  bool fnuz_infinity_saturates_ = false;
};

}  // namespace touchstone::conformance
