// opmx: has_zeropoint and float_zeropoint.
#pragma once

#include "reference/interpretation.h"
#include "reference/signature.h"

namespace touchstone::reference {

/// The part that the zero point has in the formula.
enum class ZeroPointTerm {
  none,        ///< scale * quantized
  subtracted,  ///< scale * (quantized - zeropoint)
  added,       ///< scale * quantized + zeropoint
  open,        ///< not said
};

/// By has_zeropoint and float_zeropoint. The zero point of the signature is null where it is absent or empty.
ZeroPointTerm read_zero_point_term(const Signature& signature, Interpretation& in);

}  // namespace touchstone::reference
