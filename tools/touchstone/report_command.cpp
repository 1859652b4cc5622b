// touchstone report: writes reports of an earlier run from its journal.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "conformance/files/file_io.h"
#include "conformance/files/output_file.h"
#include "conformance/report/expected.h"
#include "conformance/report/format.h"
#include "conformance/report/layout.h"
#include "conformance/report/replay_line.h"
#include "conformance/report/summary.h"
#include "conformance/session/output_directory.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/run_command.h"
#include "tools/touchstone/terminal.h"

namespace touchstone::tools {

using namespace conformance;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view terminal_format = "terminal";

struct ReportOptions {
  std::string directory;
  std::vector<std::string> formats{std::string(terminal_format)};
  std::string output = "-";
  std::string granularity;
  std::string form;
  bool all_cases = false;
  std::string color = "auto";
};

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names{terminal_format};
  for (const ReportFormat& format : report_formats()) names.push_back(format.name);
  return names;
}

/// Rejects an unknown format before it reads a journal or writes anything.
void check_formats(const std::vector<std::string>& formats) {
  const std::vector<std::string_view> known = format_names();
  for (const std::string& format : formats)
    if (std::find(known.begin(), known.end(), format) == known.end())
      throw Exit(usage, fmt::format("unknown format '{}'; the formats are {}", format, fmt::join(known, ", ")));
}

/// Keeps only the selected records, and returns a description of the selection.
std::string take_part(const ReportOptions& options, Journal& journal) {
  std::vector<std::string> words;
  const auto keep = [&](const char* what, const std::string& wanted, auto names_of) {
    if (wanted.empty()) return;
    std::vector<std::string> there;
    for (const CaseRecord& record : journal.records)
      for (const std::string_view one : names_of(record))
        if (!one.empty() && std::find(there.begin(), there.end(), one) == there.end()) there.emplace_back(one);
    std::erase_if(journal.records, [&](const CaseRecord& record) {
      const auto names = names_of(record);
      return std::find(names.begin(), names.end(), wanted) == names.end();
    });
    if (journal.records.empty())
      throw Exit(nothing_selected,
                 fmt::format("--{} {}: no case of the run has it; the values are {}", what, wanted,
                             there.empty() ? "none" : printable(fmt::format("{}", fmt::join(there, ", ")), 1000)));
    words.push_back(fmt::format("{} {}", what, wanted));
  };
  const std::size_t recorded = journal.records.size();
  keep("granularity", options.granularity, [](const CaseRecord& record) { return granularities(record); });
  keep("form", options.form, [](const CaseRecord& record) { return std::vector<std::string_view>{record.form}; });
  if (!words.empty() && recorded < journal.run.cases)
    words.push_back(fmt::format("of the {} of {} cases that were run", recorded, journal.run.cases));
  return fmt::format("{}", fmt::join(words, ", "));
}

/// Keeps only inconsistencies between cases whose records are kept.
void take_inconsistencies(Journal& journal) {
  if (!journal.inconsistencies) return;
  std::unordered_set<std::string_view> ids;
  for (const CaseRecord& record : journal.records) ids.insert(record.id);
  std::erase_if(*journal.inconsistencies, [&](const Inconsistency& one) {
    return std::ranges::any_of(one.evidence, [&](const auto& row) { return !ids.contains(row.id); });
  });
}

void render(const std::string& format, const Journal& journal, const Summary& summary, Color color, const Sink& sink) {
  if (format == terminal_format)
    sink(in_lines(results_text(journal.run, summary, color) + conclusion(summary) + '\n'));
  else
    find_report_format(format)->render(journal.run, summary, journal.records, sink);
}

std::string_view file_name(const std::string& format) {
  return format == terminal_format ? std::string_view("report.txt") : find_report_format(format)->file_name;
}

void write_to_stdout(std::string_view part) {
  if (std::fwrite(part.data(), 1, part.size(), stdout) != part.size())
    throw FileError("standard output", fmt::format("cannot be written: {}", std::strerror(errno)));
}

