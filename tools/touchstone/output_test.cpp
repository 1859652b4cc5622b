// The output directory of a run: which files a run replaces, and which it keeps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "conformance/report/format.h"
#include "conformance/run/journal_lock.h"
#include "tools/touchstone/program_testing.h"

namespace touchstone::tools::output_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class OutputDirectory : public testing::Test {
 protected:
  /// ONNX's per-axis test, with a wrong expected byte: one failure, one reproducer.
  void have_a_failing_test(const std::string& name = "a") {
    const fs::path test = copy_of("1.22.0/test_quantizelinear_axis", path("tests") / name);
    const fs::path output = test / "test_data_set_0" / "output_0.pb";
    std::string bytes = content_of(output);
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    write_file(output, bytes);
  }

  Outcome run(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"run", "--data", "tests", "--output", "out", "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return touchstone(scratch_, arguments);
  }

  fs::path path(const fs::path& below) const { return scratch_.path() / below; }

  TemporaryDirectory scratch_;
};

TEST_F(OutputDirectory, DropsTheReproducersOfTheLastRun) {
  have_a_failing_test("a");
  have_a_failing_test("deep/b");
  EXPECT_EQ(run().exit_code, 1);
  EXPECT_TRUE(fs::exists(path("out/reproducers/onnx/deep/b/model.onnx")));
  write_file(path("out/reproducers/onnx/a/model.onnx.12.part"), "left by a killed run");
  EXPECT_EQ(run({"--filter", "onnx/a"}).exit_code, 1);
  EXPECT_TRUE(fs::exists(path("out/reproducers/onnx/a/model.onnx")));
  EXPECT_FALSE(fs::exists(path("out/reproducers/onnx/deep")));
  EXPECT_EQ(run({"--max-reproducers", "0"}).exit_code, 1);
  EXPECT_FALSE(fs::exists(path("out/reproducers")));
}

TEST_F(OutputDirectory, KeepsFilesThatNoRunWrote) {
  have_a_failing_test();
  ASSERT_EQ(run().exit_code, 1);
  const std::string journal = content_of(path("out/journal.ndjson.gz"));
  fs::create_directory_symlink(path("tests"), path("link"));
  const auto copied = [&] {
    fs::copy(path("out/reproducers/onnx/a"), path("out/reproducers/mine"), fs::copy_options::recursive);
  };
  struct Row {
    const char* named;
    std::function<void()> put;
    const char* last;  ///< the entry to remove afterwards
  };
  const Row rows[] = {
      {"deep/notes.txt", [&] { write_file(path("out/reproducers/deep/notes.txt"), "of mine"); }, "deep"},
      {"onnx/a/notes.txt", [&] { write_file(path("out/reproducers/onnx/a/notes.txt"), "of mine"); },
       "onnx/a/notes.txt"},
      {"onnx/b/model.onnx", [&] { write_file(path("out/reproducers/onnx/b/model.onnx"), "of mine"); }, "onnx/b"},
      {"mine/model.onnx", copied, "mine"},
      {"onnx/link", [&] { fs::rename(path("link"), path("out/reproducers/onnx/link")); }, "onnx/link"},
  };
  for (const Row& row : rows) {
    row.put();
    const Outcome refused = run();
    EXPECT_EQ(refused.exit_code, 2) << row.named;
    EXPECT_THAT(refused.error, AllOf(HasSubstr(row.named), HasSubstr("no run wrote this")));
    EXPECT_TRUE(fs::exists(path("out/reproducers") / row.named));
    EXPECT_TRUE(fs::exists(path("out/reproducers/onnx/a/model.onnx"))) << "nothing is removed";
    EXPECT_EQ(content_of(path("out/journal.ndjson.gz")), journal);
    EXPECT_EQ(touchstone(scratch_, {"run", "--resume", "out"}).exit_code, 2) << row.named;
    fs::remove_all(path("out/reproducers") / row.last);
  }
  EXPECT_EQ(run().exit_code, 1);
}

TEST_F(OutputDirectory, IsNotChangedByARefusedRun) {
  have_a_failing_test();
  write_file(path("out/reproducers/notes.txt"), "of mine");
  EXPECT_EQ(run().exit_code, 2);
  EXPECT_EQ(std::distance(fs::directory_iterator(path("out")), {}), 1);
}

