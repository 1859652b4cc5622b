#include "conformance/backends/workers/worker_process.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <thread>
#include <utility>

#include "conformance/files/limits.h"
#include "reference/interruption.h"

namespace touchstone::conformance {

using namespace std::chrono_literals;

namespace {

/// How long a worker may take to exit after the end of its requests.
constexpr auto grace = 500ms;
/// How long the exit of a worker may be delayed after it has closed its responses. The kernel closes them first if the
/// worker crashes, and a busy machine may delay the rest. A crash must not be taken for a defect of the protocol.
constexpr auto longest_exit = 3s;
/// A child of the worker may keep its pipes open, so the pipes do not show that the worker is dead: it is polled.
constexpr auto poll_interval = 50ms;

bool ends_within(const ProcessTree& processes, std::chrono::milliseconds time) {
  const auto deadline = WorkerProcess::Clock::now() + time;
  while (!processes.has_ended()) {
    if (WorkerProcess::Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(1ms);
  }
  return true;
}

}  // namespace

void append_output(std::string& output, std::string_view more) {
  if (more.size() > limits().output_bytes) more.remove_prefix(more.size() - limits().output_bytes);
  output += more;
  if (output.size() > limits().output_bytes) output.erase(0, output.size() - limits().output_bytes);
}

WorkerProcess::WorkerProcess(const Program& program) {
  Pipe requests = open_pipe();
  Pipe responses = open_pipe();
  Pipe output = open_pipe();
  for (const FileDescriptor* pipe : {&requests.in, &responses.in}) enlarge(*pipe);
  for (const FileDescriptor* end : {&requests.in, &responses.out, &output.out}) set_nonblocking(*end);
  processes_ =
      std::make_unique<ProcessTree>(program, Descriptors{requests.out.get(), responses.in.get(), output.in.get()});
  requests_ = std::move(requests.in);
  responses_ = std::move(responses.out);
  output_ = std::move(output.out);
}

WorkerProcess::~WorkerProcess() {
  for (FileDescriptor* end : {&requests_, &responses_, &output_}) end->close();
  ends_within(*processes_, grace);
}

void WorkerProcess::send(std::shared_ptr<const std::string> frame) {
  unsent_.push_back(std::move(frame));
  write_some();
}

void WorkerProcess::write_some() {
  const NoSigpipe guard;
  while (requests_.is_open() && !unsent_.empty()) {
    const std::string_view rest = std::string_view(*unsent_.front()).substr(sent_of_first_);
    const ssize_t written = ::write(requests_.get(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) return;
    if (written < 0) return requests_.close();  // it has stopped reading; its responses will show whether it is alive
    sent_of_first_ += static_cast<std::size_t>(written);
    if (sent_of_first_ < unsent_.front()->size()) continue;
    unsent_.pop_front();
    sent_of_first_ = 0;
  }
}

bool WorkerProcess::read_some() {
  if (!responses_.is_open()) return false;
  const std::span<char> room = reader_.room();
  const ssize_t count = ::read(responses_.get(), room.data(), room.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (count <= 0)
    responses_.close();
  else
    reader_.arrived(static_cast<std::size_t>(count));
  return true;
}

void WorkerProcess::drain_output() {
  std::array<char, 64 << 10> bytes;
  // Bounded, because the output may be endless.
  for (int i = 0; i < 16 && output_.is_open(); ++i) {
    const ssize_t count = ::read(output_.get(), bytes.data(), bytes.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) return output_.close();
    append_output(printed_, {bytes.data(), static_cast<std::size_t>(count)});
  }
}

bool WorkerProcess::wait_for_something(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  const auto slice = std::clamp<std::chrono::milliseconds>(left, 0ms, poll_interval);
  std::array<pollfd, 3> events = {{{requests_.is_open() && !unsent_.empty() ? requests_.get() : -1, POLLOUT, 0},
                                   {responses_.get(), POLLIN, 0},
                                   {output_.get(), POLLIN, 0}}};
  ::poll(events.data(), events.size(), static_cast<int>(slice.count()));
  if (events[0].revents != 0) write_some();
  if (events[2].revents != 0) drain_output();
  return events[1].revents != 0;
}

std::variant<std::string_view, Breakdown> WorkerProcess::receive(std::uint64_t longest, Clock::time_point deadline) {
  reader_.set_limit(longest);
  try {
    for (bool has_ended = false;;) {
      if (const auto message = reader_.next()) {
        drain_output();
        return *message;
      }
      if (!responses_.is_open()) return breakdown_at_end();
      if (read_some()) continue;
      if (has_ended) return breakdown_at_end();  // everything it had written was read after its end
      reference::Interruptible::ask();
      if (Clock::now() >= deadline) return broken(Breakdown::Kind::timeout, truncation());
      has_ended = !wait_for_something(deadline) && processes_->has_ended();
    }
  } catch (const ProtocolError& error) {
    return broken(Breakdown::Kind::protocol, error.what());
  }
}

std::variant<std::string_view, Breakdown> WorkerProcess::breakdown_at_end() {
  ends_within(*processes_, longest_exit);
  exited_cleanly_ = processes_->exited_cleanly() && truncation().empty();
  signal_ = processes_->signal();
  if (const std::string end = processes_->end(); !end.empty())
    return broken(Breakdown::Kind::crash, end + truncation());
  return broken(Breakdown::Kind::protocol, "it closed its response pipe" + truncation());
}

std::string WorkerProcess::truncation() const {
  const std::string unfinished = reader_.unfinished();
  return unfinished.empty() ? "" : fmt::format(", after it had written {}", unfinished);
}

Breakdown WorkerProcess::broken(Breakdown::Kind kind, std::string detail) {
  kill();
  if (processes_->outlived_kill())
    detail += "; it still existed seconds after it was killed: a debugger or a driver may block it";
  return {kind, std::move(detail)};
}

void WorkerProcess::kill() {
  processes_->kill();
  drain_output();
}

std::string WorkerProcess::take_output() { return std::exchange(printed_, {}); }

}  // namespace touchstone::conformance
