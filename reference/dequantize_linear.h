// DequantizeLinear: one function per version, each to be read beside that version's page.
#pragma once

#include "reference/interpretation.h"
#include "reference/node.h"

namespace touchstone::reference {

/// y of a node of exactly this version. Throws Rejection where the node violates a clause.
Result dequantize_linear_10(const Node& node, Interpretation& in);
Result dequantize_linear_13(const Node& node, Interpretation& in);
Result dequantize_linear_19(const Node& node, Interpretation& in);
Result dequantize_linear_21(const Node& node, Interpretation& in);
Result dequantize_linear_23(const Node& node, Interpretation& in);
Result dequantize_linear_24(const Node& node, Interpretation& in);
Result dequantize_linear_25(const Node& node, Interpretation& in);
Result dequantize_linear_28(const Node& node, Interpretation& in);

}  // namespace touchstone::reference
