// Options for the backend and the strictness: --backend, --strict, --sign-of-zero.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "conformance/backends/backend.h"
#include "conformance/backends/workers/worker_options.h"
#include "tools/touchstone/worker_option.h"

namespace touchstone::tools {

/// Not the reference, because the expected outputs of generated cases are its own.
inline constexpr const char* default_backend = "optimized";

void add_backend_option(CLI::App& command, std::string& backend);
/// Throws Exit, for a backend that runs in this process.
[[noreturn]] void refuse_sandbox(const std::string& backend);
void add_judge_options(CLI::App& command, bool& strict, bool& sign_of_zero);

/// Throws Exit if there is no such backend. Does not start a worker.
void check_backend(const std::string& name, const conformance::WorkerOptions& options);

/// A backend that declines models outside its assumed capabilities.
/// Throws Exit if there is no such backend, or if TOUCHSTONE_ISA is an unavailable instruction set. Throws
/// BackendError if a worker cannot be started.
std::unique_ptr<conformance::Backend> open_backend(const std::string& name,
                                                   const conformance::WorkerOptions& options = {},
                                                   const conformance::Capabilities& assumed = {});

}  // namespace touchstone::tools
