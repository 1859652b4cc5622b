#include "conformance/diagnose/wrong_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "conformance/diagnose/node_changes.h"
#include "reference/host_numbers.h"
#include "reference/model/shape.h"

namespace touchstone::conformance {

using host::Rounding;
using reference::Node;
using reference::Tensor;
using spec::ElementType;
using enum WrongModelGroup;

namespace {

template <class A>
constexpr Choice reading(typename A::Reading reading) {
  return {spec::ambiguity_index<A>, static_cast<std::size_t>(reading)};
}

// ---- where

bool quantizes(const Place& place) { return place.node.op == spec::Operator::quantize_linear; }
bool dequantizes(const Place& place) { return place.node.op == spec::Operator::dequantize_linear; }

ElementType x_type(const Place& place) { return place.node.inputs[0]->type(); }
bool is_fnuz(ElementType type) {
  return !spec::is_integer(type) && spec::format_of(type).special_codes == spec::SpecialCodes::fnuz;
}
bool is_small_float(ElementType type) { return !spec::is_integer(type) && spec::info(type).bits <= 8; }
bool is_sub_byte(ElementType type) { return spec::info(type).bits < 8; }

bool has_sub_byte_input(const Place& place) { return dequantizes(place) && is_sub_byte(x_type(place)); }
bool has_byte_input(const Place& place) { return dequantizes(place) && spec::info(x_type(place)).bits == 8; }
bool has_16_bit_input(const Place& place) { return dequantizes(place) && spec::info(x_type(place)).bits == 16; }
bool has_fnuz_input(const Place& place) { return dequantizes(place) && is_fnuz(x_type(place)); }
bool has_fnuz_output(const Place& place) { return quantizes(place) && is_fnuz(place.y.type()); }
bool has_4_bit_output(const Place& place) { return spec::info(place.y.type()).bits == 4; }
bool has_16_bit_output(const Place& place) { return spec::info(place.y.type()).bits == 16; }
bool has_small_float_output(const Place& place) { return is_small_float(place.y.type()); }
bool has_integer_output(const Place& place) { return quantizes(place) && spec::is_integer(place.y.type()); }
bool is_constant(const Place& place, std::size_t input) { return !place.node.variable_inputs.contains(input); }
bool has_bfloat16_constant(const Place& place) {
  return (x_type(place) == ElementType::bfloat16 && is_constant(place, 0)) ||
         (place.node.inputs[1]->type() == ElementType::bfloat16 && is_constant(place, 1));
}
bool has_constant_scale(const Place& place) { return quantizes(place) && is_constant(place, 1); }
bool removes_node(const Place& place) {
  const auto& inputs = place.node.inputs;
  return has_constant_scale(place) && inputs[1]->size() == 1 &&
         reference::number_of(inputs[1]->type(), inputs[1]->code(0)) == 1 &&
         (inputs.size() < 3 || !inputs[2] || inputs[2]->code(0) == 0);
}
bool is_all_constant(const Place& place) { return quantizes(place) && place.node.variable_inputs.empty(); }

// Compilers compute constants in another way.
bool has_integer_output_and_constant_scale(const Place& place) {
  return has_integer_output(place) && is_constant(place, 1);
}
bool has_variable_input_and_float8_output(const Place& place) {
  return quantizes(place) && spec::is_float8(place.y.type()) && !is_constant(place, 0);
}
bool has_constants_and_float8_output(const Place& place) {
  return spec::is_float8(place.y.type()) && is_all_constant(place);
}
bool dequantizes_variable_to_16_bits(const Place& place) {
  return dequantizes(place) && has_16_bit_output(place) && !is_constant(place, 0);
}
bool dequantizes_constants_to_16_bits(const Place& place) {
  return dequantizes(place) && has_16_bit_output(place) && place.node.variable_inputs.empty();
}

bool is_beyond(const Place& place) { return place.element >= 65536; }
constexpr std::int64_t vector_length = 16;
/// In an incomplete last vector.
bool is_in_tail(const Place& place) {
  return quantizes(place) && place.element >= place.y.size() / vector_length * vector_length;
}
bool is_in_full_vector(const Place& place) {
  return quantizes(place) && place.element < place.y.size() / vector_length * vector_length;
}
bool is_last(const Place& place) { return place.element == place.y.size() - 1; }
bool is_of_length_17(const Place& place) { return quantizes(place) && place.y.size() == 17; }
bool is_second_run(const Place& place) { return quantizes(place) && place.run > 0; }
bool is_high_rank(const Place& place) { return quantizes(place) && place.y.rank() > 4; }

/// As a vector instruction might: affects eight elements together.
bool shares_vector_with_nan(const Place& place) {
  const Tensor& x = *place.node.inputs[0];
  if (!quantizes(place) || spec::is_integer(x.type()) || x.size() != place.y.size()) return false;
  const std::int64_t start = place.element / 8 * 8;
  const std::int64_t end = std::min(start + 8, x.size());
  for (std::int64_t i = start; i < end; ++i)
    if (std::isnan(host::decode(x.type(), x.code(i)))) return true;
  return false;
}

// ---- sources: the element of y that is written

std::int64_t elements_per_byte(const Tensor& y) {
  const int bits = spec::info(y.type()).bits;
  return bits == 4 || bits == 2 ? 8 / bits : 1;
}

/// The elements of a byte in the other order.
std::int64_t reversed(const Place& place) {
  const std::int64_t in_byte = elements_per_byte(place.y);
  const std::int64_t other = place.element - place.element % in_byte + (in_byte - 1 - place.element % in_byte);
  return other < place.y.size() ? other : -1;
}
std::int64_t swapped_nibbles(const Place& place) { return has_4_bit_output(place) ? reversed(place) : place.element; }
std::int64_t swapped_crumbs(const Place& place) {
  return spec::info(place.y.type()).bits == 2 ? reversed(place) : place.element;
}
/// Writes whole bytes only.
std::int64_t whole_bytes(const Place& place) {
  const std::int64_t in_byte = elements_per_byte(place.y);
  return place.element < place.y.size() / in_byte * in_byte ? place.element : -1;
}
/// Each row begins at a byte, and the last rows are cut off.
std::int64_t padded_rows(const Place& place) {
  const std::int64_t in_byte = elements_per_byte(place.y);
  if (in_byte == 1 || place.y.rank() < 2) return place.element;
  const std::int64_t row = place.y.shape().back();
  const std::int64_t padded = reference::ceiling_quotient(row, in_byte) * in_byte;
  const std::int64_t in_row = place.element % padded;
  return in_row < row ? place.element / padded * row + in_row : -1;
}

/// The clauses that the models of a group may violate.
std::span<const std::string_view> clauses_of(WrongModelGroup group) {
  static constexpr std::array<std::string_view, 5> of_rounding{"ql-round-half-even", "ql-float8-rounding",
                                                               "ql-float6-rounding", "ql-float4-rounding",
                                                               "dq-product-in-output-type"};
  static constexpr std::array<std::string_view, 5> of_arithmetic{
      "ql-formula", "ql-division-in-scale-type", "ql-division-in-precision", "dq-formula", "dq-product-in-output-type"};
  static constexpr std::array<std::string_view, 4> of_range{"ql-saturate-8-bit", "ql-saturate-16-bit",
                                                            "ql-saturate-4-bit", "ql-saturate-2-bit"};
  static constexpr std::array<std::string_view, 4> of_formula{"ql-formula", "dq-formula", "pmx-without-zero-point",
                                                              "pmx-float-zero-point"};
  static constexpr std::array<std::string_view, 6> of_axis{"qdq-per-axis", "qdq-axis-default", "qdq-axis-negative",
                                                           "qdq-blocked",  "pmx-grouped",      "pmx-per-channel"};
  static constexpr std::array<std::string_view, 4> of_packing{"onnx-4-bit-packing", "onnx-2-bit-packing",
                                                              "onnx-6-bit-packing", "pmx-packing"};
  static constexpr std::array<std::string_view, 8> of_small_floats{
      "ql-float8-rounding", "ql-float8-zero",     "ql-float6-rounding",      "ql-float4-rounding",
      "ql-float8-infinity", "ql-float8-overflow", "ql-fnuz-infinity-is-nan", "dq-float-values"};
  static constexpr std::array<std::string_view, 6> of_specials{
      "ql-float8-nan", "ql-float8-infinity", "ql-float8-overflow", "ql-float4-nan", "ql-formula", "dq-float-values"};
  switch (group) {
    case rounding: return of_rounding;
    case arithmetic: return of_arithmetic;
    case range: return of_range;
    case axis_and_blocks: return of_axis;
    case packing: return of_packing;
    case small_floats: return of_small_floats;
    case specials: return of_specials;
    case zero_point:
    case scale:
    case attributes:
    case position:
    case graphs:
    case other_reading: return of_formula;
  }
  return {};
}

using S = Steps&;
using Z = ZeroPointStep;

constexpr std::array node_rows{
    // ---- rounding
    WrongModel{.name = "rounds-half-away-from-zero",
               .group = rounding,
               .sentence = "rounds half away from zero",
               .reading = reading<spec::Ties>(spec::Ties::away_from_zero)},
    WrongModel{.name = "rounds-half-up",
               .group = rounding,
               .sentence = "rounds half upwards: adds a half and rounds down",
               .reading = reading<spec::Ties>(spec::Ties::upwards)},
    WrongModel{.name = "rounds-half-down",
               .group = rounding,
               .sentence = "rounds half downwards",
               .steps = [](S s) { s.rounding = Rounding::half_down; }},
    WrongModel{.name = "rounds-half-toward-zero",
               .group = rounding,
               .sentence = "rounds half toward zero",
               .steps = [](S s) { s.rounding = Rounding::half_toward_zero; }},
    WrongModel{.name = "rounds-half-to-odd",
               .group = rounding,
               .sentence = "rounds half to odd",
               .steps = [](S s) { s.rounding = Rounding::half_to_odd; }},
    WrongModel{.name = "rounds-toward-zero",
               .group = rounding,
               .sentence = "truncates: rounds toward zero",
               .steps = [](S s) { s.rounding = Rounding::toward_zero; }},
    WrongModel{.name = "rounds-away-from-zero",
               .group = rounding,
               .sentence = "rounds every fraction away from zero",
               .steps = [](S s) { s.rounding = Rounding::away_from_zero; }},
    WrongModel{.name = "rounds-down",
               .group = rounding,
               .sentence = "rounds down (floor)",
               .steps = [](S s) { s.rounding = Rounding::floor; }},
    WrongModel{.name = "rounds-up",
               .group = rounding,
               .sentence = "rounds up (ceil)",
               .steps = [](S s) { s.rounding = Rounding::ceil; }},
    WrongModel{.name = "adds-half-in-float32",
               .group = rounding,
               .sentence = "rounds by floor(x + 0.5) in float32, so that the sum is rounded as well",
               .steps = [](S s) { s.adds_half = true; }},
    WrongModel{.name = "adds-almost-half-and-truncates",
               .group = rounding,
               .sentence =
                   "rounds by truncating the sum of the quotient, 0.4999999 and the zero point to int32, where what "
                   "does not fit becomes the lowest number",
               .clauses = {"ql-round-half-even"},
               .steps = [](S s) { s.almost_half = AlmostHalfStep::to_quotient; }},
    WrongModel{.name = "adds-almost-half-last-and-truncates",
               .group = rounding,
               .sentence =
                   "rounds by truncating the sum of the quotient, the zero point and 0.4999999 to int32, where what "
                   "does not fit becomes the lowest number",
               .clauses = {"ql-round-half-even"},
               .steps = [](S s) { s.almost_half = AlmostHalfStep::to_sum; }},
    WrongModel{.name = "adds-almost-half-to-zero-point-and-truncates",
               .group = rounding,
               .sentence =
                   "rounds by truncating the sum of the quotient and (the zero point + 0.4999999) to int32, where what "
                   "does not fit becomes the lowest number",
               .clauses = {"ql-round-half-even"},
               .steps = [](S s) { s.almost_half = AlmostHalfStep::to_zero_point; }},
    WrongModel{.name = "rounds-after-zero-point",
               .group = rounding,
               .sentence = "adds the zero point before it rounds",
               .clauses = {"ql-round-half-even"},
               .reading = reading<spec::RoundingOrder>(spec::RoundingOrder::add_round_saturate)},
    WrongModel{.name = "rounds-twice",
               .group = rounding,
               .sentence = "rounds the quotient to 8 fraction bits, and then to an integer",
               .steps = [](S s) { s.fraction_bits_first = 8; }},
    WrongModel{.name = "rounds-float-outputs-to-integers",
               .group = rounding,
               .sentence = "rounds the quotient to an integer even if y has a floating-point type",
               .clauses = {"ql-float8-rounding", "ql-float6-rounding", "ql-float4-rounding"},
               .reading = reading<spec::FloatOutputRounding>(spec::FloatOutputRounding::to_integer_first)},
    WrongModel{.name = "truncates-products",
               .group = rounding,
               .sentence = "truncates the product to the output type",
               .steps = [](S s) { s.output_rounding = Rounding::toward_zero; },
               .where = dequantizes},
    WrongModel{.name = "rounds-products-half-away-from-zero",
               .group = rounding,
               .sentence = "rounds half away from zero when it converts the product to the output type",
               .steps = [](S s) { s.output_rounding = Rounding::half_away; },
               .where = dequantizes},

    // ---- arithmetic
    WrongModel{.name = "multiplies-by-reciprocal",
               .group = arithmetic,
               .sentence = "multiplies by the rounded reciprocal of the scale",
               .steps = [](S s) { s.reciprocal = true; },
               .where = quantizes},
    WrongModel{.name = "divides-by-reciprocal",
               .group = arithmetic,
               .sentence = "divides by the rounded reciprocal of the scale",
               .steps = [](S s) { s.reciprocal = true; },
               .where = dequantizes},
    WrongModel{.name = "divides-in-float16",
               .group = arithmetic,
               .sentence = "divides in float16",
               .steps = [](S s) { s.arithmetic = ElementType::float16; },
               .where = quantizes},
    WrongModel{.name = "divides-in-bfloat16",
               .group = arithmetic,
               .sentence = "divides in bfloat16",
               .steps = [](S s) { s.arithmetic = ElementType::bfloat16; },
               .where = quantizes},
    WrongModel{.name = "divides-in-float32",
               .group = arithmetic,
               .sentence = "divides in float32",
               .steps = [](S s) { s.arithmetic = ElementType::float32; },
               .where = quantizes},
    WrongModel{.name = "divides-in-float64",
               .group = arithmetic,
               .sentence = "divides in float64",
               .steps = [](S s) { s.arithmetic = ElementType::float64; },
               .where = quantizes},
    WrongModel{.name = "multiplies-in-float16",
               .group = arithmetic,
               .sentence = "multiplies in float16",
               .steps = [](S s) { s.arithmetic = ElementType::float16; },
               .where = dequantizes},
    WrongModel{.name = "multiplies-in-bfloat16",
               .group = arithmetic,
               .sentence = "multiplies in bfloat16",
               .steps = [](S s) { s.arithmetic = ElementType::bfloat16; },
               .where = dequantizes},
    WrongModel{.name = "rounds-input-to-float16",
               .group = arithmetic,
               .sentence = "rounds x to float16 before it divides",
               .steps = [](S s) { s.x_type = ElementType::float16; },
               .where = quantizes},
    WrongModel{.name = "rounds-input-to-bfloat16",
               .group = arithmetic,
               .sentence = "rounds x to bfloat16 before it divides",
               .steps = [](S s) { s.x_type = ElementType::bfloat16; },
               .where = quantizes},
    WrongModel{.name = "rounds-scale-to-float16",
               .group = arithmetic,
               .sentence = "rounds the scale to float16",
               .steps = [](S s) { s.scale_type = ElementType::float16; }},
    WrongModel{.name = "rounds-scale-to-bfloat16",
               .group = arithmetic,
               .sentence = "rounds the scale to bfloat16",
               .steps = [](S s) { s.scale_type = ElementType::bfloat16; }},
    WrongModel{.name = "fuses-reciprocal-and-zero-point",
               .group = arithmetic,
               .sentence = "computes x * (1 / scale) + zero point with one fused operation, and rounds the sum",
               .steps =
                   [](S s) {
                     s.reciprocal = s.fused = s.adds_before_rounding = true;
                     s.arithmetic = ElementType::float32;
                   },
               .where = quantizes},
    WrongModel{
        .name = "lowers-to-fake-quantize",
        .group = arithmetic,
        .sentence =
            "computes a FakeQuantize operation in float32: maps the inputs of the range of y to levels, and back",
        .steps = [](S s) { s.fake_quantize = true; },
        .where = quantizes},
    WrongModel{.name = "scales-to-levels",
               .group = arithmetic,
               .sentence = "if the scale is a constant, maps the inputs of the range of y to levels: multiplies by a "
                           "rounded factor and subtracts a rounded offset, in float32",
               .steps = [](S s) { s.scales_levels = true; },
               .where = has_integer_output_and_constant_scale},
    WrongModel{.name = "fuses-product-and-zero-point",
               .group = arithmetic,
               .sentence = "computes x * scale - (zero point * scale) with one fused operation",
               .steps = [](S s) { s.fused = true; },
               .where = dequantizes},
    WrongModel{.name = "distributes-scale",
               .group = arithmetic,
               .sentence = "computes x * scale - zero point * scale, and rounds both products",
               .steps = [](S s) { s.distributed = true; },
               .where = dequantizes},
    WrongModel{.name = "converts-operands-to-output-type",
               .group = arithmetic,
               .sentence = "if all inputs are constants, converts them to the type of y before it subtracts (float16 "
                           "saturates, and bfloat16 truncates after even numbers)",
               .steps = [](S s) { s.converts_operands_to_output_type = true; },
               .where = dequantizes_constants_to_16_bits},
    WrongModel{.name = "folds-zero-point-into-offset",
               .group = arithmetic,
               .sentence = "if x is not a constant, computes x * scale - (zero point * scale), and rounds zero point, "
                           "scale and the second product to the type of y (bfloat16 truncates after even numbers)",
               .steps = [](S s) { s.folds_zero_point = true; },
               .where = dequantizes_variable_to_16_bits},
    WrongModel{.name = "divides-integers-toward-zero",
               .group = arithmetic,
               .sentence = "divides integers and drops the fraction",
               .reading = reading<spec::Int32Scale>(spec::Int32Scale::truncating_division)},
    WrongModel{.name = "divides-integers-down",
               .group = arithmetic,
               .sentence = "divides integers and rounds down",
               .reading = reading<spec::Int32Scale>(spec::Int32Scale::flooring_division)},
    WrongModel{.name = "divides-in-input-type",
               .group = arithmetic,
               .sentence = "converts the scale to the type of x and divides in that type",
               .reading = reading<spec::MixedTypeDivision>(spec::MixedTypeDivision::in_input_type)},
    WrongModel{.name = "divides-in-e8m0",
               .group = arithmetic,
               .sentence = "rounds x and the quotient to powers of two if the scale is float8e8m0",
               .reading = reading<spec::E8m0ScaleWithoutPrecision>(spec::E8m0ScaleWithoutPrecision::in_scale_type)},
    WrongModel{.name = "flushes-subnormals-of-all-types",
               .group = arithmetic,
               .sentence = "flushes subnormal inputs and outputs of every type to zero (FTZ and DAZ)",
               .reading = reading<spec::Subnormals>(spec::Subnormals::flushes_all_types)},

    // ---- range
    WrongModel{.name = "converts-huge-quotients-to-lowest-int32",
               .group = range,
               .sentence = "converts the quotient to int32 before it saturates: 2^31 and more become the lowest value",
               .reading = reading<spec::HugeQuotient>(spec::HugeQuotient::int32_minimum)},
    WrongModel{.name = "wraps-in-int32",
               .group = range,
               .sentence = "converts the rounded quotient to int32 without saturating",
               .steps = [](S s) { s.wraps_at = 32; }},
    WrongModel{.name = "wraps-in-int16",
               .group = range,
               .sentence = "converts the rounded quotient to int16 without saturating",
               .steps = [](S s) { s.wraps_at = 16; }},
    WrongModel{.name = "wraps-in-int8",
               .group = range,
               .sentence = "converts the rounded quotient to int8 without saturating",
               .steps = [](S s) { s.wraps_at = 8; }},
    WrongModel{.name = "wraps-instead-of-saturating",
               .group = range,
               .sentence = "keeps the low bits of the result instead of saturating",
               .steps = [](S s) { s.wraps = true; }},
    WrongModel{.name = "casts-where-scale-is-1",
               .group = range,
               .sentence = "casts x if a constant scale is 1 and the zero point 0: truncates, and wraps around",
               .steps =
                   [](S s) {
                     s.rounding = Rounding::toward_zero;
                     s.wraps = true;
                   },
               .where = removes_node},
    WrongModel{.name = "wraps-sum-in-int32",
               .group = range,
               .sentence = "adds the zero point in int32 and wraps around on overflow",
               .reading = reading<spec::ZeroPointAddition>(spec::ZeroPointAddition::wrapping_int32)},
    WrongModel{.name = "wraps-sum-of-saturated-int32",
               .group = range,
               .sentence = "saturates the quotient to int32, and adds the zero point in int32, where it wraps around",
               .steps = [](S s) { s.sum_wraps_in_32_bits = true; }},
    WrongModel{.name = "wraps-sum-of-lowest-int32",
               .group = range,
               .sentence = "converts the quotient to int32, where all that does not fit becomes the lowest number, and "
                           "adds the zero point in int32, where it wraps around",
               .steps = [](S s) { s.huge_becomes_lowest = s.sum_wraps_in_32_bits = true; },
               .where = has_integer_output},
    WrongModel{.name = "saturates-by-sign-of-input",
               .group = range,
               .sentence = "saturates to the end of the range on the side of x, even if the scale is negative",
               .steps = [](S s) { s.saturates_by_sign_of_x = true; }},
    WrongModel{.name = "saturates-before-zero-point",
               .group = range,
               .sentence = "saturates before it adds the zero point, and again after it",
               .steps = [](S s) { s.saturates_before_adding = true; }},
    WrongModel{.name = "saturates-only-before-zero-point",
               .group = range,
               .sentence = "saturates before it adds the zero point, and wraps around after it",
               .reading = reading<spec::RoundingOrder>(spec::RoundingOrder::round_saturate_add)},
    WrongModel{.name = "saturates-symmetrically",
               .group = range,
               .sentence = "saturates signed types to a symmetric range",
               .steps = [](S s) { s.range = RangeStep::symmetric; }},
    WrongModel{.name = "saturates-below-highest",
               .group = range,
               .sentence = "saturates to one less than the highest value",
               .steps = [](S s) { s.range = RangeStep::one_less; }},
    WrongModel{
        .name = "saturates-to-other-sign",
        .group = range,
        .sentence =
            "saturates signed types to the range of the unsigned type, and unsigned ones to that of the signed type",
        .steps = [](S s) { s.range = RangeStep::other_sign; }},
    WrongModel{.name = "saturates-16-bits-to-8",
               .group = range,
               .sentence = "saturates 16-bit outputs to the range of 8 bits",
               .steps = [](S s) { s.range = RangeStep::of_8_bits; },
               .where = has_16_bit_output},
    WrongModel{.name = "saturates-small-types-to-8-bits",
               .group = range,
               .sentence = "saturates types of 4 or 2 bits to the range of 8 bits, and keeps the low bits",
               .steps = [](S s) { s.range = RangeStep::of_8_bits; },
               .where = [](const Place& p) { return spec::info(p.y.type()).bits < 6; }},
    WrongModel{.name = "saturates-negatives-to-zero",
               .group = range,
               .sentence = "saturates negative values to zero even for signed types",
               .steps = [](S s) { s.range = RangeStep::positive_only; }},
    WrongModel{.name = "saturates-in-int16",
               .group = range,
               .sentence = "saturates the sum to int16 before it saturates to the output type",
               .steps = [](S s) { s.saturates_sum_in_16_bits = true; }},
    WrongModel{.name = "does-not-saturate-float16-overflow",
               .group = range,
               .sentence = "does not saturate a quotient that overflows float16",
               .reading = reading<spec::Float16QuotientOverflow>(spec::Float16QuotientOverflow::not_saturated)},
    WrongModel{.name = "saturates-difference",
               .group = range,
               .sentence = "saturates x - zero point to the type of x",
               .clauses = {"dq-exact-difference"},
               .steps = [](S s) { s.saturates_difference = true; }},
    WrongModel{.name = "wraps-difference",
               .group = range,
               .sentence = "subtracts the zero point in the type of x and wraps around",
               .clauses = {"dq-exact-difference"},
               .reading = reading<spec::SubtractionWidth>(spec::SubtractionWidth::wrapping)},

    // ---- zero point
    WrongModel{.name = "ignores-zero-point",
               .group = zero_point,
               .sentence = "ignores the zero point",
               .steps = [](S s) { s.zero_point = Z::ignored; }},
    WrongModel{.name = "negates-zero-point",
               .group = zero_point,
               .sentence = "subtracts the zero point instead of adding it, or adds instead of subtracting",
               .steps = [](S s) { s.zero_point = Z::negated; }},
    WrongModel{.name = "reads-zero-point-with-other-sign",
               .group = zero_point,
               .sentence = "reads signed zero points as unsigned, and unsigned ones as signed",
               .steps = [](S s) { s.zero_point = Z::with_other_sign; }},
    WrongModel{.name = "reads-zero-point-as-8-bits",
               .group = zero_point,
               .sentence = "reads only the low 8 bits of a zero point",
               .steps = [](S s) { s.zero_point = Z::as_8_bits; }},
    WrongModel{.name = "uses-first-zero-point",
               .group = zero_point,
               .sentence = "uses the first zero point for all elements",
               .steps = [](S s) { s.zero_point_of = Lookup::first; }},
    WrongModel{.name = "uses-last-zero-point",
               .group = zero_point,
               .sentence = "uses the last zero point for all elements",
               .steps = [](S s) { s.zero_point_of = Lookup::last; }},
    WrongModel{.name = "uses-midpoint-as-default-zero-point",
               .group = zero_point,
               .sentence = "uses the middle of the range as the default zero point",
               .clauses = {"ql-default-uint8", "ql-output-dtype", "dq-default-zero-point"},
               .reading = reading<spec::DefaultZeroPoint>(spec::DefaultZeroPoint::midpoint)},
    WrongModel{.name = "ignores-int32-zero-point",
               .group = zero_point,
               .sentence = "ignores int32 zero points of com.microsoft",
               .reading = reading<spec::Int32ZeroPointOfMicrosoft>(spec::Int32ZeroPointOfMicrosoft::ignored)},
    WrongModel{.name = "keeps-zero-point-of-first-run",
               .group = zero_point,
               .sentence = "keeps the zero point of the first run",
               .before = keep_first_zero_point},

    // ---- scale
    WrongModel{.name = "uses-first-scale",
               .group = scale,
               .sentence = "uses the first scale for all elements",
               .steps = [](S s) { s.scale_of = Lookup::first; }},
    WrongModel{.name = "uses-last-scale",
               .group = scale,
               .sentence = "uses the last scale for all elements",
               .steps = [](S s) { s.scale_of = Lookup::last; }},
    WrongModel{.name = "uses-first-scale-and-zero-point",
               .group = scale,
               .sentence = "uses the first scale and the first zero point for all elements",
               .steps = [](S s) { s.scale_of = s.zero_point_of = Lookup::first; }},
    WrongModel{.name = "uses-next-scale",
               .group = scale,
               .sentence = "uses the scale after the correct one",
               .steps = [](S s) { s.scale_of = Lookup::next; }},
    WrongModel{.name = "takes-absolute-scale",
               .group = scale,
               .sentence = "takes the absolute value of the scale",
               .steps = [](S s) { s.scale = ScaleStep::absolute; }},
    WrongModel{.name = "ignores-scale",
               .group = scale,
               .sentence = "ignores the scale",
               .steps = [](S s) { s.scale = ScaleStep::ignored; }},
    WrongModel{.name = "rounds-scale-to-power-of-two",
               .group = scale,
               .sentence = "rounds the scale to a power of two",
               .steps = [](S s) { s.scale = ScaleStep::power_of_two; }},
    WrongModel{.name = "multiplies-instead-of-dividing",
               .group = scale,
               .sentence = "multiplies by the scale instead of dividing by it",
               .steps = [](S s) { s.scale = ScaleStep::inverted; },
               .where = quantizes},
    WrongModel{.name = "divides-instead-of-multiplying",
               .group = scale,
               .sentence = "divides by the scale instead of multiplying by it",
               .steps = [](S s) { s.scale = ScaleStep::inverted; },
               .where = dequantizes},
    WrongModel{.name = "keeps-scale-of-first-run",
               .group = scale,
               .sentence = "keeps the scale of the first run",
               .before = keep_first_scale},

    WrongModel{.name = "merges-similar-scales",
               .group = scale,
               .sentence = "uses the first scale for all if they differ by at most one percent",
               .before = merge_similar_scales},
    WrongModel{.name = "reads-scale-128-as-nan",
               .group = scale,
               .sentence = "takes a float8e8m0 scale of 128 for NaN",
               .before = read_scale_128_as_nan},

    // ---- axis and blocks
    WrongModel{.name = "ignores-axis",
               .group = axis_and_blocks,
               .sentence = "ignores the attribute axis and uses its default",
               .before = ignore_axis},
    WrongModel{.name = "takes-axis-0",
               .group = axis_and_blocks,
               .sentence = "uses axis 0, whatever the attribute is",
               .before = use_first_axis},
    WrongModel{.name = "takes-axis-1",
               .group = axis_and_blocks,
               .sentence = "uses axis 1, whatever the attribute is",
               .before = use_axis_1},
    WrongModel{.name = "takes-last-axis",
               .group = axis_and_blocks,
               .sentence = "uses the last axis, whatever the attribute is",
               .before = use_last_axis},
    WrongModel{.name = "guesses-first-axis-that-fits",
               .group = axis_and_blocks,
               .sentence = "uses the first axis whose length fits the scale",
               .before = use_first_axis_that_fits},
    WrongModel{.name = "guesses-last-axis-that-fits",
               .group = axis_and_blocks,
               .sentence = "uses the last axis whose length fits the scale",
               .before = use_last_axis_that_fits},
    WrongModel{.name = "counts-negative-axis-one-too-low",
               .group = axis_and_blocks,
               .sentence = "resolves a negative axis to one position too low",
               .clauses = {"qdq-axis-negative"},
               .before = use_axis_before_negative},
    WrongModel{.name = "counts-negative-axis-one-too-high",
               .group = axis_and_blocks,
               .sentence = "resolves a negative axis to one position too high",
               .clauses = {"qdq-axis-negative"},
               .before = use_axis_after_negative},
    WrongModel{.name = "drops-sign-of-axis",
               .group = axis_and_blocks,
               .sentence = "drops the sign of a negative axis",
               .clauses = {"qdq-axis-negative"},
               .before = drop_sign_of_axis},
    WrongModel{.name = "takes-axis-0-by-default",
               .group = axis_and_blocks,
               .sentence = "uses axis 0 if the attribute is absent",
               .clauses = {"qdq-axis-default"},
               .before = use_first_axis_by_default},
    WrongModel{.name = "takes-last-axis-by-default",
               .group = axis_and_blocks,
               .sentence = "uses the last axis if the attribute is absent",
               .clauses = {"qdq-axis-default"},
               .before = use_last_axis_by_default},
    WrongModel{.name = "takes-another-axis-at-rank-5",
               .group = axis_and_blocks,
               .sentence = "uses another axis if x has rank 5",
               .before = take_another_axis_at_rank_5},
    WrongModel{
        .name = "reads-parameters-along-last-axis",
        .group = axis_and_blocks,
        .sentence = "uses the index along the last axis for the scale and the zero point, and reads past their end",
        .steps = [](S s) { s.scale_of = Lookup::by_last_axis; }},
    WrongModel{.name = "takes-parameters-in-turn",
               .group = axis_and_blocks,
               .sentence = "cycles through the scales and zero points element by element, whatever the axis",
               .steps = [](S s) { s.scale_of = s.zero_point_of = Lookup::in_turn; }},
    WrongModel{.name = "takes-parameters-in-sequence",
               .group = axis_and_blocks,
               .sentence = "divides x in memory into equal parts, one for each scale and zero point, whatever the axis",
               .steps = [](S s) { s.scale_of = s.zero_point_of = Lookup::in_sequence; }},
    WrongModel{.name = "deals-blocks-in-turn",
               .group = axis_and_blocks,
               .sentence = "assigns elements to blocks by the remainder of their index, not by the quotient",
               .steps = [](S s) { s.scale_of = s.zero_point_of = Lookup::blocks_in_turn; }},
    WrongModel{.name = "splits-tail-evenly",
               .group = axis_and_blocks,
               .sentence = "spreads the elements evenly over the blocks if the last one is incomplete",
               .clauses = {"qdq-tail-block"},
               .reading = reading<spec::TailBlock>(spec::TailBlock::even_split)},
    WrongModel{.name = "deals-tail-in-turn",
               .group = axis_and_blocks,
               .sentence = "distributes the elements to the blocks in turn if the last one is incomplete",
               .clauses = {"qdq-tail-block"},
               .reading = reading<spec::TailBlock>(spec::TailBlock::interleaved)},
    WrongModel{.name = "tail-uses-neighbour",
               .group = axis_and_blocks,
               .sentence = "uses the scale and zero point of the previous block for an incomplete last block",
               .clauses = {"qdq-tail-block"},
               .steps = [](S s) { s.scale_of = s.zero_point_of = Lookup::neighbour_of_tail; }},
    WrongModel{.name = "transposes-scales",
               .group = axis_and_blocks,
               .sentence = "reads the scales in transposed order",
               .before = transpose_scales},
    WrongModel{.name = "guesses-block-size",
               .group = axis_and_blocks,
               .sentence = "ignores block_size and divides the axis by the number of scales",
               .before = infer_block_size},
    WrongModel{.name = "counts-groups-of-packed-rows",
               .group = axis_and_blocks,
               .sentence = "computes the group from the row of the packed X, not from the unpacked row",
               .reading = reading<spec::GroupIndex>(spec::GroupIndex::packed_row)},

    // ---- packing
    WrongModel{.name = "swaps-nibbles-of-output",
               .group = packing,
               .sentence = "writes the first of two 4-bit elements to the high half of the byte",
               .source = swapped_nibbles},
    WrongModel{.name = "packs-in-other-order",
               .group = packing,
               .sentence = "packs and unpacks the 4- and 2-bit elements of a byte in reverse order",
               .before = reverse_packed_operands,
               .source = reversed},
    WrongModel{.name = "reverses-crumbs-of-output",
               .group = packing,
               .sentence = "writes the first of four 2-bit elements to the highest bits of the byte",
               .source = swapped_crumbs},
    WrongModel{.name = "reverses-packed-input",
               .group = packing,
               .sentence = "unpacks the elements of a byte of a 4- or 2-bit input in reverse order",
               .before = reverse_packed_input},
    WrongModel{.name = "reverses-packed-zero-point",
               .group = packing,
               .sentence = "unpacks the elements of a byte of a 4- or 2-bit zero point in reverse order",
               .before = reverse_packed_zero_point},
    WrongModel{.name = "reads-small-integers-with-other-sign",
               .group = packing,
               .sentence = "does not sign-extend signed inputs of fewer than 8 bits, and sign-extends unsigned ones",
               .steps = [](S s) { s.x_has_other_sign = true; },
               .where = has_sub_byte_input},
    WrongModel{.name = "reads-bytes-with-other-sign",
               .group = packing,
               .sentence = "reads int8 inputs as uint8, and uint8 as int8",
               .clauses = {"dq-formula", "pmx-without-zero-point", "pmx-float-zero-point"},
               .steps = [](S s) { s.x_has_other_sign = true; },
               .where = has_byte_input},
    WrongModel{.name = "reads-16-bits-with-other-sign",
               .group = packing,
               .sentence = "reads int16 inputs as uint16, and uint16 as int16",
               .clauses = {"dq-formula"},
               .steps = [](S s) { s.x_has_other_sign = true; },
               .where = has_16_bit_input},
    WrongModel{.name = "loses-incomplete-last-byte",
               .group = packing,
               .sentence = "does not write the last byte of 4- or 2-bit outputs if it is incomplete",
               .source = whole_bytes},
    WrongModel{.name = "reads-scale-bits-as-integer",
               .group = packing,
               .sentence = "reads the bits of float16 and bfloat16 scales as integers, as if int32_data held numbers",
               .clauses = {"ql-formula", "dq-formula", "pmx-without-zero-point", "pmx-float-zero-point"},
               .steps = [](S s) { s.scale_bits_are_number = true; }},
    WrongModel{.name = "reads-constant-bfloat16-bits-as-integers",
               .group = packing,
               .sentence = "reads the bits of constant bfloat16 inputs and scales as integers, as if int32_data held "
                           "numbers, and truncates even ones",
               .steps = [](S s) { s.constant_bfloat16_bits_are_numbers = true; },
               .where = has_bfloat16_constant},
    WrongModel{.name = "reads-empty-constants-as-zero",
               .group = packing,
               .sentence = "reads a constant without elements as the number 0",
               .before = read_empty_constants_as_zero},
    WrongModel{.name = "pads-rows-of-output",
               .group = packing,
               .sentence = "starts a new byte for every row of a 4- or 2-bit output",
               .source = padded_rows},
    WrongModel{.name = "pads-rows-of-input",
               .group = packing,
               .sentence = "expects every row of a 4- or 2-bit input to start a new byte",
               .before = pad_rows_of_input},
    WrongModel{.name = "reads-high-nibble-first",
               .group = packing,
               .sentence = "reads the first row of an opmx element from its four highest bits",
               .reading = reading<spec::NibbleOrder>(spec::NibbleOrder::high_nibble_first)},
    WrongModel{.name = "reads-nibbles-of-strided-rows",
               .group = packing,
               .sentence = "reads the four nibbles of an opmx element as rows with a stride, not as consecutive rows",
               .reading = reading<spec::NibbleOrder>(spec::NibbleOrder::strided_rows)},
    WrongModel{.name = "reads-nibbles-of-columns",
               .group = packing,
               .sentence = "reads the four nibbles of an opmx element as four columns, not as four rows",
               .reading = reading<spec::NibbleOrder>(spec::NibbleOrder::columns)},

    // ---- small floats
    WrongModel{.name = "truncates-to-small-floats",
               .group = small_floats,
               .sentence = "truncates to float8, float6 and float4",
               .steps = [](S s) { s.output_rounding = Rounding::toward_zero; },
               .where = quantizes},
    WrongModel{.name = "rounds-half-away-to-small-floats",
               .group = small_floats,
               .sentence = "rounds half away from zero to float8, float6 and float4",
               .steps = [](S s) { s.output_rounding = Rounding::half_away; },
               .where = quantizes},
    WrongModel{.name = "rounds-to-float8-through-float16",
               .group = small_floats,
               .sentence = "rounds to float16 before it rounds to float8, float6 or float4",
               .steps = [](S s) { s.output_through = ElementType::float16; }},
    WrongModel{.name = "clamps-before-float8",
               .group = small_floats,
               .sentence =
                   "if x is not a constant, multiplies by the reciprocal of the scale in float32, clamps, which makes "
                   "NaN the lowest number, and rounds through float16, where a carry doubles subnormal numbers",
               .steps = [](S s) { s.clamps_before_float8 = true; },
               .where = has_variable_input_and_float8_output},
    WrongModel{.name = "emulates-float8-in-float16",
               .group = small_floats,
               .sentence = "if all inputs are constants, divides in float32, always saturates, and rounds to float8 in "
                           "float16 (NaN of float8e4m3fn becomes 448, and its subnormal numbers are truncated)",
               .steps = [](S s) { s.emulates_float8_in_float16 = true; },
               .where = has_constants_and_float8_output},
    WrongModel{.name = "loses-carry-out-of-subnormals",
               .group = small_floats,
               .sentence = "gives 0 for what rounds up to the smallest normal float8 number",
               .steps = [](S s) { s.loses_subnormal_carry = true; }},
    WrongModel{.name = "flushes-subnormal-outputs",
               .group = small_floats,
               .sentence = "flushes subnormal float8, float6 and float4 results to zero",
               .steps = [](S s) { s.flushes_subnormals = true; },
               .where = has_small_float_output},
    WrongModel{.name = "flushes-subnormal-inputs",
               .group = small_floats,
               .sentence = "reads subnormal float8, float6 and float4 inputs as zero",
               .steps = [](S s) { s.x_flushes_subnormals = true; }},
    WrongModel{.name = "tests-overflow-before-rounding",
               .group = small_floats,
               .sentence = "compares the unrounded value with the largest float8 value",
               .clauses = {"ql-float8-saturate", "ql-float8-overflow"},
               .reading = reading<spec::Float8OverflowTest>(spec::Float8OverflowTest::before_rounding)},
    WrongModel{.name = "gives-nan-instead-of-infinity",
               .group = small_floats,
               .sentence = "gives NaN for an unsaturated overflow of float8e5m2",
               .clauses = {"ql-float8-overflow"},
               .reading = reading<spec::Float8NanSign>(spec::Float8NanSign::nan_instead_of_infinity)},
    WrongModel{.name = "gives-nan-where-rounding-overflows",
               .group = small_floats,
               .sentence = "gives NaN instead of infinity in float8e5m2 where only the rounding overflows",
               .clauses = {"ql-float8-overflow"},
               .steps = [](S s) { s.overflow_by_rounding_is_nan = true; }},
    WrongModel{
        .name = "gives-448-for-480",
        .group = small_floats,
        .sentence = "gives 448 instead of NaN in float8e4m3fn for quotients from 480 to 496, although saturate is 0",
        .clauses = {"ql-float8-overflow"},
        .steps = [](S s) { s.nan_of_e4m3fn_is_largest = true; },
        .where = [](const Place& p) { return p.y.type() == ElementType::float8e4m3fn; }},
    WrongModel{.name = "gives-nan-for-infinity",
               .group = small_floats,
               .sentence = "converts infinities to NaN, with and without saturate",
               .clauses = {"ql-float8-infinity", "ql-fnuz-infinity-saturates"},
               .steps = [](S s) { s.infinity = SpecialStep::nan; },
               .where = [](const Place& p) { return spec::is_float8(p.y.type()); }},
    WrongModel{.name = "keeps-negative-zero-of-fnuz",
               .group = small_floats,
               .sentence = "converts negative zero to the code 0x80 of FNUZ types, which is NaN",
               .clauses = {"ql-float8-zero"},
               .steps = [](S s) { s.keeps_negative_zero = true; }},
    WrongModel{.name = "reads-fnuz-nan-as-zero",
               .group = small_floats,
               .sentence = "reads the NaN of FNUZ types as -0",
               .steps = [](S s) { s.x_negative_nan_is_zero = true; }},
    WrongModel{.name = "reads-fn-nan-as-number",
               .group = small_floats,
               .sentence = "reads the NaN of float8e4m3fn as 480",
               .steps = [](S s) { s.x_nan_is_number = true; }},
    WrongModel{.name = "reads-negative-fn-nan-as-number",
               .group = small_floats,
               .sentence = "reads the NaN of float8e4m3fn whose sign bit is set as -480",
               .steps = [](S s) { s.x_negative_nan_is_number = true; }},
    WrongModel{.name = "writes-fnuz-with-ieee-bias",
               .group = small_floats,
               .sentence = "writes FNUZ types with the exponent bias of the types that are not FNUZ",
               .steps = [](S s) { s.exponent_error = -1; },
               .where = has_fnuz_output},
    WrongModel{.name = "reads-fnuz-with-ieee-bias",
               .group = small_floats,
               .sentence = "reads FNUZ types with the exponent bias of the types that are not FNUZ",
               .steps = [](S s) { s.x_exponent_error = 1; },
               .where = has_fnuz_input},
    WrongModel{.name = "reads-e8m0-with-bias-126",
               .group = small_floats,
               .sentence = "reads float8e8m0 scales with the exponent bias 126",
               .clauses = {"onnx-e8m0-value"},
               .steps = [](S s) { s.e8m0_exponent_error = 1; }},
    WrongModel{.name = "reads-e8m0-with-bias-128",
               .group = small_floats,
               .sentence = "reads float8e8m0 scales with the exponent bias 128",
               .clauses = {"onnx-e8m0-value"},
               .steps = [](S s) { s.e8m0_exponent_error = -1; }},
    WrongModel{.name = "reads-e8m0-code-0-as-zero",
               .group = small_floats,
               .sentence = "reads code 0 of float8e8m0 as zero",
               .clauses = {"onnx-e8m0-value"},
               .steps = [](S s) { s.e8m0_code_0_is_zero = true; }},
    WrongModel{.name = "reads-e8m0-nan-as-number",
               .group = small_floats,
               .sentence = "reads the NaN of float8e8m0 as 2^128",
               .clauses = {"onnx-e8m0-value"},
               .steps = [](S s) { s.e8m0_nan_is_number = true; }},
    WrongModel{.name = "honours-saturate-for-float6",
               .group = small_floats,
               .sentence = "gives zero for an overflow of float6 if saturate is 0",
               .clauses = {"ql-saturate-is-for-float8"},
               .reading = reading<spec::OverflowToFloat6>(spec::OverflowToFloat6::saturate_honoured)},
    WrongModel{.name = "honours-saturate-for-float4",
               .group = small_floats,
               .sentence = "gives zero for an overflow of float4 if saturate is 0",
               .clauses = {"ql-saturate-is-for-float8"},
               .reading = reading<spec::SaturateWithFloat4>(spec::SaturateWithFloat4::saturate_honoured)},

    // ---- attributes
    WrongModel{.name = "ignores-saturate",
               .group = attributes,
               .sentence = "ignores the attribute saturate and always saturates",
               .clauses = {"ql-float8-overflow", "ql-float8-infinity"},
               .steps = [](S s) { s.saturate = SaturateStep::always; }},
    WrongModel{.name = "never-saturates-float8",
               .group = attributes,
               .sentence = "never saturates float8 outputs",
               .clauses = {"ql-float8-saturate", "ql-float8-infinity"},
               .steps = [](S s) { s.saturate = SaturateStep::never; }},
    WrongModel{.name = "inverts-saturate",
               .group = attributes,
               .sentence = "inverts the attribute saturate",
               .clauses = {"ql-float8-saturate", "ql-float8-overflow", "ql-float8-infinity"},
               .steps = [](S s) { s.saturate = SaturateStep::inverted; }},
    WrongModel{.name = "does-not-saturate-by-default",
               .group = attributes,
               .sentence = "uses 0 as the default of saturate",
               .clauses = {"ql-saturate-default"},
               .before = default_to_unsaturated},
    WrongModel{.name = "applies-saturate-to-integers",
               .group = attributes,
               .sentence = "does not saturate integer outputs if saturate is 0",
               .clauses = {"ql-saturate-is-for-float8"},
               .reading = reading<spec::SaturateValues>(spec::SaturateValues::touches_other_types)},
    WrongModel{.name = "ignores-output-dtype",
               .group = attributes,
               .sentence = "ignores the attribute output_dtype",
               .clauses = {"ql-output-dtype", "dq-output-dtype"},
               .before = ignore_output_dtype},
    WrongModel{.name = "prefers-output-dtype",
               .group = attributes,
               .sentence = "uses output_dtype although the zero point has another type",
               .clauses = {"ql-output-dtype-agrees"},
               .reading = reading<spec::OutputTypeSelection>(spec::OutputTypeSelection::attribute_overrides)},
    WrongModel{.name = "defaults-to-int8",
               .group = attributes,
               .sentence = "gives int8 if neither output_dtype nor a zero point is given",
               .clauses = {"ql-default-uint8"},
               .before = default_to_int8},
    WrongModel{.name = "ignores-precision",
               .group = attributes,
               .sentence = "ignores the attribute precision",
               .clauses = {"ql-division-in-precision"},
               .reading = reading<spec::PrecisionValues>(spec::PrecisionValues::ignored)},

    // ---- specials
    WrongModel{.name = "converts-nan-to-zero",
               .group = specials,
               .sentence = "converts NaN to zero where the output has NaN or the text gives a number",
               .steps = [](S s) { s.nan = SpecialStep::zero; }},
    WrongModel{
        .name = "converts-nan-to-lowest",
        .group = specials,
        .sentence = "converts NaN to the lowest number where the output has NaN or the text gives another number",
        .steps = [](S s) { s.nan = SpecialStep::lowest; }},
    WrongModel{.name = "converts-nan-to-highest",
               .group = specials,
               .sentence = "converts NaN to the highest number where the output has NaN",
               .steps = [](S s) { s.nan = SpecialStep::highest; }},
    WrongModel{.name = "swaps-infinities",
               .group = specials,
               .sentence = "swaps positive and negative infinity",
               .steps = [](S s) { s.infinity = SpecialStep::swapped; }},
    WrongModel{.name = "converts-infinities-to-zero",
               .group = specials,
               .sentence = "converts infinities to zero",
               .steps = [](S s) { s.infinity = SpecialStep::zero; }},
    WrongModel{.name = "clamps-infinities",
               .group = specials,
               .sentence = "gives the largest number of the output type instead of an infinity",
               .clauses = {"dq-product-overflow"},
               .steps = [](S s) { s.infinity = SpecialStep::clamped; },
               .where = dequantizes},
    WrongModel{.name = "nan-spoils-vector",
               .group = specials,
               .sentence = "gives 0 for all 8 elements of a vector that contains a NaN",
               .steps = [](S s) { s.unwritten = true; },
               .where = shares_vector_with_nan},

    // ---- position
    WrongModel{.name = "stops-at-65536",
               .group = position,
               .sentence = "computes only the first 65,536 elements",
               .steps = [](S s) { s.unwritten = true; },
               .where = is_beyond},
    WrongModel{.name = "tail-rounds-toward-zero",
               .group = position,
               .sentence = "truncates in an incomplete last vector of 16 elements",
               .steps = [](S s) { s.rounding = s.output_rounding = Rounding::toward_zero; },
               .where = is_in_tail},
    WrongModel{.name = "tail-is-not-written",
               .group = position,
               .sentence = "does not write an incomplete last vector of 16 elements",
               .steps = [](S s) { s.unwritten = true; },
               .where = [](const Place& p) { return p.element >= p.y.size() / vector_length * vector_length; }},
    WrongModel{.name = "vectors-round-half-away-from-zero",
               .group = position,
               .sentence = "rounds half away from zero in complete vectors of 16 elements, and correctly in the rest",
               .steps = [](S s) { s.rounding = Rounding::half_away; },
               .where = is_in_full_vector},
    WrongModel{.name = "loses-last-element",
               .group = position,
               .sentence = "does not write the last element",
               .steps = [](S s) { s.unwritten = true; },
               .where = is_last},
    WrongModel{.name = "truncates-at-length-17",
               .group = position,
               .sentence = "truncates only if x has 17 elements",
               .steps = [](S s) { s.rounding = s.output_rounding = Rounding::toward_zero; },
               .where = is_of_length_17},
    WrongModel{.name = "truncates-above-rank-4",
               .group = position,
               .sentence = "truncates only if the rank of x is greater than 4",
               .steps = [](S s) { s.rounding = s.output_rounding = Rounding::toward_zero; },
               .where = is_high_rank},
    WrongModel{.name = "multiplies-by-constant-reciprocal",
               .group = position,
               .sentence = "multiplies by the rounded reciprocal of the scale if that is a constant",
               .steps = [](S s) { s.reciprocal = true; },
               .where = has_constant_scale},
    WrongModel{.name = "folds-constants-toward-zero",
               .group = position,
               .sentence = "truncates only if all inputs are constants",
               .steps = [](S s) { s.rounding = s.output_rounding = Rounding::toward_zero; },
               .where = is_all_constant},
    WrongModel{.name = "truncates-in-second-run",
               .group = position,
               .sentence = "truncates from the second run of a model on",
               .steps = [](S s) { s.rounding = s.output_rounding = Rounding::toward_zero; },
               .where = is_second_run},
    WrongModel{.name = "keeps-input-of-first-run",
               .group = position,
               .sentence = "computes the result of the first run again",
               .before = keep_first_input},
    WrongModel{.name = "keeps-strides-of-first-run",
               .group = position,
               .sentence = "reads x with the strides of its shape in the first run",
               .before = keep_first_strides},
};
}  // namespace

std::span<const WrongModel> wrong_models() { return node_rows; }

std::span<const std::string_view> clauses_of(const WrongModel& model) {
  if (model.clauses.front().empty()) return clauses_of(model.group);
  return {model.clauses.begin(), std::ranges::find(model.clauses, std::string_view())};
}

const WrongModel* find_wrong_model(std::string_view name) {
  for (const std::span<const WrongModel> part : {wrong_models(), wrong_graphs()})
    for (const WrongModel& row : part)
      if (row.name == name) return &row;
  return nullptr;
}

}  // namespace touchstone::conformance
