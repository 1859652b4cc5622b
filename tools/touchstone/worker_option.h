// Backends that are programs: exec:COMMAND, onnx:MODULE, and those of tools/backends.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "conformance/backends/workers/process_tree.h"
#include "conformance/backends/workers/worker_options.h"

namespace touchstone::tools {

/// --timeout, --memory-limit and --python.
void add_worker_options(CLI::App& command, conformance::WorkerOptions& options);

/// The program that --backend names, if it names one. Throws Exit.
std::optional<conformance::Program> worker_program(const std::string& backend,
                                                   const conformance::WorkerOptions& options);

/// The backends that have a directory with a program `worker` where Touchstone keeps them, or $TOUCHSTONE_BACKENDS.
std::vector<std::string> worker_names();

/// How to name one, for people: a line each.
std::string worker_forms();

}  // namespace touchstone::tools
