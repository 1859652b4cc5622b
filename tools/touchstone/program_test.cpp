// The program as its users meet it: arguments in; output, messages, files and an exit code out.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "conformance/plan/onnx_suite.h"
#include "conformance/report/format.h"
#include "conformance/testing.h"
#include "spec/opset.h"

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
  int exit_code;  ///< or, for a program that a signal ended, minus the number of the signal
  std::string out;
  std::string error;
};

/// What happens to the streams of the program before it starts.
using Rewire = std::function<void()>;

/// Starts the program in the scratch directory, without a terminal and without a shell.
pid_t start(
    const TemporaryDirectory& scratch, std::vector<std::string> arguments, const Rewire& rewire = [] {}) {
  const fs::path out = scratch.path() / "stdout";
  const fs::path error = scratch.path() / "stderr";
  arguments.insert(arguments.begin(), TOUCHSTONE_PROGRAM);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto redirect = [](const fs::path& path, int descriptor) {
      ::dup2(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), descriptor);
    };
    redirect(out, STDOUT_FILENO);
    redirect(error, STDERR_FILENO);
    rewire();
    if (::chdir(scratch.path().c_str()) == 0) ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  return child;
}

Outcome wait_for(const TemporaryDirectory& scratch, pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), content_of(scratch.path() / "stdout"),
          content_of(scratch.path() / "stderr")};
}

Outcome touchstone(
    const TemporaryDirectory& scratch, const std::vector<std::string>& arguments, const Rewire& rewire = [] {}) {
  return wait_for(scratch, start(scratch, arguments, rewire));
}

nlohmann::json report_in(const fs::path& directory) {
  return nlohmann::json::parse(content_of(directory / "report.json"));
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
  std::string message;
};

TEST(Program, HelpsAndExplainsWhatIsWrongWithItsArguments) {
  const UsageRow rows[] = {
      {{"--help"}, 0, "Subcommands"},
      {{"--help"}, 0, "Exit codes"},
      {{"--help"}, 0, "Examples"},
      {{"run", "--help"}, 0, "Examples"},
      {{"list", "--help"}, 0, "Examples"},
      {{"explain", "--help"}, 0, "Examples"},
      {{"version", "--help"}, 0, "Example"},
      {{"version", "--help"}, 0, "Exit codes"},
      {{"version"}, 0, fmt::format("opsets {} to {}", spec::oldest_opset, spec::newest_opset)},
      {{"--version"}, 0, fmt::format("opsets {} to {}", spec::oldest_opset, spec::newest_opset)},
      {{"report", "--help"}, 0, "Examples"},
      {{}, 2, "subcommand is required"},
      {{"fly"}, 2, "no subcommand 'fly'"},
      {{"run", "--fly"}, 2, "--fly"},
      {{"run", "--color", "pink"}, 2, "pink"},
      {{"run", "--suite", "nosuch"}, 2, "no suite 'nosuch'; there is onnx"},
      {{"run", "--backend", "nosuch"}, 2, "no backend 'nosuch'; there is reference"},
      {{"run", "--data", "nowhere"}, 2, "nowhere"},
      {{"run", "--data", "."}, 5, "no test directory"},
      {{"run", "--data", "\033[31m"}, 2, R"(\x1b[31m)"},
      {{"run", "--\033[31m"}, 2, R"(\x1b[31m)"},
      {{"run", "--suite", "onnx", "--filter", "nothing"}, 5, "'nothing' selects none"},
      {{"run", "--suite", "onnx", "--output", "/dev/null/x"}, 2, "/dev/null/x"},
      {{"report"}, 2, "directory is required"},
      {{"report", "nowhere"}, 2, "nowhere has no journal.ndjson"},
      {{"report", "nowhere", "--format", "nosuch"}, 2, "no format 'nosuch'; there is terminal, html, json"},
      {{"report", "nowhere", "--format", "csv", "--format", "json"}, 2, "--output DIR"},
      {{"list", "suites"}, 0, "onnx"},
      {{"list", "backends"}, 0, "reference"},
      {{"list", "clauses"}, 0, "ql-round-half-even"},
      {{"list", "ambiguities"}, 0, "amb-nan-to-integer"},
      {{"list", "--suite", "onnx", "--filter", "onnx/1.5.0/*"}, 0, "onnx/1.5.0/test_quantizelinear\n"},
      {{"list", "clauses", "--filter", "nope"}, 2, "--filter has no meaning for clauses"},
      {{"explain", "ql-round-half-even"}, 0, "ties to even"},
      {{"explain", "ql-round-half-even", "--data", "x"}, 2, "--data has no meaning for a clause"},
      {{"explain", "amb-nan-to-integer"}, 0, "AMB-01"},
      {{"explain", "amb-nan-to-integer", "--elements", "1"}, 2, "--elements has no meaning for an ambiguity"},
      {{"explain", "amb-float32-division"}, 0, "permitted in QuantizeLinear 10 to 21"},
      {{"explain", "1.5.0/test_quant", "--suite", "onnx"}, 5, "did you mean onnx/1.5.0/test_quantizelinear?"},
      {{"explain", "nosuch", "--suite", "onnx"}, 5, "no case, clause or ambiguity 'nosuch'"},
      {{"explain", "nosuch", "--elements", "-5"}, 2, "--elements"},
      {{"explain", "nosuch", "--filter", "x"}, 2, "--filter"},
  };
  for (const UsageRow& row : rows) {
    const TemporaryDirectory scratch;
    const Outcome run = touchstone(scratch, row.arguments);
    EXPECT_EQ(run.exit_code, row.exit_code) << testing::PrintToString(row.arguments) << run.error;
    EXPECT_THAT(run.out + run.error, HasSubstr(row.message));
    EXPECT_EQ(run.error.empty(), row.exit_code == 0) << "messages are not for standard output";
    EXPECT_THAT(run.out + run.error, Not(HasSubstr("\033")));
  }
}

