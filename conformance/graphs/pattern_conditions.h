// Which parameters the cases of a pattern have, and which of them a permitted reading rejects.
#pragma once

#include <array>

#include "conformance/files/names.h"
#include "conformance/graphs/graph_parameters.h"

namespace touchstone::conformance::conditions {

using Parameters = GraphParameters;

// ---- one parameter

inline bool is_per_tensor(const Parameters& p) { return p.granularity == Granularity::per_tensor; }
inline bool is_blocked(const Parameters& p) { return p.granularity == Granularity::blocked; }
inline bool is_narrow_integer(const Parameters& p) {
  return spec::is_integer(p.quantized) && spec::info(p.quantized).bits <= 8;
}
inline bool is_byte(const Parameters& p) { return is_narrow_integer(p) && spec::info(p.quantized).bits == 8; }
/// bfloat16 is only in patterns of pairs: the wrong rewrites of other patterns do not depend on the type of numbers.
inline bool has_usual_number(const Parameters& p) { return p.number != ElementType::bfloat16; }
/// Decimal scales make products and sums of dequantized numbers depend on the order of evaluation.
inline bool has_exact_scales(const Parameters& p) { return p.scales != Scales::decimal; }
/// Scales that are not powers of two also make quotients depend on it.
inline bool has_powers_of_two(const Parameters& p) { return has_exact_scales(p) && p.scales != Scales::odd; }
/// For operators that are new in an opset, or have another interface before.
template <int opset, bool (*has)(const Parameters&)>
bool since(const Parameters& p) {
  return p.opset >= opset && has(p);
}
/// No other operator takes the float6 types.
inline bool is_type_of_others(const Parameters& p) { return !spec::is_float6(p.quantized); }

// ---- pairs

inline bool any(const Parameters& p) { return has_powers_of_two(p); }
inline bool equal_pairs_of_any_scales(const Parameters& p) { return p.second == Second::same; }
inline bool equal_pairs(const Parameters& p) { return p.second == Second::same && has_powers_of_two(p); }
inline bool unlike_pair(const Parameters& p) { return p.second != Second::same && has_powers_of_two(p); }
inline bool one_pair_of_any_scales(const Parameters& p) { return p.second == Second::same && has_usual_number(p); }
inline bool one_pair(const Parameters& p) { return one_pair_of_any_scales(p) && has_powers_of_two(p); }
inline bool pair(const Parameters& p) {
  return (p.second == Second::same || p.second == Second::scale) && has_usual_number(p) && has_powers_of_two(p);
}
inline bool one_pair_of_integers(const Parameters& p) { return one_pair(p) && spec::is_integer(p.quantized); }
/// For two tensors that may differ in the zero point alone.
inline bool pair_or_zero_points(const Parameters& p) {
  return p.second != Second::type && has_usual_number(p) && has_powers_of_two(p);
}
inline bool one_pair_not_blocked(const Parameters& p) { return one_pair(p) && !is_blocked(p); }
inline bool zero_points_not_blocked(const Parameters& p) { return pair_or_zero_points(p) && !is_blocked(p); }
/// For operators that choose among elements. If QuantizeLinear has the scale of DequantizeLinear, and quotients have
/// enough bits, every order of evaluation gives the same quantized element.
inline bool selects(const Parameters& p) {
  const bool has_enough_bits = p.number == ElementType::float32 || spec::info(p.quantized).bits <= 8;
  return pair(p) || (one_pair_of_any_scales(p) && has_enough_bits);
}
/// The same with another length of all axes but the first and the second.
inline bool selects_windows(const Parameters& p) {
  return !is_blocked(p) && selects(p) && (has_powers_of_two(p) || is_per_tensor(p) || p.axis != QuantizedAxis::last);
}
inline bool one_pair_not_blocked_of_any_scales(const Parameters& p) {
  return !is_blocked(p) && one_pair_of_any_scales(p);
}
/// Rounded numbers of different scales or of many bits may be equal although the products are not.
inline bool finds_largest(const Parameters& p) {
  return p.opset >= 13 && one_pair_of_any_scales(p) &&
         (has_powers_of_two(p) || (is_per_tensor(p) && spec::info(p.quantized).bits <= 8));
}
inline bool from_lowest(const Parameters& p) {
  return is_per_tensor(p) && one_pair(p) && p.zero_points == ZeroPoints::small && spec::is_integer(p.quantized);
}
inline bool pair_of_other_types(const Parameters& p) { return is_type_of_others(p) && pair(p); }
inline bool one_pair_of_other_types(const Parameters& p) { return is_type_of_others(p) && one_pair_of_any_scales(p); }
/// Transpose takes the float8 types since version 21.
inline bool transposes(const Parameters& p) {
  return one_pair_of_other_types(p) && (!spec::is_float8(p.quantized) || p.opset >= 21);
}
/// All operators take 8-bit integers.
inline bool pair_of_bytes(const Parameters& p) { return is_byte(p) && pair(p); }
/// x is int32, whose zero point can only be 0; the other parameters are those of QuantizeLinear.
inline bool pair_behind_int32(const Parameters& p) {
  return is_byte(p) && !is_blocked(p) && !p.has_zero_point() && pair(p);
}
inline bool one_pair_behind_int32(const Parameters& p) {
  return is_byte(p) && !is_blocked(p) && !p.has_zero_point() && one_pair_of_any_scales(p);
}
inline bool finds_largest_of_int32(const Parameters& p) {
  return p.opset >= 13 && one_pair_behind_int32(p) && has_powers_of_two(p);
}
/// The bodies of Loop and Scan declare the types and shapes of values, so none is symbolic.
inline bool loops(const Parameters& p) { return one_pair(p) && p.form->dimensions == Dimensions::fixed; }
inline bool scans(const Parameters& p) { return pair_of_bytes(p) && loops(p); }
/// What a caller can replace is an initializer.
inline bool has_initializers(const Parameters& p) {
  return pair(p) && p.form->x == Source::graph_input && p.form->parameters == Source::initializer;
}
/// com.microsoft has no blocks, its QuantizeLinear without a zero point gives uint8, and its axis has no default value.
inline bool is_of_microsoft(const Parameters& p) {
  using enum ElementType;
  constexpr std::array types{uint8, int8, uint16, int16, uint4, int4};
  return has_usual_number(p) && has_powers_of_two(p) && !is_blocked(p) && p.axis == QuantizedAxis::second &&
         spec::contains(types, p.quantized) &&
         (p.has_zero_point() || (p.quantized == uint8 && p.second != Second::type));
}
inline bool equal_pairs_of_microsoft(const Parameters& p) { return is_of_microsoft(p) && p.second == Second::same; }

// ---- sums and products

/// Products of 8-bit integers are exact in float, and their sums in any order. The operands may differ in the zero
/// point, or in the type.
inline bool computes_unlike(const Parameters& p) {
  return is_narrow_integer(p) && p.number == ElementType::float32 && !is_blocked(p) && has_exact_scales(p);
}
inline bool computes(const Parameters& p) {
  return computes_unlike(p) && (p.second == Second::same || p.second == Second::scale);
}
inline bool computes_once(const Parameters& p) { return computes(p) && one_pair(p); }
inline bool computes_with_powers_of_two(const Parameters& p) { return computes(p) && has_powers_of_two(p); }
inline bool computes_from_lowest(const Parameters& p) { return computes(p) && from_lowest(p) && !p.is_negative(); }
inline bool computes_per_tensor_with_powers_of_two(const Parameters& p) {
  return computes_with_powers_of_two(p) && is_per_tensor(p);
}
inline bool computes_per_tensor_with_positive_powers_of_two(const Parameters& p) {
  return computes_per_tensor_with_powers_of_two(p) && !p.is_negative();
}
inline bool resizes(const Parameters& p) { return computes_with_powers_of_two(p) && p.opset >= 11; }
inline bool computes_per_tensor_once(const Parameters& p) {
  return computes(p) && is_per_tensor(p) && p.second == Second::same;
}
/// Products of the ends of 8-bit types.
inline bool computes_at_ends(const Parameters& p) { return is_byte(p) && computes_once(p); }
/// Sums of one product with a power of two, which no order of evaluation rounds otherwise.
inline bool computes_single_terms(const Parameters& p) {
  return is_narrow_integer(p) && one_pair_of_any_scales(p) && !is_blocked(p);
}
inline bool computes_single_terms_in_any_layout(const Parameters& p) {
  return is_narrow_integer(p) && one_pair_of_any_scales(p) && !(is_blocked(p) && p.axis == QuantizedAxis::first);
}
/// The same of an unsigned and a signed type.
inline bool computes_at_unlike_ends(const Parameters& p) {
  return is_byte(p) && computes_unlike(p) && has_powers_of_two(p) && p.second == Second::type;
}
/// Weights in blocks along the summed axis; the numbers between are float32 or a 16-bit type.
inline bool computes_in_blocks(const Parameters& p) {
  return is_blocked(p) && is_type_of_others(p) && spec::info(p.quantized).bits <= 8 && p.second == Second::same &&
         has_powers_of_two(p) && p.axis != QuantizedAxis::first;
}
inline bool computes_float_in_blocks(const Parameters& p) {
  return computes_in_blocks(p) && p.number == ElementType::float32 && spec::is_integer(p.quantized);
}

inline bool computes_bytes_without_zero_point(const Parameters& p) {
  return is_byte(p) && !p.has_zero_point() && computes_per_tensor_once(p) && has_powers_of_two(p);
}

// ---- what a permitted reading rejects

/// A vector, such as a bias, has a scale for each element, which a reading rejects.
inline bool is_disputed_vector(const Parameters& p) {
  return p.is_negative() || p.granularity == Granularity::per_axis;
}
/// Readings reject other types than the page of com.microsoft names, and absent zero points.
inline bool is_disputed_by_microsoft(const Parameters& p) {
  return p.is_negative() || !p.has_zero_point() || !is_byte(p);
}
inline bool always(const Parameters&) { return true; }

}  // namespace touchstone::conformance::conditions
