#include "conformance/session/shrink_problem.h"

#include <algorithm>
#include <iterator>
#include <ranges>

#include "conformance/causes/messages.h"
#include "conformance/diagnose/hypotheses.h"
#include "conformance/plan/digest.h"
#include "conformance/run/runner.h"

namespace touchstone::conformance {

namespace {

// After a crash, a worker starts again; a timeout takes all its time.
constexpr std::size_t most_calls_with_crashes = 20;
constexpr std::size_t most_calls_with_timeouts = 4;

/// If there are more elements than this, hypotheses are not checked before a call, because computing them takes longer
/// than the call.
constexpr std::int64_t most_checked_elements = 4096;

/// Whether the hypothesis is this one, or a pair with it.
bool has(std::string_view hypothesis, std::string_view name) {
  return hypothesis == name || std::ranges::any_of(std::views::split(hypothesis, '+'), [&](const auto part) {
           return std::string_view(part.begin(), part.end()) == name;
         });
}

/// The message in the form that similar cases share; for wrong outputs, only the kind of difference.
std::string message_in(const CaseRecord& record) {
  std::string message = normalized_message(message_of(record));
  if (record.verdict == Verdict::fail) message.resize(std::min(message.find_first_of(",;["), message.size()));
  return message;
}

/// Fewer after a crash or a timeout.
std::size_t limited_calls(std::size_t most, Verdict verdict) {
  if (verdict == Verdict::crash) return std::min(most, most_calls_with_crashes);
  if (verdict == Verdict::timeout) return std::min(most, most_calls_with_timeouts);
  return most;
}

}  // namespace

ShrinkProblem::ShrinkProblem(const PlannedCase& planned, const CaseRecord& record, Backend& backend,
                             const ShrinkOptions& options)
    : planned_(planned),
      backend_(backend),
      options_(options),
      verdict_(record.verdict),
      violated_(record.violated),
      message_(message_in(record)),
      of_whole_(*record.hypotheses),
      most_calls_(limited_calls(options.most_calls, record.verdict)) {
  for (const std::string& name : of_whole_)
    if (options.hypothesis.empty() || has(name, options.hypothesis)) hypotheses_.push_back(name);
  // A pair that explains the whole case may contain one hypothesis that explains a part of it.
  if (!hypotheses_.empty() && !options.hypothesis.empty()) hypotheses_.push_back(options.hypothesis);
}

bool ShrinkProblem::is_new(const Case& tested) { return tried_.insert(digest_of(tested)).second; }

bool ShrinkProblem::is_over() const { return calls_ + 1 >= most_calls_ || (options_.stop && options_.stop()); }

std::optional<CaseRecord> ShrinkProblem::shown_by(const Case& tested) {
  ++calls_;
  if (options_.on_call) options_.on_call(calls_);
  CaseRecord record = run_case({planned_.id, made_by({[&] { return tested; }})}, backend_, options_.judge);
  if (!is_in(record)) return std::nullopt;
  return record;
}

bool ShrinkProblem::is_in(CaseRecord& record) {
  if (record.declined || record.verdict != verdict_ || record.violated != violated_) return false;
  if (verdict_ == Verdict::accepts_invalid) return true;
  const auto is_one_of = [](const std::vector<std::string>& names) {
    return [&](const std::string& name) { return std::ranges::find(names, name) != names.end(); };
  };
  rivals_.clear();
  std::ranges::copy_if(record.hypotheses, std::back_inserter(rivals_), [&](const std::string& name) {
    return !is_one_of(of_whole_)(name) && !is_one_of(hypotheses_)(name);
  });
  if (std::ranges::any_of(rivals_, is_one_of(options_.other_hypotheses))) return false;
  if (hypotheses_.empty()) return message_in(record) == message_;
  std::vector<std::string> shown;
  std::ranges::copy_if(record.hypotheses, std::back_inserter(shown), is_one_of(hypotheses_));
  record.hypotheses = std::move(shown);
  return !record.hypotheses.empty();
}

bool ShrinkProblem::may_be_shown_by(const std::vector<ReferenceOutcome>& interpreted) const {
  const Outcome& outcome = interpreted.front().outcome;
  const spec::Clause* violated = outcome.rejection() != nullptr ? &*outcome.rejection()->clause : nullptr;
  if (violated != violated_) return false;
  if (hypotheses_.empty() || outcome.result() == nullptr || outcome.result()->y.size() > most_checked_elements)
    return true;
  return std::ranges::any_of(hypotheses_, [&](const std::string& name) {
    return distinguishes(name, interpreted, {.sign_of_zero = options_.judge.sign_of_zero});
  });
}

}  // namespace touchstone::conformance
