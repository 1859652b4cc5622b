// Runs that have been: their reports, their differences, going on with them, and their failures again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <map>
#include <set>
#include <thread>

#include "conformance/plan/cell.h"
#include "conformance/report/format.h"
#include "optimized/isa.h"
#include "spec/clauses.h"
#include "tools/touchstone/program_testing.h"

namespace touchstone::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A run of two cases, one blocked and one per tensor, whose journal is in out/.
void run_two(const TemporaryDirectory& scratch) {
  fs::remove_all(scratch.path() / "tests");
  copy_of("1.22.0/test_quantizelinear_blocked_symmetric", scratch.path() / "tests" / "a");
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "b");
  ASSERT_EQ(touchstone(scratch, {"run", "--suite", "onnx", "--data", "tests", "--output", "out"}).exit_code, 0);
}

TEST(Program, MakesTheReportsOfARunFromItsJournal) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  for (const conformance::ReportFormat& format : conformance::report_formats()) {
    const Outcome report = touchstone(scratch, {"report", "out", "--format", std::string(format.name)});
    EXPECT_EQ(report.exit_code, 0) << report.error;
    EXPECT_TRUE(report.out == content_of(scratch.path() / "out" / format.file_name)) << format.name;
  }
  const Outcome terminal = touchstone(scratch, {"report", "out"});
  EXPECT_THAT(terminal.out, AllOf(HasSubstr("2 of 2 cases passed"), HasSubstr("DequantizeLinear 10")));

  const Outcome some = touchstone(scratch, {"report", "out", "--format", "csv,terminal", "--output", "some"});
  EXPECT_EQ(some.out, "some/report.csv\nsome/report.txt\n");
  EXPECT_TRUE(fs::exists(scratch.path() / "some" / "report.csv"));
  touchstone(scratch, {"report", "out", "--format", "markdown", "--output", "one.md"});
  EXPECT_THAT(content_of(scratch.path() / "one.md"), HasSubstr("**2 of 2 cases passed.**"));
}

TEST(Program, ReportsAPartOfARun) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  const Outcome blocked = touchstone(scratch, {"report", "out", "--granularity", "blocked"});
  EXPECT_THAT(blocked.out, AllOf(HasSubstr("granularity blocked"), HasSubstr("1 of 1 cases passed")));
  const Outcome none = touchstone(scratch, {"report", "out", "--granularity", "per_row"});
  EXPECT_EQ(none.exit_code, 5);
  EXPECT_THAT(none.error, HasSubstr("there is blocked, per_tensor"));
  EXPECT_EQ(touchstone(scratch, {"report", "out", "--form", "inputs"}).exit_code, 5);
}

TEST(Program, NamesTheLineOfACorruptJournal) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  const fs::path journal = scratch.path() / "out" / "journal.ndjson";
  std::string lines = content_of(journal);
  lines.insert(lines.find('\n') + 1, "no JSON\n");
  write_file(journal, lines);
  const Outcome corrupt = touchstone(scratch, {"report", "out"});
  EXPECT_EQ(corrupt.exit_code, 3);
  EXPECT_THAT(corrupt.error, AllOf(HasSubstr("journal.ndjson"), HasSubstr("line 2")));
  EXPECT_EQ(corrupt.out, "");
  EXPECT_EQ(touchstone(scratch, {"report", "out", "--format", "csv", "--output", "/dev/null/x"}).exit_code, 3);
}

// ---- going on with a run

const std::vector<std::string> some_cases{"--suite", "generated", "--filter", "*/24/*blocked*"};

std::vector<std::string> with_some_cases(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), some_cases.begin(), some_cases.end());
  return arguments;
}

/// Everything that a run leaves, but for what names the directory.
std::map<std::string, std::string> files_in(const fs::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(directory))
    if (entry.is_regular_file()) files[entry.path().filename().string()] = content_of(entry.path());
  return files;
}

TEST(Runs, AreTheSameForAnyNumberOfJobs) {
  const TemporaryDirectory scratch;
  touchstone(scratch, with_some_cases({"run", "--output", "one", "--jobs", "1"}));
  touchstone(scratch, with_some_cases({"run", "--output", "five", "--jobs", "5"}));
  EXPECT_TRUE(files_in(scratch.path() / "one") == files_in(scratch.path() / "five"));
}

