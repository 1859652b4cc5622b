// --assume: for every backend and every subcommand that needs it to select the same cases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/touchstone/packs_testing.h"
#include "tools/touchstone/runs_testing.h"

namespace touchstone::tools::assume_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Its form is "symbolic_initializers" if nothing is assumed.
const std::string symbolic_case = "dequantize_linear/19/e4m3fn-f32-f32/per_tensor/zp/values";
const std::string symbolic_form = "quantize_linear/13/i32-f32-u8/per_tensor/zp/form/symbolic";

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

const std::vector<std::string> compiler{"--assume", "static-shapes", "--assume", "constant-scales"};
const std::vector<std::string> run_of_two{
    "run", "--suite", "generated", "--filter", symbolic_case + ":" + symbolic_form, "--output", "out"};

TEST(Assume, GivesCasesOtherFormsAndCountsThoseNotAsked) {
  const TemporaryDirectory scratch;
  const Outcome outcome = touchstone(scratch, with(run_of_two, compiler));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("\n1 right, 0 wrong, 0 refused, 1 not asked, of 2\n"),
                                 Not(HasSubstr("rejects_valid")), Not(HasSubstr(symbolic_form))));
  EXPECT_FALSE(fs::exists(scratch.path() / "out/reproducers")) << "cases that were not asked have none";
  const auto records = records_in(scratch.path() / "out");
  EXPECT_EQ(records.at(symbolic_case).verdict, conformance::Verdict::pass);
  EXPECT_THAT(records.at(symbolic_case).form, AllOf(Not(HasSubstr("symbolic")), Not(IsEmpty())));
  EXPECT_EQ(records.at(symbolic_form).verdict, conformance::Verdict::rejects_valid);
  const auto report = report_in(scratch.path() / "out");
  EXPECT_EQ(report["options"]["assume"],
            (nlohmann::json{{"constant_scales_only", true}, {"static_shapes_only", true}}));
  EXPECT_EQ(report["summary"]["not_asked"], 1);
  for (const auto& one : report["cases"])
    if (one["id"] == symbolic_form) {
      EXPECT_THAT(one["reason"].get<std::string>(),
                  HasSubstr("--assume: the backend takes constant scales and zero points only; 'scale'"));
      EXPECT_THAT(one["replay"].get<std::string>(),
                  HasSubstr(" --seed 0 --assume constant-scales --assume static-shapes"));
    }
}

TEST(Assume, OfTypesAndOpsetsDoesNotChangeThePlan) {
  const TemporaryDirectory scratch;
  const std::vector<std::string> smoke{"run", "--suite", "generated", "--tier", "smoke", "--quiet", "--output"};
  touchstone(scratch, with(smoke, {"plain"}));
  const Outcome outcome = touchstone(scratch, with(smoke, {"few", "--all-cases", "--assume", "types=FLOAT,UINT8",
                                                           "--assume", "opsets=ai.onnx:10-21"}));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  const auto plain = report_in(scratch.path() / "plain");
  const auto few = report_in(scratch.path() / "few");
  EXPECT_EQ(few["plan"], plain["plan"]);
  EXPECT_GT(few["summary"]["verdicts"]["pass"], 0);
  EXPECT_EQ(few["summary"]["verdicts"]["rejects_valid"], few["summary"]["not_asked"]);
  EXPECT_EQ(few["summary"]["illegal"]["verdicts"]["rejects_valid"], few["summary"]["illegal"]["not_asked"]);
  EXPECT_EQ(few["summary"]["right"].get<int>() + few["summary"]["undecided"].get<int>(), few["summary"]["asked"]);
  EXPECT_THAT(content_of(scratch.path() / "few/report.junit.xml"),
              AllOf(Not(HasSubstr("<failure")), Not(HasSubstr("<error")), HasSubstr("<skipped")));
  for (const auto& one : few["cases"]) {
    if (one["verdict"] == "not_shown") continue;  // the specification leaves every element open
    EXPECT_EQ(one["verdict"], one.contains("declined") ? "rejects_valid" : "pass") << one["id"];
  }
}

