#include "reference/graph/known_values.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reference/graph/graph_testing.h"

namespace touchstone::reference::known_values_test {
namespace {

using enum spec::ElementType;
using rc::gen::inRange;

/// Quantized x and w, whose product is rounded, and the sum of their product and x.
GraphModel quantized_network() {
  return model_of(
      {
          op("QuantizeLinear", {"x", "s", "z"}, {"q"}),
          op("DequantizeLinear", {"q", "s", "z"}, {"d"}),
          op("DequantizeLinear", {"w", "sw"}, {"dw"}, {{"axis", std::int64_t{1}}}),
          op("MatMul", {"d", "dw"}, {"p"}),
          op("Add", {"p", "d"}, {"a"}),
          op("QuantizeLinear", {"a", "s", "z"}, {"y"}),
      },
      {
          {"s", tensor(float32, {}, {0.3F})},
          {"z", tensor(uint8, {}, {128})},
          {"w", tensor(int8, {3, 3}, {127, -3, 100, 1, 1, -128, 77, 5, 0})},
          {"sw", tensor(float32, {3}, {0.1F, 0.7F, 1e-40F})},
      });
}

Tensor some_x() {
  Numbers numbers;
  for (int i = 0; i < 3; ++i) numbers.push_back(0.15F * *rc::gen::element(0.0F, 1.0F, 257.0F, -99.0F, 40000.0F));
  return tensor(float32, {1, 3}, numbers);
}

/// A few readings that are not primary, permitted or not.
Policy some_policy() {
  Policy policy;
  for (int count = *inRange(0, 4); count > 0; --count) {
    const auto ambiguity = *inRange<std::size_t>(0, spec::ambiguities.size());
    policy = policy.with(ambiguity, *inRange<std::size_t>(0, spec::ambiguities[ambiguity]->readings.size()));
  }
  if (*inRange(0, 2) == 0) {
    const auto factors = spec::ambiguity_index<spec::FactorPrecision>;
    policy = policy.with(factors, *inRange<std::size_t>(0, spec::ambiguities[factors]->readings.size()));
  }
  return policy;
}

RC_GTEST_PROP(KnownValues, ChangeNoOutcome, ()) {
  const GraphModel model = quantized_network();
  KnownValues known;
  for (int count = 0; count < 6; ++count) {
    const std::array inputs{some_x()};
    const Policy policy = some_policy();
    const GraphOutcome plain = interpret(model, inputs, policy);
    const GraphOutcome outcome = interpret(model, inputs, policy, {.values = &known});
    RC_ASSERT(outcome.cited == plain.cited);
    RC_ASSERT(outcome.consulted == plain.consulted);
    RC_ASSERT(outcome.order == plain.order);
    RC_ASSERT(outcome.inexact == plain.inexact);
    RC_ASSERT(outcome.unbounded == plain.unbounded);
    RC_ASSERT((outcome.rejection() == nullptr) == (plain.rejection() == nullptr));
    if (plain.rejection() != nullptr) {
      RC_ASSERT(outcome.rejection()->reason == plain.rejection()->reason);
      continue;
    }
    const Output &expected = plain.outputs()->front(), &found = outcome.outputs()->front();
    RC_ASSERT(found.value == expected.value);
    RC_ASSERT(found.unspecified == expected.unspecified);
    RC_ASSERT(found.range.has_value() == expected.range.has_value());
    if (!expected.range) continue;
    RC_ASSERT(found.range->lowest == expected.range->lowest);
    RC_ASSERT(found.range->highest == expected.range->highest);
  }
}

KnownValues::Entry entry_of(const std::string& name, std::int64_t elements) {
  return {{op("Relu", {"x"}, {name}), 21, {}}, {}, {NamedValue{Tensor(int8, {elements})}}, {}};
}

TEST(KnownValues, AreOfPoliciesWithTheSameReadingsOfWhatWasConsulted) {
  KnownValues known;
  KnownValues::Entry entry = entry_of("y", 1);
  entry.notes.add_consulted({spec::ambiguity_index<spec::Ties>});
  known.keep(entry);
  EXPECT_NE(known.find(entry.key, {}), nullptr);
  EXPECT_NE(known.find(entry.key, Policy{}.with(spec::ambiguity_index<spec::Subnormals>, 1)), nullptr);
  EXPECT_EQ(known.find(entry.key, Policy{}.with(spec::ambiguity_index<spec::Ties>, 1)), nullptr);
  EXPECT_EQ(known.find(entry.key, Policy{}.with(spec::ambiguity_index<spec::FactorPrecision>, 1)), nullptr);
  EXPECT_EQ(known.find(entry_of("z", 1).key, {}), nullptr);
}

/// Each has more than a quarter of the elements that fit.
TEST(KnownValues, AreForgottenIfTheyWereNotUsedForLong) {
  constexpr std::int64_t many = 600'000;
  KnownValues known;
  for (const char* name : {"a", "b", "c"}) known.keep(entry_of(name, many));
  EXPECT_NE(known.find(entry_of("a", many).key, {}), nullptr);
  known.keep(entry_of("d", many));
  EXPECT_NE(known.find(entry_of("a", many).key, {}), nullptr);
  EXPECT_EQ(known.find(entry_of("b", many).key, {}), nullptr);
  EXPECT_NE(known.find(entry_of("c", many).key, {}), nullptr);
  known.keep(entry_of("e", 10 * many));
  EXPECT_EQ(known.find(entry_of("e", 10 * many).key, {}), nullptr) << "too large";
  EXPECT_NE(known.find(entry_of("d", many).key, {}), nullptr);
}

}  // namespace
}  // namespace touchstone::reference::known_values_test
