#include "tools/touchstone/shard_option.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>

#include "tools/touchstone/command.h"

namespace touchstone::tools::shard_option_test {
namespace {

using conformance::Shard;
using testing::AllOf;
using testing::HasSubstr;

using Variables = std::map<std::string, std::string>;

FoundShard found_in(const Variables& variables, const std::optional<std::string>& option = std::nullopt) {
  return find_shard({.shard = option, .balance = ""}, [&](const char* name) {
    const auto row = variables.find(name);
    return row != variables.end() ? std::optional(row->second) : std::nullopt;
  });
}

std::string refusal_of(const Variables& variables, const std::optional<std::string>& option = std::nullopt) {
  try {
    found_in(variables, option);
  } catch (const Exit& exit) {
    EXPECT_EQ(exit.code, usage);
    return exit.what();
  }
  return "";
}

/// The variables of a task, as Slurm 22.05 sets them.
Variables array_task(const char* id, const char* min, const char* max, const char* count, const char* step = "1") {
  return {{"SLURM_ARRAY_TASK_ID", id},
          {"SLURM_ARRAY_TASK_MIN", min},
          {"SLURM_ARRAY_TASK_MAX", max},
          {"SLURM_ARRAY_TASK_COUNT", count},
          {"SLURM_ARRAY_TASK_STEP", step}};
}

TEST(ShardOption, ReadsTheVariablesOfEngines) {
  struct Row {
    Variables variables;
    Shard shard;
    const char* origin;
  };
  const Row rows[] = {
      {{{"TEST_SHARD_INDEX", "0"}, {"TEST_TOTAL_SHARDS", "4"}}, {1, 4}, "TEST_SHARD_INDEX=0 of Bazel"},
      {{{"GTEST_SHARD_INDEX", "3"}, {"GTEST_TOTAL_SHARDS", "4"}}, {4, 4}, "GTEST_SHARD_INDEX=3 of GoogleTest"},
      {array_task("5", "1", "16", "16"), {5, 16}, "SLURM_ARRAY_TASK_ID=5 of Slurm"},
      {array_task("5", "0", "15", "16"), {6, 16}, "SLURM_ARRAY_TASK_ID=5 of Slurm"},
      {array_task("6", "0", "6", "4", "2"), {4, 4}, "SLURM_ARRAY_TASK_ID=6 of Slurm"},
      {{{"JOB_COMPLETION_INDEX", "15"}, {"TOUCHSTONE_SHARDS", "16"}},
       {16, 16},
       "JOB_COMPLETION_INDEX=15 of Kubernetes"},
      {{{"CI_NODE_INDEX", "2"}, {"CI_NODE_TOTAL", "3"}}, {2, 3}, "CI_NODE_INDEX=2 of GitLab"},
  };
  for (const Row& row : rows) {
    const FoundShard found = found_in(row.variables);
    EXPECT_EQ(found.shard, row.shard) << row.origin;
    EXPECT_EQ(found.origin, row.origin);
  }
}

TEST(ShardOption, IsTheWholePlanIfNothingSaysOtherwise) {
  EXPECT_TRUE(found_in({}).shard.is_whole());
  EXPECT_EQ(found_in({}).origin, "");
  EXPECT_TRUE(found_in({{"CI_NODE_TOTAL", "1"}}).shard.is_whole()) << "GitLab sets it for every job";
  EXPECT_TRUE(found_in({{"TEST_SHARD_INDEX", "0"}, {"TEST_TOTAL_SHARDS", "1"}}).shard.is_whole());
  EXPECT_TRUE(found_in(array_task("1", "1", "1", "1")).shard.is_whole());
}

TEST(ShardOption, ComesBeforeTheEnvironment) {
  const Variables two{
      {"CI_NODE_INDEX", "2"}, {"CI_NODE_TOTAL", "3"}, {"GTEST_SHARD_INDEX", "0"}, {"GTEST_TOTAL_SHARDS", "2"}};
  EXPECT_EQ(found_in(two, "7/9").shard, (Shard{7, 9}));
  EXPECT_EQ(found_in(two, "7/9").origin, "--shard");
  EXPECT_TRUE(found_in(two, "1/1").shard.is_whole());
  EXPECT_THAT(refusal_of(two), AllOf(HasSubstr("two engines"), HasSubstr("GTEST_SHARD_INDEX=0 of GoogleTest"),
                                     HasSubstr("CI_NODE_INDEX=2 of GitLab"), HasSubstr("--shard I/N")));
  Variables alike = array_task("2", "1", "3", "3");
  alike.insert({{"CI_NODE_INDEX", "2"}, {"CI_NODE_TOTAL", "3"}});
  EXPECT_THAT(refusal_of(alike), HasSubstr("two engines")) << "the number may be the same by chance";
}

TEST(ShardOption, IsThatOfBazelWhichSetsTheVariablesOfGoogleTestAsWell) {
  const FoundShard found = found_in({{"TEST_SHARD_INDEX", "2"},
                                     {"TEST_TOTAL_SHARDS", "16"},
                                     {"GTEST_SHARD_INDEX", "2"},
                                     {"GTEST_TOTAL_SHARDS", "16"}});
  EXPECT_EQ(found.shard, (Shard{3, 16}));
  EXPECT_EQ(found.origin, "TEST_SHARD_INDEX=2 of Bazel");
}

TEST(ShardOption, RefusesWhatIsNoShard) {
  for (const char* text : {"", "0/4", "5/4", "3", "x", "1/0", "-1/3"})
    EXPECT_THAT(refusal_of({}, text), AllOf(HasSubstr("--shard"), HasSubstr(text), HasSubstr("such as 3/16"))) << text;
  EXPECT_THAT(refusal_of({{"JOB_COMPLETION_INDEX", "3"}}), HasSubstr("TOUCHSTONE_SHARDS is not set"));
  EXPECT_THAT(refusal_of({{"CI_NODE_INDEX", "0"}, {"CI_NODE_TOTAL", "3"}}),
              HasSubstr("CI_NODE_INDEX=0 and CI_NODE_TOTAL=3"));
  EXPECT_THAT(refusal_of({{"TEST_SHARD_INDEX", "4"}, {"TEST_TOTAL_SHARDS", "4"}}), HasSubstr("are not a shard"));
  EXPECT_THAT(refusal_of({{"TEST_SHARD_INDEX", "one"}, {"TEST_TOTAL_SHARDS", "4"}}),
              HasSubstr("'one' is not a number"));
  EXPECT_THAT(refusal_of({{"TEST_SHARD_INDEX", "-1"}, {"TEST_TOTAL_SHARDS", "4"}}), HasSubstr("'-1' is not a number"));
}

/// Otherwise every process would run all cases.
TEST(ShardOption, RefusesATotalWithoutAnIndex) {
  EXPECT_THAT(refusal_of({{"GTEST_TOTAL_SHARDS", "4"}}), HasSubstr("GTEST_SHARD_INDEX is not set"));
  EXPECT_THAT(refusal_of({{"CI_NODE_TOTAL", "4"}}), HasSubstr("CI_NODE_INDEX is not set"));
  EXPECT_THAT(refusal_of({{"TOUCHSTONE_SHARDS", "16"}}), HasSubstr("JOB_COMPLETION_INDEX is not set"));
  EXPECT_THAT(refusal_of({{"TEST_SHARD_INDEX", "1"}, {"TEST_TOTAL_SHARDS", "1"}}), HasSubstr("are not a shard"));
}

TEST(ShardOption, RefusesTasksThatMayBeAPartOfAnArray) {
  const Variables parts[] = {
      array_task("3", "3", "3", "1"),       // --array=3
      array_task("3", "3", "7", "2"),       // --array=3,7
      array_task("1", "1", "7", "2"),       // --array=1,7
      array_task("3", "3", "5", "3"),       // --array=3-5
      array_task("2", "0", "6", "3", "2"),  // not what Slurm sets
      array_task("9", "1", "3", "3"),
      array_task("2", "1", "3", "3", "0"),
      array_task("9223372036854775807", "0", "9223372036854775807", "2"),
  };
  for (const Variables& part : parts)
    EXPECT_THAT(refusal_of(part), AllOf(HasSubstr("SLURM_ARRAY_TASK_ID=" + part.at("SLURM_ARRAY_TASK_ID") + ": the "),
                                        HasSubstr("without gaps"), HasSubstr("--shard I/N")));
  EXPECT_EQ(found_in(parts[0], "3/16").shard, (Shard{3, 16}));
}

}  // namespace
}  // namespace touchstone::tools::shard_option_test
