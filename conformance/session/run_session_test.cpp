#include "conformance/session/run_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/diagnose/wrong_backend.h"
#include "conformance/files/file_io.h"
#include "conformance/report/format.h"
#include "conformance/run/journal_testing.h"
#include "conformance/testing.h"
#include "conformance/version.h"

namespace touchstone::conformance::run_session_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using Reason = RunRefused::Reason;

const RunSession::OnCase ignore = [](const CaseRecord&, std::size_t) {};

/// The content of a file; of a journal, its lines.
std::string content_of(const fs::path& path) {
  return path.filename() == journal_name ? lines_of_journal(path) : read_bounded_file(path, std::uint64_t{1} << 20);
}

/// Four cases, of which "c" fails with every backend that follows the specification: a byte that it expects is wrong.
std::vector<PlannedCase> four_cases() {
  std::vector<PlannedCase> cases;
  for (const std::string id : {"a", "b", "c", "d"}) {
    Case made = per_axis_case(id);
    if (id == "c")
      made.data_sets[0].expected[0].value = tensor(spec::ElementType::uint8, {2, 3}, {10, 20, 30, 13, 22, 32});
    cases.push_back({id, made_by({[made] { return made; }})});
  }
  return cases;
}

RunSession::Setup reference_setup() {
  return {.options = {.suites = {"generated"},
                      .tier = "smoke",
                      .seed = 7,
                      .filter = "*",
                      .strict = true,
                      .backend_option = "reference"},
          .cases = four_cases(),
          .backend = std::make_unique<ReferenceBackend>(),
          .make_backend = [] { return std::make_unique<ReferenceBackend>(); },
          .jobs = 2};
}

/// Stops a run after this many cases. The run has one job, so that no more cases are finished.
struct StopAfter {
  std::size_t cases;
  std::size_t done = 0;

  void run(RunSession& session) {
    session.run(
        {}, [&] { return done >= cases; }, [&](const CaseRecord&, std::size_t) { ++done; });
  }
};

class RunSessions : public testing::Test {
 protected:
  RunSession begin(RunSession::Setup setup = reference_setup(), bool overwrite = false) const {
    return {new_run_in(path_, overwrite), std::move(setup)};
  }
  RunSession resume(RunSession::Setup setup = reference_setup()) const {
    return {resumed_run_in(path_), std::move(setup)};
  }

  /// Runs what remains, and writes all results.
  static Summary finish(RunSession session) {
    session.run({}, {}, ignore);
    Summary summary = session.summarize();
    session.write_results(summary, 20);
    return summary;
  }

  /// A run of only the first cases, without reports: as if it had been killed.
  void interrupt_after(std::size_t cases) const {
    RunSession::Setup setup = reference_setup();
    setup.jobs = 1;
    RunSession session = begin(std::move(setup), /*overwrite=*/true);
    StopAfter{cases}.run(session);
    ASSERT_THAT(session.records(), SizeIs(cases));
  }

  /// The content of all files below the directory.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(path_))
      if (entry.is_regular_file()) found[entry.path().lexically_relative(path_)] = content_of(entry.path());
    return found;
  }

  /// The same without times: two equal runs have the same.
  std::map<std::string, std::string> results() const {
    auto found = files();
    for (const char* timed : {"journal.ndjson.gz", "summary.json", "result.json"})
      if (const auto file = found.find(timed); file != found.end()) file->second = without_times(file->second);
    return found;
  }

  /// The reason and the message of the refusal.
  template <class Attempt>
  std::pair<std::optional<Reason>, std::string> refusal_of(Attempt attempt) const {
    const auto before = files();
    try {
      attempt();
    } catch (const RunRefused& refused) {
      EXPECT_TRUE(files() == before) << refused.what();
      return {refused.reason(), refused.what()};
    }
    return {std::nullopt, ""};
  }

  void expect_refusal(const std::pair<std::optional<Reason>, std::string>& refusal, Reason reason,
                      const std::string& message) const {
    EXPECT_EQ(refusal.first, reason) << refusal.second;
    EXPECT_THAT(refusal.second, HasSubstr(message));
  }

  TemporaryDirectory scratch_;
  fs::path path_ = scratch_.path() / "out";
};

