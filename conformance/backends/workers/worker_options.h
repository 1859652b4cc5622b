// What a worker may take, and what it is started with: --timeout, --memory-limit, --python.
#pragma once

#include <cstdint>
#include <string>

namespace touchstone::conformance {

inline constexpr double shortest_timeout = 0.001;  ///< seconds
inline constexpr double longest_timeout = 1e6;

struct WorkerOptions {
  double timeout = 30;             ///< seconds for a case
  std::uint64_t memory_limit = 0;  ///< bytes of address space; 0: as much as the system has
  std::string python = "python3";  ///< of the backends that Python runs

  bool operator==(const WorkerOptions&) const = default;
};

}  // namespace touchstone::conformance
