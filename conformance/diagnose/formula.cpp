#include "conformance/diagnose/formula.h"

#include <algorithm>
#include <cmath>

#include "reference/integer_result.h"
#include "reference/interpretation.h"
#include "reference/interpreter.h"
#include "reference/signature.h"
#include "reference/zero_point_use.h"

namespace touchstone::conformance {

using host::Rounding;
using reference::Division;
using reference::Interpretation;
using reference::Sharing;
using reference::Signature;
using reference::ZeroPointUse;
using spec::SpecialCodes;

namespace {

bool is_narrow_float(ElementType type) { return !spec::is_integer(type) && spec::info(type).bits <= 8; }

// ---- which types the policy computes in: the functions of the reference

template <spec::AmbiguityStruct... A>
bool have_same_readings(const reference::Policy& left, const reference::Policy& right) {
  return ((left.reading<A>() == right.reading<A>()) && ...);
}

/// Whether both policies have the same readings of everything that Formula::choose_arithmetic asks for.
bool has_same_arithmetic(const reference::Policy& left, const reference::Policy& right) {
  using namespace spec;
  return have_same_readings<Float32Division, SameFloatDivisionBefore23, SameFloatDivision, MixedTypeDivision,
                            PrecisionValues, E8m0ScaleWithoutPrecision, Int32InputDivision, Int32Scale,
                            DoubleRoundingToFloat8, WhichVersion23, DivisionOfTheDraftOf23, LargeIntegerProduct,
                            ProductPrecisionBefore23, ProductPrecision, E8m0ScaleToFloat16, Int32ToBfloat16,
                            DefaultZeroPoint, SaturateValues, OpsetsBetweenVersions>(left, right);
}

Division division_of(const Signature& s, ElementType y, Interpretation& in) {
  if (s.version.domain != spec::ai_onnx) return reference::division_in_one_type(s, y, in);
  if (s.version.since_version < 19) return reference::division_by_float32(s, in);
  if (s.version.since_version < 23) return reference::division_in_one_type(s, y, in);
  const bool may_be_draft = s.version.since_version == 23 && s.x.type() != ElementType::int32;
  if (may_be_draft && in.reading<spec::WhichVersion23>() != spec::WhichVersion23::released)
    return reference::division_by_the_draft_of_23(s, y, in);
  return reference::division_by_precision_or_scale_type(s, y, in);
}

reference::Multiplication multiplication_of(const Signature& s, ElementType y, Interpretation& in) {
  if (s.version.domain != spec::ai_onnx) return reference::multiplication_of_scale_type(s, in);
  if (s.version.since_version < 19) return reference::multiplication_in_float32(s, in);
  if (s.version.since_version < 23) return reference::multiplication_of_scale_type(s, in);
  const bool may_be_draft = s.version.since_version == 23 && s.scale.type() != ElementType::float32;
  if (may_be_draft && in.reading<spec::WhichVersion23>() != spec::WhichVersion23::released)
    return reference::multiplication_of_scale_type(s, in);
  return reference::multiplication_in_output_type(s, y, in);
}

// ---- subnormal numbers

/// The types whose subnormal numbers a reading takes for zero.
struct FlushedTypes {
  bool float32_and_bfloat16, float8e8m0, float16, small;

