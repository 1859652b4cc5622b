// The program with broken streams, on a terminal, and with signals.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <thread>

#include "tools/touchstone/program_testing.h"

namespace touchstone::tools::streams_test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

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
  const char* message;  ///< on standard error, unless that is broken
};

const BrokenRow broken_rows[] = {
    {"full stdout", {"list", "clauses"}, [] { send_to("/dev/full", STDOUT_FILENO); }, 3, "standard output"},
    {"full stdout, a few lines", {"version"}, [] { send_to("/dev/full", STDOUT_FILENO); }, 3, "standard output"},
    {"full stdout, help", {"--help"}, [] { send_to("/dev/full", STDOUT_FILENO); }, 3, "standard output"},
    {"closed stdout", {"list", "clauses"}, [] { ::close(STDOUT_FILENO); }, 3, "standard output"},
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

/// A limit on the size of files is like a full disk.
TEST(Program, SurvivesALimitOnFileSizes) {
  const TemporaryDirectory scratch;
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "a");
  const Outcome limited = touchstone(scratch, {"run", "--data", "tests", "--output", "out"}, [] {
    const rlimit limit{20'000, 20'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  });
  EXPECT_EQ(limited.exit_code, 3) << limited.error;
  EXPECT_THAT(limited.error, HasSubstr("out/report.html: cannot be written: File too large"));
  EXPECT_EQ(touchstone(scratch, {"run", "--resume", "out"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(scratch.path() / "out" / "report.html"));
}

TEST(Program, SaysThatAPackDoesNotFit) {
  const TemporaryDirectory scratch;
  const Outcome limited = touchstone(scratch, {"export", "pack", "--suite", "generated"}, [] {
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  });
  EXPECT_EQ(limited.exit_code, 3) << "the arguments are right";
  EXPECT_THAT(limited.error, HasSubstr("pack/README.txt: cannot be written: File too large"));
}

/// As with `| head`: this is not an error, and does not change the exit code.
TEST(Program, EndsQuietlyIfItsOutputIsClosed) {
  const TemporaryDirectory scratch;
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "a");
  struct Row {
    std::vector<std::string> arguments;
    int exit_code;
  };
  const Row rows[] = {
      {{"list"}, 0},
      {{"list", "clauses"}, 0},
      {{"version"}, 0},
      {{"--help"}, 0},
      {{"explain", "onnx/1.23.2/test_quantizelinear_axis", "--elements", "0"}, 0},
      {{"run", "--data", "tests", "--output", "out"}, 0},
      {{"report", "out", "--format", "html"}, 0},
      {{"report", "out", "--format", "terminal"}, 0},
      {{"replay", "onnx/a", "--data", "tests"}, 0},
      {{"run", "--data", "tests", "--output", "refused", "--assume", "types=FLOAT", "--require", "all"}, 1},
      {{"diff", "out", "refused"}, 1},
  };
  for (const Row& row : rows) {
    const Outcome run = touchstone(scratch, row.arguments, [] { send_to_nobody(STDOUT_FILENO); });
    EXPECT_EQ(run.exit_code, row.exit_code) << testing::PrintToString(row.arguments);
    EXPECT_EQ(run.error, "") << testing::PrintToString(row.arguments);
  }
  EXPECT_TRUE(fs::exists(scratch.path() / "out" / "report.html"));
}

/// Some formats are written in one call, so nothing is left to be flushed at the end.
TEST(Program, ReportsThatAReportCouldNotBeWritten) {
  const TemporaryDirectory scratch;
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "a");
  touchstone(scratch, {"run", "--data", "tests", "--output", "out"});
  for (const char* format : {"html", "json", "csv", "terminal"}) {
    const Outcome report =
        touchstone(scratch, {"report", "out", "--format", format}, [] { send_to("/dev/full", STDOUT_FILENO); });
    EXPECT_EQ(report.exit_code, 3) << format;
    EXPECT_THAT(report.error, AllOf(HasSubstr("standard output"), HasSubstr("No space left"))) << format;
  }
}

TEST(Program, WritesNoMessagesIntoOtherFiles) {
  const TemporaryDirectory scratch;
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "a");
  const Outcome run = touchstone(scratch, {"run", "--data", "tests", "--output", "out"}, [] {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(descriptor);
  });
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(verdicts_of(report_in(scratch.path() / "out"))["pass"], 1);
  EXPECT_THAT(content_of(scratch.path() / "out" / "journal.ndjson.gz"), Not(HasSubstr("touchstone:")));
}

