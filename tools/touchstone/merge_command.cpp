// touchstone merge: one run of the shards that other runs have run.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/files/limits.h"
#include "conformance/plan/shard.h"
#include "conformance/report/replay_line.h"
#include "conformance/session/merge.h"
#include "conformance/session/run_session.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/run_command.h"
#include "tools/touchstone/terminal.h"

namespace touchstone::tools {

using namespace conformance;
namespace fs = std::filesystem;

namespace {

struct Options {
  RunCommandOptions run;
  std::vector<std::string> directories;
};

/// How many commands and ids a message has.
constexpr std::size_t most_shown = 20;

std::vector<fs::path> paths_of(const Options& options) {
  std::vector<fs::path> paths;
  for (const std::string& directory : options.directories) {
    paths.emplace_back(directory);
    std::error_code error;
    if (fs::equivalent(directory, options.run.output, error))
      throw Exit(usage, fmt::format("--output {} is one of the shards: give the merged run another directory",
                                    options.run.output));
  }
  return paths;
}

/// The plan of the whole run. Throws Exit if it is another one now.
std::vector<PlannedCase> plan_of(const RunInfo& run, Options& options) {
  Selection& selection = options.run.selection;
  selection.suites = run.suites;
  selection.tier = run.tier;
  selection.seed = run.seed;
  selection.filter = run.filter;
  selection.follow_symlinks = run.follow_symlinks;
  selection.assumed = run.assumed;
  if (!selection.data && !run.data.empty()) selection.data = run.data;
  std::vector<PlannedCase> plan = select(selection, run.declared);
  if (const std::string hash = plan_hash(plan, run.tier, run.seed, run.settings()); hash != run.plan_hash)
    throw Exit(usage, fmt::format("the shards are of a plan with the hash {}, and this program makes one of {} cases "
                                  "with the hash {}: use the program, the tests (--data) and the limits ({}) of the "
                                  "shards",
                                  printable(run.plan_hash, 100), plan.size(), hash, limits_variable));
  return plan;
}

struct Merged {
  std::vector<CaseRecord> records;
  std::vector<std::string> missing;  ///< the ids of cases without a result
};

Merged merge(ShardMerge& shards, const std::vector<PlannedCase>& plan) {
  const std::vector<std::size_t> identity = identity_places(plan);
  Merged merged;
  merged.records.reserve(plan.size());
  RecordPool pool;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const bool is_identity_case = std::ranges::binary_search(identity, i);
    std::optional<CaseRecord> record = shards.take(plan[i].id, is_identity_case);
    if (!record) {
      merged.missing.push_back(plan[i].id);
      continue;
    }
    pool.share(*record);
    merged.records.push_back(*std::move(record));
  }
  shards.finish();
  return merged;
}

/// The commands that run the missing cases, and nothing else.
std::string commands_for_the_rest(const ShardMerge& shards, const Options& options) {
  std::vector<std::string> lines;
  for (const fs::path& directory : shards.unfinished())
    lines.push_back(fmt::format("touchstone run --resume {}", shell_quoted(directory.string())));
  const RunInfo& run = shards.first_run();
  const fs::path parent = fs::path(options.directories.front()).lexically_normal().parent_path();
  const std::size_t count = run.shard.count;
  for (const std::size_t index : shards.missing_shards()) {
    const std::string name = fmt::format("{}-{}-of-{}", default_output, index, count);
    std::string line = fmt::format("{} --shard {}/{}", run_line(run), index, count);
    if (!run.balance_path.empty()) line += fmt::format(" --balance {}", shell_quoted(run.balance_path));
    lines.push_back(fmt::format("{} --output {}", line, shell_quoted((parent / name).string())));
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), most_shown); ++i) text += fmt::format("\n  {}", lines[i]);
  if (lines.size() > most_shown) text += fmt::format("\n  and {} more", lines.size() - most_shown);
  return text;
}

[[noreturn]] void refuse_incomplete(const ShardMerge& shards, const Options& options, const Merged& merged,
                                    std::size_t cases) {
  std::string text = fmt::format("{} of {} cases have no result, so nothing was merged. Run them, and merge again:{}",
                                 merged.missing.size(), cases, commands_for_the_rest(shards, options));
  text += "\nwithout a result:";
  for (std::size_t i = 0; i < std::min(merged.missing.size(), most_shown); ++i)
    text += fmt::format("\n  {}", printable(merged.missing[i], longest_id));
  if (merged.missing.size() > most_shown) text += fmt::format("\n  and {} more", merged.missing.size() - most_shown);
  throw Exit(incomplete, text);
}

/// The known failures of the shards, if none are given. Throws Exit if the shards do not have the same ones.
void take_known_failures(const std::vector<fs::path>& directories, RunCommandOptions& options) {
  if (!options.expectations.empty()) return;
  const std::vector<KnownFailure> first = saved_known_failures(directories.front());
  for (const fs::path& directory : directories)
    if (saved_known_failures(directory) != first)
      throw Exit(usage, fmt::format("{} and {} were run with different expectations: give those of the merged run with "
                                    "--expectations",
                                    directories.front().string(), directory.string()));
  if (!first.empty()) options.expectations = saved_known_failures_in(directories.front()).string();
}

int merge_command(Options& options) try {
  const std::vector<fs::path> directories = paths_of(options);
  ShardMerge shards(directories);
  take_known_failures(directories, options.run);
  RunInfo run = shards.run();
  std::vector<PlannedCase> plan = plan_of(run, options);
  run.cases = plan.size();
  Merged merged = merge(shards, plan);
  if (!merged.missing.empty()) refuse_incomplete(shards, options, merged, plan.size());
  std::vector<EarlierCase> earlier;
  for (const CaseRecord& record : merged.records) earlier.push_back({record.id, record.digest, *record.reason});
  check_same_cases(directories.front(), run, earlier, plan, run.plan_hash);
  RunSession session(new_run_in(options.run.output, options.run.overwrite), {.options = std::move(run),
                                                                             .cases = std::move(plan),
                                                                             .backend = nullptr,
                                                                             .make_backend = nullptr,
                                                                             .known_failures = options.run.expectations,
                                                                             .jobs = options.run.jobs});
  for (CaseRecord& record : merged.records) session.add(std::move(record));
  return write_results(session, options.run, session.summarize());
} catch (const MergeRefused& refused) {
  throw Exit(usage, refused.what());
}

}  // namespace

void add_merge_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("merge", "Make one run of its shards, with the reports of the whole");
  command->add_option("DIR", options->directories, "The directories of all shards: touchstone run --shard I/N --output")
      ->required();
  add_output_options(*command, options->run);
  command->add_option("--data", options->run.selection.data,
                      "Where the tests of the suite onnx are now, if not where the first shard read them");
  command->footer(
      std::string(exit_codes) +
      "All shards must have the same version, plan, options and backend, and the same answers to a few cases that each "
      "of them runs. If a case has no result, nothing is merged: the commands that run the missing cases are printed, "
      "with exit code 4. The merged run has the results that one run of all cases would have; reproducers are not "
      "shrunk (touchstone shrink does it).\n"
      "\n"
      "Examples:\n"
      "  for i in 1 2 3 4; do touchstone run --shard $i/4 --output shards/$i; done\n"
      "  touchstone merge shards/* --output merged\n");
  command->callback([options, &exit_code] { exit_code = merge_command(*options); });
}

}  // namespace touchstone::tools
