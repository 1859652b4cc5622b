// opmx: the formulas and their operands, and the attributes that decide which formula applies.
#pragma once

#include "reference/interpretation.h"
#include "reference/model/parameter_map.h"
#include "reference/signature.h"

namespace touchstone::reference {

/// The role of the zero point in the formula.
enum class ZeroPointTerm {
  none,        ///< scale * quantized
  subtracted,  ///< scale * (quantized - zeropoint)
  added,       ///< scale * quantized + zeropoint
  open,        ///< unspecified
};

/// The role that has_zeropoint and float_zeropoint give to the zero point. The zero point of the signature must be null
/// if it is absent or empty.
ZeroPointTerm read_zero_point_term(const Signature& signature, Interpretation& in);

/// Computes Y. The x of the signature must be unpacked.
Result opmx_dequantize(const Signature& signature, const ParameterMap& map, ElementType y_type, ZeroPointTerm term,
                       Interpretation& in);

}  // namespace touchstone::reference
