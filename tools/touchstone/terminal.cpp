#include "tools/touchstone/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace touchstone::tools {

namespace {

volatile std::sig_atomic_t stop_flag = 0;

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

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
  const std::string found = problems > 0 ? fmt::format(", {} not passed", problems) : "";
  rewrite(fmt::format("[{}/{}{}] {}", done_, total_, found, what));
}

void ProgressLine::rewrite(const std::string& line) const {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K{}", line.substr(0, terminal_width() - 1));
  std::fflush(stderr);
}

bool stop_requested() { return stop_flag != 0; }

void watch_for_stop() {
  const auto handler = [](int signal) {
    stop_flag = 1;
    std::signal(signal, SIG_DFL);
  };
  std::signal(SIGINT, handler);
  std::signal(SIGTERM, handler);
}

}  // namespace touchstone::tools
