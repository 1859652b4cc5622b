// touchstone run with backends in separate processes.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "tools/touchstone/program_testing.h"

namespace touchstone::tools::workers_test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::Le;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

const std::string program = TOUCHSTONE_PROGRAM;
const std::string reference_worker = "exec:" + program + " serve --backend reference";

std::string hostile(const std::string& mode) { return "exec:" + std::string(TOUCHSTONE_HOSTILE_WORKER) + " " + mode; }

/// Two small cases of ONNX, one of which is the guilty one.
fs::path two_cases(const TemporaryDirectory& scratch) {
  const fs::path data = scratch.path() / "data";
  if (fs::exists(data)) return data;
  for (const char* name : {"test_quantizelinear_guilty", "test_quantizelinear_innocent"})
    copy_of("1.22.0/test_quantizelinear", data / "1.22.0" / name);
  return data;
}

std::vector<std::string> run_of(const TemporaryDirectory& scratch, const std::string& backend) {
  return {"run",     "--backend", backend,    "--suite", "onnx",      "--data", two_cases(scratch).string(),
          "--color", "never",     "--output", "out",     "--show-ids"};
}

TEST(Worker, ServedByTheProgramGivesTheSameResultsAsInProcess) {
  const TemporaryDirectory scratch;
  const std::vector<std::string> rest{"--tier", "smoke", "--filter", "*/21/*", "--jobs", "2", "--quiet", "--output"};
  std::vector<std::string> in_process{"run", "--backend", "optimized"};
  std::vector<std::string> served{"run", "--backend", "exec:" + program + " serve --backend optimized"};
  for (auto* arguments : {&in_process, &served}) arguments->insert(arguments->end(), rest.begin(), rest.end());
  in_process.push_back("a");
  served.push_back("b");
  EXPECT_EQ(touchstone(scratch, in_process).exit_code, 0);
  const Outcome outcome = touchstone(scratch, served);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.error;
  const auto a = report_in(scratch.path() / "a");
  const auto b = report_in(scratch.path() / "b");
  EXPECT_EQ(a["backend"], b["backend"]);
  EXPECT_EQ(a["cases"], b["cases"]) << "including the digest of every output";
}

TEST(Worker, ThatCrashesLosesOneCaseAndItsReportsSayWhy) {
  const TemporaryDirectory scratch;
  const Outcome outcome = touchstone(scratch, run_of(scratch, hostile("segv")));
  EXPECT_EQ(outcome.exit_code, 1) << outcome.error;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("wrong  onnx/1.22.0/test_quantizelinear_guilty"), HasSubstr("SIGSEGV")));
  const auto report = report_in(scratch.path() / "out");
  EXPECT_EQ(report["backend"]["name"], "hostile");
  EXPECT_EQ(verdicts_of(report)["crash"], 1);
  EXPECT_EQ(verdicts_of(report)["pass"], 1);
}

TEST(Worker, HasItsOutputStoredWithTheReproducer) {
  const TemporaryDirectory scratch;
  const Outcome outcome = touchstone(scratch, run_of(scratch, hostile("log")));
  EXPECT_EQ(outcome.exit_code, 1) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("    the backend printed:\n      the kernel is missing\n"));
  const fs::path reproducer = scratch.path() / "out/reproducers/onnx/1.22.0/test_quantizelinear_guilty";
  EXPECT_EQ(content_of(reproducer / "output.txt"), "the kernel is missing\n");
  EXPECT_THAT(content_of(scratch.path() / "out/report.junit.xml"), HasSubstr("the kernel is missing"));
  EXPECT_EQ(touchstone(scratch, run_of(scratch, reference_worker)).exit_code, 0);
  EXPECT_FALSE(fs::exists(reproducer)) << "the next run removes what this one wrote";
}

TEST(Worker, ThatIsFlakyIsMarkedInEveryReport) {
  const TemporaryDirectory scratch;
  const std::string backend = hostile("flaky") + " " + (scratch.path() / "once").string();
  const Outcome outcome = touchstone(scratch, run_of(scratch, backend));
  EXPECT_EQ(outcome.exit_code, 1) << outcome.error;
  const std::string said = "flaky: pass when it was run again";
  EXPECT_THAT(unwrapped(outcome.out), HasSubstr(said));
  for (const char* file : {"report.md", "report.junit.xml", "report.html"})
    EXPECT_THAT(content_of(scratch.path() / "out" / file), HasSubstr(said)) << file;
  EXPECT_THAT(content_of(scratch.path() / "out/report.csv"), HasSubstr("\"pass when it was run again\""));
  const auto report = report_in(scratch.path() / "out");
  for (const auto& one : report["cases"])
    EXPECT_EQ(one.value("flaky", ""), one["verdict"] == "fail" ? "pass when it was run again" : "") << one["id"];
  EXPECT_EQ(touchstone(scratch, {"report", "out", "--format", "csv"}).exit_code, 0);
}

