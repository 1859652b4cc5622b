// Starts a program as the root of a tree of processes, and kills the whole tree.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/files/file_descriptor.h"

namespace touchstone::conformance {

struct Program {
  std::vector<std::string> arguments;  ///< the first one is a path, or a name to be found in PATH
  std::string emulator = {};   ///< the path of the emulator that runs the program, or that a script starts; empty: none
  std::string processor = {};  ///< what it emulates, for readers: "under QEMU 7.2.22 as haswell"
  std::string lacking = {};    ///< the instructions that the emulated processor lacks: "AVX-512, VNNI"
  std::vector<std::string> environment = {};       ///< NAME=VALUE; added to the inherited variables, or replaces one
  std::vector<std::string> passed_variables = {};  ///< names of variables to inherit, see worker_environment
  std::optional<std::uint64_t> memory_limit = std::nullopt;  ///< bytes of address space (RLIMIT_AS)
  bool in_sandbox = false;                                   ///< see sandboxed
  bool in_pid_namespace = false;                             ///< see in_pid_namespace
  bool shows_ids = false;  ///< requests have the ids of their cases, which tell much about the expected answers
};

/// Makes this process the subreaper of its descendants: from now on, each child of it that is not such a supervisor is
/// taken for an orphan of a worker, and killed when a worker ends. For a process that starts no others. Does nothing if
/// it has other children already.
void adopt_orphans();

/// The descriptors of the new process. 0 is /dev/null; all others are closed.
struct Descriptors {
  int requests;   ///< 3, to read
  int responses;  ///< 4, to write
  int output;     ///< 1 and 2
};

/// A program in its own session, without core dumps, and all processes that it starts. They die with this process. If
/// memory runs out, the kernel kills the program first.
///
/// A process between this one and the program supervises them: it is their subreaper (PR_SET_CHILD_SUBREAPER). If they
/// kill it, they are orphans of this process, see adopt_orphans. If they stop it, the program counts as ended.
class ProcessTree {
 public:
  /// Throws BackendError if the program does not exist or cannot be started.
  ProcessTree(const Program& program, const Descriptors& descriptors);
  /// Kills the remaining processes.
  ~ProcessTree();
  ProcessTree(const ProcessTree&) = delete;
  ProcessTree& operator=(const ProcessTree&) = delete;

  /// Whether the program has ended; processes that it started may be running.
  bool has_ended() const;
  /// How it ended: "it was killed by SIGSEGV (Segmentation fault)", "it exited with code 3". Empty if it is running.
  std::string end() const;
  /// The signal that killed it, if it has ended and the signal is known.
  std::optional<int> signal() const;
  /// Whether the program, or a process that it started, runs this file: it is not so if a script has started another.
  bool runs(const std::string& file) const;
  /// Whether it exited with code 0, and was not killed before.
  bool exited_cleanly() const;

  /// Kills all its processes, whatever their session, process group and environment.
  void kill();
  /// Whether some of them still existed seconds after they were killed. A process that is traced, that waits for a
  /// device, or that belongs to another user may not end; it is then abandoned.
  bool outlived_kill() const { return outlived_kill_; }

 private:
  /// How the program ended, as waitpid returns it.
  std::optional<int> status() const;

  bool in_bubblewrap_;
  pid_t supervisor_;
  FileDescriptor status_pipe_;
  mutable std::optional<int> status_;
  mutable int looks_while_stopped_ = 0;
  bool is_gone_ = false;
  bool outlived_kill_ = false;
};

}  // namespace touchstone::conformance
