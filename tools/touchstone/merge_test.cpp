// Shards of a run, and their merge.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "conformance/plan/covering_order.h"
#include "conformance/run/journal_testing.h"
#include "tools/touchstone/runs_testing.h"

namespace touchstone::tools::merge_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Runs all commands in a message, with the variables before them, and without experiments, as above. Returns how many
/// there were.
int run_commands_in(const TemporaryDirectory& scratch, const std::string& message) {
  int count = 0;
  std::istringstream lines(message);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> words = words_of(line);
    const auto program = std::ranges::find(words, "touchstone");
    if (!line.starts_with("  ") || program == words.end()) continue;
    const std::vector<std::string> variables(words.begin(), program);
    std::vector<std::string> arguments(program + 1, words.end());
    arguments.insert(arguments.end(), {"--experiments", "0"});
    const Outcome run = touchstone(scratch, arguments, [&] {
      for (const std::string& variable : variables)
        ::setenv(variable.substr(0, variable.find('=')).c_str(), variable.substr(variable.find('=') + 1).c_str(), 1);
    });
    EXPECT_LE(run.exit_code, 1) << line << '\n' << run.error;
    ++count;
  }
  return count;
}

/// Replaces a text in the lines of a journal, which keeps its checksums.
void replace_in(const fs::path& journal, const std::string& text, const std::string& replacement) {
  std::string content = content_of(journal);
  const std::size_t place = content.find(text);
  ASSERT_NE(place, std::string::npos);
  content.replace(place, text.size(), replacement);
  write_file(journal, conformance::compressed(conformance::with_checksums(content)));
}

/// The time in the first line of a journal that begins with `line`.
void set_time(const fs::path& journal, const std::string& line, const std::string& time) {
  std::string content = content_of(journal);
  const std::string member = R"("time":")";
  const std::size_t place = content.find(member, content.find(line)) + member.size();
  content.replace(place, time.size(), time);
  write_file(journal, conformance::compressed(conformance::with_checksums(content)));
}