TEST(Program, SaysWhereTheDataComeFromIfTheyAreMissing) {
  const TemporaryDirectory scratch;
  ::setenv("TOUCHSTONE_DATA", "/nowhere", 1);
  const Outcome run = touchstone(scratch, {"run", "--suite", "onnx"});
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

  // 0 * NaN is a NaN, and any one will do; 3 * 1 is 3.
  write("output_0.pb", tensor(ElementType::float32, {2}, {0xffc00001, 0x40000000}), "y");
  const Outcome wrong = touchstone(scratch, {"explain", "onnx/a", "--data", "tests"});
  EXPECT_THAT(wrong.out, AllOf(HasSubstr("2 (0x40000000)  the reference computes 3 (0x40400000)"),
                               Not(HasSubstr("computes nan"))));

  write("output_0.pb", tensor(ElementType::float16, {2}, {0x7e00, 0x4200}), "y");
  const Outcome other_type = touchstone(scratch, {"explain", "onnx/a", "--data", "tests"});
  EXPECT_THAT(other_type.out, AllOf(HasSubstr("gives something else: the type is float, expected float16"),
                                    Not(HasSubstr("computes"))));
}

TEST(Program, RunsACopyAndWritesTheReport) {
  const TemporaryDirectory scratch;
  copy_of("1.22.0/test_quantizelinear_axis", scratch.path() / "tests" / "a");
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "b");
  const Outcome run = touchstone(scratch, {"run", "--suite", "onnx", "--data", "tests", "--output", "out"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.error;
  const std::string newest = fmt::format("QuantizeLinear {}", spec::newest_opset);
  EXPECT_THAT(run.out, AllOf(HasSubstr("2 of 2 cases passed"), HasSubstr(newest), Not(HasSubstr("\033"))));
  EXPECT_EQ(run.error, "") << "no progress line in a pipe";
  EXPECT_EQ(report_in(scratch.path() / "out")["summary"]["verdicts"]["pass"], 2);

  const Outcome quiet =
      touchstone(scratch, {"run", "--data", "tests", "--output", "out", "--quiet", "--color", "always"});
  EXPECT_THAT(quiet.out, AllOf(HasSubstr("2 of 2"), HasSubstr("\033"), Not(HasSubstr(newest))));
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

TEST(Program, GoesOnWhereADirectoryCannotBeRead) {
  const TemporaryDirectory scratch;
  copy_of("1.22.0/test_quantizelinear", scratch.path() / "tests" / "good");
  conformance::make_unreadable_directory(scratch.path() / "tests");
  const Outcome run = touchstone(scratch, {"run", "--data", "tests", "--output", "out"});
  EXPECT_EQ(run.exit_code, 3) << run.error;
  EXPECT_THAT(run.out, AllOf(HasSubstr("File name too long"), HasSubstr("1 of 2 cases passed")));
  EXPECT_EQ(report_in(scratch.path() / "out")["summary"]["verdicts"]["harness_error"], 1);
}

TEST(Program, EscapesWhatAModelSays) {
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

// ---- broken streams

void send_to(const char* path, int descriptor) { ::dup2(::open(path, O_WRONLY | O_CLOEXEC), descriptor); }

void send_to_nobody(int descriptor) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) == 0) ::dup2(ends[1], descriptor);
}

