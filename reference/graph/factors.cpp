#include "reference/graph/factors.h"

#include <algorithm>

#include "reference/codec.h"
#include "reference/rounding.h"

namespace touchstone::reference {

namespace {

using Precision = spec::FactorPrecision;

constexpr spec::FloatFormat tf32{
    .exponent_bits = 8, .fraction_bits = 10, .exponent_bias = 127, .special_codes = spec::SpecialCodes::ieee};

/// Under a reading that does not quantize.
Value rounded(const Value& element, Precision::Reading reading) {
  switch (reading) {
    case Precision::rounded_to_bfloat16: return round_to_type(element, spec::ElementType::bfloat16);
    case Precision::rounded_to_float16: return round_to_type(element, spec::ElementType::float16);
    case Precision::rounded_to_tf32: return round_to_ieee(element, tf32);
    case Precision::as_given:
    case Precision::quantized_to_int8:
    case Precision::quantized_in_blocks: break;
  }
  return element;
}

Value magnitude_of(const Value& value) { return value.is_negative() ? -value : value; }

/// Whether an implementation that flushes subnormal float16 numbers may take the element for zero.
bool is_below_float16(const Value& element) {
  return element.is_finite() && !element.is_zero() &&
         binade(element.magnitude()) < smallest_exponent(spec::format_of(spec::ElementType::float16));
}

}  // namespace

Factors::Factors(OperatorCall& call, const Tensor& operand, std::int64_t elements_of_row)
    : operand_(operand),
      reading_(call.reading<Precision>()),
      elements_per_scale_(elements_of_scale(reading_, elements_of_row)) {
  if (spec::is_integer(operand.type())) {
    reading_ = Precision::as_given;
    return;
  }
  bool is_open = false;
  for (std::int64_t i = 0; i < operand.size(); ++i) {
    const Value element = decode(operand.type(), operand.code(i));
    if (operand.type() != spec::ElementType::float16 && is_below_float16(element)) {
      is_open = true;
      if (reading_ == Precision::rounded_to_float16) call.note_inexact("a factor is a subnormal number of float16");
    }
    for (const Precision::Reading reading :
         {Precision::rounded_to_bfloat16, Precision::rounded_to_float16, Precision::rounded_to_tf32})
      is_open = is_open || !(rounded(element, reading) == element);
  }
  if (is_open) call.note_consulted<Precision>();
  if (quantizes(reading_) && elements_of_row > 0) find_scales();
}

void Factors::find_scales() {
  for (std::int64_t i = 0; i < operand_.size(); ++i) {
    const Value magnitude = magnitude_of(decode(operand_.type(), operand_.code(i)));
    if (i % elements_per_scale_ == 0) scales_.push_back(Value::zero(false));
    if (magnitude.is_finite() && less(scales_.back(), magnitude)) scales_.back() = magnitude;
  }
  constexpr int highest = 127;
  for (Value& scale : scales_) scale = divide(scale, Value::of(Integer(highest)));
}

Value Factors::operator[](std::int64_t index) const {
  const Value element = decode(operand_.type(), operand_.code(index));
  if (scales_.empty() || !element.is_finite() || element.is_zero()) return rounded(element, reading_);
  const Value& scale = scales_[static_cast<std::size_t>(index / elements_per_scale_)];
  return multiply(round_half_to_even(divide(element, scale)), scale);
}

}  // namespace touchstone::reference
