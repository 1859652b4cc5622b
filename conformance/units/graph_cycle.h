// Cycles of graphs, which ONNX forbids.
#pragma once

#include <string>

namespace onnx {
class GraphProto;
}  // namespace onnx

namespace touchstone::conformance {

/// A cycle in words: "3 Conv -> 4 Relu -> 3 Conv". Each node reads what the node before it gives. Empty if the graph
/// has no cycle.
std::string cycle_in_words(const onnx::GraphProto& graph);

}  // namespace touchstone::conformance
