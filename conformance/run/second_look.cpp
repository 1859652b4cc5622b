#include "conformance/run/second_look.h"

#include <fmt/format.h>

#include "conformance/run/attempt.h"

namespace touchstone::conformance {

namespace {

constexpr std::size_t looks_with_a_backend_each = 16;

bool deserves_one(const CaseRecord& record) {
  const bool was_asked = record.output_digest != 0;
  return was_asked && !is_permitted(record.verdict) && record.verdict != Verdict::rejects_valid;
}

}  // namespace

void SecondLook::look_at(const PlannedCase& planned, CaseRecord& record) {
  if (has_none_ || !deserves_one(record)) return;
  try {
    if (looks_++ < looks_with_a_backend_each || backend_ == nullptr) {
      backend_.reset();  // first: two of them may be more than there is room for
      backend_ = make_backend_();
    }
    const CaseRecord again = Attempt(planned, *backend_).finish(options_);
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
