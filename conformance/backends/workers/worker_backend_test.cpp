#include "conformance/backends/workers/worker_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/backends/workers/testing.h"
#include "conformance/files/limits.h"

namespace touchstone::conformance::worker_backend_test {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ContainsRegex;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

struct Hostility {
  std::string mode;
  Verdict verdict;
  std::string reason = "";
  WorkerTimes times = patient;
};

std::ostream& operator<<(std::ostream& out, const Hostility& hostility) { return out << hostility.mode; }

class Hostile : public testing::TestWithParam<Hostility> {
 protected:
  static void SetUpTestSuite() { adopt_orphans(); }
};

TEST_P(Hostile, LosesOnlyItsOwnCase) {
  const auto& [mode, verdict, reason, times] = GetParam();
  const TemporaryDirectory scratch;
  const std::vector<CaseRecord> records = run_all(plan_of(ids), hostile_worker(mode, scratch), times);
  ASSERT_EQ(records.size(), ids.size());
  for (const CaseRecord& record : records) {
    EXPECT_EQ(record.verdict, record.id == "guilty" ? verdict : Verdict::pass)
        << *record.id << ": " << name(record.verdict) << ": " << *record.reason;
    EXPECT_EQ(record.flaky, "") << *record.id;
  }
  EXPECT_THAT(records[2].reason, HasSubstr(reason));
  expect_no_process_of(scratch);
}

/// The worker hangs in the third case. A stop is asked for between cases, but so often only while it hangs.
TEST(WorkerBackends, AreNotAwaitedAfterAStop) {
  adopt_orphans();
  const TemporaryDirectory scratch;
  std::size_t asked = 0, records = 0;
  run(
      plan_of(ids), [&] { return std::make_unique<WorkerBackend>(hostile_worker("hang", scratch), patient); },
      {.judge = {}, .stop = [&] { return records == 2 && ++asked > 10; }},
      [&](const CaseRecord&) { return ++records; });
  EXPECT_EQ(records, 2U);
  expect_no_process_of(scratch);
}

const std::vector<Hostility> hostilities{
    {"segv", Verdict::crash, "it was killed by SIGSEGV (Segmentation fault)"},
    {"abort", Verdict::crash, "it was killed by SIGABRT (Aborted)"},
    {"exit", Verdict::crash, "it exited with code 3"},
    {"exit_cleanly", Verdict::crash, "it exited with code 0"},
    {"truncated", Verdict::crash, "after it had written 10 of 100 bytes of a message"},
    {"hang", Verdict::timeout, "did not answer within 1 s", hasty},
    {"hang_without_sigterm", Verdict::timeout, "did not answer within 1 s", hasty},
    {"dribble", Verdict::timeout, "did not answer within 1 s", hasty},
    {"endless_flood", Verdict::timeout, "did not answer within 1 s", hasty},
    {"child_elsewhere", Verdict::timeout, "did not answer within 1 s", hasty},
    {"child_without_environment", Verdict::timeout, "did not answer within 1 s", hasty},
    {"stop_supervisor", Verdict::crash, "the process that supervises it was stopped"},
    {"stop_supervisor_and_exit", Verdict::crash, "the process that supervises it was stopped"},
    {"keep_supervisor_stopped", Verdict::crash, "the process that supervises it was stopped"},
    {"kill_supervisor", Verdict::crash, "the process that supervises it was killed"},
    {"text", Verdict::timeout, "and was killed, after it had written 17 of 108 bytes of a message", hasty},
    {"garbage", Verdict::harness_error, "does not begin with the size of a message"},
    {"not_a_message", Verdict::harness_error, "not a protocol buffer message"},
    {"four_gib", Verdict::harness_error, "begins with a message of 4294967295 bytes"},
    {"closed", Verdict::harness_error, "it closed its response pipe"},
    {"no_outcome", Verdict::harness_error, "neither answers nor a refusal"},
    {"wrong_number", Verdict::harness_error, "its response is to another request"},
    {"two_answers", Verdict::harness_error, "2 answers to 1 input sets"},
    {"no_answers", Verdict::harness_error, "0 answers to 1 input sets"},
    {"empty_answer", Verdict::harness_error, "neither outputs nor a refusal"},
    {"too_many_outputs", Verdict::harness_error, "more fields than the limit"},
    {"unknown_type", Verdict::harness_error, "data_type 999 (which ONNX does not define) is not supported"},
    {"negative_dimension", Verdict::harness_error, "output 0: dims[0] is negative: -1"},
    {"huge_dimensions", Verdict::harness_error, "overflow"},
    {"dimensions_that_wrap", Verdict::harness_error, "overflow"},
    {"too_little_data", Verdict::harness_error, "raw_data has 5 bytes"},
    {"no_outputs", Verdict::fail, "0 outputs, expected 1"},
    {"two_outputs", Verdict::fail, "2 outputs, expected 1"},
    {"other_name", Verdict::fail, "the output is 'other', expected 'y'"},
    {"other_type", Verdict::fail, "int8"},
    {"other_shape", Verdict::fail, "the shape is [2,3,1], expected [2,3]"},
    {"wrong_value", Verdict::fail, "1 of 6 elements differ"},
    {"flood", Verdict::fail, "1 of 6 elements differ"},
    {"stdout", Verdict::pass},
    {"child", Verdict::crash, "it exited with code 3"},
    {"flooding_child", Verdict::crash, "it exited with code 3"},
    {"child_and_answer", Verdict::pass},
    {"answer_and_exit", Verdict::pass},
};

INSTANTIATE_TEST_SUITE_P(Workers, Hostile, testing::ValuesIn(hostilities),
                         [](const auto& tested) { return tested.param.mode; });

TEST(WorkerBackend, KeepsTheOutputOfFailingCasesOnly) {
  const TemporaryDirectory scratch;
  const std::vector<CaseRecord> records = run_all(plan_of(ids), hostile_worker("log", scratch), patient);
  ASSERT_EQ(records.size(), ids.size());
  for (const CaseRecord& record : records)
    EXPECT_EQ(record.output, record.id == "guilty" ? "the kernel is missing\n" : "") << *record.id;
}

TEST(WorkerBackend, GetsNumbersInPlaceOfIds) {
  const TemporaryDirectory scratch;
  Program program = hostile_worker("refuse_with_id", scratch);
  program.arguments.emplace_back("");  // a part of every id
  const auto refusals = [&] {
    std::vector<std::string> reasons;
    for (const CaseRecord& record : run_all(plan_of({"a", "must_reject/b"}), program, patient))
      reasons.emplace_back(*record.reason);
    return reasons;
  };
  EXPECT_THAT(refusals(), ElementsAre(HasSubstr("this is a"), HasSubstr("this is must_reject/b")));
  program.shows_ids = false;
  const std::vector<std::string> numbers = refusals();
  EXPECT_THAT(numbers, Each(ContainsRegex("this is [0-9]+$")));
  EXPECT_NE(numbers, refusals()) << "numbers that are the same in each run are ids, too";
}

TEST(WorkerBackend, KeepsTheEndOfAFlood) {
  const TemporaryDirectory scratch;
  const std::vector<CaseRecord> records = run_all(plan_of({"guilty"}), hostile_worker("flood", scratch), patient);
  EXPECT_EQ(records.at(0).output.size(), limits().output_bytes);
  EXPECT_THAT(records[0].output, EndsWith("x\nthe end of the flood\n"));
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WITH_SHADOW_MEMORY
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WITH_SHADOW_MEMORY
#endif
#endif

#if !defined(WITH_SHADOW_MEMORY)  // which needs terabytes of address space
TEST(WorkerBackend, LimitsTheMemoryOfAWorker) {
  const TemporaryDirectory scratch;
  Program program = hostile_worker("memory", scratch);
  program.memory_limit = std::uint64_t{400} << 20;
  const std::vector<CaseRecord> records = run_all(plan_of(ids), program, patient);
  ASSERT_EQ(records.size(), ids.size());
  for (const CaseRecord& record : records)
    EXPECT_EQ(record.verdict, record.id == "guilty" ? Verdict::crash : Verdict::pass) << *record.reason;
  EXPECT_THAT(records[2].reason, AllOf(HasSubstr("SIGABRT"), HasSubstr("its memory is limited to 419430400 bytes")));
  EXPECT_THAT(records[2].output, HasSubstr("std::bad_alloc"));
}
#endif

TEST(WorkerBackend, MarksCasesAsFlakyThatAnotherWorkerAnswersDifferently) {
  const TemporaryDirectory one;
  EXPECT_EQ(run_all(plan_of(ids), hostile_worker("flaky", one), patient).at(2).flaky, "pass when it was run again");
  const TemporaryDirectory other;
  const CaseRecord crashed = run_all(plan_of(ids), hostile_worker("crash_once", other), patient).at(2);
  EXPECT_EQ(crashed.verdict, Verdict::crash) << "never becomes a pass";
  EXPECT_EQ(crashed.flaky, "pass when it was run again");
}

TEST(WorkerBackend, ContinuesAfterAnyNumberOfCrashes) {
  const TemporaryDirectory scratch;
  std::vector<std::string> all;
  for (int i = 0; i < 40; ++i) all.push_back((i % 2 == 0 ? "guilty" : "fine") + std::to_string(i));
  const std::vector<CaseRecord> records = run_all(plan_of(all), hostile_worker("exit", scratch), patient, 2);
  ASSERT_EQ(records.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(records[i].verdict, i % 2 == 0 ? Verdict::crash : Verdict::pass) << *records[i].reason;
  expect_no_process_of(scratch);
}

TEST(WorkerBackend, SaysWhyAWorkerDidNotStart) {
  const TemporaryDirectory scratch;
  const auto failure = [&](const char* mode, const WorkerTimes& times = patient) {
    return start_failure(hostile_worker(mode, scratch), times);
  };
  EXPECT_THAT(failure("dies_at_start"), AllOf(HasSubstr("hostile_worker dies_at_start"),
                                              HasSubstr("it exited with code 4"), HasSubstr("no device found")));
  EXPECT_THAT(failure("speaks_as_the_program_at_start"),
              EndsWith("; it printed:\n  loading\n  ::error::hi\n  45,000 right, 0 wrong\n"));
  EXPECT_THAT(failure("silent_at_start", {.per_unit = 1s, .start = 100ms, .between_starts = {}}),
              AllOf(HasSubstr("no Hello within 0.1 s"), HasSubstr("it printed nothing")));
  EXPECT_THAT(failure("garbage_at_start"), HasSubstr("does not begin with the size of a message"));
  EXPECT_THAT(failure("text_at_start"), HasSubstr("its Hello: not a protocol buffer message"));
  EXPECT_THAT(failure("other_protocol"), HasSubstr("its Hello has protocol version 99; this touchstone needs 1"));
  expect_no_process_of(scratch);
}

TEST(WorkerBackend, SaysWhyAProgramCannotBeStarted) {
  const TemporaryDirectory scratch;
  write_file(scratch.path() / "plain", "print(1)\n");
  write_file(scratch.path() / "script", "print(1)\n");
  std::filesystem::permissions(scratch.path() / "script", std::filesystem::perms::owner_all);
  const auto failure = [](const std::string& program) { return start_failure({.arguments = {program}}); };
  EXPECT_EQ(failure("no-such-program"), "the command no-such-program is not in PATH");
  EXPECT_EQ(failure("/no/such/program"), "/no/such/program does not exist");
  EXPECT_EQ(failure(scratch.path()), scratch.path().string() + " cannot be executed: it is a directory");
  EXPECT_THAT(failure(scratch.path() / "plain"),
              HasSubstr("plain cannot be executed: it is not executable (chmod +x)"));
  EXPECT_THAT(failure(scratch.path() / "script"), HasSubstr("a script needs a first line like #!"));
}

TEST(WorkerBackend, EndsTheRunIfAWorkerCannotBeRestarted) {
  const TemporaryDirectory scratch;
  EXPECT_THROW(run_all(plan_of(ids), hostile_worker("starts_once", scratch), patient), BackendError);
  expect_no_process_of(scratch);
}

std::string thrown_by(const std::function<void()>& action) {
  try {
    action();
  } catch (const BackendError& error) {
    return error.what();
  }
  return "";
}

Unit unit_of(const Case& tested) { return {tested.id, tested.model.bytes, {tested.data_sets[0].inputs}}; }

bool is_answered(const UnitAnswer& answer) { return std::holds_alternative<std::vector<Answer>>(answer); }

TEST(WorkerBackend, WaitsForADeviceToComeBack) {
  const TemporaryDirectory scratch;
  WorkerTimes times = patient;
  times.between_starts = {1ms, 1ms, 400ms};
  const Case guilty = per_axis_case("guilty");
  const Case innocent = per_axis_case("innocent");
  WorkerBackend backend(hostile_worker("starts_again_after_a_moment", scratch), times);
  EXPECT_FALSE(is_answered(backend.run(unit_of(guilty))));
  EXPECT_TRUE(is_answered(backend.run(unit_of(innocent))));
}

TEST(WorkerBackend, EndsTheRunIfARestartedWorkerIsAnotherBackend) {
  for (const auto& [mode, was, is] :
       {std::tuple{"other_name_later", "was 'hostile 1: for tests'", "is 'hostile 2: for tests' now"},
        {"other_lines_later", R"(was 'hostile 1: \x0a::error::1')", R"(is 'hostile 1: \x0a::error::2' now)"},
        {"other_limits_later", "was 'hostile 1: for tests'",
         "is 'hostile 1: for tests' now; its declared capabilities have changed"}}) {
    const TemporaryDirectory scratch;
    const std::string error = thrown_by([&] { run_all(plan_of(ids), hostile_worker(mode, scratch), patient); });
    EXPECT_THAT(error, AllOf(HasSubstr(was), HasSubstr(is))) << mode;
    expect_no_process_of(scratch);
  }
}

/// But a worker that exits before its first answer fails the case.
TEST(WorkerBackend, MayExitCleanlyBetweenRequests) {
  const TemporaryDirectory scratch;
  for (const CaseRecord& record : run_all(plan_of({"a", "b", "c"}), hostile_worker("one_request", scratch), patient))
    EXPECT_EQ(record.verdict, Verdict::pass) << *record.id << ": " << *record.reason;
  for (const CaseRecord& record : run_all(plan_of({"a", "b"}), hostile_worker("no_request", scratch), patient))
    EXPECT_EQ(record.verdict, Verdict::crash) << *record.id;
}

/// A chain of short-lived processes escapes a search that looks at one process after the other.
TEST(WorkerBackend, KillsAChildThatForksAndExitsAllTheTime) {
  const Case guilty = per_axis_case("guilty");
  for (int round = 0; round < 20; ++round) {
    const TemporaryDirectory scratch;
    WorkerBackend backend(hostile_worker("relay", scratch), patient);
    const auto number = [&] { return content_of(scratch.path() / "once"); };
    EXPECT_FALSE(is_answered(backend.run(unit_of(guilty))));
    const std::string last = number();
    std::this_thread::sleep_for(20ms);
    ASSERT_EQ(number(), last) << "it is still running in round " << round;
  }
}

/// Traces a process in a thread of its own. A traced process exists until its tracer has waited for it.
class Tracer {
 public:
  explicit Tracer(std::function<pid_t()> find)
      : thread_([this, find = std::move(find)] {
          const pid_t process = find();
          traces_ = ::ptrace(PTRACE_SEIZE, process, nullptr, nullptr) == 0;
          done_.get_future().wait();
          if (traces_) ::waitpid(process, nullptr, __WALL);
        }) {}
  ~Tracer() { stop(); }
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  /// Whether tracing was permitted.
  bool stop() {
    if (thread_.joinable()) done_.set_value(), thread_.join();
    return traces_;
  }

 private:
  std::promise<void> done_;
  bool traces_ = false;
  std::thread thread_;
};

TEST(WorkerBackend, AbandonsAWorkerThatCannotBeKilled) {
  const TemporaryDirectory scratch;
  const Case guilty = per_axis_case("guilty");
  const Case innocent = per_axis_case("innocent");
  WorkerBackend backend(hostile_worker("traceable", scratch), hasty);
  Tracer tracer([&] {
    std::string id;
    while (!(id = content_of(scratch.path() / "once")).ends_with('\n')) std::this_thread::sleep_for(1ms);
    return static_cast<pid_t>(std::stol(id));
  });
  const auto before = std::chrono::steady_clock::now();
  const UnitAnswer answer = backend.run(unit_of(guilty));
  if (!tracer.stop()) GTEST_SKIP() << "processes may not be traced here";
  EXPECT_LT(std::chrono::steady_clock::now() - before, 15s);
  EXPECT_THAT(std::get<Breakdown>(answer).detail, HasSubstr("it still existed seconds after it was killed"));
  EXPECT_TRUE(is_answered(backend.run(unit_of(innocent))));
}

TEST(WorkerBackend, IsKilledFirstIfMemoryRunsOut) {
  EXPECT_THAT(start_failure({.arguments = {"/bin/sh", "-c", "cat /proc/self/oom_score_adj; exit 4"}}),
              HasSubstr("it printed:\n  1000\n"));
}

TEST(WorkerBackend, FindsNoVariablesInTheProcessThatSupervisesIt) {
  EXPECT_THAT(start_failure({.arguments = {"/bin/sh", "-c", "cat /proc/$PPID/environ 2>&- | tr -d '\\0'; exit 4"}}),
              HasSubstr("it exited with code 4; it printed nothing"));
}

TEST(WorkerBackend, RunsAnyUnitWhateverWasAnnounced) {
  const TemporaryDirectory scratch;
  WorkerBackend backend(hostile_worker("wrong_value", scratch), patient);
  const Case one = per_axis_case("guilty");
  const Case other = per_axis_case("fine");
  const auto unit = [](const Case& of) { return Unit{of.id, of.model.bytes, {of.data_sets[0].inputs}}; };
  backend.announce(unit(one));
  const UnitAnswer answer = backend.run(unit(other));
  const auto& outputs = std::get<Outputs>(std::get<std::vector<Answer>>(answer).at(0));
  EXPECT_EQ(outputs.at(0).value.code(0), 10U);
  EXPECT_EQ(outputs[0].name, "y");
}

TEST(WorkerBackend, KeepsRunningIfAnAnnouncedUnitIsNotRun) {
  const TemporaryDirectory scratch;
  const Case one = per_axis_case("one");
  const Case other = per_axis_case("other");
  const auto unit = [](const Case& of) { return Unit{of.id, of.model.bytes, {of.data_sets[0].inputs}}; };
  WorkerBackend backend(hostile_worker("starts_once", scratch), patient);  // a second start would throw
  backend.announce(unit(one));
  EXPECT_TRUE(std::holds_alternative<std::vector<Answer>>(backend.run(unit(other))));
  EXPECT_TRUE(std::holds_alternative<std::vector<Answer>>(backend.run(unit(one))));
}

TEST(WorkerBackend, KeepsAnswersThatArriveBeforeThatOfAnUnannouncedUnit) {
  const TemporaryDirectory scratch;
  WorkerBackend backend(hostile_worker("flaky", scratch), patient);  // gives a wrong answer the first time
  const Case announced = per_axis_case("guilty");
  const Case other = per_axis_case("other");
  backend.announce(unit_of(announced));
  EXPECT_TRUE(is_answered(backend.run(unit_of(other))));
  const UnitAnswer answer = backend.run(unit_of(announced));
  EXPECT_EQ(std::get<Outputs>(std::get<std::vector<Answer>>(answer).at(0)).at(0).value.code(0), 11U)
      << "another unit's answer";
}

TEST(WorkerBackend, RestartsAfterACrashAtAnEarlierAnnouncedUnit) {
  const TemporaryDirectory scratch;
  WorkerBackend backend(hostile_worker("segv", scratch), patient);
  const Case announced = per_axis_case("guilty");
  const Case other = per_axis_case("other");
  backend.announce(unit_of(announced));
  EXPECT_TRUE(is_answered(backend.run(unit_of(other))));
  EXPECT_THAT(std::get<Breakdown>(backend.run(unit_of(announced))).detail, HasSubstr("SIGSEGV"));
  EXPECT_TRUE(is_answered(backend.run(unit_of(other))));
}

/// Five cases; the third has a scale of the wrong length, and a control.
std::vector<PlannedCase> plan_with_a_control() {
  std::vector<PlannedCase> plan = plan_of({"a", "b", "beyond control", "c", "d"});
  const auto read = [] {
    Case made = per_axis_case("beyond control");
    made.data_sets[0].inputs[1].value = tensor(spec::ElementType::float32, {2}, {0x3f800000, 0x40000000});
    made.data_sets[0].expected.clear();
    return made;
  };
  plan[2].source = made_by({read, [](const TakeCase& take) { take(per_axis_case()); }});
  return plan;
}

TEST(WorkerBackend, IsAskedForTheControlOfACaseBetweenOthers) {
  for (const auto& [mode, verdict, reason, times] :
       {std::tuple{"refuse_but_controls", Verdict::pass, "", patient},
        {"refuse_and_die_at_controls", Verdict::not_shown, "it was killed by SIGSEGV", patient},
        {"refuse_and_hang_at_controls", Verdict::not_shown, "did not answer within 1 s", hasty}}) {
    const TemporaryDirectory scratch;
    Program program = hostile_worker(mode, scratch);
    program.arguments.emplace_back("control");
    const std::vector<CaseRecord> records = run_all(plan_with_a_control(), program, times);
    ASSERT_EQ(records.size(), 5U);
    for (std::size_t i = 0; i < records.size(); ++i)
      EXPECT_EQ(records[i].verdict, i == 2 ? verdict : Verdict::pass)
          << mode << ' ' << *records[i].id << ": " << *records[i].reason;
    EXPECT_THAT(records[2].reason, HasSubstr(reason));
    expect_no_process_of(scratch);
  }
}

TEST(WorkerBackend, IsNotSentUnitsAgainThatAreNoLongerNeeded) {
  const TemporaryDirectory scratch;
  const Case guilty = per_axis_case("guilty");
  const Case other = per_axis_case("other");
  const auto unit = [](const Case& of) { return Unit{of.id, of.model.bytes, {of.data_sets[0].inputs}}; };
  WorkerBackend backend(hostile_worker("segv", scratch), patient);
  backend.announce(unit(guilty));
  backend.announce(unit(guilty));
  backend.announce(unit(other));
  EXPECT_TRUE(std::holds_alternative<std::vector<Answer>>(backend.run(unit(other))));
}

}  // namespace
}  // namespace touchstone::conformance::worker_backend_test
