#include "conformance/run/ordered_results.h"

#include <utility>

namespace touchstone::conformance {

std::optional<std::size_t> OrderedResults::next(bool holds_some) {
  std::unique_lock lock(mutex_);
  const auto is_near = [&] { return next_ < waiting_for_ + ahead_; };
  if (!holds_some) passed_on_.wait(lock, [&] { return has_ended_ || is_near(); });
  if (has_ended_ || !is_near() || next_ + (holds_some ? kept_back_ : 0) >= cases_) return std::nullopt;
  return next_++;
}

void OrderedResults::put(std::size_t place, CaseRecord record) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return;
  done_.emplace(place, std::move(record));
  try {
    for (auto first = done_.begin(); first != done_.end() && first->first == waiting_for_; first = done_.begin()) {
      is_closed_ = !on_record_(std::move(first->second));
      done_.erase(first);
      ++waiting_for_;
      if (is_closed_) return end(true);
    }
  } catch (...) {
    is_closed_ = true;
    if (!error_) error_ = std::current_exception();
    return end(true);
  }
  passed_on_.notify_all();
}

bool OrderedResults::wants(std::size_t place) {
  const std::lock_guard lock(mutex_);
  if (!has_ended_) return true;
  return !at_once_ && !done_.empty() && place < done_.rbegin()->first;
}

bool OrderedResults::has_ended() {
  const std::lock_guard lock(mutex_);
  return has_ended_ || next_ >= cases_;
}

void OrderedResults::stop() {
  const std::lock_guard lock(mutex_);
  end(true);
}

void OrderedResults::fail() {
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = std::current_exception();
  end(false);
}

void OrderedResults::end(bool at_once) {
  has_ended_ = true;
  at_once_ = at_once_ || at_once;
  passed_on_.notify_all();
}

void OrderedResults::rethrow() const {
  if (error_) std::rethrow_exception(error_);
}

}  // namespace touchstone::conformance
