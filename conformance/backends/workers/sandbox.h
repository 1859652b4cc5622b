// Runs a program in a sandbox, which bubblewrap makes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace touchstone::conformance {

/// The signal that killed a program in a sandbox, by its exit code there. Nothing if it exited.
std::optional<int> signal_of_exit_code(int code);

/// The command that runs `command`, whose first word is a path, in a sandbox: in namespaces of its own, without a
/// network, privileges and devices, with limits on processes, file sizes and processor time. Files cannot be written,
/// except in /tmp, which is empty and private ($TMPDIR, $XDG_CACHE_HOME), and in /dev/shm. What is in /run and /tmp is
/// hidden, because there are sockets to programs outside; except entries of /tmp that the current directory, the
/// command, or a list of paths in `environment` (NAME=VALUE) names.
///
/// Throws BackendError if bubblewrap (bwrap) or util-linux (prlimit) is not installed.
std::vector<std::string> sandboxed(std::vector<std::string> command, std::span<const std::string> environment);

}  // namespace touchstone::conformance
