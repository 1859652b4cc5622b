// What is tested, and how strictly: --backend, --strict, --sign-of-zero.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "conformance/backends/backend.h"
#include "conformance/judge/judge.h"

namespace touchstone::tools {

void add_backend_option(CLI::App& command, std::string& backend);
void add_judge_options(CLI::App& command, conformance::JudgeOptions& judge);

/// Throws Exit if there is no such backend.
std::unique_ptr<conformance::Backend> open_backend(const std::string& name);

}  // namespace touchstone::tools
