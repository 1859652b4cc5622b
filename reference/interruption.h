// Ends an interpretation that nobody waits for any more: one of large weights takes seconds, and a judgement has many.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

namespace touchstone::reference {

/// Ends the interpretation. Not a std::exception, which would be an error of the case.
struct Interrupted {};

/// While it lives, interpretations in this thread ask `stop` from time to time, and throw Interrupted if it is true.
class Interruptible {
 public:
  explicit Interruptible(std::function<bool()> stop) : stop_(std::move(stop)), outer_(current) { current = this; }
  ~Interruptible() { current = outer_; }
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  /// For those who wait for something else.
  static void ask() {
    if (current != nullptr && current->stop_ && current->stop_()) throw Interrupted{};
  }
  /// `elements` that were computed since the last call.
  static void note_work(std::int64_t elements) {
    constexpr std::int64_t between_questions = std::int64_t{1} << 18;
    if (current == nullptr || (current->work_ += elements) < between_questions) return;
    current->work_ = 0;
    ask();
  }

 private:
  std::function<bool()> stop_;
  std::int64_t work_ = 0;
  Interruptible* outer_;

  static inline thread_local Interruptible* current = nullptr;
};

}  // namespace touchstone::reference
