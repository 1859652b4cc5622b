// For tests of reports: invented runs. Small ones with everything that a report can contain, and large ones.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/summary.h"
#include "conformance/run/known_failures.h"
#include "conformance/run/record.h"
#include "conformance/run/run_info.h"

namespace touchstone::conformance {

struct SampleRun {
  RunInfo run;
  std::vector<CaseRecord> records;
  std::vector<KnownFailure> expectations = {};
  std::vector<Inconsistency> inconsistencies = {};
  std::vector<FingerprintRow> fingerprint = {};
  std::string stopped = {};

  /// The summary on a day in the middle of 2026. Reports list all cases.
  Summary summary() const;
};

/// Texts that would break a careless report, or run in it. In a page, they would set `hostileTextRan`.
inline constexpr std::array<std::string_view, 9> hostile_texts{
    "\"double\" and 'single' quotes, \\ and & and &amp;",
    "<script>window.hostileTextRan = 1</script><img src=x onerror=\"window.hostileTextRan = 2\">",
    "</script><script>window.hostileTextRan = 3</script><!-- --> ]]> <![CDATA[",
    "two\nlines\r\nand\ta tab",
    "no UTF-8: \xff\xfe \xc3",
    "\x1b[31mred\x1b[0m \x07 \x7f \xc2\x9b"
    "2J",
    "a | b ` c ** d __ e [link](javascript:window.hostileTextRan=4)",
    "=HYPERLINK(\"javascript:alert(1)\",\"x\")",
    "\xe2\x80\xae"
    "desrever \xef\xbf\xbf \xe2\x80\xa8 $(reboot) `reboot` ; --",
};

/// Two cases of this kind follow different readings.
Inconsistency inconsistency(const Cell& cell, const std::string& form, const std::string& id,
                            const std::string& other_id);

/// A row of each kind. These cases are the evidence, and this form decides in one of the rows.
std::vector<FingerprintRow> fingerprint(const std::string& form, const std::string& id, const std::string& other_id);

/// Cases with every verdict, an unreadable case, must-reject cases, readings, wrong elements of several types,
/// expectations in every state, inconsistencies, a fingerprint, and hostile texts in every untrusted member. Two cases
/// of the plan have no record.
SampleRun hostile_run();

/// A run of ordinary size over the whole lattice, with a few hundred problems, and more expected failures.
SampleRun large_run(std::size_t cases = 45'000);

/// The same, but every case fails, with as many wrong elements as a record holds.
SampleRun failing_run(std::size_t cases = 45'000);

}  // namespace touchstone::conformance
