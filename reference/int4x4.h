// opmx's int4x4: four rows of a 4-bit tensor in one row of an int16 tensor.
#pragma once

#include "reference/interpretation.h"
#include "reference/model/tensor.h"

namespace touchstone::reference {

/// The int4x4 tensor of shape (d0, d1, ...), with codes 0 to 15, that `x`, an int16 tensor of shape (d0/4, d1, ...),
/// represents. Rejects an x without rows.
Tensor unpack_int4x4(const Tensor& x, Interpretation& in);

}  // namespace touchstone::reference
