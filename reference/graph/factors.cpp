#include "reference/graph/factors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "reference/codec.h"
#include "reference/rounding.h"

namespace touchstone::reference {

namespace {

using Precision = spec::FactorPrecision;

constexpr spec::FloatFormat tf32{
    .exponent_bits = 8, .fraction_bits = 10, .exponent_bias = 127, .special_codes = spec::SpecialCodes::ieee};
constexpr NarrowType narrow_tf32{tf32, 11, 0x1p-126, 0x1.ffcp+127};

Value rounded(const Value& element, const NarrowType* type) {
  return type == nullptr ? element : round_to_ieee(element, type->format);
}

Value magnitude_of(const Value& value) { return value.is_negative() ? -value : value; }

const Value highest_int8 = Value::of(Integer(127)), highest_uint8 = Value::of(Integer(255));

Value saturated_to_uint8(const Value& value) {
  if (value.is_negative()) return Value::zero(false);
  return less(highest_uint8, value) ? highest_uint8 : value;
}

/// The number rounded to so many bits, to nearest and ties to even. Only for normal numbers.
double round_to_bits(double number, int bits) {
  const int dropped = 53 - bits;
  const auto code = std::bit_cast<std::uint64_t>(number);
  const std::uint64_t below = std::uint64_t{1} << (dropped - 1);
  const std::uint64_t odd = (code >> dropped) & 1;
  return std::bit_cast<double>((code + below - 1 + odd) & ~(2 * below - 1));
}

/// Whether an implementation that flushes subnormal float16 numbers may take the element for zero.
bool is_below_float16(const Value& element) {
  return element.is_finite() && !element.is_zero() &&
         binade(element.magnitude()) < smallest_exponent(spec::format_of(ElementType::float16));
}

}  // namespace

const NarrowType narrow_bfloat16{spec::format_of(ElementType::bfloat16), 8, 0x1p-126, 0x1.fep+127};
const NarrowType narrow_float16{spec::format_of(ElementType::float16), 11, 0x1p-14, 65504};

const FactorTreatment& treatment_of(Precision::Reading reading) {
  static const std::array<FactorTreatment, std::size(Precision::readings)> treatments = [] {
    constexpr std::int64_t block = 32;
    std::array<FactorTreatment, std::size(Precision::readings)> all;
    all[Precision::rounded_to_bfloat16] = {.type = &narrow_bfloat16, .kept = &narrow_bfloat16};
    all[Precision::scales_rounded_to_bfloat16] = {
        .type = &narrow_bfloat16, .kept = &narrow_bfloat16, .rounds_scales = true, .rounds_dequantized = false};
    all[Precision::products_rounded_to_bfloat16] = {
        .type = &narrow_bfloat16, .kept = &narrow_bfloat16, .rounds_scales = true};
    all[Precision::rounded_to_float16] = {.type = &narrow_float16, .kept = &narrow_float16};
    all[Precision::rounded_to_tf32] = {.type = &narrow_tf32};
    all[Precision::tensors_rounded_to_bfloat16] = {.kept = &narrow_bfloat16};
    all[Precision::folded_scales_rounded_to_bfloat16] = {
        .type = &narrow_bfloat16, .kept = &narrow_bfloat16, .folds_scale = true};
    all[Precision::weight_scales_rounded_to_bfloat16] = {.type = &narrow_bfloat16,
                                                         .kept = &narrow_bfloat16,
                                                         .rounds_scales = true,
                                                         .rounds_dequantized = false,
                                                         .only_of_weights = true};
    all[Precision::weight_products_rounded_to_bfloat16] = {
        .type = &narrow_bfloat16, .kept = &narrow_bfloat16, .rounds_scales = true, .only_of_weights = true};
    all[Precision::activations_rounded_to_bfloat16] = {
        .type = &narrow_bfloat16, .kept = &narrow_bfloat16, .rounds_dequantized = false, .only_of_weights = true};
    all[Precision::quantized_to_int8] = {.quantizes = true};
    all[Precision::quantized_in_blocks] = {.quantizes = true, .block = block};
    all[Precision::quantized_in_blocks_of_bfloat16] = {.type = &narrow_bfloat16,
                                                       .kept = &narrow_bfloat16,
                                                       .rounds_scales = true,
                                                       .rounds_dequantized = false,
                                                       .quantizes = true,
                                                       .block = block};
    all[Precision::quantized_in_blocks_after_bfloat16] = {.type = &narrow_bfloat16,
                                                          .kept = &narrow_bfloat16,
                                                          .rounds_dequantized = false,
                                                          .only_of_weights = true,
                                                          .quantizes = true,
                                                          .block = block};
    all[Precision::quantized_in_blocks_of_16] = {.quantizes = true, .block = 16};
    all[Precision::quantized_to_int8_per_tensor] = {.quantizes = true, .per_tensor = true};
    all[Precision::quantized_to_uint8] = {.quantizes = true, .is_unsigned = true};
    all[Precision::quantized_to_uint8_per_tensor] = {.quantizes = true, .is_unsigned = true, .per_tensor = true};
    return all;
  }();
  return treatments.at(reading);
}

Tensor narrowed(const Tensor& tensor, const NarrowType& type) {
  Tensor made = tensor;
  for (std::int64_t i = 0; i < made.size(); ++i)
    made.set_code(i, encode(tensor.type(), rounded(decode(tensor.type(), tensor.code(i)), &type)));
  return made;
}

Interval narrowed(const Interval& number, const NarrowType& type) {
  if (!number.is_known()) return {};
  Interval read{round_to_bits(number.low, type.bits), round_to_bits(number.high, type.bits)};
  if (read.largest_magnitude() > type.largest) return {};
  // Subnormal numbers have fewer bits, and may be flushed to zero.
  const double step = std::ldexp(type.smallest, 1 - type.bits);
  if (std::fabs(number.low) < type.smallest) read.low = std::min(0.0, number.low - step);
  if (std::fabs(number.high) < type.smallest) read.high = std::max(0.0, number.high + step);
  return read;
}

Interval perhaps_narrowed(const Interval& number, const NarrowType* type) {
  if (type == nullptr || !number.is_known()) return number;
  const Interval read = narrowed(number, *type);
  return read.is_known() ? Interval{std::min(number.low, read.low), std::max(number.high, read.high)} : read;
}

const NarrowType* type_of_factors(const FactorTreatment& treatment, const OperatorCall& call, std::size_t place) {
  const bool is_kept = treatment.only_of_weights ? call.is_weight(place) : call.is_computed(place);
  return treatment.rounds_dequantized || !is_kept ? treatment.type : nullptr;
}

bool quantizes(const OperatorCall& call, const FactorTreatment& treatment) {
  return treatment.quantizes && (call.is_constant(1) || call.is_weight(1));
}

Factors::Factors(OperatorCall& call, std::size_t place, std::int64_t elements_of_row)
    : operand_(call.input(place)),
      treatment_(&treatment_of(call.reading<Precision>())),
      type_(type_of_factors(*treatment_, call, place)),
      elements_of_row_(elements_of_row) {
  if (spec::is_integer(operand_.type())) {
    treatment_ = &treatment_of(Precision::as_given);
    type_ = nullptr;
    return;
  }
  bool is_open = false;
  for (std::int64_t i = 0; i < operand_.size(); ++i) {
    const Value element = decode(operand_.type(), operand_.code(i));
    if (operand_.type() != ElementType::float16 && is_below_float16(element)) {
      is_open = true;
      if (treatment_->type == &narrow_float16) call.note_inexact("a factor is a subnormal number of float16");
    }
    for (const NarrowType* type : {&narrow_bfloat16, &narrow_float16, &narrow_tf32})
      is_open = is_open || !(rounded(element, type) == element);
  }
  if (is_open) call.note_consulted<Precision>();
  if (quantizes(call, *treatment_) && elements_of_row > 0) find_quantizations();
}

void Factors::find_quantizations() {
  for (std::int64_t i = 0; i < operand_.size(); ++i) {
    const Value element = rounded(decode(operand_.type(), operand_.code(i)), type_);
    if (treatment_->scale_of(i, elements_of_row_) == std::ssize(quantizations_)) quantizations_.emplace_back();
    Quantization& quantization = quantizations_.back();
    if (!element.is_finite()) continue;
    if (less(element, quantization.lowest)) quantization.lowest = element;
    if (less(quantization.highest, element)) quantization.highest = element;
  }
  for (auto& [lowest, highest, scale, zero_point] : quantizations_) {
    const Value magnitude = magnitude_of(lowest);
    if (!treatment_->is_unsigned) {
      scale = divide(less(highest, magnitude) ? magnitude : highest, highest_int8);
      continue;
    }
    scale = divide(subtract(highest, lowest), highest_uint8);
    if (!scale.is_zero()) zero_point = saturated_to_uint8(round_half_to_even(divide(magnitude, scale)));
  }
}

Value Factors::operator[](std::int64_t index) const {
  const Value element = rounded(decode(operand_.type(), operand_.code(index)), type_);
  if (quantizations_.empty() || !element.is_finite() || element.is_zero()) return element;
  const auto& [lowest, highest, scale, zero_point] =
      quantizations_[static_cast<std::size_t>(treatment_->scale_of(index, elements_of_row_))];
  Value code = round_half_to_even(divide(element, scale));
  if (treatment_->is_unsigned) code = subtract(saturated_to_uint8(add(code, zero_point)), zero_point);
  return multiply(code, scale);
}

}  // namespace touchstone::reference