/// Waits until the file has so many bytes, or the program has ended.
void wait_for_bytes(const fs::path& file, std::uintmax_t bytes, pid_t child) {
  std::error_code error;
  while (!(fs::exists(file, error) && fs::file_size(file, error) >= bytes) && ::kill(child, 0) == 0) {
    siginfo_t ended{};
    if (::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == child)
      return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// Killed at many moments, and gone on with, a run leaves what one leaves that was not interrupted.
TEST(Runs, GoOnWhereTheyWereKilled) {
  const TemporaryDirectory scratch;
  const Outcome whole = touchstone(scratch, with_some_cases({"run", "--output", "whole"}));
  ASSERT_EQ(whole.exit_code, 0) << whole.error;
  const auto expected = files_in(scratch.path() / "whole");
  const std::uintmax_t bytes = fs::file_size(scratch.path() / "whole" / "journal.ndjson");
  const fs::path journal = scratch.path() / "killed" / "journal.ndjson";
  int interrupted = 0;
  for (int part = 0; part < 5; ++part) {
    fs::remove_all(scratch.path() / "killed");
    const pid_t child = start(scratch, with_some_cases({"run", "--output", "killed", "--jobs", "2"}));
    wait_for_bytes(journal, 1000 + bytes * static_cast<std::uintmax_t>(part) / 5, child);
    ::kill(child, SIGKILL);
    if (wait_for(scratch, child).exit_code == -SIGKILL) ++interrupted;
    const Outcome resumed = touchstone(scratch, {"run", "--resume", "killed"});
    ASSERT_EQ(resumed.exit_code, 0) << resumed.error;
    EXPECT_TRUE(files_in(scratch.path() / "killed") == expected) << "killed in part " << part;
  }
  EXPECT_GE(interrupted, 3);
}

TEST(Runs, SayThatTheyEndWhenTheyAreInterrupted) {
  const TemporaryDirectory scratch;
  const pid_t child = start(scratch, {"run", "--suite", "generated", "--output", "out", "--jobs", "1"});
  wait_for_bytes(scratch.path() / "out" / "journal.ndjson", 2000, child);
  ::kill(child, SIGTERM);
  const Outcome interrupted = wait_for(scratch, child);
  EXPECT_EQ(interrupted.exit_code, 4);
  EXPECT_THAT(interrupted.error,
              AllOf(HasSubstr("finishing the cases that are being run"), HasSubstr("again to stop")));
  EXPECT_THAT(interrupted.error, Not(HasSubstr("\033"))) << "it is no terminal";
  EXPECT_EQ(touchstone(scratch, {"run", "--suite", "generated", "--output", "out"}).exit_code, 2);
}

/// Drops the last lines of a run's journal, as if it had been killed.
void cut_off(const fs::path& journal, std::size_t lines) {
  std::string content = content_of(journal);
  for (; lines > 0; --lines) content.resize(content.rfind('\n', content.size() - 2) + 1);
  write_file(journal, content);
}

TEST(Runs, GoOnWithTheOptionsThatTheyHad) {
  const TemporaryDirectory scratch;
  copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "tests" / "a");
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "b");
  copy_of("1.5.0/test_quantizelinear", scratch.path() / "tests" / "c");
  const fs::path out = scratch.path() / "out";
  touchstone(scratch, {"run", "--data", "tests", "--filter=-*c", "--strict", "--sign-of-zero", "--tier", "smoke",
                       "--seed", "7", "--output", "out"});
  const auto whole = files_in(out);
  cut_off(out / "journal.ndjson", 1);
  const Outcome resumed = touchstone(scratch, {"run", "--resume", "out"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.error;
  EXPECT_TRUE(files_in(out) == whole);

  cut_off(out / "journal.ndjson", 1);
  const Outcome repeated = touchstone(
      scratch, {"run", "--resume", "out", "--suite", "onnx", "--data", "./tests/", "--seed", "7", "--strict"});
  EXPECT_EQ(repeated.exit_code, 0) << repeated.error;
  EXPECT_TRUE(files_in(out) == whole);
}

TEST(Runs, DoNotGoOnWithOtherOptions) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  struct Row {
    std::vector<std::string> arguments;
    const char* recorded;
    const char* given;
  };
  const Row rows[] = {
      {{"--suite", "generated"}, "--suite 'onnx'", "not 'generated'"},
      {{"--tier", "smoke"}, "--tier 'standard'", "not 'smoke'"},
      {{"--seed", "1"}, "--seed '0'", "not '1'"},
      {{"--filter", "*a"}, "--filter '*'", "not '*a'"},
      {{"--data", "other"}, "/tests'", "/other'"},
      {{"--backend", "other"}, "--backend 'optimized'", "not 'other'"},
      {{"--strict"}, "--strict 'false'", "not 'true'"},
      {{"--sign-of-zero"}, "--sign-of-zero 'false'", "not 'true'"},
      {{"--overwrite"}, "--overwrite", "--resume"},
  };
  for (const Row& row : rows) {
    std::vector<std::string> arguments{"run", "--resume", "out"};
    arguments.insert(arguments.end(), row.arguments.begin(), row.arguments.end());
    const Outcome other = touchstone(scratch, arguments);
    EXPECT_EQ(other.exit_code, 2) << row.given;
    EXPECT_THAT(other.error, AllOf(HasSubstr(row.recorded), HasSubstr(row.given)));
  }
  const Outcome none = touchstone(scratch, {"run", "--resume", "nowhere"});
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_THAT(none.error, HasSubstr("nowhere"));
}

TEST(Runs, DoNotGoOnWithOtherCases) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  const fs::path journal = scratch.path() / "out" / "journal.ndjson";
  cut_off(journal, 1);
  const std::string before = content_of(journal);
  const auto resume = [&] { return touchstone(scratch, {"run", "--resume", "out"}); };

  fs::copy(scratch.path() / "tests" / "b", scratch.path() / "tests" / "c", fs::copy_options::recursive);
  const Outcome more = resume();
  EXPECT_EQ(more.exit_code, 2);
  EXPECT_THAT(more.error, AllOf(HasSubstr("plan of 2 cases"), HasSubstr("there are 3")));
  fs::remove_all(scratch.path() / "tests" / "c");

  fs::remove_all(scratch.path() / "tests" / "a");
  copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "tests" / "a");
  const Outcome changed = resume();
  EXPECT_EQ(changed.exit_code, 2);
  EXPECT_THAT(changed.error, HasSubstr("onnx/a is another case than the one that was run"));

  std::string older = before;
  const std::string key = R"("touchstone":{"version":")";
  older.insert(older.find(key) + key.size(), "0.0.1-");
  write_file(journal, older);
  const Outcome other_tool = resume();
  EXPECT_EQ(other_tool.exit_code, 2);
  EXPECT_THAT(other_tool.error, HasSubstr("touchstone 0.0.1-"));
  EXPECT_EQ(content_of(journal), older) << "nothing was done";
}

