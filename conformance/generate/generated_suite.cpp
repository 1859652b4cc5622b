#include "conformance/generate/generated_suite.h"

#include <memory>
#include <utility>

#include "conformance/generate/legal_cases.h"

namespace touchstone::conformance {

namespace {

void append(std::vector<PlannedCase>& cases, std::vector<Recipe> recipes) {
  for (Recipe& recipe : recipes) {
    auto shared = std::make_shared<const Recipe>(std::move(recipe));
    cases.push_back({shared->id, [shared] { return make_case(*shared); }});
  }
}

}  // namespace

std::vector<PlannedCase> plan_generated_suite(const SuiteOptions& options) {
  std::vector<PlannedCase> cases;
  if (options.tier == Tier::smoke) {
    append(cases, covering_recipes(options.seed));
    return cases;
  }
  append(cases, cell_recipes(options.seed));
  append(cases, further_recipes(options.seed));
  return cases;
}

}  // namespace touchstone::conformance
