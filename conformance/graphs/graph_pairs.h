// Pairs of what the graphs of the suite vary: how systematically they cover it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace touchstone::conformance {

/// The pairs that a graph can have, sorted: of its pattern, the quantized type, the granularity, the form, the zero
/// points, the axis and the scales. For example "blocked_dq_matmul x zp_highest", or "int4 x per_axis".
std::vector<std::string> known_graph_pairs();

/// The pairs of a case of the suite `graphs`, by its id; none for other cases, and for graphs that violate a rule.
std::vector<std::string> graph_pairs_of(std::string_view id);

}  // namespace touchstone::conformance
