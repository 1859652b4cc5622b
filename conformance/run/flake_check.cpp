#include "conformance/run/flake_check.h"

#include <fmt/format.h>

#include "conformance/run/attempt.h"

namespace touchstone::conformance {

namespace {

constexpr std::size_t checks_with_own_backend = 16;
constexpr std::size_t checks_per_backend = 32;  // of the checks after those
constexpr std::size_t checks_of_timeouts = 3;
constexpr std::size_t checks_per_refusal = 2;
constexpr std::size_t most_refusal_kinds = 64;

std::string without_digits(std::string reason) {
  std::erase_if(reason, [](char character) { return character >= '0' && character <= '9'; });
  return reason;
}

}  // namespace

bool FlakeCheck::is_worth_checking(const CaseRecord& record) {
  const bool was_answered = record.output_digest != 0;
  if (!was_answered || is_permitted(record.verdict)) return false;
  if (record.verdict == Verdict::timeout) return timeouts_++ < checks_of_timeouts;
  if (record.verdict != Verdict::rejects_valid) return true;
  const std::string kind = without_digits(record.reason);
  if (refusals_.size() == most_refusal_kinds && !refusals_.contains(kind)) return false;
  return refusals_[kind]++ < checks_per_refusal;
}

Backend& FlakeCheck::backend() {
  const bool is_worn = checks_++ < checks_with_own_backend || checks_of_backend_ == checks_per_backend;
  if (backend_ == nullptr || is_worn) {
    backend_.reset();  // first, because there may not be room for two backends
    backend_ = make_backend_();
    checks_of_backend_ = 0;
  }
  ++checks_of_backend_;
  return *backend_;
}

void FlakeCheck::check(const PlannedCase& planned, CaseRecord& record) {
  if (has_no_backend_ || !is_worth_checking(record)) return;
  try {
    Backend& another = backend();
    Controls controls(another);
    const CaseRecord again = Attempt(planned, another).finish(options_, controls);
    if (again.verdict != record.verdict)
      record.flaky = fmt::format("{} when it was run again", name(again.verdict));
    else if (again.output_digest != record.output_digest)
      record.flaky = fmt::format("{} again, with other outputs", name(again.verdict));
    else
      record.output = again.output;  // of this case alone, because no other case was announced
  } catch (const BackendError&) {
    backend_.reset();
    has_no_backend_ = true;
  }
}

}  // namespace touchstone::conformance
