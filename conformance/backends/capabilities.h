// The limits of a backend: those that it declares (a worker in its Hello), and those that the user assumes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/model_file.h"
#include "conformance/plan/form_limits.h"

namespace touchstone::conformance {

struct OpsetRange {
  std::string domain;  ///< "" is ai.onnx
  std::int64_t oldest;
  std::int64_t newest;

  bool operator==(const OpsetRange&) const = default;
};

struct Capabilities {
  std::vector<std::int32_t> element_types =
      {};                               ///< onnx.TensorProto.DataType of graph inputs, outputs and constants; none: all
  std::vector<OpsetRange> opsets = {};  ///< none: all
  bool constant_scales_only = false;    ///< scale and zero point must be initializers or constants
  bool static_shapes_only = false;      ///< no graph input may have a symbolic or unknown dimension

  FormLimits form_limits() const { return {constant_scales_only, static_shapes_only}; }
  bool operator==(const Capabilities&) const = default;
};

// The source of the capabilities, as the beginning of a reason.
inline constexpr std::string_view declaration = "the backend declares that it takes";
inline constexpr std::string_view assumption = "--assume: the backend takes";

/// Combines known and assumed capabilities. Assumed element types and opsets replace the known ones.
Capabilities with_assumed(Capabilities known, const Capabilities& assumed);

/// Why a backend with these capabilities does not support the model, as a sentence that begins with `known_by`; nothing
/// if it does.
std::optional<std::string> declined(const Capabilities& capabilities, const OperatorModel& model,
                                    std::string_view known_by = declaration);

}  // namespace touchstone::conformance
