#include "conformance/selftest/selftest.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <memory>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/causes/causes.h"
#include "conformance/diagnose/wrong_backend.h"
#include "conformance/files/threads.h"
#include "conformance/generate/picker.h"
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

/// The results of a backend with these defects.
std::vector<CaseRecord> records_of(const std::vector<const WrongModel*>& models, std::span<const PlannedCase> plan,
                                   const RunOptions& options) {
  std::vector<CaseRecord> records;
  run(
      plan, [&] { return std::make_unique<WrongBackend>(models); }, options,
      [&](CaseRecord record) {
        records.push_back(std::move(record));
        return true;
      });
  return records;
}

bool has_part(std::string_view hypothesis, std::string_view name) {
  return std::ranges::any_of(std::views::split(hypothesis, '+'),
                             [&](const auto part) { return std::string_view(part.begin(), part.end()) == name; });
}

/// Whether the cause has the name, or all its cases are explained by the model, alone or together with others.
bool names(const Cause& cause, std::string_view name, std::span<const CaseRecord> records) {
  return has_part(cause.name, name) || (!cause.name.empty() && std::ranges::all_of(cause.cases, [&](std::size_t place) {
           return std::ranges::any_of(*records[place].hypotheses,
                                      [&](const std::string& hypothesis) { return has_part(hypothesis, name); });
         }));
}

}  // namespace

SelfTestResult test_wrong_model(const WrongModel& model, std::span<const PlannedCase> plan, unsigned jobs,
                                const std::function<bool()>& stop, const ReadCases* read) {
  const std::vector<CaseRecord> records = records_of({&model}, plan, {.jobs = jobs, .stop = stop, .read = read});
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

std::vector<WrongPair> random_pairs(std::span<const WrongModel* const> models, std::size_t count, std::uint64_t seed) {
  std::vector<WrongPair> pairs;
  Picker picker("pairs of wrong models", seed);
  for (std::size_t i = 0; i < count; ++i) {
    const WrongModel* first = picker.one_of(models);
    std::vector<const WrongModel*> others;
    std::ranges::copy_if(models, std::back_inserter(others), [&](const WrongModel* model) {
      return model != first && (model->graph != nullptr) == (first->graph != nullptr);
    });
    if (!others.empty()) pairs.push_back({first, picker.one_of(others)});
  }
  return pairs;
}

PairResult test_wrong_pair(const WrongPair& pair, std::span<const PlannedCase> plan, unsigned jobs,
                           const ReadCases* read) {
  const std::vector<CaseRecord> records = records_of({pair[0], pair[1]}, plan, {.jobs = jobs, .read = read});
  PairResult result;
  result.wrong = static_cast<std::size_t>(
      std::ranges::count_if(records, [](const CaseRecord& record) { return is_wrong(record.answer_class()); }));
  for (const Cause& cause : find_causes(records, find_contradictions(plan, records, {.jobs = jobs, .read = read}))) {
    if (cause.name.empty()) continue;
    result.causes.push_back(cause.name);
    for (std::size_t i = 0; i < pair.size(); ++i)
      result.is_named[i] = result.is_named[i] || names(cause, pair[i]->name, records);
  }
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
