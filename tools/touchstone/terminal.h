// What a terminal gets and a pipe does not: color and a progress line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "conformance/report/matrix.h"

namespace touchstone::tools {

/// "auto": color if standard output is a terminal, $NO_COLOR is not set and $TERM is not dumb. "always", "never".
conformance::Color color_for(std::string_view when);

/// One line on standard error, rewritten as the work goes on, and gone at the end. Nothing where that is no terminal.
class ProgressLine {
 public:
  ProgressLine(std::size_t total, std::size_t done);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void step(std::string_view what, std::size_t problems);

 private:
  void rewrite(const std::string& line) const;

  bool shown_;
  std::size_t total_;
  std::size_t done_;
};

/// After the first SIGINT or SIGTERM: true. The second ends the program at once.
bool stop_requested();
void watch_for_stop();

}  // namespace touchstone::tools