// ---- a terminal, and signals

/// Whether the system has pseudo-terminals; a chroot without /dev/pts does not.
bool has_terminals() {
  int ours = -1;
  int theirs = -1;
  if (::openpty(&ours, &theirs, nullptr, nullptr, nullptr) != 0) return false;
  ::close(ours);
  ::close(theirs);
  return true;
}

#define SKIP_WITHOUT_TERMINALS() \
  if (!has_terminals()) GTEST_SKIP() << "this system has no pseudo-terminals: is /dev/pts mounted?"

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
  /// Leaves no room for output: the program blocks when it prints, until something is read.
  void fill() const {
    const int flags = ::fcntl(theirs_, F_GETFL);
    ::fcntl(theirs_, F_SETFL, flags | O_NONBLOCK);
    while (::write(theirs_, "x", 1) == 1) continue;
    ::fcntl(theirs_, F_SETFL, flags);
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

TEST(Program, UsesColorsOnATerminal) {
  SKIP_WITHOUT_TERMINALS();
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
    EXPECT_THAT(text, HasSubstr("1 right, 0 wrong, 0 refused, 0 not asked, of 1"));
    EXPECT_EQ(text.find('\033') != std::string::npos, row.colored) << row.term << text;
  }
}

/// The line of the second case would follow the first one in less than a tenth of a second.
TEST(Program, ShowsItsProgressInOneLineOfATerminal) {
  SKIP_WITHOUT_TERMINALS();
  const TemporaryDirectory scratch;
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / ("b\033" + std::string(100, 'b')));
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "c");
  Terminal terminal;
  const pid_t child =
      start(scratch, {"run", "--data", "tests", "--output", "out"}, terminal.in_place_of(STDERR_FILENO));
  const std::string text = terminal.read();
  EXPECT_EQ(wait_for(scratch, child).exit_code, 0);
  const std::string long_line = R"([50% 1/2] onnx/b\x1b)" + std::string(36, 'b') + "...";
  EXPECT_EQ(long_line.size(), 59u) << "one less than the terminal's width";
  std::string expected;
  for (const std::string& line :
       {long_line, std::string("[comparing causes with right results]"), std::string("[writing the reports]")})
    expected += "\r\033[K" + line + "\r\033[K";
  EXPECT_EQ(text, expected);
}

/// A regular expression that matches only this text.
std::string escaped(std::string_view text) {
  std::string expression;
  for (const char character : text)
    expression += fmt::format("[{}]", character == '[' ? "[" : std::string(1, character));
  return expression;
}

/// The length of the longest line, except for examples, which are not wrapped.
std::size_t longest_line(const std::string& help) {
  std::size_t longest = 0;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line) && !line.starts_with("Example");) {
    if (line.ends_with('\r')) line.pop_back();
    longest = std::max(longest, line.size());
  }
  return longest;
}

TEST(Program, WrapsItsHelp) {
  const TemporaryDirectory scratch;
  struct Row {
    const char* columns;
    std::size_t width;
  };
  const Row rows[] = {{"90", 90}, {"80", 80}, {"20", 80}, {"500", 120}, {"", 100}, {"many", 100}};
  for (const char* command : {"run", "report", "list", "explain", "replay", "coverage", "compare", "diff", "serve",
                              "export", "judge", "version", ""}) {
    std::vector<std::string> arguments{command, "--help"};
    if (arguments[0].empty()) arguments.erase(arguments.begin());
    for (const Row& row : rows) {
      const Outcome help = touchstone(scratch, arguments, [&] { ::setenv("COLUMNS", row.columns, 1); });
      EXPECT_EQ(help.exit_code, 0);
      EXPECT_LE(longest_line(help.out), row.width) << help.out;
      if (arguments[0] == "run") {
        EXPECT_GT(longest_line(help.out), row.width - 10) << help.out;
      }
    }
  }
}

