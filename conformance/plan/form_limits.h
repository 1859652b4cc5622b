// The forms of cases that a plan avoids, because its backend does not support them.
#pragma once

namespace touchstone::conformance {

struct FormLimits {
  bool constant_scales_only = false;  ///< scale and zero point are never graph inputs
  bool static_shapes_only = false;    ///< no graph input has a symbolic dimension

  bool operator==(const FormLimits&) const = default;
  /// Combines the limits: both apply to the backend.
  friend FormLimits operator|(const FormLimits& one, const FormLimits& other) {
    return {one.constant_scales_only || other.constant_scales_only, one.static_shapes_only || other.static_shapes_only};
  }
};

}  // namespace touchstone::conformance
