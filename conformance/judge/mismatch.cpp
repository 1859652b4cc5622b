#include "conformance/judge/mismatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace touchstone::conformance {

namespace {

constexpr std::string_view only_zero_signs = " elements differ only in the sign of zero";

/// ", by up to 3 steps" or ", by up to 0.187 (allowed: 4e-06)"; empty for signs of zero, infinities and NaN.
std::string size_in_words(const TensorDifference& difference) {
  const std::uint64_t steps = difference.most_steps;
  if (steps > 0) return fmt::format("{}{} {}", size_mark, steps, steps == 1 ? "step" : "steps");
  if (difference.most_error == 0 || std::isinf(difference.most_error)) return "";
  return fmt::format("{}{:.3g}{}", size_mark, difference.most_error,
                     difference.allowed == 0 ? "" : fmt::format(" (allowed: {:.3g})", difference.allowed));
}

std::string describe(const TensorDifference& difference, bool sign_of_zero, bool has_range = false) {
  if (!difference.form.empty()) return difference.form;
  const std::string count = fmt::format("{} of {}", difference.different_elements, difference.elements);
  if (has_range) return fmt::format("{} elements are outside of the bounds{}", count, size_in_words(difference));
  const std::int64_t zero_signs = sign_of_zero ? difference.zero_signs : 0;
  if (zero_signs > 0 && zero_signs == difference.different_elements) return count + std::string(only_zero_signs);
  return fmt::format("{} elements differ{}{}", count, size_in_words(difference),
                     zero_signs == 0 ? "" : fmt::format(", {} of them only in the sign of zero", zero_signs));
}

/// Whether `container` is an integer type that often stores codes of `type`, one per element.
bool is_container_of(ElementType container, ElementType type) {
  const bool is_small = spec::info(type).bits < 8 || !spec::is_integer(type);
  return is_small && spec::is_integer(container) && spec::info(container).bits == std::max(8, spec::info(type).bits);
}

/// For an output of another element type, describes whether its elements are the expected codes.
std::string codes_in_words(const FurtherOutput& required, const Tensor& actual, bool sign_of_zero) {
  const ElementType type = required.y->type();
  if (!is_container_of(actual.type(), type) || actual.shape() != required.y->shape()) return {};
  const int bits = spec::info(type).bits;
  const int container_bits = spec::info(actual.type()).bits;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
  std::vector<std::uint64_t> codes;
  for (std::int64_t i = 0; i < actual.size(); ++i) {
    const std::uint64_t code = actual.code(i);
    const std::uint64_t sign =
        (code & mask) >> (bits - 1) == 1 ? (~std::uint64_t{0} >> (64 - container_bits)) & ~mask : 0;
    const bool is_extended =
        (code & ~mask) == 0 || (spec::info(actual.type()).kind == NumberKind::signed_integer && (code & ~mask) == sign);
    if (!is_extended) return fmt::format("; element {} is not a code of it", i);
    codes.push_back(code & mask);
  }
  const auto difference =
      compare(*required.y, Tensor::from_codes(type, actual.shape(), codes), {sign_of_zero, required.open});
  return difference.none() ? "; the codes are right"
                           : fmt::format("; of the codes {}", describe(difference, sign_of_zero));
}

Mismatch failure(std::string reason) { return {.verdict = Verdict::fail, .reason = std::move(reason)}; }

/// `where` is empty if there is only one output.
std::optional<Mismatch> mismatch(const FurtherOutput& required, const Tensor& actual, bool sign_of_zero,
                                 const std::string& where) {
  TensorDifference difference =
      compare(*required.y, actual, {.sign_of_zero = sign_of_zero, .open = required.open, .range = required.range});
  if (difference.none()) return std::nullopt;
  std::string reason = where + describe(difference, sign_of_zero, required.range != nullptr);
  if (actual.type() != required.y->type()) reason += codes_in_words(required, actual, sign_of_zero);
  return Mismatch{Verdict::fail, std::move(reason), std::move(difference), required.y->type()};
}

std::optional<Mismatch> mismatch(const Demand& demand, const Outputs& outputs, const std::vector<std::string>& names) {
  if (demand.y == nullptr)
    return Mismatch{.verdict = Verdict::accepts_invalid,
                    .reason = fmt::format("gives an output, though {} ({})", demand.rejection->reason,
                                          demand.rejection->clause->id)};
  if (outputs.size() != names.size())
    return failure(fmt::format("{} outputs, expected {}", outputs.size(), names.size()));
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (!outputs[i].name.empty() && outputs[i].name != names[i])
      return failure(fmt::format("the output is '{}', expected '{}'", outputs[i].name, names[i]));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const FurtherOutput required =
        i == 0 ? FurtherOutput{demand.y, demand.open, demand.range} : demand.further.at(i - 1);
    const std::string where = outputs.size() > 1 ? fmt::format("output '{}': ", names[i]) : std::string();
    if (auto found = mismatch(required, outputs[i].value, demand.sign_of_zero, where)) return found;
  }
  return std::nullopt;
}

}  // namespace

Demand demand_of(const reference::Outcome& outcome, bool sign_of_zero) {
  const reference::Result* result = outcome.result();
  if (result == nullptr) return {.rejection = outcome.rejection()};
  Demand demand{.y = &result->y, .open = &result->unspecified, .sign_of_zero = sign_of_zero};
  demand.range = range_of(*result, 0);
  for (std::size_t i = 0; i < result->further.size(); ++i)
    demand.further.push_back({&result->further[i].value, &result->further[i].unspecified, range_of(*result, i + 1)});
  return demand;
}

std::optional<Mismatch> mismatch(const Demand& demand, const Answer& answer, const std::vector<std::string>& names) {
  if (const auto* outputs = std::get_if<Outputs>(&answer)) return mismatch(demand, *outputs, names);
  if (demand.y == nullptr) return std::nullopt;
  const auto* refusal = std::get_if<Refusal>(&answer);
  return Mismatch{.verdict = Verdict::rejects_valid,
                  .reason = refusal != nullptr ? refusal->reason : std::string("no answer")};
}

bool reports_zero_signs(std::string_view text) { return text.ends_with(only_zero_signs); }

std::string zero_signs(const Demand& demand, const Answer& answer) {
  const auto* outputs = std::get_if<Outputs>(&answer);
  if (demand.y == nullptr || outputs == nullptr || spec::is_integer(demand.y->type())) return {};
  const TensorDifference difference =
      compare(*demand.y, outputs->front().value, {.open = demand.open, .range = demand.range});
  return difference.zero_signs > 0 ? describe(difference, true) : std::string();
}

}  // namespace touchstone::conformance
