// The progress of a command with many cases.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "tools/touchstone/terminal.h"

namespace touchstone::tools {

/// A progress line that also shows for how many seconds its text has been the same: the program is at work. Shows
/// nothing if standard error is not a terminal.
class ActivityLine {
 public:
  explicit ActivityLine(std::string text = "");

  bool is_shown() const { return line_.is_shown(); }
  void show(std::string text);

 private:
  using Clock = std::chrono::steady_clock;

  void show_seconds(const std::stop_token& stop);

  ProgressLine line_;
  std::mutex mutex_;
  std::string text_;
  Clock::time_point since_ = Clock::now();  ///< when the text changed
  std::jthread ticker_;                     ///< the last member: it must end before the others are destroyed
};

/// Shows on standard error how many cases are done and, after some seconds, how much time is left. A terminal gets one
/// line that changes with each case, anything else a new line at each interval.
class Progress {
 public:
  static constexpr std::chrono::milliseconds usual_interval = std::chrono::seconds(30);

  /// `done` cases are finished already. With an interval of 0, shows progress only on a terminal. `activity` says what
  /// is done with the cases, unless they are run.
  Progress(std::size_t total, std::size_t done, std::chrono::milliseconds interval = usual_interval,
           const std::string& activity = "");

  /// Counts a finished case; `problems` is the number of all cases so far that did not pass.
  void step(std::string_view id, std::size_t problems);

 private:
  using Clock = std::chrono::steady_clock;

  void print_lines(const std::stop_token& stop, std::chrono::milliseconds interval);
  /// ", 3 not passed, 2:05 left", or the known part of it.
  std::string details() const;
  std::size_t percent() const { return total_ > 0 ? 100 * done_ / total_ : 100; }

  ActivityLine line_;
  std::string activity_;  ///< with a space at its end
  std::size_t total_;
  std::size_t first_;
  Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::size_t done_;
  std::size_t problems_ = 0;
  std::jthread printer_;  ///< the last member: it must end before the others are destroyed
};

/// The remaining time, if the other cases take as long as the finished ones, as "0:05", "12:34" or "1:02:03"; empty if
/// `elapsed` is too short for an estimate, or nothing is left.
std::string time_left(std::chrono::duration<double> elapsed, std::size_t done, std::size_t left);

}  // namespace touchstone::tools
