// Who runs the parts of a call on a large tensor.
#pragma once

#include <cstdint>

namespace touchstone::optimized {

/// A caller's threads, as two plain pointers; it owns nothing. ThreadPool (thread_pool.h) has one.
struct Executor {
  /// One part; it throws nothing.
  using Task = void (*)(void* context, std::int64_t part);

  /// Calls task(context, part) once for each part from 0 up to `parts`, on any threads, in any order or at once, and
  /// returns when all have returned; what they wrote is then visible to the caller. It throws nothing.
  void (*run)(void* self, std::int64_t parts, Task task, void* context);
  void* self = nullptr;  ///< passed to `run`
  /// How many parts can run at once. Calls make a few times as many parts if the tensor is large enough.
  std::int64_t threads = 1;
  /// The minimum number of elements per part, so that a part is worth waking a thread. Tensors with less than twice as
  /// many are not split.
  std::int64_t smallest_part = std::int64_t{1} << 16;
};

}  // namespace touchstone::optimized
