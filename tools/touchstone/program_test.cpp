// The program as its users meet it: arguments in; output, messages, files and an exit code out.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "conformance/plan/onnx_suite.h"
#include "conformance/report/format.h"
#include "conformance/testing.h"

namespace touchstone::tools {
namespace {

namespace fs = std::filesystem;
using conformance::TemporaryDirectory;
using conformance::write_file;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string content_of(const fs::path& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

struct Outcome {
  int exit_code;
  std::string out;
  std::string error;
};

/// Runs the program in the scratch directory, without a terminal and without a shell.
Outcome touchstone(const TemporaryDirectory& scratch, std::vector<std::string> arguments) {
  const fs::path out = scratch.path() / "stdout";
  const fs::path error = scratch.path() / "stderr";
  arguments.insert(arguments.begin(), TOUCHSTONE_PROGRAM);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto redirect = [](const fs::path& path, int descriptor) {
      ::dup2(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), descriptor);
    };
    redirect(out, STDOUT_FILENO);
    redirect(error, STDERR_FILENO);
    if (::chdir(scratch.path().c_str()) == 0) ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(out), content_of(error)};
}

/// A copy of one of ONNX's tests, to spoil.
fs::path copy_of(const char* test, const fs::path& to) {
  const fs::path source = conformance::default_onnx_tests() / test;
  if (!fs::is_directory(source)) throw std::runtime_error(source.string() + " is missing: run tools/setup");
  fs::create_directories(to.parent_path());
  fs::copy(source, to, fs::copy_options::recursive);
  return to;
}

struct UsageRow {
  std::vector<std::string> arguments;
  int exit_code;
  const char* message;
};

TEST(Program, HelpsAndExplainsWhatIsWrongWithItsArguments) {
  const UsageRow rows[] = {
      {{"--help"}, 0, "Subcommands"},
      {{"run", "--help"}, 0, "Examples"},
      {{"list", "--help"}, 0, "Examples"},
      {{"explain", "--help"}, 0, "Examples"},
      {{"report", "--help"}, 0, "Examples"},
      {{"version"}, 0, "opsets 10 to 28"},
      {{}, 2, "subcommand is required"},
      {{"fly"}, 2, "no subcommand 'fly'"},
      {{"run", "--fly"}, 2, "--fly"},
      {{"run", "--color", "pink"}, 2, "pink"},
      {{"run", "--suite", "nosuch"}, 2, "no suite 'nosuch'; there is onnx"},
      {{"run", "--backend", "nosuch"}, 2, "no backend 'nosuch'; there is reference"},
      {{"run", "--data", "nowhere"}, 2, "nowhere"},
      {{"run", "--filter", "nothing"}, 5, "'nothing' selects none"},
      {{"run", "--output", "/dev/null/x"}, 2, "/dev/null/x"},
      {{"report"}, 2, "directory is required"},
      {{"report", "nowhere"}, 2, "nowhere has no journal.ndjson"},
      {{"report", "nowhere", "--format", "nosuch"}, 2, "no format 'nosuch'; there is terminal, html, json"},
      {{"report", "nowhere", "--format", "csv", "--format", "json"}, 2, "--output DIR"},
      {{"list", "suites"}, 0, "onnx"},
      {{"list", "backends"}, 0, "reference"},
      {{"list", "clauses"}, 0, "ql-round-half-even"},
      {{"list", "ambiguities"}, 0, "amb-nan-to-integer"},
      {{"list", "--filter", "onnx/1.5.0/*"}, 0, "onnx/1.5.0/test_quantizelinear\n"},
      {{"explain", "ql-round-half-even"}, 0, "ties to even"},
      {{"explain", "amb-nan-to-integer"}, 0, "AMB-01"},
      {{"explain", "1.5.0/test_quant"}, 5, "did you mean onnx/1.5.0/test_quantizelinear?"},
      {{"explain", "nosuch"}, 5, "no case, clause or ambiguity 'nosuch'"},
  };
  for (const UsageRow& row : rows) {
    const TemporaryDirectory scratch;
    const Outcome run = touchstone(scratch, row.arguments);
    EXPECT_EQ(run.exit_code, row.exit_code) << testing::PrintToString(row.arguments) << run.error;
    EXPECT_THAT(run.out + run.error, HasSubstr(row.message));
    EXPECT_EQ(run.error.empty(), row.exit_code == 0) << "messages are not for standard output";
  }
}

TEST(Program, SaysWhereTheDataComeFromIfTheyAreMissing) {
  const TemporaryDirectory scratch;
  ::setenv("TOUCHSTONE_DATA", "/nowhere", 1);
  const Outcome run = touchstone(scratch, {"run"});
  ::unsetenv("TOUCHSTONE_DATA");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.error, AllOf(HasSubstr("/nowhere"), HasSubstr("tools/setup")));
}

TEST(Program, ExplainsACase) {
  const TemporaryDirectory scratch;
  const Outcome run = touchstone(scratch, {"explain", "onnx/1.23.2/test_quantizelinear_axis"});
  EXPECT_EQ(run.exit_code, 0) << run.error;
  for (const char* part : {"version 28", "per_axis", "qdq-per-axis", "scale", "zero point", "expected", "0x"})
    EXPECT_THAT(run.out, HasSubstr(part));
}

