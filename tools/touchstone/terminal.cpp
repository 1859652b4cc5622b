#include "tools/touchstone/terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "conformance/files/file_error.h"

namespace touchstone::tools {

namespace {

volatile std::sig_atomic_t stop_flag = 0;
volatile std::sig_atomic_t error_is_terminal = 0;

constexpr std::string_view in_place_of_the_line = "\r\033[K";  // of the progress
std::string_view stopping;

/// Room for the longest path and what is wrong with it.
constexpr std::size_t longest_line = 6000;

/// Only what is safe in a handler. First it makes way for the second signal: nobody may be reading what is written.
void on_stop(int) {
  const int error_before = errno;
  stop_flag = 1;
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  const auto say = [](std::string_view text) {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  };
  if (error_is_terminal != 0) say(in_place_of_the_line);
  say(stopping);
  errno = error_before;
}

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

void prepare_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // Opened the wrong way round, so that using it remains the error that it is.
    const int wrong_way = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (::fcntl(descriptor, F_GETFD) == -1) static_cast<void>(::open("/dev/null", wrong_way));
  }
  std::signal(SIGPIPE, SIG_IGN);
}

void write_to_stderr(std::string_view text) noexcept {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
  static_cast<void>(std::fflush(stderr));
}

void print_message(std::string_view message) {
  std::string_view indent;  // of all lines but the first, which begins with what the program says
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    write_to_stderr(fmt::format("{}{}\n", indent, conformance::printable(message.substr(0, end), longest_line)));
    message.remove_prefix(std::min(end + 1, message.size()));
    indent = "  ";
  }
}

conformance::Color color_for(std::string_view when) {
  if (when == "always") return conformance::Color::always;
  if (when == "never") return conformance::Color::never;
  const char* terminal = std::getenv("TERM");
  const bool capable =
      terminal != nullptr && std::string_view(terminal) != "dumb" && std::getenv("NO_COLOR") == nullptr;
  return capable && ::isatty(STDOUT_FILENO) == 1 ? conformance::Color::always : conformance::Color::never;
}

ProgressLine::ProgressLine(std::size_t total, std::size_t done)
    : shown_(::isatty(STDERR_FILENO) == 1), total_(total), done_(done) {}

ProgressLine::~ProgressLine() { rewrite(""); }

void ProgressLine::step(std::string_view what, std::size_t problems) {
  ++done_;
  if (!shown_) return;
  const std::string found = problems > 0 ? fmt::format(", {} not passed", problems) : "";
  show(fmt::format("[{}/{}{}] {}", done_, total_, found, what));
}

void ProgressLine::show(std::string_view text) const {
  // A line that is as wide as the terminal would begin the next one.
  if (shown_) rewrite(conformance::printable(text, terminal_width() - 1));
}

void ProgressLine::rewrite(std::string_view line) const noexcept {
  if (!shown_) return;
  write_to_stderr(in_place_of_the_line);
  write_to_stderr(line);
}

bool stop_requested() { return stop_flag != 0; }

void watch_for_stop(std::string_view what_happens_now) {
  stopping = what_happens_now;
  error_is_terminal = ::isatty(STDERR_FILENO);
  struct sigaction action {};
  action.sa_handler = on_stop;
  action.sa_flags = SA_RESTART | SA_NODEFER;  // the second signal is not to wait for the end of the handler
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

}  // namespace touchstone::tools
