#include "conformance/backends/workers/sandbox.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>
#include <system_error>
#include <thread>

#include "conformance/backends/backend.h"
#include "conformance/backends/workers/find_program.h"

namespace touchstone::conformance {

namespace fs = std::filesystem;

namespace {

constexpr rlim_t most_processes = 4096;  ///< threads included; the system exempts root
constexpr rlim_t largest_file = rlim_t{1} << 30;
constexpr rlim_t processor_seconds_per_core = 24 * 60 * 60;

/// Variables with the paths of files that a program needs.
constexpr std::array<std::string_view, 8> variables_with_paths{
    "PATH=",        "PYTHONPATH=",          "LD_LIBRARY_PATH=",   "QEMU_LD_PREFIX=",
    "VIRTUAL_ENV=", "TOUCHSTONE_BACKENDS=", "TOUCHSTONE_PYTHON=", "TOUCHSTONE_SYSROOT="};

/// Adds the entries of /tmp that occur in the text: "lib:/tmp/vendor/libvendor.so" contains /tmp/vendor.
void add_entries_of_tmp(std::string_view text, std::set<std::string>& entries) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(":="), text.size());
    const fs::path below = fs::absolute(text.substr(0, end)).lexically_normal().lexically_relative("/tmp");
    if (end > 0 && !below.empty() && *below.begin() != "." && *below.begin() != "..")
      entries.insert((fs::path("/tmp") / *below.begin()).string());
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::set<std::string> needed_entries_of_tmp(std::span<const std::string> command,
                                            std::span<const std::string> environment) {
  std::set<std::string> entries;
  add_entries_of_tmp(fs::current_path().string(), entries);
  for (const std::string& word : command) add_entries_of_tmp(word, entries);
  for (const std::string& variable : environment)
    if (std::ranges::any_of(variables_with_paths, [&](std::string_view name) { return variable.starts_with(name); }))
      add_entries_of_tmp(variable, entries);
  return entries;
}

/// The limit, or this process's own limit if that is lower, because it cannot be raised.
rlim_t at_most(rlim_t limit, __rlimit_resource resource) {
  rlimit present = {};
  return ::getrlimit(resource, &present) == 0 ? std::min(limit, present.rlim_max) : limit;
}

/// In bubblewrap, this link would point to bwrap.
void resolve_own_program(std::vector<std::string>& command) {
  if (command.front() == "/proc/self/exe") command.front() = fs::read_symlink(command.front()).string();
}

std::string find_bubblewrap() try { return find_program("bwrap"); } catch (const BackendError& error) {
  throw BackendError(fmt::format("--sandbox: {}; install bubblewrap (Debian package bubblewrap)", error.what()));
}

}  // namespace

std::optional<int> signal_of_exit_code(int code) {
  constexpr int without_signal = 128;
  return without_signal < code && code < without_signal + NSIG ? std::optional(code - without_signal) : std::nullopt;
}

std::vector<std::string> sandboxed(std::vector<std::string> command, std::span<const std::string> environment) {
  std::vector<std::string> all{find_bubblewrap()};
  const auto add = [&](std::initializer_list<std::string> words) { all.insert(all.end(), words); };
  const std::string tmpfs_bytes = fmt::format("{}", largest_file);
  add({"--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL", "--die-with-parent"});
  add({"--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"});
  for (const char* writable : {"/dev/shm", "/tmp"})
    add({"--size", tmpfs_bytes, "--perms", "1777", "--tmpfs", writable});
  if (std::error_code error; fs::is_directory("/run", error)) add({"--tmpfs", "/run", "--remount-ro", "/run"});
  resolve_own_program(command);
  for (const std::string& entry : needed_entries_of_tmp(command, environment)) add({"--ro-bind-try", entry, entry});
  add({"--setenv", "TMPDIR", "/tmp", "--setenv", "XDG_CACHE_HOME", "/tmp/.cache", "--"});
  const rlim_t cores = std::max(1U, std::thread::hardware_concurrency());
  // Set inside the sandbox, because outside the limit would also count the user's other processes.
  add({find_program("prlimit"), fmt::format("--nproc={}", at_most(most_processes, RLIMIT_NPROC)),
       fmt::format("--fsize={}", at_most(largest_file, RLIMIT_FSIZE)),
       fmt::format("--cpu={}", at_most(processor_seconds_per_core * cores, RLIMIT_CPU)), "--"});
  std::ranges::move(command, std::back_inserter(all));
  return all;
}

std::vector<std::string> in_pid_namespace(std::vector<std::string> command) {
  std::vector<std::string> all{find_bubblewrap(), "--dev-bind",        "/", "/", "--unshare-pid", "--proc",
                               "/proc",           "--die-with-parent", "--"};
  resolve_own_program(command);
  std::ranges::move(command, std::back_inserter(all));
  return all;
}

}  // namespace touchstone::conformance
