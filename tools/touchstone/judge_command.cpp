// touchstone judge: what a device answered to the cases of a pack, read from files.
#include <fmt/format.h>

#include <filesystem>

#include "conformance/packs/answers_backend.h"
#include "conformance/packs/layout.h"
#include "conformance/packs/manifest.h"
#include "conformance/run/journal.h"
#include "conformance/session/run_session.h"
#include "conformance/version.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/run_command.h"

namespace touchstone::tools {

using namespace conformance;
namespace fs = std::filesystem;

namespace {

struct Options {
  RunCommandOptions run;
  std::string pack;
  std::string answers;
};

Manifest manifest_of(const Options& options) {
  try {
    Manifest manifest = read_manifest(RootedDirectory(options.pack));
    if (manifest.tool_version != version)
      throw Exit(usage, fmt::format("{}: that pack is of touchstone {}, this is {}, whose cases may be others",
                                    options.pack, printable(manifest.tool_version, 100), version));
    if (!find_tier(manifest.tier))
      throw FileError((fs::path(options.pack) / manifest_name).string(),
                      fmt::format("unknown tier {}", in_quotes(manifest.tier)));
    return manifest;
  } catch (const FileError& error) {
    throw Exit(usage, error.what());
  }
}

/// Checks the directory before the run, so that the message names the option.
void check_answers(const std::string& answers) {
  try {
    AnswersBackend{answers};
  } catch (const FileError& error) {
    throw Exit(usage, fmt::format("--answers {}", error.what()));
  }
}

/// Checks that the generated cases are those that were exported.
void check_plan(const Options& options, const Manifest& manifest, const std::vector<PlannedCase>& cases) {
  Journal exported;
  exported.run.tier = manifest.tier;
  exported.run.seed = manifest.seed;
  exported.run.plan_hash = manifest.plan_hash;
  exported.run.cases = manifest.cases.size();
  for (const PackedCase& row : manifest.cases) {
    CaseRecord record;
    record.id = row.id;
    record.digest = row.digest;
    record.reason = "when it was exported";
    exported.records.push_back(std::move(record));
  }
  try {
    check_same_cases(fs::path(options.pack) / manifest_name, exported, cases);
  } catch (const FileError& error) {
    throw Exit(usage, fmt::format("{}; export the pack again", error.what()));
  }
}

int judge_answers(const CLI::App& command, Options& options) {
  const Manifest manifest = manifest_of(options);
  check_answers(options.answers);
  options.run.backend = fmt::format("{}{}", answers_prefix, absolute_path(options.answers));
  Selection& selection = options.run.selection;
  selection.suites = manifest.suites;
  selection.tier = manifest.tier;
  selection.seed = manifest.seed;
  selection.filter = manifest.filter;
  selection.assumed = manifest.assumed;
  if (!selection.data && !manifest.data.empty()) selection.data = manifest.data;
  return run_command(command, options.run,
                     [&](const std::vector<PlannedCase>& cases) { check_plan(options, manifest, cases); });
}

}  // namespace

void add_judge_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("judge", "Judge the answers to the cases of a pack, and report compliance");
  command->add_option("DIR", options->pack, "The pack: what touchstone export wrote")->required();
  command
      ->add_option("--answers", options->answers,
                   "The directory of the answers; for a pack without outputs, it may be the pack")
      ->required();
  command->add_option("--data", options->run.selection.data,
                      "Where the tests of the suite onnx are now; by default where they were for the export");
  add_follow_option(*command, options->run.selection.follow_symlinks);
  add_report_options(*command, options->run);
  command->footer(
      std::string(exit_codes) +
      "\n"
      "Answers have the paths of the cases. An output is cases/TEST/test_data_set_N/output_K.pb, a serialized "
      "onnx.TensorProto. A refusal is refused.txt, with the reason on its first line, in cases/TEST/test_data_set_N "
      "for a data set, or in cases/TEST for the model. A case gets one verdict: not_run if a data set has no answer, "
      "harness_error if a file cannot be read. A refusal counts only if controls/TEST of the case, which the manifest "
      "names, has an output.\n"
      "backend.txt names the backend: its name, version and description on three lines.\n"
      "The cases are generated again and must equal the exported ones; only the manifest of the pack is read.\n"
      "\n"
      "Examples:\n"
      "  touchstone judge pack --answers answers\n"
      "  touchstone judge pack --answers pack --output report-of-device --strict\n");
  command->callback([command, options, &exit_code] { exit_code = judge_answers(*command, *options); });
}

}  // namespace touchstone::tools
