// touchstone shrink: the smallest model that still shows what is wrong with a case.
#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "conformance/causes/causes.h"
#include "conformance/report/details.h"
#include "conformance/run/runner.h"
#include "conformance/session/reproducers.h"
#include "conformance/session/run_session.h"
#include "conformance/session/shrink.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/emulation.h"
#include "tools/touchstone/one_case.h"
#include "tools/touchstone/run_command.h"
#include "tools/touchstone/selection.h"
#include "tools/touchstone/terminal.h"

namespace touchstone::tools {

using namespace conformance;

namespace {

struct ShrinkCommandOptions : CaseOptions {
  std::string id;
  std::string output;
  std::size_t calls = 200;
};

/// The operator, and a line for each attribute and operand.
std::string model_text(const Case& shown) {
  if (shown.model.graph != nullptr) {
    std::string text;
    for (const NamedTensor& input : shown.data_sets.front().inputs)
      text += fmt::format("    input {}: {} {}\n", printable(input.name, longest_id), tensor_text(input.value),
                          values_text(input.value));
    return text + graph_text(*shown.model.graph, "    ");
  }
  constexpr std::array operands{"x", "scale", "zero point"};
  const reference::Node node = bind_inputs(shown.model, shown.data_sets.front().inputs);
  std::string text = fmt::format("    {} of {}, opset {}", spec::name(node.op), node.domain, node.opset);
  if (!shown.form.empty()) text += fmt::format(", form {}", printable(shown.form, longest_id));
  text += '\n';
  for (const auto& [name, value] : node.attributes)
    text += fmt::format("      {} = {}\n", printable(name, longest_id), attribute_text(value));
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (const auto& tensor = node.inputs[i])
      text += fmt::format("      {}: {} {}\n", i < operands.size() ? operands.at(i) : "input", tensor_text(*tensor),
                          values_text(*tensor));
  return text;
}

Shrunk shrink_with_progress(const ShrinkCommandOptions& options, const PlannedCase& planned, const CaseRecord& record,
                            Backend& backend) {
  watch_for_stop("touchstone: showing the smallest model so far; interrupt again to stop now\n");
  ActivityLine line;
  const auto show = [&](std::size_t calls) {
    line.show(fmt::format("[shrinking, {} of at most {} calls] {}", calls, options.calls, *planned.id));
  };
  return shrink(
      planned, record, backend,
      {.judge = options.run.judge_options(), .most_calls = options.calls, .stop = stop_requested, .on_call = show});
}

int shrink(ShrinkCommandOptions& options) {
  check_is_new("--output", options.output);
  check_selection(options.run);
  const std::unique_ptr<Backend> backend = options.open_backend();
  const std::vector<PlannedCase> cases = plan(options.run, backend->declares());
  const PlannedCase& planned = find_case(cases, options.id);
  const CaseRecord record = run_case(planned, *backend, options.run.judge_options());
  if (!record.is_problem() || record.verdict == Verdict::harness_error) {
    fmt::print("{}there is nothing to shrink\n", render_problem(record, color_for(options.color)));
    return exit_code_of(record);
  }
  const Shrunk shrunk = shrink_with_progress(options, planned, record, *backend);
  Cause cause = find_causes({&shrunk.record, 1}).front();
  cause.where.clear();  // unknown from a single case
  fmt::print("{}{}    The backend {}.\n", render_problem(shrunk.record, color_for(options.color)),
             model_text(shrunk.smallest), printable(cause.sentence, longest_id));
  fmt::print("{}, with {} calls of the backend\n",
             shrunk.is_smaller ? "this is the smallest model that was found" : "no smaller model was found",
             shrunk.calls);
  if (!options.output.empty()) {
    options.run.data = absolute_path(options.run.data);
    write_shrunk(options.output, options.run, shrunk, cause);
    fmt::print("written to {}\n", options.output);
  }
  return exit_code_of(shrunk.record);
}

}  // namespace

void add_shrink_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ShrinkCommandOptions>();
  CLI::App* command =
      app.add_subcommand("shrink", "Find the smallest model that still shows what is wrong with a case");
  command->add_option("CASE", options->id, "The id of the case; touchstone list shows them")->required();
  add_backend_option(*command, options->run.backend_option);
  add_cpu_option(*command, options->run.worker.cpu);
  add_worker_options(*command, options->run.worker);
  add_plan_options(*command, options->run);
  add_judge_options(*command, options->run.strict, options->run.sign_of_zero);
  add_number_option(*command, "--calls", options->calls,
                    "The maximum number of calls to the backend; after crashes and timeouts there are fewer");
  command->add_option("-o,--output", options->output,
                      "Write the model to this directory, with its data and a Python program that shows them");
  add_color_option(*command, options->color);
  command->footer(
      std::string(exit_codes_of_one_case) +
      "A smaller model shows the same if the verdict is the same, and one of the hypotheses that explained the outputs "
      "still explains them, or the backend gives the same message. After an interrupt (Ctrl-C) the program shows the "
      "smallest model so far.\n"
      "\n"
      "Examples:\n"
      "  touchstone shrink quantize_linear/21/f32-f32-u8/per_axis/zp/values --backend wrong:ignores-axis\n"
      "  touchstone shrink onnx/1.22.0/test_quantizelinear_axis --backend lib:./libvendor.so --output smallest\n");
  command->callback([options, &exit_code] { exit_code = shrink(*options); });
}

}  // namespace touchstone::tools
