// The formula for outputs of floating-point types.
#include <algorithm>
#include <cmath>

#include "conformance/diagnose/formula.h"

namespace touchstone::conformance {

using host::Rounding;
using reference::Division;
using reference::ZeroPointUse;
using spec::SpecialCodes;

// ---- QuantizeLinear

double Formula::with_zero_point(double quotient, const Operands& operands) const {
  if (!operands.has_zero_point) return quotient;
  const double zero_point = operands.zero_point;
  if (zero_point != 0 && zero_points_ == ZeroPointUse::ignored) return quotient;
  if (quotient == 0 && std::signbit(quotient) && zero_point == 0 && !std::signbit(zero_point)) {
    const bool keeps =
        spec::is_float6(y_)
            ? policy_->reading<spec::NegativeZeroToFloat6>() == spec::NegativeZeroToFloat6::negative_zero
            : policy_->reading<spec::NegativeZeroWithZeroPoint>() == spec::NegativeZeroWithZeroPoint::negative_zero;
    if (keeps) return quotient;
  }
  const double sum = quotient + zero_point;
  if (division_.kind != Division::Kind::in_format) return sum;
  switch (policy_->reading<spec::FloatZeroPointSum>()) {
    case spec::FloatZeroPointSum::only_to_output_type: break;
    case spec::FloatZeroPointSum::in_division_type:
      return flushed_result(host::round_to_type(sum, division_.type), division_.type);
    case spec::FloatZeroPointSum::in_wider_type:
      return host::round_to_type(sum,
                                 division_.type == ElementType::float64 ? ElementType::float64 : ElementType::float32);
  }
  return sum;
}

double Formula::float8_of(double sum, const Steps& steps) const {
  const double most = std::copysign(host::largest(y_), sum);
  const bool is_fnuz = host::special_codes(y_) == SpecialCodes::fnuz;
  const bool has_infinity = host::special_codes(y_) == SpecialCodes::ieee;
  if (std::isnan(sum)) return special(host::nan, steps.nan, -host::largest(y_), host::largest(y_));
  const bool saturates = steps.saturate == SaturateStep::as_given   ? saturates_
                         : steps.saturate == SaturateStep::inverted ? !saturates_
                                                                    : steps.saturate == SaturateStep::always;
  if (std::isinf(sum)) {
    if (steps.infinity == SpecialStep::swapped) sum = -sum;
    if (steps.infinity != SpecialStep::as_given && steps.infinity != SpecialStep::swapped)
      return special(sum, steps.infinity, -host::largest(y_), host::largest(y_));
    if (!saturates) return has_infinity ? sum : host::nan;
    const auto reading = policy_->reading<spec::InfinityToFnuz>();
    const bool is_nan =
        is_fnuz && (reading == spec::InfinityToFnuz::always_nan ||
                    (reading == spec::InfinityToFnuz::by_the_table_of_the_version && !fnuz_infinity_saturates_));
    return is_nan ? host::nan : std::copysign(most, sum);
  }
  const double rounded = host::round_to_fraction_bits(sum, y_, steps.output_rounding);
  const bool before = steps.tests_before_rounding ||
                      policy_->reading<spec::Float8OverflowTest>() == spec::Float8OverflowTest::before_rounding;
  if (std::fabs(rounded) > std::fabs(most) || (before && std::fabs(sum) > std::fabs(most))) {
    if (saturates) return most;
    if (steps.nan_of_e4m3fn_is_largest && y_ == ElementType::float8e4m3fn && std::fabs(rounded) == 480 &&
        std::fabs(sum) >= 480)
      return most;
    const bool only_by_rounding = std::fabs(sum) < std::ldexp(1.0, std::ilogb(most) + 1);
    const bool becomes_nan = (steps.overflow_by_rounding_is_nan && only_by_rounding) ||
                             policy_->reading<spec::Float8NanSign>() == spec::Float8NanSign::nan_instead_of_infinity;
    return has_infinity && !becomes_nan ? std::copysign(host::infinity, sum) : host::nan;
  }
  const bool is_carried = host::is_subnormal(sum, y_) && rounded != 0 && !host::is_subnormal(rounded, y_);
  if (steps.loses_subnormal_carry && is_carried) return is_fnuz ? 0 : std::copysign(0.0, sum);
  if (rounded == 0 && is_fnuz) return steps.keeps_negative_zero && std::signbit(sum) ? host::nan : 0;
  return rounded;
}

double Formula::clamped_to_float8(const Operands& operands) const {
  const double most = host::largest(y_);
  const double inverse = host::to_float32(1 / host::to_float32(operands.scale));
  const double quotient = host::to_float32(host::product(host::to_float32(operands.x), inverse));
  if (std::isnan(quotient)) return -most;
  const double clamped = std::clamp(quotient, -most, most);
  const double y = host::round_to_fraction_bits(host::round_to_float16_doubling_carries(clamped), y_);
  return y == 0 && host::special_codes(y_) == SpecialCodes::fnuz ? 0 : y;
}

double Formula::emulated_float8(const Operands& operands) const {
  const double most = host::largest(y_);
  const double float16_most = host::largest(ElementType::float16);
  const double quotient = host::to_float32(host::to_float32(operands.x) / host::to_float32(operands.scale));
  const bool truncates = host::special_codes(y_) == SpecialCodes::fn;
  if (std::isnan(quotient)) {
    // A division that creates a NaN creates a negative one.
    const bool is_created = !std::isnan(operands.x) && !std::isnan(operands.scale);
    return !truncates ? host::nan : is_created || operands.is_negative_nan ? -most : most;
  }
  const double half = host::round_to_float16_doubling_carries(std::clamp(quotient, -float16_most, float16_most));
  const double clamped = std::clamp(half, -most, most);
  if (!truncates || !host::is_subnormal(clamped, y_)) {
    const double y = host::round_to_fraction_bits(clamped, y_);
    return y == 0 && host::special_codes(y_) == SpecialCodes::fnuz ? 0 : y;
  }
  // With as many fraction bits as a normal number, if it does not fall below all subnormal ones.
  const int fraction_bits = spec::info(y_).format->fraction_bits;
  const double unit = std::ldexp(1.0, 1 - spec::info(y_).format->exponent_bias - fraction_bits);
  if (std::fabs(clamped) < unit) return 0;
  const int exponent = std::ilogb(clamped) - fraction_bits;
  const double rounded = std::ldexp(host::round_to_integer(std::ldexp(clamped, -exponent)), exponent);
  return std::trunc(rounded / unit) * unit;
}

std::optional<double> Formula::float6_or_4_of(double sum, const Steps& steps) const {
  const double most = host::largest(y_);
  if (std::isnan(sum)) {
    if (spec::is_float6(y_)) {
      switch (policy_->reading<spec::NanToFloat6>()) {
        case spec::NanToFloat6::undefined: return std::nullopt;
        case spec::NanToFloat6::maximum: return most;
        case spec::NanToFloat6::negative_zero: return -0.0;
      }
    }
    if (steps.nan != SpecialStep::as_given) return special(most, steps.nan, -most, most);
    switch (policy_->reading<spec::NanToFloat4>()) {
      case spec::NanToFloat4::maximum: return most;
      case spec::NanToFloat4::negative_zero: return -0.0;
      case spec::NanToFloat4::undefined: return std::nullopt;
    }
  }
  if (std::isinf(sum) && steps.infinity == SpecialStep::swapped) sum = -sum;
  if (std::isinf(sum) && steps.infinity == SpecialStep::zero) return 0;
  const double rounded = host::round_to_fraction_bits(sum, y_, steps.output_rounding);
  if (std::fabs(rounded) <= most) return rounded;
  const bool honours = policy_->reading<spec::SaturateWithFloat4>() == spec::SaturateWithFloat4::saturate_honoured ||
                       policy_->reading<spec::OverflowToFloat6>() == spec::OverflowToFloat6::saturate_honoured;
  return std::copysign(!saturates_ && honours ? 0 : most, sum);
}

std::optional<double> Formula::small_float_of(double quotient, const Operands& operands, const Steps& steps) const {
  if (spec::is_float8(y_) && steps.clamps_before_float8) return clamped_to_float8(operands);
  if (spec::is_float8(y_) && steps.emulates_float8_in_float16) return emulated_float8(operands);
  const bool integer_first =
      policy_->reading<spec::FloatOutputRounding>() == spec::FloatOutputRounding::to_integer_first;
  double sum = with_zero_point(integer_first ? host::round_to_integer(quotient) : quotient, operands);
  if (steps.output_through) sum = host::round_to_type(sum, *steps.output_through);
  if (division_.result_through_float32) sum = host::to_float32(sum);
  std::optional<double> y = spec::is_float8(y_) ? std::optional(float8_of(sum, steps)) : float6_or_4_of(sum, steps);
  if (!y) return y;
  if (steps.flushes_subnormals && host::is_subnormal(*y, y_)) *y = host::zero_of(*y, y_);
  return flushed_result(*y, y_);
}

// ---- DequantizeLinear

double Formula::difference(const Operands& operands, const Steps& steps) const {
  auto [x, scale, zero_point, has_zero_point, is_negative_nan] = operands;
  const ElementType type = x_.type();
  if (!spec::is_integer(type)) {
    if (!has_zero_point) return x;
    const bool in_question = spec::is_float8(type) ? zero_point != 0 || std::signbit(zero_point) : zero_point != 0;
    if (in_question && zero_points_ == ZeroPointUse::ignored) return x;
    return host::round_to_type(x - zero_point, ElementType::float32);
  }
  if (type == ElementType::int32 && (zero_point == 0 || zero_points_ == ZeroPointUse::ignored)) zero_point = 0;
  if (multiplication_.rounds_operands_first && has_zero_point) {
    x = converted(x, multiplication_.type, multiplication_.through_float32);
    zero_point = converted(zero_point, multiplication_.type, multiplication_.through_float32);
  }
  const double exact = x - zero_point;
  const bool is_signed = host::lowest(type) < 0;
  if (steps.saturates_difference) return std::clamp(exact, host::lowest(type), host::highest(type));
  const bool wraps =
      type == ElementType::int32
          ? policy_->reading<spec::Int32SubtractionOverflow>() == spec::Int32SubtractionOverflow::wrapping_int32
          : policy_->reading<spec::SubtractionWidth>() == spec::SubtractionWidth::wrapping;
  if (wraps && std::isfinite(exact)) return host::wrap(exact, spec::info(type).bits, is_signed);
  return exact;
}

double Formula::rounded_output(double number, bool from_finite, const Steps& steps) const {
  double y = flushed_result(host::round_to_type(number, y_, steps.output_rounding), y_);
  if (steps.flushes_subnormals && host::is_subnormal(y, y_)) y = host::zero_of(y, y_);
  if (std::isinf(y) && from_finite && policy_->reading<spec::DequantizeOverflow>() == spec::DequantizeOverflow::clamped)
    return std::copysign(host::largest(y_), y);
  if (std::isinf(y))
    y = special(y, steps.infinity, -host::largest(y_), host::largest(y_));
  else if (std::isnan(y))
    y = special(y, steps.nan, -host::largest(y_), host::largest(y_));
  const bool positive_zero =
      policy_->reading<spec::DequantizeSignedZero>() == spec::DequantizeSignedZero::positive_zero;
  return y == 0 && positive_zero ? 0 : y;
}

double Formula::in_output_type(double number) const {
  if (y_ == ElementType::bfloat16) return host::to_bfloat16_after_odd(number);
  return host::round_to_type(number, y_);
}

double Formula::dequantized_in_output_type(const Operands& operands, bool folds_zero_point) const {
  const bool is_bfloat16 = y_ == ElementType::bfloat16;
  const double zero_point = operands.has_zero_point ? in_output_type(operands.zero_point) : 0;
  const double scale = in_output_type(operands.scale);
  if (folds_zero_point) {
    const double x = is_bfloat16 ? in_output_type(operands.x) : host::to_float32(operands.x);
    const double of_zero_point = operands.has_zero_point ? in_output_type(host::to_float32(zero_point * scale)) : 0;
    return host::round_to_type(host::to_float32(x * scale - of_zero_point), y_);
  }
  const double most = host::largest(y_);
  const double x =
      in_output_type(is_bfloat16 || !std::isfinite(operands.x) ? operands.x : std::clamp(operands.x, -most, most));
  return in_output_type(host::to_float32(host::to_float32(x - zero_point) * scale));
}

double Formula::dequantized(const Operands& operands, const Steps& steps) const {
  if (steps.converts_operands_to_output_type || steps.folds_zero_point)
    return dequantized_in_output_type(operands, steps.folds_zero_point);
  const bool exact = multiplication_.exact && !steps.arithmetic;
  const ElementType type = steps.arithmetic.value_or(exact ? ElementType::float32 : multiplication_.type);
  const auto rounded = [&](double number) {
    const Rounding rounding = type == y_ ? steps.output_rounding : Rounding::half_to_even;
    return exact ? number : flushed_result(host::round_to_type(number, type, rounding), type);
  };
  const bool through_float32 = multiplication_.through_float32 && !steps.arithmetic;
  const auto operand = [&](double number) { return exact ? number : converted(number, type, through_float32); };
  const double scale = operand(operands.scale);
  if (steps.distributed || steps.fused) {
    const double of_zero_point = rounded(host::product(operand(operands.zero_point), scale));
    const double of_x = host::product(operand(operands.x), scale);
    const double sum = (steps.fused ? of_x : rounded(of_x)) - of_zero_point;
    return rounded_output(rounded(sum), std::isfinite(sum), steps);
  }
  const double minuend = difference(operands, steps);
  const bool from_finite = std::isfinite(minuend) && std::isfinite(operands.scale);
  const double factor = operand(minuend);
  if (steps.scale == ScaleStep::inverted) return rounded_output(rounded(factor / scale), from_finite, steps);
  if (steps.reciprocal) return rounded_output(rounded(factor / rounded(1 / scale)), from_finite, steps);
  return rounded_output(rounded(host::product(factor, scale)), from_finite, steps);
}

}  // namespace touchstone::conformance
