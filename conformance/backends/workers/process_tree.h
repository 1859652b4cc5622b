// Starting a program as the head of a tree of processes, and ending all of the tree.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace touchstone::conformance {

struct Program {
  std::vector<std::string> arguments;         ///< the first one is the file, or its name to be found in PATH
  std::vector<std::string> environment = {};  ///< NAME=VALUE, added to this process's own, or replacing it
  std::optional<std::uint64_t> memory_limit = std::nullopt;  ///< bytes of address space (RLIMIT_AS)
};

/// What the descriptors 0 to 4 are in the new process, which has no others.
struct Descriptors {
  int requests;   ///< 3, to read
  int responses;  ///< 4, to write
  int output;     ///< 1 and 2
};

/// A process in its own session, without core dumps. It dies with the thread that started it, and first if memory runs
/// out. Its descriptor 0 is /dev/null.
class ProcessTree {
 public:
  /// Throws BackendError: there is no such program, or it cannot be started.
  ProcessTree(const Program& program, const Descriptors& descriptors);
  /// Kills what is left of it.
  ~ProcessTree();
  ProcessTree(const ProcessTree&) = delete;
  ProcessTree& operator=(const ProcessTree&) = delete;

  bool has_ended() const;
  /// How it ended: "it was killed by SIGSEGV (Segmentation fault)", "it exited with code 3". Empty if it has not.
  std::string end() const;
  /// Whether it exited with code 0, and was not killed before.
  bool has_ended_in_peace() const;

  /// Its process group, and all processes that have its cookie in their environment, whatever group they are in.
  void kill();
  /// Whether it was killed in vain: some seconds later it was still there. One that another process traces, or that
  /// waits for a device, may never be gone, and is left alone then.
  bool outlived_kill() const { return outlived_kill_; }

 private:
  pid_t head_;
  std::string cookie_;
  bool is_gone_ = false;
  bool outlived_kill_ = false;
};

}  // namespace touchstone::conformance
