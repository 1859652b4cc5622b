// "Granularity": which element of the scale and of the zero point applies to an element of x.
#pragma once

#include <functional>

#include "reference/interpretation.h"
#include "reference/model/parameter_map.h"
#include "reference/signature.h"

namespace touchstone::reference {

/// Version 10: both are scalars.
ParameterMap scalar_parameters(const Signature& signature, Interpretation& in);

/// Versions 13 and 19: a scalar for per-tensor, a 1-D tensor for per-axis quantization.
ParameterMap scalar_or_1d_parameters(const Signature& signature, Interpretation& in);

/// From version 21 on: three granularities, distinguished by the shape of the scale.
ParameterMap scalar_1d_or_blocked_parameters(const Signature& signature, Interpretation& in);

/// Decides the granularity by a shape: that of the scale, or that of the zero point if a reading broadcasts the scale.
using GranularityOfShape = std::function<ParameterMap(const Shape& parameters)>;

/// The checks of shapes that are common to every domain and all versions from 13 on. Calls `granularity_of` to decide
/// the granularity as the version's page does. Rejects scale and zero point of different shapes, unless a reading
/// broadcasts one of them.
ParameterMap resolve_granularity(const Signature& signature, Interpretation& in,
                                 const GranularityOfShape& granularity_of);

}  // namespace touchstone::reference
