// Backends that are the reference except for one defect or another policy, and the cases to run them with.
#pragma once

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/diagnose/wrong_model.h"
#include "conformance/plan/filter.h"
#include "conformance/run/runner.h"
#include "conformance/suites/suites.h"
#include "reference/interpreter.h"
#include "reference/policy.h"

namespace touchstone::conformance {

/// The effect of a defect: it changes the policy for a node, the operands before, and the output after the computation.
struct Defect {
  std::function<reference::Policy(const reference::Node&)> policy = [](const reference::Node&) {
    return reference::Policy{};
  };
  /// `first` are the operands of the model's first run.
  std::function<void(reference::Node& node, const Inputs& first)> before = [](reference::Node&, const Inputs&) {};
  std::function<void(const reference::Node& node, reference::Tensor& y)> after = [](const reference::Node&,
                                                                                    reference::Tensor&) {};
};

class Mutant : public Backend {
 public:
  explicit Mutant(const Defect& defect) : defect_(defect) {}

  BackendIdentity identity() const override { return {"mutant", "1", ""}; }

  UnitAnswer run(const Unit& unit) override {
    const OperatorModel model = parse_model(std::string(unit.model), "model");
    std::vector<Answer> answers;
    Inputs first;
    for (const auto inputs : unit.inputs) {
      reference::Node node = bind_inputs(model, inputs);
      if (answers.empty()) first = node.inputs;
      defect_.before(node, first);
      const reference::Outcome outcome = reference::interpret(node, defect_.policy(node));
      if (outcome.rejection() != nullptr) {
        answers.emplace_back(Refusal{outcome.rejection()->reason});
        continue;
      }
      reference::Tensor y = outcome.result()->y;
      defect_.after(node, y);
      answers.emplace_back(Outputs{{"y", std::move(y)}});
    }
    return answers;
  }

 private:
  const Defect& defect_;
};

/// The cases of the standard tier that the filter selects.
inline std::vector<PlannedCase> cases_of(const std::string& filter) {
  static const std::vector<PlannedCase> all = plan_generated_suite({});
  const Filter where(filter);
  std::vector<PlannedCase> plan;
  std::ranges::copy_if(all, std::back_inserter(plan),
                       [&](const PlannedCase& planned) { return where.matches(planned.id); });
  return plan;
}

/// The records of all cases in their order.
inline std::vector<CaseRecord> records_of(const Defect& defect, const std::vector<PlannedCase>& cases) {
  std::vector<CaseRecord> records;
  run(
      cases, [&] { return std::make_unique<Mutant>(defect); }, {.judge = {}, .jobs = 2},
      [&](CaseRecord record) {
        records.push_back(std::move(record));
        return true;
      });
  return records;
}

/// For names of parameterized tests.
inline std::string with_underscores(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char character) { return std::isalnum(character) == 0; }, '_');
  return text;
}

inline bool is_of_type(const reference::Node& node, spec::ElementType type) {
  return std::ranges::any_of(node.inputs, [&](const auto& input) { return input && input->type() == type; });
}

}  // namespace touchstone::conformance
