// Reads any bytes as the lines of a journal of a run. They get the right checksums, which no mutation would find, and
// are compressed. Either a FileError describes the fault, or a run is resumed with it on disk, reports are made from
// it, and it is compared with another journal. An input of two journals separates them by the line "=====".
#include "conformance/run/journal.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/report/details.h"
#include "conformance/report/format.h"
#include "conformance/report/problems.h"
#include "conformance/report/replay_line.h"
#include "conformance/run/diff.h"
#include "conformance/run/journal_testing.h"
#include "conformance/run/record_json.h"
#include "conformance/run/reproducer.h"
#include "fuzz/directory_input.h"
#include "fuzz/law.h"
#include "fuzz/small_plan.h"

using namespace touchstone::conformance;
using touchstone::fuzz::require;

namespace {

constexpr std::string_view separator = "\n=====\n";

Journal read(const std::string& content) {
  std::istringstream stream(content);
  return read_journal(stream, "input");
}

/// Checks that the journal is written as it was read, and that only complete lines count.
void check_journal(const std::string& content, const Journal& journal) {
  require(journal.whole.bytes <= content.size(), "a journal is no longer than its file");
  require(read(content.substr(0, journal.whole.bytes)).records == journal.records, "incomplete lines do not count");
  require(run_info_from_json(Json::parse(to_line(to_json(journal.run)))) == journal.run,
          "a run is read as it was written");
  for (const CaseRecord& record : journal.records)
    require(record_from_json(Json::parse(to_line(to_json(record)))) == record, "a record is read as it was written");
  const Findings& findings = journal;
  require(findings_from_json(Json::parse(to_line(to_json(findings)))) == findings,
          "findings are read as they were written");
  std::istringstream stream(content);
  const JournalState state = journal_state(stream);
  const bool is_finished = journal.is_finished && journal.records.size() == journal.run.cases;
  require(state == (is_finished ? JournalState::finished : JournalState::unfinished), "the lines determine the state");
}

void compare_with_plan(const Journal& journal) {
  try {
    check_same_cases("input", journal.run, journal.records, touchstone::fuzz::small_plan());
  } catch (const FileError&) {  // of another plan
  }
}

/// Appends a case, as a resumed run does, and checks that what was read is kept.
void resume(const std::string& content, const Journal& journal) {
  static touchstone::fuzz::KeptDirectory directory;
  CaseRecord added = touchstone::fuzz::small_run().records.front();
  added.id = "one more";
  added.elements = 0;  // their sum is limited
  const bool is_there =
      std::ranges::any_of(journal.records, [&](const CaseRecord& record) { return record.id == added.id; });
  if (is_there || journal.records.size() >= journal.run.cases) return;
  const std::filesystem::path path = directory.path() / journal_name;
  directory.become({{std::string(journal_name), content}});
  JournalWriter::resume(path, journal).write({&added, 1});
  Journal expected = journal;
  expected.records.push_back(std::move(added));
  try {
    require(read_journal(path).records == expected.records, "a resumed run appends to what was read");
  } catch (const FileError& error) {
    require(false, error.what());
  }
  directory.forget();
}

/// One format for each input, because all of them would take most of the time.
void report(const Journal& journal, std::size_t number) {
  std::size_t size = 0;
  const Sink sink = [&](std::string_view part) { size += part.size(); };
  Summary summary = summarize(journal.run.cases, journal.records, {}, Requirement(), journal);
  summary.all_cases = number % 2 == 0;
  summary.journal = journal.sum;
  summary.times = journal.times;
  const auto formats = report_formats();
  formats[number / 2 % formats.size()].render(journal.run, summary, journal.records, sink);
  for (const CaseRecord& record : journal.records) {
    sink(render_problem(record, Color::always));
    sink(replay_line(journal.run, record.id));
    sink(reproducer_path(record.id).string());
  }
  sink(run_line(journal.run));
  choose_problems(summary, journal.records, number);
  require(size > 0, "a report is not empty");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find(separator);
  const std::string first = compressed(with_checksums(input.substr(0, end == input.npos ? end : end + 1)));
  std::istringstream as_it_is{std::string(input)};
  journal_state(as_it_is);
  try {
    const Journal before = read(first);
    check_journal(first, before);
    compare_with_plan(before);
    resume(first, before);
    report(before, size);
    const Journal after =
        end == input.npos ? before : read(compressed(with_checksums(input.substr(end + separator.size()))));
    const RunDiff found = diff(before, after);
    if (end == input.npos) require(found.none(), "a run does not differ from itself");
    require(found.only_after.size() <= after.records.size(), "no more cases differ than there are");
  } catch (const FileError&) {
    return 0;
  }
  return 0;
}
