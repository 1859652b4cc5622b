#include "conformance/run/lower_levels.h"

#include <algorithm>
#include <utility>

#include "conformance/run/attempt.h"

namespace touchstone::conformance {

namespace {

bool is_wrong_graph(const CaseRecord& record) {
  const bool is_graph = !record.subject;
  return is_graph && record.answer_class() == AnswerClass::wrong && record.verdict != Verdict::timeout &&
         record.flaky.empty();
}

}  // namespace

LowerLevels::LowerLevels(const std::vector<Level>& lower, std::string own, const JudgeOptions& options)
    : own_(std::move(own)), options_(options) {
  for (const Level& level : lower) states_.push_back({&level});
  std::ranges::reverse(states_);
}

void LowerLevels::check(const PlannedCase& planned, CaseRecord& record) {
  if (states_.empty() || !is_wrong_graph(record)) return;
  const std::lock_guard lock(mutex_);
  std::string lowest = own_;
  std::string below;
  for (State& state : states_) {
    const std::optional<CaseRecord> answer = answer_at(state, planned);
    if (!answer) return;
    if (answer->verdict != record.verdict || answer->output_digest != record.output_digest) {
      below = state.level->name;
      break;
    }
    lowest = state.level->name;
  }
  record.lowest_level = lowest;
  record.level_below = below;
}

std::optional<CaseRecord> LowerLevels::answer_at(State& state, const PlannedCase& planned) const {
  if (state.is_broken) return std::nullopt;
  try {
    if (state.backend == nullptr) {
      state.backend = state.level->open();
      state.controls = std::make_unique<Controls>(*state.backend);
    }
    return Attempt(planned, *state.backend).finish(options_, *state.controls);
  } catch (const BackendError&) {
    state.is_broken = true;
    state.controls.reset();
    state.backend.reset();
    return std::nullopt;
  }
}

}  // namespace touchstone::conformance
