#include "conformance/run/output_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/files/text.h"

namespace touchstone::conformance {

namespace {

/// The size of a worker's output in the journal.
std::size_t written_size(const std::string& output) { return output.empty() ? 0 : valid_utf8(output).size(); }

bool is_within_a_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

/// Keeps `most` bytes of both ends of valid UTF-8.
void cut_middle(std::string& text, std::size_t most) {
  if (text.size() <= most) return;
  const std::string mark = fmt::format(" ... ({} bytes) ... ", text.size());
  std::size_t resumed = text.size() - most / 4;
  std::size_t end = most - std::min(most, most / 4 + mark.size());
  for (int i = 0; i < 3 && is_within_a_character(text[resumed]); ++i) ++resumed;
  for (int i = 0; i < 3 && end > 0 && is_within_a_character(text[end]); ++i) --end;
  text.replace(end, resumed - end, mark);
  text.shrink_to_fit();
}

}  // namespace

void cut_reason(std::string& reason, std::size_t most) {
  if (!reason.empty()) reason = valid_utf8(reason);
  cut_middle(reason, most);
}

TextBudget::TextBudget(std::span<const CaseRecord> kept) {
  for (const CaseRecord& record : kept) use(record);
}

void TextBudget::cut(CaseRecord& record) {
  const std::uint64_t most = limits().reason_bytes_per_run;
  if (reasons_ + record.reason.size() > most && record.reason.size() > kept_of_reason) {
    std::string reason = record.reason;
    cut_middle(reason, reasons_ <= most + most / 2 ? kept_of_reason : 0);
    record.reason = reason;
  }
  if (const std::string& output = record.output;
      output.size() > kept_of_output && outputs_ + written_size(output) > limits().output_bytes_per_run)
    record.output = output.substr(output.size() - kept_of_output);
  use(record);
}

void TextBudget::use(const CaseRecord& record) {
  reasons_ += record.reason.size();
  outputs_ += written_size(record.output);
}

}  // namespace touchstone::conformance
