#include "conformance/selftest/selftest.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "conformance/causes/causes.h"
#include "conformance/diagnose/wrong_backend.h"
#include "conformance/files/threads.h"
#include "conformance/run/contradictions.h"
#include "conformance/run/runner.h"

namespace touchstone::conformance {

namespace {

/// The number of cases that are kept in memory: more than the tier smoke has.
constexpr std::size_t most_kept = 10'000;

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
                                const std::function<bool()>& stop, const ReadCases* read) {
  std::vector<CaseRecord> records;
  run(
      plan, [&] { return std::make_unique<WrongBackend>(std::vector{&model}); },
      {.jobs = jobs, .stop = stop, .read = read},
      [&](CaseRecord record) {
        records.push_back(std::move(record));
        return true;
      });
  SelfTestResult result;
  for (const CaseRecord& record : records) {
    if (!is_wrong(record.answer_class())) continue;
    if (result.wrong++ == 0) result.first = record.id;
  }
  if (result.wrong == 0) return result;
  const Cause cause = find_causes(records, find_contradictions(plan, records, {.jobs = jobs, .read = read})).front();
  result.cause = cause.name;
  result.naming = naming(model, cause, records);
  return result;
}

std::optional<ReadCases> read_all(std::span<const PlannedCase> plan, unsigned jobs) {
  if (plan.size() > most_kept) return std::nullopt;
  ReadCases read(plan.size());
  for_each_in_threads(jobs, plan.size(), [&](std::size_t place) {
    try {
      if (!plan[place].is_sweep()) read[place] = std::make_shared<const ReadCase>(plan[place]);
    } catch (const std::exception&) {  // each run reports it
    }
  });
  return read;
}

}  // namespace touchstone::conformance