TEST(Program, WrapsItsHelpAtTheWidthOfTheTerminal) {
  SKIP_WITHOUT_TERMINALS();
  for (const unsigned short columns : std::to_array<unsigned short>({60, 110, 200})) {
    const TemporaryDirectory scratch;
    Terminal terminal(columns);
    const pid_t child = start(scratch, {"diff", "--help"}, [&] {
      terminal.in_place_of(STDOUT_FILENO)();
      ::setenv("COLUMNS", "80", 1);
    });
    const std::string text = terminal.read();
    EXPECT_EQ(wait_for(scratch, child).exit_code, 0);
    const std::size_t width = std::min<std::size_t>(columns, 120);
    EXPECT_LE(longest_line(text), width) << text;
    EXPECT_GT(longest_line(text), width - 20) << text;
  }
}

TEST(Program, ListsEachBackendOnALineOfItsHelp) {
  const TemporaryDirectory scratch;
  for (const char* command : {"run", "replay", "serve"}) {
    const std::string help = touchstone(scratch, {command, "--help"}).out;
    for (const char* backend : {"optimized (", "reference (", "ort (", "tract (", "exec:COMMAND (", "lib:PATH (",
                                "onnx:MODULE[:ATTR][@DEVICE] (", "answers:DIR (", "wrong:NAME ("})
      EXPECT_THAT(help, testing::ContainsRegex(std::string("\n +") + escaped(backend))) << command;
  }
}

/// More cases than there is room for lines in the buffer of a terminal that nobody reads: about 64 KiB in Linux.
constexpr int many = 4;

/// Whether no thread of the process is running, runnable, or waiting for a disk.
bool is_at_rest(pid_t process) {
  for (const auto& task : fs::directory_iterator(fmt::format("/proc/{}/task", process))) {
    const std::string status = content_of(task.path() / "stat");
    if (const std::size_t end = status.rfind(") "); end == status.npos || status[end + 2] != 'S') return false;
  }
  return true;
}

/// Starts a run of several cases, which blocks after the first one, and then sends it this signal.
Outcome run_and_signal(const TemporaryDirectory& scratch, int signal) {
  const fs::path tests = scratch.path() / "tests";
  const fs::path test = copy_of("1.5.0/test_dequantizelinear", tests / "test");
  for (int i = 1; i < many; ++i) fs::copy(test, tests / std::to_string(i), fs::copy_options::recursive);

  Terminal terminal(500);
  terminal.fill();
  const pid_t child =
      start(scratch, {"run", "--data", "tests", "--output", "out", "--jobs", "1"}, terminal.in_place_of(STDERR_FILENO));
  const auto nap = [] { std::this_thread::sleep_for(std::chrono::milliseconds(300)); };
  const fs::path journal = scratch.path() / "out" / "journal.ndjson.gz";
  for (std::string before, now; now.empty() || now != before || !is_at_rest(child); nap())
    before = std::exchange(now, content_of(journal));
  ::kill(child, signal);
  nap();
  const std::string text = terminal.read();
  Outcome outcome = wait_for(scratch, child);
  outcome.error = text;
  return outcome;
}

TEST(Program, ReportsFinishedCasesWhenItIsInterrupted) {
  SKIP_WITHOUT_TERMINALS();
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryDirectory scratch;
    const Outcome run = run_and_signal(scratch, signal);
    EXPECT_EQ(run.exit_code, 4) << run.out << run.error;
    EXPECT_THAT(run.out, HasSubstr(fmt::format(" undecided, of {}\n", many)));
    EXPECT_THAT(run.error, HasSubstr("\r\033[Ktouchstone: finishing the current cases"));
    const std::string to_continue = "  to continue: touchstone run --resume out\r\n";
    EXPECT_THAT(run.error, HasSubstr("again to stop now\r\n" + to_continue));
    EXPECT_THAT(run.error, EndsWith(" cases are not run\r\n" + to_continue));
    const auto verdicts = verdicts_of(report_in(scratch.path() / "out"));
    EXPECT_GT(verdicts["pass"], 0);
    EXPECT_GT(verdicts["not_run"], 0);
    EXPECT_EQ(verdicts["pass"].get<int>() + verdicts["not_run"].get<int>(), many);
  }
}

}  // namespace
}  // namespace touchstone::tools::streams_test
