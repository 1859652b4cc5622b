// Limits how much of a backend's messages and output a run keeps.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "conformance/run/record.h"

namespace touchstone::conformance {

/// Changes a reason to what the journal keeps, so that reading it back gives the same text. Makes it valid UTF-8,
/// because it may quote invalid texts of a model. If a reason, which a backend may supply, is longer than
/// Limits::reason_bytes, keeps its beginning and its end, which often states the cause, around " ... (N bytes) ... "
/// with the full size.
void cut_reason(std::string& reason);

/// The number of bytes kept from the end of each output when Limits::output_bytes_per_run is used up.
inline constexpr std::size_t kept_end = std::size_t{1} << 10;

/// The remaining space for the outputs of a run's cases, in the order of the plan. It depends only on what was kept so
/// far, so that a resumed run keeps the same as an uninterrupted one.
class OutputBudget {
 public:
  explicit OutputBudget(std::span<const CaseRecord> kept = {});

  void cut(std::string& output);

 private:
  std::size_t used_ = 0;
};

}  // namespace touchstone::conformance
