// What the specification says of the quantization operators of a user's model, without a backend.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/units/unit_cases.h"
#include "reference/outcome.h"

namespace touchstone::conformance {

/// A node of a model: QuantizeLinear, DequantizeLinear, or one that is invalid.
struct ExaminedNode {
  std::size_t index;  ///< in its graph
  std::string place;  ///< where its graph is: "then_branch of node 3 If", "function f"; empty for the main graph
  std::string name;   ///< of the node; its first output if it has none
  std::string op_type;
  std::optional<reference::Rejection> illegal = std::nullopt;
  /// Why the page of another operator forbids the node: "node 3 Gather g: ..."; empty for quantization nodes.
  std::string invalid = {};
  std::string unexamined = {};  ///< why it is not known whether the node is legal; empty if it is
  std::string cell = {};        ///< of the lattice, see to_string(Cell); empty if the node is not known to be legal
  /// The ids of the ambiguities whose permitted readings differ for the constants of this node: in what y is, or in
  /// whether the node is legal.
  std::vector<std::string_view> ambiguities = {};
  /// In how many elements these were sought, if not in all: "1,024 of 4,096 different elements".
  std::string compared = {};
  /// What is unusual about a constant scale: "18 of 32 scales are negative"; empty if nothing is.
  std::string unusual_scales = {};
};

/// All quantization nodes of the model, those of branches, bodies and functions last. What is not constant gets zeros:
/// only shapes, types, attributes and constants decide. Never throws because of the model.
std::vector<ExaminedNode> examine(const ModelParts& parts);

/// The nodes with other operators that are invalid because of constant shapes, indices, axes and scales, whatever their
/// other inputs are. Never throws because of the model.
std::vector<ExaminedNode> invalid_nodes(const ModelParts& parts);

}  // namespace touchstone::conformance
