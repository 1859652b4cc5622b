// Compares any backend with the reference and all permitted readings. FUZZ_BACKEND is the value of --backend, and
// FUZZ_OPTIONS has options of `touchstone run`. Refusals are ignored: the target finds only wrong outputs, crashes and
// timeouts.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "conformance/files/text.h"
#include "fuzz/coded_example.h"
#include "fuzz/report_fault.h"
#include "spec/opset.h"
#include "tools/touchstone/backend_option.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/selection.h"

namespace {

using namespace touchstone::conformance;
using namespace touchstone::fuzz;
namespace tools = touchstone::tools;

std::shared_ptr<Backend> backend;
std::string backend_option;
JudgeOptions judging;

[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "{}\n", displayed(why));
  std::exit(tools::broken);
}

/// For a backend lib:PATH, this program is also the other process: as `touchstone serve`, it loads the library.
[[noreturn]] void serve(int argc, char** argv) {
  CLI::App app;
  int exit_code = tools::broken;
  tools::add_serve_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const std::exception& error) {
    give_up(error.what());
  }
  std::exit(exit_code);
}

void open_backend() {
  const char* name = std::getenv("FUZZ_BACKEND");
  if (name == nullptr || *name == '\0')
    give_up("FUZZ_BACKEND is not set; set it to a value of touchstone's --backend, for example\n  FUZZ_BACKEND=ort");
  const char* given = std::getenv("FUZZ_OPTIONS");
  WorkerOptions worker{.timeout = 10};  // less than the limit of tools/fuzz per input
  Capabilities assumed;
  CLI::App options;
  tools::add_worker_options(options, worker);
  tools::add_assume_option(options, assumed);
  tools::add_judge_options(options, judging.strict, judging.sign_of_zero);
  try {
    options.parse(given == nullptr ? "" : given);
  } catch (const std::exception& error) {
    give_up(fmt::format("FUZZ_OPTIONS={}: {}\nThe options are\n{}", given, error.what(), options.help()));
  }
  try {
    tools::take_limits();
    backend = tools::open_backend(name, worker, assumed);
  } catch (const std::exception& error) {
    give_up(fmt::format("FUZZ_BACKEND={}: {}", name, error.what()));
  }
  backend_option = name;
}

bool counts(Verdict verdict) {
  return verdict == Verdict::fail || verdict == Verdict::crash || verdict == Verdict::timeout;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc > 1 && std::string_view((*argv)[1]) == "serve") serve(*argc, *argv);
  open_backend();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Example example = decode({data, size}, Operators::both);
  // A model cannot be built without an operator.
  if (touchstone::spec::find_opset(example.node.domain, example.node.opset) == nullptr) return -1;
  const Case tested = case_of(example);
  if (backend->declines(tested.model)) return 0;
  try {
    const UnitAnswer answer = backend->run({tested.id, tested.model.bytes, {tested.data_sets.front().inputs}});
    const Judgement found = judge(tested, interpret(tested), answer, judging);
    if (counts(found.verdict))
      report(fmt::format("{}: {}", name(found.verdict), found.reason), example, run_with(backend_option, judging));
  } catch (const BackendError& error) {
    give_up(fmt::format("the backend cannot be restarted: {}", error.what()));
  }
  return 0;
}