TEST_F(RunSessions, RunTheCasesAndWriteAllResults) {
  std::vector<std::string> seen;
  std::size_t problems = 0;
  {
    RunSession session = begin();
    const FailedCases failed = session.run({}, {}, [&](const CaseRecord& record, std::size_t problems_so_far) {
      seen.push_back(record.id);
      problems = problems_so_far;
    });
    EXPECT_EQ(failed.timeouts + failed.crashes, 0U);
    const Summary summary = session.summarize();
    EXPECT_EQ(summary.all.cases(Verdict::pass), 3U);
    EXPECT_EQ(summary.all.cases(Verdict::fail), 1U);
    EXPECT_TRUE(summary.inconsistencies);
    session.write_results(summary, 20);
  }
  EXPECT_THAT(seen, ElementsAre("a", "b", "c", "d"));
  EXPECT_EQ(problems, 1U);

  const Journal journal = read_run(path_);
  EXPECT_THAT(journal.records, SizeIs(4));
  EXPECT_TRUE(journal.inconsistencies);
  EXPECT_TRUE(journal.fingerprint);
  EXPECT_EQ(journal.run.tool_version, touchstone_version);
  EXPECT_EQ(journal.run.backend.name, "reference");
  EXPECT_EQ(journal.run.seed, 7U);
  EXPECT_EQ(journal.run.cases, 4U);
  EXPECT_TRUE(journal.run.strict);
  for (const ReportFormat& format : report_formats())
    EXPECT_EQ(fs::exists(path_ / format.file_name), format.is_written()) << format.name;
  EXPECT_THAT(content_of(path_ / "reproducers/c/replay.txt"),
              AllOf(HasSubstr("touchstone replay c --backend reference"), HasSubstr("\n# fail: ")));
  EXPECT_FALSE(fs::exists(path_ / "reproducers/a"));
}

TEST_F(RunSessions, KeepTheirResultsIfAStopEndsTheirExamination) {
  struct WrongInA : WrongBackend {
    using WrongBackend::WrongBackend;
    UnitAnswer run(const Unit& unit) override {
      return unit.case_id == "a" ? WrongBackend::run(unit) : WrongBackend({}).run(unit);
    }
  };
  const auto make = [] { return std::make_unique<WrongInA>(std::vector{find_wrong_model("ignores-zero-point")}); };
  RunSession::Setup setup = reference_setup();
  setup.backend = make();
  setup.make_backend = make;
  RunSession session = begin(std::move(setup));
  session.run({}, {}, ignore);
  const Summary summary = session.summarize([] { return true; });
  EXPECT_EQ(summary.all.cases(Verdict::pass), 2U);
  EXPECT_FALSE(session.records()[0].hypotheses.empty());
  EXPECT_EQ(summary.causes.at(0).name, "") << "it was not compared with right cases";
  EXPECT_EQ(summary.stopped, "interrupted before the results were compared");
  EXPECT_FALSE(summary.fingerprint);
  session.write_results(summary, 20);
  EXPECT_THAT(read_run(path_).records, SizeIs(4));
}

TEST_F(RunSessions, WriteTheSameResultsAfterAnyInterruption) {
  finish(begin());
  const auto whole = results();
  for (std::size_t cases = 0; cases < 4; ++cases) {
    interrupt_after(cases);
    EXPECT_FALSE(fs::exists(path_ / "report.html")) << "they would be of the earlier run";
    EXPECT_FALSE(fs::exists(path_ / "reproducers"));
    finish(resume());
    EXPECT_TRUE(results() == whole) << "after " << cases << " cases";
  }
  finish(resume());
  EXPECT_TRUE(results() == whole) << "no case was left";
}

TEST_F(RunSessions, ContinueAfterTheirReportsWereWritten) {
  finish(begin());
  const auto whole = results();
  fs::remove_all(path_);
  RunSession::Setup setup = reference_setup();
  setup.jobs = 1;
  {
    RunSession session = begin(std::move(setup));
    StopAfter{2}.run(session);
    const Summary summary = session.summarize();
    EXPECT_EQ(summary.all.cases(Verdict::not_run), 2U);
    session.write_results(summary, 20);
  }
  EXPECT_TRUE(fs::exists(path_ / "report.html"));
  finish(resume());
  EXPECT_TRUE(results() == whole);
}