TEST(Worker, KeepsItsTimeAndMemoryLimitsInReplays) {
  const TemporaryDirectory scratch;
  std::vector<std::string> arguments = run_of(scratch, hostile("hang"));
  arguments.insert(arguments.end(), {"--timeout", "0.5", "--memory-limit", "100GB", "--python", "python3.11"});
  const Outcome outcome = touchstone(scratch, arguments);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.error;
  EXPECT_THAT(with_whole_commands(outcome.out),
              AllOf(HasSubstr("wrong  onnx/"), HasSubstr("did not answer within 0.5 s"),
                    HasSubstr(" --timeout 0.5 --memory-limit 107374182400 --python python3.11")));
  EXPECT_EQ(report_in(scratch.path() / "out")["options"]["timeout"], 0.5);
  const Outcome resumed = touchstone(scratch, {"run", "--resume", "out", "--timeout", "7"});
  EXPECT_EQ(resumed.exit_code, 2);
  EXPECT_THAT(resumed.error, HasSubstr("that run has --timeout '0.5', not '7'"));
  const Outcome replayed = touchstone(
      scratch, {"replay", "onnx/1.22.0/test_quantizelinear_guilty", "--suite", "onnx", "--data",
                (scratch.path() / "data").string(), "--backend", hostile("hang"), "--timeout", "0.2", "--show-ids"});
  EXPECT_EQ(replayed.exit_code, 1) << replayed.error;
  EXPECT_THAT(replayed.out, HasSubstr("did not answer within 0.2 s"));
}

TEST(Worker, ThatDoesNotStartEndsTheRunWithWhatItPrinted) {
  const TemporaryDirectory scratch;
  const Outcome outcome = touchstone(scratch, run_of(scratch, hostile("dies_at_start")));
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.error, AllOf(HasSubstr("did not start: it exited with code 4"), HasSubstr("no device found")));
  EXPECT_EQ(touchstone(scratch, run_of(scratch, "exec:no-such-program")).exit_code, 3);
}

/// A CI runner interprets a line that begins with "::", and a reader might believe one that looks like a total.
TEST(Worker, CannotForgeLinesOfTheProgramsOutput) {
  const TemporaryDirectory scratch;
  const Outcome outcome = touchstone(scratch, run_of(scratch, hostile("speaks_as_the_program_at_start")));
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.error, AllOf(StartsWith("touchstone: the worker "), HasSubstr("    ::error::hi\n"),
                                   HasSubstr("    45,000 right, 0 wrong\n")));
  const std::string backend = hostile("other_lines_later") + " " + (scratch.path() / "once").string();
  std::vector<std::string> arguments = run_of(scratch, backend);
  arguments.insert(arguments.end(), {"--jobs", "1", "--quiet"});
  const Outcome later = touchstone(scratch, arguments);
  EXPECT_EQ(later.exit_code, 3) << later.error;
  EXPECT_THAT(later.error, HasSubstr(R"('hostile 1: \x0a::error::2' now)"));
  for (const Outcome& one : {outcome, later}) {
    std::istringstream lines(one.error);
    std::string line;
    for (std::getline(lines, line); std::getline(lines, line);) EXPECT_THAT(line, StartsWith("  "));
  }
}

TEST(Worker, ThatDoesNotRestartLeavesAResumableRun) {
  const TemporaryDirectory scratch;
  const std::string backend = hostile("starts_once") + " " + (scratch.path() / "once").string();
  const Outcome outcome = touchstone(scratch, run_of(scratch, backend));
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out;
  EXPECT_THAT(outcome.error, HasSubstr("to continue: touchstone run --resume out"));
  EXPECT_TRUE(fs::exists(scratch.path() / "out/journal.ndjson.gz"));
}

