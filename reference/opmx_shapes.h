// opmx: the shape of x with its packed rows unpacked, and which scale and zero point apply to an element.
#pragma once

#include "reference/interpretation.h"
#include "reference/model/parameter_map.h"
#include "reference/model/tensor.h"
#include "reference/signature.h"

namespace touchstone::reference {

/// The int4x4 tensor of shape (d0, d1, ...), with codes 0 to 15, that `x`, an int16 tensor of shape (d0/4, d1, ...),
/// represents. Rejects an x without rows.
Tensor unpack_int4x4(const Tensor& x, Interpretation& in);

/// Grouped, per channel or per tensor, by group_size and the shape of Scale. The x of the signature must be unpacked,
/// and its zero point null if it is absent or empty.
ParameterMap opmx_parameters(const Signature& signature, Interpretation& in);

}  // namespace touchstone::reference
