// Which cases a subcommand is about: --suite, --data, --filter.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "conformance/plan/suite.h"

namespace touchstone::tools {

struct Selection {
  std::string suite = "onnx";
  std::string data;  ///< empty: where tools/setup puts it
  std::string filter = "*";
};

void add_selection_options(CLI::App& command, Selection& selection);

/// The cases of the suite, before the filter. Throws Exit: an unknown suite, data that are not there.
std::vector<conformance::PlannedCase> plan(const Selection& selection);

/// Those that the filter takes. Throws Exit as `plan` does, and if there are none.
std::vector<conformance::PlannedCase> select(const Selection& selection);

}  // namespace touchstone::tools