struct BrokenRow {
  const char* what;
  std::vector<std::string> arguments;
  Rewire rewire;
  int exit_code;
  const char* message;  ///< on standard error, where that is not broken
};

const BrokenRow broken_rows[] = {
    {"full stdout", {"list", "clauses"}, [] { send_to("/dev/full", STDOUT_FILENO); }, 3, "standard output"},
    {"full stdout, a few lines", {"version"}, [] { send_to("/dev/full", STDOUT_FILENO); }, 3, "standard output"},
    {"full stdout, help", {"--help"}, [] { send_to("/dev/full", STDOUT_FILENO); }, 3, "standard output"},
    {"closed stdout", {"list", "clauses"}, [] { ::close(STDOUT_FILENO); }, 3, "standard output"},
    {"nobody reads", {"list", "clauses"}, [] { send_to_nobody(STDOUT_FILENO); }, 3, "Broken pipe"},
    {"full stderr", {"run", "--data", "nowhere"}, [] { send_to("/dev/full", STDERR_FILENO); }, 2, ""},
    {"closed stderr", {"run", "--data", "nowhere"}, [] { ::close(STDERR_FILENO); }, 2, ""},
    {"nobody reads stderr", {"fly"}, [] { send_to_nobody(STDERR_FILENO); }, 2, ""},
    {"both are full",
     {"list", "clauses"},
     [] {
       send_to("/dev/full", STDOUT_FILENO);
       send_to("/dev/full", STDERR_FILENO);
     },
     3,
     ""},
};

TEST(Program, SurvivesBrokenStreams) {
  for (const BrokenRow& row : broken_rows) {
    const TemporaryDirectory scratch;
    const Outcome run = touchstone(scratch, row.arguments, row.rewire);
    EXPECT_EQ(run.exit_code, row.exit_code) << row.what << run.error;
    EXPECT_THAT(run.error, HasSubstr(row.message)) << row.what;
  }
}

TEST(Program, WritesWhatItWouldSayIntoNoOtherFile) {
  const TemporaryDirectory scratch;
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "a");
  const Outcome run = touchstone(scratch, {"run", "--data", "tests", "--output", "out"}, [] {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(descriptor);
  });
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(report_in(scratch.path() / "out")["summary"]["verdicts"]["pass"], 1);
  EXPECT_THAT(content_of(scratch.path() / "out" / "journal.ndjson"), Not(HasSubstr("touchstone:")));
}

// ---- a terminal, and signals

