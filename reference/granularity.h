// "Granularity": which element of the scale and of the zero point belongs to an element of x.
#pragma once

#include <functional>

#include "reference/interpretation.h"
#include "reference/parameter_map.h"
#include "reference/signature.h"

namespace touchstone::reference {

/// Version 10: both are scalars.
ParameterMap scalar_parameters(const Signature& signature, Interpretation& in);

/// Versions 13 and 19: a scalar for per-tensor, a 1-D tensor for per-axis quantization.
ParameterMap scalar_or_1d_parameters(const Signature& signature, Interpretation& in);

/// From version 21 on: three granularities, told apart by the shape of the scale.
ParameterMap scalar_1d_or_blocked_parameters(const Signature& signature, Interpretation& in);

/// The granularity that a shape stands for: the scale's, or the zero point's where a reading broadcasts the scale.
using TellApart = std::function<ParameterMap(const Shape& parameters)>;

/// What every version from 13 on and every domain asks of shapes, and in the midst of it how a page tells its
/// granularities apart. Rejects shapes that differ, but for a reading that broadcasts one of the two parameters.
ParameterMap told_apart(const Signature& signature, Interpretation& in, const TellApart& tell_apart);

}  // namespace touchstone::reference
