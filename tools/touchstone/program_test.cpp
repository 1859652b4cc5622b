// The program as users see it: from arguments to output, messages, files and exit codes.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/plan/filter.h"
#include "spec/opset.h"
#include "tools/touchstone/program_testing.h"

namespace touchstone::tools::program_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct UsageRow {
  std::vector<std::string> arguments;
  int exit_code;
  std::string message;
};

TEST(Program, PrintsHelpAndExplainsMistakesInItsArguments) {
  const std::string opsets = fmt::format("ai.onnx opsets {} to {}, com.microsoft opset 1, opmx opset 1",
                                         spec::oldest_opset, spec::newest_opset);
  const UsageRow rows[] = {
      {{"--help"}, 0, "Subcommands"},
      {{"--help"}, 0, "Exit codes"},
      {{"--help"}, 0, "Examples"},
      {{"run", "--help"}, 0, "Examples"},
      {{"list", "--help"}, 0, "Examples"},
      {{"explain", "--help"}, 0, "Examples"},
      {{"version", "--help"}, 0, "Example"},
      {{"version", "--help"}, 0, "Exit codes"},
      {{"version"}, 0, opsets},
      {{"--version"}, 0, opsets},
      {{"report", "--help"}, 0, "Examples"},
      {{"fingerprint", "--help"}, 0, "Examples"},
      {{"fingerprint"}, 2, "directory is required"},
      {{"fingerprint", "nowhere"}, 2, "nowhere has no journal.ndjson.gz"},
      {{"fingerprint", "nowhere", "--format", "csv"}, 2, "--format: csv not in {text,json}"},
      {{}, 2, "subcommand is required"},
      {{"fly"}, 2, "unknown subcommand 'fly'"},
      {{"run", "--memory-limit", "-1"}, 2, "--memory-limit"},
      {{"rnu"}, 2, "\n  did you mean run?\n"},
      {{"run", "--fly"}, 2, "--fly"},
      {{"run", "--fliter", "*"}, 2, "\n  did you mean --filter?\n"},
      {{"run", "--bakcend=reference"}, 2, "\n  did you mean --backend?\n"},
      {{"report", "nowhere", "--colour", "never"}, 2, "\n  did you mean --color?\n"},
      {{"run", "--suite", "genrated"}, 2, "\n  did you mean generated?\n"},
      {{"run", "--backend", "optimised"}, 2, "\n  did you mean optimized?\n"},
      {{"run", "--backend", "opnvino:CPU"}, 2, "\n  did you mean openvino?\n"},
      {{"run", "--backend", "wrong:ignores-axes"}, 2, "\n  did you mean ignores-axis?\n"},
      {{"run", "--backend", "wrong:"}, 2, "touchstone list wrong-models prints their names"},
      {{"list", "--filter", "quantize_linear/21/f32-f32-u8/per_tenso/*"},
       5,
       "\n  did you mean 'quantize_linear/21/f32-f32-u8/per_tensor/*'?\n"},
      {{"run", "--suite", "onnx", "--filter", "onnx/1.22.0:-*axis"}, 5, "\n  did you mean 'onnx/1.22.0/*:-*axis'?\n"},
      {{"list", "--filter", "quantize_linear/*-*-u8/*"},
       2,
       "--filter: the '-' in 'quantize_linear/*-*-u8/*' after 'quantize_linear/*' may be"},
      {{"replay", "onnx/1.5.0/test_quantizelinaer"}, 5, "\n  did you mean onnx/1.5.0/test_quantizelinear?\n"},
      {{"explain", "ql-round-half-evn"}, 5, "\n  did you mean ql-round-half-even?\n"},
      {{"explain", "amb-nan-to-integers"}, 5, "\n  did you mean amb-nan-to-integer?\n"},
      {{"run", "--color", "pink"}, 2, "pink"},
      {{"run", "--tier", "smok"}, 2, "\n  did you mean smoke?\n"},
      {{"list", "clases"}, 2, "\n  did you mean clauses?\n"},
      {{"help"}, 0, "Subcommands"},
      {{"help", "backend", "install"}, 0, "Usage: touchstone backend install "},
      {{"help", "rnu"}, 2, "\n  did you mean run?\n"},
      {{"backend", "instal"}, 2, "\n  did you mean install?\n"},
      {{"backend", "install", "otr"}, 2, "\n  did you mean ort?\n"},
      {{"run", "--backend", "my_runtime.py"}, 2, "\n  did you mean onnx:my_runtime?\n"},
      {{"run", "--backend", "src/my_runtime.py"}, 2, "\n  did you mean onnx:my_runtime with PYTHONPATH=src?\n"},
      {{"run", "--backend", "libvendor.so"}, 2, "\n  did you mean lib:./libvendor.so?\n"},
      {{"run", "--backend", "/bin/true"}, 2, "\n  did you mean exec:/bin/true?\n"},
      {{"run", "-x", "--maxfail", "2"}, 2, "--maxfail excludes -x"},
      {{"completion", "tcsh"}, 2, "tcsh not in {bash,fish,zsh}"},
      {{"run", "--suite", "nosuch"}, 2, "unknown suite 'nosuch'; the suites are onnx"},
      {{"run", "--suite", "onnx", "--suite", "onnx"}, 2, "--suite onnx is given twice"},
      {{"run", "--backend", "nosuch"}, 2, "unknown backend 'nosuch'; the backends are optimized, reference"},
      {{"run", "--data", "nowhere"}, 2, "nowhere"},
      {{"run", "--data", "."}, 5, "no test directory"},
      {{"run", "--data", "\033[31m"}, 2, R"(\x1b[31m)"},
      {{"run", "--\033[31m"}, 2, R"(\x1b[31m)"},
      {{"run", "--suite", "onnx", "--filter", "nothing"}, 5, "'nothing' selects none"},
      {{"run", "--suite", "onnx", "--output", "/dev/null/x"}, 2, "/dev/null/x"},
      {{"run", "--suite", "onnx", "--output", "/proc"}, 2, "/proc: cannot be written to"},
      {{"run", "--suite", "onnx", "--output", "/proc/x"}, 2, "/proc/x"},
      {{"run", "--seed", "-1"}, 2, "--seed: '-1' is not a whole number"},
      {{"run", "--max-reproducers", "-1"}, 2, "--max-reproducers: '-1' is not a whole number"},
      {{"run", "--max-reproducers", "99999999999999999999"}, 2, "is not a whole number from 0 to 18446744073709551615"},
      {{"replay", "a", "--seed", "1e3"}, 2, "--seed: '1e3' is not a whole number"},
      {{"diff", "a", "b", "--most", "-1"}, 2, "--most: '-1' is not a whole number"},
      {{"report"}, 2, "directory is required"},
      {{"report", "nowhere"}, 2, "nowhere has no journal.ndjson.gz"},
      {{"report", "nowhere", "--format", "nosuch"}, 2, "unknown format 'nosuch'; the formats are terminal, html, json"},
      {{"report", "nowhere", "--format", "csv", "--format", "json"}, 2, "--output DIR"},
      {{"list", "suites"}, 0, "onnx"},
      {{"list", "backends"}, 0, "optimized"},
      {{"list", "backends"}, 0, "reference"},
      {{"list", "backends"}, 0, "ort  "},
      {{"list", "backends"}, 0, "onnx:MODULE"},
      {{"list", "backends"}, 0, "say little about it"},
      {{"list", "limits"}, 0, "\nrank                           32 dimensions   a tensor\n"},
      {{"list", "clauses"}, 0, "ql-round-half-even"},
      {{"list", "wrong-models"},
       0,
       "ignores-zero-point                       zero point       ignores the zero point\n"},
      {{"list", "wrong-models"}, 0, "\nsaturates-pairs-of-products "},
      {{"list", "ambiguities"}, 0, "amb-nan-to-integer"},
      {{"list", "--suite", "onnx", "--filter", "onnx/1.5.0/*"}, 0, "onnx/1.5.0/test_quantizelinear\n"},
      {{"list", "--suite", "random", "--examples", "3", "--seed", "7"}, 0, "random/7/0\nrandom/7/1\nrandom/7/2\n"},
      {{"list", "--suite", "random", "--examples", "0"}, 2, "--examples: must be more than 0"},
      {{"list", "--suite", "random", "--examples", "2000000"}, 2, "at most 1000000; another --seed gives others"},
      {{"replay", "random/0/5"}, 5, "a case of the suite random needs --suite random and the options of its run"},
      {{"list", "--examples", "3"}, 2, "--examples is for the suite random"},
      {{"list", "clauses", "--filter", "nope"}, 2, "--filter has no meaning for clauses"},
      {{"explain", "ql-round-half-even"}, 0, "ties to even"},
      {{"explain", "graphs/dq_gemm_bias_ql/13/i8/f32/per_axis_first/zp_highest/negative/other_scale/initializers"},
       0,
       "it shows an optimizer that quantizes the bias"},
      {{"explain", "ql-round-half-even", "--data", "x"}, 2, "--data has no meaning for a clause"},
      {{"explain", "amb-nan-to-integer"}, 0, "AMB-01"},
      {{"explain", "PMX-07"}, 0, "pmx-bias-precision (PMX-07)"},
      {{"explain", "AMB-26"}, 0, "amb-float4-zero-point-quantize (AMB-26)"},
      {{"explain", "AMB-26"}, 0, "amb-float4-zero-point-dequantize (AMB-26)"},
      {{"explain", "AMB-99"}, 5, "no case, clause or ambiguity 'AMB-99'"},
      {{"explain", "AMB-26", "--elements", "1"}, 2, "--elements has no meaning for an ambiguity"},
      {{"explain", "amb-nan-to-integer", "--elements", "1"}, 2, "--elements has no meaning for an ambiguity"},
      {{"explain", "amb-float32-division"}, 0, "permitted in QuantizeLinear 10 to 21"},
      {{"explain", "1.5.0/test_quant", "--suite", "onnx"}, 5, "did you mean onnx/1.5.0/test_quantizelinear?"},
      {{"explain", "opmx/dequantize_linear/1/i4x4-f32-f32/per_tensor/no_zp/empty_zero_point"}, 0, "no_zp"},
      {{"explain", "nosuch", "--suite", "onnx"}, 5, "no case, clause or ambiguity 'nosuch'"},
      {{"explain", "nosuch", "--elements", "-5"}, 2, "--elements"},
      {{"explain", "nosuch", "--filter", "x"}, 2, "--filter"},
  };
  for (const UsageRow& row : rows) {
    const TemporaryDirectory scratch;
    const Outcome run = touchstone(scratch, row.arguments);
    EXPECT_EQ(run.exit_code, row.exit_code) << testing::PrintToString(row.arguments) << run.error;
    EXPECT_THAT(run.out + run.error, HasSubstr(row.message));
    EXPECT_EQ(run.error.empty(), row.exit_code == 0) << "messages go to standard error";
    EXPECT_THAT(run.out + run.error, Not(HasSubstr("\033")));
  }
}

