#include "reference/graph/exact_sum.h"

#include <algorithm>
#include <bit>

#include "reference/codec.h"
#include "reference/rounding.h"

namespace touchstone::reference {

Value value_of(float number) { return decode(ElementType::float32, std::bit_cast<std::uint32_t>(number)); }

void ExactSum::add(const Value& term) {
  total_ = reference::add(total_, term);
  if (term.is_zero()) return;
  if (!term.is_finite()) {
    has_special_terms_ = true;
    return;
  }
  magnitudes_ = reference::add(magnitudes_, term.is_negative() ? -term : term);
  const Magnitude& magnitude = term.magnitude();
  const auto numerator_bit = static_cast<int>(lsb(magnitude.numerator));
  const auto denominator_bit = static_cast<int>(lsb(magnitude.denominator));
  const bool is_dyadic = (magnitude.numerator % (magnitude.denominator >> denominator_bit)) == 0;
  has_other_terms_ = has_other_terms_ || !is_dyadic;
  const int lowest = magnitude.exponent + numerator_bit - denominator_bit;
  lowest_bit_ = std::min(lowest, lowest_bit_.value_or(lowest));
}

ExactSum ExactSum::scaled(int exponent) const {
  const Value factor = Value::scaled(false, 1, exponent);
  ExactSum made = *this;
  made.total_ = multiply(total_, factor);
  made.magnitudes_ = multiply(magnitudes_, factor);
  if (made.lowest_bit_) *made.lowest_bit_ += exponent;
  return made;
}

bool ExactSum::is_exact() const {
  if (has_other_terms_) return false;
  if (!lowest_bit_) return true;
  if (spec::is_integer(type_))
    return *lowest_bit_ >= 0 && !less(Value::of(highest(type_)), magnitudes_) &&
           !less(total_, Value::of(lowest(type_)));
  const spec::FloatFormat& format = spec::format_of(type_);
  if (less(Value::number(false, largest_finite(format)), magnitudes_)) return false;
  if (has_special_terms_) return true;
  const Value limit = Value::scaled(false, Integer(1), *lowest_bit_ + format.fraction_bits + 1);
  return *lowest_bit_ >= smallest_exponent(format) && !less(limit, magnitudes_);
}

std::uint64_t ExactSum::code(OperatorCall& call) const {
  if (is_exact()) return encode(type_, total_);
  constexpr const char* why = "the result of a sum depends on its order, or is rounded";
  if (!spec::is_integer(type_)) {
    call.note_rounded(why);
    return encode(type_, round_to_type(total_, type_));
  }
  call.note_inexact(why);
  // "wraps around" is what implementations do; the note says that nothing depends on it.
  return 0;
}

}  // namespace touchstone::reference
