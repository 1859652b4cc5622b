// Measures what cases of the standard tier cost on one core: right ones, and wrong ones, whose causes are looked for.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <random>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/causes/causes.h"
#include "conformance/diagnose/hypotheses.h"
#include "conformance/diagnose/wrong_backend.h"
#include "conformance/run/runner.h"
#include "conformance/suites/suites.h"

namespace touchstone::conformance {
namespace {

/// A sample of every kind of case, already built.
const std::vector<PlannedCase>& sample() {
  static const std::vector<PlannedCase> cases = [] {
    std::vector<PlannedCase> chosen;
    const std::vector<PlannedCase> plan = plan_generated_suite({});
    for (std::size_t i = 0; i < plan.size(); i += 101)
      chosen.push_back({plan[i].id, made_by({[made = plan[i].read()] { return made; }})});
    return chosen;
  }();
  return cases;
}

/// Gives random elements, so that no hypothesis explains them, and refuses with a random message.
class RandomBackend : public ReferenceBackend {
 public:
  UnitAnswer run(const Unit& unit) override {
    UnitAnswer answer = ReferenceBackend::run(unit);
    if (auto* refusal = std::get_if<Refusal>(&answer)) refusal->reason = message();
    if (auto* answers = std::get_if<std::vector<Answer>>(&answer))
      for (Answer& one : *answers) {
        if (auto* refusal = std::get_if<Refusal>(&one)) refusal->reason = message();
        if (auto* outputs = std::get_if<Outputs>(&one))
          for (NamedTensor& output : *outputs)
            for (std::int64_t i = 0; i < output.value.size(); ++i) {
              const int bits = spec::info(output.value.type()).bits;
              output.value.set_code(i, random_() & ((std::uint64_t{1} << bits) - 1));
            }
      }
    return answer;
  }

 private:
  std::string message() {
    std::string words;
    for (int i = 0; i < 12; ++i) words += static_cast<char>('a' + random_() % 26);
    return words;
  }

  std::mt19937_64 random_;
};

/// Runs the sample again and again. Counts cases.
void judge(benchmark::State& state, Backend& backend, bool must_pass) {
  const std::vector<PlannedCase>& cases = sample();
  std::size_t place = 0;
  for ([[maybe_unused]] auto unused : state) {
    const CaseRecord record = run_case(cases[place], backend);
    if (must_pass && !is_pass(record.verdict)) state.SkipWithError("the reference does not pass");
    place = (place + 1) % cases.size();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

void judge_right_cases(benchmark::State& state) {
  ReferenceBackend reference;
  judge(state, reference, true);
}

/// One wrong model explains nearly all outputs.
void judge_explained_failures(benchmark::State& state) {
  WrongBackend wrong(find_hypothesis("ignores-scale"));
  judge(state, wrong, false);
}

/// Every hypothesis is tried, and combinations of them.
void judge_unexplained_failures(benchmark::State& state) {
  RandomBackend random;
  judge(state, random, false);
}

/// The causes of a run that has as many cases as the standard tier, and in which no two messages are equal.
void find_causes_of_random_failures(benchmark::State& state) {
  RandomBackend random;
  std::vector<CaseRecord> records;
  for (const PlannedCase& planned : sample()) records.push_back(run_case(planned, random));
  const std::size_t own = records.size();
  while (records.size() < 67'000) {
    records.push_back(records[records.size() % own]);
    records.back().id = fmt::format("{}/{}", *records.back().id, records.size());
    if (!records.back().reason.empty())
      records.back().reason = fmt::format("{} {:x}", *records.back().reason, records.size() * 0x9e3779b97f4a7c15);
  }
  for ([[maybe_unused]] auto unused : state) benchmark::DoNotOptimize(find_causes(records));
}

BENCHMARK(judge_right_cases)->Unit(benchmark::kMicrosecond)->MinTime(2);
BENCHMARK(judge_explained_failures)->Unit(benchmark::kMicrosecond)->MinTime(2);
BENCHMARK(judge_unexplained_failures)->Unit(benchmark::kMicrosecond)->MinTime(2);
BENCHMARK(find_causes_of_random_failures)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace touchstone::conformance