TEST(Program, DescribesEachOptionOfARunInAGroupTheMostUsedFirst) {
  const TemporaryDirectory scratch;
  const std::string help = touchstone(scratch, {"run", "--help"}).out;
  EXPECT_EQ(help, touchstone(scratch, {"help", "run"}).out);
  EXPECT_THAT(help, testing::ContainsRegex("OPTIONS\\]\n\nMost used:\n  -h,--help"));
  EXPECT_THAT(help, Not(HasSubstr("\nOptions:\n"))) << "CLI11's group of those that are in no other";
}

/// Words such as ids stay whole.
TEST(Program, PrintsAFailingRunIn80ColumnsWithTheConclusionLast) {
  const TemporaryDirectory scratch;
  const Outcome run = touchstone(scratch, {"run", "--tier", "smoke", "-k", "quantize_linear/21/*:graphs/ql_dq/1*", "-o",
                                           "out", "--backend", "wrong:rounds-half-up"});
  EXPECT_EQ(run.exit_code, 1) << run.error;
  std::istringstream lines(run.out);
  std::string last;
  for (std::string line; std::getline(lines, line); last = line) {
    const auto width =
        std::ranges::count_if(line, [](char byte) { return (static_cast<unsigned char>(byte) >> 6U) != 2; });
    const bool is_a_word = line.find(' ', line.find_first_not_of(' ')) == std::string::npos;
    EXPECT_TRUE(width <= 80 || is_a_word) << line;
  }
  EXPECT_THAT(last, testing::MatchesRegex("Wrong: [0-9]+ of [0-9]+ legal models\\. Report: out/report\\.html"));
  EXPECT_THAT(run.out, AllOf(HasSubstr("1 cause explains"), Not(HasSubstr("fail")), Not(HasSubstr("pass_variant"))));
}

