// Runs a program in a bubblewrap sandbox.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace touchstone::conformance {

/// The signal that killed a program in bubblewrap, from the exit code of bubblewrap. std::nullopt if the program
/// exited.
std::optional<int> signal_of_exit_code(int code);

/// The command that runs `command`, whose first word is a path, in a sandbox: in its own namespaces, without network,
/// privileges or devices, and with limits on processes, file sizes and processor time. Files can be written only in
/// /tmp, which is empty and private ($TMPDIR, $XDG_CACHE_HOME), and in /dev/shm. The contents of /run and /tmp are
/// hidden, because they include sockets of programs outside. Entries of /tmp that occur in the current directory, the
/// command, or a list of paths in `environment` (NAME=VALUE) remain visible.
///
/// Throws BackendError if bubblewrap (bwrap) or util-linux (prlimit) is not installed.
std::vector<std::string> sandboxed(std::vector<std::string> command, std::span<const std::string> environment);

/// The command that runs `command`, whose first word is a path, in a PID namespace with its own /proc: it neither sees
/// other processes nor can it send them signals. Everything else is as outside, except that it cannot gain privileges
/// (no_new_privs). Throws BackendError if bubblewrap is not installed.
std::vector<std::string> in_pid_namespace(std::vector<std::string> command);

}  // namespace touchstone::conformance