/// A small case of ONNX under several names, which determine the positions of the guilty ones.
fs::path cases_named(const TemporaryDirectory& scratch, const std::vector<std::string>& names) {
  const fs::path data = scratch.path() / "data";
  for (const std::string& name : names)
    copy_of("1.22.0/test_quantizelinear", data / "1.22.0" / ("test_quantizelinear_" + name));
  return data;
}

/// Verdicts in the order of the plan.
std::vector<std::string> journal_verdicts(const TemporaryDirectory& scratch) {
  std::istringstream journal(content_of(scratch.path() / "out/journal.ndjson.gz"));
  std::vector<std::string> verdicts;
  std::string line;
  for (std::getline(journal, line); std::getline(journal, line);)
    if (const auto row = nlohmann::json::parse(line); row.contains("verdict")) verdicts.push_back(row["verdict"]);
  return verdicts;
}

/// The case that crashed the device is in the journal, so that a resumed run continues after it.
TEST(Worker, ThatCannotBeStartedAfterACrashLeavesTheGuiltyCaseInTheJournal) {
  const TemporaryDirectory scratch;
  cases_named(scratch, {"a", "b_guilty", "c", "d"});
  std::vector<std::string> arguments =
      run_of(scratch, hostile("takes_the_device") + " " + (scratch.path() / "once").string());
  arguments.insert(arguments.end(), {"--jobs", "1"});
  const Outcome lost = touchstone(scratch, arguments);
  EXPECT_EQ(lost.exit_code, 3) << lost.out;
  EXPECT_THAT(lost.error, HasSubstr("to continue: touchstone run --resume out"));
  EXPECT_THAT(journal_verdicts(scratch), ElementsAre("pass", "crash"));
  fs::remove(scratch.path() / "once");  // the device is back
  const Outcome resumed = touchstone(scratch, {"run", "--resume", "out"});
  EXPECT_EQ(resumed.exit_code, 1) << resumed.error;
  EXPECT_THAT(journal_verdicts(scratch), ElementsAre("pass", "crash", "pass", "pass"));
}

TEST(Worker, ThatKeepsHangingEndsTheRunEarly) {
  const TemporaryDirectory scratch;
  cases_named(scratch, {"a_guilty", "b", "c_guilty", "d", "e_guilty", "f"});
  for (const char* jobs : {"1", "3"}) {
    std::vector<std::string> arguments = run_of(scratch, hostile("hang"));
    arguments.insert(arguments.end(), {"--timeout", "0.3", "--max-timeouts", "2", "--jobs", jobs, "--overwrite"});
    const Outcome ended = touchstone(scratch, arguments);
    EXPECT_EQ(ended.exit_code, 4) << ended.error;
    EXPECT_THAT(ended.out, HasSubstr("3 of 6 cases are not run"));
    EXPECT_THAT(ended.error, AllOf(HasSubstr("2 cases had no answer within 0.3 s, and --max-timeouts allows no more: 3 "
                                             "of 6 cases are not run"),
                                   HasSubstr("to continue: touchstone run --resume out")));
    EXPECT_THAT(journal_verdicts(scratch), ElementsAre("timeout", "pass", "timeout"));
  }
  const Outcome resumed = touchstone(scratch, {"run", "--resume", "out", "--max-timeouts", "0"});
  EXPECT_EQ(resumed.exit_code, 1) << resumed.error;
  EXPECT_THAT(journal_verdicts(scratch), ElementsAre("timeout", "pass", "timeout", "pass", "timeout", "pass"));
}

TEST(Worker, ThatKeepsCrashingEndsTheRunEarly) {
  const TemporaryDirectory scratch;
  cases_named(scratch, {"a_guilty", "b", "c_guilty", "d", "e_guilty", "f"});
  std::vector<std::string> arguments = run_of(scratch, hostile("abort"));
  arguments.insert(arguments.end(), {"--max-timeouts", "1", "--max-crashes", "2"});
  const Outcome ended = touchstone(scratch, arguments);
  EXPECT_EQ(ended.exit_code, 4) << ended.error;
  EXPECT_THAT(ended.error, AllOf(HasSubstr("the backend crashed in 2 cases, and --max-crashes allows no more: 3 of "
                                           "6 cases are not run"),
                                 HasSubstr("to continue: touchstone run --resume out")));
  EXPECT_THAT(journal_verdicts(scratch), ElementsAre("crash", "pass", "crash"));
  const Outcome resumed = touchstone(scratch, {"run", "--resume", "out", "--max-crashes", "2"});
  EXPECT_EQ(resumed.exit_code, 1) << resumed.error;
  EXPECT_THAT(journal_verdicts(scratch), ElementsAre("crash", "pass", "crash", "pass", "crash", "pass"));
}

