// opmx's int4x4: four rows of a 4-bit tensor in one tensor of int16.
#pragma once

#include "reference/interpretation.h"
#include "reference/model/tensor.h"

namespace touchstone::reference {

/// The tensor of shape (d0, d1, ...) that `x`, int16 of shape (d0/4, d1, ...), stands for: of type int4x4, with codes 0
/// to 15. Rejects an x that has no rows.
Tensor unpack_int4x4(const Tensor& x, Interpretation& in);

}  // namespace touchstone::reference
