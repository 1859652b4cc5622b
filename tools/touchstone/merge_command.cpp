// touchstone merge: one run of the shards that other runs have run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/files/limits.h"
#include "conformance/plan/shard.h"
#include "conformance/report/replay_line.h"
#include "conformance/run/journal.h"
#include "conformance/run/output_limits.h"
#include "conformance/run/record_json.h"
#include "conformance/session/merge.h"
#include "conformance/session/output_directory.h"
#include "conformance/session/run_session.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/progress.h"
#include "tools/touchstone/run_command.h"

namespace touchstone::tools {

using namespace conformance;
namespace fs = std::filesystem;

namespace {

struct MergeOptions : RunCommandOptions {
  std::vector<std::string> directories;
  bool journal_only = false;
};

/// How many ids, and how many commands of one kind, a message has.
constexpr std::size_t most_shown = 20;

std::vector<fs::path> paths_of(const MergeOptions& options) {
  std::vector<fs::path> paths;
  for (const std::string& directory : options.directories) {
    paths.emplace_back(directory);
    if (directory.empty()) throw Exit(usage, "the name of a shard's directory is empty");
    if (is_inside(options.output, directory))
      throw Exit(usage,
                 fmt::format("--output {} is one of the shards, or inside one: give the merged run another directory",
                             options.output));
  }
  return paths;
}

/// The plan of the whole run. Throws Exit if it is another one now.
std::vector<PlannedCase> plan_of(RunInfo run, const std::string& data) {
  if (!data.empty()) run.data = data;
  std::vector<PlannedCase> plan = select(run, run.declared);
  if (const std::string hash = plan_hash(plan, run.tier, run.seed, run.settings()); hash != run.plan_hash)
    throw Exit(usage, fmt::format("the shards are of a plan with the hash {}, and this program makes one of {} cases "
                                  "with the hash {}: use the program, the tests (--data) and the limits ({}) of the "
                                  "shards",
                                  printable(run.plan_hash, 100), plan.size(), hash, limits_variable));
  return plan;
}

/// Passes the record of each case to `add`, in the order of the plan. Returns the places in the plan of cases without a
/// result.
std::vector<std::size_t> merge(ShardMerge& shards, const std::vector<PlannedCase>& plan,
                               const std::function<void(CaseRecord)>& add) {
  const std::vector<std::size_t> identity = identity_places(plan);
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const bool is_identity_case = std::ranges::binary_search(identity, i);
    if (std::optional<CaseRecord> record = shards.take(plan[i].id, is_identity_case)) {
      record->id = plan[i].id;  // to share the same text
      add(*std::move(record));
    } else {
      missing.push_back(i);
    }
  }
  shards.finish();
  return missing;
}

/// Where a missing shard belongs: next to the first one. If all names are numbers, as in tools/cluster, so is its name.
fs::path place_of_missing(std::size_t index, const ShardMerge& shards) {
  const auto without_slash = [](const fs::path& path) { return (path / "").lexically_normal().parent_path(); };
  const std::map<std::size_t, fs::path> directories = shards.directories();
  const fs::path parent = without_slash(directories.begin()->second).parent_path();
  for (const std::size_t first : {std::size_t{1}, std::size_t{0}})  // in slurm/ and kubernetes/
    if (std::ranges::all_of(directories, [&](const auto& row) {
          return without_slash(row.second).filename() == std::to_string(row.first - 1 + first);
        }))
      return parent / std::to_string(index - 1 + first);
  return parent / fmt::format("{}-{}-of-{}", default_output, index, shards.first_run().shard.count);
}

/// The first lines of a list for a message.
std::string beginning_of(std::size_t count, const std::function<std::string(std::size_t place)>& line) {
  std::string text;
  for (std::size_t place = 0; place < std::min(count, most_shown); ++place) text += "\n  " + line(place);
  if (count > most_shown) text += fmt::format("\n  and {} more", count - most_shown);
  return text;
}

/// The commands that run the missing cases, and nothing else.
std::string commands_for_the_rest(const ShardMerge& shards) {
  const RunInfo& run = shards.first_run();
  std::string text;
  // All of them, because only the directory says which shard it is.
  for (const fs::path& directory : shards.unfinished())
    text += fmt::format("\n  {}touchstone run --resume {}", environment_prefix(run), shell_quoted(directory.string()));
  const std::vector<std::size_t> missing = shards.missing_shards();
  if (missing.empty()) return text;
  std::string line = run_line(run);
  if (!run.balance_path.empty()) line += fmt::format(" --balance {}", shell_quoted(run.balance_path));
  const fs::path first = shards.directories().begin()->second;
  if (!run.expectations.empty())
    line += fmt::format(" --expectations {}", shell_quoted(saved_known_failures_in(first).string()));
  text += beginning_of(missing.size(), [&](std::size_t place) {
    const std::size_t index = missing[place];
    return fmt::format("{} --shard {}/{} --output {}", line, index, run.shard.count,
                       shell_quoted(place_of_missing(index, shards).string()));
  });
  return text + fmt::format("\nmissing shards: {}", ranges_of(missing));
}

/// Throws Exit if cases are missing.
void check_complete(const std::vector<std::size_t>& missing, const ShardMerge& shards,
                    const std::vector<PlannedCase>& plan) {
  const auto names = [](const std::vector<fs::path>& directories) {
    std::vector<std::string> texts;
    for (const fs::path& directory : directories) texts.push_back(printable(directory.string(), longest_id));
    return fmt::format("{}", fmt::join(texts, ", "));
  };
  const std::vector<fs::path> unfinished = shards.unfinished();
  if (missing.empty() && unfinished.empty()) return;
  if (missing.empty())
    throw Exit(incomplete, fmt::format("{}: the journal has no last line, or fewer cases than its first line says, so "
                                       "nothing was merged. Finish the run, and merge again:{}",
                                       names(unfinished), commands_for_the_rest(shards)));
  throw Exit(incomplete,
             fmt::format("{} of {} cases have no result, so nothing was merged. Run them, and merge again:{}\n"
                         "without a result:{}",
                         missing.size(), plan.size(), commands_for_the_rest(shards),
                         beginning_of(missing.size(), [&](std::size_t place) {
                           return printable(plan[missing[place]].id, longest_id);
                         })));
}

/// The known failures of the shards, if none are given. Throws Exit if the shards do not have the same ones.
void take_known_failures(const ShardMerge& shards, RunCommandOptions& options) {
  if (!options.expectations.empty()) return;
  const auto rows = shards.known_failures();
  const auto& [directory, first] = *rows.begin();
  for (const auto& [other, known_failures] : rows)
    if (known_failures != first)
      throw Exit(usage, fmt::format("{} and {} were run with different expectations: give those of the merged run with "
                                    "--expectations",
                                    printable(directory.string(), longest_id), printable(other.string(), longest_id)));
  if (!first.empty()) options.expectations = saved_known_failures_in(directory).string();
}

/// Shows progress while cases are compared with the plan.
CaseComparison comparison_with(Progress& progress, const RunCommandOptions& options) {
  return {options.jobs, [&progress](std::string_view id) { progress.step(id, 0); }};
}

int merge_journals(ShardMerge& shards, RunInfo run, const std::vector<PlannedCase>& plan,
                   const RunCommandOptions& options) {
  OutputDirectory output = new_run_in(options.output, options.overwrite);
  const std::optional<std::string> known_failures = known_failures_content(options.expectations, output.path);
  run.expectations = hash_of_known_failures(known_failures);
  PendingJournal pending(output, run.data, known_failures);
  JournalWriter journal = JournalWriter::begin(pending.path(), run, shards.times().started);
  TextBudget texts;
  struct Content {
    Sha256 digest;
    Sha256 description;
    SharedText reason;  // if the case could not be read
  };
  std::vector<Content> contents;
  contents.reserve(plan.size());
  const auto write = [&](CaseRecord record) {
    contents.push_back({record.digest, description_digest(record, plan[contents.size()].is_sweep()),
                        record.digest == Sha256{} ? record.reason : SharedText()});
    texts.cut(record);
    journal.write({&record, 1});
  };
  check_complete(merge(shards, plan, write), shards, plan);
  const auto earlier = [&](std::size_t i) {
    return EarlierCase{contents[i].digest, contents[i].description, contents[i].reason};
  };
  Progress progress(plan.size(), 0, progress_interval(options), "comparing");
  check_same_cases(shards.directories().begin()->second, run, contents.size(), earlier, plan, run.plan_hash,
                   comparison_with(progress, options));
  journal.finish({.experiments = shards.experiments()}, shards.times().finished);
  pending.put_in_place();
  fmt::print("journal: {}\nto make reports: touchstone report {}\n", (fs::path(options.output) / journal_name).string(),
             shell_quoted(options.output));
  return as_expected;
}

int merge_with_reports(ShardMerge& shards, RunInfo run, std::vector<PlannedCase> plan,
                       const RunCommandOptions& options) {
  std::vector<CaseRecord> records;
  records.reserve(plan.size());
  RecordPool pool;
  const auto keep = [&](CaseRecord record) {
    pool.share(record);
    records.push_back(std::move(record));
  };
  check_complete(merge(shards, plan, keep), shards, plan);
  {
    Progress progress(plan.size(), 0, progress_interval(options), "comparing");
    check_same_cases(shards.directories().begin()->second, run, records, plan, run.plan_hash,
                     comparison_with(progress, options));
  }
  RunSession session(new_run_in(options.output, options.overwrite), {.options = std::move(run),
                                                                     .cases = std::move(plan),
                                                                     .known_failures = options.expectations,
                                                                     .jobs = options.jobs,
                                                                     .times = shards.times(),
                                                                     .experiments = shards.experiments(),
                                                                     .all_cases = options.all_cases});
  session.add_all(std::move(records));
  return write_results(session, options, session.summarize());
}

int merge_command(MergeOptions& options) try {
  const std::vector<fs::path> directories = paths_of(options);
  check_new_expectations(options);
  ShardMerge shards(directories, options.journal_only);
  take_known_failures(shards, options);
  RunInfo run = shards.run();
  std::vector<PlannedCase> plan = plan_of(run, options.run.data);
  run.cases = plan.size();
  return options.journal_only ? merge_journals(shards, std::move(run), plan, options)
                              : merge_with_reports(shards, std::move(run), std::move(plan), options);
} catch (const ShardsDoubled& doubled) {
  throw Exit(incomplete, doubled.what());
} catch (const MergeRefused& refused) {
  throw Exit(usage, refused.what());
}

}  // namespace

