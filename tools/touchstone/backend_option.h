// What is tested, and how strictly: --backend, --strict, --sign-of-zero.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "conformance/backends/backend.h"
#include "conformance/backends/workers/worker_options.h"
#include "conformance/judge/judge.h"
#include "tools/touchstone/worker_option.h"

namespace touchstone::tools {

/// Not the reference: what it computes is what generated cases expect.
inline constexpr const char* default_backend = "optimized";

void add_backend_option(CLI::App& command, std::string& backend);
void add_judge_options(CLI::App& command, conformance::JudgeOptions& judge);

/// A backend that is not asked what it cannot take, as far as that is assumed of it.
/// Throws Exit if there is no such backend, or no such instruction set as the environment asks of it, and BackendError
/// if it is a worker that cannot be started.
std::unique_ptr<conformance::Backend> open_backend(const std::string& name,
                                                   const conformance::WorkerOptions& options = {},
                                                   const conformance::Capabilities& assumed = {});

}  // namespace touchstone::tools
