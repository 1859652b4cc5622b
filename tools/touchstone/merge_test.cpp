// Shards of a run, and their merge.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "conformance/run/journal_testing.h"
#include "tools/touchstone/runs_testing.h"

namespace touchstone::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A backend with failures, so that there are causes, and a few cases of every kind.
const std::vector<std::string> options{"--backend",
                                       "wrong:rounds-half-away-from-zero",
                                       "--tier",
                                       "smoke",
                                       "--filter",
                                       "*linear/2?/*-u8*:onnx/1.22.0/*",
                                       "--max-reproducers",
                                       "0"};

Outcome run(
    const TemporaryDirectory& scratch, const std::string& output, std::vector<std::string> further = {},
    const Rewire& rewire = [] {}) {
  std::vector<std::string> arguments{"run", "--output", output};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.insert(arguments.end(), further.begin(), further.end());
  return touchstone(scratch, arguments, rewire);
}

Outcome merge(const TemporaryDirectory& scratch, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "merge");
  for (const char* argument : {"--output", "merged", "--max-reproducers", "0"}) arguments.emplace_back(argument);
  return touchstone(scratch, arguments);
}

class Merge : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    shared_ = new TemporaryDirectory;
    run(*shared_, "whole");
    for (const std::string index : {"1", "2", "3"}) run(*shared_, index, {"--shard", index + "/3"});
  }
  static void TearDownTestSuite() { delete std::exchange(shared_, nullptr); }

  /// A copy of a shard, to be changed.
  void copy(const std::string& shard) const {
    fs::copy(shared_->path() / shard, scratch_.path() / shard, fs::copy_options::recursive);
  }
  void copy_all() const {
    for (const char* shard : {"1", "2", "3"}) copy(shard);
  }
  void expect_refused(const Outcome& outcome, int exit_code, const std::vector<std::string>& parts) const {
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.error;
    for (const std::string& part : parts) EXPECT_THAT(outcome.error, HasSubstr(part));
    EXPECT_FALSE(fs::exists(scratch_.path() / "merged"));
  }

  static inline TemporaryDirectory* shared_ = nullptr;
  TemporaryDirectory scratch_;
};

TEST_F(Merge, GivesTheResultsOfOneRun) {
  copy_all();
  const Outcome merged = merge(scratch_, {"3", "1", "2"});
  EXPECT_EQ(merged.exit_code, 1) << merged.error;
  const auto whole = results_in(shared_->path() / "whole");
  EXPECT_TRUE(results_in(scratch_.path() / "merged") == whole);
  EXPECT_GT(report_in(scratch_.path() / "merged")["causes"].size(), 0U);
  std::size_t cases = 0;
  for (const char* shard : {"1", "2", "3"}) {
    const auto report = report_in(scratch_.path() / shard);
    EXPECT_EQ(report["plan"]["shard"], std::string(shard) + "/3");
    EXPECT_GT(report["plan"]["cases"], 8);
    cases += report["plan"]["cases"].get<std::size_t>();
  }
  // The 8 identity cases are in each.
  EXPECT_EQ(cases, report_in(scratch_.path() / "merged")["plan"]["cases"].get<std::size_t>() + 2 * 8);
}

TEST_F(Merge, PrintsTheCommandsThatRunTheRest) {
  copy("1");
  copy("3");
  cut_off(scratch_.path() / "3/journal.ndjson", 2);
  const Outcome incomplete = merge(scratch_, {"1", "3"});
  expect_refused(
      incomplete, 4,
      {"cases have no result", "touchstone run --resume 3\n",
       "touchstone run --backend wrong:rounds-half-away-from-zero --suite onnx --suite generated --tier smoke",
       "--shard 2/3 --output touchstone-report-2-of-3"});

  // These commands complete the run.
  EXPECT_EQ(touchstone(scratch_, {"run", "--resume", "3"}).exit_code, 1);
  run(scratch_, "touchstone-report-2-of-3", {"--shard", "2/3"});
  EXPECT_EQ(merge(scratch_, {"1", "touchstone-report-2-of-3", "3"}).exit_code, 1);
  EXPECT_TRUE(results_in(scratch_.path() / "merged") == results_in(shared_->path() / "whole"));
}

