// touchstone export: cases as files, for a device that no host program can reach.
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "conformance/packs/export.h"
#include "conformance/session/run_session.h"
#include "conformance/version.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/progress.h"
#include "tools/touchstone/selection.h"

namespace touchstone::tools {

using namespace conformance;

namespace {

struct ExportCommandOptions {
  ExportCommandOptions() { run.tier = "smoke"; }

  RunInfo run;
  std::string directory;
  bool without_outputs = false;
  ExportOptions exporting{.jobs = std::max(1U, std::thread::hardware_concurrency())};
};

void refuse_sweeps(const std::vector<PlannedCase>& cases) {
  const auto sweep =
      std::find_if(cases.begin(), cases.end(), [](const PlannedCase& planned) { return planned.is_sweep(); });
  if (sweep != cases.end())
    throw Exit(usage,
               fmt::format("--tier exhaustive is not for packs: a sweep such as {} is generated while it runs, and "
                           "would be gigabytes of files; use --tier smoke or standard",
                           sweep->id));
}

int export_cases(ExportCommandOptions& options) {
  if (options.directory.empty()) throw Exit(usage, "export: the directory's name is empty");
  const std::vector<PlannedCase> cases = select(options.run);
  refuse_sweeps(cases);
  PackInfo pack{.run = options.run, .with_outputs = !options.without_outputs};
  pack.run.tool_version = touchstone_version;
  pack.run.data = absolute_path(options.run.data);
  pack.run.plan_hash = plan_hash(cases, options.run.tier, options.run.seed);
  pack.run.cases = cases.size();
  Exported exported;
  try {
    Progress progress(cases.size(), 0);
    exported = export_pack(options.directory, pack, cases, options.exporting,
                           [&](std::string_view id) { progress.step(id, 0); });
  } catch (const ExportRefused& error) {
    throw Exit(usage, fmt::format("export: {}", error.what()));
  }
  fmt::print("{}: {} cases, of which {} must be refused, and {} controls, in {} files with {:.1f} MB{}\n",
             options.directory, exported.cases, exported.must_reject, exported.controls, exported.files,
             static_cast<double>(exported.bytes) / 1e6, options.without_outputs ? ", without expected outputs" : "");
  if (exported.declined > 0)
    fmt::print("{} cases are listed only in the manifest: the device does not support them (--assume)\n",
               exported.declined);
  fmt::print("plan {}, tier {}, seed {}\n", pack.run.plan_hash, pack.run.tier, pack.run.seed);
  if (exported.unreadable == 0) return as_expected;
  fmt::print("{} cases cannot be read, and are listed only in the manifest\n", exported.unreadable);
  return incomplete;
}

}  // namespace

void add_export_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ExportCommandOptions>();
  CLI::App* command =
      app.add_subcommand("export", "Write cases as files, for a device that no host program can reach; see judge");
  command->add_option("DIR", options->directory, "The directory of the pack: new, or empty")->required();
  add_selection_options(*command, options->run);
  command->add_flag("--without-outputs", options->without_outputs,
                    "Omit the expected outputs, so that answers can be written next to the inputs");
  command->add_flag("--overwrite", options->exporting.overwrite,
                    "Replace a finished pack and all files in its folders, including answers");
  add_jobs_option(*command, options->exporting.jobs, "Threads; the pack does not depend on their number");
  command->footer(
      std::string(exit_codes) +
      "\n"
      "DIR/cases, DIR/must_reject and DIR/controls have the layout of ONNX's backend tests: model.onnx, "
      "test_data_set_N/input_K.pb and output_K.pb. The refusal of a case counts only if its control is accepted.\n"
      "Folders are named like ONNX's tests (quantize_linear/21/f32-f32-u8/... is "
      "test_quantizelinear_21_f32_f32_u8_...); DIR/manifest.json has the ids. Other runners of this layout compare "
      "with output_K.pb only, the output under the primary readings; touchstone judge knows what else is permitted. "
      "DIR/README.txt says where answers go. The default tier, smoke, takes seconds and makes thousands of small "
      "files. The tier standard takes minutes and makes several hundred thousand files, some GB. An export that was "
      "killed leaves no manifest; the next export replaces it.\n"
      "\n"
      "Examples:\n"
      "  touchstone export pack\n"
      "  touchstone export pack --without-outputs --suite generated --filter '*/f32-f32-u8/*'\n"
      "  touchstone export pack --assume constant-scales --assume static-shapes\n"
      "  touchstone export pack --tier standard --overwrite\n");
  command->callback([options, &exit_code] { exit_code = export_cases(*options); });
}

}  // namespace touchstone::tools
