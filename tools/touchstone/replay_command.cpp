// touchstone replay: one case, as a run has it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "conformance/files/text.h"
#include "conformance/report/details.h"
#include "conformance/run/reproducer.h"
#include "conformance/run/runner.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/run_command.h"
#include "tools/touchstone/suggestion.h"
#include "tools/touchstone/terminal.h"

namespace touchstone::tools {

using namespace conformance;

namespace {

struct Options : CaseOptions {
  std::string id;
  std::string write;
};

int replay(Options& options) {
  const std::unique_ptr<Backend> backend = options.open_backend();
  const std::vector<PlannedCase> cases = plan(options.selection, backend->declares());
  // Reports name cases as journals keep them.
  const std::string id = valid_utf8(options.id);
  const auto found =
      std::find_if(cases.begin(), cases.end(), [&](const PlannedCase& row) { return valid_utf8(row.id) == id; });
  if (found == cases.end())
    throw Exit(nothing_selected, fmt::format("there is no case '{}'; touchstone list shows them{}", options.id,
                                             did_you_mean(options.id, ids_of(cases))));
  std::error_code ignored;
  if (!options.write.empty() && std::filesystem::exists(options.write, ignored) &&
      !std::filesystem::is_empty(options.write, ignored))
    throw Exit(usage, fmt::format("--write {}: it is there already, and not empty", options.write));
  const CaseRecord record = run_case(*found, *backend, options.judge);
  fmt::print("{}", render_problem(record, color_for(options.color)));
  if (!options.write.empty()) {
    write_reproducer(options.write, reproduction(*found, record));
    fmt::print("written to {}\n", options.write);
  }
  if (record.verdict == Verdict::harness_error) return broken;
  if (record.declined) return nothing_selected;
  return record.is_problem() ? unexpected_result : as_expected;
}

}  // namespace

void add_replay_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("replay", "Run one case again and show the result");
  command->add_option("CASE", options->id, "The id of the case; touchstone list shows them")->required();
  add_backend_option(*command, options->backend);
  add_worker_options(*command, options->worker);
  add_plan_options(*command, options->selection);
  add_judge_options(*command, options->judge);
  command->add_option("--write", options->write, "Write the case to this directory, in ONNX's backend-test layout");
  add_color_option(*command, options->color);
  command->footer(
      "Exit codes: 0 it is right or not shown, 1 it is wrong or refused, 2 usage, 3 it could not be tried, 5 there is "
      "no such "
      "case, or the backend is not asked to run it.\n"
      "\n"
      "Examples:\n"
      "  touchstone replay quantize_linear/21/f16-f16-i4/blocked/zp/values --backend reference\n"
      "  touchstone replay onnx/1.22.0/test_quantizelinear_axis --write reproducer\n");
  command->callback([options, &exit_code] { exit_code = replay(*options); });
}

}  // namespace touchstone::tools
