// Starts a program as the root of a tree of processes, and kills the whole tree.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::conformance {

struct Program {
  std::vector<std::string> arguments;         ///< the first one is a path, or a name to be found in PATH
  std::vector<std::string> environment = {};  ///< NAME=VALUE; added to the inherited variables, or replaces one
  std::optional<std::uint64_t> memory_limit = std::nullopt;  ///< bytes of address space (RLIMIT_AS)
};

/// The descriptors of the new process. 0 is /dev/null; it has no others.
struct Descriptors {
  int requests;   ///< 3, to read
  int responses;  ///< 4, to write
  int output;     ///< 1 and 2
};

/// A process in its own session, without core dumps. It dies with the thread that started it. If memory runs out, the
/// kernel kills it first.
class ProcessTree {
 public:
  /// Throws BackendError if the program does not exist or cannot be started.
  ProcessTree(const Program& program, const Descriptors& descriptors);
  /// Kills the remaining processes.
  ~ProcessTree();
  ProcessTree(const ProcessTree&) = delete;
  ProcessTree& operator=(const ProcessTree&) = delete;

  bool has_ended() const;
  /// How it ended: "it was killed by SIGSEGV (Segmentation fault)", "it exited with code 3". Empty if it is running.
  std::string end() const;
  /// Whether it exited with code 0, and was not killed before.
  bool exited_cleanly() const;

  /// Kills its process group and all processes of any group that have its cookie in their environment.
  void kill();
  /// Whether it still existed some seconds after it was killed. A process that is traced, or that waits for a device,
  /// may never end; it is then abandoned.
  bool outlived_kill() const { return outlived_kill_; }

 private:
  pid_t head_;
  std::string cookie_;
  bool is_gone_ = false;
  bool outlived_kill_ = false;
};

}  // namespace touchstone::conformance