/// x is a constant, an initializer or the output of a Constant node, so no input or output of the graph has its type.
TEST(Assume, OfTypesAppliesToConstants) {
  const TemporaryDirectory scratch;
  const std::vector<std::string> run{"run",
                                     "--suite",
                                     "generated",
                                     "--filter",
                                     "dequantize_linear/13/u8-f32-f32/per_tensor/zp/form/all_constant*",
                                     "--output",
                                     "out"};
  const Outcome without = touchstone(scratch, with(run, {"--assume", "types=FLOAT"}));
  EXPECT_EQ(without.exit_code, 5) << without.error;
  EXPECT_THAT(without.out, HasSubstr("\n0 right, 0 wrong, 0 refused, 2 not asked, of 2\n"));
  const nlohmann::json report = report_in(scratch.path() / "out");
  for (const auto& one : report["cases"])
    EXPECT_THAT(one["reason"].get<std::string>(),
                HasSubstr("the backend takes some element types only; 'x' is of UINT8"));
  const Outcome both = touchstone(scratch, with(run, {"--assume", "types=FLOAT,UINT8"}));
  EXPECT_EQ(both.exit_code, 0) << both.error;
  EXPECT_THAT(both.out, HasSubstr("\n2 right, 0 wrong, 0 refused, 0 not asked, of 2\n"));
}

