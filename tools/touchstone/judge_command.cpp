// touchstone judge: what a device answered to the cases of a pack, read from files.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "conformance/packs/answers_backend.h"
#include "conformance/packs/layout.h"
#include "conformance/packs/manifest.h"
#include "conformance/packs/packed_case.h"
#include "conformance/report/replay_line.h"
#include "conformance/run/journal.h"
#include "conformance/session/run_session.h"
#include "conformance/suites/suites.h"
#include "conformance/version.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/progress.h"
#include "tools/touchstone/run_command.h"

namespace touchstone::tools {

using namespace conformance;
namespace fs = std::filesystem;

namespace {

struct JudgeCommandOptions : RunCommandOptions {
  std::string pack;
  std::string answers;
};

ManifestReader manifest_of(const JudgeCommandOptions& options) {
  try {
    ManifestReader manifest{RootedDirectory(options.pack)};
    const PackInfo& pack = manifest.pack();
    if (pack.run.tool_version != touchstone_version)
      throw Exit(usage, fmt::format("{}: touchstone {} made that pack; this is {}, whose cases may differ",
                                    options.pack, printable(pack.run.tool_version, 100), touchstone_version));
    if (!find_tier(pack.run.tier))
      throw FileError((fs::path(options.pack) / manifest_name).string(),
                      fmt::format("unknown tier {}", in_quotes(pack.run.tier)));
    return manifest;
  } catch (const FileError& error) {
    throw Exit(usage, error.what());
  }
}

/// The manifest may come from somebody else, so the directory in it is read only if the user gives it.
void check_data(const JudgeCommandOptions& options, const PackInfo& pack) {
  const bool reads_files = std::ranges::any_of(pack.run.suites, [](const std::string& name) {
    const SuiteInfo* suite = find_suite(name);
    return suite != nullptr && suite->reads_files;
  });
  if (!reads_files || pack.run.data.empty() || !options.run.data.empty()) return;
  const std::string data = printable(pack.run.data, longest_id);
  throw Exit(usage, fmt::format("{}: some of its cases are tests that were in {} when it was exported; give the "
                                "directory where they are now, for example --data {}",
                                options.pack, data, shell_quoted(data)));
}

/// Checks the directory before the run, so that the message names the option.
void check_answers(const std::string& answers) {
  try {
    AnswersBackend{answers};
  } catch (const FileError& error) {
    throw Exit(usage, fmt::format("--answers {}", error.what()));
  }
}

/// Checks that the manifest has the cases of the plan, and everything that follows from them.
void check_plan(const JudgeCommandOptions& options, ManifestReader& manifest, const std::vector<PlannedCase>& cases) {
  const RunInfo& exported = manifest.pack().run;
  const fs::path path = fs::path(options.pack) / manifest_name;
  try {
    if (exported.cases != cases.size())
      throw FileError(path.string(),
                      fmt::format("has a plan of {} cases; now there are {}", exported.cases, cases.size()));
    check_same_plan(path, exported, cases);
    Progress progress(cases.size(), 0, progress_interval(options), "comparing");
    check_manifest(manifest, cases, {options.jobs, [&](std::string_view id) { progress.step(id, 0); }});
  } catch (const FileError& error) {
    throw Exit(usage, fmt::format("{}; export the pack again", error.what()));
  }
}

int judge_answers(const CLI::App& command, JudgeCommandOptions& options) {
  ManifestReader manifest = manifest_of(options);
  const PackInfo& pack = manifest.pack();
  check_data(options, pack);
  check_answers(options.answers);
  RunInfo& run = options.run;
  run.backend_option = fmt::format("{}{}", answers_prefix, absolute_path(options.answers));
  run.suites = pack.run.suites;
  run.tier = pack.run.tier;
  run.seed = pack.run.seed;
  run.examples = pack.run.examples;
  run.filter = pack.run.filter;
  run.assumed = pack.run.assumed;
  return run_command(command, options,
                     [&](const std::vector<PlannedCase>& cases) { check_plan(options, manifest, cases); });
}

}  // namespace

void add_judge_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<JudgeCommandOptions>();
  CLI::App* command = app.add_subcommand("judge", "Judge the answers to the cases of a pack, and report compliance");
  command->add_option("DIR", options->pack, "The pack: what touchstone export wrote")->required();
  command
      ->add_option("--answers", options->answers,
                   "The directory of the answers; for a pack without outputs, it may be the pack")
      ->required();
  add_data_options(*command, options->run,
                   "Where the tests of the suite onnx are now; needed if touchstone export was called with --data");
  add_report_options(*command, *options);
  command->footer(
      std::string(exit_codes) +
      "\n"
      "Answers have the paths of the cases. An output is cases/TEST/test_data_set_N/output_K.pb, a serialized "
      "onnx.TensorProto. A refusal is refused.txt, with the reason on its first line, in cases/TEST/test_data_set_N "
      "for a data set, or in cases/TEST for the model. A case gets one verdict: not_run if a data set has no answer, "
      "harness_error if a file cannot be read. A refusal counts only if the control of the case (controls/TEST, "
      "see the manifest) has an output.\n"
      "backend.txt has the name, version and description of the backend on three lines.\n"
      "The cases are generated again, and everything in the manifest must equal what follows from them, which takes "
      "as long as the judging; only the manifest of the pack is read.\n"
      "\n"
      "Examples:\n"
      "  touchstone judge pack --answers answers\n"
      "  touchstone judge pack --answers pack --output report-of-device --strict\n");
  command->callback([command, options, &exit_code] { exit_code = judge_answers(*command, *options); });
}

}  // namespace touchstone::tools
