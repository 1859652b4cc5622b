// For tests: a sample of many examples where trying all takes too long.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace touchstone::optimized {

/// Selects every example, or one of N if the environment variable TOUCHSTONE_ONE_OF is N, as it is under sanitizers.
class Sample {
 public:
  /// If only a sample is tried, it is smaller by the factor `times_fewer`.
  explicit Sample(std::int64_t times_fewer = 1) {
    const char* one_of = std::getenv("TOUCHSTONE_ONE_OF");
    if (one_of == nullptr) return;
    period_ = std::stoll(one_of) * times_fewer;
    if (period_ < 1) throw std::invalid_argument("TOUCHSTONE_ONE_OF is to be a positive number");
  }

  /// Whether to try the next example. The first one is always tried.
  bool takes_next() { return count_++ % period_ == 0; }

 private:
  std::int64_t period_ = 1;
  std::int64_t count_ = 0;
};

}  // namespace touchstone::optimized
