// touchstone compare: what it reads, and what it says of what it cannot read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tools/touchstone/runs_testing.h"

namespace touchstone::tools::compare_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// The directories right/ and wrong/: runs of the same case, of which the second fails.
class Compare : public testing::Test {
 protected:
  void SetUp() override {
    copy_of("1.22.0/test_quantizelinear_axis", scratch_.path() / "tests" / "a");
    run("right", "reference", 0);
    run("wrong", "wrong:ignores-zero-point", 1);
  }

  void run(const std::string& output, const std::string& backend, int exit_code) {
    const Outcome outcome =
        touchstone(scratch_, {"run", "--suite", "onnx", "--data", "tests", "--backend", backend, "--output", output});
    ASSERT_EQ(outcome.exit_code, exit_code) << outcome.error;
  }

  Outcome compare(
      std::vector<std::string> arguments, const Rewire& rewire = [] {}) {
    arguments.insert(arguments.begin(), "compare");
    return touchstone(scratch_, arguments, rewire);
  }

  /// What the page of this comparison is given, without its results.
  nlohmann::json page_data(
      std::vector<std::string> arguments, const Rewire& rewire = [] {}) {
    arguments.insert(arguments.end(), {"--format", "html"});
    const std::string page = compare(std::move(arguments), rewire).out;
    const std::size_t begin = page.find("id=\"data\">") + 10;
    return nlohmann::json::parse(page.substr(begin, page.find(",\"results\":", begin) - begin) + '}');
  }

  fs::path path(const char* name) const { return scratch_.path() / name; }

  TemporaryDirectory scratch_;
};

TEST_F(Compare, ShowsRunsSideBySide) {
  const Outcome outcome = compare({"right", "wrong"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_THAT(outcome.error, IsEmpty());
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("\nuint8 per_axis  all right  wrong\n"), HasSubstr("\n  B wrong: "),
                    HasSubstr("[ignores-zero-point]"), HasSubstr("wrong/reproducers/onnx/a\n"),
                    HasSubstr("\nwrong only in B: 1\n  onnx/a\n"), HasSubstr("\nright only in A: 1\n  onnx/a\n")));
}

TEST_F(Compare, ReadsReportsAndCompactResults) {
  for (const char* file : {"wrong/result.json", "wrong/report.json", "wrong/summary.json"}) {
    const Outcome outcome = compare({"right", file});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("  all right  wrong\n"), HasSubstr("[ignores-zero-point]"),
                                   HasSubstr("onnx/a"), Not(HasSubstr("only in"))));
    const bool has_granularities = std::string_view(file) == "wrong/result.json";
    EXPECT_EQ(outcome.error.empty(), has_granularities) << outcome.error;
  }
  ASSERT_EQ(touchstone(scratch_, {"report", "wrong", "--format", "compact", "--output", "kept.json"}).exit_code, 0);
  EXPECT_EQ(content_of(path("kept.json")), content_of(path("wrong/result.json")));
}

TEST_F(Compare, WritesMarkdownHtmlAndJson) {
  const std::string page = compare({"right", "wrong", "--format", "html"}).out;
  EXPECT_THAT(page, AllOf(HasSubstr("<!DOCTYPE html>"), HasSubstr("\"results\":[{\n \"touchstone_result\":1,"),
                          HasSubstr("}\n,{\n \"touchstone_result\":1,")));
  EXPECT_THAT(compare({"right", "wrong", "--format", "markdown"}).out,
              HasSubstr("| uint8 per\\_axis | all right | **wrong** |\n"));
  EXPECT_EQ(compare({"right", "wrong", "--format", "json", "--output", "both.json"}).out, "both.json\n");
  const auto json = nlohmann::json::parse(content_of(path("both.json")));
  EXPECT_EQ(json["runs"].size(), 2U);
  EXPECT_EQ(json["causes"][0]["runs"][0]["reproducer"], "wrong/reproducers/onnx/a");
}

