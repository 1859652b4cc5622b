#include "conformance/run/run_sweep.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/exhaustive/elements_case.h"
#include "conformance/plan/digest.h"
#include "conformance/run/attempt.h"
#include "conformance/run/runner.h"

namespace touchstone::conformance {

using reference::Policy;

namespace {

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

std::optional<CaseRecord> run_sweep(const Sweep& sweep, Backend& backend, const JudgeOptions& options,
                                    const Stop& stop) {
  const Case sample = sample_of(sweep);
  CaseRecord record = describe(sample);
  record.digest = digest_of(sample);
  record.elements = static_cast<std::int64_t>(sweep.elements());
  record.masked = 0;
  const auto judge_without_outputs = [&](const UnitAnswer& answer) {
    set_verdict(record, judge(sample, interpret(sample), answer, options));
    return record;
  };

  if (const auto refusal = backend.declines(sample.model)) return decline(std::move(record), *refusal);
  const SweepTally tally = pass_over(sweep, backend, {}, stop);
  if (tally.stopped) return std::nullopt;
  record.output_digest = tally.answers;
  if (tally.no_outputs) return judge_without_outputs(*tally.no_outputs);
  record.verdict = Verdict::fail;
  record.reason = result_text(tally, sweep);
  record.wrong_elements = tally.first;
  if (!tally.is_complete()) return record;

  record.covered = sweep.codes();
  record.masked = static_cast<std::int64_t>(tally.open);
  if (tally.different == 0) {
    record.verdict = Verdict::pass;
    record.reason.clear();
    return record;
  }
  const Judgement judgement = judge_evidence(sweep, tally, backend, options);
  if (judgement.verdict == Verdict::pass) record.reason += ", though these come out right by themselves";
  if (judgement.verdict != Verdict::pass_variant) return record;
  const SweepTally variant = pass_over(sweep, backend, policy_of(judgement.readings), stop);
  if (variant.stopped) return std::nullopt;
  if (variant.is_complete() && variant.different == 0) {
    set_verdict(record, judgement);
    record.wrong_elements.clear();
    return record;
  }
  record.reason += fmt::format("; {} would explain some, but then {}", judgement.reason, result_text(variant, sweep));
  return record;
}

}  // namespace touchstone::conformance
