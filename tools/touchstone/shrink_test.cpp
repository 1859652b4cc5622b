// The subcommand shrink, and the shrunk reproducers of a run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/touchstone/runs_testing.h"

namespace touchstone::tools::shrink_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string wrong = "wrong:rounds-half-away-from-zero";
const std::string id = "quantize_linear/21/f32-f32-u8/per_axis/zp/values";

Outcome shrink(const TemporaryDirectory& scratch, std::vector<std::string> further) {
  std::vector<std::string> arguments{"shrink", id, "--suite", "generated"};
  arguments.insert(arguments.end(), further.begin(), further.end());
  return touchstone(scratch, arguments);
}

TEST(ShrinkCommand, ShowsAndWritesTheSmallestModel) {
  const TemporaryDirectory scratch;
  const Outcome found = shrink(scratch, {"--backend", wrong, "--output", "small"});
  EXPECT_EQ(found.exit_code, 1);
  EXPECT_THAT(found.out, AllOf(HasSubstr("1 of 1 elements differ"), HasSubstr("\n      x: float[1] "),
                               HasSubstr("The backend rounds half away from zero"), HasSubstr("calls of the backend"),
                               HasSubstr("written to small")));
  EXPECT_THAT(found.error, "");
  const fs::path directory = scratch.path() / "small";
  for (const char* name : {"model.onnx", "show.py", "test_data_set_0/input_0.pb", "test_data_set_0/output_0.pb"})
    EXPECT_TRUE(fs::exists(directory / name)) << name;
  EXPECT_THAT(content_of(directory / "show.py"), AllOf(HasSubstr("# The backend rounds"), HasSubstr("\n# x ")));
  EXPECT_THAT(content_of(directory / "replay.txt"), AllOf(HasSubstr("touchstone replay onnx/small --backend " + wrong),
                                                          HasSubstr("touchstone replay " + id)));
  EXPECT_EQ(touchstone(scratch, {"replay", "onnx/small", "--data", ".", "--backend", wrong}).exit_code, 1);
  EXPECT_EQ(touchstone(scratch, {"replay", "onnx/small", "--data", "."}).exit_code, 0);
}

TEST(ShrinkCommand, ReportsWhatItCannotShrink) {
  const TemporaryDirectory scratch;
  const Outcome right = shrink(scratch, {});
  EXPECT_EQ(right.exit_code, 0);
  EXPECT_THAT(right.out, AllOf(StartsWith("right"), HasSubstr("there is nothing to shrink")));
  const Outcome whole = shrink(scratch, {"--backend", wrong, "--calls", "0"});
  EXPECT_EQ(whole.exit_code, 1);
  EXPECT_THAT(whole.out, HasSubstr("no smaller model was found"));
  EXPECT_EQ(shrink(scratch, {"--calls", "-1"}).exit_code, 2);
  EXPECT_EQ(shrink(scratch, {"--backend", "nothing"}).exit_code, 2);
  EXPECT_EQ(shrink(scratch, {"--assume", "types=FLOAT"}).exit_code, 5);
  EXPECT_EQ(touchstone(scratch, {"shrink", "nothing", "--suite", "generated"}).exit_code, 5);
  write_file(scratch.path() / "full" / "notes.txt", "mine");
  const Outcome full = shrink(scratch, {"--backend", wrong, "--output", "full"});
  EXPECT_EQ(full.exit_code, 2);
  EXPECT_THAT(full.error, HasSubstr("--output full: it already exists and is not empty"));
}

TEST(Reproducers, AreShrunkAtTheEndOfARun) {
  const TemporaryDirectory scratch;
  const Outcome run = touchstone(scratch, {"run", "--suite", "generated", "--tier", "smoke", "--backend", wrong,
                                           "--filter", "quantize_linear/21/*", "--output", "out", "--quiet"});
  EXPECT_EQ(run.exit_code, 1);
  const auto causes = report_in(scratch.path() / "out")["causes"];
  ASSERT_EQ(causes.size(), 1U);
  const std::string place = causes[0]["reproducer"];
  const fs::path directory = scratch.path() / "out" / place;
  EXPECT_THAT(content_of(directory / "replay.txt"),
              AllOf(HasSubstr("touchstone replay onnx/" + place.substr(std::string("reproducers/").size())),
                    HasSubstr("1 of 1 elements differ"), HasSubstr("\n# shrunk by ")));
  EXPECT_LT(fs::file_size(directory / "test_data_set_0" / "input_0.pb"), 40U);
  EXPECT_FALSE(fs::exists(directory / "test_data_set_1"));
  const Outcome again = touchstone(
      scratch, {"run", "--suite", "onnx", "--data", "out/reproducers", "--backend", wrong, "--output", "again"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.out, Not(HasSubstr(" right, 0 wrong")));
  // The next run can use the directory.
  EXPECT_EQ(touchstone(scratch, {"run", "--suite", "generated", "--tier", "smoke", "--filter", "quantize_linear/21/*",
                                 "--output", "out", "--quiet"})
                .exit_code,
            0);
  EXPECT_FALSE(fs::exists(directory));
}

}  // namespace
}  // namespace touchstone::tools::shrink_test
