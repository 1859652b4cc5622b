#include "conformance/run/run_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conformance/exhaustive/chunk.h"
#include "conformance/exhaustive/elements_case.h"
#include "conformance/exhaustive/output_comparison.h"
#include "conformance/judge/mismatch.h"
#include "conformance/plan/digest.h"
#include "conformance/run/attempt.h"
#include "conformance/run/read_case.h"
#include "conformance/run/remade_case.h"

namespace touchstone::conformance {

namespace {

/// The results of all chunks, or of those before the one that ended the sweep.
struct SweepTally {
  std::uint64_t different = 0;
  std::uint64_t open = 0;               ///< elements that the specification leaves open
  Digest answers;                       ///< the places and the outputs of all that are different
  std::vector<WrongElement> first;      ///< at most first_differences of them
  std::vector<ChosenElement> evidence;  ///< some wrong elements, at most 2 per chunk, from all parts of the sweep

  // Why the sweep ended before its last chunk.
  bool stopped = false;
  std::optional<UnitAnswer> no_outputs;  ///< a refusal, or a breakdown
  std::string other_form;                ///< describes why outputs cannot be compared

  /// Whether every element was compared with its expected value.
  bool is_complete() const { return !stopped && !no_outputs && other_form.empty(); }
};

/// The maximum numbers of wrong elements, in total and per chunk, that are run again to find a reading that explains
/// them.
constexpr std::size_t evidence_in_all = 128;
constexpr std::size_t evidence_of_a_chunk = 2;

/// The outputs of the only answer; null if it is something else, which is then stored in the tally.
const Outputs* outputs_of(const UnitAnswer& answer, SweepTally& tally) {
  const auto* answers = std::get_if<std::vector<Answer>>(&answer);
  if (answers == nullptr) {
    tally.no_outputs = answer;
    return nullptr;
  }
  if (answers->size() != 1) {
    tally.no_outputs = Breakdown{Breakdown::Kind::protocol, fmt::format("{} answers to one data set", answers->size())};
    return nullptr;
  }
  if (const auto* outputs = std::get_if<Outputs>(&answers->front())) return outputs;
  const auto* refusal = std::get_if<Refusal>(&answers->front());
  tally.no_outputs = refusal != nullptr ? UnitAnswer(*refusal) : UnitAnswer(std::get<Breakdown>(answers->front()));
  return nullptr;
}

/// Runs all chunks of a sweep on a backend once, and compares each output with the steps.
class Pass {
 public:
  Pass(const Sweep& sweep, Backend& backend, Policy policy, const Stop& stop)
      : sweep_(sweep), backend_(backend), policy_(std::move(policy)), stop_(stop) {}

  /// Throws as expected_steps does, and what the backend throws.
  SweepTally run() {
    if (works_ahead_) announce(0);
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      tally_.stopped = stop_ && stop_();
      if (tally_.stopped) break;
      if (!works_ahead_) prepare(i);
      // Gives the backend work while the outputs of this chunk are compared.
      if (works_ahead_ && i + 1 < chunks_.size()) announce(i + 1);
      if (!compare(i)) break;
    }
    return std::move(tally_);
  }

 private:
  void prepare(std::size_t chunk) {
    prepared(chunk).set(chunks_[chunk]);
    ids_[place(chunk)] = fmt::format("{}/chunk={}", id_, chunk);
  }
  void announce(std::size_t chunk) {
    prepare(chunk);
    backend_.announce(unit(chunk));
  }
  std::size_t place(std::size_t chunk) const { return works_ahead_ ? chunk % 2 : 0; }

  /// The operands of a chunk, valid until it has been compared.
  ChunkOperands& prepared(std::size_t chunk) { return operands_[place(chunk)]; }
  Unit unit(std::size_t chunk) {
    return {ids_[place(chunk)], prepared(chunk).model().bytes, {prepared(chunk).inputs()}};
  }

  /// Whether the chunk had outputs to compare.
  bool compare(std::size_t number) {
    const UnitAnswer answer = backend_.run(unit(number));
    const Outputs* outputs = outputs_of(answer, tally_);
    if (outputs == nullptr || !have_form(*outputs, prepared(number))) return false;
    const Chunk& chunk = chunks_[number];
    const Tensor& y = outputs->front().value;
    const std::size_t most_evidence = std::min(evidence_in_all, tally_.evidence.size() + evidence_of_a_chunk);
    for (std::uint64_t i = 0; i < chunk.rows; ++i) {
      const std::uint64_t scale = chunk.scale + i;
      const std::vector<Step>& steps = steps_of(scale);
      const OutputRow row{y, static_cast<std::int64_t>(i * chunk.columns), chunk.x, chunk.columns};
      if (!equals(row, steps)) note_differences(row, scale, most_evidence);
    }
    return true;
  }

