// opmx: "quantized", the zero point, and the formulas that join them.
#pragma once

#include "reference/interpretation.h"
#include "reference/parameter_map.h"
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

/// Y, of a signature whose x is unpacked.
Result opmx_dequantize(const Signature& signature, const ParameterMap& map, spec::ElementType y_type,
                       ZeroPointTerm term, Interpretation& in);

}  // namespace touchstone::reference
