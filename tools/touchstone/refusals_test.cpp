// A backend that refuses everything ends with 5, however it is run.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/touchstone/packs_testing.h"
#include "tools/touchstone/runs_testing.h"

namespace touchstone::tools::refusals_test {
namespace {

using testing::HasSubstr;

constexpr int nothing_right = 5;

/// The third argument is a part of every id.
std::string refusing(const std::string& mode = "refuse") {
  return fmt::format("exec:{} {} unused ''", TOUCHSTONE_HOSTILE_WORKER, mode);
}

const std::string selected = "quantize_linear/10/f32-f32-u8/per_tensor/zp/*:" + illegal_id;

std::vector<std::string> run_of(const std::string& output, const std::string& backend = refusing()) {
  return {"run",      "--suite", "generated", "--filter", selected, "--backend", backend,
          "--output", output,    "--quiet",   "--jobs",   "1",      "--show-ids"};
}

Outcome run(const TemporaryDirectory& scratch, std::vector<std::string> arguments,
            const std::vector<std::string>& further = {}) {
  arguments.insert(arguments.end(), further.begin(), further.end());
  return touchstone(scratch, arguments);
}

void expect_everything_refused(const TemporaryDirectory& scratch) {
  write_file(scratch.path() / "known.json", R"({"expectations": [{"pattern": "*", "verdict": "rejects_valid",
      "reason": "nothing works", "issue": "X-1"}]})");
}

void expect_nothing_right(const fs::path& output) {
  const nlohmann::json summary = report_in(output)["summary"];
  EXPECT_EQ(summary["right"], 0);
  EXPECT_EQ(summary["refused"], summary["total"]);
  EXPECT_EQ(summary["illegal"]["rejected"], 0);
  EXPECT_EQ(summary["illegal"]["undecided"], 1);
}

TEST(Refusals, OfEverythingEndWithFive) {
  const TemporaryDirectory scratch;
  expect_everything_refused(scratch);
  for (const std::vector<std::string>& options : {std::vector<std::string>{},
                                                  {"--require", "none"},
                                                  {"--expectations", "known.json"},
                                                  {"--expectations", "known.json", "--require", "none"}}) {
    const Outcome outcome = run(scratch, run_of("out"), options);
    EXPECT_EQ(outcome.exit_code, nothing_right) << testing::PrintToString(options) << outcome.error;
    expect_nothing_right(scratch.path() / "out");
    EXPECT_EQ(touchstone(scratch, {"report", "out"}).exit_code, 0);
  }
  EXPECT_EQ(run(scratch, run_of("out"), {"--require", "all"}).exit_code, 1) << "what was required is missing";
}

/// The illegal model is rejected, and its control accepted.
TEST(Refusals, OfIllegalModelsAreResults) {
  const TemporaryDirectory scratch;
  const Outcome outcome = run(scratch, run_of("out", refusing("refuse_but_controls")), {"--require", "none"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_THAT(unwrapped(outcome.out), HasSubstr("; illegal models: 1 rejected, of 1 "));
}

TEST(Refusals, OfEverythingInShardsEndWithFiveInTheMerge) {
  const TemporaryDirectory scratch;
  expect_everything_refused(scratch);
  for (const char* shard : {"1/2", "2/2"}) {
    const Outcome part = run(scratch, run_of(std::string(1, shard[0])), {"--shard", shard, "--require", "none"});
    EXPECT_EQ(part.exit_code, 0) << "a shard need not have a right case\n" << part.error;
  }
  const std::vector<std::string> merge{"merge", "1", "2", "--output", "merged"};
  EXPECT_EQ(run(scratch, merge).exit_code, nothing_right);
  expect_nothing_right(scratch.path() / "merged");
  EXPECT_EQ(run(scratch, merge, {"--expectations", "known.json"}).exit_code, nothing_right);
}

TEST(Refusals, OfValueSpacesEndWithFive) {
  const TemporaryDirectory scratch;
  const std::string scales_from_0 = "exhaustive/quantize_linear/21/f16-f16-u8/per_axis/zp/scale=0x0000..0x0fff/*";
  const Outcome outcome =
      touchstone(scratch, {"run", "--tier", "exhaustive", "--suite", "generated", "--filter", scales_from_0,
                           "--backend", refusing(), "--output", "out", "--require", "none"});
  EXPECT_EQ(outcome.exit_code, nothing_right) << outcome.error;
  const nlohmann::json summary = report_in(scratch.path() / "out")["summary"];
  EXPECT_EQ(summary["right"], 0);
  EXPECT_EQ(summary["refused"], 2);
}

/// By default, everything that the backend is asked is required.
TEST(Refusals, OfWhatIsRequiredFailAShard) {
  const TemporaryDirectory scratch;
  for (const char* shard : {"1/2", "2/2"})
    EXPECT_EQ(run(scratch, run_of(std::string(1, shard[0])), {"--shard", shard}).exit_code, 1);
  EXPECT_EQ(run(scratch, {"merge", "1", "2", "--output", "merged"}).exit_code, nothing_right);
}

void refuse_all_answers(const TemporaryDirectory& scratch) {
  for (const char* folder : {"cases", "must_reject", "controls"}) {
    if (!fs::exists(scratch.path() / "pack" / folder)) continue;
    for (const auto& entry : fs::directory_iterator(scratch.path() / "pack" / folder))
      write_file(scratch.path() / "answers" / folder / entry.path().filename() / "refused.txt", "no kernel");
  }
}

TEST(Refusals, OfAWholePackEndWithFive) {
  const TemporaryDirectory scratch;
  expect_everything_refused(scratch);
  ASSERT_EQ(touchstone(scratch, {"export", "pack", "--suite", "generated", "--filter", selected}).exit_code, 0);
  refuse_all_answers(scratch);
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{}, {"--require", "none"}, {"--expectations", "known.json"}}) {
    const Outcome judged = judge(scratch, options);
    EXPECT_EQ(judged.exit_code, nothing_right) << testing::PrintToString(options) << judged.error;
    expect_nothing_right(scratch.path() / "out");
  }
}

/// An illegal model from files has another model as its control, also in a pack.
TEST(Refusals, OfIllegalFilesCountOnlyWithTheirControl) {
  const TemporaryDirectory scratch;
  ASSERT_EQ(touchstone(scratch, {"export", "pack", "--suite", "generated", "--filter", illegal_id}).exit_code, 0);
  fs::rename(scratch.path() / "pack/must_reject", scratch.path() / "tests");
  fs::remove_all(scratch.path() / "pack");
  const auto with = [&](const std::string& mode) {
    return run(scratch, {"run", "--suite", "onnx", "--data", "tests", "--backend", refusing(mode), "--output", "out",
                         "--show-ids"});
  };
  EXPECT_EQ(with("refuse").exit_code, nothing_right);
  EXPECT_EQ(report_in(scratch.path() / "out")["summary"]["illegal"]["undecided"], 1);
  EXPECT_EQ(with("refuse_but_controls").exit_code, 0);
  EXPECT_EQ(report_in(scratch.path() / "out")["summary"]["illegal"]["rejected"], 1);

  ASSERT_EQ(touchstone(scratch, {"export", "pack", "--suite", "onnx", "--data", "tests"}).exit_code, 0);
  refuse_all_answers(scratch);
  const Outcome judged =
      run(scratch, {"judge", "pack", "--answers", "answers", "--output", "out"}, {"--data", "tests"});
  EXPECT_EQ(judged.exit_code, nothing_right) << judged.error;
}

}  // namespace
}  // namespace touchstone::tools::refusals_test
