// Computes nodes with other operators than quantization: exactly, or with bounds of what every evaluation gives.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reference/graph/known_values.h"
#include "reference/graph/named_value.h"
#include "reference/graph/operator_call.h"
#include "reference/graph/operators.h"
#include "reference/graph/replacements.h"
#include "reference/graph/scope.h"
#include "reference/model/graph.h"
#include "reference/policy.h"

namespace touchstone::reference {

using Values = std::vector<NamedValue>;

/// Whether a node multiplies factors, and gives this value.
bool is_product(const Graph& graph, const std::string& value);

/// Whether the elements of the value are those that DequantizeLinear gives, moved or chosen.
bool is_moved(const GraphModel& model, const std::string& value);

class OperatorRun {
 public:
  /// Keeps references to its arguments. What it finds is added to the notes.
  OperatorRun(const GraphModel& model, const Policy& policy, GraphNotes& notes);

  /// The outputs of the node. Throws GraphError.
  Values compute(const GraphNode& node, const Scope& scope, int opset);

  // ---- nodes that optimizers replace by others

  const std::vector<WrittenNormalization>& written_normalizations() const { return written_; }
  /// Notes the length of the sums of a Conv of which BatchNormalization becomes a part.
  void note_terms(const GraphNode& node, const Scope& scope);
  /// How many more roundings the terms of a Conv have if BatchNormalization becomes part of its weights and its bias,
  /// and those of this BatchNormalization, whose bias is in each sum then.
  double further_roundings(const GraphNode& node) const;
  /// Widens the result of a normalization that is written out by what LayerNormalization gives.
  void widen_normalization(const GraphNode& node, const Scope& scope, Values& values);
  /// Notes where optimizers replace nodes by others that round differently.
  void note_replacements();

  /// The value with bounds for a runtime that keeps tensors in a narrower type, with scales of its own; std::nullopt if
  /// the reading in force permits none.
  std::optional<NamedValue> as_kept(const NamedValue& value) const;

  /// Notes that there are no bounds for the node.
  void note_inexact(const GraphNode& node, std::string_view why);
  /// Notes that the node reads the value.
  void note_use(const NamedValue& given, const GraphNode& node);

 private:
  using Inputs = std::vector<const NamedValue*>;  // null: absent

  /// Whether exact results, too, may be rounded to a narrower type in which tensors are kept.
  bool keeps_narrow(const OperatorFunction& function, const Inputs& inputs) const;
  /// Whether the product has so many weights that only bounds are computed, and these in parts.
  bool is_of_large_weights(const GraphNode& node, const Inputs& inputs) const;
  /// Throws GraphError if an input has so many weights, for operators that are not computed in parts.
  void refuse_large_weights(const Inputs& inputs) const;
  /// The product of the first operand and the columns of the second one, some at a time: bounds need much more memory
  /// than weights.
  Values in_parts(const GraphNode& node, const OperatorFunction& function, const Inputs& inputs, int opset);
  /// Whether a rejected reading is in force whose kernels may round exact results of products: they round scales.
  bool rounds_products(const OperatorFunction& function) const;
  /// What the function computes, with bounds where they matter.
  Values computed(const GraphNode& node, const OperatorFunction& function, const Inputs& inputs, int opset,
                  bool is_exact);
  OperatorCall call_of(const GraphNode& node, const Inputs& inputs, int opset) const;
  /// The outputs with their bounds. `exact` are the outputs, if they are exact.
  Values with_bounds(const GraphNode& node, const OperatorFunction& function, Inputs inputs, int opset, Values exact);
  /// Runs the operator on the places of the elements, instead of their values.
  Values moved(const GraphNode& node, const OperatorFunction& function, const Inputs& inputs, int opset);
  /// Runs an operator that is monotone in each input on the lowest and on the highest numbers.
  Values between_ends(const GraphNode& node, const OperatorFunction& function, const Inputs& inputs, int opset);
  void note_rounded(const GraphNode& node, std::string_view why);

  const GraphModel& model_;
  const Policy& policy_;
  GraphNotes& notes_;
  std::map<std::string, double> normalized_;  ///< outputs of Conv that BatchNormalization reads, with their terms
  std::vector<WrittenNormalization> written_;
  std::set<std::string> widened_roots_;
};

}  // namespace touchstone::reference
