#include "conformance/backends/workers/pipe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "conformance/backends/backend.h"

namespace touchstone::conformance {

namespace {

constexpr int lowest_number = 10;
constexpr int pipe_bytes = 1 << 20;

/// A copy with a number above those of a worker's descriptors. Otherwise dup2 would close it, or leave it
/// close-on-exec.
FileDescriptor moved_up(const FileDescriptor& original) {
  FileDescriptor moved(original.is_open() ? ::fcntl(original.get(), F_DUPFD_CLOEXEC, lowest_number) : -1);
  if (!moved.is_open())
    throw BackendError(fmt::format("cannot open a descriptor for a worker: {}", std::strerror(errno)));
  return moved;
}

sigset_t sigpipe() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGPIPE);
  return signals;
}

bool is_pending() {
  sigset_t pending;
  ::sigpending(&pending);
  return ::sigismember(&pending, SIGPIPE) == 1;
}

}  // namespace

Pipe open_pipe() {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw BackendError(fmt::format("cannot open a pipe for a worker: {}", std::strerror(errno)));
  const FileDescriptor out(ends[0]);
  const FileDescriptor in(ends[1]);
  return {moved_up(out), moved_up(in)};
}

FileDescriptor open_null() { return moved_up(FileDescriptor(::open("/dev/null", O_RDWR | O_CLOEXEC))); }

void set_nonblocking(const FileDescriptor& descriptor) {
  ::fcntl(descriptor.get(), F_SETFL, ::fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK);
}

void enlarge(const FileDescriptor& pipe) { ::fcntl(pipe.get(), F_SETPIPE_SZ, pipe_bytes); }

NoSigpipe::NoSigpipe() {
  const sigset_t signals = sigpipe();
  sigset_t before;
  ::pthread_sigmask(SIG_BLOCK, &signals, &before);
  was_blocked_ = ::sigismember(&before, SIGPIPE) == 1;
  was_pending_ = is_pending();
}

NoSigpipe::~NoSigpipe() {
  const int error_before = errno;
  const sigset_t signals = sigpipe();
  const timespec at_once = {};
  if (!was_pending_ && is_pending()) ::sigtimedwait(&signals, nullptr, &at_once);
  if (!was_blocked_) ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  errno = error_before;
}

}  // namespace touchstone::conformance
