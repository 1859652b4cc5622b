// y may be x itself if their elements have the same width. Results agree with the reference, whatever path a kernel
// takes and however many threads share the elements.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "optimized/agreement_testing.h"
#include "optimized/call_testing.h"
#include "optimized/sample_testing.h"
#include "optimized/thread_pool.h"

namespace touchstone::optimized::in_place_test {

namespace {

using enum ElementType;

/// The combinations of types that support in-place calls.
std::vector<Example> examples_in_place(const Geometry& geometry) {
  std::vector<Example> examples = every_combination(geometry);
  std::erase_if(examples, [](const Example& example) {
    return spec::info(example.x_type).bits != spec::info(example.y_type).bits;
  });
  return examples;
}

/// `count` copies of a tensor, concatenated along the outer extent or (in whole blocks) along the axis.
struct Copies {
  std::int64_t count = 1;
  bool along_axis = false;
};

std::vector<std::byte> copied(std::span<const std::byte> bytes, std::int64_t count) {
  std::vector<std::byte> all;
  for (std::int64_t i = 0; i < count; ++i) all.insert(all.end(), bytes.begin(), bytes.end());
  return all;
}

/// The reference computes one copy, the call all of them.
void expect_agreement_in_place(const Example& example, Random& random, const Copies& copies = {},
                               const Executor* executor = nullptr) {
  SCOPED_TRACE(to_text(example));
  const Data data = random_data(random, example);
  const reference::Outcome outcome = reference::interpret(node_of(example, data));
  ASSERT_NE(outcome.result(), nullptr) << outcome.rejection()->reason;
  Example whole = example;
  (copies.along_axis ? whole.geometry.axis : whole.geometry.outer) *= copies.count;
  const std::int64_t of_parameters = copies.along_axis || example.geometry.block > 0 ? copies.count : 1;
  const std::vector<std::byte> x = copied(data.x.bytes(), copies.count);
  const std::vector<std::byte> scale = copied(data.scale.bytes(), of_parameters);
  std::vector<std::byte> zero_point;
  if (data.zero_point) zero_point = copied(data.zero_point->bytes(), of_parameters);
  for (const Isa isa : available_isas())
    for (const Edge edge : {Edge::front, Edge::back}) {
      const GuardedBytes memory(x, edge);
      const Status status = call_with(whole, {memory.bytes(), scale, zero_point, memory.bytes()}, isa, executor);
      ASSERT_EQ(status.error, Error::none) << describe(status.error);
      const std::size_t size = data.x.bytes().size();
      std::span<const std::byte> right;
      for (std::size_t first = 0; first < memory.bytes().size(); first += size) {
        const auto y = memory.bytes().subspan(first, size);
        if (std::ranges::equal(y, right)) continue;
        ASSERT_TRUE(agrees(data, Tensor(example.y_type, x_shape(example), {y.begin(), y.end()}), *outcome.result()))
            << name(isa) << ", the copy at byte " << first;
        right = y;
      }
    }
}

TEST(InPlace, IsForElementsOfOneWidth) {
  std::set<std::pair<ElementType, ElementType>> pairs;
  for (const Example& example : examples_in_place({})) pairs.insert({example.x_type, example.y_type});
  std::set<std::pair<ElementType, ElementType>> expected{{int32, float32}};
  for (const ElementType number : {float16, bfloat16})
    for (const ElementType code : {uint16, int16}) {
      expected.insert({number, code});
      expected.insert({code, number});
    }
  EXPECT_EQ(pairs, expected);
}

// Per tensor; per axis, innermost and outer; blocked, innermost and outer, with a short last block.
TEST(InPlace, AgreesWithTheReferenceAtEveryLength) {
  Random random(7);
  Sample sample;
  for (std::int64_t length = 0; length <= 67; ++length)
    for (const Geometry& geometry : {Geometry{1, 1, length, 0}, Geometry{2, length, 1, 0}, Geometry{1, 2, length, 0},
                                     Geometry{2, length, 1, 5}, Geometry{1, 3, length, 2}})
      for (const Example& example : examples_in_place(geometry)) {
        if (sample.takes_next()) expect_agreement_in_place(example, random);
        if (HasFatalFailure()) return;
      }
}

// The same granularities, with tensors large enough for several parts.
TEST(InPlace, AgreesWithTheReferenceOnSeveralThreads) {
  struct Row {
    Geometry geometry;
    Copies copies;
  };
  Random random(8);
  Sample sample;
  ThreadPool pool(3);
  const Executor executor = pool.executor();
  for (const auto& [geometry, copies] :
       {Row{{1, 1, 1001, 0}, {203}}, Row{{1, 13, 67, 0}, {233}}, Row{{1, 13, 67, 0}, {233, true}},
        Row{{1, 67, 1, 0}, {3001}}, Row{{1, 67, 1, 0}, {3001, true}}, Row{{1, 67, 1, 5}, {3001}},
        Row{{1, 96, 1, 32}, {2101, true}}, Row{{1, 7, 131, 2}, {211}}})
    for (const Example& example : examples_in_place(geometry)) {
      if (example.scale_type != float32) continue;  // trying all combinations takes too long
      if (sample.takes_next()) expect_agreement_in_place(example, random, copies, &executor);
      if (HasFatalFailure()) return;
    }
}

}  // namespace

}  // namespace touchstone::optimized::in_place_test
