// QuantizeLinear and DequantizeLinear of values that have bounds.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "reference/graph/named_value.h"
#include "reference/model/node.h"
#include "reference/outcome.h"
#include "reference/policy.h"

namespace touchstone::reference {

/// How the result of a node is computed.
struct NodeResults {
  std::function<Result(const Node& node)> whole;
  /// Only these elements of y; null: not supported. If it is given, QuantizeLinear to integers must be monotone: y does
  /// not change between two elements of x with the same parameters that give the same y.
  std::function<Result(const Node& node, std::span<const std::int64_t> elements)> some;
};

/// Whether the reference is monotone in this sense under the policy. Rejected readings wrap around, and readings that
/// convert NaN to one end may give large numbers of both signs the same y: infinity divided by infinity.
bool has_monotone_quantization(const Policy& policy);

/// The result of the node, with bounds if x, its first input, has some, and where a fused kernel may round less.
/// `x` is null if the node has no input. `fuses_scales`: see GraphModel. Sets `leaves_open`, see GraphNotes.
NamedValue quantized_value(Node node, const NamedValue* x, bool fuses_scales, const Policy& policy,
                           const NodeResults& results, bool& leaves_open);

/// results.whole(node), of which it computes few elements where that is possible. It computes all if there are fewer
/// than `fewest_elements`, which takes no longer than sorting them.
Result monotone_result(const Node& node, const NodeResults& results, std::int64_t fewest_elements = 256);

}  // namespace touchstone::reference
