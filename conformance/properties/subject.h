// Implementations that are compared with the reference.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "conformance/backends/backend.h"
#include "conformance/backends/capabilities.h"
#include "conformance/files/case.h"
#include "optimized/float_environment_testing.h"
#include "optimized/isa.h"

namespace touchstone::conformance {

/// An implementation that is compared with the reference.
struct Subject {
  std::string backend;                     ///< the value of the option --backend
  std::optional<optimized::Isa> isa = {};  ///< only for the backend `optimized`
  /// Returns its answer to a case of one data set. `environment` is the floating-point environment of the caller.
  std::function<UnitAnswer(const Case& tested, const optimized::Environment& environment)> answer;
  Capabilities assumed = {};  ///< examples beyond these capabilities are not tried, and so do not fail
};

/// The library optimized/ with the kernels of an instruction set, called in the example's environment. Not restoring
/// the environment counts as a crash.
Subject optimized_subject(optimized::Isa isa);

/// Any backend, called in the program's environment.
Subject subject_of(std::string name, std::shared_ptr<Backend> backend);

/// A readable name: "optimized (avx2)".
std::string name_of(const Subject& subject);

}  // namespace touchstone::conformance