TEST_F(RunSessions, ReplaceOnlyFinishedRuns) {
  interrupt_after(2);
  expect_refusal(refusal_of([&] { begin(); }), Reason::unfinished_run, "the run in this directory is not finished");
  finish(resume());
  finish(begin());
  write_file(path_ / journal_name, compressed("not a journal"));
  expect_refusal(refusal_of([&] { begin(); }), Reason::unknown_journal, "is not recognizable");
  finish(begin(reference_setup(), /*overwrite=*/true));
  EXPECT_THAT(read_run(path_).records, SizeIs(4));
}

TEST_F(RunSessions, RefuseADirectoryThatIsInUse) {
  const RunSession session = begin();
  expect_refusal(refusal_of([&] { begin(); }), Reason::in_use, "another run is writing to it");
  expect_refusal(refusal_of([&] { begin(reference_setup(), true); }), Reason::in_use, "another run is writing to it");
  expect_refusal(refusal_of([&] { resume(); }), Reason::in_use, "another run is writing to it");
}

TEST_F(RunSessions, RefuseToRemoveFilesThatNoRunWrote) {
  finish(begin());
  write_file(path_ / "reproducers/notes.txt", "mine");
  expect_refusal(refusal_of([&] { begin(); }), Reason::files, "no run wrote this");
  expect_refusal(refusal_of([&] { resume(); }), Reason::files, "no run wrote this");
  fs::remove(path_ / "reproducers/notes.txt");
  RunSession::Setup setup = reference_setup();
  setup.options.data = path_ / "reproducers";
  expect_refusal(refusal_of([&] { begin(std::move(setup)); }), Reason::data, "reproducers");
}

TEST_F(RunSessions, RefuseADirectoryThatCannotBeUsed) {
  fs::create_directories(path_);
  write_file(scratch_.path() / "file", "");
  fs::create_directory_symlink(path_, scratch_.path() / "link");
  const auto begin_in = [&](const char* name) {
    return refusal_of([&] { RunSession(new_run_in(scratch_.path() / name), reference_setup()); });
  };
  expect_refusal(begin_in("file"), Reason::output, "Not a directory");
  expect_refusal(begin_in("link"), Reason::output, "a symbolic link");
  expect_refusal(refusal_of([&] { resumed_run_in(scratch_.path() / "link"); }), Reason::resumed_run, "a symbolic link");
  EXPECT_THAT(failure_of([&] { resumed_run_in(scratch_.path() / "nowhere"); }), HasSubstr("cannot be opened"));
  expect_refusal(refusal_of([&] { read_run(path_); }), Reason::no_run, "has no journal.ndjson.gz");
}

TEST_F(RunSessions, ResumeOnlyTheSameRun) {
  interrupt_after(2);
  const auto refusal_with = [&](auto change) {
    return refusal_of([&] {
      RunSession::Setup setup = reference_setup();
      change(setup);
      resume(std::move(setup));
    });
  };
  expect_refusal(refusal_with([](RunSession::Setup& setup) {
                   setup.backend = std::make_unique<FakeBackend>([] { return Refusal{"no"}; });
                 }),
                 Reason::resumed_run, "that run is of the backend 'reference");
  expect_refusal(refusal_with([](RunSession::Setup& setup) { setup.cases.pop_back(); }), Reason::resumed_run,
                 "plan of 4 cases");
  expect_refusal(refusal_with([](RunSession::Setup& setup) { setup.cases[0].source = setup.cases[2].source; }),
                 Reason::resumed_run, "a is another case than the one that was run");
  std::string lines = content_of(path_ / journal_name);
  const std::string key = R"("touchstone":{"version":")";
  write_file(path_ / journal_name, compressed(with_checksums(lines.insert(lines.find(key) + key.size(), "0.0.1-"))));
  expect_refusal(refusal_of([&] { resume(); }), Reason::resumed_run, "touchstone 0.0.1-");
}

TEST_F(RunSessions, WriteTheOtherReportsIfOneCannotBeWritten) {
  fs::create_directories(path_ / "report.html" / "inside");
  fs::create_directories(path_ / "report.csv" / "inside");
  EXPECT_THAT(failure_of([&] { finish(begin()); }), AllOf(HasSubstr("report.html"), HasSubstr("report.csv")));
  EXPECT_TRUE(fs::is_regular_file(path_ / "report.json"));
  EXPECT_TRUE(fs::is_regular_file(path_ / "report.md"));
  EXPECT_TRUE(fs::exists(path_ / "reproducers/c/model.onnx"));
  EXPECT_TRUE(read_run(path_).inconsistencies) << "the journal is finished";
}

