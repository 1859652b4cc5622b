#include "tools/touchstone/terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "conformance/files/file_error.h"

namespace touchstone::tools {

namespace {

volatile std::sig_atomic_t stop_flag = 0;

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
  // A line that is as wide as the terminal would begin the next one.
  rewrite(conformance::printable(fmt::format("[{}/{}{}] {}", done_, total_, found, what), terminal_width() - 1));
}

void ProgressLine::rewrite(std::string_view line) const noexcept {
  if (!shown_) return;
  write_to_stderr("\r\033[K");
  write_to_stderr(line);
}

bool stop_requested() { return stop_flag != 0; }

void watch_for_stop() {
  const auto handler = [](int) {
    stop_flag = 1;
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  };
  std::signal(SIGINT, handler);
  std::signal(SIGTERM, handler);
}

}  // namespace touchstone::tools
