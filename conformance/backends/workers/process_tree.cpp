#include "conformance/backends/workers/process_tree.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <signal.h>
#include <string.h>  // sigabbrev_np
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>

#include "conformance/backends/backend.h"
#include "conformance/backends/workers/pipe.h"

namespace touchstone::conformance {

namespace fs = std::filesystem;

namespace {

/// The longest time that a killed process may need to end: it may have much memory to free.
constexpr auto longest_death = std::chrono::seconds(5);

constexpr std::string_view cookie_name = "TOUCHSTONE_WORKER=";

std::string new_cookie() {
  static std::atomic<unsigned> count = 0;
  return fmt::format("{}{}-{}-{:08x}", cookie_name, ::getpid(), ++count, std::random_device{}());
}

/// Finds a program like a shell does. Throws BackendError.
std::string find_program(const std::string& name) {
  if (name.empty()) throw BackendError("the command is empty");
  std::vector<fs::path> candidates;
  if (name.find('/') != std::string::npos) {
    candidates.emplace_back(name);
  } else {
    const char* path = std::getenv("PATH");
    std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
    for (std::size_t end = 0; end != std::string_view::npos; rest.remove_prefix(end + 1)) {
      end = rest.find(':');
      candidates.push_back((end == 0 || rest.empty() ? fs::path(".") : fs::path(rest.substr(0, end))) / name);
      if (end == std::string_view::npos) break;
    }
  }
  const fs::path* found = nullptr;
  for (const fs::path& candidate : candidates) {
    std::error_code error;
    if (!fs::exists(candidate, error)) continue;
    if (fs::is_directory(candidate, error)) {
      found = found != nullptr ? found : &candidate;
      continue;
    }
    if (::access(candidate.c_str(), X_OK) == 0) return candidate.string();
    found = &candidate;
  }
  if (found == nullptr)
    throw BackendError(name.find('/') != std::string::npos ? fmt::format("{} does not exist", name)
                                                           : fmt::format("the command {} is not in PATH", name));
  throw BackendError(fmt::format("{} cannot be executed: {}", found->string(),
                                 fs::is_directory(*found) ? "it is a directory" : "it is not executable (chmod +x)"));
}

std::vector<std::string> environment_of(const std::vector<std::string>& additions) {
  const auto has_name_of = [](std::string_view one, std::string_view other) {
    return one.substr(0, one.find('=')) == other.substr(0, other.find('='));
  };
  std::vector<std::string> all = additions;
  for (char** row = environ; *row != nullptr; ++row) {
    bool is_replaced = false;
    for (const std::string& addition : additions) is_replaced = is_replaced || has_name_of(*row, addition);
    if (!is_replaced) all.emplace_back(*row);
  }
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Everything that the new process needs, prepared before fork: between fork and exec it must not allocate.
struct Start {
  const char* file;
  char* const* arguments;
  char* const* environment;
  Descriptors descriptors;
  int nothing;  ///< /dev/null
  int errors;   ///< a pipe that returns errno; closed by exec
  std::optional<std::uint64_t> memory_limit;
  pid_t parent;
};

[[noreturn]] void become(const Start& start) {
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != start.parent) ::_exit(127);  // the parent died before the call of prctl
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
  // If memory runs out, the kernel should kill this process rather than the host. Raising the score needs no privilege.
  if (const int score = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); score >= 0) [[maybe_unused]]
    const ssize_t scored = ::write(score, "1000", 4);
  ::execve(start.file, start.arguments, start.environment);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(start.errors, &error, sizeof error);
  ::_exit(127);
}

/// Empty if the file cannot be read, like a file in /proc of a process that has just ended. (A stream iterator would
/// throw.)
std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return std::move(content).str();
}

std::vector<pid_t> processes_with(const std::string& cookie) {
  std::vector<pid_t> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename().string();
    pid_t id = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), id);
    if (problem != std::errc() || end != name.data() + name.size()) continue;
    const std::string environment = '\0' + content_of(entry.path() / "environ");
    if (environment.find('\0' + cookie + '\0') != std::string::npos) found.push_back(id);
  }
  return found;
}

}  // namespace

ProcessTree::ProcessTree(const Program& program, const Descriptors& descriptors) : cookie_(new_cookie()) {
  const std::string file = find_program(program.arguments.empty() ? "" : program.arguments.front());
  std::vector<std::string> additions = program.environment;
  additions.insert(additions.end(), {cookie_, "TOUCHSTONE_REQUESTS_FD=3", "TOUCHSTONE_RESPONSES_FD=4"});
  std::vector<std::string> environment = environment_of(additions);
  std::vector<std::string> arguments = program.arguments;
  const std::vector<char*> argument_pointers = pointers_to(arguments);
  const std::vector<char*> environment_pointers = pointers_to(environment);
  const FileDescriptor nothing = open_null();
  auto [errors_in, errors_out] = open_pipe();
  const Start start{file.c_str(),  argument_pointers.data(), environment_pointers.data(), descriptors,
                    nothing.get(), errors_out.get(),         program.memory_limit,        ::getpid()};
  head_ = ::fork();
  if (head_ == 0) become(start);
  if (head_ < 0) throw BackendError(fmt::format("cannot start a process for {}: {}", file, std::strerror(errno)));
  errors_out.close();
  int error = 0;
  if (::read(errors_in.get(), &error, sizeof error) != sizeof error) return;
  ::waitpid(head_, nullptr, 0);
  throw BackendError(fmt::format("{} cannot be executed: {}", file,
                                 error == ENOEXEC ? "it is not a program; as a script it needs a first line like "
                                                    "#!/usr/bin/env python3"
                                                  : std::strerror(error)));
}

ProcessTree::~ProcessTree() { kill(); }

bool ProcessTree::has_ended() const { return is_gone_ || !end().empty(); }

std::string ProcessTree::end() const {
  siginfo_t info = {};
  // WNOWAIT: it stays a zombie until its whole tree is killed, so that its process id is not reused.
  if (is_gone_ || ::waitid(P_PID, static_cast<id_t>(head_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) return "";
  if (info.si_pid == 0) return "";
  if (info.si_code == CLD_EXITED) return fmt::format("it exited with code {}", info.si_status);
  const char* name = ::sigabbrev_np(info.si_status);
  const char* description = ::sigdescr_np(info.si_status);
  return fmt::format("it was killed by SIG{} ({})", name != nullptr ? name : fmt::format(" {}", info.si_status),
                     description != nullptr ? description : "unknown");
}

bool ProcessTree::exited_cleanly() const {
  siginfo_t info = {};
  if (is_gone_ || ::waitid(P_PID, static_cast<id_t>(head_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) return false;
  return info.si_pid != 0 && info.si_code == CLD_EXITED && info.si_status == 0;
}

void ProcessTree::kill() {
  if (is_gone_) return;
  ::kill(-head_, SIGKILL);
  ::kill(head_, SIGKILL);
  // While some processes are killed, others may start more.
  for (int round = 0; round < 100; ++round) {
    const std::vector<pid_t> left = processes_with(cookie_);
    if (left.empty()) break;
    for (const pid_t process : left) ::kill(process, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  const auto deadline = std::chrono::steady_clock::now() + longest_death;
  while (::waitpid(head_, nullptr, WNOHANG) == 0 && !outlived_kill_) {
    outlived_kill_ = std::chrono::steady_clock::now() >= deadline;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  is_gone_ = true;
}

}  // namespace touchstone::conformance
