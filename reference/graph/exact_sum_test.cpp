// A product that is not noted as inexact has the same bits in every order of evaluation, fused or not.
#include "reference/graph/exact_sum.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "reference/graph/graph_testing.h"

namespace touchstone::reference::exact_sum_test {
namespace {

float in_order(std::span<const float> a, std::span<const float> b) {
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

float in_reverse(std::span<const float> a, std::span<const float> b) {
  float sum = 0;
  for (std::size_t i = a.size(); i-- > 0;) sum += a[i] * b[i];
  return sum;
}

float in_halves(std::span<const float> a, std::span<const float> b) {
  if (a.size() == 1) return a[0] * b[0];
  const std::size_t half = a.size() / 2;
  return in_halves(a.first(half), b.first(half)) + in_halves(a.subspan(half), b.subspan(half));
}

float fused(std::span<const float> a, std::span<const float> b) {
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum = std::fma(a[i], b[i], sum);
  return sum;
}

Tensor tensor_of(const Shape& shape, std::span<const float> numbers) {
  std::vector<std::uint64_t> codes;
  for (const float number : numbers) codes.push_back(std::bit_cast<std::uint32_t>(number));
  return Tensor::from_codes(spec::ElementType::float32, shape, codes);
}

/// Integers of up to `bits` bits times a power of two, as a quantized element minus its zero point, times a scale.
rc::Gen<std::vector<float>> numbers(std::size_t count, int bits) {
  return rc::gen::container<std::vector<float>>(
      count,
      rc::gen::map(rc::gen::pair(rc::gen::inRange(-(1 << bits), 1 << bits), rc::gen::inRange(-4, 2)),
                   [](const auto& number) { return std::ldexp(static_cast<float>(number.first), number.second); }));
}

RC_GTEST_PROP(ExactSums, AreTheSameInEveryOrder, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 40);
  const auto a = *numbers(count, 9), b = *numbers(count, 8);
  const auto length = static_cast<std::int64_t>(count);
  const GraphModel model = model_of({op("MatMul", {"x", "w"}, {"y"})}, {{"w", tensor_of({length}, b)}});
  const GraphOutcome outcome = interpret(model, {{tensor_of({length}, a)}});
  RC_ASSERT(outcome.outputs() != nullptr);
  RC_CLASSIFY(outcome.inexact.has_value(), "inexact");
  if (outcome.inexact) return;
  const float y = std::bit_cast<float>(static_cast<std::uint32_t>(outcome.outputs()->at(0).value.code(0)));
  for (const auto order : {in_order, in_reverse, in_halves, fused}) RC_ASSERT(order(a, b) == y);
}

}  // namespace
}  // namespace touchstone::reference::exact_sum_test
