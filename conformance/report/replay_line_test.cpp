// A shell parses the lines.
#include "conformance/report/replay_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "conformance/backends/builtin/optimized_backend.h"
#include "conformance/files/testing.h"
#include "conformance/files/text.h"
#include "conformance/report/format.h"
#include "conformance/report/samples_testing.h"

namespace touchstone::conformance::replay_line_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// The arguments that a program named touchstone gets when sh runs the line.
std::vector<std::string> arguments_of(const std::string& line) {
  const TemporaryDirectory scratch;
  const std::filesystem::path script = scratch.path() / "line.sh";
  const std::filesystem::path arguments = scratch.path() / "arguments";
  write_file(script, "cd '" + scratch.path().string() + "' || exit\ntouchstone() { printf '%s\\000' \"$@\"; }\n" +
                         line + " > arguments\n");
  EXPECT_EQ(std::system(("sh '" + script.string() + "'").c_str()), 0) << line;
  std::ifstream file(arguments, std::ios::binary);
  std::vector<std::string> found;
  for (std::string one; std::getline(file, one, '\0');) found.push_back(one);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.path()), {}), 2) << line << " did something else";
  return found;
}

TEST(ReplayLine, HasTheSuiteOfTheCase) {
  RunInfo run;
  run.backend = {"the name of the device", "1", ""};
  run.backend_option = "./device.so";
  run.tier = "smoke";
  run.seed = 7;
  EXPECT_EQ(replay_line(run, "quantize_linear/21/u8/values"),
            "touchstone replay quantize_linear/21/u8/values --backend ./device.so --suite generated --tier smoke "
            "--seed 7");
  EXPECT_EQ(replay_line(run, "onnx/a"), "touchstone replay onnx/a --backend ./device.so --suite onnx");
  run.data = "/my tests";
  run.strict = run.sign_of_zero = true;
  run.dimensions = {"n=2"};  // of the model that a reproducer is a part of
  EXPECT_EQ(replay_line(run, "onnx/a"),
            "touchstone replay onnx/a --backend ./device.so --suite onnx --data '/my tests' --strict --sign-of-zero");
}

TEST(ReplayLine, HasTheAssumedAndTheDeclaredLimits) {
  RunInfo run;
  run.backend_option = "device";
  run.tier = "smoke";
  run.declared = {.element_types = {1}, .opsets = {}, .static_shapes_only = true};
  run.assumed = {.opsets = {{"ai.onnx", 10, 21}}, .constant_scales_only = true};
  EXPECT_EQ(replay_options(run, "quantize_linear/21/u8/values"),
            "--backend device --suite generated --tier smoke --seed 0 --assume constant-scales --assume static-shapes "
            "--assume opsets=ai.onnx:10-21");
  EXPECT_EQ(replay_options(run, "onnx/a"),
            "--backend device --suite onnx --assume constant-scales --assume opsets=ai.onnx:10-21")
      << "files have the form that they have";
}

TEST(ReplayLine, HasTheEnvironmentOfTheWorkerAndTheUseOfLinks) {
  RunInfo run;
  run.backend_option = "device";
  run.tier = "smoke";
  run.data = "/tests";
  run.follow_symlinks = true;
  run.worker.cpu = "haswell";
  run.worker.passed_variables = {"LICENSE", "A B"};
  run.worker.in_sandbox = true;
  run.worker.shows_ids = true;
  EXPECT_EQ(replay_options(run, "onnx/a"),
            "--backend device --cpu haswell --suite onnx --data /tests --follow-symlinks --pass-env LICENSE --pass-env "
            "'A B' --sandbox "
            "--show-ids");
  EXPECT_EQ(replay_options(run, "quantize_linear/21/u8/values"),
            "--backend device --cpu haswell --suite generated --tier smoke --seed 0 --pass-env LICENSE --pass-env 'A "
            "B' --sandbox "
            "--show-ids")
      << "generated cases are not in files";
}