TEST(Program, EndsWithWhatDiffersFromTheExpectations) {
  const TemporaryDirectory scratch;
  write_file(scratch.path() / "known.json", R"({"expectations": [
    {"pattern": "onnx/1.22.0/test_quantizelinear", "verdict": "fail", "reason": "r", "issue": "i"},
    {"pattern": "onnx/1.22.0/test_quantizelinear_int16", "verdict": "crash", "reason": "r", "issue": "i"},
    {"pattern": "onnx/1.22.0/test_quantizelinear_uint16", "verdict": "fail", "reason": "r", "issue": "i",
     "expires": "2020-01-01"}]})");
  const Outcome run = touchstone(
      scratch, {"run", "--suite", "onnx", "--backend", "wrong:rounds-half-up", "--expectations", "known.json", "-q",
                "-k", "onnx/1.22.0/test_quantizelinear:onnx/1.22.0/*quantizelinear_*int16:-*dequant*"});
  EXPECT_EQ(run.exit_code, 1) << run.error;
  EXPECT_THAT(run.out, HasSubstr("\nunexpected causes: 1\n  wrong in "));
  EXPECT_THAT(run.out, HasSubstr("\n  onnx/1.22.0/test_quantizelinear_int16, not in the expected way\n"
                                 "  onnx/1.22.0/test_quantizelinear_uint16, its expectation has expired\n"
                                 "newly passing: 1\n  onnx/1.22.0/test_quantizelinear\n"
                                 "expired expectations: 1\n  onnx/1.22.0/test_quantizelinear_uint16, on 2020-01-01\n"
                                 "expectations that no case meets: 1\n  onnx/1.22.0/test_quantizelinear_int16\n"));
}

