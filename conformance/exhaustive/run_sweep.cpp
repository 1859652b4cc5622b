#include "conformance/exhaustive/run_sweep.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/exhaustive/chunk.h"
#include "conformance/exhaustive/elements_case.h"
#include "conformance/exhaustive/output_comparison.h"
#include "conformance/judge/mismatch.h"
#include "conformance/plan/digest.h"
#include "conformance/run/runner.h"

namespace touchstone::conformance {

using reference::Policy;
using reference::Tensor;

namespace {

/// Of the wrong elements so many are tried again, to find a reading that explains them, and these of any one chunk.
constexpr std::size_t evidence_in_all = 128;
constexpr std::size_t evidence_of_a_chunk = 2;

/// What came of all chunks, or of those before the one that ended it.
struct Tally {
  std::uint64_t different = 0;
  std::uint64_t open = 0;
  std::uint64_t answers = Digest().value();
  std::vector<WrongElement> first;      ///< at most first_differences of them
  std::vector<ChosenElement> evidence;  ///< of all parts of the sweep
  bool stopped = false;
  std::optional<UnitAnswer> no_outputs;  ///< a refusal, or a breakdown
  std::string other_form;                ///< outputs that cannot be compared: how they differ
};

class Pass {
 public:
  Pass(const Sweep& sweep, Backend& backend, const Policy& policy, const Stop& stop)
      : sweep_(sweep), backend_(backend), policy_(policy), stop_(stop), operands_(sweep) {}

  Tally run() {
    for (const Chunk& chunk : chunks_of(sweep_)) {
      tally_.stopped = stop_ && stop_();
      if (tally_.stopped || !compare(chunk)) break;
    }
    return std::move(tally_);
  }

 private:
  /// Whether there was something to compare.
  bool compare(const Chunk& chunk) {
    operands_.set(chunk);
    const UnitAnswer answer = backend_.run({id_, operands_.model().bytes, {operands_.inputs()}});
    const Tensor* y = output(answer);
    if (y == nullptr) return false;
    tally_.answers = Digest(tally_.answers).add_words(y->bytes()).value();
    const std::size_t evidence_before = tally_.evidence.size();
    for (std::uint64_t row = 0; row < chunk.rows; ++row) {
      const std::uint64_t scale = chunk.scale + row;
      const std::vector<Step>& steps = steps_of(scale);
      const auto begin = static_cast<std::int64_t>(row * chunk.columns);
      const OutputRow outputs{*y, begin, chunk.x, chunk.columns};
      if (!equals(outputs, steps)) note_differences(outputs, scale, evidence_before + evidence_of_a_chunk);
    }
    return true;
  }

  /// The one output of this chunk, in the form that it must have; otherwise null, and the tally says why.
  const Tensor* output(const UnitAnswer& answer) {
    const auto* answers = std::get_if<std::vector<Answer>>(&answer);
    if (answers == nullptr) {
      tally_.no_outputs = answer;
      return nullptr;
    }
    if (answers->size() != 1) {
      tally_.no_outputs =
          Breakdown{Breakdown::Kind::protocol, fmt::format("{} answers to one data set", answers->size())};
      return nullptr;
    }
    const auto* outputs = std::get_if<Outputs>(&answers->front());
    if (outputs == nullptr) {
      const auto* refusal = std::get_if<Refusal>(&answers->front());
      tally_.no_outputs = refusal != nullptr ? UnitAnswer(*refusal) : UnitAnswer(std::get<Breakdown>(answers->front()));
      return nullptr;
    }
    const std::string& name = operands_.model().graph_outputs.front();
    const bool has_form = outputs->size() == 1 && outputs->front().value.type() == sweep_.cell.y &&
                          outputs->front().value.shape() == operands_.shape() &&
                          (outputs->front().name.empty() || outputs->front().name == name);
    if (has_form) return &outputs->front().value;
    const Tensor form(sweep_.cell.y, operands_.shape());
    const std::vector<bool> open(static_cast<std::size_t>(form.size()), true);
    tally_.other_form = mismatch({.y = &form, .open = &open}, answers->front(), name).value().reason;
    return nullptr;
  }

  const std::vector<Step>& steps_of(std::uint64_t scale) {
    if (!steps_.empty() && scale == scale_of_steps_) return steps_;
    steps_ = expected_steps(sweep_, scale, policy_);
    scale_of_steps_ = scale;
    tally_.open += count_open(steps_, sweep_.x);
    return steps_;
  }