TEST_F(Merge, RefusesShardsOfOtherRuns) {
  copy("1");
  struct Row {
    std::vector<std::string> options;
    const char* difference;
  };
  const Row rows[] = {
      {{"--seed", "1"}, "plan/seed is 1, not 0"},
      {{"--strict"}, "judge/strict is true, not false"},
      {{"--timeout", "7"}, "options/timeout is 7.0, not 30.0"},
      {{"--require", "none"}, "options/require is \"none\", not absent"},
      {{"--assume", "types=FLOAT,UINT8"}, "options/assume"},
  };
  for (const Row& row : rows) {
    std::vector<std::string> further{"--shard", "2/3", "--overwrite"};
    further.insert(further.end(), row.options.begin(), row.options.end());
    run(scratch_, "2", further);
    expect_refused(merge(scratch_, {"1", "2"}), 2, {"2 is not a shard of the same run as 1", row.difference});
  }
  // CLI11 takes the last one of two options of the same name only if it is told to: other commands.
  const auto other = [&](const std::string& backend, const std::string& tier, const std::string& filter,
                         const std::string& shard) {
    touchstone(scratch_, {"run", "--output", "2", "--overwrite", "--backend", backend, "--tier", tier, "--filter",
                          filter, "--shard", shard, "--max-reproducers", "0"});
    return merge(scratch_, {"1", "2"});
  };
  const std::string& filter = options[5];
  expect_refused(other("optimized", "smoke", filter, "2/3"), 2, {"backend/", "optimized"});
  expect_refused(other(options[1], "standard", "onnx/*", "2/3"), 2, {"2 is not a shard of the same run as 1: plan/"});
  expect_refused(other(options[1], "smoke", "onnx/*", "2/3"), 2, {"plan/"});
  expect_refused(other(options[1], "smoke", filter, "2/4"), 2, {"plan/shard is \"1/4\", not \"1/3\""});
}

TEST_F(Merge, RefusesAShardThatIsGivenTwice) {
  copy("1");
  copy("2");
  fs::copy(scratch_.path() / "1", scratch_.path() / "again", fs::copy_options::recursive);
  expect_refused(merge(scratch_, {"1", "2", "again"}), 2, {"1 and again both are the shard 1/3"});
  expect_refused(merge(scratch_, {"1", "2", "2"}), 2, {"2 and 2 both are the shard 2/3"});
}

TEST_F(Merge, RefusesShardsThatWereDealtInDifferentWays) {
  copy_all();
  fs::copy(shared_->path() / "whole", scratch_.path() / "earlier", fs::copy_options::recursive);
  run(scratch_, "2", {"--shard", "2/3", "--balance", "earlier", "--overwrite"});
  expect_refused(merge(scratch_, {"1", "2", "3"}), 2, {"2 is not a shard of the same run as 1: plan/balance is"});
}

TEST_F(Merge, RefusesDamagedJournalsAndKeepsEverything) {
  copy_all();
  const fs::path journal = scratch_.path() / "2/journal.ndjson";
  const std::string content = content_of(journal);
  std::string changed = content;
  changed.replace(changed.find("\"verdict\":\"fail\""), 16, "\"verdict\":\"pass\"");
  write_file(journal, changed);
  expect_refused(merge(scratch_, {"1", "2", "3"}), 3, {"2/journal.ndjson: line "});
  write_file(journal, "");
  expect_refused(merge(scratch_, {"1", "2", "3"}), 2, {"2 has no journal of a run"});
  fs::remove_all(scratch_.path() / "2");
  expect_refused(merge(scratch_, {"1", "2", "3"}), 2, {"2 has no journal of a run"});
  const auto before = results_in(scratch_.path() / "1");
  const Outcome into_a_shard = touchstone(scratch_, {"merge", "1", "3", "--output", "1"});
  EXPECT_EQ(into_a_shard.exit_code, 2);
  EXPECT_THAT(into_a_shard.error, HasSubstr("--output 1 is one of the shards"));
  EXPECT_TRUE(results_in(scratch_.path() / "1") == before);
}

