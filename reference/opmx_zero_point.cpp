#include "reference/opmx_zero_point.h"

#include <cstdint>
#include <string_view>

namespace touchstone::reference {

namespace {

bool read_flag(const Signature& s, std::string_view name, Interpretation& in) {
  in.cite("pmx-flags");
  const std::int64_t value = s.attribute(name);
  if (value == 0 || value == 1) return value == 1;
  switch (in.reading<spec::BooleanValues>()) {
    case spec::BooleanValues::nonzero_is_true: return true;
    case spec::BooleanValues::only_one_is_true: return false;
    case spec::BooleanValues::other_values_invalid: break;
  }
  in.reject("pmx-flags", "{} is {}", name, value);
}

/// The use of a zero point if float_zeropoint is false.
ZeroPointTerm traditional(const Signature& s, Interpretation& in) {
  if (spec::is_integer(s.zero_point->type())) return ZeroPointTerm::subtracted;
  switch (in.reading<spec::FloatTypedZeroPoint>()) {
    case spec::FloatTypedZeroPoint::subtracted: return ZeroPointTerm::subtracted;
    case spec::FloatTypedZeroPoint::added: return ZeroPointTerm::added;
    case spec::FloatTypedZeroPoint::invalid: break;
  }
  in.reject("pmx-float-zero-point-type", "ZeroPoint has the type {}, and float_zeropoint is false",
            spec::name(s.zero_point->type()));
}

/// The use of the zero point if has_zeropoint is true.
ZeroPointTerm required_term(const Signature& s, bool is_float, Interpretation& in) {
  in.cite("pmx-zero-point-given");
  if (s.zero_point != nullptr) return is_float ? ZeroPointTerm::added : traditional(s, in);
  if (in.reading<spec::MissingZeroPoint>() == spec::MissingZeroPoint::no_zero_point) return ZeroPointTerm::none;
  in.reject("pmx-zero-point-given", "has_zeropoint is true, and ZeroPoint absent or empty");
}

/// float_zeropoint is true, but has_zeropoint is not.
ZeroPointTerm lone_float_flag(const Signature& s, Interpretation& in) {
  switch (in.reading<spec::LoneFloatFlag>()) {
    case spec::LoneFloatFlag::undefined: return ZeroPointTerm::open;
    case spec::LoneFloatFlag::ignored: return ZeroPointTerm::none;
    case spec::LoneFloatFlag::implies_zero_point: return required_term(s, true, in);
    case spec::LoneFloatFlag::invalid: break;
  }
  in.reject("pmx-float-zero-point", "float_zeropoint is true, and has_zeropoint is not");
}

/// Both are false although there is a zero point.
ZeroPointTerm unannounced(const Signature& s, Interpretation& in) {
  switch (in.reading<spec::UnannouncedZeroPoint>()) {
    case spec::UnannouncedZeroPoint::undefined: break;
    case spec::UnannouncedZeroPoint::ignored: return ZeroPointTerm::none;
    case spec::UnannouncedZeroPoint::used: return traditional(s, in);
  }
  return ZeroPointTerm::open;
}

}  // namespace

ZeroPointTerm read_zero_point_term(const Signature& s, Interpretation& in) {
  const bool has_zero_point = read_flag(s, "has_zeropoint", in);
  const bool is_float = read_flag(s, "float_zeropoint", in);
  if (is_float && s.zero_point != nullptr) {
    in.cite("pmx-float-zero-point-type");
    if (spec::is_integer(s.zero_point->type()))
      in.reject("pmx-float-zero-point-type", "float_zeropoint is true, and ZeroPoint has the type {}",
                spec::name(s.zero_point->type()));
  }
  if (has_zero_point) return required_term(s, is_float, in);
  if (is_float) return lone_float_flag(s, in);
  return s.zero_point == nullptr ? ZeroPointTerm::none : unannounced(s, in);
}

}  // namespace touchstone::reference
