// How much of what a backend says and prints a run keeps, whatever it says and prints.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "conformance/run/record.h"

namespace touchstone::conformance {

/// Changes a reason to what the journal keeps, so that reading it gives the same text. Makes it valid UTF-8, because it
/// may quote texts of a model that are not. Of a reason longer than Limits::reason_bytes, which a backend may give,
/// keeps the beginning and the end, where the cause often is, around " ... (N bytes) ... " with its full size.
void cut_reason(std::string& reason);

/// How many bytes from the end of each output are kept when Limits::output_bytes_per_run is used up.
inline constexpr std::size_t kept_end = std::size_t{1} << 10;

/// The space that is left for the outputs of a run's cases, in the order of the plan. It depends only on what was kept
/// so far, so that a resumed run keeps the same as an uninterrupted one.
class OutputBudget {
 public:
  explicit OutputBudget(std::span<const CaseRecord> kept = {});

  void cut(std::string& output);

 private:
  std::size_t used_ = 0;
};

}  // namespace touchstone::conformance