class Terminal {
 public:
  explicit Terminal(unsigned short columns = 60) {
    winsize size{};
    size.ws_col = columns;
    if (::openpty(&ours_, &theirs_, nullptr, nullptr, &size) != 0) throw std::runtime_error("no terminal");
    for (const int descriptor : {ours_, theirs_}) ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  }
  ~Terminal() {
    hang_up();
    ::close(ours_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  Rewire in_place_of(int descriptor) const {
    return [this, descriptor] { ::dup2(theirs_, descriptor); };
  }
  /// Everything until the program ends.
  std::string read() {
    hang_up();
    std::string text;
    char buffer[4096];
    for (ssize_t count = 0; (count = ::read(ours_, buffer, sizeof buffer)) > 0;)
      text.append(buffer, static_cast<std::size_t>(count));
    return text;
  }

 private:
  void hang_up() {
    if (theirs_ >= 0) ::close(theirs_);
    theirs_ = -1;
  }

  int ours_ = -1;
  int theirs_ = -1;
};

TEST(Program, IsColoredWhereATerminalWantsIt) {
  struct Row {
    const char* term;
    const char* no_color;
    bool colored;
  };
  for (const Row& row : {Row{"xterm", nullptr, true}, {"xterm", "1", false}, {"dumb", nullptr, false}}) {
    const TemporaryDirectory scratch;
    copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "a");
    Terminal terminal;
    const pid_t child = start(scratch, {"run", "--data", "tests", "--quiet"}, [&] {
      terminal.in_place_of(STDOUT_FILENO)();
      ::setenv("TERM", row.term, 1);
      row.no_color != nullptr ? ::setenv("NO_COLOR", row.no_color, 1) : ::unsetenv("NO_COLOR");
    });
    const std::string text = terminal.read();
    EXPECT_EQ(wait_for(scratch, child).exit_code, 0);
    EXPECT_THAT(text, HasSubstr("1 of 1 cases passed"));
    EXPECT_EQ(text.find('\033') != std::string::npos, row.colored) << row.term << text;
  }
}

TEST(Program, ShowsItsProgressInOneLineOfATerminal) {
  const TemporaryDirectory scratch;
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "a");
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / ("b\033" + std::string(100, 'b')));
  Terminal terminal;
  const pid_t child =
      start(scratch, {"run", "--data", "tests", "--output", "out"}, terminal.in_place_of(STDERR_FILENO));
  const std::string text = terminal.read();
  EXPECT_EQ(wait_for(scratch, child).exit_code, 0);
  const std::string long_line = R"([2/2] onnx/b\x1b)" + std::string(40, 'b') + "...";
  EXPECT_EQ(long_line.size(), 59u) << "one less than the terminal is wide";
  EXPECT_EQ(text, "\r\033[K[1/2] onnx/a\r\033[K" + long_line + "\r\033[K");
}

/// More cases than a terminal takes lines of that nobody reads.
constexpr int many = 120;

/// Starts a run of many cases, which comes to stand still in its middle, and gives it these signals then.
Outcome run_and_signal(const TemporaryDirectory& scratch, const std::vector<int>& signals) {
  const fs::path tests = scratch.path() / "tests";
  const fs::path test = copy_of("1.5.0/test_dequantizelinear", tests / "test");
  const std::string long_name(240, 'n');
  for (int i = 1; i < many; ++i) fs::copy(test, tests / (long_name + std::to_string(i)), fs::copy_options::recursive);

  Terminal terminal(500);
  const pid_t child =
      start(scratch, {"run", "--data", "tests", "--output", "out", "--jobs", "1"}, terminal.in_place_of(STDERR_FILENO));
  const auto nap = [] { std::this_thread::sleep_for(std::chrono::milliseconds(300)); };
  const fs::path journal = scratch.path() / "out" / "journal.ndjson";
  for (std::string before, now; now.empty() || now != before; nap()) before = std::exchange(now, content_of(journal));
  for (const int signal : signals) {
    ::kill(child, signal);
    nap();  // two that are pending at once would meet the same handler
  }
  terminal.read();
  return wait_for(scratch, child);
}

TEST(Program, ReportsWhatItHasDoneWhenItIsInterrupted) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryDirectory scratch;
    const Outcome run = run_and_signal(scratch, {signal});
    EXPECT_EQ(run.exit_code, 4) << run.out << run.error;
    EXPECT_THAT(run.out, HasSubstr(fmt::format("of {} cases passed", many)));
    const auto verdicts = report_in(scratch.path() / "out")["summary"]["verdicts"];
    EXPECT_GT(verdicts["pass"], 0);
    EXPECT_GT(verdicts["not_run"], 0);
    EXPECT_EQ(verdicts["pass"].get<int>() + verdicts["not_run"].get<int>(), many);
  }
}

TEST(Program, EndsAtOnceWhenItIsInterruptedTwice) {
  const TemporaryDirectory scratch;
  EXPECT_EQ(run_and_signal(scratch, {SIGINT, SIGTERM}).exit_code, -SIGTERM);
}

}  // namespace
}  // namespace touchstone::tools
