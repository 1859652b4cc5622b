// The cases of a user's model: its quantization operators one by one, and its units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/case.h"
#include "conformance/plan/planned_case.h"
#include "conformance/units/units.h"

namespace touchstone::conformance {

/// A model and its parts. Constant after its construction.
class ModelParts {
 public:
  /// Throws FileError as UserModel does. If there are inputs, the interpreter computes from them what the parts get.
  ModelParts(const std::filesystem::path& path, const DimensionLengths& dimensions,
             const std::filesystem::path& inputs = {});

  const UserModel& model() const { return model_; }
  const CutModel& cut() const { return cut_; }

  /// First the single nodes, then the units, then the windows.
  std::size_t size() const { return cut_.nodes.size() + cut_.units.size() + cut_.windows.size(); }
  const ModelUnit& part(std::size_t number) const;
  /// "node", "unit" or "window".
  std::string_view kind_of(std::size_t number) const;

  /// The parts whose inputs are known for the user's inputs to the model. Others depend on an operator that the
  /// interpreter does not have.
  std::size_t parts_with_inputs() const;
  /// "x.npz: node 3 Gather g: why": the nodes that are invalid with the user's inputs, with the first of these.
  std::vector<std::string> invalid_inputs() const;

  /// model/NAME/node/INDEX/OPERATOR, model/NAME/unit/INDEX/OPERATORS or model/NAME/window/INDEX/OPERATORS, where INDEX
  /// is that of its first node of interest in the graph, and operators are joined by "+". Further windows with the same
  /// ones end in -2 and so on.
  const std::string& id_of(std::size_t number) const { return ids_.at(number); }

  /// The part with data for its inputs: first those that the user's inputs give; the others depend on its id and the
  /// seed only. Throws FileError for external data
  /// that are missing, for a value whose type or shape is not known, and as parse_model does.
  Case make_case(std::size_t number, std::uint64_t seed) const;

 private:
  /// The values that the user's inputs give to the parts, for each set that reaches all inputs of this part, and with
  /// which its nodes are valid.
  std::vector<const std::map<std::string, Tensor>*> inputs_of(std::size_t number) const;

  UserModel model_;
  CutModel cut_;
  std::vector<std::string> ids_;
  std::vector<std::map<std::string, Tensor>> values_;                         ///< of the inputs of the parts, by set
  std::map<std::size_t, std::map<std::size_t, std::string>> invalid_inputs_;  ///< why, by node and set
};

/// Why the page of the operator forbids the only node of the model with these inputs; empty if it is not known to.
std::string invalidity(reference::GraphModel node, std::span<const Tensor> inputs);

/// The cases of the parts, which share the model.
std::vector<PlannedCase> plan_parts(std::shared_ptr<const ModelParts> parts, std::uint64_t seed);

}  // namespace touchstone::conformance
