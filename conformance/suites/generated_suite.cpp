#include "conformance/suites/generated_suite.h"

#include <memory>
#include <utility>

#include "conformance/exhaustive/exhaustive_plan.h"
#include "conformance/generate/control.h"
#include "conformance/generate/illegal_cases.h"
#include "conformance/generate/legal_cases.h"

namespace touchstone::conformance {

namespace {

/// Appends a case for each source: a recipe or an illegal case.
template <class Source>
void append(std::vector<PlannedCase>& cases, std::vector<Source> sources) {
  for (Source& source : sources) {
    auto shared = std::make_shared<const Source>(std::move(source));
    cases.push_back(
        {.id = shared->id,
         .read = [shared] { return make_case(*shared); },
         .offer_control_candidates = [shared](const TakeCase& take) { offer_control_candidates(*shared, take); }});
    if (shared->has_other_form) cases.back().other_form = shared->form->name;
  }
}

}  // namespace

std::vector<PlannedCase> plan_generated_suite(const SuiteOptions& options) {
  std::vector<PlannedCase> cases;
  if (options.tier == Tier::exhaustive) return plan_exhaustive(options.seed, options.limits);
  if (options.tier == Tier::smoke) {
    append(cases, covering_recipes(options.seed, options.limits));
    return cases;
  }
  append(cases, all_recipes(options.seed, options.limits));
  append(cases, illegal_cases(options.seed, options.limits));
  return cases;
}

}  // namespace touchstone::conformance