class Merge : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    shared_ = new TemporaryDirectory;
    run_failing(*shared_, "whole");
    for (const std::string index : {"1", "2", "3"}) run_failing(*shared_, index, {"--shard", index + "/3"});
  }
  static void TearDownTestSuite() { delete std::exchange(shared_, nullptr); }

  /// A copy of a shard, to be changed.
  void copy(const std::string& shard) const {
    fs::copy(shared_->path() / shard, scratch_.path() / shard, fs::copy_options::recursive);
  }
  void copy_all() const {
    for (const char* shard : {"1", "2", "3"}) copy(shard);
  }
  /// The same with another name.
  void copy(const std::string& shard, const std::string& name) const {
    fs::copy(shared_->path() / shard, scratch_.path() / name, fs::copy_options::recursive);
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
  const Outcome merged = merge_runs(scratch_, {"3", "1", "2"});
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

TEST_F(Merge, WritesOnlyTheJournal) {
  copy_all();
  merge_runs(scratch_, {"1", "2", "3"});
  const std::string with_reports = content_of(scratch_.path() / "merged" / "journal.ndjson.gz");
  const Outcome merged = merge_runs(scratch_, {"2", "3", "1", "--journal-only"});
  EXPECT_EQ(merged.exit_code, 0) << merged.error;
  EXPECT_EQ(merged.out, "journal: merged/journal.ndjson.gz\nto make reports: touchstone report merged\n");
  auto files = files_in(scratch_.path() / "merged");
  ASSERT_THAT(files, testing::ElementsAre(testing::Key("journal.ndjson.gz")))
      << "the reports of the first merge are gone";
  const std::string& journal = files["journal.ndjson.gz"];
  const std::size_t last_line = journal.find(R"({"finished":)");
  ASSERT_NE(last_line, std::string::npos);
  EXPECT_TRUE(with_reports.starts_with(journal.substr(0, last_line)));
  EXPECT_EQ(std::ranges::count(journal.substr(last_line), '\n'), 1);
  EXPECT_THAT(journal.substr(last_line), Not(HasSubstr("inconsistencies")));
  EXPECT_THAT(with_reports.substr(last_line), HasSubstr(R"("inconsistencies":[)"));

  const std::vector<std::string> of_the_whole{"report", (shared_->path() / "whole").string(), "--format", "csv",
                                              "--all-cases"};
  const std::vector<std::string> of_the_merge{"report", "merged", "--format", "csv", "--all-cases"};
  EXPECT_EQ(touchstone(scratch_, of_the_merge).out, touchstone(scratch_, of_the_whole).out);
  // The journal is a run of all cases, which can be merged as its only shard.
  EXPECT_EQ(touchstone(scratch_, {"merge", "merged", "--output", "all", "--max-reproducers", "0"}).exit_code, 1);
  EXPECT_TRUE(results_in(scratch_.path() / "all") == results_in(shared_->path() / "whole"));
}

TEST_F(Merge, WritesTheExpectationsWithTheJournal) {
  const std::string known =
      R"({"expectations": [{"pattern": "*-u8/per_tensor/zp/values", "verdict": "fail", "reason": "r", "issue": "i"}]})";
  write_file(scratch_.path() / "known.json", known);
  copy_all();
  EXPECT_EQ(merge_runs(scratch_, {"1", "2", "3", "--journal-only", "--expectations", "known.json"}).exit_code, 0);
  EXPECT_EQ(content_of(scratch_.path() / "merged" / "journal.expectations.json"), known);
  write_file(scratch_.path() / "known.json", "{");
  const Outcome refused = merge_runs(scratch_, {"1", "2", "3", "--journal-only", "--expectations", "known.json"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.error, HasSubstr("--expectations known.json: "));
  EXPECT_EQ(content_of(scratch_.path() / "merged" / "journal.expectations.json"), known);
}

/// Whether there are results of an earlier merge or not.
TEST_F(Merge, WritesNoJournalOfAnIncompleteRun) {
  copy_all();
  const auto refuse = [&](const std::vector<std::string>& shards) {
    std::vector<std::string> arguments = shards;
    arguments.emplace_back("--journal-only");
    return merge_runs(scratch_, arguments);
  };
  expect_refused(refuse({"1", "3"}), 4, {"cases have no result", "missing shards: 2\n"});
  fs::create_directory(scratch_.path() / "merged");
  EXPECT_EQ(refuse({"1", "3"}).exit_code, 4);
  EXPECT_THAT(files_in(scratch_.path() / "merged"), testing::IsEmpty());
  merge_runs(scratch_, {"1", "2", "3"});
  const auto results = files_in(scratch_.path() / "merged");
  EXPECT_EQ(refuse({"1", "3"}).exit_code, 4);
  cut_off(scratch_.path() / "3/journal.ndjson.gz", 2);
  EXPECT_EQ(refuse({"1", "2", "3"}).exit_code, 4);
  EXPECT_TRUE(files_in(scratch_.path() / "merged") == results);
}

TEST_F(Merge, WritesNoJournalIfAllCasesOfAShardMustBeInMemory) {
  copy_all();
  run_failing(scratch_, "2", {"--shard", "2/3", "--time-budget", "1h", "--overwrite"});
  expect_refused(merge_runs(scratch_, {"1", "2", "3", "--journal-only"}), 2,
                 {"2 was run with --time-budget", "leave --journal-only out"});
  EXPECT_EQ(merge_runs(scratch_, {"1", "2", "3"}).exit_code, 1);
}

TEST_F(Merge, PrintsTheCommandsThatRunTheRest) {
  copy("1");
  copy("3");
  cut_off(scratch_.path() / "3/journal.ndjson.gz", 2);
  const Outcome incomplete = merge_runs(scratch_, {"1", "3"});
  expect_refused(incomplete, 4,
                 {"cases have no result", "touchstone run --resume 3\n",
                  "touchstone run --backend wrong:rounds-half-away-from-zero --suite onnx --suite graphs --suite "
                  "generated --tier smoke",
                  "--shard 2/3 --output 2\n", "missing shards: 2\n"});
  EXPECT_EQ(run_commands_in(scratch_, incomplete.error), 2);
  EXPECT_EQ(merge_runs(scratch_, {"1", "2", "3"}).exit_code, 1);
  EXPECT_TRUE(results_in(scratch_.path() / "merged") == results_in(shared_->path() / "whole"));
}

/// In the folders of tools/cluster a merge takes whatever has the name of a shard.
TEST_F(Merge, GivesMissingShardsANameLikeThoseOfTheOthers) {
  fs::create_directory(scratch_.path() / "shards");
  const auto expect_output = [&](const std::vector<std::string>& directories, const std::string& output) {
    expect_refused(merge_runs(scratch_, directories), 4, {"--shard 2/3 --output " + output + "\n"});
  };
  copy("1", "shards/1");
  copy("3", "shards/3");
  expect_output({"shards/1/", "shards/3/"}, "shards/2");
  expect_output({"shards/3", "shards/1"}, "shards/2");
  copy("1", "shards/0");
  copy("3", "shards/2");
  expect_output({"shards/0", "shards/2"}, "shards/1");
  expect_output({"shards/0", "shards/3"}, "shards/touchstone-report-2-of-3");
  copy("1", "shards/one");
  expect_output({"shards/one/"}, "shards/touchstone-report-2-of-3");
}

TEST_F(Merge, ListsAllMissingShards) {
  run_failing(scratch_, "2", {"--shard", "2/40"});
  run_failing(scratch_, "4", {"--shard", "4/40"});
  expect_refused(
      merge_runs(scratch_, {"2", "4"}), 4,
      {"--shard 1/40 --output 1\n", "--shard 22/40 --output 22\n", "and 18 more\n", "missing shards: 1,3,5-40\n"});
}

/// Otherwise the merge refuses the shards that the commands have run.
TEST_F(Merge, PrintsCommandsWithTheExpectationsAndLimitsOfTheRun) {
  const Rewire limits = [] { ::setenv("TOUCHSTONE_LIMITS", "reason_bytes=1000,rank=16", 1); };
  write_file(scratch_.path() / "known.json", R"({"expectations": [{"pattern": "*-u8/per_tensor/zp/values",
      "verdict": "fail", "reason": "r", "issue": "i"}]})");
  for (const std::string index : {"1", "3"})
    run_failing(scratch_, index, {"--shard", index + "/3", "--expectations", "known.json"}, limits);
  cut_off(scratch_.path() / "3/journal.ndjson.gz", 2);
  fs::remove(scratch_.path() / "known.json");
  const Outcome incomplete = merge_runs(scratch_, {"1", "3"}, limits);
  expect_refused(incomplete, 4,
                 {"TOUCHSTONE_LIMITS=rank=16,reason_bytes=1000 touchstone run --resume 3\n",
                  " --expectations 1/journal.expectations.json --shard 2/3 --output 2\n"});
  EXPECT_EQ(run_commands_in(scratch_, incomplete.error), 2);
  EXPECT_EQ(merge_runs(scratch_, {"1", "2", "3"}, limits).exit_code, 1);
}

