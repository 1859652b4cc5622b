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
  void* self = nullptr;  ///< handed to `run`
  /// How many parts can be under way at once. Calls make a few times as many where the tensor is large enough.
  std::int64_t threads = 1;
  /// Elements: what it costs to wake a thread, and no part has fewer. Of a tensor with less than twice as many nothing
  /// is shared out.
  std::int64_t smallest_part = std::int64_t{1} << 16;
};

}  // namespace touchstone::optimized
