#include "conformance/backends/workers/process_tree.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <signal.h>
#include <string.h>  // sigabbrev_np
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "conformance/backends/backend.h"
#include "conformance/backends/workers/find_program.h"
#include "conformance/backends/workers/pipe.h"
#include "conformance/backends/workers/sandbox.h"
#include "conformance/backends/workers/worker_environment.h"

namespace touchstone::conformance {

namespace {

/// How long to wait for killed processes to end: they may have a lot of memory to free.
constexpr auto longest_death = std::chrono::seconds(5);

/// Used instead of a status if it is unknown how the program ended.
constexpr int supervisor_ended = -1;
constexpr int supervisor_stopped = -2;

/// A user who pauses and continues a run may continue the supervisors a moment after this process.
constexpr int most_looks_while_stopped = 3;

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// The memory that malloc obtained with brk. Empty if it contains this thread's errno, as in some static programs.
std::span<char> heap() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (!line.ends_with("[heap]")) continue;
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    const char* const last = line.data() + line.size();
    const auto [dash, error] = std::from_chars(line.data(), last, begin, 16);
    if (error != std::errc() || std::from_chars(dash + 1, last, end, 16).ec != std::errc()) break;
    const auto of_thread = reinterpret_cast<std::uintptr_t>(&errno);
    if (begin <= of_thread && of_thread < end) break;
    return {reinterpret_cast<char*>(begin), end - begin};
  }
  return {};
}

/// Everything that the new processes need, prepared before fork: they must not allocate before exec.
struct Start {
  const char* file;
  char* const* arguments;
  char* const* environment;
  Descriptors descriptors;
  int nothing;  ///< /dev/null
  int errors;   ///< a pipe that returns errno; closed by exec
  int status;   ///< a pipe that returns how the program ended, as waitpid does
  std::optional<std::uint64_t> memory_limit;
  pid_t host;
  std::span<char> heap;
  std::span<char> initial_environment;
};

[[noreturn]] void fail(const Start& start) {
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(start.errors, &error, sizeof error);
  ::_exit(127);
}

[[noreturn]] void become_program(const Start& start, pid_t supervisor) {
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor) ::_exit(127);  // it died before prctl was called
  struct sigaction by_default = {};
  by_default.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &by_default, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::dup2(start.nothing, 0);
  ::dup2(start.descriptors.output, 1);
  ::dup2(start.descriptors.output, 2);
  ::dup2(start.descriptors.requests, 3);
  ::dup2(start.descriptors.responses, 4);
  ::close_range(5, ~0U, CLOSE_RANGE_CLOEXEC);
  const rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (start.memory_limit) {
    const rlimit limit = {*start.memory_limit, *start.memory_limit};
    ::setrlimit(RLIMIT_AS, &limit);
  }
  ::prctl(PR_SET_DUMPABLE, 1);  // otherwise the next file belongs to root
  // If memory runs out, the kernel should kill this process rather than the host. Raising the score needs no privilege.
  if (const int score = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); score >= 0) [[maybe_unused]]
    const ssize_t scored = ::write(score, "1000", 4);
  ::execve(start.file, start.arguments, start.environment);
  fail(start);
}

/// Calls `visit` with the child processes of a thread of this process. Allocates nothing. The id of a child is not
/// reused until this process has waited for it.
void for_each_child(const char* children_of_thread, const auto& visit) {
  const int list = ::open(children_of_thread, O_RDONLY | O_CLOEXEC);
  std::array<char, 4096> text;
  pid_t child = 0;
  for (ssize_t count = 0; (count = ::read(list, text.data(), text.size())) > 0;)
    for (const char character : std::span(text).first(static_cast<std::size_t>(count)))
      if (character == ' ') {
        visit(child);
        child = 0;
      } else {
        child = 10 * child + (character - '0');
      }
  ::close(list);
}

/// The children of all threads: the kernel may give an orphan to any of them.
std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> all;
  std::error_code error;
  const std::filesystem::directory_iterator end;
  for (std::filesystem::directory_iterator thread(fmt::format("/proc/{}/task", process), error);
       !error && thread != end; thread.increment(error))
    for_each_child((thread->path() / "children").c_str(), [&](pid_t child) { all.push_back(child); });
  return all;
}

std::vector<pid_t> children() { return children_of(::getpid()); }

std::atomic<bool> adopts_orphans = false;

/// The children that kill_orphans leaves alone: the supervisors, and orphans that did not end when they were killed.
/// The mutex is held while children appear or are waited for, so that no id is reused meanwhile. The set is never
/// destroyed, because a backend may be a static object.
std::mutex known_children_mutex;
std::set<pid_t>& known_children = *new std::set<pid_t>;