TEST(Worker, ThatHangsIsInterruptedAtItsCurrentCase) {
  const TemporaryDirectory scratch;
  std::vector<std::string> names;
  for (int i = 0; i < 30; ++i) names.push_back(fmt::format("guilty_{:02}", i));
  cases_named(scratch, names);
  std::vector<std::string> arguments = run_of(scratch, hostile("hang"));
  arguments.insert(arguments.end(), {"--timeout", "1.5", "--jobs", "1"});
  const auto began = std::chrono::steady_clock::now();
  const pid_t child = start(scratch, arguments);
  const fs::path journal = scratch.path() / "out/journal.ndjson.gz";
  while (!fs::exists(journal) || content_of(journal).find("\"verdict\"") == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ::kill(child, SIGINT);
  const Outcome interrupted = wait_for(scratch, child);
  EXPECT_EQ(interrupted.exit_code, 4) << interrupted.error;
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(15)) << "not of 30 or 60 timeouts";
  EXPECT_THAT(journal_verdicts(scratch), AllOf(SizeIs(AllOf(Ge(1U), Le(8U))), Each("timeout")));
}

TEST(Worker, ThatHangsIsNotWaitedForAfterAnInterruption) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryDirectory scratch;
    cases_named(scratch, {"a", "guilty"});
    std::vector<std::string> arguments = run_of(scratch, hostile("hang"));
    arguments.insert(arguments.end(), {"--timeout", "300", "--jobs", "1"});
    const pid_t child = start(scratch, arguments);
    while (content_of(scratch.path() / "out/journal.ndjson.gz").find("\"verdict\"") == std::string::npos &&
           ::kill(child, 0) == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ::kill(child, signal);  // it is running the next case
    EXPECT_EQ(wait_for(scratch, child).exit_code, 4);
    EXPECT_THAT(journal_verdicts(scratch), ElementsAre("pass"));
    EXPECT_TRUE(fs::exists(scratch.path() / "out/report.json"));
  }
}

TEST(Worker, CanPrintAnythingAndTheReportsStaySmall) {
  const TemporaryDirectory scratch;
  std::vector<std::string> names;
  for (int i = 0; i < 150; ++i) names.push_back(fmt::format("guilty_{:03}", i));
  cases_named(scratch, names);
  const Outcome outcome = touchstone(scratch, run_of(scratch, hostile("chatty")));
  EXPECT_EQ(outcome.exit_code, 1) << outcome.error;
  const auto report = report_in(scratch.path() / "out");
  for (std::size_t i = 0; i < 150; ++i)
    EXPECT_EQ(report["cases"][i]["output"].get<std::string>().size(), i < 128 ? 65536U : 1024U) << i;
}

