#include "tools/touchstone/shard_option.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "conformance/files/file_error.h"
#include "conformance/files/output_file.h"
#include "tools/touchstone/command.h"

namespace touchstone::tools {

using conformance::Shard;

namespace {

/// An engine that starts several processes, and tells each its number.
struct Engine {
  const char* name;
  const char* index;
  const char* total;
  std::int64_t first;    ///< the index of the first process
  const char* first_in;  ///< a variable that has it instead, or null
  const char* step_in;   ///< a variable with the distance of two indices, or null
};

constexpr Engine engines[] = {
    {"Bazel", "TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", 0, nullptr, nullptr},
    {"GoogleTest", "GTEST_SHARD_INDEX", "GTEST_TOTAL_SHARDS", 0, nullptr, nullptr},
    {"Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", 0, "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP"},
    // Kubernetes has no variable for the number of completions, so the Job has to set this one.
    {"Kubernetes", "JOB_COMPLETION_INDEX", "TOUCHSTONE_SHARDS", 0, nullptr, nullptr},
    {"GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL", 1, nullptr, nullptr},
};

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

/// std::nullopt if the process is not one of several.
std::optional<FoundShard> shard_of(const Engine& engine, const Environment& environment) {
  if (!environment(engine.index)) return std::nullopt;
  const std::int64_t total = number_in(engine.total, environment);
  if (total == 1) return std::nullopt;
  const std::int64_t first = engine.first_in != nullptr ? number_in(engine.first_in, environment) : engine.first;
  const std::int64_t step =
      engine.step_in != nullptr && environment(engine.step_in) ? number_in(engine.step_in, environment) : 1;
  const std::int64_t distance = number_in(engine.index, environment) - first;
  const auto shard = [&]() -> std::optional<Shard> {
    if (distance < 0 || step < 1 || distance % step != 0) return std::nullopt;
    return conformance::parse_shard(fmt::format("{}/{}", distance / step + 1, total));
  }();
  const std::string variable = fmt::format("{}={}", engine.index, *environment(engine.index));
  if (!shard)
    throw Exit(usage, fmt::format("{} and {}={} are not a shard of at most {}, without gaps; give it with --shard I/N",
                                  variable, engine.total, total, conformance::most_shards));
  return FoundShard{*shard, fmt::format("{} of {}", variable, engine.name)};
}

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

}  // namespace

void add_shard_options(CLI::App& command, ShardOptions& options) {
  std::string engines_text;
  for (const Engine& engine : engines)
    engines_text +=
        fmt::format("{}{} ({}, {})", engines_text.empty() ? "" : ", ", engine.name, engine.index, engine.total);
  command
      .add_option("--shard", options.shard,
                  "Run only the I-th of N parts of the cases; touchstone merge makes one run of all parts. By default "
                  "the variables of " +
                      engines_text + " decide, if one of them is set; 1/1 is the whole plan")
      ->type_name("I/N");
  command
      .add_option("--balance", options.balance,
                  "The directory of an earlier run: its durations deal the cases, so that all shards take about the "
                  "same time. All shards need the same one")
      ->type_name("DIR");
}

FoundShard find_shard(const ShardOptions& options, const Environment& environment) {
  if (!options.shard.empty()) {
    const std::optional<Shard> shard = conformance::parse_shard(options.shard);
    if (!shard)
      throw Exit(usage, fmt::format("--shard: '{}' is not I/N with 1 <= I <= N <= {}, such as 3/16",
                                    conformance::printable(options.shard, 100), conformance::most_shards));
    return {*shard, "--shard"};
  }
  std::optional<FoundShard> found;
  for (const Engine& engine : engines) {
    const std::optional<FoundShard> shard = shard_of(engine, environment);
    if (shard && found)
      throw Exit(usage, fmt::format("two engines name a shard, {} and {}: choose one with --shard I/N", found->origin,
                                    shard->origin));
    if (shard) found = shard;
  }
  return found.value_or(FoundShard{});
}

FoundShard find_shard(const ShardOptions& options) {
  FoundShard found = find_shard(options, variable);
  // Bazel runs no shards of a test that does not create this file.
  if (const auto file = variable("TEST_SHARD_STATUS_FILE"); file && !file->empty() && !found.shard.is_whole())
    conformance::write_file_whole(*file, "");
  return found;
}

}  // namespace touchstone::tools
