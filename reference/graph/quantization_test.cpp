// Few elements decide the others of a monotone operator.
#include "reference/graph/quantization.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "reference/laws_testing.h"
#include "reference/testing.h"

namespace touchstone::reference::quantization_test {
namespace {

using enum spec::ElementType;

Result whole(const Node& node, const Policy& policy) { return std::get<Result>(interpret(node, policy).value); }

/// Counts the elements that are computed one by one.
NodeResults results_of(const Policy& policy, std::set<std::int64_t>& computed) {
  return {[policy](const Node& node) { return whole(node, policy); },
          [policy, &computed](const Node& node, std::span<const std::int64_t> elements) {
            computed.insert(elements.begin(), elements.end());
            return std::get<Result>(interpret(node, policy, elements).value);
          }};
}

bool is_same(const Result& one, const Result& other) {
  return one.unspecified == other.unspecified && std::ranges::equal(one.y.bytes(), other.y.bytes());
}

Policy without_rejected_readings(Policy policy) {
  for (std::size_t ambiguity = 0; ambiguity < spec::ambiguities.size(); ++ambiguity)
    if (spec::ambiguities[ambiguity]->readings[policy.reading_index(ambiguity)].status == spec::ReadingStatus::rejected)
      policy = policy.with(ambiguity, 0);
  return policy;
}

RC_GTEST_PROP(MonotoneResult, IsTheWholeResult, ()) {
  for (int i = 0; i < 20; ++i) {
    const Node node = *any_node();
    const Policy policy = without_rejected_readings(*any_policy(3));
    if (!has_monotone_quantization(policy)) continue;
    const Outcome outcome = interpret(node, policy);
    if (node.op != spec::Operator::quantize_linear || outcome.result() == nullptr) continue;
    std::set<std::int64_t> computed;
    RC_ASSERT(is_same(monotone_result(node, results_of(policy, computed), 0), *outcome.result()));
  }
}

/// Rows with a scale each: positive, negative, zero, subnormal and infinite.
TEST(MonotoneResult, ComputesFewOfManyElements) {
  constexpr std::int64_t columns = 3000;
  const Numbers scales{0.25, -0.25, 0, 0x1p-140, inf};
  Numbers x;
  for (std::size_t row = 0; row < scales.size(); ++row)
    for (std::int64_t i = 0; i < columns; ++i) x.push_back(static_cast<double>(i * 7919 % columns - columns / 2) / 16);
  x[0] = inf;
  x[1] = std::nan("");
  for (const spec::ElementType type : {uint8, int4, int16}) {
    const auto rows = static_cast<std::int64_t>(scales.size());
    const Node node = quantize(21, tensor(float32, {rows, columns}, x), vector(float32, scales),
                               vector(type, Numbers(scales.size(), 3)), {{"axis", std::int64_t{0}}});
    std::set<std::int64_t> computed;
    EXPECT_TRUE(is_same(monotone_result(node, results_of(Policy{}, computed)), whole(node, Policy{})));
    if (type == int4) {
      EXPECT_LT(std::ssize(computed), rows * columns / 10);
    }
  }
}

TEST(MonotoneResult, IsNotUsedIfNumbersMayWrapAround) {
  EXPECT_TRUE(has_monotone_quantization({}));
  EXPECT_FALSE(
      has_monotone_quantization(Policy{}.with<spec::ZeroPointAddition>(spec::ZeroPointAddition::wrapping_int32)));
}

}  // namespace
}  // namespace touchstone::reference::quantization_test
