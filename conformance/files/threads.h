// Runs work in several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace touchstone::conformance {

/// Calls `work` in this thread and in `jobs` - 1 others, or in as many as the system can start. Returns when all calls
/// have returned, and rethrows the first exception.
void run_in_threads(std::size_t jobs, const std::function<void()>& work);

/// Calls `work` once with each number below `count`. After an exception no more calls are started.
void for_each_in_threads(std::size_t jobs, std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace touchstone::conformance
