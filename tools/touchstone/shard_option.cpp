#include "tools/touchstone/shard_option.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <fstream>

#include "conformance/files/file_error.h"
#include "tools/touchstone/command.h"

namespace touchstone::tools {

using conformance::Shard;

namespace {

/// An engine that starts several processes, and tells each its number.
struct Engine {
  const char* name;
  const char* index;
  const char* total;
  std::int64_t first;  ///< the index of the first process
};

constexpr Engine bazel{"Bazel", "TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", 0};
constexpr Engine google_test{"GoogleTest", "GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS", 0};
constexpr Engine slurm{"Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", 0};  // see place_in_array
// Kubernetes has no variable for the number of completions, so the Job has to set this one.
constexpr Engine kubernetes{"Kubernetes", "JOB_COMPLETION_INDEX", "TOUCHSTONE_SHARDS", 0};
constexpr Engine gitlab{"GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL", 1};
constexpr const Engine* engines[] = {&bazel, &google_test, &slurm, &kubernetes, &gitlab};

std::int64_t number_in(const char* variable, const Environment& environment) {
  const std::optional<std::string> text = environment(variable);
  if (!text)
    throw Exit(usage, fmt::format("{} is not set: set it, or give the shard with --shard I/N; --shard 1/1 is the whole "
                                  "plan",
                                  variable));
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc() || end != text->data() + text->size() || number < 0)
    throw Exit(usage, fmt::format("{}: '{}' is not a number", variable, conformance::printable(*text, 100)));
  return number;
}

/// The place of a task, from 0, in an array such as 1-16 or 0-30:2. Throws Exit for others: 3,7 may be two tasks of
/// 1-16 that are submitted again, and no variable has the 16.
std::int64_t place_in_array(std::int64_t task, std::int64_t total, const Environment& environment) {
  const auto number_or = [&](const char* variable, std::int64_t otherwise) {
    return environment(variable) ? number_in(variable, environment) : otherwise;
  };
  const std::int64_t first = number_in("SLURM_ARRAY_TASK_MIN", environment);
  const std::int64_t step = number_or("SLURM_ARRAY_TASK_STEP", 1);
  const auto is_place = [&](std::int64_t id) {
    return step > 0 && id >= first && (id - first) % step == 0 && (id - first) / step < total;
  };
  if (first > 1 || !is_place(task) || !is_place(number_or("SLURM_ARRAY_TASK_MAX", task)))
    throw Exit(usage, fmt::format("{}={}: the tasks of this array are not numbered from 0 or 1 without gaps, so there "
                                  "may be more shards; give the shard with --shard I/N",
                                  slurm.index, task));
  return (task - first) / step;
}

/// std::nullopt if the process is not one of several.
std::optional<FoundShard> shard_of(const Engine& engine, const Environment& environment) {
  const bool has_index = environment(engine.index).has_value();
  if (!has_index && !environment(engine.total)) return std::nullopt;
  const std::int64_t total = number_in(engine.total, environment);
  if (total == 1 && !has_index) return std::nullopt;  // GitLab sets it in every job
  const std::int64_t index = number_in(engine.index, environment);
  const std::int64_t place = &engine == &slurm ? place_in_array(index, total, environment) : index - engine.first;
  if (total == 1 && place == 0) return std::nullopt;
  const std::string variable = fmt::format("{}={}", engine.index, index);
  const std::optional<Shard> shard =
      place < total ? conformance::parse_shard(fmt::format("{}/{}", place + 1, total)) : std::nullopt;
  if (!shard)
    throw Exit(usage, fmt::format("{} and {}={} are not a shard of at most {}; give it with --shard I/N", variable,
                                  engine.total, total, conformance::most_shards));
  return FoundShard{*shard, fmt::format("{} of {}", variable, engine.name)};
}

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

}  // namespace

void add_shard_options(CLI::App& command, ShardOptions& options) {
  std::string engines_text;
  for (const Engine* engine : engines)
    engines_text +=
        fmt::format("{}{} ({}, {})", engines_text.empty() ? "" : ", ", engine->name, engine->index, engine->total);
  command
      .add_option("--shard", options.shard,
                  "Run only the I-th of N parts of the cases; touchstone merge makes one run of all parts. By default "
                  "the variables of " +
                      engines_text + " decide, if one of them is set; 1/1 is the whole plan")
      ->type_name("I/N");
  command
      .add_option("--balance", options.balance,
                  "The directory or the journal of an earlier run: its durations balance the shards, so that all take "
                  "about the same time. All shards need the same one")
      ->check(CLI::ExistingPath)
      ->type_name("DIR");
}

FoundShard find_shard(const ShardOptions& options, const Environment& environment) {
  if (options.shard) {
    const std::optional<Shard> shard = conformance::parse_shard(*options.shard);
    if (!shard)
      throw Exit(usage, fmt::format("--shard: '{}' is not I/N with 1 <= I <= N <= {}, such as 3/16",
                                    conformance::printable(*options.shard, 100), conformance::most_shards));
    return {*shard, "--shard"};
  }
  std::optional<FoundShard> found;
  for (const Engine* engine : engines) {
    const std::optional<FoundShard> shard = shard_of(*engine, environment);
    if (!shard) continue;
    // Bazel, which comes before it, sets the variables of GoogleTest as well.
    const bool is_of_bazel = engine == &google_test && found && shard->shard == found->shard;
    if (found && !is_of_bazel)
      throw Exit(usage, fmt::format("two engines name a shard, {} and {}: choose one with --shard I/N", found->origin,
                                    shard->origin));
    if (!found) found = shard;
  }
  return found.value_or(FoundShard{});
}

FoundShard find_shard(const ShardOptions& options) {
  FoundShard found = find_shard(options, variable);
  // Bazel runs no shards of a test that does not create this file. Its directory exists, unless the variable is wrong.
  if (const auto file = variable("TEST_SHARD_STATUS_FILE"); file && !file->empty() && !found.shard.is_whole())
    if (!std::ofstream(*file, std::ios::app))
      throw Exit(usage,
                 fmt::format("TEST_SHARD_STATUS_FILE: '{}' cannot be created", conformance::printable(*file, 1000)));
  return found;
}

}  // namespace touchstone::tools