TEST(Runs, AreNotLostBeforeTheyAreFinished) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  run_two(scratch);  // in place of a finished one
  const fs::path journal = scratch.path() / "out" / "journal.ndjson";
  cut_off(journal, 1);
  const std::string before = content_of(journal);
  std::vector<std::string> run{"run", "--data", "tests", "--output", "out"};
  const Outcome refused = touchstone(scratch, run);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.error, AllOf(HasSubstr("not finished"), HasSubstr("--resume out"), HasSubstr("--overwrite")));
  EXPECT_EQ(content_of(journal), before);
  run.emplace_back("--overwrite");
  EXPECT_EQ(touchstone(scratch, run).exit_code, 0);
}

// ---- failures

/// ONNX's per-axis test with a wrong expected byte, as the directory tests/a: its only case fails.
void spoil_a_test(const TemporaryDirectory& scratch) {
  const fs::path test = copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "tests" / "a");
  const fs::path output = test / "test_data_set_0" / "output_0.pb";
  std::string bytes = content_of(output);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write_file(output, bytes);
}

TEST(Failures, LeaveReproducersThatFailAgain) {
  const TemporaryDirectory scratch;
  spoil_a_test(scratch);
  const Outcome run = touchstone(scratch, {"run", "--data", "tests", "--output", "out"});
  EXPECT_EQ(run.exit_code, 1);
  const fs::path reproducer = scratch.path() / "out" / "reproducers" / "onnx" / "a";
  EXPECT_TRUE(fs::exists(reproducer / "model.onnx")) << run.out;
  EXPECT_THAT(content_of(reproducer / "replay.txt"),
              AllOf(HasSubstr("touchstone replay onnx/a --backend optimized"), HasSubstr("\n# fail: ")));
  const Outcome again = touchstone(scratch, {"run", "--data", "out/reproducers", "--output", "again"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.out, HasSubstr("1 of 1 cases: fail"));
  const Outcome none = touchstone(scratch, {"run", "--data", "tests", "--output", "out", "--max-reproducers", "0"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_FALSE(fs::exists(reproducer)) << "of the earlier run";
}

TEST(Failures, AreReplayed) {
  const TemporaryDirectory scratch;
  spoil_a_test(scratch);
  const Outcome wrong = touchstone(scratch, {"replay", "onnx/a", "--data", "tests", "--write", "written"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.out, AllOf(HasSubstr("fail"), HasSubstr("1 of"), HasSubstr("zero point")));
  EXPECT_TRUE(fs::exists(scratch.path() / "written" / "model.onnx"));
  const std::string id = "quantize_linear/21/f16-f16-i4/blocked/zp/values";
  EXPECT_EQ(touchstone(scratch, {"replay", id, "--suite", "generated"}).exit_code, 0);
  EXPECT_EQ(touchstone(scratch, {"replay", "nothing", "--suite", "generated"}).exit_code, 5);
}

/// The line is for a shell that has the program in its path, and may stand anywhere.
TEST(Failures, AreReplayedByTheLineInTheirReproducer) {
  const TemporaryDirectory scratch;
  spoil_a_test(scratch);
  const std::string hostile = "it's $(touch carried-out) \xff\n;x";
  fs::rename(scratch.path() / "tests" / "a", scratch.path() / "tests" / hostile);
  fs::rename(scratch.path() / "tests", scratch.path() / "my 'tests'");
  touchstone(scratch, {"run", "--data", "my 'tests'", "--output", "out", "--strict", "--max-reproducers", "1"});
  std::string line;
  for (const auto& entry : fs::recursive_directory_iterator(scratch.path() / "out" / "reproducers"))
    if (entry.path().filename() == "replay.txt") line = content_of(entry.path());
  ASSERT_NE(line, "");
  const std::string program = fs::path(TOUCHSTONE_PROGRAM).parent_path();
  write_file(scratch.path() / "again.sh",
             "cd '" + scratch.path().string() + "' && PATH='" + program + "':\"$PATH\"\n" + line);
  const std::string command = "sh " + (scratch.path() / "again.sh").string();
  const int status = std::system((command + " > " + (scratch.path() / "replayed").string() + " 2>&1").c_str());
  const std::string replayed = content_of(scratch.path() / "replayed");
  EXPECT_EQ(WEXITSTATUS(status), 1) << replayed;
  EXPECT_THAT(replayed, AllOf(HasSubstr("fail"), HasSubstr("1 of 18 elements differ")));
  EXPECT_FALSE(fs::exists(scratch.path() / "carried-out"));
}

TEST(Failures, ThatAreExpectedDoNotFailTheRun) {
  const TemporaryDirectory scratch;
  spoil_a_test(scratch);
  write_file(scratch.path() / "known.json",
             R"({"expectations": [{"pattern": "onnx/a", "verdict": "fail", "reason": "spoilt", "issue": "X-1"}]})");
  const std::vector<std::string> run{"run", "--data", "tests", "--expectations", "known.json"};
  const Outcome expected = touchstone(scratch, run);
  EXPECT_EQ(expected.exit_code, 0) << expected.out;
  EXPECT_THAT(expected.out, AllOf(HasSubstr("1 of 1 cases: fail"), HasSubstr("spoilt"), HasSubstr("X-1")));
  EXPECT_EQ(report_in(scratch.path() / "touchstone-report")["expectations"][0]["met"], 1);
  const fs::path kept = scratch.path() / "touchstone-report" / "journal.expectations.json";
  EXPECT_EQ(content_of(kept), content_of(scratch.path() / "known.json"));
  EXPECT_THAT(touchstone(scratch, {"report", "touchstone-report"}).out,
              HasSubstr("1 of 1 cases went wrong as expected"));
  EXPECT_EQ(touchstone(scratch, {"run", "--data", "tests"}).exit_code, 1);
  EXPECT_FALSE(fs::exists(kept)) << "of the earlier run";

  fs::remove_all(scratch.path() / "tests");
  copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "tests" / "a");
  const Outcome mended = touchstone(scratch, run);
  EXPECT_EQ(mended.exit_code, 1);
  EXPECT_THAT(mended.out, AllOf(HasSubstr("unexpected pass"), HasSubstr("onnx/a")));

  write_file(scratch.path() / "known.json", R"({"expectations": [{"pattern": "b"}]})");
  const Outcome bad = touchstone(scratch, run);
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_THAT(bad.error, AllOf(HasSubstr("known.json"), HasSubstr("expectation 1")));
}

TEST(Failures, AreToldFromThoseOfAnotherRun) {
  const TemporaryDirectory scratch;
  copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "tests" / "a");
  touchstone(scratch, {"run", "--data", "tests", "--output", "before"});
  fs::remove_all(scratch.path() / "tests");
  spoil_a_test(scratch);
  touchstone(scratch, {"run", "--data", "tests", "--output", "after"});
  const Outcome worse = touchstone(scratch, {"diff", "before", "after"});
  EXPECT_EQ(worse.exit_code, 1);
  EXPECT_THAT(worse.out, AllOf(HasSubstr("newly failing: 1"), HasSubstr("onnx/a: pass -> fail")));
  const Outcome better = touchstone(scratch, {"diff", "after", "before"});
  EXPECT_EQ(better.exit_code, 0);
  EXPECT_THAT(better.out, HasSubstr("newly passing: 1"));
  EXPECT_THAT(touchstone(scratch, {"diff", "after", "after"}).out, HasSubstr("no difference"));
  EXPECT_EQ(touchstone(scratch, {"diff", "after", "nowhere"}).exit_code, 2);
}

TEST(Diff, FailsForCasesThatAreGoneAndNamesOtherJudging) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  touchstone(scratch, {"run", "--data", "tests", "--output", "some", "--strict", "--seed", "7", "--filter", "*a"});
  const Outcome fewer = touchstone(scratch, {"diff", "out", "some"});
  EXPECT_EQ(fewer.exit_code, 1);
  EXPECT_THAT(fewer.out,
              AllOf(HasSubstr("only in the old run: 1\n  onnx/b"), HasSubstr("not judged alike"),
                    HasSubstr("seed 0, filter '*'"), HasSubstr("seed 7, filter '*a'"), HasSubstr(", strict")));
  EXPECT_EQ(touchstone(scratch, {"diff", "some", "out"}).exit_code, 0);
  EXPECT_THAT(touchstone(scratch, {"diff", "out", "out"}).out, Not(HasSubstr("judged")));

  write_file(scratch.path() / "some" / "journal.ndjson", "no JSON\n");
  for (const char* command : {"diff", "report"}) {
    std::vector<std::string> arguments{command, "some"};
    if (std::string_view(command) == "diff") arguments.emplace_back("out");
    const Outcome corrupt = touchstone(scratch, arguments);
    EXPECT_EQ(corrupt.exit_code, 3) << command;
    EXPECT_THAT(corrupt.error, AllOf(HasSubstr("journal.ndjson"), HasSubstr("line 1"))) << command;
  }
}

// ---- everything

/// The report of a run in the environment of a user who names an instruction set, or, if it is null, none.
nlohmann::json report_of_run(const char* isa, std::vector<std::string> arguments) {
  const TemporaryDirectory scratch;
  arguments.insert(arguments.begin(), "run");
  const Outcome run = touchstone(scratch, arguments, [&] {
    if (isa != nullptr) ::setenv("TOUCHSTONE_ISA", isa, 1);
  });
  EXPECT_EQ(run.exit_code, 0) << run.out << run.error;
  return report_in(scratch.path() / "touchstone-report");
}

/// What ONNX's authors computed, and of the generated suite what is quick to run.
TEST(Backends, PassTheSmokeTierOnEveryIsa) {
  struct Row {
    const char* backend;
    const char* isa;
    const char* description;
  };
  std::vector<Row> rows{{"reference", nullptr, "exact arithmetic"}, {"optimized", "portable", "portable kernels"}};
  if (optimized::is_available(optimized::Isa::avx2)) rows.push_back({"optimized", "avx2", "avx2 kernels"});
  for (const auto& [backend, isa, description] : rows) {
    const nlohmann::json report = report_of_run(isa, {"--tier", "smoke", "--backend", backend, "--quiet"});
    EXPECT_EQ(report["backend"]["name"], backend);
    EXPECT_THAT(report["backend"]["description"], HasSubstr(description));
    EXPECT_EQ(report["summary"]["verdicts"]["pass"], report["summary"]["cases"]) << description;
  }
}

/// The whole of both suites: nothing legal without a case, no clause without one, and `optimized` passes by the primary
/// readings.
TEST(StandardTier, CoversEverythingAndPasses) {
  const TemporaryDirectory scratch;
  const Outcome run = touchstone(scratch, {"run", "--quiet", "--strict", "--sign-of-zero"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.error;
  const nlohmann::json report = report_in(scratch.path() / "touchstone-report");
  EXPECT_EQ(report["backend"]["name"], "optimized");
  EXPECT_EQ(report["summary"]["cells"]["covered"], conformance::count_legal_cells());
  EXPECT_EQ(report["summary"]["verdicts"]["pass"], report["summary"]["cases"]);
  std::set<std::string> clauses;
  for (const nlohmann::json& record : report["cases"])
    for (const nlohmann::json& clause : record["clauses"]) clauses.insert(clause);
  for (const spec::Clause& clause : spec::clauses) EXPECT_TRUE(clauses.contains(std::string(clause.id))) << clause.id;
  const auto size = [&](const char* file) { return fs::file_size(scratch.path() / "touchstone-report" / file); };
  EXPECT_LE(size("report.html"), 10'000'000U);
}

TEST(StandardTier, PassesOnPortableKernels) {
  const nlohmann::json report = report_of_run("portable", {"--quiet", "--strict", "--sign-of-zero"});
  EXPECT_EQ(report["backend"]["description"], "native arithmetic, portable kernels");
  EXPECT_EQ(report["summary"]["verdicts"]["pass"], report["summary"]["cases"]);
}

TEST(Coverage, CountsCases) {
  const TemporaryDirectory scratch;
  const Outcome all = touchstone(scratch, {"coverage", "--suite", "onnx"});
  EXPECT_THAT(all.out, AllOf(HasSubstr("137 of  34786 cells"), HasSubstr("ql-round-half-even")));
  const Outcome some = touchstone(scratch, {"coverage", "--suite", "onnx", "--of", "qdq-blocked"});
  EXPECT_THAT(some.out, AllOf(HasSubstr("onnx/1.22.0/test_dequantizelinear_blocked"), Not(HasSubstr("_axis"))));
  const std::string rule = "must_reject/attribute/axis";
  const Outcome of_rule = touchstone(scratch, {"coverage", "--filter", "*must_reject/attribute/*", "--of", rule});
  EXPECT_EQ(of_rule.out, "quantize_linear/10/" + rule + "\ndequantize_linear/10/" + rule +
                             "\nopmx/dequantize_linear/1/" + rule + "\n");
  const Outcome rules = touchstone(scratch, {"coverage", "--filter", "*must_reject/attribute/*"});
  EXPECT_THAT(rules.out, testing::ContainsRegex(rule + " +3 cases\n"));
  EXPECT_EQ(touchstone(scratch, {"coverage", "--of", "nothing"}).exit_code, 2);
}

TEST(Coverage, NamesWhatNoCaseCovers) {
  const TemporaryDirectory scratch;
  const Outcome some = touchstone(scratch, {"coverage", "--suite", "onnx", "--jobs", "1"});
  EXPECT_THAT(some.out, AllOf(HasSubstr("no case covers these 34649 cells:\n  quantize_linear/10/"),
                              HasSubstr("... and 34629 more; --uncovered shows all\n"),
                              HasSubstr("no case breaks these "), HasSubstr("  must_reject/attribute/axis\n")));
  const Outcome all = touchstone(scratch, {"coverage", "--suite", "onnx", "--jobs", "3", "--uncovered"});
  EXPECT_THAT(all.out, AllOf(HasSubstr("these 34649 cells"), Not(HasSubstr("--uncovered"))));
  EXPECT_GT(std::count(all.out.begin(), all.out.end(), '\n'), 34649);
  const Outcome whole = touchstone(scratch, {"coverage"});
  EXPECT_THAT(whole.out, AllOf(HasSubstr("34786 of  34786 cells"), Not(HasSubstr("no case"))));
}

}  // namespace
}  // namespace touchstone::tools