/// Whether the child has ended, and was waited for.
bool has_gone(pid_t child) {
  const std::scoped_lock lock(known_children_mutex);
  if (::waitpid(child, nullptr, WNOHANG) == 0) return false;
  known_children.erase(child);
  return true;
}

/// Kills what is left of workers whose supervisor was killed, and what they start meanwhile. Returns whether all have
/// ended before the deadline.
bool kill_orphans(std::chrono::steady_clock::time_point deadline) {
  while (true) {
    const bool is_last_look = std::chrono::steady_clock::now() >= deadline;
    bool found = false;
    {
      const std::scoped_lock lock(known_children_mutex);
      for (const pid_t child : children()) {
        if (known_children.contains(child)) continue;
        ::kill(child, SIGKILL);
        if (::waitpid(child, nullptr, WNOHANG) == 0 && is_last_look) known_children.insert(child);
        found = true;
      }
    }
    if (!found || is_last_look) return !found;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// Starts the program. After SIGTERM, or when the host has ended, kills it and all its descendants. Descendants whose
/// parent ends become children of this process, whatever their session, process group and environment. So when this
/// process has no children, no descendants are left.
[[noreturn]] void supervise(const Start& start) {
  // The program may read the memory of this process, which is a copy of the host's, if the user is the same. Root may
  // do so anyway, but the environment would be too easy to find (/proc/PID/environ).
  ::prctl(PR_SET_DUMPABLE, 0);
  std::ranges::fill(start.initial_environment, '\0');
  ::setsid();
  struct sigaction by_default = {};
  by_default.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &by_default, nullptr);  // if it is ignored, waitpid gets no status
  sigset_t awaited;
  ::sigemptyset(&awaited);
  ::sigaddset(&awaited, SIGCHLD);
  ::sigaddset(&awaited, SIGTERM);
  ::sigaddset(&awaited, SIGCONT);
  ::sigprocmask(SIG_BLOCK, &awaited, nullptr);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_PDEATHSIG, SIGCONT);           // which arrives even if a process of the worker has stopped this one
  if (::getppid() != start.host) ::_exit(127);  // it died before prctl was called
  const pid_t self = ::getpid();
  pid_t program = ::fork();
  if (program == 0) become_program(start, self);
  if (program < 0) fail(start);
  const int status_pipe = ::dup2(start.status, 0);
  // Otherwise this process would keep a copy of the host's current memory.
  ::madvise(start.heap.data(), start.heap.size(), MADV_DONTNEED);
  ::close_range(1, ~0U, 0);  // otherwise the host would not notice when the program closes its pipes
  for (bool must_kill = false;;) {
    int status = 0;
    pid_t ended = 0;
    while ((ended = ::waitpid(-1, &status, WNOHANG)) > 0) {
      if (ended != program) continue;
      [[maybe_unused]] const ssize_t written = ::write(status_pipe, &status, sizeof status);
      program = 0;
    }
    if (must_kill && ended < 0) ::_exit(0);
    if (must_kill) {
      if (program != 0) ::kill(-program, SIGKILL);  // at once, so that its group cannot start more
      for_each_child("/proc/thread-self/children", [](pid_t child) { ::kill(child, SIGKILL); });
    }
    // While children are killed, others may appear.
    constexpr timespec until_next_look = {.tv_sec = 0, .tv_nsec = 10'000'000};
    const int signal =
        must_kill ? ::sigtimedwait(&awaited, nullptr, &until_next_look) : ::sigwaitinfo(&awaited, nullptr);
    must_kill = must_kill || signal == SIGTERM || ::getppid() != start.host;
  }
}

}  // namespace

