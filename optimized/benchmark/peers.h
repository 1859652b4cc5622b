// What is timed: our kernels, and the implementations that they are compared with.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "optimized/benchmark/workload.h"

namespace touchstone::optimized::benchmarks {

/// One pass over the workload. `label` tells what runs, as far as the name of the peer does not: the instruction set,
/// or the version of a library or compiler.
struct Work {
  std::function<void()> run;
  std::string label;
};

struct Peer {
  std::string_view name;
  /// Whether it fills y of the workload. Peers that do not only move bytes.
  bool computes;
  bool (*supports)(const Row& row);
  /// The row of the workload must be supported.
  Work (*prepare)(Workload& workload);
};

/// The peers that this build has and this CPU can run.
std::span<const Peer> peers();

/// onednn_reorder.cpp: where it was found.
extern const Peer onednn_reorder;

}  // namespace touchstone::optimized::benchmarks
