// The interface to threads that run the parts of a call on a large tensor.
#pragma once

#include <cstdint>

namespace touchstone::optimized {

/// A caller's threads, as two plain pointers. It owns nothing. ThreadPool (thread_pool.h) provides one.
struct Executor {
  /// Runs one part. Must not throw.
  using Task = void (*)(void* context, std::int64_t part);

  /// Calls task(context, part) once for each part from 0 up to `parts`, on any threads, in any order or at once.
  /// Returns when all calls have returned; their writes are then visible to the caller. Must not throw.
  void (*run)(void* self, std::int64_t parts, Task task, void* context);
  void* self = nullptr;  ///< passed to `run`
  /// The number of parts that can run at once. A call makes a few times as many parts if the tensor is large enough.
  std::int64_t threads = 1;
  /// The minimum number of elements per part, so that a part is worth waking a thread. Tensors with less than twice as
  /// many elements are not split.
  std::int64_t smallest_part = std::int64_t{1} << 16;
};

}  // namespace touchstone::optimized