/// A backend may take minutes to start, and a plan takes seconds.
TEST_F(OutputDirectory, OfARunWhoseOptionsAreWrongIsNeitherMadeNorIsTheBackendStarted) {
  write_file(path("broken.json"), "{");
  const std::vector<std::string> rows[] = {
      {"--filter", ""},   {"--filter", "*/*-*-u8/*"},        {"--suite", "more"},        {"--require", ""},
      {"--require", ":"}, {"--expectations", "broken.json"}, {"--data", path("nowhere")}};
  for (const std::vector<std::string>& row : rows) {
    std::vector<std::string> arguments{"run", "--backend", "exec:touch started", "--output", "out"};
    arguments.insert(arguments.end(), row.begin(), row.end());
    const Outcome outcome = touchstone(scratch_, arguments);
    EXPECT_EQ(outcome.exit_code, 2) << testing::PrintToString(row);
    EXPECT_THAT(outcome.error, HasSubstr(row.front().substr(2))) << "it names the option";
    EXPECT_FALSE(fs::exists(path("started")) || fs::exists(path("out"))) << testing::PrintToString(row);
  }
}

TEST_F(OutputDirectory, KeepsReproducersThatAreTheInput) {
  have_a_failing_test();
  ASSERT_EQ(run().exit_code, 1);
  for (const char* data : {"out/reproducers", "out/reproducers/onnx/a", "out/", "."}) {
    const Outcome refused = touchstone(scratch_, {"run", "--data", data, "--output", "out"});
    EXPECT_EQ(refused.exit_code, 2) << data;
    EXPECT_THAT(refused.error, AllOf(HasSubstr(std::string("--data ") + data), HasSubstr("--output")));
    EXPECT_TRUE(fs::exists(path("out/reproducers/onnx/a/model.onnx")));
  }
}

TEST_F(OutputDirectory, IsUsedByOneRunAtATime) {
  have_a_failing_test();
  ASSERT_EQ(run().exit_code, 1);
  const std::string journal = content_of(path("out/journal.ndjson.gz"));
  {
    const auto lock = conformance::JournalLock::take_existing(path("out/journal.ndjson.gz"));
    ASSERT_TRUE(lock);
    for (const Outcome& refused : {run(), run({"--overwrite"}), touchstone(scratch_, {"run", "--resume", "out"})}) {
      EXPECT_EQ(refused.exit_code, 3) << "a scheduler is to try again";
      EXPECT_THAT(refused.error, HasSubstr("out/journal.ndjson.gz: another run is writing to it"));
    }
    EXPECT_EQ(content_of(path("out/journal.ndjson.gz")), journal);
    EXPECT_TRUE(fs::exists(path("out/report.html")));
  }
  EXPECT_EQ(touchstone(scratch_, {"run", "--resume", "out"}).exit_code, 1);
}

TEST_F(OutputDirectory, KeepsAJournalThatCannotBeRead) {
  have_a_failing_test();
  ASSERT_EQ(run().exit_code, 1);
  const std::string damaged = "x" + content_of(path("out/journal.ndjson.gz"));
  write_file(path("out/journal.ndjson.gz"), conformance::compressed(damaged));
  const Outcome refused = run();
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.error, AllOf(HasSubstr("out/journal.ndjson.gz exists"), HasSubstr("--overwrite")));
  EXPECT_EQ(content_of(path("out/journal.ndjson.gz")), damaged);
  EXPECT_EQ(run({"--overwrite"}).exit_code, 1);
}

TEST_F(OutputDirectory, HasNoReportsOfAnEarlierRunNextToANewJournal) {
  have_a_failing_test();
  ASSERT_EQ(run().exit_code, 1);
  const pid_t child = start(scratch_, {"run", "--suite", "generated", "--output", "out", "--jobs", "1"});
  const auto has_begun = [&] {
    return content_of(path("out/journal.ndjson.gz")).find("generated") != std::string::npos;
  };
  while (!has_begun() && ::waitpid(child, nullptr, WNOHANG) == 0) ::usleep(1000);
  ::kill(child, SIGKILL);
  EXPECT_EQ(wait_for(scratch_, child).exit_code, -SIGKILL) << "before it has written its own reports";
  for (const conformance::ReportFormat& format : conformance::report_formats())
    EXPECT_FALSE(fs::exists(path("out") / format.file_name)) << format.name;
  EXPECT_FALSE(fs::exists(path("out/reproducers")));
}

