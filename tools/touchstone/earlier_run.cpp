#include "tools/touchstone/earlier_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <unordered_set>

#include "conformance/files/text.h"
#include "tools/touchstone/command.h"
#include "tools/touchstone/progress.h"

namespace touchstone::tools {

using namespace conformance;

namespace {

/// The maximum length of a quotation from a journal in a message.
constexpr std::size_t longest_quoted = 1000;

/// An option's value in a message.
std::string in_message(const auto& value) { return fmt::format("'{}'", fmt::join(option_values(value), ", ")); }
std::string in_message(const std::string& value) { return value.empty() ? "its default" : fmt::format("'{}'", value); }

using Ids = std::unordered_set<std::string_view>;

/// The cases of a run that are not right, though the backend was asked. The journal must outlive them.
Ids failed_in(const Journal& journal) {
  Ids ids;
  for (const CaseRecord& record : journal.records)
    if (record.is_problem()) ids.insert(*record.id);
  return ids;
}

/// Opens the journal of the earlier run that --balance names, by its directory or itself. Throws RunRefused; FileError.
JournalReader earlier_journal(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return JournalReader(path);
  if (!std::filesystem::exists(path / journal_name, error))
    throw RunRefused(RunRefused::Reason::no_run, path,
                     fmt::format("--balance {} has no {}", path.string(), journal_name));
  return JournalReader(path / journal_name);
}

/// The durations in the journal that `run.balance_path` names. Sets its sum. Throws RunRefused;
/// FileError.
Durations read_durations(RunInfo& run) {
  Durations durations;
  JournalReader journal = earlier_journal(run.balance_path);
  while (const std::optional<CaseRecord> record = journal.next())
    durations.emplace(record->id, record->time.microseconds);
  run.balance = journal.journal().sum;
  return durations;
}

}  // namespace

void take_options(const CLI::App& command, const std::string& why, const RunInfo& recorded,
                  RunCommandOptions& options) {
  options.run.data = absolute_path(options.run.data);
  const auto check = [&](const RunOption& option, const auto& given, const auto& before) {
    const CLI::Option* found = command.get_option_no_throw(std::string(option.name));
    if (found != nullptr && found->count() > 0 && given != before)
      throw Exit(usage, fmt::format("{}: that run has {} {}, not {}; omit the option to continue it", why, option.name,
                                    printable(in_message(before), longest_quoted), in_message(given)));
  };
  visit_run_options(check, options.run, recorded);
  options.run = recorded;
}

Journal take_last_failed(const CLI::App& command, RunCommandOptions& options) {
  Journal earlier = read_run(options.output);
  const std::string why = fmt::format("--last-failed, of the run in {}", options.output);
  if (!find_tier(earlier.run.tier))
    throw FileError((std::filesystem::path(options.output) / journal_name).string(),
                    fmt::format("line 1: unknown tier {}", in_quotes(earlier.run.tier)));
  if (failed_in(earlier).empty())
    throw Exit(nothing_selected,
               fmt::format("{}: nothing failed in it: no case was wrong, refused or not judged", why));
  const bool has_expectations = !saved_known_failures(options.output, earlier.run).empty();
  RunInfo run = earlier.run;
  run.last_failed = options.run.last_failed;
  take_options(command, why, run, options);
  if (options.expectations.empty() && has_expectations)
    options.expectations = saved_known_failures_in(options.output).string();
  options.run.shard = {};
  options.run.balance.clear();
  options.run.balance_path.clear();
  options.run.in_covering_order = options.time_budget > 0;
  return earlier;
}

void keep_failed(Journal& earlier, std::vector<PlannedCase>& plan, const RunCommandOptions& options) {
  const Ids ids = failed_in(earlier);
  std::erase_if(plan, [&](const PlannedCase& planned) { return !ids.contains(*planned.id); });
  if (plan.empty())
    throw Exit(nothing_selected, fmt::format("--last-failed: none of the {} cases that failed exists now", ids.size()));
  const std::string gone =
      plan.size() < ids.size() ? fmt::format("; {} do not exist now", ids.size() - plan.size()) : "";
  if (!options.quiet)
    print_message(fmt::format("touchstone: runs {} of {} cases, those that failed before{}", plan.size(),
                              earlier.run.cases, gone));
  earlier.records.clear();  // the run needs the memory
}

std::optional<Durations> choose_shard(const CLI::App& command, RunCommandOptions& options) {
  if (!options.asks_backend) return std::nullopt;
  RunInfo& run = options.run;
  const FoundShard found = find_shard(options.shard);
  run.shard = found.shard;
  run.balance_path = absolute_path(options.shard.balance);
  run.in_covering_order = options.time_budget > 0;
  if (!found.origin.empty() && !options.shard.shard)
    print_message(fmt::format("touchstone: runs the shard {}, because of {}; --shard 1/1 runs all cases",
                              to_string(found.shard), found.origin));
  if (found.shard.is_whole()) {
    if (!run.balance_path.empty()) earlier_journal(run.balance_path);  // the mistake would show later
    return std::nullopt;
  }
  if (command.get_option("--output")->count() == 0)
    options.output = fmt::format("{}-{}-of-{}", default_output, found.shard.index, found.shard.count);
  return run.balance_path.empty() ? std::nullopt : std::optional(read_durations(run));
}

std::optional<Durations> resume_shard(RunCommandOptions& options) {
  RunInfo& run = options.run;
  const FoundShard found = options.asks_backend ? find_shard(options.shard) : FoundShard{};
  if (!found.origin.empty() && found.shard != run.shard)
    throw Exit(usage, fmt::format("--resume {}: that run is the shard {}, not {}, which is that of {}", options.resume,
                                  to_string(run.shard), to_string(found.shard), found.origin));
  const std::string quoted = printable(run.balance_path, longest_quoted);
  if (!options.shard.balance.empty() && absolute_path(options.shard.balance) != run.balance_path)
    throw Exit(usage, fmt::format("--resume {}: that run has --balance '{}'; omit the option to continue it",
                                  options.resume, quoted));
  if (run.balance.empty()) return std::nullopt;
  const std::string before = run.balance;
  Durations durations = read_durations(run);
  if (run.balance != before)
    throw Exit(usage, fmt::format("--resume {}: the journal of {}, by which its cases were distributed, has changed",
                                  options.resume, quoted));
  return durations;
}

}  // namespace touchstone::tools
