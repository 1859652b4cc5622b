// What a run takes from an earlier one: its options, the cases that failed, and durations by which shards are balanced.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "conformance/plan/planned_case.h"
#include "conformance/plan/shard.h"
#include "conformance/run/journal.h"
#include "conformance/run/run_info.h"
#include "tools/touchstone/run_command.h"

namespace touchstone::tools {

/// Takes the options of an earlier run. Throws Exit if those that were given differ. `why` begins the message.
void take_options(const CLI::App& command, const std::string& why, const conformance::RunInfo& recorded,
                  RunCommandOptions& options);

/// Takes the options and the expectations of the run in the output directory, and returns its journal. Throws Exit if
/// none of its cases failed; RunRefused; FileError.
conformance::Journal take_last_failed(const CLI::App& command, RunCommandOptions& options);

/// Takes only the cases that failed in the earlier run. Throws Exit if there are none.
void keep_failed(conformance::Journal& earlier, std::vector<conformance::PlannedCase>& plan,
                 const RunCommandOptions& options);

/// Chooses the shard and the order of a new run, by the options and the environment. Says so if the environment
/// decides. Gives each shard a directory of its own. Returns the durations by which the cases are distributed, if any
/// are.
std::optional<conformance::Durations> choose_shard(const CLI::App& command, RunCommandOptions& options);

/// The same for the run to resume. Throws Exit if the options or the environment differ.
std::optional<conformance::Durations> resume_shard(RunCommandOptions& options);

}  // namespace touchstone::tools