TEST_F(Merge, CanBeRepeatedIfItWasInterrupted) {
  copy_all();
  const auto interrupt = [&] {
    const Outcome interrupted = merge_runs(scratch_, {"1", "2", "3"}, [] {
      const rlimit most{10'000, 10'000};
      ::setrlimit(RLIMIT_FSIZE, &most);
    });
    EXPECT_EQ(interrupted.exit_code, 3) << interrupted.error;
  };
  interrupt();
  EXPECT_FALSE(fs::exists(scratch_.path() / "merged")) << "a run that can be resumed would run cases on this machine";
  write_file(scratch_.path() / "known.json", R"({"expectations": []})");
  run_failing(scratch_, "merged", {"--expectations", "known.json"});
  const auto earlier = files_in(scratch_.path() / "merged");
  interrupt();
  EXPECT_TRUE(files_in(scratch_.path() / "merged") == earlier)
      << "a merge that fails keeps the results of an earlier run";
  EXPECT_EQ(merge_runs(scratch_, {"1", "2", "3"}).exit_code, 1);
  EXPECT_TRUE(results_in(scratch_.path() / "merged") == results_in(shared_->path() / "whole"));
}

/// A plan of so few cases that each shard runs all of them.
TEST_F(Merge, NeedsTheIdentityCasesOfEveryShard) {
  const auto run_shard = [&](const std::string& index) {
    return touchstone(scratch_,
                      {"run", "--suite", "generated", "--tier", "smoke", "--filter",
                       "quantize_linear/21/f32-f32-u8/per_tensor/*", "--shard", index + "/2", "--output", index});
  };
  for (const char* index : {"1", "2"}) ASSERT_EQ(run_shard(index).exit_code, 0);
  const auto cases = report_in(scratch_.path() / "2")["plan"]["cases"].get<std::size_t>();
  ASSERT_GT(cases, 0U);
  ASSERT_LE(cases, 8U);
  cut_off(scratch_.path() / "2/journal.ndjson.gz", 1);
  expect_refused(merge_runs(scratch_, {"1", "2"}), 4, {"1 of ", "touchstone run --resume 2\n"});
}

