// What is tested, and how strictly: --backend, --strict, --sign-of-zero.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "conformance/backends/backend.h"
#include "conformance/judge/judge.h"

namespace touchstone::tools {

/// Not the reference: what it computes is what generated cases expect.
inline constexpr const char* default_backend = "optimized";

void add_backend_option(CLI::App& command, std::string& backend);
void add_judge_options(CLI::App& command, conformance::JudgeOptions& judge);

/// Throws Exit if there is no such backend, or no such instruction set as the environment asks of it.
std::unique_ptr<conformance::Backend> open_backend(const std::string& name);

}  // namespace touchstone::tools