TEST_F(RunSessions, KeepTheCasesBeforeABackendError) {
  RunSession::Setup setup = reference_setup();
  setup.jobs = 1;
  int calls = 0;
  setup.backend = std::make_unique<FakeBackend>([&calls]() -> UnitAnswer {
    if (++calls > 2) throw BackendError("unplugged");
    return Refusal{"no"};
  });
  setup.make_backend = []() -> std::unique_ptr<Backend> { throw BackendError("only one"); };
  RunSession session = begin(std::move(setup));
  EXPECT_THROW(session.run({}, {}, ignore), BackendError);
  EXPECT_THAT(read_run(path_).records, SizeIs(2));
}

TEST_F(RunSessions, StopAfterTooManyTimeouts) {
  RunSession::Setup setup = reference_setup();
  setup.jobs = 1;
  setup.make_backend = [] {
    return std::make_unique<FakeBackend>([] { return Breakdown{Breakdown::Kind::timeout, "too late"}; });
  };
  setup.backend = setup.make_backend();
  RunSession session = begin(std::move(setup));
  EXPECT_EQ(session.run({.timeouts = 2}, {}, ignore).timeouts, 2U);
  EXPECT_THAT(session.records(), SizeIs(2));
  EXPECT_EQ(session.summarize().all.cases(Verdict::not_run), 2U);
}

TEST_F(RunSessions, StopAfterTooManyCrashesWhichAreNoTimeouts) {
  RunSession::Setup setup = reference_setup();
  setup.jobs = 1;
  setup.make_backend = [] {
    return std::make_unique<FakeBackend>([] { return Breakdown{Breakdown::Kind::crash, "killed by SIGSEGV"}; });
  };
  setup.backend = setup.make_backend();
  RunSession session = begin(std::move(setup));
  const FailedCases found = session.run({.timeouts = 1, .crashes = 3}, {}, ignore);
  EXPECT_EQ(found.timeouts, 0U);
  EXPECT_EQ(found.crashes, 3U);
  EXPECT_EQ(session.summarize().all.cases(Verdict::not_run), 1U);
  EXPECT_EQ(session.run({.crashes = 3}, {}, ignore).crashes, 1U) << "a resumed run counts anew";
}

TEST_F(RunSessions, StopAfterUnexpectedResultsButNotAfterKnownFailures) {
  const auto with_known = [this](const char* pattern) {
    RunSession::Setup setup = reference_setup();
    setup.jobs = 1;
    setup.make_backend = [] { return std::make_unique<FakeBackend>([] { return Refusal{"no kernel"}; }); };
    setup.backend = setup.make_backend();
    setup.known_failures = scratch_.path() / "known.json";
    write_file(setup.known_failures, fmt::format(R"({{"expectations": [{{"pattern": "{}", "verdict": "rejects_valid",
      "reason": "r", "issue": "i"}}]}})",
                                                 pattern));
    RunSession session = begin(std::move(setup), /*overwrite=*/true);
    EXPECT_EQ(session.run({.unexpected = 1}, {}, ignore).unexpected, 1U);
    return session.records().back().id;
  };
  EXPECT_EQ(with_known("nothing"), "a");
  EXPECT_EQ(with_known("a:b"), "c");
}