TEST_F(Merge, DoesNotDependOnTheOrderOfItsArguments) {
  copy_of("1.22.0/test_quantizelinear_axis", scratch_.path() / "tests" / "a");
  fs::copy(scratch_.path() / "tests", scratch_.path() / "same tests", fs::copy_options::recursive);
  for (const auto& [index, data] : std::map<std::string, std::string>{{"1", "tests"}, {"2", "same tests"}})
    touchstone(scratch_, {"run", "--suite", "onnx", "--data", data, "--shard", index + "/2", "--output", index});
  EXPECT_EQ(merge_runs(scratch_, {"1", "2"}).exit_code, 0);
  const auto results = results_in(scratch_.path() / "merged");
  EXPECT_EQ(merge_runs(scratch_, {"2", "1"}).exit_code, 0);
  EXPECT_TRUE(results_in(scratch_.path() / "merged") == results);
}

TEST_F(Merge, TakesAsLongAsAllShards) {
  copy_all();
  const auto journal = [&](const char* shard) { return scratch_.path() / shard / "journal.ndjson.gz"; };
  set_time(journal("2"), "{\"journal\"", "2020-01-01T10:00:00Z");
  set_time(journal("1"), "{\"finished\"", "2036-01-01T10:00:00Z");
  EXPECT_EQ(merge_runs(scratch_, {"1", "2", "3"}).exit_code, 1);
  const auto time = nlohmann::json::parse(content_of(scratch_.path() / "merged" / "summary.json"))["time"];
  EXPECT_EQ(time["started"], "2020-01-01T10:00:00Z");
  EXPECT_EQ(time["finished"], "2036-01-01T10:00:00Z");
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
      {{"--sign-of-zero"}, "judge/sign_of_zero is true, not false"},
      {{"--memory-limit", "1000000000"}, "options/memory_limit is 1000000000, not 0"},
      {{"--lower-level", "reference"}, "options/lower_levels is [\"reference\"], not absent"},
  };
  for (const Row& row : rows) {
    std::vector<std::string> further{"--shard", "2/3", "--overwrite"};
    further.insert(further.end(), row.options.begin(), row.options.end());
    run_failing(scratch_, "2", further);
    expect_refused(merge_runs(scratch_, {"1", "2"}), 2, {"2 is not a shard of the same run as 1", row.difference});
  }
  // Of lists of different lengths, the message shows both as a whole.
  run_failing(scratch_, "1", {"--shard", "1/3", "--overwrite", "--lower-level", "reference"});
  run_failing(scratch_, "2",
              {"--shard", "2/3", "--overwrite", "--lower-level", "reference", "--lower-level", "optimized"});
  expect_refused(merge_runs(scratch_, {"1", "2"}), 2,
                 {R"(options/lower_levels is ["reference","optimized"], not ["reference"])"});
  fs::remove_all(scratch_.path() / "1");
  copy("1");
  // CLI11 takes the last one of two options of the same name only if it is told to: other commands.
  const auto other = [&](const std::string& backend, const std::string& tier, const std::string& filter,
                         const std::string& shard) {
    touchstone(scratch_, {"run", "--output", "2", "--overwrite", "--backend", backend, "--tier", tier, "--filter",
                          filter, "--shard", shard, "--max-reproducers", "0"});
    return merge_runs(scratch_, {"1", "2"});
  };
  const std::string& filter = failing_options[5];
  expect_refused(other("optimized", "smoke", filter, "2/3"), 2, {"backend/", "optimized"});
  expect_refused(other(failing_options[1], "standard", "onnx/*", "2/3"), 2,
                 {"2 is not a shard of the same run as 1: plan/"});
  expect_refused(other(failing_options[1], "smoke", "onnx/*", "2/3"), 2, {"plan/"});
  expect_refused(other(failing_options[1], "smoke", filter, "2/4"), 2, {"2 is the shard 2/4, and 1 is 1/3"});
  run_failing(scratch_, "2", {"--shard", "2/3", "--suite", "generated", "--overwrite"});
  expect_refused(merge_runs(scratch_, {"1", "2"}), 2, {"2 is not a shard of the same run as 1: plan/"});
  run_failing(scratch_, "2", {"--shard", "2/3", "--overwrite"}, [] { ::setenv("TOUCHSTONE_LIMITS", "rank=9", 1); });
  expect_refused(merge_runs(scratch_, {"1", "2"}), 2, {"2 is not a shard of the same run as 1: options/limits"});
}

