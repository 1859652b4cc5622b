#include "conformance/exhaustive/sweep.h"

#include <fmt/format.h>

#include <array>
#include <set>
#include <stdexcept>

#include "conformance/exhaustive/elements_case.h"
#include "conformance/exhaustive/narrow_division.h"
#include "conformance/plan/number.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

namespace {

std::string text_of(const CodeInterval& interval) {
  const auto code = [&](std::uint64_t one) { return hex(interval.type, one); };
  if (interval.is_whole()) return "all";
  if (interval.size() == 1) return code(interval.first);
  return fmt::format("{}..{}", code(interval.first), code(interval.last));
}

bool is_narrow(const Cell& cell) { return cell.x == cell.scale && spec::info(cell.x).bits == 16; }

Oracle reference_oracle(const Sweep& sweep, std::uint64_t scale, const reference::Policy& policy) {
  const bool per_axis = sweep.cell.granularity == Granularity::per_axis;
  const Shape shape = per_axis ? Shape{1} : Shape{};
  const Tensor scale_tensor = Tensor::from_codes(sweep.cell.scale, shape, std::array{scale});
  const Tensor zero_point = Tensor::from_codes(sweep.cell.y, shape, std::array{sweep.zero_point});
  return [=, cell = sweep.cell](std::span<const std::uint64_t> x) {
    const auto count = static_cast<std::int64_t>(x.size());
    const Tensor x_tensor = Tensor::from_codes(cell.x, per_axis ? Shape{1, count} : Shape{count}, x);
    const reference::Outcome outcome = reference::interpret(node_of(cell, x_tensor, scale_tensor, zero_point), policy);
    const reference::Result* result = outcome.result();
    if (result == nullptr)
      throw std::logic_error(fmt::format("the reference rejects the node: {}", outcome.rejection()->reason));
    std::vector<ExpectedOutput> outputs;
    for (std::int64_t i = 0; i < count; ++i)
      outputs.push_back(result->unspecified[static_cast<std::size_t>(i)] ? ExpectedOutput{.code = 0, .open = true}
                                                                         : ExpectedOutput{.code = result->y.code(i)});
    return outputs;
  };
}

Oracle narrow_oracle(const Sweep& sweep, std::uint64_t scale) {
  // The type of the division is that of the scale if the page says so. Other versions do not specify it, and the
  // primary reading is float32.
  const OperatorVersion& version = *sweep.cell.version;
  const bool is_silent =
      spec::SameFloatDivisionBefore23::row.applies.covers(version.domain, version.op, version.since_version);
  const NarrowQuantization types{sweep.cell.x, is_silent ? ElementType::float32 : sweep.cell.scale, sweep.cell.y};
  return [quantize = NarrowQuantizer(types, scale, sweep.zero_point)](std::span<const std::uint64_t> x) {
    std::vector<ExpectedOutput> outputs;
    outputs.reserve(x.size());
    for (const std::uint64_t code : x) outputs.push_back(quantize(code));
    return outputs;
  };
}

bool is_primary(const reference::Policy& policy) {
  for (std::size_t i = 0; i < spec::ambiguities.size(); ++i)
    if (policy.reading_index(i) != 0) return false;
  return true;
}

}  // namespace

std::string id_of(const Sweep& sweep) {
  return fmt::format("exhaustive/{}/scale={}/zp={}/x={}", to_string(sweep.cell), text_of(sweep.scale),
                     hex(sweep.cell.y, sweep.zero_point), text_of(sweep.x));
}

Case sample_of(const Sweep& sweep) {
  constexpr std::uint64_t parts = 15;
  std::set<ChosenElement> elements;
  for (std::uint64_t i = 0; i <= parts; ++i) {
    const std::uint64_t scale = sweep.scale.first + (sweep.scale.size() - 1) * i / parts;
    elements.insert({sweep.x.first + (sweep.x.size() - 1) * i / parts, scale, sweep.zero_point});
    // If x and the scale have the same type: quotients near 1.
    const std::uint64_t near = scale + i - parts / 2;
    if (sweep.x.first <= near && near <= sweep.x.last) elements.insert({near, scale, sweep.zero_point});
  }
  return elements_case(id_of(sweep), sweep.cell, {elements.begin(), elements.end()});
}

std::vector<Step> expected_steps(const Sweep& sweep, std::uint64_t scale, const reference::Policy& policy) {
  const bool narrow = is_narrow(sweep.cell) && is_primary(policy);
  const Oracle oracle = narrow ? narrow_oracle(sweep, scale) : reference_oracle(sweep, scale, policy);
  return find_steps(sweep.x, sweep.cell.y, oracle);
}

}  // namespace touchstone::conformance