void write(const ReportOptions& options, const Journal& journal, const Summary& summary) {
  const bool to_stdout = options.output == "-";
  const bool into_directory = !to_stdout && (options.formats.size() > 1 || fs::is_directory(options.output));
  for (const std::string& format : options.formats) {
    if (to_stdout) {
      render(format, journal, summary, color_for(options.color), write_to_stdout);
      continue;
    }
    const fs::path path = into_directory ? fs::path(options.output) / file_name(format) : fs::path(options.output);
    const auto parts = [&](const Sink& sink) { render(format, journal, summary, Color::never, sink); };
    if (into_directory)
      write_file_below(options.output, file_name(format), parts);
    else
      write_file_whole(path, parts);
    fmt::print("{}\n", path.string());
  }
}

int report_command(const ReportOptions& options) {
  check_formats(options.formats);
  if (options.output == "-" && options.formats.size() > 1)
    throw Exit(usage, "several formats cannot go to standard output: write them to a directory with --output DIR");
  Journal journal = read_run(options.directory);
  const std::size_t recorded = journal.records.size();
  // Applied to the whole run: in a part of it, the expectations for other parts would seem stale.
  KnownFailureOutcomes expectations =
      apply(saved_known_failures(options.directory, journal.run), journal.records, today());
  const bool is_part = !options.granularity.empty() || !options.form.empty();
  if (is_part && !expectations.empty())
    apply_causes(expectations, journal.records,
                 find_causes(journal.records, journal.contradictions, journal.experiments));
  const std::string part = take_part(options, journal);
  take_inconsistencies(journal);
  Summary summary = summarize(part.empty() ? journal.run.cases : journal.records.size(), journal.records,
                              std::move(expectations), Requirement(journal.run.require), journal);
  if (!journal.run.is_whole()) summary.expectations.remove_stale();
  summary.part = part;
  summary.all_cases = options.all_cases;
  summary.journal = journal.sum;
  summary.times = journal.times;
  // The fingerprint describes all cases, so it does not hold for a part of them. A part ends where it should.
  if (!part.empty()) {
    summary.fingerprint.reset();
    summary.stopped.clear();
  }
  write(options, journal, summary);
  const bool is_whole = journal.is_finished && recorded == journal.run.cases;
  if (is_whole) return as_expected;
  print_message(fmt::format(
      "touchstone: the run is not finished: {} of {} cases have a result{}\nto continue: touchstone "
      "run --resume {}",
      recorded, journal.run.cases, journal.is_finished ? "" : ", and the journal has no last line that counts them",
      shell_quoted(options.directory)));
  return incomplete;
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = app.add_subcommand("report", "Write reports of an earlier run from its journal");
  command->add_option("directory", options->directory, "Where the run's journal is: touchstone run --output")
      ->type_name("DIR")
      ->required();
  command->add_option("--format", options->formats, fmt::format("One or more of {}", fmt::join(format_names(), ", ")))
      ->allow_extra_args(false)
      ->delimiter(',')
      ->capture_default_str();
  command
      ->add_option("-o,--output", options->output,
                   "A file, or for several formats a directory; in a directory, reports have their usual names; - is "
                   "standard output")
      ->type_name("PATH")
      ->capture_default_str();
  command->add_option("--granularity", options->granularity,
                      "Only cases of this granularity: per_tensor, per_axis or blocked; must-reject cases have none");
  command->add_option("--form", options->form, "Only generated cases of this form, such as initializers");
  add_all_cases_option(*command, options->all_cases);
  add_color_option(*command, options->color);
  command->footer(
      "Exit codes: 0 the reports were written, with any verdicts; 2 usage, or no journal; 3 the journal or "
      "its expectations are corrupt, or a report cannot be written; 4 the reports were written, but the run is not "
      "finished; 5 no case has that granularity or form.\n"
      "\n"
      "Examples:\n"
      "  touchstone report touchstone-report\n"
      "  touchstone report touchstone-report --granularity blocked\n"
      "  touchstone report touchstone-report --format markdown >> \"$GITHUB_STEP_SUMMARY\"\n"
      "  touchstone report touchstone-report --format html --form initializers --output initializers.html\n"
      "  touchstone report touchstone-report --format json,junit,csv --output reports\n"
      "  touchstone report touchstone-report --format json --all-cases\n");
  command->callback([options, &exit_code] { exit_code = report_command(*options); });
}

}  // namespace touchstone::tools