TEST(Program, StopsAfterTheFirstUnexpectedResult) {
  const TemporaryDirectory scratch;
  const Outcome run = touchstone(scratch, {"run", "--suite", "onnx", "-k", "onnx/1.22.0/*", "-x", "-j", "1", "-q", "-o",
                                           "out", "--backend", "wrong:ignores-zero-point"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.error, AllOf(HasSubstr("stopped after 1 unexpected result, because of --maxfail: "),
                               HasSubstr("to continue: touchstone run --resume out")));
  const nlohmann::json verdicts = verdicts_of(report_in(scratch.path() / "out"));
  EXPECT_EQ(verdicts["fail"], 1);
  EXPECT_GT(verdicts["not_run"], 0);
  // Every report says so, also when it is made again from the journal.
  const std::string reason = "stopped after 1 unexpected result, because of --maxfail";
  const auto not_run = verdicts["not_run"].get<std::size_t>();
  const nlohmann::json expected{{"cases", not_run}, {"reason", reason}};
  ASSERT_EQ(
      touchstone(scratch, {"report", "out", "--format", "json,compact,junit,html,markdown", "-o", "made"}).exit_code,
      4);
  EXPECT_EQ(report_in(scratch.path() / "made")["summary"]["not_run"], expected);
  for (const char* directory : {"out", "made"}) {
    const fs::path made = scratch.path() / directory;
    EXPECT_EQ(nlohmann::json::parse(content_of(made / "result.json"))["not_run"], expected);
    for (const char* file : {"report.junit.xml", "report.html", "report.md"})
      EXPECT_THAT(content_of(made / file), AllOf(HasSubstr(reason), HasSubstr(std::to_string(not_run) + " of ")))
          << file;
  }
  EXPECT_THAT(unwrapped(run.out), HasSubstr("not run: " + std::to_string(not_run) + " of "));
  EXPECT_THAT(unwrapped(touchstone(scratch, {"report", "out"}).out), HasSubstr(reason));
  const Outcome rest = touchstone(scratch, {"run", "--resume", "out", "-q"});
  EXPECT_EQ(rest.exit_code, 1) << rest.error;
  EXPECT_EQ(verdicts_of(report_in(scratch.path() / "out"))["not_run"], 0);
}

TEST(Program, WritesTheFilesForBackendsInOtherLanguages) {
  const TemporaryDirectory scratch;
  const std::vector<std::string> arguments{"headers", "made/include"};
  EXPECT_EQ(touchstone(scratch, arguments).exit_code, 0);
  const fs::path made = scratch.path() / "made/include", proto = made / "worker.proto";
  for (const char* name : {"touchstone_backend.h", "worker.proto"})
    EXPECT_EQ(content_of(made / name),
              content_of(fs::path(TOUCHSTONE_SOURCE_DIR) / "conformance/backends/workers" / name));
  EXPECT_THAT(content_of(made / "c_backend.c"), HasSubstr("#include \"touchstone_backend.h\""));
  EXPECT_EQ(touchstone(scratch, arguments).exit_code, 0);
  write_file(proto, "mine");
  const Outcome refused = touchstone(scratch, arguments);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(unwrapped(refused.error), HasSubstr("worker.proto exists and has other contents"));
  EXPECT_EQ(content_of(proto), "mine");
}

TEST(Program, SuggestsOnlySimilarNames) {
  const TemporaryDirectory scratch;
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"fly"},
                                                    {"run", "--fly"},
                                                    {"run", "--backend", "nosuch"},
                                                    {"list", "--filter", "nothing"},
                                                    {"replay", "nosuch"}}) {
    const Outcome run = touchstone(scratch, arguments);
    EXPECT_NE(run.exit_code, 0);
    EXPECT_THAT(run.error, Not(HasSubstr("did you mean"))) << testing::PrintToString(arguments);
  }
}