  bool contain(ElementType type) const {
    switch (type) {
      case ElementType::float32:
      case ElementType::bfloat16: return float32_and_bfloat16;
      case ElementType::float8e8m0: return float8e8m0;
      case ElementType::float16: return float16;
      default: return small;
    }
  }
};

FlushedTypes flushed_operands(spec::Subnormals::Reading reading) {
  switch (reading) {
    case spec::Subnormals::flushes_wide_types:
    case spec::Subnormals::flushes_wide_operands: return {true, true, false, false};
    case spec::Subnormals::flushes_float32_and_bfloat16: return {true, false, false, false};
    case spec::Subnormals::flushes_float16_too: return {true, true, true, false};
    case spec::Subnormals::flushes_float16_only: return {false, false, true, false};
    case spec::Subnormals::flushes_all_types: return {true, true, true, true};
    default: return {};
  }
}

FlushedTypes flushed_results(spec::Subnormals::Reading reading) {
  switch (reading) {
    case spec::Subnormals::gradual_underflow:
    case spec::Subnormals::flushes_wide_operands: return {};
    case spec::Subnormals::flushes_wide_types:
    case spec::Subnormals::flushes_float32_and_bfloat16:
    case spec::Subnormals::flushes_wide_results: return {true, false, false, false};
    case spec::Subnormals::flushes_float16_too:
    case spec::Subnormals::flushes_results: return {true, false, true, false};
    case spec::Subnormals::flushes_float16_only: return {false, false, true, false};
    case spec::Subnormals::flushes_all_types: return {true, false, true, true};
  }
  return {};
}

/// The floating-point type in which languages with implicit conversions compute with both types.
ElementType common_type(ElementType left, ElementType right) {
  if (spec::is_integer(left)) return spec::is_integer(right) ? ElementType::float32 : right;
  return left == right || spec::is_integer(right) ? left : ElementType::float32;
}

// ---- operands

/// The index of the parameter if blocks are found in another way. `block_of` maps an index along a dimension.
template <class BlockOf>
std::int64_t by_blocks(std::int64_t index, const Sharing& sharing, const BlockOf& block_of) {
  std::int64_t parameter = 0;
  std::int64_t stride = 1;
  for (auto dimension = sharing.dimensions.rbegin(); dimension != sharing.dimensions.rend(); ++dimension) {
    parameter += stride * block_of(index % dimension->length, *dimension);
    index /= dimension->length;
    stride *= dimension->blocks;
  }
  return parameter;
}

std::int64_t find_parameter(std::int64_t index, const Sharing& sharing, Lookup lookup, const Tensor& parameters,
                            std::int64_t elements) {
  const std::int64_t count = parameters.size();
  switch (lookup) {
    case Lookup::by_granularity:
    case Lookup::by_last_axis: break;
    case Lookup::first: return 0;
    case Lookup::last: return count - 1;
    case Lookup::next: return std::min(sharing(index) + 1, count - 1);
    case Lookup::in_turn: return index % count;
    case Lookup::in_sequence: return index * count / elements;
    case Lookup::blocks_in_turn:
      return by_blocks(index, sharing, [](std::int64_t i, const reference::DimensionSharing& dimension) {
        return dimension.block == 1 ? i / dimension.block : i % dimension.blocks;
      });
    case Lookup::neighbour_of_tail:
      return by_blocks(index, sharing, [](std::int64_t i, const reference::DimensionSharing& dimension) {
        const std::int64_t block = i / dimension.block;
        const bool is_tail = block > 0 && block == dimension.length / dimension.block;
        return is_tail ? block - 1 : block;
      });
  }
  return sharing(index);
}

double with_other_sign(double integer, ElementType type) {
  const ElementTypeInfo& row = spec::info(type);
  return host::wrap(integer, row.bits, row.kind != NumberKind::signed_integer);
}

}  // namespace

Formula::Formula(const Node& node, const reference::Policy& policy, const reference::Result& result)
    : node_(node),
      result_(result),
      policy_(&policy),
      x_(*node.inputs[0]),
      scale_(*node.inputs[1]),
      zero_point_(reference::zero_point_of(node, result)),
      y_(result.y.type()) {
  for (std::int64_t i = 0; zero_point_ != nullptr && i < zero_point_->size() && all_zero_points_are_zero_; ++i)
    all_zero_points_are_zero_ = zero_point_->code(i) == 0;
  const OperatorVersion& version = reference::operator_version(node, policy);
  if (version.domain == spec::opmx) {
    known_ = false;
    return;
  }
  Interpretation in(version, policy);
  const Signature s{version, node, x_, scale_, zero_point_};
  if (node.op == Operator::dequantize_linear)
    zero_points_ = version.domain == spec::ai_onnx ? reference::subtracted_zero_points(s, in)
                                                   : reference::subtracted_zero_points_of_microsoft(s, in);
  else if (!spec::is_integer(y_))
    zero_points_ = reference::added_zero_points(s, in);
  choose_arithmetic();
}

Formula::Formula(const Formula& other, const reference::Policy& policy) : Formula(other) {
  policy_ = &policy;
  if (known_ && !has_same_arithmetic(*other.policy_, policy)) choose_arithmetic();
}

/// The choices that depend on the node as a whole.
void Formula::choose_arithmetic() {
  const OperatorVersion& version = reference::operator_version(node_, *policy_);
  Interpretation in(version, *policy_);
  const Signature s{version, node_, x_, scale_, zero_point_};
  const bool quantizes = node_.op == Operator::quantize_linear;
  const ElementType quantized = quantizes ? y_ : x_.type();
  const bool has_midpoint =
      zero_point_ == nullptr && spec::is_integer(quantized) && !reference::default_zero_point(quantized, in).is_zero();
  absent_zero_point_ = has_midpoint ? std::ldexp(1.0, spec::info(quantized).bits - 1) : 0;
  if (!quantizes) {
    multiplication_ = multiplication_of(s, y_, in);
    return;
  }
  division_ = division_of(s, y_, in);
  if (version.attribute(AttributeMeaning::saturate) != nullptr) {
    const std::int64_t saturate = s.attribute("saturate");
    const auto reading = policy_->reading<spec::SaturateValues>();
    saturates_ = reading == spec::SaturateValues::only_one_saturates ? saturate == 1 : saturate != 0;
    integers_saturate_ = saturates_ || reading != spec::SaturateValues::touches_other_types;
  }
  fnuz_infinity_saturates_ = version.since_version >= 24;
}

double Formula::flushed_operand(double number, ElementType type) const {
  if (!host::is_subnormal(number, type)) return number;
  return flushed_operands(policy_->reading<spec::Subnormals>()).contain(type) ? host::zero_of(number, type) : number;
}

double Formula::flushed_result(double number, ElementType type) const {
  if (!host::is_subnormal(number, type)) return number;
  return flushed_results(policy_->reading<spec::Subnormals>()).contain(type) ? host::zero_of(number, type) : number;
}

double Formula::converted(double number, ElementType type, bool through_float32) const {
  const double rounded = host::round_to_type(through_float32 ? host::to_float32(number) : number, type);
  return type == ElementType::float16 ? flushed_operand(rounded, type) : rounded;
}

bool Formula::is_per_axis() const { return scale_.rank() == 1 && scale_.size() > 1 && x_.rank() > 0; }

Formula::Operands Formula::read(std::int64_t index, const Steps& steps) const {
  Operands operands{};
  const ElementType x_type = x_.type();
  const std::uint64_t code = x_.code(index);
  operands.x = host::decode(x_type, code);
  if (spec::is_integer(x_type)) {
    if (steps.x_has_other_sign && x_type != ElementType::int32) operands.x = with_other_sign(operands.x, x_type);
  } else if (is_narrow_float(x_type)) {
    if (std::isnan(operands.x) && host::special_codes(x_type) == SpecialCodes::fnuz && steps.x_negative_nan_is_zero)
      operands.x = -0.0;
    if (std::isnan(operands.x) && host::special_codes(x_type) == SpecialCodes::fn && steps.x_nan_is_number)
      operands.x = (code & 0x80) != 0 ? -480 : 480;
    if (steps.x_negative_nan_is_number && host::special_codes(x_type) == SpecialCodes::fn && code == 0xff)
      operands.x = -480;
    if (steps.x_flushes_subnormals && host::is_subnormal(operands.x, x_type))
      operands.x = std::copysign(0.0, operands.x);
    operands.x = std::ldexp(operands.x, steps.x_exponent_error);
  }
  const auto is_bfloat16_constant = [&](std::size_t input, ElementType type) {
    return type == ElementType::bfloat16 && !node_.variable_inputs.contains(input);
  };
  if (steps.constant_bfloat16_bits_are_numbers && is_bfloat16_constant(0, x_type))
    operands.x = host::to_bfloat16_after_odd(static_cast<double>(code));
  if (!spec::is_integer(x_type)) operands.x = flushed_operand(operands.x, x_type);
  if (steps.x_type) operands.x = host::round_to_type(operands.x, *steps.x_type);

  const ElementType scale_type = scale_.type();
  const bool is_by_last_axis = steps.scale_of == Lookup::by_last_axis && is_per_axis();
  const std::int64_t of_scale =
      is_by_last_axis ? index % x_.shape().back()
                      : find_parameter(index, result_.parameters.scale, steps.scale_of, scale_, x_.size());
  operands.scale = host::decode(scale_type, scale_.code(of_scale));
  if (steps.scale_bits_are_number && !spec::is_integer(scale_type) && spec::info(scale_type).bits == 16)
    operands.scale = host::round_to_type(static_cast<double>(scale_.code(of_scale)), scale_type);
  if (steps.constant_bfloat16_bits_are_numbers && is_bfloat16_constant(1, scale_type))
    operands.scale = host::to_bfloat16_after_odd(static_cast<double>(scale_.code(of_scale)));
  if (std::isnan(operands.x))
    operands.is_negative_nan = (code >> (spec::info(x_type).bits - 1) & 1) != 0;
  else if (std::isnan(operands.scale))
    operands.is_negative_nan = (scale_.code(of_scale) >> (spec::info(scale_type).bits - 1) & 1) != 0;
  if (scale_type == ElementType::float8e8m0) {
    if (std::isnan(operands.scale) && steps.e8m0_nan_is_number) operands.scale = std::ldexp(1.0, 128);
    if (scale_.code(of_scale) == 0 && steps.e8m0_code_0_is_zero) operands.scale = 0;
    operands.scale = std::ldexp(operands.scale, steps.e8m0_exponent_error);
  }
  if (!spec::is_integer(scale_type)) operands.scale = flushed_operand(operands.scale, scale_type);
  if (steps.scale_type) operands.scale = host::round_to_type(operands.scale, *steps.scale_type);
  switch (steps.scale) {
    case ScaleStep::absolute: operands.scale = std::fabs(operands.scale); break;
    case ScaleStep::ignored: operands.scale = 1; break;
    case ScaleStep::power_of_two:
      if (std::isnormal(operands.scale))
        operands.scale = std::copysign(std::exp2(std::round(std::log2(std::fabs(operands.scale)))), operands.scale);
      break;
    case ScaleStep::as_given:
    case ScaleStep::inverted: break;
  }

  operands.has_zero_point = zero_point_ != nullptr && steps.zero_point != ZeroPointStep::ignored;
  if (zero_point_ == nullptr) operands.zero_point = absent_zero_point_;
  if (!operands.has_zero_point) return operands;
  const ElementType type = zero_point_->type();
  operands.zero_point = host::decode(
      type, zero_point_->code(is_by_last_axis ? of_scale
                                              : find_parameter(index, result_.parameters.zero_point,
                                                               steps.zero_point_of, *zero_point_, x_.size())));
  if (!spec::is_integer(type)) operands.zero_point = flushed_operand(operands.zero_point, type);
  if (steps.zero_point == ZeroPointStep::negated) operands.zero_point = -operands.zero_point;
  if (spec::is_integer(type)) {
    if (steps.zero_point == ZeroPointStep::with_other_sign)
      operands.zero_point = with_other_sign(operands.zero_point, type);
    if (steps.zero_point == ZeroPointStep::as_8_bits)
      operands.zero_point = host::wrap(operands.zero_point, 8, spec::info(type).kind == NumberKind::signed_integer);
  }
  return operands;
}

// ---- QuantizeLinear

double Formula::quotient(const Operands& operands, const Steps& steps) const {
  const auto [x, scale, zero_point, has_zero_point, is_negative_nan] = operands;
  const bool in_type =
      steps.arithmetic || division_.kind == Division::Kind::in_format || division_.kind == Division::Kind::reciprocal;
  const ElementType type = steps.arithmetic.value_or(division_.type);
  const auto rounded = [&](double number) {
    return in_type ? flushed_result(host::round_to_type(number, type), type) : number;
  };
  const bool through_float32 = division_.through_float32 && !steps.arithmetic;
  const auto operand = [&](double number) { return in_type ? converted(number, type, through_float32) : number; };
  if (steps.scale == ScaleStep::inverted) return rounded(operand(x) * operand(scale));
  const bool reciprocal = steps.reciprocal || (division_.kind == Division::Kind::reciprocal && !steps.arithmetic);
  if (reciprocal) {
    // The reciprocal of an integer scale is a float32 number.
    const ElementType of_reciprocal = in_type ? type : ElementType::float32;
    const double inverse = flushed_result(host::round_to_type(1 / operand(scale), of_reciprocal), of_reciprocal);
    if (steps.fused) return host::product(x, inverse);
    const double product = host::product(x, inverse);
    return flushed_result(host::round_to_type(product, of_reciprocal), of_reciprocal);
  }
  if (steps.fused) return operand(x) / operand(scale);
  if (!steps.arithmetic && division_.kind == Division::Kind::truncating) return std::trunc(x / scale);
  if (!steps.arithmetic && division_.kind == Division::Kind::flooring) return std::floor(x / scale);
  return rounded(operand(x) / operand(scale));
}

double Formula::saturated(double integer, const Steps& steps) const {
  double low = host::lowest(y_);
  double high = host::highest(y_);
  const bool is_signed = low < 0;
  const bool is_symmetric =
      (y_ == ElementType::int8 && policy_->reading<spec::Int8Range>() == spec::Int8Range::symmetric) ||
      (y_ == ElementType::int4 && policy_->reading<spec::FourBitRange>() == spec::FourBitRange::symmetric);
  switch (steps.range) {
    case RangeStep::of_type: break;
    case RangeStep::symmetric: low = -high * (is_signed ? 1 : 0); break;
    case RangeStep::one_less: high -= 1; break;
    case RangeStep::other_sign:
      low = is_signed ? 0 : -(high + 1) / 2;
      high = low + host::highest(y_) - host::lowest(y_);
      break;
    case RangeStep::of_8_bits:
      low = is_signed ? -128 : 0;
      high = low + 255;
      break;
    case RangeStep::positive_only: low = 0; break;
  }
  if (is_symmetric) low = std::max(low, -high);
  return std::clamp(integer, low, high);
}

std::optional<double> Formula::integer_of_nan(double zero_point, const Steps& steps) const {
  switch (policy_->reading<spec::NanToInteger>()) {
    case spec::NanToInteger::undefined: break;
    case spec::NanToInteger::minimum: return host::lowest(y_);
    case spec::NanToInteger::zero_point: return saturated(zero_point, steps);
    case spec::NanToInteger::maximum: return host::highest(y_);
    case spec::NanToInteger::zero: return 0;
  }
  return std::nullopt;
}

double Formula::low_part(double rounded, const Operands& operands, const Steps& steps) const {
  const bool is_exact = division_.kind == Division::Kind::exact && !steps.arithmetic && !steps.reciprocal &&
                        steps.scale != ScaleStep::inverted;
  if (!is_exact || std::fabs(rounded) < std::ldexp(1.0, 52)) return rounded;
  return host::round_to_integer(std::fmod(operands.x, std::ldexp(operands.scale, 33)) / operands.scale);
}

std::optional<double> Formula::integer_of(double quotient, const Operands& operands, const Steps& steps) const {
  const double zero_point = operands.zero_point;
  const bool has_finite_operands = std::isfinite(operands.x) && std::isfinite(operands.scale) && operands.scale != 0;
  const auto huge = policy_->reading<spec::HugeQuotient>();
  const bool huge_becomes_lowest = steps.huge_becomes_lowest || huge == spec::HugeQuotient::int32_minimum;
  constexpr double int32_minimum = -2147483648.0;
  constexpr double int32_maximum = 2147483647.0;
  if (std::isnan(quotient)) return integer_of_nan(zero_point, steps);
  if (steps.almost_half != AlmostHalfStep::not_added) return truncated_sum(operands, steps);
  if (steps.fake_quantize) return fake_quantized(operands);
  if (steps.scales_levels) return scaled_to_levels(operands);
  if (std::isinf(quotient)) {
    if (has_finite_operands &&
        policy_->reading<spec::Float16QuotientOverflow>() == spec::Float16QuotientOverflow::not_saturated)
      return int32_minimum + zero_point;
    if (!has_finite_operands && huge == spec::HugeQuotient::infinities_undefined) return std::nullopt;
    if (huge_becomes_lowest && !steps.sum_wraps_in_32_bits) return saturated(int32_minimum + zero_point, steps);
    if (!steps.sum_wraps_in_32_bits) {
      if (steps.infinity == SpecialStep::as_given) return saturated(quotient, steps);
      quotient = special(quotient, steps.infinity, host::lowest(y_), host::highest(y_));
      if (!std::isfinite(quotient)) return saturated(std::isnan(quotient) ? 0 : quotient, steps);
    }
  }
  if (!has_finite_operands && huge == spec::HugeQuotient::infinities_undefined) return std::nullopt;

  if (steps.fraction_bits_first)
    quotient = std::ldexp(host::round_to_integer(std::ldexp(quotient, *steps.fraction_bits_first)),
                          -*steps.fraction_bits_first);
  const auto round = [&](double number) {
    if (steps.adds_half) return std::floor(host::round_to_type(number + 0.5, ElementType::float32));
    switch (policy_->reading<spec::Ties>()) {
      case spec::Ties::to_even: break;
      case spec::Ties::away_from_zero: return host::round_to_integer(number, Rounding::half_away);
      case spec::Ties::upwards: return host::round_to_integer(number, Rounding::half_up);
    }
    return host::round_to_integer(number, steps.rounding);
  };
  const auto order = policy_->reading<spec::RoundingOrder>();
  if (steps.adds_before_rounding || (zero_point != 0 && order == spec::RoundingOrder::add_round_saturate)) {
    double sum = quotient + zero_point;
    if (steps.fused && steps.arithmetic) sum = host::round_to_type(sum, *steps.arithmetic);
    return saturated(round(sum), steps);
  }

  double rounded = round(quotient);
  const double low_bits = host::wrap(low_part(rounded, operands, steps), 32, true);
  if (huge_becomes_lowest && (rounded < int32_minimum || rounded > int32_maximum)) rounded = int32_minimum;
  if (steps.wraps_at) rounded = host::wrap(low_bits, *steps.wraps_at, true);
  if (zero_point != 0 && order == spec::RoundingOrder::round_saturate_add)
    return saturated(rounded, steps) + zero_point;
  if (steps.saturates_before_adding) rounded = saturated(rounded, steps);
  double sum = rounded + zero_point;
  if (zero_point != 0) {
    const auto addition = policy_->reading<spec::ZeroPointAddition>();
    const bool in_format = division_.kind == Division::Kind::in_format && !steps.arithmetic;
    if (addition == spec::ZeroPointAddition::in_division_type && in_format)
      sum = host::round_to_type(rounded + host::round_to_type(zero_point, division_.type), division_.type);
    if (addition == spec::ZeroPointAddition::wrapping_int32) sum = host::wrap(low_bits + zero_point, 32, true);
  }
  if (steps.sum_wraps_in_32_bits)
    sum = host::wrap(std::clamp(rounded, int32_minimum, int32_maximum) + zero_point, 32, true);
  if (steps.saturates_sum_in_16_bits) sum = std::clamp(sum, -32768.0, 32767.0);
  if (steps.wraps || !integers_saturate_) return low_bits + zero_point;
  const double y = saturated(sum, steps);
  const bool has_opposite_sign = steps.saturates_by_sign_of_x && operands.scale < 0 && y != sum;
  return has_opposite_sign ? saturated(std::copysign(host::infinity, operands.x), steps) : y;
}

double Formula::fake_quantized(const Operands& operands) const {
  const double low = host::lowest(y_);
  const double levels = host::to_float32(host::highest(y_) - low);  // without the first one
  const double input_low =
      host::to_float32(host::to_float32(operands.scale) * host::to_float32(low - operands.zero_point));
  const double input_high =
      host::to_float32(host::to_float32(operands.scale) * host::to_float32(host::highest(y_) - operands.zero_point));
  const double x = host::to_float32(operands.x);
  if (x <= std::min(input_low, input_high)) return low;
  if (x > std::max(input_low, input_high)) return host::highest(y_);
  const double share = host::to_float32(host::to_float32(x - input_low) / host::to_float32(input_high - input_low));
  const double level = host::round_to_integer(host::to_float32(share * levels));
  const double y = host::to_float32(host::to_float32(host::to_float32(level / levels) * levels) + low);
  return std::isnan(y) ? low : std::clamp(host::round_to_integer(y), low, host::highest(y_));
}

double Formula::scaled_to_levels(const Operands& operands) const {
  const double low = host::lowest(y_);
  const double high = host::highest(y_);
  const double input_low =
      host::to_float32(host::to_float32(operands.scale) * host::to_float32(low - operands.zero_point));
  const double input_high =
      host::to_float32(host::to_float32(operands.scale) * host::to_float32(high - operands.zero_point));
  const double factor = host::to_float32(host::to_float32(high - low) / host::to_float32(input_high - input_low));
  const double x = host::to_float32(operands.x);
  const auto y = [&] {
    // The levels of int8 without zero points need no offset.
    if (y_ == ElementType::int8 && all_zero_points_are_zero_)
      return host::round_to_integer(host::to_float32(x * factor));
    const double clamped = std::max(std::min(x, input_high), input_low);
    const double offset = host::to_float32(input_low * factor);
    return host::round_to_integer(host::to_float32(host::to_float32(clamped * factor) - offset)) + low;
  }();
  return std::isnan(y) ? low : std::clamp(y, low, high);
}

double Formula::truncated_sum(const Operands& operands, const Steps& steps) const {
  // The operands have their common type. Operations in float16 are exact enough in float32.
  const ElementType type = common_type(x_.type(), scale_.type());
  const auto converted = [type](double number) { return host::round_to_type(host::to_float32(number), type); };
  const auto rounded = [type](double number) {
    return type == ElementType::float16 ? host::to_float32(number)
                                        : host::round_to_type(host::to_float32(number), type);
  };
  const double x = converted(operands.x);
  const double scale = converted(operands.scale);
  double quotient = steps.reciprocal ? host::product(x, converted(1 / scale)) : x / scale;
  if (!steps.fused) quotient = rounded(quotient);
  const double almost_half = converted(0.4999999);
  const double zero_point = operands.zero_point;
  double sum = 0;
  switch (steps.almost_half) {
    case AlmostHalfStep::not_added:
    case AlmostHalfStep::to_quotient: sum = rounded(quotient + almost_half) + zero_point; break;
    case AlmostHalfStep::to_sum: sum = rounded(quotient + zero_point) + almost_half; break;
    case AlmostHalfStep::to_zero_point: sum = quotient + rounded(almost_half + zero_point); break;
  }
  const double integer = std::trunc(rounded(sum));
  const bool fits_int32 = integer >= -2147483648.0 && integer <= 2147483647.0;
  return std::clamp(fits_int32 ? integer : -2147483648.0, host::lowest(y_), host::highest(y_));
}

// ---- both

std::uint64_t Formula::encoded(double number, const Steps& steps) const {
  if (spec::is_integer(y_)) return host::encode(y_, number);
  if (steps.exponent_error == 0 || !std::isfinite(number) || number == 0) return host::encode(y_, number);
  const double wrong = host::round_to_fraction_bits(std::ldexp(number, steps.exponent_error), y_);
  const double most = host::largest(y_);
  return host::encode(y_, std::clamp(wrong, -most, most));
}

std::optional<std::uint64_t> Formula::operator()(std::int64_t index, const Steps& steps) const {
  if (steps.unwritten) return 0;
  if (steps.scale_of == Lookup::by_last_axis && is_per_axis() && index % x_.shape().back() >= scale_.size())
    return std::nullopt;
  const Operands operands = read(index, steps);
  if (node_.op == Operator::dequantize_linear) return encoded(dequantized(operands, steps), steps);
  const double q = quotient(operands, steps);
  const std::optional<double> y =
      spec::is_integer(y_) ? integer_of(q, operands, steps) : small_float_of(q, operands, steps);
  return y ? std::optional(encoded(*y, steps)) : std::nullopt;
}

}  // namespace touchstone::conformance
