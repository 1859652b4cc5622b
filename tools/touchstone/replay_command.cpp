// touchstone replay: runs one case as touchstone run does.
#include <fmt/format.h>

#include <string>

#include "conformance/report/details.h"
#include "conformance/run/reproducer.h"
#include "conformance/run/runner.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/emulation.h"
#include "tools/touchstone/one_case.h"
#include "tools/touchstone/run_command.h"
#include "tools/touchstone/selection.h"
#include "tools/touchstone/terminal.h"

namespace touchstone::tools {

using namespace conformance;

namespace {

struct ReplayOptions : CaseOptions {
  std::string id;
  std::string write;
};

int replay(ReplayOptions& options) {
  check_is_new("--write", options.write);
  check_selection(options.run);
  const std::unique_ptr<Backend> backend = options.open_backend();
  const std::vector<PlannedCase> cases = plan(options.run, backend->declares());
  const PlannedCase& found = find_case(cases, options.id);
  const CaseRecord record = run_case(found, *backend, options.run.judge_options());
  fmt::print("{}", render_problem(record, color_for(options.color)));
  if (!options.write.empty()) {
    write_reproducer(options.write, reproduction(found, record));
    fmt::print("written to {}\n", options.write);
  }
  return exit_code_of(record);
}

}  // namespace

void add_replay_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* command = app.add_subcommand("replay", "Run one case again and show the result");
  command->add_option("CASE", options->id, "The id of the case; touchstone list shows them")->required();
  add_backend_option(*command, options->run.backend_option);
  add_cpu_option(*command, options->run.worker.cpu);
  add_worker_options(*command, options->run.worker);
  add_plan_options(*command, options->run);
  add_judge_options(*command, options->run.strict, options->run.sign_of_zero);
  command->add_option("--write", options->write, "Write the case to this directory, in ONNX's backend-test layout");
  add_color_option(*command, options->color);
  command->footer(std::string(exit_codes_of_one_case) +
                  "\n"
                  "Examples:\n"
                  "  touchstone replay quantize_linear/21/f16-f16-i4/blocked/zp/values --backend reference\n"
                  "  touchstone replay onnx/1.22.0/test_quantizelinear_axis --write reproducer\n");
  command->callback([options, &exit_code] { exit_code = replay(*options); });
}

}  // namespace touchstone::tools