void adopt_orphans() {
  const std::scoped_lock lock(known_children_mutex);
  const auto is_known = [](pid_t child) { return known_children.contains(child); };
  adopts_orphans =
      adopts_orphans || (std::ranges::all_of(children(), is_known) && ::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
}

ProcessTree::ProcessTree(const Program& program, const Descriptors& descriptors)
    : in_bubblewrap_(program.in_sandbox || program.in_pid_namespace) {
  std::string file = find_program(program.arguments.empty() ? "" : program.arguments.front());
  std::vector<std::string> additions = program.environment;
  additions.insert(additions.end(), {"TOUCHSTONE_REQUESTS_FD=3", "TOUCHSTONE_RESPONSES_FD=4"});
  std::vector<std::string> environment = worker_environment(additions, program.passed_variables);
  std::vector<std::string> arguments = program.arguments;
  if (program.in_sandbox) {
    arguments.front() = file;
    arguments = sandboxed(arguments, environment);
    file = arguments.front();
  } else if (program.in_pid_namespace) {
    arguments.front() = file;
    arguments = in_pid_namespace(arguments);
    file = arguments.front();
  }
  const std::vector<char*> argument_pointers = pointers_to(arguments);
  const std::vector<char*> environment_pointers = pointers_to(environment);
  const FileDescriptor nothing = open_null();
  auto [errors_in, errors_out] = open_pipe();
  auto [status_in, status_out] = open_pipe();
  set_nonblocking(status_in);
  const Start start{
      file.c_str(),         argument_pointers.data(), environment_pointers.data(), descriptors, nothing.get(),
      errors_out.get(),     status_out.get(),         program.memory_limit,        ::getpid(),  heap(),
      initial_environment()};
  {
    const std::scoped_lock lock(known_children_mutex);
    supervisor_ = ::fork();
    if (supervisor_ == 0) supervise(start);
    if (supervisor_ > 0) known_children.insert(supervisor_);
  }
  if (supervisor_ < 0) throw BackendError(fmt::format("cannot start a process for {}: {}", file, std::strerror(errno)));
  status_pipe_ = std::move(status_in);
  errors_out.close();
  int error = 0;
  if (::read(errors_in.get(), &error, sizeof error) != sizeof error) return;
  kill();
  throw BackendError(fmt::format("{} cannot be executed: {}", file,
                                 error == ENOEXEC ? "it is not a program; a script needs a first line like "
                                                    "#!/usr/bin/env python3"
                                                  : std::strerror(error)));
}

ProcessTree::~ProcessTree() { kill(); }

std::optional<int> ProcessTree::status() const {
  int status = 0;
  const ssize_t count = ::read(status_pipe_.get(), &status, sizeof status);
  if (count == sizeof status) status_ = status;
  if (count == 0 && !status_) status_ = supervisor_ended;
  if (!status_) {
    siginfo_t stop = {};
    ::waitid(P_PID, static_cast<id_t>(supervisor_), &stop, WSTOPPED | WNOHANG | WNOWAIT);
    looks_while_stopped_ = stop.si_pid == supervisor_ ? looks_while_stopped_ + 1 : 0;
    if (looks_while_stopped_ > most_looks_while_stopped) status_ = supervisor_stopped;
  }
  return status_;
}

bool ProcessTree::has_ended() const { return is_gone_ || status(); }

std::string ProcessTree::end() const {
  const std::optional<int> status = is_gone_ ? std::nullopt : this->status();
  if (!status) return "";
  if (*status == supervisor_ended) return "the process that supervises it was killed";
  if (*status == supervisor_stopped) return "the process that supervises it was stopped";
  const std::optional<int> signal = this->signal();
  if (!signal) return fmt::format("it exited with code {}", WEXITSTATUS(*status));
  const char* name = ::sigabbrev_np(*signal);
  const char* description = ::sigdescr_np(*signal);
  return fmt::format("it was killed by SIG{} ({})", name != nullptr ? name : fmt::format(" {}", *signal),
                     description != nullptr ? description : "unknown");
}

std::optional<int> ProcessTree::signal() const {
  const std::optional<int> status = is_gone_ ? std::nullopt : this->status();
  if (!status || *status == supervisor_ended || *status == supervisor_stopped) return std::nullopt;
  if (WIFSIGNALED(*status)) return WTERMSIG(*status);
  return WIFEXITED(*status) && in_bubblewrap_ ? signal_of_exit_code(WEXITSTATUS(*status)) : std::nullopt;
}

bool ProcessTree::runs(const std::string& file) const {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path wanted = fs::canonical(file, error);
  std::vector<pid_t> waiting = children_of(supervisor_);
  while (!waiting.empty()) {
    const pid_t process = waiting.back();
    waiting.pop_back();
    if (fs::read_symlink(fmt::format("/proc/{}/exe", process), error) == wanted && !error) return true;
    const std::vector<pid_t> more = children_of(process);
    waiting.insert(waiting.end(), more.begin(), more.end());
  }
  return false;
}

bool ProcessTree::exited_cleanly() const { return !is_gone_ && status() == 0; }

void ProcessTree::kill() {
  if (is_gone_) return;
  ::kill(supervisor_, SIGTERM);
  const auto deadline = std::chrono::steady_clock::now() + longest_death;
  while (!has_gone(supervisor_) && !outlived_kill_) {
    ::kill(supervisor_, SIGCONT);
    outlived_kill_ = std::chrono::steady_clock::now() >= deadline;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  is_gone_ = true;
  if (!adopts_orphans) return;
  if (outlived_kill_) {
    const std::scoped_lock lock(known_children_mutex);
    known_children.erase(supervisor_);
  }
  outlived_kill_ = !kill_orphans(deadline + std::chrono::seconds(1));
}

}  // namespace touchstone::conformance
