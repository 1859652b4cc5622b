// Parts of a run: shards of an engine, time budgets, and random cases in shards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/plan/covering_order.h"
#include "conformance/run/journal_testing.h"
#include "tools/touchstone/runs_testing.h"

namespace touchstone::tools::shards_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

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
  const Outcome nowhere =
      with({{"TEST_SHARD_INDEX", "1"}, {"TEST_TOTAL_SHARDS", "2"}, {"TEST_SHARD_STATUS_FILE", "no/status"}}, {});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.error, HasSubstr("TEST_SHARD_STATUS_FILE: 'no/status' cannot be created"));
  EXPECT_FALSE(fs::exists(scratch.path() / "no"));

  const std::map<std::string, std::string> gitlab{{"CI_NODE_INDEX", "1"}, {"CI_NODE_TOTAL", "2"}};
  EXPECT_EQ(with(gitlab, {"--output", "own"}).exit_code, 0);
  EXPECT_EQ(report_in(scratch.path() / "own")["plan"]["shard"], "1/2");
  EXPECT_EQ(with(gitlab, {"--output", "all", "--shard", "1/1"}).exit_code, 0);
  EXPECT_FALSE(report_in(scratch.path() / "all")["plan"].contains("shard"));

  cut_off(scratch.path() / "own/journal.ndjson.gz", 1);
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

/// The ids in a journal, in its order.
std::vector<std::string> ids_in(const fs::path& run) {
  std::vector<std::string> ids;
  std::istringstream lines(content_of(run / "journal.ndjson.gz"));
  for (std::string line; std::getline(lines, line);)
    if (const auto json = nlohmann::json::parse(line); json.contains("id")) ids.push_back(json["id"]);
  return ids;
}

TEST(TimeBudget, RunsTheMostTellingCasesFirstAndCanBeResumed) {
  const TemporaryDirectory scratch;
  run_failing(scratch, "whole");
  // The start uses up the budget, but each run makes progress.
  const std::vector<std::string> budget{"--time-budget", "0.000001s", "--jobs", "1"};
  const Outcome stopped = run_failing(scratch, "out", budget);
  EXPECT_EQ(stopped.exit_code, 4);
  EXPECT_THAT(stopped.error, AllOf(HasSubstr("the time budget is used up"), HasSubstr("touchstone run --resume out")));
  EXPECT_TRUE(report_in(scratch.path() / "out")["plan"]["covering"]);
  EXPECT_THAT(ids_in(scratch.path() / "out"), testing::SizeIs(1));
  EXPECT_EQ(touchstone(scratch, {"run", "--resume", "out", budget[0], budget[1], budget[2], budget[3]}).exit_code, 4);
  EXPECT_THAT(ids_in(scratch.path() / "out"), testing::SizeIs(2));
  const Outcome resumed = touchstone(scratch, {"run", "--resume", "out", "--experiments", "0"});
  EXPECT_EQ(resumed.exit_code, 1) << resumed.error;
  const std::vector<std::string> in_order = ids_in(scratch.path() / "whole");
  std::vector<conformance::PlannedCase> plan;
  for (const std::string& id : in_order) plan.push_back({id, conformance::made_by({})});
  std::vector<std::string> covering;
  for (const conformance::PlannedCase& planned : conformance::in_covering_order(plan)) covering.push_back(planned.id);
  EXPECT_EQ(ids_in(scratch.path() / "out"), covering);
  EXPECT_NE(covering, in_order);
  // A merge of this one shard has the order of the plan.
  EXPECT_EQ(merge_runs(scratch, {"out"}).exit_code, 1);
  EXPECT_TRUE(results_in(scratch.path() / "merged") == results_in(scratch.path() / "whole"));
  for (const char* time : {"-1s", "0", "0s", "10 parsecs", "soon"}) {
    const Outcome refused = run_failing(scratch, "none", {"--time-budget", time});
    EXPECT_EQ(refused.exit_code, 2) << time;
    EXPECT_THAT(refused.error, HasSubstr("--time-budget: ")) << time;
    EXPECT_LT(refused.error.size(), 200U) << refused.error;
  }
}

/// The first case fails, and uses up the budget.
TEST(TimeBudget, LeavesNoTimeForShrinking) {
  const TemporaryDirectory scratch;
  const auto run_with = [&](const std::string& budget) {
    touchstone(
        scratch,
        {"run", "--suite", "generated", "--tier", "standard", "--backend", "wrong:rounds-half-away-from-zero",
         "--filter", "quantize_linear/21/f32-f32-u8/per_axis/zp/values", "--time-budget", budget, "--output", budget});
    const std::string place = report_in(scratch.path() / budget)["causes"][0]["reproducer"];
    return content_of(scratch.path() / budget / place / "replay.txt");
  };
  EXPECT_THAT(run_with("10m"), HasSubstr("# shrunk by "));
  EXPECT_THAT(run_with("0.000001s"), Not(HasSubstr("# shrunk by ")));
}

/// The cases are made from the seed and the number of examples, which reports and replayed commands have.
TEST(RandomSuite, GivesTheSameInShardsAndInReplays) {
  const TemporaryDirectory scratch;
  const auto run_random = [&](const std::string& output, std::vector<std::string> arguments) {
    for (const char* argument : {"--suite", "random", "--examples", "120", "--seed", "5", "--experiments", "0",
                                 "--max-reproducers", "0", "--backend", "wrong:ignores-zero-point"})
      arguments.emplace_back(argument);
    arguments.insert(arguments.begin(), {"run", "--output", output});
    return touchstone(scratch, arguments);
  };
  const Outcome whole = run_random("whole", {});
  EXPECT_EQ(whole.exit_code, 1) << whole.error;
  for (const std::string index : {"1", "2"}) EXPECT_EQ(run_random(index, {"--shard", index + "/2"}).exit_code, 1);
  const Outcome merged = merge_runs(scratch, {"1", "2"});
  EXPECT_EQ(merged.exit_code, 1) << merged.error;
  EXPECT_TRUE(results_in(scratch.path() / "merged") == results_in(scratch.path() / "whole"));
  EXPECT_EQ(report_in(scratch.path() / "whole")["plan"]["examples"], 120);
  EXPECT_EQ(report_in(scratch.path() / "whole")["causes"][0]["name"], "ignores-zero-point");
  const std::string id = report_in(scratch.path() / "whole")["causes"][0]["example"];
  const Outcome few = run_random("few", {"--filter", id});
  const std::string out = with_whole_commands(few.out);
  const std::size_t line = out.find("    touchstone replay " + id);
  ASSERT_NE(line, std::string::npos) << few.out;
  const std::vector<std::string> words = words_of(out.substr(line, out.find('\n', line) - line));
  const Outcome replayed = touchstone(scratch, {words.begin() + 1, words.end()});
  EXPECT_EQ(replayed.exit_code, 1) << replayed.error;
  EXPECT_THAT(replayed.out, HasSubstr(id));
}

}  // namespace
}  // namespace touchstone::tools::shards_test