/// One of the identity cases has another answer, as if another build had run the shard.
TEST_F(Merge, RefusesDifferentAnswersToIdentityCases) {
  copy_all();
  const fs::path journal = scratch_.path() / "2/journal.ndjson";
  std::map<std::string, int> seen;
  for (const char* shard : {"1", "2", "3"}) {
    std::istringstream lines(content_of(scratch_.path() / shard / "journal.ndjson"));
    for (std::string line; std::getline(lines, line);)
      if (const auto json = nlohmann::json::parse(line); json.contains("id")) ++seen[json["id"].get<std::string>()];
  }
  const auto everywhere = std::ranges::find_if(seen, [](const auto& row) { return row.second == 3; });
  ASSERT_NE(everywhere, seen.end());
  std::string content = content_of(journal);
  const std::string member = R"("output_digest":")";
  const std::size_t digest = content.find(member, content.find(R"({"id":")" + everywhere->first + '"')) + member.size();
  content.replace(digest, 16, "0000000000000001");
  write_file(journal, conformance::with_checksums(content));
  expect_refused(merge(scratch_, {"1", "2", "3"}), 2,
                 {"1 and 2 have different answers to the case " + everywhere->first, "which every shard runs"});
}

TEST_F(Merge, TakesShardsThatAreBalanced) {
  fs::copy(shared_->path() / "whole", scratch_.path() / "earlier", fs::copy_options::recursive);
  for (const std::string index : {"1", "2"}) run(scratch_, index, {"--shard", index + "/2", "--balance", "earlier"});
  cut_off(scratch_.path() / "2/journal.ndjson", 2);
  EXPECT_EQ(touchstone(scratch_, {"run", "--resume", "2"}).exit_code, 1);
  const Outcome merged = merge(scratch_, {"1", "2"});
  EXPECT_EQ(merged.exit_code, 1) << merged.error;
  EXPECT_TRUE(results_in(scratch_.path() / "merged") == results_in(shared_->path() / "whole"));

  cut_off(scratch_.path() / "2/journal.ndjson", 2);
  run(scratch_, "earlier", {"--seed", "2"});
  const Outcome other = touchstone(scratch_, {"run", "--resume", "2"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.error, AllOf(HasSubstr("earlier"), HasSubstr("by which its cases were dealt, has changed")));
}

TEST_F(Merge, AppliesTheExpectationsOfTheShards) {
  const std::string known =
      R"({"expectations": [{"pattern": "*-u8/per_tensor/zp/values", "verdict": "fail", "reason": "r", "issue": "i"}]})";
  write_file(scratch_.path() / "known.json", known);
  run(scratch_, "one", {"--expectations", "known.json"});
  for (const std::string index : {"1", "2"}) {
    const Outcome shard = run(scratch_, index, {"--shard", index + "/2", "--expectations", "known.json"});
    EXPECT_THAT(shard.out, Not(HasSubstr("stale"))) << "another shard may have its cases";
  }
  merge(scratch_, {"1", "2"});
  EXPECT_TRUE(results_in(scratch_.path() / "merged") == results_in(scratch_.path() / "one"));
  fs::remove(scratch_.path() / "2/journal.expectations.json");
  fs::remove_all(scratch_.path() / "merged");
  expect_refused(merge(scratch_, {"1", "2"}), 2, {"1 and 2 were run with different expectations"});
}

/// Intervals of sweeps.
TEST_F(Merge, GivesTheResultsOfOneExhaustiveRun) {
  const std::vector<std::string> sweeps{
      "--tier", "exhaustive", "--filter",
      "exhaustive/quantize_linear/21/f16-f16-u8/*scale=0x3800*:exhaustive/dequantize_linear/28/u8-f32-f32/*"};
  const auto sweep = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "run");
    arguments.insert(arguments.end(), sweeps.begin(), sweeps.end());
    return touchstone(scratch_, arguments);
  };
  const Outcome whole = sweep({"--output", "whole"});
  ASSERT_EQ(whole.exit_code, 0) << whole.error;
  for (const std::string index : {"1", "2", "3", "4"})
    EXPECT_EQ(sweep({"--shard", index + "/4", "--output", index}).exit_code, 0) << "also if it has no case";
  EXPECT_EQ(merge(scratch_, {"1", "2", "3", "4"}).exit_code, 0);
  EXPECT_TRUE(results_in(scratch_.path() / "merged") == results_in(scratch_.path() / "whole"));
}