TEST_F(RunSessions, ShrinkTheReproducerOfACauseIfThereIsABackend) {
  const auto refusing = [] { return std::make_unique<FakeBackend>([] { return Refusal{"no kernel"}; }); };
  bool is_gone = false;
  const auto lines_with = [&](const std::function<bool()>& stop) {
    RunSession::Setup setup = reference_setup();
    setup.jobs = 1;
    setup.backend = refusing();
    setup.make_backend = [&]() -> std::unique_ptr<Backend> {
      if (is_gone) throw BackendError("unplugged");
      return refusing();
    };
    RunSession session = begin(std::move(setup), /*overwrite=*/true);
    session.run({}, {}, ignore);
    const Summary summary = session.summarize();
    std::vector<std::string> shrunk;
    session.shrink_reproducers(summary, 20, stop,
                               [&](std::size_t, std::size_t all, const std::string& id, std::size_t) {
                                 EXPECT_EQ(all, 1U) << "all four have the same cause";
                                 if (shrunk.empty() || shrunk.back() != id) shrunk.push_back(id);
                               });
    session.write_results(summary, 20);
    EXPECT_THAT(content_of(path_ / "reproducers/b/replay.txt"), Not(HasSubstr("# shrunk by")));
    EXPECT_THAT(shrunk, SizeIs(stop() || is_gone ? 0 : 1));
    return content_of(path_ / "reproducers/a/replay.txt");
  };
  EXPECT_THAT(lines_with([] { return false; }), AllOf(HasSubstr("touchstone replay onnx/a "), HasSubstr("# shrunk by"),
                                                      HasSubstr("touchstone replay a ")));
  EXPECT_THAT(lines_with([] { return true; }), Not(HasSubstr("# shrunk by")));
  is_gone = true;
  EXPECT_THAT(lines_with([] { return false; }), Not(HasSubstr("# shrunk by")));
}

TEST_F(RunSessions, KeepTheirKnownFailures) {
  const fs::path known = scratch_.path() / "known.json";
  write_file(known, R"({"expectations": [{"pattern": "c", "verdict": "fail", "reason": "known", "issue": "X-1"}]})");
  RunSession::Setup setup = reference_setup();
  setup.known_failures = known;
  EXPECT_EQ(finish(begin(std::move(setup))).expected, 1U);
  const auto saved = [&] { return saved_known_failures(path_, read_run(path_).run); };
  EXPECT_THAT(saved(), SizeIs(1));
  EXPECT_EQ(finish(resume()).expected, 1U);

  // Editing them would make an unexpected failure an expected one.
  const fs::path copy = saved_known_failures_in(path_);
  const std::string content = content_of(copy);
  write_file(copy, content + "\n");
  EXPECT_THAT(failure_of(saved), HasSubstr("has the SHA-256"));
  EXPECT_THAT(failure_of([&] { resume(); }), HasSubstr("to judge by other expectations"));
  fs::remove(copy);
  EXPECT_THAT(failure_of([&] { resume(); }), HasSubstr("does not exist"));
  const std::vector<CaseRecord> records = read_run(path_).records;
  const auto resume_with = [&](const std::string& expectations) {
    write_file(known, expectations);
    RunSession::Setup other = reference_setup();
    other.known_failures = known;
    return finish({resumed_run_in(path_), std::move(other)}).expected;
  };
  EXPECT_EQ(resume_with(R"({"expectations": []})"), 0U) << "given again, they replace the old ones";
  EXPECT_THAT(saved(), SizeIs(0));
  EXPECT_EQ(read_run(path_).records, records);
  EXPECT_EQ(resume_with(content), 1U);

  EXPECT_EQ(finish(begin()).expected, 0U);
  EXPECT_THAT(saved(), SizeIs(0)) << "they were those of the earlier run";
  write_file(copy, content);
  EXPECT_THAT(failure_of(saved), HasSubstr("the run had none"));

  setup = reference_setup();
  setup.known_failures = scratch_.path() / "nothing.json";
  expect_refusal(refusal_of([&] { begin(std::move(setup)); }), Reason::known_failures, "nothing.json");
}

/// A run that is killed while it replaces another one must not leave the journal of that one with its own known
/// failures.
TEST_F(RunSessions, EmptyTheJournalThatTheyReplaceBeforeTheyReplaceItsKnownFailures) {
  finish(begin());
  OutputDirectory output = new_run_in(path_);
  claim(output, "");
  ASSERT_EQ(journal_state(output.journal()), JournalState::finished);
  remove_results(output);
  EXPECT_EQ(journal_state(output.journal()), JournalState::nothing);
}

TEST(AbsolutePath, DoesNotDependOnTheCurrentDirectory) {
  EXPECT_EQ(absolute_path(""), "");
  EXPECT_EQ(absolute_path("/a/./b/../c/"), "/a/c");
  EXPECT_EQ(absolute_path("x"), (fs::current_path() / "x").string());
}

}  // namespace
}  // namespace touchstone::conformance::run_session_test