  /// Whether there is one output with the right name, type and shape. Otherwise stores the judge's description of the
  /// difference in the tally.
  bool have_form(const Outputs& outputs, const ChunkOperands& operands) {
    const std::vector<std::string>& names = operands.model().graph_outputs;
    const bool plainly =
        outputs.size() == 1 && (outputs.front().name.empty() || outputs.front().name == names.front()) &&
        outputs.front().value.type() == sweep_.cell.y && outputs.front().value.shape() == operands.shape();
    if (plainly) return true;
    const Tensor form(sweep_.cell.y, operands.shape());
    const std::vector<bool> open(static_cast<std::size_t>(form.size()), true);
    const auto difference = mismatch({.y = &form, .open = &open}, outputs, names);
    if (difference) tally_.other_form = difference->reason;
    return !difference;
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
      tally_.answers.add_word(scale).add_word(x).add_word(actual);
      const Cell& cell = sweep_.cell;
      if (tally_.first.size() < first_differences)
        tally_.first.push_back({.index = static_cast<std::int64_t>(row * sweep_.x.size() + (x - sweep_.x.first)),
                                .x = ElementCode{cell.x, x},
                                .scale = ElementCode{cell.scale, scale},
                                .zero_point = ElementCode{cell.y, sweep_.zero_point},
                                .expected = {cell.y, expected},
                                .actual = {cell.y, actual}});
      if (tally_.evidence.size() < most_evidence) tally_.evidence.push_back({x, scale, sweep_.zero_point});
    });
  }

  const Sweep& sweep_;
  Backend& backend_;
  const Policy policy_;
  const Stop& stop_;
  const bool works_ahead_ = backend_.works_ahead();
  const std::string id_ = id_of(sweep_);
  const std::vector<Chunk> chunks_ = chunks_of(sweep_);
  std::array<ChunkOperands, 2> operands_{ChunkOperands(sweep_), ChunkOperands(sweep_)};
  std::array<std::string, 2> ids_;  ///< of the units; each chunk has its own, so that an abandoned announcement is not
                                    ///< mistaken for another unit
  std::vector<Step> steps_;
  std::uint64_t scale_of_steps_ = 0;
  SweepTally tally_;
};

void set_verdict(CaseRecord& record, const Judgement& judgement) {
  record.verdict = judgement.verdict;
  record.reason = judgement.reason;
  record.readings = judgement.readings;
}

/// Runs some wrong elements again as a separate case and judges them.
Judgement judge_evidence(const Sweep& sweep, const SweepTally& tally, Backend& backend, const JudgeOptions& options) {
  const Case evidence = elements_case(id_of(sweep), sweep.cell, tally.evidence);
  const UnitAnswer answer = backend.run({evidence.id, evidence.model.bytes, {evidence.data_sets.front().inputs}});
  return judge(evidence, interpret(evidence), answer, options);
}

/// Why there was nothing to compare, or how many elements are wrong.
std::string result_text(const SweepTally& tally, const Sweep& sweep) {
  if (tally.no_outputs) return "an output is missing";
  if (!tally.other_form.empty()) return tally.other_form;
  return fmt::format("{} of {} elements differ", tally.different, sweep.elements());
}

}  // namespace

std::optional<CaseRecord> run_sweep(const PlannedCase& planned, Backend& backend, const JudgeOptions& options,
                                    Controls& controls, const Stop& stop) {
  const Sweep& sweep = *planned.value_space()->sweep;
  const ReadCase sample(planned);
  CaseRecord record = sample.description;
  record.elements = static_cast<std::int64_t>(sweep.elements());
  record.masked = 0;
  const auto judge_without_outputs = [&](const UnitAnswer& answer) {
    set_verdict(record, judge(sample.tested, sample.interpreted, answer, options));
    if (is_permitted(record.verdict)) judge_control(record, controls.outcome_of(planned), planned.is_from_files);
    return record;
  };

  if (const auto refusal = backend.declines(sample.tested.model)) return decline(std::move(record), *refusal);
  const SweepTally tally = Pass(sweep, backend, {}, stop).run();
  if (tally.stopped) return std::nullopt;
  record.output_digest = tally.answers.value();
  if (tally.no_outputs) return judge_without_outputs(*tally.no_outputs);
  record.verdict = Verdict::fail;
  record.reason = result_text(tally, sweep);
  record.wrong_elements = tally.first;
  if (!tally.is_complete()) return record;

  record.covered = sweep.codes();
  record.masked = static_cast<std::int64_t>(tally.open);
  if (tally.different == 0) {
    const bool is_all_open = record.masked == record.elements;
    record.verdict = is_all_open ? Verdict::not_shown : Verdict::pass;
    if (is_all_open) record.covered = {};
    record.reason = std::string(is_all_open ? every_element_open : "");
    return record;
  }
  const Judgement judgement = judge_evidence(sweep, tally, backend, options);
  if (judgement.verdict == Verdict::pass)
    record.reason = std::string(record.reason) + ", although these are right in a small tensor";
  if (judgement.verdict != Verdict::pass_variant) return record;
  const SweepTally variant = Pass(sweep, backend, policy_of(choices_of(judgement.readings)), stop).run();
  if (variant.stopped) return std::nullopt;
  if (variant.is_complete() && variant.different == 0) {
    set_verdict(record, judgement);
    record.wrong_elements = {};
    return record;
  }
  record.reason = fmt::format("{}; {} would explain some, but then {}", *record.reason, judgement.reason,
                              result_text(variant, sweep));
  return record;
}

}  // namespace touchstone::conformance
