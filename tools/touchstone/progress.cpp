#include "tools/touchstone/progress.h"

#include <fmt/format.h>

#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <utility>

namespace touchstone::tools {

ActivityLine::ActivityLine(std::string text) : text_(std::move(text)) {
  if (!line_.is_shown()) return;
  if (!text_.empty()) line_.show(text_);
  ticker_ = std::jthread([this](const std::stop_token& stop) { show_seconds(stop); });
}

void ActivityLine::show(std::string text) {
  const std::lock_guard lock(mutex_);
  text_ = std::move(text);
  since_ = Clock::now();
  line_.show(text_);
}

void ActivityLine::show_seconds(const std::stop_token& stop) {
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex_);
  const auto is_stopped = [&] { return stop.stop_requested(); };
  while (!stopped.wait_for(lock, stop, std::chrono::seconds(1), is_stopped)) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - since_).count();
    if (!text_.empty() && seconds > 1) line_.show(fmt::format("{} s {}", seconds, text_));
  }
}

Progress::Progress(std::size_t total, std::size_t done, std::chrono::milliseconds interval, const std::string& activity)
    : activity_(activity.empty() ? "" : activity + " "), total_(total), first_(done), done_(done) {
  if (!line_.is_shown() && interval.count() > 0)
    printer_ = std::jthread([this, interval](const std::stop_token& stop) { print_lines(stop, interval); });
}

void Progress::step(std::string_view id, std::size_t problems) {
  const std::lock_guard lock(mutex_);
  ++done_;
  problems_ = problems;
  if (line_.is_shown())
    line_.show(fmt::format("[{}{}% {}/{}{}] {}", activity_, percent(), done_, total_, details(), id));
}

void Progress::print_lines(const std::stop_token& stop, std::chrono::milliseconds interval) {
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex_);
  const auto is_stopped = [&] { return stop.stop_requested(); };
  while (!stopped.wait_for(lock, stop, interval, is_stopped))
    print_message(fmt::format("touchstone: {}{}%: {} of {} cases{}", activity_, percent(), done_, total_, details()));
}

std::string Progress::details() const {
  std::string text;
  if (problems_ > 0) text += fmt::format(", {} not passed", problems_);
  const std::string left = time_left(Clock::now() - start_, done_ - first_, total_ - done_);
  if (!left.empty()) text += fmt::format(", {} left", left);
  return text;
}

std::string time_left(std::chrono::duration<double> elapsed, std::size_t done, std::size_t left) {
  constexpr std::chrono::seconds shortest(5);
  if (elapsed < shortest || done == 0 || left == 0) return "";
  const double rest = elapsed.count() * static_cast<double>(left) / static_cast<double>(done);
  const auto seconds = static_cast<std::uint64_t>(std::ceil(rest));
  if (seconds < 3600) return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

}  // namespace touchstone::tools
