#include "conformance/run/sweep_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "conformance/exhaustive/chunk.h"
#include "conformance/exhaustive/output_comparison.h"
#include "conformance/judge/mismatch.h"
#include "conformance/plan/digest.h"

namespace touchstone::conformance {

using reference::Policy;
using reference::Tensor;

namespace {

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

class Pass {
 public:
  Pass(const Sweep& sweep, Backend& backend, const Policy& policy, const Stop& stop)
      : sweep_(sweep), backend_(backend), policy_(policy), stop_(stop) {}

  SweepTally run() {
    tally_.answers = Digest().value();
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
    tally_.answers = Digest(tally_.answers).add_words(y.bytes()).value();
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
    const std::string& name = operands.model().graph_outputs.front();
    const bool plainly = outputs.size() == 1 && (outputs.front().name.empty() || outputs.front().name == name) &&
                         outputs.front().value.type() == sweep_.cell.y &&
                         outputs.front().value.shape() == operands.shape();
    if (plainly) return true;
    const Tensor form(sweep_.cell.y, operands.shape());
    const std::vector<bool> open(static_cast<std::size_t>(form.size()), true);
    const auto difference = mismatch({.y = &form, .open = &open}, outputs, name);
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
  const Policy& policy_;
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

}  // namespace

SweepTally pass_over(const Sweep& sweep, Backend& backend, const Policy& policy, const Stop& stop) {
  return Pass(sweep, backend, policy, stop).run();
}

}  // namespace touchstone::conformance
