// Simpler variants of a failing example, which may fail in the same way.
#pragma once

#include <vector>

#include "conformance/generate/simpler_nodes.h"
#include "conformance/properties/example.h"

namespace touchstone::conformance {

Complexity complexity(const Example& example);

/// Simpler examples, the simplest ones first: a single element with its scale and zero point; then parts, other
/// dimensions, attributes and values. Each one is less complex than `example`, so that repeated simplification
/// terminates. They may be illegal even if `example` is legal.
std::vector<Example> simpler_examples(const Example& example);

}  // namespace touchstone::conformance