/// A "-" after "*" excludes only if an id can begin with what follows.
TEST(Program, HasNoIdThatAFilterTreatsAsAPartOfAnId) {
  const TemporaryDirectory scratch;
  for (const char* tier : {"standard", "exhaustive"}) {
    std::istringstream ids(touchstone(scratch, {"list", "--tier", tier}).out);
    std::size_t count = 0;
    for (std::string id; std::getline(ids, id); ++count) ASSERT_FALSE(conformance::Filter("*-" + id).matches(id)) << id;
    EXPECT_GT(count, 1000u);
  }
}

TEST(Program, SelectsTypesThatFollowAStar) {
  const TemporaryDirectory scratch;
  const auto listed = [&](const char* filter) {
    return touchstone(scratch, {"list", "--suite", "generated", "--filter", filter}).out;
  };
  EXPECT_EQ(listed("dequantize_linear/21/*-f16-f16/*"), listed("dequantize_linear/21/*?f16?f16/*"));
  EXPECT_THAT(listed("dequantize_linear/21/*-f16-f16/*"), Not(HasSubstr("-f32")));
  EXPECT_THAT(listed("quantize_linear/28/*-*/blocked/*"), AllOf(HasSubstr("/per_axis/"), Not(HasSubstr("/blocked/"))));
}

/// This holds for texts from paths and from files.
TEST(Program, NeverBeginsALineOfAMessageWithUntrustedText) {
  const TemporaryDirectory scratch;
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "a");
  const char* name = "known\n::error::.json";
  write_file(scratch.path() / name, R"({"expectations": [{"pattern": "a", "verdict": "\u001b[31mfail\n::error::hi",
    "reason": "r", "issue": "i"}]})");
  const Outcome run = touchstone(scratch, {"run", "--data", "tests", "--expectations", name});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.error,
            "touchstone: --expectations known\n"
            "  ::error::.json: expectation 1: \"verdict\": \"\\x1b[31mfail\\x0a::error::hi\" is not a verdict that can "
            "be expected\n");
}

TEST(Program, NamesTheSourceOfMissingData) {
  const TemporaryDirectory scratch;
  ::setenv("TOUCHSTONE_DATA", "/nowhere", 1);
  const Outcome run = touchstone(scratch, {"run", "--suite", "onnx"});
  ::unsetenv("TOUCHSTONE_DATA");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.error, AllOf(HasSubstr("/nowhere"), HasSubstr("tools/setup")));
}

