// The timed implementations: our kernels and their peers.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "optimized/benchmark/workload.h"

namespace touchstone::optimized::benchmarks {

/// One pass over the workload. `label` identifies what runs if the name of the peer does not: the instruction set, or
/// the version of a library or compiler.
struct Work {
  std::function<void()> run;
  std::string label;
};

struct Peer {
  std::string_view name;
  /// Whether the peer computes y of the workload. Others only move bytes.
  bool computes;
  bool (*supports)(const Row& row);
  /// The row of the workload must be supported.
  Work (*prepare)(Workload& workload);
};

/// The peers that this build has and this CPU can run.
std::span<const Peer> peers();

/// onednn_reorder.cpp, if oneDNN was found.
extern const Peer onednn_reorder;

}  // namespace touchstone::optimized::benchmarks
