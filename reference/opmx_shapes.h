// opmx: which scale and which zero point apply to an element.
#pragma once

#include "reference/interpretation.h"
#include "reference/model/parameter_map.h"
#include "reference/signature.h"

namespace touchstone::reference {

/// Grouped, per channel or per tensor, by group_size and the shape of Scale. The x of the signature must be unpacked,
/// and its zero point null if it is absent or empty.
ParameterMap opmx_parameters(const Signature& signature, Interpretation& in);

}  // namespace touchstone::reference