TEST(Worker, WithAnUnknownNameGivesAnErrorThatListsTheForms) {
  const TemporaryDirectory scratch;
  const Outcome unknown = touchstone(scratch, {"run", "--backend", "onnxruntime"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.error, AllOf(HasSubstr("unknown backend 'onnxruntime'; the backends are optimized, reference"),
                                   HasSubstr("exec:COMMAND ("), HasSubstr("onnx:MODULE[:ATTR][@DEVICE] (")));
  const Outcome empty = touchstone(scratch, {"run", "--backend", "exec: "});
  EXPECT_EQ(empty.exit_code, 2);
  EXPECT_THAT(empty.error, HasSubstr("COMMAND is missing"));
}

/// Writes a worker that prints its arguments and a part of its environment, and then fails.
void write_teller(const fs::path& path) {
  write_file(path, "#!/bin/sh\nprintf '[%s]' \"$@\" >&2\necho \" path=$PYTHONPATH\" >&2\nexit 6\n");
  fs::permissions(path, fs::perms::owner_all);
}

TEST(Worker, GetsItsArgumentsAsAShellWouldSplitThem) {
  const TemporaryDirectory scratch;
  write_teller(scratch.path() / "tell it");
  const Outcome outcome = touchstone(scratch, {"run", "--backend", R"(exec:'./tell it' a "b c" $HOME d\ e *)"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.error, HasSubstr("[a][b c][$HOME][d e][*]"));
  const Outcome empty = touchstone(scratch, {"run", "--backend", R"(exec:'./tell it' '' '\n')"});
  EXPECT_THAT(empty.error, HasSubstr(R"([][\n])"));
  const Outcome unclosed = touchstone(scratch, {"run", "--backend", "exec:worker 'a"});
  EXPECT_EQ(unclosed.exit_code, 2);
  EXPECT_THAT(unclosed.error, HasSubstr("exec:worker 'a: a single quote is not closed"));
}

TEST(Worker, InPythonIsRunByTheGivenInterpreter) {
  const TemporaryDirectory scratch;
  write_teller(scratch.path() / "my-python");
  const Outcome outcome =
      touchstone(scratch, {"run", "--backend", "onnx:vendor.backend:Class", "--python", "./my-python"},
                 [] { ::setenv("PYTHONPATH", "/vendor", 1); });
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.error,
              AllOf(HasSubstr("[-m][touchstone.worker][vendor.backend:Class]"), HasSubstr("path=/vendor")));
}

TEST(Worker, CanBeInTheBackendsDirectory) {
  const TemporaryDirectory scratch;
  write_teller(scratch.path() / "backends/vendor/worker");
  write_file(scratch.path() / "backends/notes/README", "not one");
  const auto rewire = [&] { ::setenv("TOUCHSTONE_BACKENDS", (scratch.path() / "backends").c_str(), 1); };
  const Outcome plain = touchstone(scratch, {"run", "--backend", "vendor"}, rewire);
  EXPECT_EQ(plain.exit_code, 3);
  EXPECT_THAT(plain.error, HasSubstr("[] path"));
  EXPECT_THAT(touchstone(scratch, {"run", "--backend", "vendor:fast,1"}, rewire).error, HasSubstr("[fast,1]"));
  const Outcome other = touchstone(scratch, {"run", "--backend", "notes"}, rewire);
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.error, HasSubstr("the backends are optimized, reference, vendor;"));
}

