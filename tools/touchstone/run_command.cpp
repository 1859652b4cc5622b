// touchstone run: the cases of a suite against a backend.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>

#include "conformance/backends/backend.h"
#include "conformance/report/details.h"
#include "conformance/report/json_report.h"
#include "conformance/report/matrix.h"
#include "conformance/report/summary.h"
#include "conformance/run/runner.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/selection.h"
#include "tools/touchstone/terminal.h"

namespace touchstone::tools {

using namespace conformance;

namespace {

struct RunOptions {
  Selection selection;
  std::string backend = "reference";
  std::string output = "touchstone-report";
  std::string color = "auto";
  bool quiet = false;
};

constexpr std::size_t shown_problems = 20;

std::unique_ptr<Backend> open_backend(const std::string& name) {
  std::unique_ptr<Backend> backend = make_backend(name);
  if (backend != nullptr) return backend;
  std::vector<std::string_view> names;
  for (const BackendInfo& row : builtin_backends()) names.push_back(row.name);
  throw Exit(usage, fmt::format("there is no backend '{}'; there is {}", name, fmt::join(names, ", ")));
}

/// Before the run: to find out afterwards that the report cannot be written would be a pity.
void prepare_output(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (!error && !std::filesystem::is_directory(directory)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw Exit(usage, fmt::format("--output {}: {}", directory.string(), error.message()));
}

std::vector<CaseRecord> run_all(const std::vector<PlannedCase>& cases, Backend& backend, Color color, bool quiet) {
  ProgressLine progress(cases.size());
  std::size_t problems = 0;
  watch_for_stop();
  std::vector<CaseRecord> records = run(cases, backend, [&](const CaseRecord& record) {
    if (!is_pass(record.verdict)) ++problems;
    progress.step(record.id, problems);
    return !stop_requested();
  });
  std::size_t shown = 0;
  for (const CaseRecord& record : records)
    if (!quiet && !is_pass(record.verdict) && record.verdict != Verdict::not_run && ++shown <= shown_problems)
      fmt::print("{}\n", render_problem(record, color));
  if (shown > shown_problems) fmt::print("... and {} more, in report.json\n\n", shown - shown_problems);
  return records;
}

int run_command(const RunOptions& options) {
  const std::unique_ptr<Backend> backend = open_backend(options.backend);
  const std::vector<PlannedCase> cases = select(options.selection);
  const std::filesystem::path report = std::filesystem::path(options.output) / "report.json";
  prepare_output(options.output);

  const Color color = color_for(options.color);
  const std::vector<CaseRecord> records = run_all(cases, *backend, color, options.quiet);
  const Summary summary = summarize(records);
  try {
    write_file_whole(
        report, to_json({backend->identity(), options.selection.suite, options.selection.filter}, summary, records));
  } catch (const FileError& error) {
    throw Exit(broken, error.what());
  }

  const BackendIdentity identity = backend->identity();
  if (!options.quiet)
    fmt::print(
        "{} {}, suite {}: passed/total by opset and quantized type; blank: not in the standard, ·: no case\n\n{}\n",
        identity.name, identity.version, options.selection.suite, render_matrix(summary, color));
  fmt::print("{}report: {}\n", render_totals(summary, color), report.string());
  return exit_code(summary);
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Run the cases of a suite against a backend and report compliance");
  add_selection_options(*command, options->selection);
  command->add_option("--backend", options->backend, "What is tested: reference, the literal interpreter")
      ->capture_default_str();
  command->add_option("--output", options->output, "The directory that gets report.json")->capture_default_str();
  command->add_flag("--quiet", options->quiet, "Print the totals only");
  command->add_option("--color", options->color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  command->footer(
      "Exit codes: 0 as expected, 1 an unexpected result, 2 usage, 3 the backend or the infrastructure failed,\n"
      "4 incomplete, 5 nothing selected.\n"
      "\n"
      "Examples:\n"
      "  touchstone run\n"
      "  touchstone run --filter 'onnx/1.22.0/*:onnx/1.23.2/*-*float4*'\n"
      "  touchstone run --data my-tests --output my-report --quiet\n");
  command->callback([options, &exit_code] { exit_code = run_command(*options); });
}

}  // namespace touchstone::tools
