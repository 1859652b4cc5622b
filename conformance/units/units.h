// Cuts a model into units: the smallest parts between quantized tensors, which can be judged on their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "conformance/units/user_model.h"

namespace touchstone::conformance {

/// A part of a model that is a model on its own.
struct ModelUnit {
  std::size_t first;  ///< the index in the graph of the first of the nodes that it is about
  /// The indices of its nodes in the graph, in the graph's order: those that the unit is about, and after a cut those
  /// that compute its constants and dequantize its inputs, too.
  std::vector<std::size_t> nodes;
  std::vector<std::string> inputs;  ///< names of values that are not constant
  std::uint64_t weights = 0;        ///< the elements of the initializers that its nodes read
  /// Names of values that the rest of the model, or its caller, uses; if there are none, of those that nothing uses.
  std::vector<std::string> outputs;
  /// Operators, attributes, connections, types and shapes, and which inputs are constant, as a text: equal if they are.
  std::string structure;
  /// The number of units with this structure: this one and others, which are not listed.
  std::size_t stands_for = 1;
  /// The indices of the nodes that these units are about, without constants.
  std::vector<std::size_t> represented = {};
};

struct CutModel {
  std::vector<ModelUnit> nodes;    ///< each QuantizeLinear and DequantizeLinear node on its own; one for each structure
  std::vector<ModelUnit> units;    ///< one for each structure
  std::vector<ModelUnit> windows;  ///< two or three units, each of which reads a quantized output of the one before
  /// Windows that are left out, because they have too many nodes or weights.
  std::size_t too_large_windows = 0;
  std::size_t all_nodes = 0;  ///< of the model, also in branches and bodies, without constants
  std::size_t in_units = 0;   ///< that are in a unit, or quantize on their own
  /// Why the others are not, with their number.
  std::map<std::string, std::size_t> not_in_units = {};
};

/// A unit is a set of nodes that are connected by values which are neither quantized, nor constant, nor dequantized
/// inputs; the nodes that dequantize its inputs and constants belong to each unit that needs them. An operator that the
/// interpreter of graphs does not have ends a unit. What makes quantized tensors of others, such as MaxPool of uint8,
/// is a unit of its own. So is, besides, a product of a dequantized weight by what another node of the set computes,
/// which is judged more precisely alone. Of a set of more than `most_nodes_per_unit` nodes, and of one that has weights
/// of several types or block sizes, only the neighbours of quantization operators are units, one by one.
CutModel cut(const UserModel& model);

inline constexpr std::size_t most_nodes_per_unit = 32;
/// Keeps the memory of a check small. Units may have more: they are the smallest parts.
inline constexpr std::uint64_t most_weights_per_window = 40'000'000;

/// The unit as a model. Reads external data. Throws FileError.
onnx::ModelProto model_of(const UserModel& model, const ModelUnit& unit);

/// The operators that the unit is about, in their order: "Conv, Relu". Those that quantize and dequantize are left out
/// if there are others.
std::vector<std::string> operators_of(const UserModel& model, const ModelUnit& unit);

}  // namespace touchstone::conformance
