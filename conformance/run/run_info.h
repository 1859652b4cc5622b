// Describes a run: enough to determine whether another run is comparable, or can resume it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/backends/workers/worker_options.h"

namespace touchstone::conformance {

struct RunInfo {
  std::string tool_version = {};
  BackendIdentity backend = {};
  std::vector<std::string> suites;
  std::string tier;
  std::uint64_t seed = 0;
  std::string filter;
  std::string plan_hash = {};  ///< of the ids of all selected cases, with tier and seed: 16 hex digits
  std::size_t cases = 0;       ///< in the plan
  bool strict = false;         ///< only primary readings pass
  bool sign_of_zero = false;   ///< +0 differs from -0, in all cases
  std::string host = {};       ///< system and processor, for readers
  // Needed to resume the run, or to run one of its cases again:
  std::string backend_option = {};  ///< the value of --backend
  std::string data = {};            ///< the absolute path of --data; empty: the location of tools/setup
  bool follow_symlinks = false;     ///< out of `data`
  WorkerOptions worker = {};        ///< of a backend in a separate process
  Capabilities assumed = {};        ///< the values of --assume
  std::string require = {};         ///< the value of --require, see Requirement; empty: not given
  Capabilities declared = {};       ///< by the backend itself

  /// The limits that the forms of the plan respect.
  FormLimits limits() const { return assumed.form_limits() | declared.form_limits(); }

  bool operator==(const RunInfo&) const = default;
};

}  // namespace touchstone::conformance
