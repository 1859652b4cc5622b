#include "conformance/diagnose/wrong_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "conformance/diagnose/node_changes.h"
#include "reference/host_numbers.h"
#include "reference/model/shape.h"

namespace touchstone::conformance {

using host::Rounding;
using enum WrongModelGroup;

namespace {

// ---- where

bool quantizes(const Place& place) { return place.node.op == Operator::quantize_linear; }
bool dequantizes(const Place& place) { return place.node.op == Operator::dequantize_linear; }

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

// Rows of the bank: a wrong model changes steps of the formula, or the node before it is computed, follows a rejected
// reading, or writes other elements.
using Where = bool (*)(const Place& place);

constexpr WrongModel by_steps(std::string_view name, WrongModelGroup group, std::string_view sentence,
                              void (*steps)(Steps& steps), Where where = nullptr) {
  return {.name = name, .group = group, .sentence = sentence, .steps = steps, .where = where};
}

constexpr WrongModel by_node_change(std::string_view name, WrongModelGroup group, std::string_view sentence,
                                    bool (*change)(Node& node, const ModelRun& run)) {
  return {.name = name, .group = group, .sentence = sentence, .before = change};
}

template <class A>
constexpr WrongModel by_reading(std::string_view name, WrongModelGroup group, std::string_view sentence,
                                typename A::Reading reading) {
  return {.name = name,
          .group = group,
          .sentence = sentence,
          .reading = Choice{spec::ambiguity_index<A>, static_cast<std::size_t>(reading)}};
}

constexpr WrongModel by_source(std::string_view name, WrongModelGroup group, std::string_view sentence,
                               std::int64_t (*source)(const Place& place)) {
  return {.name = name, .group = group, .sentence = sentence, .source = source};
}

using S = Steps&;
using Z = ZeroPointStep;

// clang-format off
constexpr WrongModel node_rows[]{
    // ---- rounding
    by_reading<spec::Ties>("rounds-half-away-from-zero", rounding, "rounds half away from zero", spec::Ties::away_from_zero),
    by_reading<spec::Ties>("rounds-half-up", rounding, "rounds half upwards: adds a half and rounds down", spec::Ties::upwards),
    by_steps("rounds-half-down", rounding, "rounds half downwards", [](S s) { s.rounding = Rounding::half_down; }),
    by_steps("rounds-half-toward-zero", rounding, "rounds half toward zero", [](S s) { s.rounding = Rounding::half_toward_zero; }),
    by_steps("rounds-half-to-odd", rounding, "rounds half to odd", [](S s) { s.rounding = Rounding::half_to_odd; }),
    by_steps("rounds-toward-zero", rounding, "truncates: rounds toward zero", [](S s) { s.rounding = Rounding::toward_zero; }),
    by_steps("rounds-away-from-zero", rounding, "rounds every fraction away from zero", [](S s) { s.rounding = Rounding::away_from_zero; }),
    by_steps("rounds-down", rounding, "rounds down (floor)", [](S s) { s.rounding = Rounding::floor; }),
    by_steps("rounds-up", rounding, "rounds up (ceil)", [](S s) { s.rounding = Rounding::ceil; }),
    by_steps("adds-half-in-float32", rounding, "rounds by floor(x + 0.5) in float32, so that the sum is rounded as well",
        [](S s) { s.adds_half = true; }),
    by_steps("adds-almost-half-and-truncates", rounding, "rounds by truncating the sum of the quotient, 0.4999999 and the zero point to "
        "int32, where what does not fit becomes the lowest number",
        [](S s) { s.almost_half = AlmostHalfStep::to_quotient; }).with_clauses("ql-round-half-even"),
    by_steps("adds-almost-half-last-and-truncates", rounding, "rounds by truncating the sum of the quotient, the zero point and 0.4999999 "
        "to int32, where what does not fit becomes the lowest number",
        [](S s) { s.almost_half = AlmostHalfStep::to_sum; }).with_clauses("ql-round-half-even"),
    by_steps("adds-almost-half-to-zero-point-and-truncates", rounding, "rounds by truncating the sum of the quotient and (the zero point "
        "+ 0.4999999) to int32, where what does not fit becomes the lowest number",
        [](S s) { s.almost_half = AlmostHalfStep::to_zero_point; }).with_clauses("ql-round-half-even"),
    by_reading<spec::RoundingOrder>("rounds-after-zero-point", rounding, "adds the zero point before it rounds",
        spec::RoundingOrder::add_round_saturate).with_clauses("ql-round-half-even"),
    by_steps("rounds-twice", rounding, "rounds the quotient to 8 fraction bits, and then to an integer",
        [](S s) { s.fraction_bits_first = 8; }),
    by_reading<spec::FloatOutputRounding>("rounds-float-outputs-to-integers", rounding,
        "rounds the quotient to an integer even if y has a floating-point type",
        spec::FloatOutputRounding::to_integer_first).with_clauses("ql-float8-rounding", "ql-float6-rounding", "ql-float4-rounding"),
    by_steps("truncates-products", rounding, "truncates the product to the output type",
        [](S s) { s.output_rounding = Rounding::toward_zero; }, dequantizes),
    by_steps("rounds-products-half-away-from-zero", rounding, "rounds half away from zero when it converts the product to the output type",
        [](S s) { s.output_rounding = Rounding::half_away; }, dequantizes),

    // ---- arithmetic
    by_steps("multiplies-by-reciprocal", arithmetic, "multiplies by the rounded reciprocal of the scale",
        [](S s) { s.reciprocal = true; }, quantizes),
    by_steps("divides-by-reciprocal", arithmetic, "divides by the rounded reciprocal of the scale",
        [](S s) { s.reciprocal = true; }, dequantizes),
    by_steps("divides-in-float16", arithmetic, "divides in float16", [](S s) { s.arithmetic = ElementType::float16; }, quantizes),
    by_steps("divides-in-bfloat16", arithmetic, "divides in bfloat16", [](S s) { s.arithmetic = ElementType::bfloat16; }, quantizes),
    by_steps("divides-in-float32", arithmetic, "divides in float32", [](S s) { s.arithmetic = ElementType::float32; }, quantizes),
    by_steps("divides-in-float64", arithmetic, "divides in float64", [](S s) { s.arithmetic = ElementType::float64; }, quantizes),
    by_steps("multiplies-in-float16", arithmetic, "multiplies in float16", [](S s) { s.arithmetic = ElementType::float16; }, dequantizes),
    by_steps("multiplies-in-bfloat16", arithmetic, "multiplies in bfloat16",
        [](S s) { s.arithmetic = ElementType::bfloat16; }, dequantizes),
    by_steps("rounds-input-to-float16", arithmetic, "rounds x to float16 before it divides",
        [](S s) { s.x_type = ElementType::float16; }, quantizes),
    by_steps("rounds-input-to-bfloat16", arithmetic, "rounds x to bfloat16 before it divides",
        [](S s) { s.x_type = ElementType::bfloat16; }, quantizes),
    by_steps("rounds-scale-to-float16", arithmetic, "rounds the scale to float16", [](S s) { s.scale_type = ElementType::float16; }),
    by_steps("rounds-scale-to-bfloat16", arithmetic, "rounds the scale to bfloat16", [](S s) { s.scale_type = ElementType::bfloat16; }),
    by_steps("fuses-reciprocal-and-zero-point", arithmetic,
        "computes x * (1 / scale) + zero point with one fused operation, and rounds the sum",
        [](S s) { s.reciprocal = s.fused = s.adds_before_rounding = true; s.arithmetic = ElementType::float32; }, quantizes),
    by_steps("lowers-to-fake-quantize", arithmetic,
        "computes a FakeQuantize operation in float32: maps the inputs of the range of y to levels, and back",
        [](S s) { s.fake_quantize = true; }, quantizes),
    by_steps("scales-to-levels", arithmetic, "if the scale is a constant, maps the inputs of the range of y to levels: multiplies by a "
        "rounded factor and subtracts a rounded offset, in float32",
        [](S s) { s.scales_levels = true; }, has_integer_output_and_constant_scale),
    by_steps("fuses-product-and-zero-point", arithmetic, "computes x * scale - (zero point * scale) with one fused operation",
        [](S s) { s.fused = true; }, dequantizes),
    by_steps("distributes-scale", arithmetic, "computes x * scale - zero point * scale, and rounds both products",
        [](S s) { s.distributed = true; }, dequantizes),
    by_steps("converts-operands-to-output-type", arithmetic, "if all inputs are constants, converts them to the type of y before it "
        "subtracts (float16 saturates, and bfloat16 truncates after even numbers)",
        [](S s) { s.converts_operands_to_output_type = true; }, dequantizes_constants_to_16_bits),
    by_steps("folds-zero-point-into-offset", arithmetic, "if x is not a constant, computes x * scale - (zero point * scale), and rounds "
        "zero point, scale and the second product to the type of y (bfloat16 truncates after even numbers)",
        [](S s) { s.folds_zero_point = true; }, dequantizes_variable_to_16_bits),
    by_reading<spec::Int32Scale>("divides-integers-toward-zero", arithmetic, "divides integers and drops the fraction",
        spec::Int32Scale::truncating_division),
    by_reading<spec::Int32Scale>("divides-integers-down", arithmetic, "divides integers and rounds down",
        spec::Int32Scale::flooring_division),
    by_reading<spec::MixedTypeDivision>("divides-in-input-type", arithmetic, "converts the scale to the type of x and divides in that type",
        spec::MixedTypeDivision::in_input_type),
    by_reading<spec::E8m0ScaleWithoutPrecision>("divides-in-e8m0", arithmetic,
        "rounds x and the quotient to powers of two if the scale is float8e8m0", spec::E8m0ScaleWithoutPrecision::in_scale_type),
    by_reading<spec::Subnormals>("flushes-subnormals-of-all-types", arithmetic,
        "flushes subnormal inputs and outputs of every type to zero (FTZ and DAZ)", spec::Subnormals::flushes_all_types),

    // ---- range
    by_reading<spec::HugeQuotient>("converts-huge-quotients-to-lowest-int32", range,
        "converts the quotient to int32 before it saturates: 2^31 and more become the lowest value", spec::HugeQuotient::int32_minimum),
    by_steps("wraps-in-int32", range, "converts the rounded quotient to int32 without saturating", [](S s) { s.wraps_at = 32; }),
    by_steps("wraps-in-int16", range, "converts the rounded quotient to int16 without saturating", [](S s) { s.wraps_at = 16; }),
    by_steps("wraps-in-int8", range, "converts the rounded quotient to int8 without saturating", [](S s) { s.wraps_at = 8; }),
    by_steps("wraps-instead-of-saturating", range, "keeps the low bits of the result instead of saturating", [](S s) { s.wraps = true; }),
    by_steps("casts-where-scale-is-1", range, "casts x if a constant scale is 1 and the zero point 0: truncates, and wraps around",
        [](S s) { s.rounding = Rounding::toward_zero; s.wraps = true; }, removes_node),
    by_reading<spec::ZeroPointAddition>("wraps-sum-in-int32", range, "adds the zero point in int32 and wraps around on overflow",
        spec::ZeroPointAddition::wrapping_int32),
    by_steps("wraps-sum-of-saturated-int32", range,
        "saturates the quotient to int32, and adds the zero point in int32, where it wraps around",
        [](S s) { s.sum_wraps_in_32_bits = true; }),
    by_steps("wraps-sum-of-lowest-int32", range, "converts the quotient to int32, where all that does not fit becomes the lowest number, "
        "and adds the zero point in int32, where it wraps around",
        [](S s) { s.huge_becomes_lowest = s.sum_wraps_in_32_bits = true; }, has_integer_output),
    by_steps("saturates-by-sign-of-input", range, "saturates to the end of the range on the side of x, even if the scale is negative",
        [](S s) { s.saturates_by_sign_of_x = true; }),
    by_steps("saturates-before-zero-point", range, "saturates before it adds the zero point, and again after it",
        [](S s) { s.saturates_before_adding = true; }),
    by_reading<spec::RoundingOrder>("saturates-only-before-zero-point", range,
        "saturates before it adds the zero point, and wraps around after it", spec::RoundingOrder::round_saturate_add),
    by_steps("saturates-symmetrically", range, "saturates signed types to a symmetric range", [](S s) { s.range = RangeStep::symmetric; }),
    by_steps("saturates-below-highest", range, "saturates to one less than the highest value", [](S s) { s.range = RangeStep::one_less; }),
    by_steps("saturates-to-other-sign", range,
        "saturates signed types to the range of the unsigned type, and unsigned ones to that of the signed type",
        [](S s) { s.range = RangeStep::other_sign; }),
    by_steps("saturates-16-bits-to-8", range, "saturates 16-bit outputs to the range of 8 bits",
        [](S s) { s.range = RangeStep::of_8_bits; }, has_16_bit_output),
    by_steps("saturates-small-types-to-8-bits", range, "saturates types of 4 or 2 bits to the range of 8 bits, and keeps the low bits",
        [](S s) { s.range = RangeStep::of_8_bits; }, [](const Place& p) { return spec::info(p.y.type()).bits < 6; }),
    by_steps("saturates-negatives-to-zero", range, "saturates negative values to zero even for signed types",
        [](S s) { s.range = RangeStep::positive_only; }),
    by_steps("saturates-in-int16", range, "saturates the sum to int16 before it saturates to the output type",
        [](S s) { s.saturates_sum_in_16_bits = true; }),
    by_reading<spec::Float16QuotientOverflow>("does-not-saturate-float16-overflow", range,
        "does not saturate a quotient that overflows float16", spec::Float16QuotientOverflow::not_saturated),
    by_steps("saturates-difference", range, "saturates x - zero point to the type of x",
        [](S s) { s.saturates_difference = true; }).with_clauses("dq-exact-difference"),
    by_reading<spec::SubtractionWidth>("wraps-difference", range, "subtracts the zero point in the type of x and wraps around",
        spec::SubtractionWidth::wrapping).with_clauses("dq-exact-difference"),

    // ---- zero point
    by_steps("ignores-zero-point", zero_point, "ignores the zero point", [](S s) { s.zero_point = Z::ignored; }),
    by_steps("negates-zero-point", zero_point, "subtracts the zero point instead of adding it, or adds instead of subtracting",
        [](S s) { s.zero_point = Z::negated; }),
    by_steps("reads-zero-point-with-other-sign", zero_point, "reads signed zero points as unsigned, and unsigned ones as signed",
        [](S s) { s.zero_point = Z::with_other_sign; }),
    by_steps("reads-zero-point-as-8-bits", zero_point, "reads only the low 8 bits of a zero point",
        [](S s) { s.zero_point = Z::as_8_bits; }),
    by_steps("uses-first-zero-point", zero_point, "uses the first zero point for all elements",
        [](S s) { s.zero_point_of = Lookup::first; }),
    by_steps("uses-last-zero-point", zero_point, "uses the last zero point for all elements", [](S s) { s.zero_point_of = Lookup::last; }),
    by_reading<spec::DefaultZeroPoint>("uses-midpoint-as-default-zero-point", zero_point,
        "uses the middle of the range as the default zero point",
        spec::DefaultZeroPoint::midpoint).with_clauses("ql-default-uint8", "ql-output-dtype", "dq-default-zero-point"),
    by_reading<spec::Int32ZeroPointOfMicrosoft>("ignores-int32-zero-point", zero_point, "ignores int32 zero points of com.microsoft",
        spec::Int32ZeroPointOfMicrosoft::ignored),
    by_node_change("keeps-zero-point-of-first-run", zero_point, "keeps the zero point of the first run", keep_first_zero_point),

    // ---- scale
    by_steps("uses-first-scale", scale, "uses the first scale for all elements", [](S s) { s.scale_of = Lookup::first; }),
    by_steps("uses-last-scale", scale, "uses the last scale for all elements", [](S s) { s.scale_of = Lookup::last; }),
    by_steps("uses-first-scale-and-zero-point", scale, "uses the first scale and the first zero point for all elements",
        [](S s) { s.scale_of = s.zero_point_of = Lookup::first; }),
    by_steps("uses-next-scale", scale, "uses the scale after the correct one", [](S s) { s.scale_of = Lookup::next; }),
    by_steps("takes-absolute-scale", scale, "takes the absolute value of the scale", [](S s) { s.scale = ScaleStep::absolute; }),
    by_steps("ignores-scale", scale, "ignores the scale", [](S s) { s.scale = ScaleStep::ignored; }),
    by_steps("rounds-scale-to-power-of-two", scale, "rounds the scale to a power of two", [](S s) { s.scale = ScaleStep::power_of_two; }),
    by_steps("multiplies-instead-of-dividing", scale, "multiplies by the scale instead of dividing by it",
        [](S s) { s.scale = ScaleStep::inverted; }, quantizes),
    by_steps("divides-instead-of-multiplying", scale, "divides by the scale instead of multiplying by it",
        [](S s) { s.scale = ScaleStep::inverted; }, dequantizes),
    by_node_change("keeps-scale-of-first-run", scale, "keeps the scale of the first run", keep_first_scale),
    by_node_change("merges-similar-scales", scale, "uses the first scale for all if they differ by at most one percent",
        merge_similar_scales),
    by_node_change("reads-scale-128-as-nan", scale, "takes a float8e8m0 scale of 128 for NaN", read_scale_128_as_nan),

    // ---- axis and blocks
    by_node_change("ignores-axis", axis_and_blocks, "ignores the attribute axis and uses its default", ignore_axis),
    by_node_change("takes-axis-0", axis_and_blocks, "uses axis 0, whatever the attribute is", use_first_axis),
    by_node_change("takes-axis-1", axis_and_blocks, "uses axis 1, whatever the attribute is", use_axis_1),
    by_node_change("takes-last-axis", axis_and_blocks, "uses the last axis, whatever the attribute is", use_last_axis),
    by_node_change("guesses-first-axis-that-fits", axis_and_blocks, "uses the first axis whose length fits the scale",
        use_first_axis_that_fits),
    by_node_change("guesses-last-axis-that-fits", axis_and_blocks, "uses the last axis whose length fits the scale",
        use_last_axis_that_fits),
    by_node_change("counts-negative-axis-one-too-low", axis_and_blocks, "resolves a negative axis to one position too low",
        use_axis_before_negative).with_clauses("qdq-axis-negative"),
    by_node_change("counts-negative-axis-one-too-high", axis_and_blocks, "resolves a negative axis to one position too high",
        use_axis_after_negative).with_clauses("qdq-axis-negative"),
    by_node_change("drops-sign-of-axis", axis_and_blocks, "drops the sign of a negative axis",
        drop_sign_of_axis).with_clauses("qdq-axis-negative"),
    by_node_change("takes-axis-0-by-default", axis_and_blocks, "uses axis 0 if the attribute is absent",
        use_first_axis_by_default).with_clauses("qdq-axis-default"),
    by_node_change("takes-last-axis-by-default", axis_and_blocks, "uses the last axis if the attribute is absent",
        use_last_axis_by_default).with_clauses("qdq-axis-default"),
    by_node_change("takes-another-axis-at-rank-5", axis_and_blocks, "uses another axis if x has rank 5", take_another_axis_at_rank_5),
    by_steps("reads-parameters-along-last-axis", axis_and_blocks,
        "uses the index along the last axis for the scale and the zero point, and reads past their end",
        [](S s) { s.scale_of = Lookup::by_last_axis; }),
    by_steps("takes-parameters-in-turn", axis_and_blocks, "cycles through the scales and zero points element by element, whatever the axis",
        [](S s) { s.scale_of = s.zero_point_of = Lookup::in_turn; }),
    by_steps("takes-parameters-in-sequence", axis_and_blocks,
        "divides x in memory into equal parts, one for each scale and zero point, whatever the axis",
        [](S s) { s.scale_of = s.zero_point_of = Lookup::in_sequence; }),
    by_steps("deals-blocks-in-turn", axis_and_blocks, "assigns elements to blocks by the remainder of their index, not by the quotient",
        [](S s) { s.scale_of = s.zero_point_of = Lookup::blocks_in_turn; }),
    by_reading<spec::TailBlock>("splits-tail-evenly", axis_and_blocks,
        "spreads the elements evenly over the blocks if the last one is incomplete",
        spec::TailBlock::even_split).with_clauses("qdq-tail-block"),
    by_reading<spec::TailBlock>("deals-tail-in-turn", axis_and_blocks,
        "distributes the elements to the blocks in turn if the last one is incomplete",
        spec::TailBlock::interleaved).with_clauses("qdq-tail-block"),
    by_steps("tail-uses-neighbour", axis_and_blocks, "uses the scale and zero point of the previous block for an incomplete last block",
        [](S s) { s.scale_of = s.zero_point_of = Lookup::neighbour_of_tail; }).with_clauses("qdq-tail-block"),
    by_node_change("transposes-scales", axis_and_blocks, "reads the scales in transposed order", transpose_scales),
    by_node_change("guesses-block-size", axis_and_blocks, "ignores block_size and divides the axis by the number of scales",
        infer_block_size),
    by_reading<spec::GroupIndex>("counts-groups-of-packed-rows", axis_and_blocks,
        "computes the group from the row of the packed X, not from the unpacked row", spec::GroupIndex::packed_row),

    // ---- packing
    by_source("swaps-nibbles-of-output", packing, "writes the first of two 4-bit elements to the high half of the byte", swapped_nibbles),
    {.name = "packs-in-other-order", .group = packing,
        .sentence = "packs and unpacks the 4- and 2-bit elements of a byte in reverse order",
        .before = reverse_packed_operands, .source = reversed},
    by_source("reverses-crumbs-of-output", packing, "writes the first of four 2-bit elements to the highest bits of the byte",
        swapped_crumbs),
    by_node_change("reverses-packed-input", packing, "unpacks the elements of a byte of a 4- or 2-bit input in reverse order",
        reverse_packed_input),
    by_node_change("reverses-packed-zero-point", packing, "unpacks the elements of a byte of a 4- or 2-bit zero point in reverse order",
        reverse_packed_zero_point),
    by_steps("reads-small-integers-with-other-sign", packing,
        "does not sign-extend signed inputs of fewer than 8 bits, and sign-extends unsigned ones",
        [](S s) { s.x_has_other_sign = true; }, has_sub_byte_input),
    by_steps("reads-bytes-with-other-sign", packing, "reads int8 inputs as uint8, and uint8 as int8",
        [](S s) { s.x_has_other_sign = true; }, has_byte_input)
            .with_clauses("dq-formula", "pmx-without-zero-point", "pmx-float-zero-point"),
    by_steps("reads-16-bits-with-other-sign", packing, "reads int16 inputs as uint16, and uint16 as int16",
        [](S s) { s.x_has_other_sign = true; }, has_16_bit_input).with_clauses("dq-formula"),
    by_source("loses-incomplete-last-byte", packing, "does not write the last byte of 4- or 2-bit outputs if it is incomplete",
        whole_bytes),
    by_steps("reads-scale-bits-as-integer", packing,
        "reads the bits of float16 and bfloat16 scales as integers, as if int32_data held numbers",
        [](S s) { s.scale_bits_are_number = true; })
            .with_clauses("ql-formula", "dq-formula", "pmx-without-zero-point", "pmx-float-zero-point"),
    by_steps("reads-constant-bfloat16-bits-as-integers", packing,
        "reads the bits of constant bfloat16 inputs and scales as integers, as if int32_data held numbers, and truncates even ones",
        [](S s) { s.constant_bfloat16_bits_are_numbers = true; }, has_bfloat16_constant),
    by_node_change("reads-empty-constants-as-zero", packing, "reads a constant without elements as the number 0",
        read_empty_constants_as_zero),
    by_source("pads-rows-of-output", packing, "starts a new byte for every row of a 4- or 2-bit output", padded_rows),
    by_node_change("pads-rows-of-input", packing, "expects every row of a 4- or 2-bit input to start a new byte", pad_rows_of_input),
    by_reading<spec::NibbleOrder>("reads-high-nibble-first", packing, "reads the first row of an opmx element from its four highest bits",
        spec::NibbleOrder::high_nibble_first),
    by_reading<spec::NibbleOrder>("reads-nibbles-of-strided-rows", packing,
        "reads the four nibbles of an opmx element as rows with a stride, not as consecutive rows", spec::NibbleOrder::strided_rows),
    by_reading<spec::NibbleOrder>("reads-nibbles-of-columns", packing,
        "reads the four nibbles of an opmx element as four columns, not as four rows", spec::NibbleOrder::columns),

    // ---- small floats
    by_steps("truncates-to-small-floats", small_floats, "truncates to float8, float6 and float4",
        [](S s) { s.output_rounding = Rounding::toward_zero; }, quantizes),
    by_steps("rounds-half-away-to-small-floats", small_floats, "rounds half away from zero to float8, float6 and float4",
        [](S s) { s.output_rounding = Rounding::half_away; }, quantizes),
    by_steps("rounds-to-float8-through-float16", small_floats, "rounds to float16 before it rounds to float8, float6 or float4",
        [](S s) { s.output_through = ElementType::float16; }),
    by_steps("clamps-before-float8", small_floats, "if x is not a constant, multiplies by the reciprocal of the scale in float32, clamps, "
        "which makes NaN the lowest number, and rounds through float16, where a carry doubles subnormal numbers",
        [](S s) { s.clamps_before_float8 = true; }, has_variable_input_and_float8_output),
    by_steps("emulates-float8-in-float16", small_floats, "if all inputs are constants, divides in float32, always saturates, and rounds "
        "to float8 in float16 (NaN of float8e4m3fn becomes 448, and its subnormal numbers are truncated)",
        [](S s) { s.emulates_float8_in_float16 = true; }, has_constants_and_float8_output),
    by_steps("loses-carry-out-of-subnormals", small_floats, "gives 0 for what rounds up to the smallest normal float8 number",
        [](S s) { s.loses_subnormal_carry = true; }),
    by_steps("flushes-subnormal-outputs", small_floats, "flushes subnormal float8, float6 and float4 results to zero",
        [](S s) { s.flushes_subnormals = true; }, has_small_float_output),
    by_steps("flushes-subnormal-inputs", small_floats, "reads subnormal float8, float6 and float4 inputs as zero",
        [](S s) { s.x_flushes_subnormals = true; }),
    by_reading<spec::Float8OverflowTest>("tests-overflow-before-rounding", small_floats,
        "compares the unrounded value with the largest float8 value",
        spec::Float8OverflowTest::before_rounding).with_clauses("ql-float8-saturate", "ql-float8-overflow"),
    by_reading<spec::Float8NanSign>("gives-nan-instead-of-infinity", small_floats, "gives NaN for an unsaturated overflow of float8e5m2",
        spec::Float8NanSign::nan_instead_of_infinity).with_clauses("ql-float8-overflow"),
    by_steps("gives-nan-where-rounding-overflows", small_floats,
        "gives NaN instead of infinity in float8e5m2 where only the rounding overflows",
        [](S s) { s.overflow_by_rounding_is_nan = true; }).with_clauses("ql-float8-overflow"),
    by_steps("gives-448-for-480", small_floats,
        "gives 448 instead of NaN in float8e4m3fn for quotients from 480 to 496, although saturate is 0",
        [](S s) { s.nan_of_e4m3fn_is_largest = true; }, [](const Place& p) { return p.y.type() == ElementType::float8e4m3fn; })
            .with_clauses("ql-float8-overflow"),
    by_steps("gives-nan-for-infinity", small_floats, "converts infinities to NaN, with and without saturate",
        [](S s) { s.infinity = SpecialStep::nan; }, [](const Place& p) { return spec::is_float8(p.y.type()); })
            .with_clauses("ql-float8-infinity", "ql-fnuz-infinity-saturates"),
    by_steps("keeps-negative-zero-of-fnuz", small_floats, "converts negative zero to the code 0x80 of FNUZ types, which is NaN",
        [](S s) { s.keeps_negative_zero = true; }).with_clauses("ql-float8-zero"),
    by_steps("reads-fnuz-nan-as-zero", small_floats, "reads the NaN of FNUZ types as -0", [](S s) { s.x_negative_nan_is_zero = true; }),
    by_steps("reads-fn-nan-as-number", small_floats, "reads the NaN of float8e4m3fn as 480", [](S s) { s.x_nan_is_number = true; }),
    by_steps("reads-negative-fn-nan-as-number", small_floats, "reads the NaN of float8e4m3fn whose sign bit is set as -480",
        [](S s) { s.x_negative_nan_is_number = true; }),
    by_steps("writes-fnuz-with-ieee-bias", small_floats, "writes FNUZ types with the exponent bias of the types that are not FNUZ",
        [](S s) { s.exponent_error = -1; }, has_fnuz_output),
    by_steps("reads-fnuz-with-ieee-bias", small_floats, "reads FNUZ types with the exponent bias of the types that are not FNUZ",
        [](S s) { s.x_exponent_error = 1; }, has_fnuz_input),
    by_steps("reads-e8m0-with-bias-126", small_floats, "reads float8e8m0 scales with the exponent bias 126",
        [](S s) { s.e8m0_exponent_error = 1; }).with_clauses("onnx-e8m0-value"),
    by_steps("reads-e8m0-with-bias-128", small_floats, "reads float8e8m0 scales with the exponent bias 128",
        [](S s) { s.e8m0_exponent_error = -1; }).with_clauses("onnx-e8m0-value"),
    by_steps("reads-e8m0-code-0-as-zero", small_floats, "reads code 0 of float8e8m0 as zero",
        [](S s) { s.e8m0_code_0_is_zero = true; }).with_clauses("onnx-e8m0-value"),
    by_steps("reads-e8m0-nan-as-number", small_floats, "reads the NaN of float8e8m0 as 2^128",
        [](S s) { s.e8m0_nan_is_number = true; }).with_clauses("onnx-e8m0-value"),
    by_reading<spec::OverflowToFloat6>("honours-saturate-for-float6", small_floats, "gives zero for an overflow of float6 if saturate is 0",
        spec::OverflowToFloat6::saturate_honoured).with_clauses("ql-saturate-is-for-float8"),
    by_reading<spec::SaturateWithFloat4>("honours-saturate-for-float4", small_floats,
        "gives zero for an overflow of float4 if saturate is 0",
        spec::SaturateWithFloat4::saturate_honoured).with_clauses("ql-saturate-is-for-float8"),

    // ---- attributes
    by_steps("ignores-saturate", attributes, "ignores the attribute saturate and always saturates",
        [](S s) { s.saturate = SaturateStep::always; }).with_clauses("ql-float8-overflow", "ql-float8-infinity"),
    by_steps("never-saturates-float8", attributes, "never saturates float8 outputs",
        [](S s) { s.saturate = SaturateStep::never; }).with_clauses("ql-float8-saturate", "ql-float8-infinity"),
    by_steps("inverts-saturate", attributes, "inverts the attribute saturate",
        [](S s) { s.saturate = SaturateStep::inverted; }).with_clauses("ql-float8-saturate", "ql-float8-overflow", "ql-float8-infinity"),
    by_node_change("does-not-saturate-by-default", attributes, "uses 0 as the default of saturate",
        default_to_unsaturated).with_clauses("ql-saturate-default"),
    by_reading<spec::SaturateValues>("applies-saturate-to-integers", attributes, "does not saturate integer outputs if saturate is 0",
        spec::SaturateValues::touches_other_types).with_clauses("ql-saturate-is-for-float8"),
    by_node_change("ignores-output-dtype", attributes, "ignores the attribute output_dtype",
        ignore_output_dtype).with_clauses("ql-output-dtype", "dq-output-dtype"),
    by_reading<spec::OutputTypeSelection>("prefers-output-dtype", attributes, "uses output_dtype although the zero point has another type",
        spec::OutputTypeSelection::attribute_overrides).with_clauses("ql-output-dtype-agrees"),
    by_node_change("defaults-to-int8", attributes, "gives int8 if neither output_dtype nor a zero point is given",
        default_to_int8).with_clauses("ql-default-uint8"),
    by_reading<spec::PrecisionValues>("ignores-precision", attributes, "ignores the attribute precision",
        spec::PrecisionValues::ignored).with_clauses("ql-division-in-precision"),

    // ---- specials
    by_steps("converts-nan-to-zero", specials, "converts NaN to zero where the output has NaN or the text gives a number",
        [](S s) { s.nan = SpecialStep::zero; }),
    by_steps("converts-nan-to-lowest", specials,
        "converts NaN to the lowest number where the output has NaN or the text gives another number",
        [](S s) { s.nan = SpecialStep::lowest; }),
    by_steps("converts-nan-to-highest", specials, "converts NaN to the highest number where the output has NaN",
        [](S s) { s.nan = SpecialStep::highest; }),
    by_steps("swaps-infinities", specials, "swaps positive and negative infinity", [](S s) { s.infinity = SpecialStep::swapped; }),
    by_steps("converts-infinities-to-zero", specials, "converts infinities to zero", [](S s) { s.infinity = SpecialStep::zero; }),
    by_steps("clamps-infinities", specials, "gives the largest number of the output type instead of an infinity",
        [](S s) { s.infinity = SpecialStep::clamped; }, dequantizes).with_clauses("dq-product-overflow"),
    by_steps("nan-spoils-vector", specials, "gives 0 for all 8 elements of a vector that contains a NaN",
        [](S s) { s.unwritten = true; }, shares_vector_with_nan),

    // ---- position
    by_steps("stops-at-65536", position, "computes only the first 65,536 elements", [](S s) { s.unwritten = true; }, is_beyond),
    by_steps("tail-rounds-toward-zero", position, "truncates in an incomplete last vector of 16 elements",
        [](S s) { s.rounding = s.output_rounding = Rounding::toward_zero; }, is_in_tail),
    by_steps("tail-is-not-written", position, "does not write an incomplete last vector of 16 elements",
        [](S s) { s.unwritten = true; }, [](const Place& p) { return p.element >= p.y.size() / vector_length * vector_length; }),
    by_steps("vectors-round-half-away-from-zero", position,
        "rounds half away from zero in complete vectors of 16 elements, and correctly in the rest",
        [](S s) { s.rounding = Rounding::half_away; }, is_in_full_vector),
    by_steps("loses-last-element", position, "does not write the last element", [](S s) { s.unwritten = true; }, is_last),
    by_steps("truncates-at-length-17", position, "truncates only if x has 17 elements",
        [](S s) { s.rounding = s.output_rounding = Rounding::toward_zero; }, is_of_length_17),
    by_steps("truncates-above-rank-4", position, "truncates only if the rank of x is greater than 4",
        [](S s) { s.rounding = s.output_rounding = Rounding::toward_zero; }, is_high_rank),
    by_steps("multiplies-by-constant-reciprocal", position, "multiplies by the rounded reciprocal of the scale if that is a constant",
        [](S s) { s.reciprocal = true; }, has_constant_scale),
    by_steps("folds-constants-toward-zero", position, "truncates only if all inputs are constants",
        [](S s) { s.rounding = s.output_rounding = Rounding::toward_zero; }, is_all_constant),
    by_steps("truncates-in-second-run", position, "truncates from the second run of a model on",
        [](S s) { s.rounding = s.output_rounding = Rounding::toward_zero; }, is_second_run),
    by_node_change("keeps-input-of-first-run", position, "computes the result of the first run again", keep_first_input),
    by_node_change("keeps-strides-of-first-run", position, "reads x with the strides of its shape in the first run", keep_first_strides),
};
// clang-format on

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
