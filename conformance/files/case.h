// A case: one model with inputs and the expected outcome.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/files/model_file.h"
#include "conformance/files/names.h"
#include "conformance/files/tensor_file.h"

namespace touchstone::conformance {

/// One set of data for a model: a `test_data_set_N` of ONNX's backend tests.
struct DataSet {
  std::vector<NamedTensor> inputs;    ///< in the order of the graph's inputs
  std::vector<NamedTensor> expected;  ///< in the order of the graph's outputs; empty: the outputs of the reference
  /// An earlier data set with the same inputs. The outputs must be bit-identical, except for unspecified elements.
  std::optional<std::size_t> repeats = std::nullopt;
};

struct Case {
  std::string id;  ///< e.g. onnx/1.22.0/test_quantizelinear_axis
  OperatorModel model;
  std::vector<DataSet> data_sets;
  std::string form = {};  ///< the name of a generated case's form
  /// The model contains a float6 tensor with nonzero padding bits. The file is then invalid, whatever the node is.
  bool float6_padding_is_set = false;
};

/// The model's node with the data for its graph inputs, ready for the interpreter.
/// Throws std::invalid_argument if a graph input has no data.
Node bind_inputs(const OperatorModel& model, std::span<const NamedTensor> inputs);

}  // namespace touchstone::conformance