TEST(Program, RunsACopyAndWritesTheReport) {
  const TemporaryDirectory scratch;
  copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "tests" / "a");
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "b");
  const Outcome run = touchstone(scratch, {"run", "--suite", "onnx", "--data", "tests", "--output", "out"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.error;
  EXPECT_THAT(run.out, AllOf(HasSubstr("2 of 2 cases passed"), HasSubstr("QuantizeLinear 28"), Not(HasSubstr("\033"))));
  EXPECT_EQ(run.error, "") << "no progress line in a pipe";
  const auto report = nlohmann::json::parse(content_of(scratch.path() / "out" / "report.json"));
  EXPECT_EQ(report["summary"]["verdicts"]["pass"], 2);

  const Outcome quiet =
      touchstone(scratch, {"run", "--data", "tests", "--output", "out", "--quiet", "--color", "always"});
  EXPECT_THAT(quiet.out, AllOf(HasSubstr("2 of 2"), HasSubstr("\033"), Not(HasSubstr("QuantizeLinear 28"))));
}

/// A run of two cases, one blocked and one per tensor, whose journal is in out/.
void run_two(const TemporaryDirectory& scratch) {
  copy_of("1.22.0/test_quantizelinear_blocked_symmetric", scratch.path() / "tests" / "a");
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "b");
  ASSERT_EQ(touchstone(scratch, {"run", "--suite", "onnx", "--data", "tests", "--output", "out"}).exit_code, 0);
}

TEST(Program, MakesTheReportsOfARunFromItsJournal) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  for (const conformance::ReportFormat& format : conformance::report_formats()) {
    const Outcome report = touchstone(scratch, {"report", "out", "--format", std::string(format.name)});
    EXPECT_EQ(report.exit_code, 0) << report.error;
    EXPECT_TRUE(report.out == content_of(scratch.path() / "out" / format.file_name)) << format.name;
  }
  const Outcome terminal = touchstone(scratch, {"report", "out"});
  EXPECT_THAT(terminal.out, AllOf(HasSubstr("2 of 2 cases passed"), HasSubstr("DequantizeLinear 10")));

  const Outcome some = touchstone(scratch, {"report", "out", "--format", "csv,terminal", "--output", "some"});
  EXPECT_EQ(some.out, "some/report.csv\nsome/report.txt\n");
  EXPECT_TRUE(fs::exists(scratch.path() / "some" / "report.csv"));
  touchstone(scratch, {"report", "out", "--format", "markdown", "--output", "one.md"});
  EXPECT_THAT(content_of(scratch.path() / "one.md"), HasSubstr("**2 of 2 cases passed.**"));
}

TEST(Program, ReportsAPartOfARun) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  const Outcome blocked = touchstone(scratch, {"report", "out", "--granularity", "blocked"});
  EXPECT_THAT(blocked.out, AllOf(HasSubstr("granularity blocked"), HasSubstr("1 of 1 cases passed")));
  const Outcome none = touchstone(scratch, {"report", "out", "--granularity", "per_row"});
  EXPECT_EQ(none.exit_code, 5);
  EXPECT_THAT(none.error, HasSubstr("there is blocked, per_tensor"));
  EXPECT_EQ(touchstone(scratch, {"report", "out", "--form", "inputs"}).exit_code, 5);
}

TEST(Program, NamesTheLineOfACorruptJournal) {
  const TemporaryDirectory scratch;
  run_two(scratch);
  const fs::path journal = scratch.path() / "out" / "journal.ndjson";
  std::string lines = content_of(journal);
  lines.insert(lines.find('\n') + 1, "no JSON\n");
  write_file(journal, lines);
  const Outcome corrupt = touchstone(scratch, {"report", "out"});
  EXPECT_EQ(corrupt.exit_code, 3);
  EXPECT_THAT(corrupt.error, AllOf(HasSubstr("journal.ndjson"), HasSubstr("line 2")));
  EXPECT_EQ(corrupt.out, "");
  EXPECT_EQ(touchstone(scratch, {"report", "out", "--format", "csv", "--output", "/dev/null/x"}).exit_code, 3);
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
  for (const char* part : {"onnx/test", "1 of 18 elements differ", "17", "-470 (0xc3eb0000)", "5 (0x40a00000)",
                           "196 (0xc4)", "103 (0x67)", "102 (0x66)", "0 of 1 cases passed"})
    EXPECT_THAT(run.out, HasSubstr(part));
}

struct BadRow {
  const char* what;
  std::function<void(const fs::path&)> spoil;
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

// Inside test_data_set_0, but for the model.
const BadRow bad_rows[] = {
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

TEST(Program, NamesABadFileAndGoesOn) {
  for (const BadRow& row : bad_rows) {
    const TemporaryDirectory scratch;
    row.spoil(copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "tests" / "bad"));
    copy_of("1.22.0/test_quantizelinear", scratch.path() / "tests" / "good");
    const Outcome run = touchstone(scratch, {"run", "--data", "tests"});
    EXPECT_EQ(run.exit_code, 3) << row.what << run.out << run.error;
    EXPECT_THAT(run.out, AllOf(HasSubstr("harness_error"), HasSubstr("onnx/bad"), HasSubstr(row.file))) << row.what;
    EXPECT_THAT(run.out, AllOf(HasSubstr(row.reason), HasSubstr("1 of 2 cases passed"))) << row.what;
  }
}

}  // namespace
}  // namespace touchstone::tools
