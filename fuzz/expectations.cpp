// Reads any bytes as a file of expectations. Either a FileError describes the fault, or the expectations are applied to
// a run.
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "conformance/report/expected.h"
#include "conformance/report/summary.h"
#include "conformance/run/known_failures.h"
#include "fuzz/law.h"
#include "fuzz/small_plan.h"

using namespace touchstone::conformance;

namespace {

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

/// Texts in this format compare in the order of dates.
bool is_date(std::string_view text) {
  constexpr std::string_view form = "2027-06-30";
  if (text.size() != form.size()) return false;
  for (std::size_t i = 0; i < form.size(); ++i)
    if (form[i] == '-' ? text[i] != '-' : std::isdigit(static_cast<unsigned char>(text[i])) == 0) return false;
  return true;
}

/// The guarantees in the header for a parsed row.
bool is_sound(const KnownFailure& row) {
  return !is_blank(row.pattern) && !is_blank(row.reason) && !is_blank(row.issue) && !is_permitted(row.verdict) &&
         row.verdict != Verdict::not_run && (!row.expires || is_date(*row.expires));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using touchstone::fuzz::require;
  const auto& records = touchstone::fuzz::small_run().records;
  try {
    const auto expectations = parse_known_failures({reinterpret_cast<const char*>(data), size}, "input");
    for (const KnownFailure& row : expectations) require(is_sound(row), "parsed expectations are valid");
    const Summary summary = summarize(records.size(), records, apply(expectations, records, "2026-07-01"));
    for (const CaseRecord& record : records)
      require((expected_by(summary, record) != nullptr) == is_expected(summary.expectations, record),
              "every expected case has an expectation");
    std::size_t shown = 0;
    for (const KnownFailureOutcome& row : summary.expectations)
      shown += why(row.expectation).size() + state_in_words(row).size();
    require(expectations.empty() || shown > 0, "expectations are shown");
  } catch (const FileError&) {
    return 0;
  }
  return 0;
}