TEST_F(Compare, WritesBadges) {
  const Outcome outcome = compare({"right", "wrong/result.json", "--badges", "badges"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.error, HasSubstr(" badges in badges\n"));
  const auto message = [&](const char* badge) {
    return nlohmann::json::parse(content_of(path("badges") / badge))["message"];
  };
  EXPECT_EQ(message("reference/channel.json"), "all 1 right");
  EXPECT_EQ(message("wrong-ignores-zero-point/channel.json"), "1 wrong, 0 of 1 right");
  EXPECT_EQ(message("wrong-ignores-zero-point/int8.json"), "no result");
}

TEST_F(Compare, TellsThePageWhatIsKnownOfARuntime) {
  const fs::path backends = path("backends");
  write_file(backends / "npu" / "worker", "");
  fs::permissions(backends / "npu" / "worker", fs::perms::owner_all);
  write_file(backends / "npu" / "levels", "npu\nnpu:fast\n");
  write_file(backends / "npu" / "repairs", "npu  exact_mode = 1\n");
  write_file(backends / "npu" / "upstream", "# a comment\na/b#1  ignores-zero-point\na/b#2  ignores-zero-point\n");
  write_file(backends / "npu" / "releases.txt",
             "# a comment\nruntime==1.4 --hash=sha256:a\nruntime==1.5 --hash=sha256:b\n");
  write_file(backends / "npu" / "missing", "npu 1.5  no wheel\nnpu:fast 2.0  its worker does not start\n");
  write_file(backends / "levels", "..\n");
  auto result = nlohmann::json::parse(content_of(path("wrong/result.json")));
  for (const char* command : {"npu:fast", "."}) {
    result["command"] = command;
    write_file(path("kept.json"), result.dump());
    const nlohmann::json data =
        page_data({"right", "kept.json"}, [&] { ::setenv("TOUCHSTONE_BACKENDS", backends.c_str(), 1); });
    EXPECT_EQ(data["directories"], nlohmann::json({"right", ""}));
    EXPECT_EQ(data["same_cases"], true);
    const nlohmann::json known{{"npu",
                                {{"usual", "fast"},
                                 {"settings", {{"", "exact_mode = 1"}}},
                                 {"missing",
                                  {{{"variant", ""}, {"version", "1.5"}, {"reason", "no wheel"}},
                                   {{"variant", "fast"}, {"version", "2.0"}, {"reason", "its worker does not start"}},
                                   {{"variant", ""}, {"version", "1.4"}, {"reason", "not run"}}}},
                                 {"upstream", {{"ignores-zero-point", {"a/b#1", "a/b#2"}}}}}}};
    EXPECT_EQ(data["runtimes"], std::string_view(command) == "." ? nlohmann::json::object() : known);
  }
}

TEST_F(Compare, ComparesTheRestOfWhatItCannotRead) {
  const std::string result = content_of(path("wrong/result.json"));
  write_file(path("cut.json"), result.substr(0, result.size() / 2));
  auto newer = nlohmann::json::parse(result);
  newer["touchstone_result"] = 2;
  write_file(path("newer.json"), newer.dump());
  fs::create_directory(path("empty"));
  write_file(path("\x1b[31m.json"), "{}");
  const std::pair<const char*, const char*> rows[] = {
      {"cut.json", "not compared: cut.json: is not JSON"},
      {"newer.json", "newer.json: touchstone_result: the version of the format is 2, and this program reads 1"},
      {"empty", "empty"},
      {"nowhere.json", "nowhere.json"},
      {"\x1b[31m.json", "is neither a compact result nor a report"},
  };
  for (const auto& [file, message] : rows) {
    const Outcome outcome = compare({"right", file, "wrong"});
    EXPECT_EQ(outcome.exit_code, 3) << file;
    EXPECT_THAT(outcome.error, AllOf(HasSubstr(message), Not(HasSubstr("\x1b")))) << file;
    EXPECT_THAT(outcome.out, HasSubstr("all right  wrong\n")) << file;
    const Outcome alone = compare({file});
    EXPECT_EQ(alone.exit_code, 3) << file;
    EXPECT_THAT(alone.error, HasSubstr("none of the results can be read")) << file;
    EXPECT_THAT(alone.out, IsEmpty()) << file;
  }
}

TEST_F(Compare, TakesARunOnce) {
  const Outcome outcome = compare({"right", "wrong", "wrong/result.json", "right"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.error, AllOf(HasSubstr("wrong/result.json is the same run as wrong, which is compared\n"),
                                   HasSubstr("right is the same run as right")));
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("  B: "), Not(HasSubstr("  C: "))));
}

TEST_F(Compare, SaysThatPlansDiffer) {
  copy_of("1.5.0/test_dequantizelinear", path("tests") / "b");
  run("more", "reference", 0);
  const Outcome shared = compare({"more", "wrong"});
  EXPECT_EQ(shared.exit_code, 0);
  EXPECT_THAT(shared.error, HasSubstr("different plans, of 2, 1 cases"));
  EXPECT_THAT(shared.out, AllOf(HasSubstr("all right  wrong\n"), Not(HasSubstr("DequantizeLinear"))));
  const nlohmann::json data = page_data({"more", "wrong"});
  EXPECT_EQ(data["same_cases"], true);
  EXPECT_THAT(data["notes"][0].get<std::string>(), HasSubstr("different plans, of 2, 1 cases"));
  const Outcome different = compare({"more", "wrong/result.json"});
  EXPECT_EQ(different.exit_code, 0);
  EXPECT_THAT(different.error, HasSubstr("the numbers are of different cases"));
  EXPECT_THAT(page_data({"more", "wrong/result.json"})["notes"], IsEmpty()) << "the page says where";
  EXPECT_THAT(different.out, HasSubstr(" 1/1  0/1✗1\n"));
}

TEST_F(Compare, NeedsAResult) {
  EXPECT_EQ(compare({}).exit_code, 2);
  EXPECT_EQ(compare({"right", "--format", "html5"}).exit_code, 2);
}

}  // namespace
}  // namespace touchstone::tools::compare_test