TEST(Program, UsesOnlyTheInstructionSetInTheEnvironment) {
  const TemporaryDirectory scratch;
  const auto run = [&](const char* isa, const char* backend) {
    return touchstone(scratch, {"run", "--suite", "onnx", "--filter", "*quantizelinear_axis", "--backend", backend},
                      [&] { ::setenv("TOUCHSTONE_ISA", isa, 1); });
  };
  const Outcome other = run("avx9", "optimized");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.error, HasSubstr("TOUCHSTONE_ISA is 'avx9'; this CPU has portable"));
  EXPECT_EQ(run("avx9", "reference").exit_code, 0) << "the reference has no kernels";
  const Outcome unnamed = run("", "optimized");
  EXPECT_EQ(unnamed.exit_code, 0) << "an empty variable counts as not set: " << unnamed.error;
}

TEST(Program, ExplainsACase) {
  const TemporaryDirectory scratch;
  const Outcome run = touchstone(scratch, {"explain", "onnx/1.23.2/test_quantizelinear_axis"});
  EXPECT_EQ(run.exit_code, 0) << run.error;
  for (const char* part : {"version 28", "per_axis", "qdq-per-axis", "scale", "zero point", "expected", "0x"})
    EXPECT_THAT(run.out, HasSubstr(part));
}

TEST(Program, ExplainsWhereTheReferenceDiffers) {
  using conformance::tensor;
  using spec::ElementType;
  const TemporaryDirectory scratch;
  const fs::path test = scratch.path() / "tests" / "a";
  const auto write = [&](const char* file, const reference::Tensor& value, const char* name) {
    write_file(test / "test_data_set_0" / file, conformance::to_tensor_proto(value, name));
  };
  write("input_0.pb", tensor(ElementType::uint8, {2}, {0, 3}), "x");
  write("input_1.pb", tensor(ElementType::float32, {2}, {0x7fc00000, 0x3f800000}), "scale");
  onnx::ModelProto model = conformance::operator_model("DequantizeLinear", {"x", "scale"});
  onnx::AttributeProto axis = conformance::attribute("axis", onnx::AttributeProto::INT);
  axis.set_i(0);
  *model.mutable_graph()->mutable_node(0)->add_attribute() = axis;
  write_file(test / "model.onnx", model);

  // 0 * NaN can be any NaN; 3 * 1 is 3.
  write("output_0.pb", tensor(ElementType::float32, {2}, {0xffc00001, 0x40000000}), "y");
  const Outcome wrong = touchstone(scratch, {"explain", "onnx/a", "--data", "tests"});
  EXPECT_THAT(wrong.out, AllOf(HasSubstr("2 (0x40000000)  the reference computes 3 (0x40400000)"),
                               Not(HasSubstr("computes nan"))));

  write("output_0.pb", tensor(ElementType::float16, {2}, {0x7e00, 0x4200}), "y");
  const Outcome other_type = touchstone(scratch, {"explain", "onnx/a", "--data", "tests"});
  EXPECT_THAT(other_type.out, AllOf(HasSubstr("gives another result: the type is float, expected float16"),
                                    Not(HasSubstr("computes"))));
}

TEST(Program, RunsACopyAndWritesTheReport) {
  const TemporaryDirectory scratch;
  copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "tests" / "a");
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "b");
  const Outcome run = touchstone(scratch, {"run", "--suite", "onnx", "--data", "tests", "--output", "out"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.error;
  const std::string matrix = "\nQuantizeLinear\nopset ";
  EXPECT_THAT(run.out, AllOf(HasSubstr("2 right, 0 wrong, 0 refused, 0 not asked, of 2\n"), HasSubstr(matrix),
                             Not(HasSubstr("\033"))));
  EXPECT_EQ(run.error, "") << "no progress line in a pipe";
  EXPECT_EQ(report_in(scratch.path() / "out")["summary"]["verdicts"]["pass"], 2);

  const Outcome quiet =
      touchstone(scratch, {"run", "--data", "tests", "--output", "out", "--quiet", "--color", "always"});
  EXPECT_THAT(quiet.out, AllOf(HasSubstr("2 right, "), HasSubstr("\033"), Not(HasSubstr(matrix))));
}

TEST(Program, ShowsTheElementWhoseExpectedByteWasChanged) {
  const TemporaryDirectory scratch;
  const fs::path test = copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "copy" / "test");
  const fs::path output = test / "test_data_set_0" / "output_0.pb";
  std::string bytes = content_of(output);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);  // 102 becomes 103
  write_file(output, bytes);
  const Outcome run = touchstone(scratch, {"run", "--suite", "onnx", "--data", "copy"});
  EXPECT_EQ(run.exit_code, 1);
  for (const char* part :
       {"onnx/test", "1 of 18 elements differ", "17", "-470 (0xc3eb0000)", "5 (0x40a00000)", "196 (0xc4)", "103 (0x67)",
        "102 (0x66)", "0 right, 1 wrong, 0 refused, 0 not asked, of 1\n"})
    EXPECT_THAT(run.out, HasSubstr(part));
}

