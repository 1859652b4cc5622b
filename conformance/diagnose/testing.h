// For tests: cases of the tier `standard`, and the answers of wrong models.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "conformance/diagnose/computation.h"
#include "conformance/diagnose/wrong_backend.h"
#include "conformance/judge/oracle.h"
#include "conformance/plan/filter.h"
#include "conformance/suites/suites.h"

namespace touchstone::conformance {

/// Every `step`-th case of those that the filter selects.
inline std::vector<PlannedCase> standard_cases(const std::string& filter, std::size_t step = 1) {
  static const std::vector<PlannedCase> all = plan_generated_suite({});
  const Filter where(filter);
  std::vector<PlannedCase> plan;
  std::size_t found = 0;
  for (const PlannedCase& planned : all)
    if (where.matches(planned.id) && found++ % step == 0) plan.push_back(planned);
  return plan;
}

/// The answer of a backend with these defects.
inline UnitAnswer answer_of(const std::vector<const WrongModel*>& models, const Case& tested) {
  Unit unit{tested.id, tested.model.bytes, {}};
  for (const DataSet& data : tested.data_sets) unit.inputs.emplace_back(data.inputs);
  return WrongBackend(models).run(unit);
}

}  // namespace touchstone::conformance
