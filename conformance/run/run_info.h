// What a run is a run of: enough to know whether another one can be compared with it, or can go on with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/backends/workers/worker_options.h"

namespace touchstone::conformance {

struct RunInfo {
  std::string tool_version;
  BackendIdentity backend;
  std::vector<std::string> suites;
  std::string tier;
  std::uint64_t seed = 0;
  std::string filter;
  std::string plan_hash;      ///< of the ids of all selected cases, with tier and seed: 16 hex digits
  std::size_t cases = 0;      ///< that the plan has
  bool strict = false;        ///< only primary readings pass
  bool sign_of_zero = false;  ///< +0 is not -0, in all cases
  std::string host;           ///< system and processor, for people
  // To go on with the run, or to run a case of it again: what else the plan and the answers come from.
  std::string backend_option = {};  ///< what --backend was
  std::string data = {};            ///< the absolute path that --data was; empty: where tools/setup puts it
  WorkerOptions worker = {};        ///< of a backend in a process of its own
  Capabilities assumed = {};        ///< what --assume was
  Capabilities declared = {};       ///< by the backend itself

  /// What the forms of the plan had to do without.
  FormLimits limits() const { return assumed.form_limits() | declared.form_limits(); }

  bool operator==(const RunInfo&) const = default;
};

}  // namespace touchstone::conformance
