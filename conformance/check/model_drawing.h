// A drawing of a model with the results of its parts.
#pragma once

#include <string>

#include "conformance/check/overview.h"

namespace touchstone::conformance {

/// An SVG element without scripts. A box is a unit, a node on its own, or connected nodes that are not checked; it has
/// a square for each backend, and links to the row "part-NUMBER" of its part. Data flow from left to right, in lines
/// that fit on a page. Repeated sequences of boxes are drawn once, with their number. Of a model that is too long
/// nevertheless, only the boxes that are not right are drawn, with their neighbours.
std::string model_drawing(const Overview& overview);

}  // namespace touchstone::conformance
