// How a worker is started, and its limits: --cpu, --timeout, --memory-limit, --python, --pass-env, --sandbox,
// --no-sandbox, --show-ids.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace touchstone::conformance {

inline constexpr double shortest_timeout = 0.001;  ///< seconds
inline constexpr double longest_timeout = 1e6;

/// An emulated processor takes about so many times as long.
inline constexpr double times_slower_emulated = 10;

struct WorkerOptions {
  std::string cpu = {};                            ///< the processor to emulate; empty: none
  double timeout = 30;                             ///< seconds for a case, if no processor is emulated
  std::uint64_t memory_limit = 0;                  ///< bytes of address space; 0: no limit
  std::string python = "python3";                  ///< the interpreter for backends in Python
  std::vector<std::string> passed_variables = {};  ///< names of environment variables, see worker_environment
  bool in_sandbox = false;                         ///< see sandboxed
  bool without_sandbox = false;                    ///< not even in a PID namespace
  bool shows_ids = false;                          ///< see Program

  double seconds_for_case() const { return cpu.empty() ? timeout : timeout * times_slower_emulated; }

  bool operator==(const WorkerOptions&) const = default;
};

}  // namespace touchstone::conformance
