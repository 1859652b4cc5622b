// Runs can be resumed with the same cases and the same options.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/run/journal_testing.h"
#include "tools/touchstone/runs_testing.h"

namespace touchstone::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Runs, ResumeWithTheirOptions) {
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

TEST(Runs, FollowLinksOutOfTheDataOnlyIfTold) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  fs::rename(scratch.path() / "tests/a/model.onnx", scratch.path() / "model.onnx");
  fs::create_symlink(scratch.path() / "model.onnx", scratch.path() / "tests/a/model.onnx");
  const Outcome refused = touchstone(scratch, {"run", "--suite", "onnx", "--data", "tests", "--output", "out"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.out, HasSubstr("tests/a/model.onnx: a symbolic link that leads out of"));
  const Outcome followed =
      touchstone(scratch, {"run", "--suite", "onnx", "--data", "tests", "--output", "out", "--follow-symlinks"});
  EXPECT_EQ(followed.exit_code, 0) << followed.error;
  cut_off(scratch.path() / "out/journal.ndjson", 1);
  const Outcome resumed = touchstone(scratch, {"run", "--resume", "out"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.out;
}

TEST(Runs, DoNotResumeWithOtherOptions) {
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
      {{"--follow-symlinks"}, "--follow-symlinks 'false'", "not 'true'"},
      {{"--sandbox"}, "--sandbox 'false'", "not 'true'"},
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

TEST(Runs, DoNotResumeWithOtherCases) {
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
  older = conformance::with_checksums(older);
  write_file(journal, older);
  const Outcome other_tool = resume();
  EXPECT_EQ(other_tool.exit_code, 2);
  EXPECT_THAT(other_tool.error, HasSubstr("touchstone 0.0.1-"));
  EXPECT_EQ(content_of(journal), older) << "unchanged";
}

TEST(Runs, AreNotReplacedUntilFinished) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  run_two(scratch);  // replaces a finished run
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

}  // namespace
}  // namespace touchstone::tools
