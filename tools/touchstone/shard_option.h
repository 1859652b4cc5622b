// The options --shard and --balance, and the variables of engines that start several processes.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>

#include "conformance/plan/shard.h"

namespace touchstone::tools {

struct ShardOptions {
  std::optional<std::string> shard;  ///< I/N; by default the environment decides
  std::string balance;  ///< the directory or the journal of an earlier run; empty: the ids of cases assign them
};

void add_shard_options(CLI::App& command, ShardOptions& options);

/// The value of an environment variable; std::nullopt if it is not set.
using Environment = std::function<std::optional<std::string>(const char* name)>;

/// A shard, and where it was found.
struct FoundShard {
  conformance::Shard shard;
  std::string origin;  ///< "--shard" or a variable and its engine; empty for the whole plan if neither says anything
};

/// The shard that the option names, or else the environment. Throws Exit: not a shard; incomplete variables; variables
/// of two engines.
FoundShard find_shard(const ShardOptions& options, const Environment& environment);
/// The same for the environment of the process. Tells Bazel that the program shards its cases.
FoundShard find_shard(const ShardOptions& options);

}  // namespace touchstone::tools
