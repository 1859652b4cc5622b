#include "fuzz/small_plan.h"

#include <string>
#include <utility>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/generate/form.h"
#include "conformance/generate/geometry.h"
#include "conformance/generate/recipe.h"
#include "conformance/run/runner.h"
#include "conformance/session/run_session.h"
#include "spec/opset.h"

namespace touchstone::fuzz {

using namespace conformance;

namespace {

PlannedCase in_memory(std::string id, Case made) {
  made.id = id;
  return {.id = std::move(id), .source = made_by({[made = std::move(made)] { return made; }})};
}

using ExtraAttributes = decltype(Recipe::extra_attributes);

/// The first cell of the operator with its smallest geometry of several elements.
Case small_case(spec::Operator op, const Form& form, ExtraAttributes extra_attributes = {}) {
  const spec::OperatorVersion& version = *spec::resolve(spec::ai_onnx, op, 21);
  const Cell cell = legal_cells(version).front();
  const Geometry* smallest = nullptr;
  for (const Geometry& geometry : special_geometries(cell.granularity))
    if (geometry.elements() > 1 && can_have(version, cell.quantized_type(), geometry) &&
        (smallest == nullptr || geometry.elements() < smallest->elements()))
      smallest = &geometry;
  return make_case({.id = "",
                    .cell = cell,
                    .opset = 21,
                    .geometry = smallest,
                    .form = &form,
                    .extra_attributes = std::move(extra_attributes)});
}

Journal run_of(const std::vector<PlannedCase>& plan) {
  ReferenceBackend backend;
  Journal journal;
  journal.run = describe_run(
      {.suites = {"generated"}, .tier = "standard", .filter = "*", .backend_option = "reference"}, backend, plan);
  journal.run.host = "any";
  for (const PlannedCase& planned : plan) journal.records.push_back(run_case(planned, backend));
  return journal;
}

}  // namespace

const std::vector<PlannedCase>& small_plan() {
  const ExtraAttributes no_axis{{spec::AttributeMeaning::axis, std::string("the last one")}};
  static const std::vector<PlannedCase> plan{
      in_memory("quantize_linear/21/small", small_case(spec::Operator::quantize_linear, plain_form())),
      in_memory("quantize_linear/21/must_reject", small_case(spec::Operator::quantize_linear, plain_form(), no_axis)),
      in_memory("dequantize_linear/21/small", small_case(spec::Operator::dequantize_linear, form_named("symbolic"))),
  };
  return plan;
}

const Journal& small_run() {
  static const Journal journal = run_of(small_plan());
  return journal;
}

}  // namespace touchstone::fuzz