TEST(Worker, InRustIsCompiledAndRunIfThereIsACompiler) {
  if (std::system("rustc --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "rustc is not installed";
  const TemporaryDirectory scratch;
  const std::string worker = (scratch.path() / "rust_worker").string();
  const std::string compile = "rustc --edition 2021 -D warnings -O -o '" + worker +
                              "' '" TOUCHSTONE_SOURCE_DIR "/conformance/backends/workers/examples/rust_worker.rs'";
  ASSERT_EQ(std::system(compile.c_str()), 0) << compile;
  const Outcome outcome =
      touchstone(scratch, {"run", "--suite", "generated", "--filter", "quantize_linear/*/f32-f32-u8/per_tensor/*",
                           "--backend", "exec:'" + worker + "'", "--output", "out", "--quiet"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.error;
  const auto report = report_in(scratch.path() / "out");
  EXPECT_EQ(report["backend"]["name"], "rust-example");
  for (const char* verdict : {"fail", "accepts_invalid", "crash", "timeout", "not_run", "harness_error"})
    EXPECT_EQ(verdicts_of(report)[verdict], 0) << verdict;
  EXPECT_GT(verdicts_of(report)["pass"], 0);
  EXPECT_GT(verdicts_of(report)["rejects_valid"], 0) << "constant scales, and cases without a zero point";
}

/// Whether the program can run this backend in a sandbox; if not, why.
std::string reason_for_no_sandbox(const TemporaryDirectory& scratch) {
  std::vector<std::string> arguments = run_of(scratch, reference_worker);
  arguments.insert(arguments.end(), {"--sandbox", "--quiet"});
  return touchstone(scratch, arguments).error;
}

TEST(Sandbox, ChangesNoVerdict) {
  for (const auto& [backend, filter] :
       {std::pair{reference_worker, "quantize_linear/21/f32-f32-*/per_tensor/*"},
        {std::string("lib:") + TOUCHSTONE_C_BACKEND, "quantize_linear/*/f32-f32-u8/per_tensor/*"},
        {hostile("log") + " '' values", "quantize_linear/21/f32-f32-u8/per_tensor/*"}}) {
    const TemporaryDirectory scratch;
    if (const std::string reason = reason_for_no_sandbox(scratch); reason.find("sandbox") != std::string::npos)
      GTEST_SKIP() << "this system permits no sandbox: " << reason;
    std::vector<std::string> arguments{"run", "--suite", "generated", "--filter", filter, "--max-reproducers", "0"};
    arguments.insert(arguments.end(), {"--all-cases", "--show-ids", "--backend", backend});
    const auto results = [&](const std::string& option) {
      std::vector<std::string> all = arguments;
      if (!option.empty()) all.push_back(option);
      all.insert(all.end(), {"--output", "results" + option});
      const Outcome outcome = touchstone(scratch, all);
      auto report = report_in(scratch.path() / ("results" + option));
      EXPECT_EQ(report["options"].contains("sandbox"), option == "--sandbox") << outcome.error;
      EXPECT_GT(report["cases"].size(), 0U);
      for (auto& one : report["cases"]) one.erase("replay");  // with the option
      return std::tuple(outcome.exit_code, report["cases"], report["causes"]);
    };
    const auto without = results("--no-sandbox");
    EXPECT_TRUE(results("--sandbox") == without) << backend;
    EXPECT_TRUE(results("") == without) << backend << ": in a PID namespace, if possible";
  }
}

TEST(Sandbox, IsForBackendsInTheirOwnProcess) {
  const TemporaryDirectory scratch;
  for (const char* backend : {"optimized", "wrong:rounds-half-up"}) {
    const Outcome outcome = touchstone(scratch, {"run", "--backend", backend, "--sandbox"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.error, HasSubstr(fmt::format("--sandbox has no meaning for --backend {}", backend)));
  }
}

TEST(Sandbox, IsAnErrorWithoutBubblewrap) {
  const TemporaryDirectory scratch;
  std::vector<std::string> arguments = run_of(scratch, reference_worker);
  arguments.emplace_back("--sandbox");
  const Outcome outcome = touchstone(scratch, arguments, [] { ::setenv("PATH", "/nowhere", 1); });
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.error, HasSubstr("--sandbox: the command bwrap is not in PATH; install bubblewrap"));
}

TEST(Worker, GetsSecretsOnlyByName) {
  const TemporaryDirectory scratch;
  const std::string worker = "exec:/bin/sh -c 'env >&2; exit 6'";
  const auto with_secrets = [] {
    ::setenv("CI_JOB_TOKEN", "very secret", 1);
    ::setenv("LICENSE_SERVER", "7@host", 1);
  };
  const Outcome plain = touchstone(scratch, {"run", "--backend", worker}, with_secrets);
  EXPECT_EQ(plain.exit_code, 3);
  EXPECT_THAT(plain.error, AllOf(HasSubstr("PATH="), Not(HasSubstr("secret")), Not(HasSubstr("LICENSE_SERVER"))));
  const Outcome passed =
      touchstone(scratch, {"run", "--backend", worker, "--pass-env", "LICENSE_SERVER"}, with_secrets);
  EXPECT_THAT(passed.error, AllOf(HasSubstr("LICENSE_SERVER=7@host"), Not(HasSubstr("secret"))));
  const Outcome unset = touchstone(scratch, {"run", "--backend", worker, "--pass-env", "NO_SUCH_VARIABLE"});
  EXPECT_EQ(unset.exit_code, 2);
  EXPECT_THAT(unset.error, HasSubstr("--pass-env NO_SUCH_VARIABLE: the environment has no variable of this name"));
}

TEST(Worker, FindsNoSecretsInOtherProcesses) {
  const TemporaryDirectory scratch;
  const auto with_secrets = [] { ::setenv("CI_JOB_TOKEN", "very secret", 1); };
  const std::string parents = R"(cat /proc/$PPID/environ "/proc/$(sed -n 's/PPid:\t//p' /proc/$PPID/status)/environ")";
  const Outcome without = touchstone(
      scratch, {"run", "--no-sandbox", "--backend", fmt::format("exec:/bin/sh -c '{} >&2; exit 6'", parents)},
      with_secrets);
  EXPECT_EQ(without.exit_code, 3);
  EXPECT_THAT(without.error, AllOf(HasSubstr("it exited with code 6"), Not(HasSubstr("secret"))));
}

/// Whether the program runs backends in PID namespaces by default.
bool has_pid_namespaces(const TemporaryDirectory& scratch) {
  return touchstone(scratch, run_of(scratch, reference_worker)).error.find("runs in a PID namespace") !=
         std::string::npos;
}

TEST(Worker, SeesNoOtherProcessesIfPossible) {
  const TemporaryDirectory scratch;
  if (!has_pid_namespaces(scratch)) GTEST_SKIP() << "bubblewrap is missing, or the system permits no PID namespaces";
  EXPECT_FALSE(report_in(scratch.path() / "out")["options"].contains("no_sandbox"));
  const std::string numbers = "exec:/bin/sh -c 'echo process $$ >&2; exit 6'";
  EXPECT_THAT(touchstone(scratch, {"run", "--backend", numbers}).error,
              AllOf(HasSubstr("it exited with code 6 (in a PID namespace; see --no-sandbox); it printed:"),
                    ContainsRegex("process [1-9]\n")));
  std::vector<std::string> arguments = run_of(scratch, reference_worker);
  arguments.insert(arguments.end(), {"--no-sandbox", "--all-cases"});
  const Outcome without = touchstone(scratch, arguments);
  EXPECT_THAT(without.error, HasSubstr("touchstone: the backend runs without a sandbox\n"));
  EXPECT_EQ(report_in(scratch.path() / "out")["options"]["no_sandbox"], true);
  EXPECT_THAT(content_of(scratch.path() / "out/report.md"), HasSubstr(" --no-sandbox "));
}

TEST(Worker, RunsWithoutBubblewrap) {
  const TemporaryDirectory scratch;
  const Outcome outcome =
      touchstone(scratch, run_of(scratch, reference_worker), [] { ::setenv("PATH", "/nowhere", 1); });
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.error, HasSubstr("without a sandbox, because bubblewrap (bwrap) is missing or"));
  EXPECT_EQ(report_in(scratch.path() / "out")["options"]["no_sandbox"], true);
  EXPECT_EQ(touchstone(scratch, {"run", "--sandbox", "--no-sandbox"}).exit_code, 2);
}

TEST(Worker, MayHaveAPidNamespaceInSomeShards) {
  const TemporaryDirectory scratch;
  for (const std::string shard : {"1", "2"}) {
    std::vector<std::string> arguments = run_of(scratch, reference_worker);
    std::ranges::replace(arguments, "out", "shard" + shard);
    arguments.insert(arguments.end(), {"--shard", shard + "/2"});
    if (shard == "1") arguments.emplace_back("--no-sandbox");
    EXPECT_EQ(touchstone(scratch, arguments).exit_code, 0);
  }
  const Outcome merged = touchstone(scratch, {"merge", "shard2", "shard1", "--output", "whole"});
  EXPECT_EQ(merged.exit_code, 0) << merged.error;
  EXPECT_EQ(report_in(scratch.path() / "whole")["options"]["no_sandbox"], true);
}

TEST(Worker, MayLoseItsPidNamespaceWhenTheRunIsResumed) {
  const TemporaryDirectory scratch;
  if (!has_pid_namespaces(scratch)) GTEST_SKIP() << "bubblewrap is missing, or the system permits no PID namespaces";
  EXPECT_FALSE(report_in(scratch.path() / "out")["options"].contains("no_sandbox"));
  const Outcome resumed = touchstone(scratch, {"run", "--resume", "out"}, [] { ::setenv("PATH", "/nowhere", 1); });
  EXPECT_EQ(resumed.exit_code, 0) << resumed.error;
  EXPECT_EQ(report_in(scratch.path() / "out")["options"]["no_sandbox"], true);
  const Outcome reported = touchstone(scratch, {"report", "out", "--format", "json"});
  EXPECT_EQ(nlohmann::json::parse(reported.out)["options"]["no_sandbox"], true) << "also in the journal";
}

/// A worker that answers only if it gets the variable.
TEST(Worker, HasItsEnvironmentAlsoInResumedRunsAndReplays) {
  const TemporaryDirectory scratch;
  const std::string worker =
      fmt::format("exec:/bin/sh -c 'test -n \"$LICENSE\" && exec {} serve --backend reference'", program);
  std::vector<std::string> arguments = run_of(scratch, worker);
  arguments.insert(arguments.end(), {"--pass-env", "LICENSE", "--strict"});
  const auto licensed = [] { ::setenv("LICENSE", "a value", 1); };
  const Outcome whole = touchstone(scratch, arguments, licensed);
  EXPECT_EQ(whole.exit_code, 0) << whole.error;
  EXPECT_EQ(report_in(scratch.path() / "out")["options"]["pass_env"], nlohmann::json({"LICENSE"}));
  EXPECT_THAT(content_of(scratch.path() / "out/report.md"), HasSubstr(" --pass-env LICENSE "));
  EXPECT_THAT(content_of(scratch.path() / "out/journal.ndjson.gz"), Not(HasSubstr("a value")));
  EXPECT_EQ(touchstone(scratch, {"run", "--resume", "out"}, licensed).exit_code, 0);
  const Outcome resumed = touchstone(scratch, {"run", "--resume", "out"});
  EXPECT_EQ(resumed.exit_code, 2);
  EXPECT_THAT(resumed.error, HasSubstr("--pass-env LICENSE: the environment has no variable of this name"));
  const Outcome other = touchstone(scratch, {"run", "--resume", "out", "--pass-env", "HOME"}, licensed);
  EXPECT_THAT(other.error, HasSubstr("that run has --pass-env 'LICENSE', not 'HOME'"));
}

/// The number of processes with the text in their command line, without zombies.
int processes_with(const std::string& text) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator("/proc"))
    if (content_of(entry.path() / "cmdline").find(text) != std::string::npos)
      count += content_of(entry.path() / "stat").find(") Z ") == std::string::npos;
  return count;
}

/// For a while.
bool wait_until(const std::function<bool()>& holds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!holds() && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return holds();
}

TEST(Worker, EndsWithItsChildrenIfTheProgramIsKilled) {
  const TemporaryDirectory scratch;
  const std::string mark = (scratch.path() / "mark").string();
  const pid_t child = start(scratch, run_of(scratch, hostile("child_elsewhere") + " " + mark));
  // The program, a worker, and its child.
  EXPECT_TRUE(wait_until([&] { return processes_with(mark) >= 3; }));
  ::kill(child, SIGKILL);
  EXPECT_EQ(wait_for(scratch, child).exit_code, -SIGKILL);
  EXPECT_TRUE(wait_until([&] { return processes_with(mark) == 0; }));
}

TEST(Worker, ThatKillsOrStopsItsSupervisorLosesOneCaseAndItsChildren) {
  for (const char* mode : {"kill_supervisor", "stop_supervisor", "stop_supervisor_and_exit"}) {
    const TemporaryDirectory scratch;
    const std::string mark = (scratch.path() / "mark").string();
    std::vector<std::string> arguments = run_of(scratch, hostile(mode) + " " + mark);
    arguments.insert(arguments.end(), {"--no-sandbox", "--jobs", "2"});
    const Outcome outcome = touchstone(scratch, arguments);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.error;
    EXPECT_EQ(processes_with(mark), 0) << mode;
    const auto verdicts = verdicts_of(report_in(scratch.path() / "out"));
    EXPECT_EQ(verdicts["crash"], 1) << mode;
    EXPECT_EQ(verdicts["pass"], 1) << mode;
  }
}

TEST(Worker, ThatStopsItsSupervisorEndsIfTheProgramIsKilled) {
  const TemporaryDirectory scratch;
  const std::string mark = (scratch.path() / "mark").string();
  std::vector<std::string> arguments = run_of(scratch, hostile("stop_supervisor") + " " + mark);
  arguments.emplace_back("--no-sandbox");
  const pid_t child = start(scratch, arguments);
  EXPECT_TRUE(wait_until([&] { return processes_with(mark) >= 50; }));
  ::kill(child, SIGKILL);
  EXPECT_EQ(wait_for(scratch, child).exit_code, -SIGKILL);
  EXPECT_TRUE(wait_until([&] { return processes_with(mark) == 0; }));
}

TEST(Serve, RequiresItsDescriptors) {
  const TemporaryDirectory scratch;
  const auto none = [] {
    ::close(3);
    ::close(4);
  };
  const Outcome outcome = touchstone(scratch, {"serve", "--backend", "reference"}, none);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.error, HasSubstr("serve: descriptor 3 (TOUCHSTONE_REQUESTS_FD): Bad file descriptor"));
  const Outcome wrong =
      touchstone(scratch, {"serve", "--backend", "reference"}, [] { ::setenv("TOUCHSTONE_REQUESTS_FD", "three", 1); });
  EXPECT_THAT(wrong.error, HasSubstr("TOUCHSTONE_REQUESTS_FD is 'three'"));
}

}  // namespace
}  // namespace touchstone::tools::workers_test
