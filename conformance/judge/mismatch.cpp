#include "conformance/judge/mismatch.h"

#include <fmt/format.h>

namespace touchstone::conformance {

namespace {

std::string describe(const TensorDifference& difference) {
  if (!difference.form.empty()) return difference.form;
  return fmt::format("{} of {} elements differ", difference.different_elements, difference.elements);
}

Mismatch unlike(std::string reason, const reference::Tensor& demanded) {
  return {.verdict = Verdict::fail, .reason = std::move(reason), .size = demanded.size() + 1};
}

std::optional<Mismatch> mismatch(const Demand& demand, const Outputs& outputs, const std::string& output_name) {
  if (demand.y == nullptr)
    return Mismatch{.verdict = Verdict::accepts_invalid,
                    .reason = fmt::format("gives an output, though {} ({})", demand.rejection->reason,
                                          demand.rejection->clause->id),
                    .size = 1};
  if (outputs.size() != 1) return unlike(fmt::format("{} outputs, expected 1", outputs.size()), *demand.y);
  const NamedTensor& output = outputs.front();
  if (!output.name.empty() && output.name != output_name)
    return unlike(fmt::format("the output is '{}', expected '{}'", output.name, output_name), *demand.y);
  TensorDifference difference = compare(*demand.y, output.value, {demand.sign_of_zero, demand.open});
  if (difference.none()) return std::nullopt;
  const std::int64_t size = difference.form.empty() ? difference.different_elements : demand.y->size() + 1;
  return Mismatch{Verdict::fail, describe(difference), std::move(difference), size};
}

}  // namespace

std::optional<Mismatch> mismatch(const Demand& demand, const Answer& answer, const std::string& output_name) {
  if (const auto* outputs = std::get_if<Outputs>(&answer)) return mismatch(demand, *outputs, output_name);
  if (demand.y == nullptr) return std::nullopt;
  const auto* refusal = std::get_if<Refusal>(&answer);
  return Mismatch{.verdict = Verdict::rejects_valid,
                  .reason = refusal != nullptr ? refusal->reason : std::string("no answer"),
                  .size = demand.y->size() + 1};
}

}  // namespace touchstone::conformance