TEST_F(OutputDirectory, GetsTheOtherReportsIfOneCannotBeWritten) {
  have_a_failing_test();
  fs::create_directories(path("out/report.html/inside"));
  fs::create_directories(path("out/report.csv/inside"));
  const Outcome partly = run();
  EXPECT_EQ(partly.exit_code, 3);
  EXPECT_THAT(partly.error, AllOf(HasSubstr("out/report.html"), HasSubstr("out/report.csv")));
  EXPECT_TRUE(fs::exists(path("out/reproducers/onnx/a/model.onnx")));
  for (const conformance::ReportFormat& format : conformance::report_formats())
    EXPECT_EQ(fs::exists(path("out") / format.file_name), format.only_if == nullptr) << format.name;
  for (const auto& entry : fs::directory_iterator(path("out"))) EXPECT_NE(entry.path().extension(), ".part");
}

/// The result for each place where somebody may create a symbolic link.
TEST_F(OutputDirectory, IsNotLeftThroughALink) {
  have_a_failing_test();
  write_file(path("outside/file"), "of somebody");
  struct Row {
    const char* place;
    const char* leads_to;
    int exit_code;
    const char* said;
  };
  const Row rows[] = {
      {"out", "outside", 2, "--output out: a symbolic link, which is not followed"},
      {"out/journal.ndjson.gz", "outside/file", 3, "out/journal.ndjson.gz: a symbolic link, which is not followed"},
      {"out/journal.ndjson.gz", "outside/new", 3, "out/journal.ndjson.gz: a symbolic link, which is not followed"},
      {"out/journal.expectations.json", "outside/file", 1, ""},
      {"out/report.html", "outside/file", 1, ""},
      {"out/report.json", "outside/new", 1, ""},
      {"out/reproducers", "outside", 2, "out/reproducers: no run wrote this"},
      {"out/reproducers/onnx", "outside", 2, "out/reproducers/onnx: no run wrote this"},
  };
  for (const Row& row : rows) {
    fs::create_directories(path(row.place).parent_path());
    fs::create_symlink(path(row.leads_to), path(row.place));
    for (const bool overwrites : {false, true}) {
      const Outcome outcome = overwrites ? run({"--overwrite"}) : run();
      EXPECT_EQ(outcome.exit_code, row.exit_code) << row.place << outcome.error;
      EXPECT_THAT(outcome.error, HasSubstr(row.said));
    }
    EXPECT_EQ(content_of(path("outside/file")), "of somebody") << row.place;
    EXPECT_EQ(std::distance(fs::directory_iterator(path("outside")), {}), 1) << row.place;
    fs::remove_all(path("out"));
  }
  ASSERT_EQ(run().exit_code, 1);
  fs::create_directory_symlink(path("outside"), path("link"));
  fs::create_directory_symlink(path("out"), path("to out"));
  fs::create_directory_symlink(path("outside/new"), path("dangling"));
  const auto refused = [&](const std::vector<std::string>& arguments, int exit_code) {
    const Outcome outcome = touchstone(scratch_, arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << arguments[0] << outcome.error;
    EXPECT_THAT(outcome.error, HasSubstr("a symbolic link, which is not followed")) << arguments[0];
  };
  refused({"run", "--resume", "to out"}, 2);
  refused({"report", "out", "--format", "csv", "--output", "link"}, 3);
  refused({"export", "link", "--suite", "generated", "--filter", "*/f32-f32-u8/*"}, 2);
  refused({"replay", "onnx/a", "--data", "tests", "--backend", "reference", "--write", "dangling"}, 3);
  EXPECT_EQ(std::distance(fs::directory_iterator(path("outside")), {}), 1);
}

TEST_F(OutputDirectory, KeepsAnExpectationFileInIt) {
  have_a_failing_test();
  const std::string expectations =
      R"({"expectations": [{"pattern": "onnx/a", "verdict": "fail", "reason": "damaged", "issue": "X-1"}]})";
  write_file(path("out/expectations.json"), expectations);
  EXPECT_EQ(run().exit_code, 1) << "no --expectations";
  EXPECT_EQ(run({"--expectations", "out/expectations.json"}).exit_code, 0);
  EXPECT_THAT(touchstone(scratch_, {"report", "out"}).out, HasSubstr("1 of 1 cases are wrong or refused as expected"));
  EXPECT_EQ(run().exit_code, 1);
  EXPECT_THAT(touchstone(scratch_, {"report", "out"}).out, Not(HasSubstr("as expected")))
      << "that was the previous run";
  EXPECT_EQ(content_of(path("out/expectations.json")), expectations);
}

}  // namespace
}  // namespace touchstone::tools::output_test
