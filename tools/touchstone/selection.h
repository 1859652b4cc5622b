// The options that select cases: --suite, --tier, --seed, --data, --follow-symlinks, --assume, --filter.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/plan/planned_case.h"
#include "conformance/run/run_info.h"

namespace touchstone::tools {

/// Sets the limits from TOUCHSTONE_LIMITS. Throws Exit.
void take_limits();

/// Adds --data, with this help text, and --follow-symlinks.
void add_data_options(CLI::App& command, conformance::RunInfo& run, const std::string& help);

/// --inputs of `run`, or --data of `check`: what is given to a user's model.
void add_inputs_option(CLI::App& command, const std::string& name, conformance::RunInfo& run);

/// Adds --dim.
void add_dimension_option(CLI::App& command, conformance::RunInfo& run);

/// The lengths that --dim gives. Throws Exit.
conformance::DimensionLengths lengths_of(const std::vector<std::string>& dimensions);

/// Adds --assume.
void add_assume_option(CLI::App& command, conformance::Capabilities& assumed);

/// Adds all options except --filter, for subcommands that select a case by its id.
void add_plan_options(CLI::App& command, conformance::RunInfo& run);
void add_selection_options(CLI::App& command, conformance::RunInfo& run);

/// Throws Exit for what is wrong with the options whatever the cases are: before a backend is started, and cases are
/// planned, which takes seconds. Sets the suites as `plan` does.
void check_selection(conformance::RunInfo& run);

/// The cases of the suites, before the filter. If the run has no suites, sets all, or with `data`, those that read
/// files. Chooses forms within the assumed and the
/// declared capabilities. Throws Exit for an unknown suite or missing data.
std::vector<conformance::PlannedCase> plan(conformance::RunInfo& run, const conformance::Capabilities& declared = {});

/// The cases that the filter selects. Throws Exit as `plan` does, and if there are none.
std::vector<conformance::PlannedCase> select(conformance::RunInfo& run, const conformance::Capabilities& declared = {});

/// The ids, which are valid as long as the cases.
std::vector<std::string_view> ids_of(std::span<const conformance::PlannedCase> cases);

}  // namespace touchstone::tools
