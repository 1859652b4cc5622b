#include "conformance/backends/workers/worker_backend.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <random>
#include <thread>
#include <utility>

#include "conformance/files/file_error.h"
#include "conformance/files/limits.h"
#include "conformance/files/text.h"

namespace touchstone::conformance {

namespace {

using Clock = WorkerProcess::Clock;

std::string seconds(std::chrono::milliseconds time) {
  return fmt::format("{:g} s", std::chrono::duration<double>(time).count());
}

/// The maximum length of a quotation from a worker's Hello in a message.
constexpr std::size_t longest_text = 1000;

/// After so many cases without an answer under an emulator, the rest is not worth the time.
constexpr std::size_t most_lost_under_emulator = 50;

std::string text_of(const BackendIdentity& backend) {
  return fmt::format(
      "'{}'", printable(fmt::format("{} {}: {}", backend.name, backend.version, backend.description), longest_text));
}

}  // namespace

WorkerBackend::WorkerBackend(Program program, const WorkerTimes& times)
    : program_(std::move(program)), times_(times), last_number_(std::random_device()()) {
  greeting_ = start();
}

Greeting WorkerBackend::start() {
  answers_ = 0;
  worker_ = std::make_unique<WorkerProcess>(program_);
  const auto fail = [&](const std::string& what) {
    const std::string printed = worker_->take_output();
    worker_.reset();
    const bool is_without_sandbox = program_.in_sandbox && printed.starts_with("bwrap: ");
    throw BackendError(fmt::format(
        "the worker '{}' did not start{}: {}{}{}", fmt::join(program_.arguments, " "),
        is_without_sandbox ? ", because bubblewrap (bwrap) could not make its sandbox: it needs version 0.8, "
                             "and the system or the container must permit user namespaces"
                           : "",
        what, program_.in_pid_namespace ? " (in a PID namespace; see --no-sandbox)" : "",
        printed.empty() ? "; it printed nothing" : "; it printed:\n" + indented(printed, "  ")));
  };
  const auto received = worker_->receive(limits().hello_bytes, Clock::now() + times_.start);
  if (const auto* breakdown = std::get_if<Breakdown>(&received))
    fail(breakdown->kind == Breakdown::Kind::timeout ? fmt::format("no Hello within {}", seconds(times_.start))
                                                     : breakdown->detail);
  Greeting greeting;
  try {
    greeting = read_hello(std::get<std::string_view>(received));
  } catch (const ProtocolError& error) {
    fail(error.what());
  }
  if (!program_.emulator.empty()) {
    if (!worker_->runs(program_.emulator)) {
      worker_.reset();
      throw BackendError(fmt::format(
          "the worker '{}' does not run {}: it started another program, which the processor of this host runs; name "
          "that program, or let the script start it with $TOUCHSTONE_EMULATOR in front of it",
          fmt::join(program_.arguments, " "), program_.processor));
    }
    std::string& description = greeting.identity.description;
    description += fmt::format("{}{}", description.empty() ? "" : ", ", program_.processor);
  }
  worker_->take_output();
  return greeting;
}

void WorkerBackend::start_again() {
  const Greeting now = [&] {
    for (const std::chrono::milliseconds pause : times_.between_starts) {
      try {
        return start();
      } catch (const BackendError&) {
        std::this_thread::sleep_for(pause);
      }
    }
    return start();
  }();
  // All verdicts of a run must come from the same backend.
  if (hello_frame(now) != hello_frame(greeting_))
    throw BackendError(
        fmt::format("the worker '{}' was restarted and is now another backend: it was {}, and is {} now{}",
                    fmt::join(program_.arguments, " "), text_of(greeting_.identity), text_of(now.identity),
                    now.identity == greeting_.identity ? "; its declared capabilities have changed" : ""));
  for (const Sent& sent : waiting_)
    if (!sent.answer) worker_->send(sent.frame);
}

void WorkerBackend::collect_output() {
  if (worker_ == nullptr) return;
  const std::string more = worker_->take_output();
  append_output(printed_, more);
  printed_ever_ += more.size();
}

void WorkerBackend::drop_worker() {
  worker_->kill();
  collect_output();
  worker_.reset();
}

void WorkerBackend::announce(const Unit& unit) {
  collect_output();
  ++last_number_;
  const std::string number = std::to_string(last_number_);
  Unit shown = unit;
  if (!program_.shows_ids) shown.case_id = number;
  waiting_.push_back({last_number_, std::string(unit.case_id), unit.inputs.size(),
                      std::make_shared<const std::string>(request_frame(last_number_, shown)), printed_ever_,
                      std::nullopt});
  if (worker_ != nullptr) worker_->send(waiting_.back().frame);
}

UnitAnswer WorkerBackend::run(const Unit& unit) {
  const auto is_asked = [&](const Sent& sent) { return sent.case_id == unit.case_id; };
  if (std::ranges::none_of(waiting_, is_asked))
    announce(unit);
  else
    while (!is_asked(waiting_.front())) forget_first();
  // A unit that was not announced is sent after those that were; their answers are kept until `run` asks for them.
  const auto sent = std::ranges::find_if(waiting_, is_asked);
  while (!sent->answer) receive_next();
  printed_before_ = sent->printed_before;
  UnitAnswer answer = *std::move(sent->answer);
  waiting_.erase(sent);
  return answer;
}

void WorkerBackend::receive_next() {
  if (worker_ == nullptr) start_again();
  Sent& sent = *std::ranges::find_if(waiting_, [](const Sent& one) { return !one.answer; });
  UnitAnswer answer = answer_to(sent);
  if (worker_->exited_cleanly() && answers_ > 0) {  // a limit on the number of requests, not related to this case
    drop_worker();
    start_again();
    answer = answer_to(sent);
  }
  ++answers_;
  const bool is_lost = std::holds_alternative<Breakdown>(answer);
  sent.answer = std::move(answer);
  if (is_lost) drop_worker();
}

void WorkerBackend::forget_first() {
  const Sent& first = waiting_.front();
  if (!first.answer && worker_ != nullptr && std::holds_alternative<Breakdown>(answer_to(first))) drop_worker();
  waiting_.pop_front();
}

UnitAnswer WorkerBackend::answer_to(const Sent& sent) {
  const auto received = worker_->receive(longest_response(sent.frame->size()), Clock::now() + times_.per_unit);
  if (const auto* breakdown = std::get_if<Breakdown>(&received)) return judged(*breakdown);
  try {
    UnitAnswer answer = read_response(std::get<std::string_view>(received), sent.number, sent.input_sets);
    worker_->forget_message();
    return answer;
  } catch (const ProtocolError& error) {
    return Breakdown{Breakdown::Kind::protocol, explain({Breakdown::Kind::protocol, error.what()})};
  }
}

Breakdown WorkerBackend::judged(const Breakdown& breakdown) {
  const bool may_be_of_emulator =
      !program_.emulator.empty() && (worker_->signal() || breakdown.kind == Breakdown::Kind::timeout);
  if (!may_be_of_emulator) return {breakdown.kind, explain(breakdown)};
  const std::string why = worker_->signal() == SIGILL
                              ? fmt::format("it may use what this processor lacks: {}", program_.lacking)
                              : "the emulator may be the cause";
  const std::string reason = fmt::format("{}, {}: {}", explain(breakdown), program_.processor, why);
  if (++lost_under_emulator_ > most_lost_under_emulator)
    throw BackendError(
        fmt::format("the worker gave no answer to {} cases; the last time: {}", lost_under_emulator_, reason));
  return {Breakdown::Kind::open, reason};
}

std::string WorkerBackend::explain(const Breakdown& breakdown) const {
  switch (breakdown.kind) {
    case Breakdown::Kind::timeout:
      return fmt::format("the worker did not answer within {}, and was killed{}", seconds(times_.per_unit),
                         breakdown.detail);
    case Breakdown::Kind::protocol: return "the worker does not follow the protocol: " + breakdown.detail;
    case Breakdown::Kind::crash:
    case Breakdown::Kind::absent:
    case Breakdown::Kind::invalid:
    case Breakdown::Kind::open: break;
  }
  const std::string limit =
      program_.memory_limit ? fmt::format("; its memory is limited to {} bytes", *program_.memory_limit) : "";
  return fmt::format("the worker gave no answer: {}{}", breakdown.detail, limit);
}

std::string WorkerBackend::take_output() {
  collect_output();
  const std::uint64_t since = printed_ever_ - printed_before_;
  return since < printed_.size() ? printed_.substr(printed_.size() - since) : printed_;
}

}  // namespace touchstone::conformance
