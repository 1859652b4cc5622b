// How a worker is started, and its limits: --timeout, --memory-limit, --python.
#pragma once

#include <cstdint>
#include <string>

namespace touchstone::conformance {

inline constexpr double shortest_timeout = 0.001;  ///< seconds
inline constexpr double longest_timeout = 1e6;

struct WorkerOptions {
  double timeout = 30;             ///< seconds for a case
  std::uint64_t memory_limit = 0;  ///< bytes of address space; 0: no limit
  std::string python = "python3";  ///< the interpreter for backends in Python

  bool operator==(const WorkerOptions&) const = default;
};

}  // namespace touchstone::conformance