struct BadRow {
  const char* what;
  std::function<void(const fs::path&)> corrupt;
  const char* file;
  const char* reason;
};

onnx::TensorProto tensor_with(std::initializer_list<std::int64_t> dims) {
  return conformance::raw_tensor_proto(onnx::TensorProto::UINT8, dims, "abc");
}

onnx::TensorProto external_tensor() {
  onnx::TensorProto proto = conformance::tensor_proto(onnx::TensorProto::UINT8, {3});
  proto.set_data_location(onnx::TensorProto::EXTERNAL);
  onnx::StringStringEntryProto& location = *proto.add_external_data();
  location.set_key("location");
  location.set_value("/etc/passwd");
  return proto;
}

// `file` is in test_data_set_0, except for the model.
const BadRow bad_rows[] = {
    {"model is missing", [](const fs::path& test) { fs::remove(test / "model.onnx"); }, "model.onnx", "missing"},
    {"no model", [](const fs::path& test) { write_file(test / "model.onnx", "no model"); }, "model.onnx", "model"},
    {"another operator",
     [](const fs::path& test) { write_file(test / "model.onnx", conformance::operator_model("Relu", {"x"})); },
     "model.onnx", "Relu"},
    {"truncated",
     [](const fs::path& test) {
       const fs::path file = test / "test_data_set_0" / "input_0.pb";
       fs::resize_file(file, fs::file_size(file) - 5);
     },
     "input_0.pb", ""},
    {"data and dims",
     [](const fs::path& test) { write_file(test / "test_data_set_0" / "input_0.pb", tensor_with({4})); }, "input_0.pb",
     "4"},
    {"overflowing dims",
     [](const fs::path& test) {
       write_file(test / "test_data_set_0" / "input_0.pb", tensor_with({1LL << 40, 1LL << 40}));
     },
     "input_0.pb", "dim"},
    {"external data",
     [](const fs::path& test) { write_file(test / "test_data_set_0" / "input_0.pb", external_tensor()); }, "input_0.pb",
     "external"},
    {"no output", [](const fs::path& test) { fs::remove(test / "test_data_set_0" / "output_0.pb"); }, "output_0.pb",
     "missing"},
};

TEST(Program, NamesABadFileAndContinues) {
  for (const BadRow& row : bad_rows) {
    const TemporaryDirectory scratch;
    row.corrupt(copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "tests" / "bad"));
    copy_of("1.22.0/test_quantizelinear", scratch.path() / "tests" / "good");
    const Outcome run = touchstone(scratch, {"run", "--data", "tests"});
    EXPECT_EQ(run.exit_code, 3) << row.what << run.out << run.error;
    EXPECT_THAT(run.out, AllOf(HasSubstr("undecided  onnx/bad"), HasSubstr(row.file))) << row.what;
    EXPECT_THAT(run.out, AllOf(HasSubstr(row.reason),
                               HasSubstr("1 right, 0 wrong, 0 refused, 0 not asked, 1 undecided, of 2\n")))
        << row.what;
  }
}

TEST(Program, ContinuesIfADirectoryCannotBeRead) {
  const TemporaryDirectory scratch;
  copy_of("1.22.0/test_quantizelinear", scratch.path() / "tests" / "good");
  conformance::make_unreadable_directory(scratch.path() / "tests");
  const Outcome run = touchstone(scratch, {"run", "--data", "tests", "--output", "out"});
  EXPECT_EQ(run.exit_code, 3) << run.error;
  EXPECT_THAT(run.out, AllOf(HasSubstr("File name too long"),
                             HasSubstr("1 right, 0 wrong, 0 refused, 0 not asked, 1 undecided, of 2\n")));
  EXPECT_EQ(report_in(scratch.path() / "out")["summary"]["verdicts"]["harness_error"], 1);
}

