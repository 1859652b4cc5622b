// For tests: small cases, each with the answer of a backend that follows a given policy in it.
#pragma once

#include <string>
#include <vector>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/generate/form.h"
#include "conformance/generate/model_builder.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/runner.h"
#include "reference/interpreter.h"
#include "reference/testing.h"

namespace touchstone::conformance {

using Before23 = spec::SameFloatDivisionBefore23;

inline const reference::Policy in_float16 = reference::Policy{}.with<Before23>(Before23::in_input_type);

/// 26 / 0.167236328125 is 155.47 in float32, and 155.5, a tie, in float16 (AMB-06); 1 / 0.167236328125 is 6 in both.
inline reference::Node division(const std::vector<double>& x, int opset = 21,
                                spec::ElementType y = spec::ElementType::uint8) {
  using spec::ElementType::float16;
  return reference::quantize(opset, reference::vector(float16, x), reference::scalar(float16, 0.167236328125),
                             reference::scalar(y, 0));
}

inline Case case_of(const std::string& id, const reference::Node& node) {
  Case made;
  made.id = id;
  const auto outcome = reference::interpret(node);
  made.model = build_model(node, plain_form(),
                           outcome.result() != nullptr ? outcome.result()->y.type() : spec::ElementType::uint8,
                           node.inputs[0]->shape());
  made.form = "inputs";
  made.data_sets.push_back({graph_inputs(node, plain_form()), {}});
  return made;
}

class Runs {
 protected:
  /// Runs the case on the reference with this policy. `candidates` offers its controls.
  void add(const Case& one, const reference::Policy& policy,
           std::function<void(const TakeCase&)> candidates = nullptr) {
    plan_.push_back({one.id, made_by({[one] { return one; }, std::move(candidates)})});
    ReferenceBackend backend(policy);
    records_.push_back(run_case(plan_.back(), backend));
  }
  void add(const std::string& id, const reference::Node& node, const reference::Policy& policy) {
    add(case_of(id, node), policy);
  }

  std::vector<PlannedCase> plan_;
  std::vector<CaseRecord> records_;
};

}  // namespace touchstone::conformance
