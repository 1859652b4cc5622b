// sample_reports DIR RESULTS: for the tests that read reports with other programs. Writes each sample run to its own
// directory in DIR: its journal, and its reports in every format. Writes the page that compares the compact results in
// the file RESULTS, and their badges, to DIR/comparison.
#include <fmt/format.h>

#include <filesystem>

#include "conformance/files/file_io.h"
#include "conformance/report/columns.h"
#include "conformance/report/comparison_page.h"
#include "conformance/report/format.h"
#include "conformance/report/samples_testing.h"
#include "conformance/run/journal.h"

using namespace touchstone::conformance;

namespace {

void write_sample(const std::filesystem::path& directory, const SampleRun& sample) {
  std::filesystem::create_directories(directory);
  const RunTimes times = sample.summary().times;
  JournalWriter journal = JournalWriter::begin(directory / journal_name, sample.run, times.started);
  journal.write(sample.records);
  journal.finish({.inconsistencies = sample.inconsistencies, .fingerprint = sample.fingerprint}, times.finished);
  for (const ReportFormat& format : report_formats())
    write_file_whole(directory / format.file_name,
                     [&](const Sink& sink) { format.render(sample.run, sample.summary(), sample.records, sink); });
}

Json sample_runtimes() {
  const auto missing = [](const char* variant, const char* version, const char* reason) {
    return Json{{"variant", variant}, {"version", version}, {"reason", reason}};
  };
  return {{"alpha",
           {{"upstream", {{"rounds-half-away", {"example/alpha#1"}}, {"wraps-in-int4", {"example/alpha#7"}}}},
            {"missing",
             {missing("", "1.18.0", "no wheel"), missing("fast", "1.19.0", "its worker does not start"),
              missing("", "1.19.0", "this one has a result now")}}}},
          {"beta", {{"usual", ""}, {"settings", {{"precise", "exact_mode = 1"}}}}}};
}

/// {"alpha/int8.json": {"schemaVersion": 1, ...}, ...}
Json sample_badges(const std::string& results) {
  std::vector<CompactResult> read;
  for (const Json& result : Json::parse(results)) read.push_back(read_result(to_line(result)));
  std::vector<const CompactResult*> all;
  for (const CompactResult& result : read) all.push_back(&result);
  Json json = Json::object();
  for (const Badge& badge : badges(all)) json[badge.path] = badge.content;
  return json;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: sample_reports DIR RESULTS\n");
    return 2;
  }
  const std::filesystem::path directory = argv[1];
  write_sample(directory / "hostile", hostile_run());
  write_sample(directory / "large", large_run());
  const std::filesystem::path comparison = directory / "comparison";
  const std::string results = read_bounded_file(argv[2], 1'000'000);
  std::filesystem::create_directories(comparison);
  write_file_whole(comparison / "comparison.html",
                   comparison_page({.results = results, .runtimes = sample_runtimes()}));
  write_file_whole(comparison / "badges.json", to_line(sample_badges(results)));
}