TEST(Shards, AreThoseOfTheEngine) {
  const TemporaryDirectory scratch;
  const auto with = [&](const std::map<std::string, std::string>& variables, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"run", "--suite", "onnx", "--filter", "onnx/1.22.0/*"});
    return touchstone(scratch, arguments, [=] {
      for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
    });
  };
  const Outcome bazel =
      with({{"TEST_SHARD_INDEX", "1"}, {"TEST_TOTAL_SHARDS", "2"}, {"TEST_SHARD_STATUS_FILE", "status"}}, {});
  EXPECT_EQ(bazel.exit_code, 0) << bazel.error;
  EXPECT_THAT(bazel.error,
              HasSubstr("runs the shard 2/2, because of TEST_SHARD_INDEX=1 of Bazel; --shard 1/1 runs all"));
  EXPECT_TRUE(fs::exists(scratch.path() / "status"));
  EXPECT_EQ(report_in(scratch.path() / "touchstone-report-2-of-2")["plan"]["shard"], "2/2");

  const std::map<std::string, std::string> gitlab{{"CI_NODE_INDEX", "1"}, {"CI_NODE_TOTAL", "2"}};
  EXPECT_EQ(with(gitlab, {"--output", "own"}).exit_code, 0);
  EXPECT_EQ(report_in(scratch.path() / "own")["plan"]["shard"], "1/2");
  EXPECT_EQ(with(gitlab, {"--output", "all", "--shard", "1/1"}).exit_code, 0);
  EXPECT_FALSE(report_in(scratch.path() / "all")["plan"].contains("shard"));

  cut_off(scratch.path() / "own/journal.ndjson", 1);
  const auto resume = [&](const char* index) {
    return touchstone(scratch, {"run", "--resume", "own"}, [=] {
      ::setenv("CI_NODE_INDEX", index, 1);
      ::setenv("CI_NODE_TOTAL", "2", 1);
    });
  };
  const Outcome other = resume("2");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.error, HasSubstr("that run is the shard 1/2, not 2/2, which is that of CI_NODE_INDEX=2 of GitLab"));
  EXPECT_EQ(resume("1").exit_code, 0);
}

TEST(TimeBudget, RunsTheMostTellingCasesFirstAndCanBeResumed) {
  const TemporaryDirectory scratch;
  run(scratch, "whole");
  // The first case uses up the budget.
  const Outcome stopped = run(scratch, "out", {"--time-budget", "0.000001s", "--jobs", "1"});
  EXPECT_EQ(stopped.exit_code, 4);
  EXPECT_THAT(stopped.error, AllOf(HasSubstr("the time budget is used up"), HasSubstr("touchstone run --resume out")));
  EXPECT_TRUE(report_in(scratch.path() / "out")["plan"]["covering"]);
  const Outcome resumed = touchstone(scratch, {"run", "--resume", "out"});
  EXPECT_EQ(resumed.exit_code, 1) << resumed.error;
  // A merge of this one shard has the order of the plan.
  EXPECT_EQ(merge(scratch, {"out"}).exit_code, 1);
  EXPECT_TRUE(results_in(scratch.path() / "merged") == results_in(scratch.path() / "whole"));
  for (const char* time : {"-1s", "0", "10 parsecs", "soon"})
    EXPECT_EQ(run(scratch, "none", {"--time-budget", time}).exit_code, 2) << time;
}

}  // namespace
}  // namespace touchstone::tools