TEST(RunLine, HasTheOptionsOfTheRun) {
  RunInfo run;
  run.backend_option = "ort:optimized";
  run.suites = {"onnx", "generated"};
  run.tier = "smoke";
  run.filter = "*";
  EXPECT_EQ(run_line(run),
            "touchstone run --backend ort:optimized --suite onnx --suite generated --tier smoke --seed 0");
  run.suites = {"generated"};
  run.seed = 7;
  run.filter = "quantize_linear/*";
  run.data = "/my tests";
  run.follow_symlinks = true;
  run.worker.timeout = 5;
  run.worker.in_sandbox = true;
  run.assumed.constant_scales_only = true;
  run.declared.static_shapes_only = true;
  run.strict = true;
  run.require = "*/21/*";
  EXPECT_EQ(run_line(run),
            "touchstone run --backend ort:optimized --suite generated --tier smoke --seed 7 "
            "--filter 'quantize_linear/*' --data '/my tests' --follow-symlinks --timeout 5 --sandbox --assume "
            "constant-scales --strict "
            "--require '*/21/*'");
  run.changed_limits = {{"file_bytes", 1000}, {"rank", 8}};
  EXPECT_THAT(run_line(run), StartsWith("TOUCHSTONE_LIMITS=file_bytes=1000,rank=8 touchstone run --backend "));
}

TEST(RunLine, HasTheInstructionSetIfTheCpuHasABetterOne) {
  RunInfo run;
  run.backend_option = "optimized";
  run.backend = OptimizedBackend(optimized::Isa::portable).identity();
  const bool has_better = optimized::is_available(optimized::Isa::avx2);
  EXPECT_THAT(run_line(run), StartsWith(has_better ? "TOUCHSTONE_ISA=portable touchstone run " : "touchstone run "));
  EXPECT_THAT(replay_line(run, "a"), StartsWith(has_better ? "TOUCHSTONE_ISA=portable touchstone " : "touchstone "));
  run.backend = OptimizedBackend(optimized::Isa::avx2).identity();
  EXPECT_THAT(run_line(run), StartsWith(has_better ? "touchstone run " : "TOUCHSTONE_ISA=avx2 touchstone run "));
  run.backend = {"reference", run.backend.version, run.backend.description};
  EXPECT_THAT(run_line(run), StartsWith("touchstone run "));
}

TEST(ReplayLine, HasTheInstructionSetInThePageAsInTheTerminal) {
  SampleRun sample = failing_run(1);
  for (const optimized::Isa isa : {optimized::Isa::portable, optimized::Isa::avx2}) {
    sample.run.backend = OptimizedBackend(isa).identity();
    std::string page;
    html_report(sample.run, sample.summary(), sample.records, [&](std::string_view part) { page += part; });
    const std::string line = replay_line(sample.run, sample.records[0].id);
    EXPECT_THAT(page, HasSubstr("\"replay_prefix\":\"" + line.substr(0, line.find("touchstone replay")) + "\""));
  }
}

TEST(ReplayLine, PreservesTextsInAShell) {
  std::vector<std::string> texts(hostile_texts.begin(), hostile_texts.end());
  for (const char* text :
       {"it's", "$(touch done)", "`touch done`", "a\tb\x1b", "-e %s\n\\n;", "", "$HOME", "*", "~", "#a"})
    texts.emplace_back(text);
  for (const std::string& text : texts) {
    RunInfo run;
    run.backend_option = text;
    run.data = "/" + text;
    const std::string line = replay_line(run, "onnx/" + text);
    EXPECT_EQ(displayed_line(line), line) << "can be copied from a report";
    const std::string kept = valid_utf8(text);
    EXPECT_THAT(arguments_of(line),
                ElementsAre("replay", "onnx/" + kept, "--backend", kept, "--suite", "onnx", "--data", "/" + kept));
  }
}

}  // namespace
}  // namespace touchstone::conformance::replay_line_test
