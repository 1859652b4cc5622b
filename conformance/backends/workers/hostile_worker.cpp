// A worker that misbehaves: hostile_worker MODE [FILE [PART]]. MODE selects the misbehaviour for cases whose id
// contains PART (default: "guilty"), so the host must show ids. The worker creates FILE to remember that it has
// misbehaved.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/backends/workers/framing.h"
#include "conformance/backends/workers/messages.h"
#include "conformance/backends/workers/worker.pb.h"
#include "conformance/files/limits.h"
#include "conformance/plan/planned_case.h"

namespace {

using namespace touchstone::conformance;

constexpr int requests_fd = 3;
constexpr int responses_fd = 4;

void say(std::string_view bytes, int descriptor = responses_fd) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written <= 0) ::_exit(9);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

UnitAnswer right_answer(const ReceivedRequest& request) {
  Unit unit{request.case_id, request.model, {}};
  for (const std::vector<NamedTensor>& inputs : request.input_sets) unit.inputs.emplace_back(inputs);
  return ReferenceBackend().run(unit);
}

void answer_rightly(const ReceivedRequest& request) { say(response_frame(request.number, right_answer(request))); }

/// Sends the correct answer after changing its encoded form, so that it can contain data that no Backend could return.
void answer_changed(const ReceivedRequest& request,
                    const std::function<void(touchstone::worker::Response&, touchstone::worker::Outputs&)>& change) {
  std::string frame = response_frame(request.number, right_answer(request));
  FrameReader reader;
  reader.set_limit(limits().message_bytes);
  std::memcpy(reader.room().data(), frame.data(), frame.size());
  reader.arrived(frame.size());
  touchstone::worker::Response response;
  if (!response.ParseFromString(std::string(reader.next().value()))) throw std::logic_error("not a response");
  change(response, *response.mutable_answers()->mutable_answers(0)->mutable_outputs());
  std::string message = response.SerializeAsString();
  frame.clear();
  append_size(frame, message.size());
  say(frame + message);
}

/// Changes the first output.
void answer_with(const ReceivedRequest& request, const std::function<void(touchstone::worker::Tensor&)>& change) {
  answer_changed(request, [&](auto&, auto& outputs) { change(*outputs.mutable_tensors(0)); });
}

[[noreturn]] void hang() {
  while (true) ::pause();
}

[[noreturn]] void die_of(int signal) {
  ::signal(signal, SIG_DFL);
  ::raise(signal);
  std::abort();
}

/// Starts a child process that keeps all descriptors of this one open and never ends.
void leave_a_child(bool in_another_session) {
  if (::fork() != 0) return;
  if (in_another_session) ::setsid();
  for (const int signal : {SIGTERM, SIGHUP, SIGINT}) ::signal(signal, SIG_IGN);
  hang();
}

/// The same 50 times, before a signal to the process that supervises this one.
void leave_children_and_send(int signal) {
  const pid_t supervisor = ::getppid();
  for (int i = 0; i < 50; ++i) leave_a_child(true);
  ::kill(supervisor, signal);
}

bool is_first_time(const char* file) {
  if (std::filesystem::exists(file)) return false;
  std::ofstream(file) << "once";
  return true;
}

const char* memory_file = nullptr;
std::string_view guilty_part = "guilty";

/// Starts a chain of processes, each in its own session: each writes its number to the file, starts the next one, and
/// exits. The chain ends when the file is removed.
void start_relay() {
  is_first_time(memory_file);
  if (::fork() != 0) return;
  for (std::uint64_t number = 0;; ++number) {
    const int file = ::open(memory_file, O_WRONLY);
    if (file < 0) ::_exit(0);
    [[maybe_unused]] const ssize_t written = ::pwrite(file, &number, sizeof number, 0);
    ::close(file);
    ::setsid();
    if (::fork() != 0) ::_exit(0);
  }
}

void clear_environment() {
  for (char** row = environ; *row != nullptr; ++row) std::memset(*row, 0, std::strlen(*row));
}

using Behaviour = std::function<void(const ReceivedRequest&)>;