void add_merge_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* command = app.add_subcommand("merge", "Make one run of its shards, with the reports of the whole");
  command->add_option("DIR", options->directories, "The directories of all shards: touchstone run --shard I/N --output")
      ->required();
  add_output_options(*command, *options);
  command
      ->add_flag("--journal-only", options->journal_only,
                 "Write the merged journal without reports, in memory for the plan and one case of each shard")
      ->excludes(command->get_option("--write-expectations"));
  command->add_option("--data", options->run.data,
                      "Where the tests of the suite onnx are now, if not where the first shard read them");
  command->footer(
      std::string(exit_codes) +
      "All shards must have the same version, plan, options and backend, and the same answers to a few cases that each "
      "of them runs. If a case has no result, nothing is merged: the commands that run the missing cases are printed, "
      "with exit code 4. The same exit code means that a shard was given more than once. The merged run has the "
      "results that one run of all cases would have; reproducers are not shrunk (touchstone shrink does it).\n"
      "With --journal-only, 0 means that the journal was written, with any verdicts. touchstone report makes reports "
      "of "
      "it, without inconsistencies, contradictions and the fingerprint, for which all cases must be in memory.\n"
      "\n"
      "Examples:\n"
      "  for i in 1 2 3 4; do touchstone run --shard $i/4 --output shards/$i; done\n"
      "  touchstone merge shards/* --output merged\n"
      "  touchstone merge shards/* --output merged --journal-only\n");
  command->callback([options, &exit_code] { exit_code = merge_command(*options); });
}

}  // namespace touchstone::tools
