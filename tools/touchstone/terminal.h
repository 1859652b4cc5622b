// What the program has to know of its standard streams, and what a terminal gets and a pipe does not: color and a
// progress line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "conformance/report/matrix.h"

namespace touchstone::tools {

/// Makes sure that the descriptors 0 to 2 are taken, so that no file which is opened later becomes standard output or
/// standard error, and that writing to a closed pipe is an error and no signal.
void prepare_standard_streams();

/// Never throws: where standard error cannot be written, nobody is left to be told.
void write_to_stderr(std::string_view text) noexcept;

/// Lines to standard error, as a terminal may get them: messages may quote names and paths of any content. No text
/// begins a line but the message itself: the others are indented.
void print_message(std::string_view message);

/// "auto": color if standard output is a terminal, $NO_COLOR is not set and $TERM is not dumb. "always", "never".
conformance::Color color_for(std::string_view when);

/// One line on standard error, rewritten as the work goes on, and gone at the end. Nothing where that is no terminal.
class ProgressLine {
 public:
  explicit ProgressLine(std::size_t total = 0, std::size_t done = 0);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool is_shown() const { return shown_; }
  void step(std::string_view what, std::size_t problems);
  /// Any other text; none, so that something else can be printed in its place.
  void show(std::string_view text) const;

 private:
  void rewrite(std::string_view line) const noexcept;

  bool shown_;
  std::size_t total_;
  std::size_t done_;
};

/// After the first SIGINT or SIGTERM, which also says on standard error what happens now: true. The second ends the
/// program at once.
bool stop_requested();
/// The text lives as long as the program.
void watch_for_stop(std::string_view what_happens_now);

}  // namespace touchstone::tools
