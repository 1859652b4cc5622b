// opmx: the formulas and their operands.
#pragma once

#include "reference/interpretation.h"
#include "reference/model/parameter_map.h"
#include "reference/opmx_zero_point.h"
#include "reference/signature.h"

namespace touchstone::reference {

/// Computes Y. The x of the signature must be unpacked.
Result opmx_dequantize(const Signature& signature, const ParameterMap& map, spec::ElementType y_type,
                       ZeroPointTerm term, Interpretation& in);

}  // namespace touchstone::reference
