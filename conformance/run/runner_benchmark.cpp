// Measures how fast cases of the standard tier run on the reference and are judged, in elements per second on one core.
#include <benchmark/benchmark.h>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/run/runner.h"
#include "conformance/suites/suites.h"

namespace touchstone::conformance {
namespace {

/// A sample of every kind of case, already built.
std::vector<PlannedCase> sample() {
  std::vector<PlannedCase> cases;
  const std::vector<PlannedCase> plan = plan_generated_suite({});
  for (std::size_t i = 0; i < plan.size(); i += 101)
    cases.push_back({plan[i].id, [made = plan[i].read()] { return made; }});
  return cases;
}

/// Counts the outputs that the backend returns and the judge compares. A case runs its model up to three times.
void judge_standard_cases(benchmark::State& state) {
  static const std::vector<PlannedCase> cases = sample();
  ReferenceBackend reference;
  std::size_t place = 0;
  std::int64_t elements = 0;
  for ([[maybe_unused]] auto unused : state) {
    const CaseRecord record = run_case(cases[place], reference);
    if (!is_pass(record.verdict)) state.SkipWithError("the reference does not pass");
    elements += record.elements;
    place = (place + 1) % cases.size();
  }
  state.SetItemsProcessed(elements);
}

BENCHMARK(judge_standard_cases)->Unit(benchmark::kMicrosecond)->MinTime(2);

}  // namespace
}  // namespace touchstone::conformance
