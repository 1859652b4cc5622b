#include "conformance/run/output_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/files/limits.h"
#include "conformance/files/text.h"

namespace touchstone::conformance {

namespace {

/// The size of the output in the journal.
std::size_t written_size(const std::string& output) { return output.empty() ? 0 : valid_utf8(output).size(); }

bool is_within_a_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

void cut_reason(std::string& reason) {
  if (!reason.empty()) reason = valid_utf8(reason);
  if (reason.size() <= limits().reason_bytes) return;
  const std::string mark = fmt::format(" ... ({} bytes) ... ", reason.size());
  std::size_t resumed = reason.size() - limits().reason_bytes / 4;
  std::size_t end = limits().reason_bytes - std::min(limits().reason_bytes, limits().reason_bytes / 4 + mark.size());
  for (int i = 0; i < 3 && is_within_a_character(reason[resumed]); ++i) ++resumed;
  for (int i = 0; i < 3 && end > 0 && is_within_a_character(reason[end]); ++i) --end;
  reason.replace(end, resumed - end, mark);
  reason.shrink_to_fit();
}

OutputBudget::OutputBudget(std::span<const CaseRecord> kept) {
  for (const CaseRecord& record : kept) used_ += written_size(record.output);
}

void OutputBudget::cut(std::string& output) {
  if (output.size() > kept_end && used_ + written_size(output) > limits().output_bytes_per_run)
    output = output.substr(output.size() - kept_end);
  used_ += written_size(output);
}

}  // namespace touchstone::conformance