  void note_differences(const OutputRow& outputs, std::uint64_t scale, std::size_t most_evidence) {
    const std::uint64_t row = scale - sweep_.scale.first;
    for_each_difference(outputs, steps_, [&](std::uint64_t x, std::uint64_t expected, std::uint64_t actual) {
      ++tally_.different;
      const Cell& cell = sweep_.cell;
      if (tally_.first.size() < first_differences)
        tally_.first.push_back({.index = static_cast<std::int64_t>(row * sweep_.x.size() + (x - sweep_.x.first)),
                                .x = ElementCode{cell.x, x},
                                .scale = ElementCode{cell.scale, scale},
                                .zero_point = ElementCode{cell.y, sweep_.zero_point},
                                .expected = {cell.y, expected},
                                .actual = {cell.y, actual}});
      if (tally_.evidence.size() < std::min(evidence_in_all, most_evidence))
        tally_.evidence.push_back({x, scale, sweep_.zero_point});
    });
  }

  const Sweep& sweep_;
  Backend& backend_;
  const Policy& policy_;
  const Stop& stop_;
  const std::string id_ = id_of(sweep_);
  ChunkOperands operands_;
  std::vector<Step> steps_;
  std::uint64_t scale_of_steps_ = 0;
  Tally tally_;
};

Policy policy_of(const std::vector<ReadingId>& readings) {
  Policy policy;
  for (const ReadingId& id : readings)
    for (std::size_t a = 0; a < spec::ambiguities.size(); ++a) {
      if (spec::ambiguities[a]->id != id.ambiguity) continue;
      const auto& rows = spec::ambiguities[a]->readings;
      const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& one) { return one.id == id.reading; });
      policy = policy.with(a, static_cast<std::size_t>(row - rows.begin()));
    }
  return policy;
}

/// The verdict on an answer that is not there, as if it were that to the sample.
Judgement judge_without_outputs(const Case& sample, const UnitAnswer& answer, const JudgeOptions& options) {
  return judge(sample, interpret(sample), answer, options);
}

void set_verdict(CaseRecord& record, const Judgement& judgement) {
  record.verdict = judgement.verdict;
  record.reason = judgement.reason;
  record.readings = judgement.readings;
}

/// Elements that came out wrong, once more and by themselves.
Judgement judge_evidence(const Sweep& sweep, const Tally& tally, Backend& backend, const JudgeOptions& options) {
  const Case evidence = elements_case(id_of(sweep), sweep.cell, tally.evidence);
  const UnitAnswer answer = backend.run({evidence.id, evidence.model.bytes, {evidence.data_sets.front().inputs}});
  return judge(evidence, interpret(evidence), answer, options);
}

std::string count_text(const Tally& tally, const Sweep& sweep) {
  return fmt::format("{} of {} elements differ", tally.different, sweep.elements());
}

}  // namespace

std::optional<CaseRecord> run_sweep(const Sweep& sweep, Backend& backend, const JudgeOptions& options,
                                    const Stop& stop) {
  const Case sample = sample_of(sweep);
  CaseRecord record = describe(sample);
  record.covered = sweep.covers();
  record.digest = digest_of(sample);
  record.elements = static_cast<std::int64_t>(sweep.elements());
  if (const auto refusal = backend.declines(sample.model)) {
    set_verdict(record, judge_without_outputs(sample, *refusal, options));
    return record;
  }
  const Tally tally = Pass(sweep, backend, {}, stop).run();
  if (tally.stopped) return std::nullopt;
  record.output_digest = tally.answers;
  record.masked = static_cast<std::int64_t>(tally.open);
  if (tally.no_outputs) {
    set_verdict(record, judge_without_outputs(sample, *tally.no_outputs, options));
    return record;
  }
  record.verdict = Verdict::pass;
  if (tally.different == 0 && tally.other_form.empty()) return record;

  record.verdict = Verdict::fail;
  record.wrong_elements = tally.first;
  record.reason = tally.other_form.empty() ? count_text(tally, sweep) : tally.other_form;
  if (tally.different == 0) return record;
  const Judgement judgement = judge_evidence(sweep, tally, backend, options);
  if (judgement.verdict == Verdict::pass) record.reason += ", though these come out right by themselves";
  if (judgement.verdict != Verdict::pass_variant) return record;
  const Tally variant = Pass(sweep, backend, policy_of(judgement.readings), stop).run();
  if (variant.stopped) return std::nullopt;
  if (variant.different == 0 && !variant.no_outputs && variant.other_form.empty()) {
    set_verdict(record, judgement);
    record.wrong_elements.clear();
    return record;
  }
  record.reason += fmt::format("; {} would explain some, but then {}", judgement.reason, count_text(variant, sweep));
  return record;
}

}  // namespace touchstone::conformance