TEST_F(Merge, RefusesShardsOfAnotherVersion) {
  copy_all();
  replace_in(scratch_.path() / "2/journal.ndjson.gz", R"("touchstone":{"version":")", R"("touchstone":{"version":"9.)");
  expect_refused(merge_runs(scratch_, {"1", "2", "3"}), 2,
                 {"2 is not a shard of the same run as 1: touchstone/version is \"9."});
}

TEST_F(Merge, RefusesAShardThatIsGivenTwice) {
  copy("1");
  copy("2");
  fs::copy(scratch_.path() / "1", scratch_.path() / "again", fs::copy_options::recursive);
  expect_refused(merge_runs(scratch_, {"1", "2", "again"}), 4,
                 {"1 and again both are the shard 1/3", "missing shards: 3"});
  expect_refused(merge_runs(scratch_, {"1", "2", "2", "again"}), 4,
                 {"1 and again both are the shard 1/3", "2 and 2 both are the shard 2/3"});
  copy("1", "one\nmore");
  expect_refused(merge_runs(scratch_, {"1", "one\nmore"}), 4, {"1 and one\\x0amore both are the shard 1/3"});
}

TEST_F(Merge, NeedsTheNamesOfDirectories) {
  copy_all();
  expect_refused(merge_runs(scratch_, {"1", "", "3"}), 2, {"the name of a shard's directory is empty"});
}

TEST_F(Merge, RefusesShardsThatWereDealtInDifferentWays) {
  copy_all();
  fs::copy(shared_->path() / "whole", scratch_.path() / "earlier", fs::copy_options::recursive);
  run_failing(scratch_, "2", {"--shard", "2/3", "--balance", "earlier", "--overwrite"});
  expect_refused(merge_runs(scratch_, {"1", "2", "3"}), 2, {"2 is not a shard of the same run as 1: plan/balance is"});
}

TEST_F(Merge, RefusesDamagedJournalsAndKeepsEverything) {
  copy_all();
  const fs::path journal = scratch_.path() / "2/journal.ndjson.gz";
  const std::string content = content_of(journal);
  std::string changed = content;
  changed.replace(changed.find("\"verdict\":\"fail\""), 16, "\"verdict\":\"pass\"");
  write_file(journal, conformance::compressed(changed));
  expect_refused(merge_runs(scratch_, {"1", "2", "3"}), 3, {"2/journal.ndjson.gz: line "});
  write_file(journal, conformance::compressed("This is text.\n"));
  expect_refused(merge_runs(scratch_, {"1", "2", "3"}), 3,
                 {"2/journal.ndjson.gz: line 1: is not JSON: parse error at line 1"});
  write_file(journal, "");
  expect_refused(merge_runs(scratch_, {"1", "2", "3"}), 2, {"2 has no journal of a run"});
  fs::remove_all(scratch_.path() / "2");
  expect_refused(merge_runs(scratch_, {"1", "2", "3"}), 2, {"2 has no journal of a run"});
  const auto before = results_in(scratch_.path() / "1");
  for (const std::string output : {"1", "1/merged", "./3/../1/reproducers/"}) {
    const Outcome into_a_shard = touchstone(scratch_, {"merge", "1", "3", "--output", output});
    EXPECT_EQ(into_a_shard.exit_code, 2);
    EXPECT_THAT(into_a_shard.error, HasSubstr("--output " + output + " is one of the shards, or inside one"));
  }
  EXPECT_TRUE(results_in(scratch_.path() / "1") == before);
}

TEST_F(Merge, SaysThatTheSystemDoesNotPermitSoManyFiles) {
  copy_all();
  const Outcome refused = merge_runs(scratch_, {"1", "2", "3"}, [] {
    const rlimit most{5, 5};
    ::setrlimit(RLIMIT_NOFILE, &most);
  });
  expect_refused(refused, 3, {"/journal.ndjson.gz: cannot be read: Too many open files"});
}

TEST_F(Merge, RefusesToWriteMoreThanCanBeRead) {
  copy_all();
  std::size_t longest = 0;
  for (const char* shard : {"1", "2", "3"})
    longest = std::max(longest, content_of(scratch_.path() / shard / "journal.ndjson.gz").size());
  expect_refused(
      merge_runs(scratch_, {"1", "2", "3"},
                 [=] { ::setenv("TOUCHSTONE_LIMITS", fmt::format("journal_bytes={}", longest).c_str(), 1); }),
      3, {fmt::format("longer than the limit of {} bytes", longest), "journal_bytes in TOUCHSTONE_LIMITS"});
}

/// One of the identity cases has another answer, as if another build had run the shard.
TEST_F(Merge, RefusesDifferentAnswersToIdentityCases) {
  copy_all();
  const fs::path journal = scratch_.path() / "2/journal.ndjson.gz";
  std::map<std::string, int> seen;
  for (const char* shard : {"1", "2", "3"}) {
    std::istringstream lines(content_of(scratch_.path() / shard / "journal.ndjson.gz"));
    for (std::string line; std::getline(lines, line);)
      if (const auto json = nlohmann::json::parse(line); json.contains("id")) ++seen[json["id"].get<std::string>()];
  }
  const auto everywhere = std::ranges::find_if(seen, [](const auto& row) { return row.second == 3; });
  ASSERT_NE(everywhere, seen.end());
  std::string content = content_of(journal);
  const std::string member = R"("output_digest":")";
  const std::size_t digest = content.find(member, content.find(R"({"id":")" + everywhere->first + '"')) + member.size();
  content.replace(digest, 16, "0000000000000001");
  write_file(journal, conformance::compressed(conformance::with_checksums(content)));
  expect_refused(merge_runs(scratch_, {"1", "2", "3"}), 2,
                 {"different answers to the case " + everywhere->first + ", which every shard runs", ", in 1, 3\n",
                  ", output 0000000000000001, in 2\n", "Run those with the rarer answer again"});
}

TEST_F(Merge, TakesShardsThatAreBalanced) {
  fs::copy(shared_->path() / "whole", scratch_.path() / "earlier", fs::copy_options::recursive);
  run_failing(scratch_, "1", {"--shard", "1/2", "--balance", "earlier"});
  run_failing(scratch_, "2", {"--shard", "2/2", "--balance", "earlier/journal.ndjson.gz"});
  cut_off(scratch_.path() / "2/journal.ndjson.gz", 2);
  EXPECT_EQ(touchstone(scratch_, {"run", "--resume", "2", "--experiments", "0"}).exit_code, 1);
  const Outcome merged = merge_runs(scratch_, {"1", "2"});
  EXPECT_EQ(merged.exit_code, 1) << merged.error;
  EXPECT_TRUE(results_in(scratch_.path() / "merged") == results_in(shared_->path() / "whole"));

  cut_off(scratch_.path() / "2/journal.ndjson.gz", 2);
  run_failing(scratch_, "earlier", {"--seed", "2"});
  const Outcome other = touchstone(scratch_, {"run", "--resume", "2"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.error, AllOf(HasSubstr("earlier"), HasSubstr("by which its cases were distributed, has changed")));
}

TEST_F(Merge, NeedsADirectoryOrAJournalForTheBalance) {
  fs::create_directory(scratch_.path() / "empty");
  for (const std::string shard : {"1/2", "1/1"}) {
    const auto refusal_of = [&](const std::string& earlier) {
      const Outcome refused = run_failing(scratch_, "none", {"--shard", shard, "--balance", earlier});
      EXPECT_EQ(refused.exit_code, 2) << shard << ' ' << earlier;
      return refused.error;
    };
    EXPECT_THAT(refusal_of("nowhere"), HasSubstr("--balance: Path does not exist: nowhere"));
    EXPECT_THAT(refusal_of(""), HasSubstr("--balance: Path does not exist"));
    EXPECT_THAT(refusal_of("empty"), HasSubstr("empty has no journal.ndjson.gz"));
  }
  EXPECT_FALSE(fs::exists(scratch_.path() / "none"));
}

TEST_F(Merge, MakesTheFingerprint) {
  copy("1");
  const Outcome of_shard = touchstone(scratch_, {"fingerprint", "1"});
  EXPECT_EQ(of_shard.exit_code, 4);
  EXPECT_THAT(of_shard.error, HasSubstr("1 is the shard 1/3, and only the run of all shards has a fingerprint"));
  copy("2");
  copy("3");
  merge_runs(scratch_, {"1", "2", "3"});
  EXPECT_EQ(touchstone(scratch_, {"fingerprint", "merged"}).exit_code, 0);
}

TEST_F(Merge, AppliesTheExpectationsOfTheShards) {
  const std::string known =
      R"({"expectations": [{"pattern": "*-u8/per_tensor/zp/values", "verdict": "fail", "reason": "r", "issue": "i"}]})";
  write_file(scratch_.path() / "known.json", known);
  run_failing(scratch_, "one", {"--expectations", "known.json"});
  for (const std::string index : {"1", "2"}) {
    const Outcome shard = run_failing(scratch_, index, {"--shard", index + "/2", "--expectations", "known.json"});
    EXPECT_THAT(shard.out, Not(HasSubstr("stale"))) << "another shard may have its cases";
  }
  merge_runs(scratch_, {"1", "2"});
  EXPECT_TRUE(results_in(scratch_.path() / "merged") == results_in(scratch_.path() / "one"));
  fs::remove_all(scratch_.path() / "merged");
  fs::rename(scratch_.path() / "2/journal.expectations.json", scratch_.path() / "kept.json");
  expect_refused(merge_runs(scratch_, {"1", "2"}), 3, {"2/journal.expectations.json: does not exist"});
  write_file(scratch_.path() / "none.json", R"({"expectations": []})");
  touchstone(scratch_, {"run", "--resume", "2", "--expectations", "none.json"});
  expect_refused(merge_runs(scratch_, {"1", "2"}), 2, {"1 and 2 were run with different expectations"});
}

/// Intervals of sweeps.
TEST_F(Merge, GivesTheResultsOfOneExhaustiveRun) {
  const auto sweep = [&](std::vector<std::string> arguments) {
    for (const char* argument :
         {"run", "--tier", "exhaustive", "--filter", "exhaustive/quantize_linear/21/f16-f16-u8/*"})
      arguments.emplace_back(argument);
    std::ranges::rotate(arguments, std::ranges::find(arguments, "run"));
    return touchstone(scratch_, arguments);
  };
  const Outcome whole = sweep({"--output", "whole"});
  ASSERT_EQ(whole.exit_code, 0) << whole.error;
  for (const std::string index : {"1", "2", "3"})
    EXPECT_EQ(sweep({"--shard", index + "/3", "--output", index}).exit_code, 0);
  EXPECT_EQ(merge_runs(scratch_, {"1", "2", "3"}).exit_code, 0);
  EXPECT_TRUE(results_in(scratch_.path() / "merged") == results_in(scratch_.path() / "whole"));
  EXPECT_THAT(content_of(scratch_.path() / "merged" / "journal.ndjson.gz"),
              testing::ContainsRegex(R"("id":"exhaustive/quantize_linear/21/f16-f16-u8/[^"]*\.\.)"));
}

/// Sweeps are no identity cases.
TEST_F(Merge, TakesShardsWithoutACase) {
  const auto run_shard = [&](const std::string& output, const std::string& shard) {
    return touchstone(
        scratch_, {"run", "--tier", "exhaustive", "--filter", "exhaustive/quantize_linear/21/f16-f16-u8/*scale=0x0000*",
                   "--shard", shard, "--output", output});
  };
  EXPECT_EQ(run_shard("whole", "1/1").exit_code, 0);
  std::vector<std::string> shards;
  std::size_t empty = 0;
  for (int index = 1; index <= 4; ++index) {
    shards.push_back(std::to_string(index));
    EXPECT_EQ(run_shard(shards.back(), shards.back() + "/4").exit_code, 0);
    if (report_in(scratch_.path() / shards.back())["plan"]["cases"] == 0) ++empty;
  }
  EXPECT_GT(empty, 0U);
  EXPECT_EQ(merge_runs(scratch_, shards).exit_code, 0);
  EXPECT_TRUE(results_in(scratch_.path() / "merged") == results_in(scratch_.path() / "whole"));
}

TEST_F(Merge, GivesTheResultsOfOneRunOfManyShards) {
  const auto run_shard = [&](const std::string& output, const std::string& shard) {
    touchstone(scratch_, {"run", "--tier", "smoke", "--filter", "*_linear/21/*", "--backend", "wrong:rounds-half-up",
                          "--max-reproducers", "0", "--experiments", "0", "--shard", shard, "--output", output});
  };
  run_shard("whole", "1/1");
  std::vector<std::string> shards;
  for (int index = 1; index <= 8; ++index) {
    shards.push_back(std::to_string(index));
    run_shard(shards.back(), shards.back() + "/8");
  }
  EXPECT_EQ(merge_runs(scratch_, shards).exit_code, 1);
  EXPECT_TRUE(results_in(scratch_.path() / "merged") == results_in(scratch_.path() / "whole"));
}

/// A case that a shard varied keeps its experiments, and a resumed run makes them again.
TEST_F(Merge, KeepsTheExperimentsOfShards) {
  const auto run_shard = [&](const std::string& index) {
    return touchstone(scratch_, {"run", "--suite", "generated", "--tier", "smoke", "--filter",
                                 "quantize_linear/2?/*-u8*", "--backend", "wrong:rounds-half-away-from-zero",
                                 "--max-reproducers", "0", "--shard", index + "/2", "--output", index});
  };
  const auto tested_in = [&](const std::string& directory) -> std::string {
    return report_in(scratch_.path() / directory)["causes"][0]["tested"];
  };
  for (const char* index : {"1", "2"}) EXPECT_EQ(run_shard(index).exit_code, 1);
  EXPECT_THAT(tested_in("1"), HasSubstr("confirmed by "));
  cut_off(scratch_.path() / "2/journal.ndjson.gz", 2);
  EXPECT_EQ(touchstone(scratch_, {"run", "--resume", "2"}).exit_code, 1);
  EXPECT_THAT(tested_in("2"), HasSubstr("confirmed by "));
  EXPECT_EQ(merge_runs(scratch_, {"1", "2"}).exit_code, 1);
  const std::string merged = tested_in("merged");
  EXPECT_THAT(merged, HasSubstr("confirmed by "));
  EXPECT_THAT(touchstone(scratch_, {"report", "merged"}).out, HasSubstr(merged));
}

}  // namespace
}  // namespace touchstone::tools::merge_test
