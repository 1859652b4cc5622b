// opmx.DequantizeLinear: the reference and every instruction set agree, in any floating-point environment and at any
// alignment.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "optimized/agreement_testing.h"
#include "optimized/opmx_testing.h"
#include "optimized/sample_testing.h"

namespace touchstone::optimized::opmx_differential_test {

namespace {

using enum ElementType;
using enum spec::Granularity;

void expect_agreement_of_all(const std::vector<OpmxLayout>& layouts) {
  Random random(20240807);
  Sample sample;
  for (const OpmxLayout& layout : layouts)
    for (const OpmxExample& example : opmx_examples(layout)) {
      if (sample.takes_next()) expect_agreement<OpmxCall>(example, random);
      if (::testing::Test::HasFatalFailure()) return;
    }
}

TEST(Opmx, AgreesWithTheReferenceInEveryCell) {
  const std::vector<OpmxLayout> layouts{{8, 6, 3, per_tensor, 1},
                                        {8, 6, 3, per_axis, 1},
                                        {8, 6, 3, per_axis, 0},
                                        {8, 6, 3, blocked, 1, 3},
                                        {8, 6, 3, blocked, 0, 2}};
  // x has 2 types and scale has 2; no zero point, 3 that are subtracted, 2 that are added; 5 granularities.
  EXPECT_EQ(opmx_examples(layouts[0]).size() * layouts.size(), 120U);
  expect_agreement_of_all(layouts);
}

// Matrices of every row length up to slightly more than two vectors; groups shorter and longer than rows of int16.
TEST(Opmx, AgreesWithTheReferenceAtEveryLength) {
  std::vector<OpmxLayout> layouts;
  for (std::int64_t length = 0; length <= 67; ++length) {
    layouts.push_back({4, length, 1, per_tensor, 1});
    layouts.push_back({4, length, 1, per_axis, length % 2 == 0 ? 1 : 0});
    layouts.push_back({4, length, 1, blocked, 0, 2});
  }
  expect_agreement_of_all(layouts);
}

TEST(Opmx, AgreesWithTheReferenceWithGroupsOfEverySize) {
  std::vector<OpmxLayout> layouts;
  for (const std::int64_t size : {1, 2, 3, 7, 8, 16, 31, 32, 33, 40, 64, 100, 128, 300}) {
    layouts.push_back({4, 2 * size, 1, blocked, 1, size});
    layouts.push_back({4, size, 3, blocked, 1, size});
    layouts.push_back({size % 4 == 0 ? size : 4 * size, 3, 1, blocked, 0, size});
  }
  layouts.push_back({4, 4, 70, blocked, 1, 2});
  layouts.push_back({8, 2, 300, blocked, 0, 4});
  layouts.push_back({12, 1, 1, blocked, 0, 3});
  layouts.push_back({300, 9, 1, per_axis, 1});  // more scales than are read at once
  layouts.push_back({4, 2400, 1, blocked, 1, 8});
  expect_agreement_of_all(layouts);
}

// Kernels prepare parameters for several rows at a time; these tiles need not begin or end with a row.
TEST(Opmx, AgreesWithTheReferenceInManyShortRows) {
  std::vector<OpmxLayout> layouts;
  for (const std::int64_t length : {1, 5, 31, 32, 33, 48, 100, 255}) {
    const std::int64_t rows = (1100 / length + 7) / 8 * 8;
    layouts.push_back({rows, length, 1, per_tensor, 1});
    layouts.push_back({rows, length, 1, per_axis, 1});
    layouts.push_back({rows, length, 1, per_axis, 0});
    layouts.push_back({rows, length, 1, blocked, 0, 8});
  }
  layouts.push_back({36, 32, 1, blocked, 1, 8});
  layouts.push_back({24, 48, 1, blocked, 1, 16});
  layouts.push_back({12, 100, 1, blocked, 1, 50});
  layouts.push_back({8, 192, 1, blocked, 1, 64});
  layouts.push_back({1100, 1, 1, blocked, 1, 1});
  layouts.push_back({8, 33, 5, blocked, 1, 1});
  layouts.push_back({256, 1, 1, blocked, 0, 32});
  layouts.push_back({12, 7, 14, per_axis, 1});
  expect_agreement_of_all(layouts);
}

TEST(Opmx, AgreesWithTheReferenceWithoutElements) {
  expect_agreement_of_all({{0, 3, 2, per_tensor, 1},
                           {0, 3, 2, per_axis, 0},
                           {0, 3, 2, blocked, 0, 5},
                           {4, 0, 2, per_axis, 1},
                           {4, 0, 2, per_axis, 0},
                           {4, 0, 2, blocked, 1, 5},
                           {4, 3, 0, blocked, 1, 1}});
}

// Some scales and zero points have arbitrary codes: subnormal or infinite ones, and ones with inexact sums.
TEST(Opmx, DoesNotDependOnTheEnvironment) {
  Random random(3);
  for (const OpmxExample& example : opmx_examples({4, 12, 1, blocked, 1, 3})) {
    SCOPED_TRACE(to_text(example));
    const Data data = random_data(random, example);
    const reference::Outcome outcome = reference::interpret(node_of(example, data));
    const OpmxCall call(example, data, Edge::back);
    for (const Isa isa : available_isas())
      for (const Environment& environment : environments()) {
        ASSERT_TRUE(is_restored_by(environment, [&] { static_cast<void>(call(isa)); })) << name(isa);
        ASSERT_TRUE(agrees(data, call.y(), *outcome.result())) << name(isa);
      }
  }
}

// ---- any node, in any environment

OpmxLayout any_layout(bool is_packed, int largest) {
  OpmxLayout layout{.rows = *rc::gen::inRange(0, largest) * (is_packed ? 4 : 1),
                    .columns = *rc::gen::inRange(0, largest),
                    .inner = *rc::gen::weightedElement<std::int64_t>({{1, 0}, {8, 1}, {2, 2}, {1, 33}}),
                    .granularity = *rc::gen::element(per_tensor, per_axis, blocked),
                    .quant_axis = *rc::gen::inRange(0, 2)};
  if (layout.granularity != blocked) return layout;
  layout.group_size = *rc::gen::inRange(1, largest);
  std::int64_t& length = layout.quant_axis == 0 ? layout.rows : layout.columns;
  length = std::min<std::int64_t>(length, 4) * layout.group_size;
  return layout;
}

OpmxExample any_example(int largest) {
  OpmxExample example = *rc::gen::elementOf(opmx_examples({}));
  example.layout = any_layout(example.is_packed(), largest);
  return example;
}

void any_node_agrees(int largest) {
  const OpmxExample example = any_example(largest);
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const Environment environment = *rc::gen::elementOf(environments());
  const Edge edge = *rc::gen::element(Edge::back, Edge::front);
  const Data data = random_data(random, example);
  const reference::Outcome outcome = reference::interpret(node_of(example, data));
  if (outcome.rejection() != nullptr) RC_FAIL(outcome.rejection()->reason);
  for (const Isa isa : available_isas()) {
    const OpmxCall call(example, data, edge);
    Status status;
    RC_ASSERT(is_restored_by(environment, [&] { status = call(isa); }));
    RC_ASSERT(status.error == Error::none);
    const auto agreement = agrees(data, call.y(), *outcome.result());
    if (!agreement) RC_FAIL(std::string(name(isa)) + ", " + to_text(example) + ": " + agreement.message());
  }
}

RC_GTEST_PROP(OpmxProperties, DequantizeLinearAgreesWithTheReference, ()) { any_node_agrees(6); }
RC_GTEST_PROP(OpmxProperties, DequantizeLinearOfLongRowsAgreesWithTheReference, ()) { any_node_agrees(40); }

}  // namespace

}  // namespace touchstone::optimized::opmx_differential_test
