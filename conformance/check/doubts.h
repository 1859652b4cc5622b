// What the right parts of a user's model say of explanations of the others.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "conformance/causes/causes.h"
#include "conformance/run/contradictions.h"
#include "conformance/run/record.h"
#include "conformance/units/unit_cases.h"

namespace touchstone::conformance {

/// The parts of a model that a backend was asked for.
struct JudgedParts {
  const ModelParts& parts;
  std::span<const CaseRecord> records;  ///< of the first parts, in their order
  std::span<const Contradictions> contradictions;
};

/// The hypotheses that explain wrong parts. Right parts contradict them, so they are not causes of the run. But
/// optimizers may change only some places of a model. A single wrong element is explained by chance too often.
std::vector<std::string> local_explanations(const JudgedParts& judged, std::span<const Cause> causes);

/// By which permitted readings parts are right, and whether there is a doubt about it: a wrong graph gives their
/// results, too, and right parts with the same products contradict this precision of products.
std::vector<std::string> permitted_readings(const JudgedParts& judged);

}  // namespace touchstone::conformance
