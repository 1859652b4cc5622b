// Limits how much of a backend's messages and output a run keeps.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "conformance/files/limits.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

/// Changes a reason to what the journal keeps, so that reading it back gives the same text. Makes it valid UTF-8,
/// because it may quote invalid texts of a model. If a reason, which a backend may supply, is longer than `most` bytes,
/// keeps its beginning and its end, which often states the cause, around " ... (N bytes) ... " with the full size.
void cut_reason(std::string& reason, std::size_t most = limits().reason_bytes);

/// The numbers of bytes kept of each reason when Limits::reason_bytes_per_run is used up, and of each output when
/// Limits::output_bytes_per_run is. When reasons have taken half as much again, only the size of a longer one is kept.
inline constexpr std::size_t kept_of_reason = 256;
inline constexpr std::size_t kept_of_output = std::size_t{1} << 10;

/// The remaining space for the texts of a run's cases, in the order of the plan. It depends only on what was kept so
/// far, so that a resumed run keeps the same as an uninterrupted one.
class TextBudget {
 public:
  explicit TextBudget(std::span<const CaseRecord> kept = {});

  /// Cuts the reason, with its beginning and its end kept, and the output, of which the end is kept.
  void cut(CaseRecord& record);

 private:
  void use(const CaseRecord& record);

  std::size_t reasons_ = 0;
  std::size_t outputs_ = 0;
};

}  // namespace touchstone::conformance
