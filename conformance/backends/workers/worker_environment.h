// The environment variables of a worker: a list of names, so that secrets in this process's environment do not reach
// it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::conformance {

/// Whether workers get a variable of this name by default.
bool is_passed_by_default(std::string_view name);

/// NAME=VALUE for each variable: first `additions`, then the variables of this process that are passed by default or
/// whose name is in `names`, except those that `additions` replaces.
std::vector<std::string> worker_environment(std::span<const std::string> additions, std::span<const std::string> names);

/// The memory with the environment that this process was started with, which /proc/PID/environ shows. Empty if it is
/// not known.
std::span<char> initial_environment();

/// Moves the environment to other memory, and clears `initial_environment`. For a process without further threads.
void hide_environment();

}  // namespace touchstone::conformance
