// How much of what a backend says and prints a run keeps, whatever it says and prints.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "conformance/run/record.h"

namespace touchstone::conformance {

/// As the journal has it, so that it is read again as the same: valid UTF-8; a model's texts, which it may quote, need
/// not be. Of a reason that is longer than Limits::reason_bytes, as those of a backend may be, the beginning and the
/// end, where it often says what is wrong, around " ... (N bytes) ... ", its whole size.
void cut_reason(std::string& reason);

/// Bytes of each output that are kept when Limits::output_bytes_per_run is used up: its end.
inline constexpr std::size_t kept_end = std::size_t{1} << 10;

/// What is left for the outputs of a run's cases, in the order of the plan. It depends on what was kept so far and on
/// nothing else, so that a run that is gone on with keeps what it would have kept at once.
class OutputBudget {
 public:
  explicit OutputBudget(std::span<const CaseRecord> kept = {});

  void cut(std::string& output);

 private:
  std::size_t used_ = 0;
};

}  // namespace touchstone::conformance