const std::map<std::string_view, Behaviour> behaviours = {
    {"segv", [](const auto&) { die_of(SIGSEGV); }},
    {"abort", [](const auto&) { die_of(SIGABRT); }},
    {"sigill", [](const auto&) { die_of(SIGILL); }},
    {"exit", [](const auto&) { ::_exit(3); }},
    {"exit_cleanly", [](const auto&) { ::_exit(0); }},
    {"hang", [](const auto&) { hang(); }},
    {"hang_without_sigterm",
     [](const auto&) {
       ::signal(SIGTERM, SIG_IGN);
       hang();
     }},
    {"dribble",
     [](const auto&) {
       std::string header;
       append_size(header, 1000);
       say(header);
       for (;; ::usleep(10'000)) say("x");
     }},
    {"garbage", [](const auto&) { say(std::string(1000, '\xFF')), hang(); }},
    {"text", [](const auto&) { say("loading the model\n"), hang(); }},
    {"not_a_message",
     [](const auto&) {
       say("\x05hello");
       hang();
     }},
    {"truncated",
     [](const auto&) {
       std::string frame;
       append_size(frame, 100);
       say(frame + "0123456789");
       ::_exit(0);
     }},
    {"four_gib",
     [](const auto&) {
       std::string frame;
       append_size(frame, (std::uint64_t{4} << 30) - 1);
       say(frame + "0123456789");
       hang();
     }},
    {"closed", [](const auto&) { ::close(responses_fd), hang(); }},
    {"no_outcome",
     [](const auto& request) { answer_changed(request, [](auto& response, auto&) { response.clear_outcome(); }); }},
    {"wrong_number",
     [](const auto& request) {
       answer_changed(request, [](auto& response, auto&) { response.set_number(response.number() + 1); });
     }},
    {"two_answers",
     [](const auto& request) {
       answer_changed(request,
                      [](auto& response, auto&) { response.mutable_answers()->add_answers()->set_refusal("?"); });
     }},
    {"no_answers",
     [](const auto& request) {
       answer_changed(request, [](auto& response, auto&) { response.mutable_answers()->clear_answers(); });
     }},
    {"empty_answer",
     [](const auto& request) {
       answer_changed(request,
                      [](auto& response, auto&) { response.mutable_answers()->mutable_answers(0)->clear_outcome(); });
     }},
    {"no_outputs",
     [](const auto& request) { answer_changed(request, [](auto&, auto& outputs) { outputs.clear_tensors(); }); }},
    {"two_outputs",
     [](const auto& request) {
       answer_changed(request, [](auto&, auto& outputs) { *outputs.add_tensors() = outputs.tensors(0); });
     }},
    {"too_many_outputs",
     [](const auto& request) {
       answer_changed(request, [](auto&, auto& outputs) {
         for (int i = 0; i < 300'000; ++i) outputs.add_tensors();
       });
     }},
    {"other_name", [](const auto& request) { answer_with(request, [](auto& tensor) { tensor.set_name("other"); }); }},
    {"other_type", [](const auto& request) { answer_with(request, [](auto& tensor) { tensor.set_data_type(3); }); }},
    {"unknown_type",
     [](const auto& request) { answer_with(request, [](auto& tensor) { tensor.set_data_type(999); }); }},
    {"other_shape", [](const auto& request) { answer_with(request, [](auto& tensor) { tensor.add_dims(1); }); }},
    {"negative_dimension",
     [](const auto& request) { answer_with(request, [](auto& tensor) { tensor.set_dims(0, -1); }); }},
    {"huge_dimensions",
     [](const auto& request) {
       answer_with(request, [](auto& tensor) {
         for (int i = 0; i < 4; ++i) tensor.add_dims(std::int64_t{1} << 40);
       });
     }},
    {"dimensions_that_wrap",  // 11 times the other is 2^64 + 6, which wraps to the correct number of elements
     [](const auto& request) {
       answer_with(request, [](auto& tensor) {
         tensor.set_dims(0, 11);
         tensor.set_dims(1, 1676976733973595602);
       });
     }},
    {"too_little_data",
     [](const auto& request) { answer_with(request, [](auto& tensor) { tensor.mutable_raw_data()->pop_back(); }); }},
    {"wrong_value",
     [](const auto& request) { answer_with(request, [](auto& tensor) { tensor.mutable_raw_data()->front() ^= 1; }); }},
    {"random_values",
     [](const auto& request) {
       answer_with(request, [](auto& tensor) {
         for (char& byte : *tensor.mutable_raw_data()) byte = static_cast<char>(std::rand());
       });
     }},
    {"memory",
     [](const auto&) {
       for (std::vector<std::vector<char>> kept;;) kept.emplace_back(std::size_t{16} << 20, 'x');
     }},
    {"flood",
     [](const auto& request) {
       const std::string line = std::string(999, 'x') + '\n';
       for (int i = 0; i < 100'000; ++i) say(line, STDERR_FILENO);
       say("the end of the flood\n", STDERR_FILENO);
       answer_with(request, [](auto& tensor) { tensor.mutable_raw_data()->front() ^= 1; });
     }},
    {"chatty",
     [](const auto& request) {
       say(std::string(std::size_t{64} << 10, 'x'), STDERR_FILENO);
       answer_with(request, [](auto& tensor) { tensor.mutable_raw_data()->front() ^= 1; });
     }},
    {"endless_flood",
     [](const auto&) {
       for (const std::string line(4096, 'x');;) say(line, STDERR_FILENO);
     }},
    {"flooding_child",
     [](const auto&) {
       if (::fork() == 0)
         for (const std::string line(4096, 'x');;) say(line, STDERR_FILENO);
       ::_exit(3);
     }},
    {"stdout",
     [](const auto& request) {
       say("results follow:\n", STDOUT_FILENO);
       answer_rightly(request);
     }},
    {"child",
     [](const auto&) {
       leave_a_child(false);
       ::_exit(3);
     }},
    {"child_elsewhere",
     [](const auto&) {
       leave_a_child(true);
       hang();
     }},
    {"child_without_environment",
     [](const auto&) {
       clear_environment();
       leave_a_child(true);
       hang();
     }},
    {"relay",
     [](const auto&) {
       start_relay();
       ::_exit(3);
     }},
    {"stop_supervisor",
     [](const auto&) {
       leave_children_and_send(SIGSTOP);
       hang();
     }},
    {"stop_supervisor_and_exit",
     [](const auto&) {
       leave_children_and_send(SIGSTOP);
       ::_exit(3);
     }},
    {"keep_supervisor_stopped",
     [](const auto&) {
       const pid_t supervisor = ::getppid();
       if (::fork() == 0)
         for (::setsid();;) ::kill(supervisor, SIGSTOP);
       hang();
     }},
    {"kill_supervisor",
     [](const auto&) {
       ::prctl(PR_SET_PDEATHSIG, 0);
       leave_children_and_send(SIGKILL);
       hang();
     }},
    {"child_and_answer",
     [](const auto& request) {
       leave_a_child(true);
       answer_rightly(request);
     }},
    {"answer_and_exit",
     [](const auto& request) {
       answer_rightly(request);
       ::_exit(0);
     }},
    {"flaky",
     [](const auto& request) {
       answer_with(request, [](auto& tensor) {
         if (is_first_time(memory_file)) tensor.mutable_raw_data()->front() ^= 1;
       });
     }},
    {"crash_once",
     [](const auto& request) {
       if (is_first_time(memory_file)) die_of(SIGSEGV);
       answer_rightly(request);
     }},
    {"traceable",
     [](const auto&) {
       ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
       std::ofstream(memory_file) << ::getpid() << std::endl;
       hang();
     }},
    {"refuse_with_id",
     [](const auto& request) { say(response_frame(request.number, Refusal{"this is " + request.case_id})); }},
    {"refuse", [](const auto& request) { say(response_frame(request.number, Refusal{"no such kernel"})); }},
    {"refuse_but_controls",
     [](const auto& request) {
       if (request.case_id.starts_with(control_prefix)) return answer_rightly(request);
       say(response_frame(request.number, Refusal{"no such kernel"}));
     }},
    {"refuse_and_die_at_controls",
     [](const auto& request) {
       if (request.case_id.starts_with(control_prefix)) die_of(SIGSEGV);
       say(response_frame(request.number, Refusal{"no such kernel"}));
     }},
    {"refuse_and_hang_at_controls",
     [](const auto& request) {
       if (request.case_id.starts_with(control_prefix)) hang();
       say(response_frame(request.number, Refusal{"no such kernel"}));
     }},
    {"log",
     [](const auto& request) {
       say("the kernel is missing\n", STDERR_FILENO);
       answer_with(request, [](auto& tensor) { tensor.mutable_raw_data()->front() ^= 1; });
     }},
};

Greeting greeting{{"hostile", "1", "for tests"}, {}};
int requests_left = std::numeric_limits<int>::max();
Behaviour at_a_guilty_one = [](const ReceivedRequest&) { die_of(SIGSEGV); };

/// Modes that misbehave at the start or at any request. By default, they crash at a guilty case.
const std::map<std::string_view, std::function<void()>> starts = {
    {"dies_at_start",
     [] {
       say("no device found\n", STDERR_FILENO);
       ::_exit(4);
     }},
    {"speaks_as_the_program_at_start",
     [] {
       say("loading\n::error::hi\n45,000 right, 0 wrong\n", STDERR_FILENO);
       ::_exit(4);
     }},
    {"silent_at_start", [] { hang(); }},
    {"garbage_at_start", [] { say(std::string(1000, '\xFF')), hang(); }},
    {"text_at_start", [] { say("\x07loading"), hang(); }},
    {"other_protocol",
     [] {
       touchstone::worker::Hello hello;
       hello.set_protocol(99);
       hello.set_name("future");
       const std::string message = hello.SerializeAsString();
       std::string frame;
       append_size(frame, message.size());
       say(frame + message);
       hang();
     }},
    {"starts_once",
     [] {
       if (!is_first_time(memory_file)) ::_exit(5);
     }},
    {"starts_again_after_a_moment",
     [] {
       if (is_first_time(memory_file)) return;
       const auto age = std::filesystem::file_time_type::clock::now() - std::filesystem::last_write_time(memory_file);
       if (age < std::chrono::milliseconds(300)) ::_exit(5);
     }},
    {"takes_the_device",
     [] {
       if (std::filesystem::exists(memory_file)) ::_exit(5);
       at_a_guilty_one = [](const auto&) { is_first_time(memory_file), die_of(SIGSEGV); };
     }},
    {"other_name_later",
     [] {
       if (!is_first_time(memory_file)) greeting.identity.version = "2";
     }},
    {"other_lines_later",
     [] {
       greeting.identity.description = "\n::error::1";
       if (!is_first_time(memory_file)) greeting.identity.description = "\n::error::2";
     }},
    {"other_limits_later",
     [] {
       if (!is_first_time(memory_file)) greeting.capabilities.static_shapes_only = true;
     }},
    {"one_request", [] { requests_left = 1; }},
    {"no_request", [] { requests_left = 0; }},
};

void work(const Behaviour& guilty) {
  say(hello_frame(greeting));
  FrameReader reader;
  reader.set_limit(limits().message_bytes);
  while (true) {
    while (const auto message = reader.next()) {
      if (requests_left-- == 0) ::_exit(0);
      const ReceivedRequest request = read_request(*message);
      if (request.case_id.find(guilty_part) != std::string::npos)
        guilty(request);
      else
        answer_rightly(request);
    }
    const std::span<char> room = reader.room();
    const ssize_t count = ::read(requests_fd, room.data(), room.size());
    if (count <= 0) return;
    reader.arrived(static_cast<std::size_t>(count));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  memory_file = argc > 2 ? argv[2] : "";
  if (argc > 3) guilty_part = argv[3];
  if (const auto start = starts.find(mode); start != starts.end()) {
    start->second();
    work(at_a_guilty_one);
    return 0;
  }
  const auto behaviour = behaviours.find(mode);
  if (behaviour == behaviours.end()) {
    fmt::print(stderr, "hostile_worker: unknown mode '{}'\n", mode);
    return 2;
  }
  work(behaviour->second);
  return 0;
}