TEST(Assume, IsInheritedByResumedRunsAndShownInComparisons) {
  const TemporaryDirectory scratch;
  touchstone(scratch, with(run_of_two, compiler));
  const Outcome other = touchstone(scratch, {"run", "--resume", "out", "--assume", "static-shapes"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(
      other.error,
      HasSubstr("that run has --assume 'constant-scales, static-shapes', not 'static-shapes'; omit the option"));
  cut_off(scratch.path() / "out/journal.ndjson.gz", 1);
  const Outcome resumed = touchstone(scratch, {"run", "--resume", "out"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.error;
  EXPECT_EQ(report_in(scratch.path() / "out")["summary"]["not_asked"], 1);

  std::vector<std::string> plain = run_of_two;
  plain.back() = "plain";
  ASSERT_EQ(touchstone(scratch, plain).exit_code, 0);
  const Outcome compared = touchstone(scratch, {"diff", "plain", "out"});
  EXPECT_EQ(compared.exit_code, 1);
  EXPECT_THAT(compared.out,
              AllOf(HasSubstr("new: the backend is assumed: constant-scales, static-shapes\n"),
                    HasSubstr("the plan has changed\n"), HasSubstr("cases of the same id may have different models\n"),
                    HasSubstr("newly failing: 1\n  " + symbolic_form + ": pass -> not asked"),
                    HasSubstr("the same id, other content: 1\n  " + symbolic_case + "\n")));
}

TEST(Assume, IsNeededToReplayTheSameCase) {
  const TemporaryDirectory scratch;
  const std::vector<std::string> explain{"explain", symbolic_case};
  EXPECT_THAT(touchstone(scratch, explain).out, HasSubstr("  form symbolic_initializers\n"));
  const std::string explained = touchstone(scratch, with(explain, compiler)).out;
  EXPECT_THAT(explained, AllOf(HasSubstr("  form "), Not(HasSubstr("form symbolic"))));
  EXPECT_EQ(touchstone(scratch, with({"replay", symbolic_case, "--backend", "reference"}, compiler)).exit_code, 0);
  const Outcome declined = touchstone(scratch, with({"replay", symbolic_form}, compiler));
  EXPECT_EQ(declined.exit_code, 5);
  EXPECT_THAT(declined.out, HasSubstr("not asked  " + symbolic_form));
  EXPECT_EQ(touchstone(scratch, with({"list", "--filter", symbolic_case}, compiler)).out, symbolic_case + "\n");
}

TEST(Assume, IsInThePackAndOmitsWhatTheDeviceDoesNotSupport) {
  const TemporaryDirectory scratch;
  const Outcome exported = touchstone(scratch, with({"export", "pack", "--suite", "generated", "--tier", "standard",
                                                     "--filter", symbolic_case + ":" + symbolic_form},
                                                    compiler));
  ASSERT_EQ(exported.exit_code, 0) << exported.error;
  EXPECT_THAT(exported.out, AllOf(HasSubstr("pack: 1 cases"), HasSubstr("1 cases are listed only in the manifest")));
  EXPECT_FALSE(
      fs::exists(scratch.path() / "pack/cases" / "test_quantizelinear_13_i32_f32_u8_per_tensor_zp_form_symbolic"));
  answer_pack(scratch.path() / "pack", scratch.path() / "answers", "optimized");
  const Outcome judged = judge(scratch);
  EXPECT_EQ(judged.exit_code, 0) << judged.error;
  const auto records = records_in(scratch.path() / "out");
  EXPECT_EQ(records.at(symbolic_case).verdict, conformance::Verdict::pass);
  EXPECT_EQ(records.at(symbolic_form).verdict, conformance::Verdict::rejects_valid);
}

TEST(Assume, ReportsMistakes) {
  const TemporaryDirectory scratch;
  for (const char* command : {"run", "list", "export", "serve"}) {
    const Outcome outcome =
        touchstone(scratch, with({command}, std::string(command) == "export"
                                                ? std::vector<std::string>{"pack", "--assume", "types=float"}
                                                : std::vector<std::string>{"--assume", "types=float"}));
    EXPECT_EQ(outcome.exit_code, 2) << command;
    EXPECT_THAT(outcome.error, HasSubstr("--assume: unknown element type 'float'; the known types are FLOAT, "))
        << command;
  }
  EXPECT_THAT(touchstone(scratch, {"run", "--help"}).out,
              AllOf(HasSubstr("--assume WHAT"), HasSubstr("static-shapes")));
}

/// A worker declares in its Hello what --assume would say.
TEST(Declared, IsKnownBeforeThePlan) {
  const TemporaryDirectory scratch;
  const std::string worker =
      std::string("exec:") + TOUCHSTONE_PROGRAM + " serve --backend optimized --assume static-shapes";
  const Outcome outcome = touchstone(scratch, with(run_of_two, {"--backend", worker, "--assume", "constant-scales"}));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("the backend declares: static-shapes\nthe backend is assumed: constant-scales\n"));
  const auto records = records_in(scratch.path() / "out");
  EXPECT_EQ(records.at(symbolic_case).verdict, conformance::Verdict::pass);
  EXPECT_THAT(records.at(symbolic_case).form, Not(HasSubstr("symbolic")));
  const auto report = report_in(scratch.path() / "out");
  EXPECT_EQ(report["backend"]["declares"], (nlohmann::json{{"static_shapes_only", true}}));
  for (const auto& one : report["cases"])
    if (one["id"] == symbolic_form) {
      EXPECT_THAT(one["replay"].get<std::string>(), HasSubstr(" --assume constant-scales --assume static-shapes"))
          << "so that another backend gets the same case";
    }
}

TEST(Declared, ChangesEndAResumedRun) {
  const TemporaryDirectory scratch;
  const fs::path told = scratch.path() / "worker";
  const auto write_worker = [&](const char* options) {
    write_file(told, std::string("#!/bin/sh\nexec ") + TOUCHSTONE_PROGRAM + " serve --backend optimized " + options);
    fs::permissions(told, fs::perms::owner_all);
  };
  write_worker("--assume static-shapes");
  touchstone(scratch, with(run_of_two, {"--backend", "exec:./worker"}));
  write_worker("");
  const Outcome resumed = touchstone(scratch, {"run", "--resume", "out"});
  EXPECT_EQ(resumed.exit_code, 2);
  EXPECT_THAT(resumed.error,
              HasSubstr("when that run began the backend declared that it takes 'static-shapes', and now ''"));
}

}  // namespace
}  // namespace touchstone::tools::assume_test
