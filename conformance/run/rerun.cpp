#include "conformance/run/rerun.h"

#include <fmt/format.h>

#include <ranges>
#include <utility>

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

bool is_wrong_graph(const CaseRecord& record) {
  const bool is_graph = !record.subject;
  return is_graph && is_wrong(record.answer_class()) && record.verdict != Verdict::timeout && record.flaky.empty();
}

}  // namespace

std::optional<CaseRecord> OtherBackend::run(const PlannedCase& planned, std::shared_ptr<const ReadCase> read,
                                            const CaseRecord& record) {
  if (is_broken_) return std::nullopt;
  try {
    if (backend_ == nullptr) {
      backend_ = open_();
      controls_.emplace(*backend_);
    }
    return Attempt(planned, *backend_, std::move(read)).finish(options_, *controls_, &record);
  } catch (const BackendError&) {
    is_broken_ = true;
    stop();
    return std::nullopt;
  }
}

void OtherBackend::stop() {
  controls_.reset();
  backend_.reset();
}

bool FlakeCheck::is_worth_checking(const CaseRecord& record) {
  const bool was_answered = record.output_digest != 0;
  if (!was_answered || is_permitted(record.verdict)) return false;
  if (record.verdict == Verdict::timeout) return timeouts_++ < checks_of_timeouts;
  if (record.verdict != Verdict::rejects_valid) return true;
  const std::string kind = without_digits(record.reason);
  if (refusals_.size() == most_refusal_kinds && !refusals_.contains(kind)) return false;
  return refusals_[kind]++ < checks_per_refusal;
}

void FlakeCheck::check(const PlannedCase& planned, const std::shared_ptr<const ReadCase>& read, CaseRecord& record) {
  if (!is_worth_checking(record)) return;
  if (checks_++ < checks_with_own_backend || checks_of_backend_ == checks_per_backend) {
    another_.stop();  // before the next one starts, because there may not be room for two
    checks_of_backend_ = 0;
  }
  ++checks_of_backend_;
  const std::optional<CaseRecord> again = another_.run(planned, read, record);
  if (!again) return;
  if (again->verdict != record.verdict)
    record.flaky = fmt::format("{} when it was run again", name(again->verdict));
  else if (again->output_digest != record.output_digest)
    record.flaky = fmt::format("{} again, with other outputs", name(again->verdict));
  else
    record.output = again->output;  // of this case alone, because no other case was announced
}

LowerLevels::LowerLevels(const std::vector<Level>& lower, std::string own, const JudgeOptions& options)
    : own_(std::move(own)) {
  for (const Level& level : lower | std::views::reverse) levels_.push_back({level.name, {level.open, options}});
}

void LowerLevels::check(const PlannedCase& planned, const std::shared_ptr<const ReadCase>& read, CaseRecord& record) {
  if (levels_.empty() || !is_wrong_graph(record)) return;
  const std::lock_guard lock(mutex_);
  std::string lowest = own_;
  std::string below;
  for (LowerLevel& level : levels_) {
    const std::optional<CaseRecord> answer = level.backend.run(planned, read, record);
    if (!answer) return;
    if (answer->verdict != record.verdict || answer->output_digest != record.output_digest) {
      below = level.name;
      record.wrong_below = is_wrong(answer->answer_class());
      break;
    }
    lowest = level.name;
  }
  record.lowest_level = lowest;
  record.level_below = below;
}

OnHost::OnHost(const std::optional<Level>& host, const JudgeOptions& options) {
  if (!host) return;
  processor_ = host->name;
  backend_.emplace(host->open, options);
}

void OnHost::check(const PlannedCase& planned, const std::shared_ptr<const ReadCase>& read, CaseRecord& record) {
  if (!backend_ || !is_wrong(record.answer_class()) || !record.flaky.empty()) return;
  const std::lock_guard lock(mutex_);
  const std::optional<CaseRecord> answer = backend_->run(planned, read, record);
  if (answer && (answer->verdict != record.verdict || answer->output_digest != record.output_digest))
    record.only_as = processor_;
}

}  // namespace touchstone::conformance
