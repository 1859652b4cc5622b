#include "conformance/selftest/selftest.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "conformance/causes/causes.h"
#include "conformance/diagnose/wrong_backend.h"
#include "conformance/run/contradictions.h"
#include "conformance/run/runner.h"

namespace touchstone::conformance {

namespace {

SelfTestResult::Naming naming(const WrongModel& model, const Cause& cause, std::span<const CaseRecord> records) {
  using enum SelfTestResult::Naming;
  if (cause.name == model.name) return own;
  const auto is_explained = [&](std::size_t place) {
    return std::ranges::find(records[place].hypotheses, model.name) != records[place].hypotheses.end();
  };
  return !cause.name.empty() && std::ranges::all_of(cause.cases, is_explained) ? equivalent : other;
}

}  // namespace

SelfTestResult test_wrong_model(const WrongModel& model, std::span<const PlannedCase> plan, unsigned jobs,
                                const std::function<bool()>& stop) {
  std::vector<CaseRecord> records;
  run(
      plan, [&] { return std::make_unique<WrongBackend>(std::vector{&model}); },
      {.judge = {}, .jobs = jobs, .stop = stop},
      [&](CaseRecord record) {
        records.push_back(std::move(record));
        return true;
      });
  SelfTestResult result;
  for (const CaseRecord& record : records) {
    if (record.answer_class() != AnswerClass::wrong) continue;
    if (result.wrong++ == 0) result.first = record.id;
  }
  if (result.wrong == 0) return result;
  const Cause cause = find_causes(records, find_contradictions(plan, records, {.jobs = jobs})).front();
  result.cause = cause.name;
  result.naming = naming(model, cause, records);
  return result;
}

}  // namespace touchstone::conformance
