// The options that select cases: --suite, --tier, --seed, --data, --follow-symlinks, --assume, --filter.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backends/capabilities.h"
#include "conformance/plan/planned_case.h"

namespace touchstone::tools {

struct Selection {
  std::vector<std::string> suites;  ///< empty: all; with `data`, those that read files
  std::string tier = "standard";
  std::uint64_t seed = 0;
  std::optional<std::string> data;  ///< absent: where tools/setup puts the tests
  bool follow_symlinks = false;
  std::string filter = "*";
  conformance::Capabilities assumed;  ///< the capabilities of the backend
};

/// Sets the limits from TOUCHSTONE_LIMITS. Throws Exit.
void take_limits();

/// Adds --follow-symlinks.
void add_follow_option(CLI::App& command, bool& follow_symlinks);

/// Adds --assume.
void add_assume_option(CLI::App& command, conformance::Capabilities& assumed);

/// Adds all options except --filter, for subcommands that select a case by its id.
void add_plan_options(CLI::App& command, Selection& selection);
void add_selection_options(CLI::App& command, Selection& selection);

/// The cases of the suites, before the filter. Sets `selection.suites`. Chooses forms within the assumed and the
/// declared capabilities. Throws Exit for an unknown suite or missing data.
std::vector<conformance::PlannedCase> plan(Selection& selection, const conformance::Capabilities& declared = {});

/// The cases that the filter selects. Throws Exit as `plan` does, and if there are none.
std::vector<conformance::PlannedCase> select(Selection& selection, const conformance::Capabilities& declared = {});

/// The ids, which are valid as long as the cases.
std::vector<std::string_view> ids_of(std::span<const conformance::PlannedCase> cases);

}  // namespace touchstone::tools
