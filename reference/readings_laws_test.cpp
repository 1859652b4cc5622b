// Laws of policies, for random nodes.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "reference/laws_testing.h"
#include "reference/testing.h"

namespace touchstone::reference::readings_laws_test {
namespace {

RC_GTEST_PROP(PolicyLaws, UnconsultedReadingsChangeNothing, ()) {
  check_that_readings_not_asked_for_change_nothing(*any_node(), *any_policy(20));
}

RC_GTEST_PROP(PolicyLaws, ReadingsChangeOnlyWhatFollows, ()) {
  check_that_readings_change_only_what_follows(*any_node(), *any_policy(20));
}

RC_GTEST_PROP(PolicyLaws, EveryPolicyGivesAnOutcome, ()) {
  for (int i = 0; i < 20; ++i) {
    const Node node = *any_node();
    const Policy policy = *any_policy(2);
    const Outcome outcome = interpret(node, policy);
    if (const Result* result = outcome.result()) {
      RC_ASSERT(result->y.size() == node.inputs[0]->size());
      RC_ASSERT(static_cast<std::int64_t>(result->unspecified.size()) == result->y.size());
    }
  }
}

/// Two readings combined: float8e8m0 as the type of y, which has no zero to which a subnormal number could be flushed.
TEST(PolicyLaws, APowerOfTwoIsNotFlushed) {
  using Output = spec::E8m0ScaleWithoutOutputDtype;
  using enum spec::ElementType;
  const Policy policy =
      Policy{}.with<Output>(Output::float8e8m0).with<spec::Subnormals>(spec::Subnormals::flushes_all_types);
  const Node node = dequantize(24, vector(float8e5m2, {0.25}), scalar(float8e8m0, 0x1p-125));
  EXPECT_THAT(interpret(node, policy), gives({0x1p-127}));
}

/// Two readings combined: the quotient is a power of two, to which an integer zero point is added exactly.
TEST(PolicyLaws, AZeroPointIsNotAddedInPowersOfTwo) {
  using Division = spec::E8m0ScaleWithoutPrecision;
  using Addition = spec::ZeroPointAddition;
  using enum spec::ElementType;
  const Policy policy = Policy{}.with<Division>(Division::in_scale_type).with<Addition>(Addition::in_division_type);
  const Node node = quantize(24, vector(float32, {3.5}), scalar(float8e8m0, 0x1p-1), scalar(int8, -5));
  EXPECT_THAT(interpret(node, policy), gives({3}));
}

/// The result depends neither on the order nor on other nodes.
RC_GTEST_PROP(PolicyLaws, TheSameNodeHasTheSameOutcome, ()) {
  const Node first = *any_node();
  const Node second = *any_node();
  const Policy policy = *any_policy(5);
  const Outcome before = interpret(first, policy);
  interpret(second, policy);
  const Outcome after = interpret(first, policy);
  RC_ASSERT(same_value(before, after));
  RC_ASSERT(before.cited == after.cited);
  RC_ASSERT(before.consulted == after.consulted);
}

}  // namespace
}  // namespace touchstone::reference::readings_laws_test
