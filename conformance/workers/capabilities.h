// What a worker says in its Hello that its backend can take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/backends/backend.h"

namespace touchstone::conformance {

struct OpsetRange {
  std::string domain;  ///< "" is ai.onnx
  std::int64_t oldest;
  std::int64_t newest;
};

struct Capabilities {
  std::vector<std::int32_t> element_types = {};  ///< onnx.TensorProto.DataType of graph inputs and outputs; none: all
  std::vector<OpsetRange> opsets = {};           ///< none: all
  bool constant_scales_only = false;             ///< scale and zero point have to be initializers or constants
  bool static_shapes_only = false;               ///< no graph input may have a symbolic or unknown dimension
};

/// Why a backend of which this is declared cannot take the model; nothing if it can.
std::optional<Refusal> declined(const Capabilities& capabilities, const OperatorModel& model);

}  // namespace touchstone::conformance