TEST(Program, TestsItselfWithWrongModels) {
  const TemporaryDirectory scratch;
  const auto selftest = [&](const std::string& model) {
    return touchstone(scratch, {"selftest", "--suite", "generated", "--tier", "standard", "--filter",
                                "quantize_linear/10/f32-f32-i8/per_tensor/zp/values", "--model", model});
  };
  const Outcome found = selftest("rounds-half-up");
  EXPECT_EQ(found.exit_code, 0) << found.error;
  EXPECT_THAT(found.out, HasSubstr("\nfound 1 of 1 (100.0 %) wrong models with 1 cases; "));
  const Outcome missed = selftest("ignores-axis");
  EXPECT_EQ(missed.exit_code, 1) << missed.error;
  EXPECT_THAT(missed.out, HasSubstr("not found      ignores-axis\n"));
  const auto pair_with = [&](const std::string& second) {
    return touchstone(scratch, {"selftest", "--suite", "generated", "--tier", "standard", "--filter",
                                "quantize_linear/10/f32-f32-i8/per_tensor/zp/values", "--pairs", "2", "--model",
                                "saturates-below-highest", "--model", second});
  };
  EXPECT_EQ(pair_with("rounds-half-up").exit_code, 0);
  const Outcome hidden = pair_with("ignores-axis");
  EXPECT_EQ(hidden.exit_code, 1) << hidden.error;
  EXPECT_THAT(hidden.out, AllOf(HasSubstr(", reported as saturates-below-highest\n"),
                                HasSubstr("\nboth are named of 0 of 2 (0.0 %) pairs\n")));
  const Outcome single = touchstone(scratch, {"selftest", "--pairs", "2", "--model", "ignores-axis"});
  EXPECT_EQ(single.exit_code, 2);
  EXPECT_THAT(single.error, HasSubstr("--pairs: needs two models"));
}

TEST(Program, EscapesTextsOfModels) {
  const TemporaryDirectory scratch;
  const fs::path test = copy_of("1.22.0/test_quantizelinear", scratch.path() / "tests" / "\033[31mred");
  onnx::ModelProto model = conformance::operator_model("QuantizeLinear", {"x\033[31m", "scale", "zero_point"});
  onnx::AttributeProto attribute = conformance::attribute("\033]0;title\007", onnx::AttributeProto::STRING);
  attribute.set_s(std::string(1'000'000, '\r'));
  *model.mutable_graph()->mutable_node(0)->add_attribute() = attribute;
  write_file(test / "model.onnx", model);
  const Outcome run = touchstone(scratch, {"explain", "onnx/\033[31mred", "--data", "tests"});
  EXPECT_THAT(run.out, AllOf(HasSubstr(R"(\x1b]0;title\x07)"), HasSubstr(R"(input x\x1b[31m)"), Not(HasSubstr("\033")),
                             Not(HasSubstr("\r"))));
  EXPECT_LT(run.out.size(), 10'000u);
}

TEST(Program, ReadsLimitsFromTheEnvironment) {
  const TemporaryDirectory scratch;
  copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "tests" / "a");
  const auto with = [&](const char* limits, const std::vector<std::string>& arguments) {
    return touchstone(scratch, arguments, [limits] { ::setenv("TOUCHSTONE_LIMITS", limits, 1); });
  };
  EXPECT_THAT(with("rank=8", {"list", "limits"}).out, HasSubstr("\nrank                            8 dimensions "));
  EXPECT_EQ(with("rank=8", {"run", "--data", "tests", "--backend", "reference"}).exit_code, 0);
  const Outcome less = with("file_bytes=10", {"run", "--data", "tests", "--backend", "reference", "--overwrite"});
  EXPECT_EQ(less.exit_code, 3);
  EXPECT_THAT(less.out, HasSubstr("model.onnx: longer than the limit of 10 bytes"));
  for (const auto& [limits, message] :
       {std::pair("ranks=8", "TOUCHSTONE_LIMITS: unknown limit \"ranks\"; the "),
        std::pair("rank=many", "TOUCHSTONE_LIMITS: rank=many is not a whole number from")}) {
    const Outcome refused = with(limits, {"version"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.error, HasSubstr(message));
    EXPECT_EQ(refused.out, "");
  }
}

}  // namespace
}  // namespace touchstone::tools::program_test
