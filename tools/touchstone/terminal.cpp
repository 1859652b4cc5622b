#include "tools/touchstone/terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "conformance/files/file_error.h"
#include "conformance/files/text.h"
#include "conformance/report/causes_text.h"
#include "conformance/report/readings_text.h"

namespace touchstone::tools {

namespace {

volatile std::sig_atomic_t stop_flag = 0;
volatile std::sig_atomic_t error_is_terminal = 0;

constexpr std::string_view clear_line = "\r\033[K";  // clears the progress line
std::string stopping;

/// Room for the longest path and an error message.
constexpr std::size_t longest_line = 6000;

/// Calls only functions that are safe in a signal handler. Restores the default action for the second signal first,
/// because writing may block.
void on_stop(int) {
  const int error_before = errno;
  stop_flag = 1;
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  const auto say = [](std::string_view text) {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  };
  if (error_is_terminal != 0) say(clear_line);
  say(stopping);
  errno = error_before;
}

/// 0 if this is not a terminal, or if its width is unknown.
std::size_t terminal_width(int descriptor) {
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/// The write function of stdio for standard output: must write all bytes, or return 0 for an error.
ssize_t write_to_stdout(void*, const char* text, std::size_t size) {
  for (std::size_t written = 0; written < size;) {
    const ssize_t more = ::write(STDOUT_FILENO, text + written, size - written);
    if (more >= 0)
      written += static_cast<std::size_t>(more);
    else if (errno == EPIPE)
      break;
    else if (errno != EINTR)
      return 0;
  }
  return static_cast<ssize_t>(size);
}

/// The number of characters that a terminal shows: without the sequences that choose colors.
std::size_t shown_width(std::string_view text) {
  std::size_t width = 0;
  bool in_sequence = false;
  for (const char character : text) {
    if (character == '\033') in_sequence = true;
    const bool continues = (static_cast<unsigned char>(character) & 0xc0U) == 0x80U;  // a character in UTF-8
    if (!in_sequence && !continues) ++width;
    if (character == 'm') in_sequence = false;
  }
  return width;
}

/// Where the last column of a table begins, if it leaves room for a text, or else two spaces more than the line does.
std::size_t hanging_indent(std::string_view line) {
  constexpr std::size_t last_place = 40;
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  std::size_t indent = begin + 2;
  for (std::size_t gap = line.find("  ", begin); gap != std::string_view::npos; gap = line.find("  ", gap)) {
    gap = std::min(line.find_first_not_of(' ', gap), line.size());
    const std::size_t width = shown_width(line.substr(0, gap));
    if (width > last_place || gap == line.size()) break;
    indent = width;
  }
  return indent;
}

void add_broken(std::string_view line, std::string& text) {
  constexpr std::size_t widest = 80;
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const bool is_command = line.substr(begin).starts_with("touchstone ");
  const std::string_view mark = is_command ? " \\" : "";
  const std::size_t indent = hanging_indent(line);
  const std::size_t first = std::min(line.find(' ', begin), line.size());
  std::string current(begin + shown_width(line.substr(begin, first - begin)) > widest ? 2 : begin, ' ');
  bool is_empty = true;
  for (std::size_t start = begin; start < line.size();) {
    const std::size_t word = std::min(line.find_first_not_of(' ', start), line.size());
    std::size_t end = word;
    for (bool is_quoted = false; end < line.size() && (line[end] != ' ' || is_quoted); ++end)
      if (is_command && line[end] == '\'') is_quoted = !is_quoted;
    if (!is_empty && shown_width(current) + shown_width(line.substr(start, end - start)) + mark.size() > widest) {
      text.append(current).append(mark) += '\n';
      const std::size_t width = shown_width(line.substr(word, end - word)) + mark.size();
      current = std::string(indent + width > widest ? begin + 2 : indent, ' ');
      current += line.substr(word, end - word);
    } else {
      current += line.substr(start, end - start);
    }
    is_empty = false;
    start = end;
  }
  text += current + '\n';
}

}  // namespace

void prepare_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // Opened for the wrong direction, so that using it remains an error.
    const int wrong_way = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (::fcntl(descriptor, F_GETFD) == -1) static_cast<void>(::open("/dev/null", wrong_way));
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit on file sizes fails, like one to a full disk
  std::FILE* file =
      ::fopencookie(nullptr, "w", {.read = nullptr, .write = write_to_stdout, .seek = nullptr, .close = nullptr});
  if (file == nullptr) return;
  if (::isatty(STDOUT_FILENO) == 1) std::setvbuf(file, nullptr, _IOLBF, BUFSIZ);
  stdout = file;
}

void write_to_stderr(std::string_view text) noexcept {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
  static_cast<void>(std::fflush(stderr));
}

void print_message(std::string_view message) {
  static_cast<void>(std::fflush(stdout));  // so that both streams are in order in a log
  std::string_view indent;                 // of all lines except the first
  for (const std::string_view line : conformance::lines_of(message)) {
    write_to_stderr(fmt::format("{}{}\n", indent, conformance::printable(line, longest_line)));
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

std::string results_text(const conformance::RunInfo& run, const conformance::Summary& summary,
                         conformance::Color color) {
  std::string text = render_matrix(run, summary, color) + '\n';
  for (const std::string& part : {render_forms(summary, color), render_causes(summary, color), render_support(summary),
                                  render_fingerprint(summary)})
    if (!part.empty()) text += part + '\n';
  return text + render_totals(run, summary, color);
}

std::string in_lines(std::string_view text) {
  std::string broken;
  for (const std::string_view line : conformance::lines_of(text)) add_broken(line, broken);
  return broken;
}

std::size_t help_width() {
  constexpr std::size_t widest = 120;
  if (const std::size_t width = terminal_width(STDOUT_FILENO); width > 0)
    return std::clamp(width, std::size_t{40}, widest);
  const char* columns = std::getenv("COLUMNS");
  const std::string_view digits = columns != nullptr ? columns : "";
  std::size_t width = 100;
  std::from_chars(digits.data(), digits.data() + digits.size(), width);
  return std::clamp(width, std::size_t{80}, widest);
}

ProgressLine::ProgressLine() : shown_(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() { rewrite(""); }

void ProgressLine::show(std::string_view text) const {
  if (!shown_) return;
  const auto now = std::chrono::steady_clock::now();
  if (!text.empty() && now - last_ < std::chrono::milliseconds(100)) return;
  last_ = text.empty() ? std::chrono::steady_clock::time_point() : now;
  const std::size_t width = terminal_width(STDERR_FILENO);
  // A line as wide as the terminal would wrap.
  rewrite(conformance::printable(text, (width > 0 ? width : 80) - 1));
}

void ProgressLine::rewrite(std::string_view line) const noexcept {
  if (!shown_) return;
  write_to_stderr(clear_line);
  write_to_stderr(line);
}

bool stop_requested() { return stop_flag != 0; }

void watch_for_stop(const std::string& what_happens_now) {
  stopping = what_happens_now;
  error_is_terminal = ::isatty(STDERR_FILENO);
  struct sigaction action {};
  action.sa_handler = on_stop;
  action.sa_flags = SA_RESTART | SA_NODEFER;  // the second signal must not wait for the end of the handler
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

}  // namespace touchstone::tools
