// Standard streams, and the features of a terminal: color and a progress line.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "conformance/report/matrix.h"

namespace touchstone::tools {

/// Opens the descriptors 0 to 2 if they are closed, so that no file opened later becomes standard output or standard
/// error. Makes writing to a closed pipe, or beyond the limit on file sizes, an error instead of a signal. For standard
/// output it is not an error: if its reader has exited, as with `| head`, the rest of the output is dropped, and the
/// exit code does not change.
void prepare_standard_streams();

/// Ignores write errors, because there is nowhere to report them.
void write_to_stderr(std::string_view text) noexcept;

/// Prints a message to standard error. Makes it safe for terminals, because it may quote arbitrary names and paths.
/// Indents all lines except the first, so that quoted text cannot look like another message.
void print_message(std::string_view message);

/// "auto": color if standard output is a terminal, $NO_COLOR is not set and $TERM is not dumb. "always", "never".
conformance::Color color_for(std::string_view when);

/// The tables and totals of a run.
std::string results_text(const conformance::RunInfo& run, const conformance::Summary& summary,
                         conformance::Color color);

/// The text with lines of at most 80 characters: longer ones are broken at spaces, and go on below the last column of
/// their first line. Commands end with a backslash where they are broken. Words, such as ids and paths, stay whole.
std::string in_lines(std::string_view text);

/// The width of help texts: the width of the terminal on standard output, limited to 40 to 120. If standard output is
/// not a terminal, $COLUMNS, limited to 80 to 120, or 100 if that is not set.
std::size_t help_width();

/// A progress line on standard error, rewritten during the work and removed at the end. Shows nothing if standard error
/// is not a terminal.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool is_shown() const { return shown_; }
  /// Shows another text, but at most ten in a second: others are dropped. An empty text clears the line, so that
  /// something else can be printed.
  void show(std::string_view text) const;

 private:
  void rewrite(std::string_view line) const noexcept;

  bool shown_;
  mutable std::chrono::steady_clock::time_point last_;  ///< when the line was shown
};

/// Whether the first SIGINT or SIGTERM has arrived. Its handler prints the consequence to standard error. The second
/// signal ends the program at once.
bool stop_requested();
/// Installs the handler, which prints `what_happens_now`.
void watch_for_stop(const std::string& what_happens_now);

}  // namespace touchstone::tools
