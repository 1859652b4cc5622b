#include "conformance/run/second_look.h"

#include <fmt/format.h>

#include "conformance/run/attempt.h"

namespace touchstone::conformance {

namespace {

constexpr std::size_t looks_with_a_backend_each = 16;
constexpr std::size_t looks_of_a_backend = 32;  // of those that come after them
constexpr std::size_t looks_at_timeouts = 3;
constexpr std::size_t looks_at_a_refusal = 2;
constexpr std::size_t refusals_that_are_told_apart = 64;

std::string without_digits(std::string reason) {
  std::erase_if(reason, [](char character) { return character >= '0' && character <= '9'; });
  return reason;
}

}  // namespace

bool SecondLook::deserves_one(const CaseRecord& record) {
  const bool was_answered = record.output_digest != 0;
  if (!was_answered || is_permitted(record.verdict)) return false;
  if (record.verdict == Verdict::timeout) return timeouts_++ < looks_at_timeouts;
  if (record.verdict != Verdict::rejects_valid) return true;
  const std::string kind = without_digits(record.reason);
  if (refusals_.size() == refusals_that_are_told_apart && !refusals_.contains(kind)) return false;
  return refusals_[kind]++ < looks_at_a_refusal;
}

Backend& SecondLook::backend() {
  const bool is_worn = looks_++ < looks_with_a_backend_each || looks_of_backend_ == looks_of_a_backend;
  if (backend_ == nullptr || is_worn) {
    backend_.reset();  // first: two of them may be more than there is room for
    backend_ = make_backend_();
    looks_of_backend_ = 0;
  }
  ++looks_of_backend_;
  return *backend_;
}

void SecondLook::look_at(const PlannedCase& planned, CaseRecord& record) {
  if (has_none_ || !deserves_one(record)) return;
  try {
    Backend& another = backend();
    Controls controls(another);
    const CaseRecord again = Attempt(planned, another).finish(options_, controls);
    if (again.verdict != record.verdict)
      record.flaky = fmt::format("{} when it was run again", name(again.verdict));
    else if (again.output_digest != record.output_digest)
      record.flaky = fmt::format("{} again, with other outputs", name(again.verdict));
    else
      record.output = again.output;  // of this case alone, as nothing was sent ahead
  } catch (const BackendError&) {
    backend_.reset();
    has_none_ = true;
  }
}

}  // namespace touchstone::conformance
