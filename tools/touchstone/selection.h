// Which cases a subcommand is about: --suite, --tier, --seed, --data, --assume, --filter.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/backends/capabilities.h"
#include "conformance/plan/planned_case.h"

namespace touchstone::tools {

struct Selection {
  std::vector<std::string> suites;  ///< empty: all; with `data`, those that read files
  std::string tier = "standard";
  std::uint64_t seed = 0;
  std::optional<std::string> data;  ///< nothing: where tools/setup puts it
  std::string filter = "*";
  conformance::Capabilities assumed;  ///< what the backend can take
};

/// Takes other limits from TOUCHSTONE_LIMITS. Throws Exit.
void take_limits();

/// --assume.
void add_assume_option(CLI::App& command, conformance::Capabilities& assumed);

/// All but --filter: where an id says which case.
void add_plan_options(CLI::App& command, Selection& selection);
void add_selection_options(CLI::App& command, Selection& selection);

/// The cases of the suites, before the filter; `selection.suites` is filled in. Their forms are such as the backend
/// takes, by what is assumed and by what it declares. Throws Exit: an unknown suite, data that are not there.
std::vector<conformance::PlannedCase> plan(Selection& selection, const conformance::Capabilities& declared = {});

/// Those that the filter takes. Throws Exit as `plan` does, and if there are none.
std::vector<conformance::PlannedCase> select(Selection& selection, const conformance::Capabilities& declared = {});

}  // namespace touchstone::tools
