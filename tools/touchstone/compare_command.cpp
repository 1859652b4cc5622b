// touchstone compare: runs next to each other.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "conformance/files/file_io.h"
#include "conformance/files/limits.h"
#include "conformance/report/columns.h"
#include "conformance/report/comparison.h"
#include "conformance/report/comparison_page.h"
#include "conformance/session/output_directory.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/terminal.h"
#include "tools/touchstone/worker_option.h"

namespace touchstone::tools {

using namespace conformance;
namespace fs = std::filesystem;

namespace {

struct CompareOptions {
  std::vector<std::string> results;
  std::string format = "text";
  std::string output = "-";
  std::string badges;
  std::size_t most = 20;
};

ComparedRun read_compared(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return compared_run(path, read_run(path));
  try {
    return {path, read_result(read_bounded_file(path, limits().file_bytes))};
  } catch (const FileError&) {
    throw;
  } catch (const std::runtime_error& invalid) {
    throw FileError(path, invalid.what());
  }
}

/// The results that can be read, each run once. Says why others are left out.
std::vector<ComparedRun> read_all(const CompareOptions& options, bool& is_complete) {
  std::vector<ComparedRun> runs;
  for (const std::string& path : options.results) {
    std::optional<ComparedRun> run;
    try {
      run = read_compared(path);
    } catch (const std::runtime_error& error) {  // FileError, RunRefused
      print_message(fmt::format("touchstone: not compared: {}", error.what()));
      is_complete = false;
      continue;
    }
    const auto same =
        std::ranges::find_if(runs, [&](const ComparedRun& other) { return is_same_run(other.result, run->result); });
    if (same != runs.end())
      print_message(fmt::format("touchstone: {} is the same run as {}, which is compared", path, same->origin));
    else
      runs.push_back(*std::move(run));
  }
  return runs;
}

/// What is known of the runtimes that have a name: their usual configuration, settings, reports upstream, and releases
/// without a result.
Json known_runtimes(const RunComparison& comparison) {
  const auto variant_of = [](const std::string& backend) {
    const std::size_t colon = backend.find(':');
    return colon == std::string::npos ? "" : backend.substr(colon + 1);
  };
  const std::vector<std::string> named = worker_names();
  Json runtimes = Json::object();
  for (const ComparedRun& run : comparison.runs) {
    const std::string name = run.result.command.substr(0, run.result.command.find(':'));
    if (runtimes.contains(name) || !std::ranges::binary_search(named, name)) continue;
    Json& runtime = runtimes[name] = Json::object();
    if (const std::string usual = usual_level_of(name); usual != name) runtime["usual"] = variant_of(usual);
    for (const Repair& repair : repairs_of(name)) runtime["settings"][variant_of(repair.backend)] = repair.setting;
    for (const UpstreamReport& row : upstream_reports_of(name)) runtime["upstream"][row.cause].push_back(row.report);
    for (const auto& [backend, version, reason] : missing_releases_of(name))
      runtime["missing"].push_back({{"variant", variant_of(backend)}, {"version", version}, {"reason", reason}});
  }
  return runtimes;
}

std::string page_of(const RunComparison& comparison) {
  // If the cases differ, the page says of each result what is different.
  ComparisonPage page{.results = "",
                      .notes = comparison.has_same_cases ? comparison.notes : std::vector<std::string>(),
                      .has_same_cases = comparison.has_same_cases,
                      .runtimes = known_runtimes(comparison)};
  for (const ComparedRun& run : comparison.runs) {
    page.results += (page.results.empty() ? "" : ",") + to_text(run.result);
    page.directories.push_back(run.journal ? run.origin : "");
  }
  page.results = '[' + page.results + ']';
  return comparison_page(page);
}

/// Gives their number.
std::size_t write_badges(const RunComparison& comparison, const fs::path& directory) {
  std::vector<const CompactResult*> results;
  for (const ComparedRun& run : comparison.runs) results.push_back(&run.result);
  const std::vector<Badge> all = badges(results);
  for (const Badge& badge : all) write_file_whole(directory / badge.path, to_line(badge.content));
  return all.size();
}

std::string rendered(const RunComparison& comparison, const CompareOptions& options) {
  if (options.format == "json") return comparison_json(comparison);
  if (options.format == "html") return page_of(comparison);
  if (options.format == "markdown") return comparison_markdown(comparison, options.most);
  return in_lines(comparison_text(comparison, options.most));
}

int compare_command(const CompareOptions& options) {
  bool is_complete = true;
  std::vector<ComparedRun> runs = read_all(options, is_complete);
  if (runs.empty()) throw Exit(broken, "none of the results can be read");
  const RunComparison comparison = compare_runs(std::move(runs));
  for (const std::string& note : comparison.notes) print_message(fmt::format("touchstone: {}", note));
  const std::string text = rendered(comparison, options);
  if (!options.badges.empty())
    print_message(fmt::format("touchstone: {} badges in {}", write_badges(comparison, options.badges), options.badges));
  if (options.output == "-") {
    fmt::print("{}", text);
  } else {
    write_file_whole(options.output, text);
    fmt::print("{}\n", options.output);
  }
  return is_complete ? as_expected : broken;
}

}  // namespace

void add_compare_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command =
      app.add_subcommand("compare", "Show runs of several backends, versions or configurations next to each other");
  command
      ->add_option("RESULT", options->results,
                   "The output directory of a run, its report.json or summary.json, or a compact result: the "
                   "result.json of a run")
      ->required();
  add_choice_option(*command, "--format", options->format, "text, markdown, html or json",
                    {"text", "markdown", "html", "json"});
  command->add_option("-o,--output", options->output, "A file; - is standard output")
      ->type_name("FILE")
      ->capture_default_str();
  command
      ->add_option(
          "--badges", options->badges,
          "Also writes files for endpoint badges of shields.io to this directory: BACKEND/COLUMN.json, for the "
          "newest version of each backend and each column of the HTML page")
      ->type_name("DIR");
  add_number_option(*command, "--most", options->most, "The number of cases to list in each section; 0 lists all");
  command->footer(
      "Right results, wrong ones and refusals are counted apart, and never added up; so are illegal models that are "
      "rejected. Runs of different plans are compared on the cases that all of them have, if all are run directories. "
      "Only these show which cases are wrong or right in a single run, and where the reproducers of causes are.\n"
      "\n"
      "Exit codes: 0 the results were compared, whatever they are; 2 usage; 3 a result cannot be read, and the others "
      "were compared.\n"
      "\n"
      "Examples:\n"
      "  touchstone compare touchstone-report baseline\n"
      "  touchstone compare ort-1.31.json ort-1.32.json openvino.json --format html -o comparison.html\n"
      "  touchstone compare haswell host --most 0 --format json --output comparison.json\n");
  command->callback([options, &exit_code] { exit_code = compare_command(*options); });
}

}  // namespace touchstone::tools
