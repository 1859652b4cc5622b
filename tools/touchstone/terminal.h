// What the program has to know of its standard streams, and what a terminal gets and a pipe does not: color and a
// progress line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "conformance/report/matrix.h"

namespace touchstone::tools {

/// Makes sure that the descriptors 0 to 2 are taken, so that no file which is opened later becomes standard output or
/// standard error, and that writing to a closed pipe is an error, not a signal.
void prepare_standard_streams();

/// Ignores a failure to write, because it could not be reported anywhere.
void write_to_stderr(std::string_view text) noexcept;

/// Prints a message to standard error, made safe for terminals, because it may quote names and paths of any content.
/// Only the first line is not indented, so that no quoted text can look like another message.
void print_message(std::string_view message);

/// "auto": color if standard output is a terminal, $NO_COLOR is not set and $TERM is not dumb. "always", "never".
conformance::Color color_for(std::string_view when);

/// A progress line on standard error, rewritten during the work and removed at the end. Shows nothing if standard error
/// is not a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(std::size_t total = 0, std::size_t done = 0);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool is_shown() const { return shown_; }
  void step(std::string_view what, std::size_t problems);
  /// Shows another text. An empty text clears the line, so that something else can be printed.
  void show(std::string_view text) const;

 private:
  void rewrite(std::string_view line) const noexcept;

  bool shown_;
  std::size_t total_;
  std::size_t done_;
};

/// Whether the first SIGINT or SIGTERM has arrived, whose handler prints what happens now to standard error. The second
/// one ends the program at once.
bool stop_requested();
/// The text must live as long as the program.
void watch_for_stop(std::string_view what_happens_now);

}  // namespace touchstone::tools
