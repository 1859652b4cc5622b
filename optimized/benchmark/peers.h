// What is timed: our kernels, and what they are held against.
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
  /// Fills y of the workload. Those that do not only move bytes.
  bool computes;
  bool (*supports)(const Row& row);
  /// Of a row that it supports.
  Work (*prepare)(Workload& workload);
};

/// Those that this build has and this CPU runs.
std::span<const Peer> peers();

/// onednn_reorder.cpp: where it was found.
extern const Peer onednn_reorder;

}  // namespace touchstone::optimized::benchmarks
