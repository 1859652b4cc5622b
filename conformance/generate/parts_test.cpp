// Simpler values, and parts of nodes.
#include "conformance/generate/parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "conformance/generate/random_node.h"
#include "conformance/generate/simpler_values.h"
#include "reference/interpreter.h"
#include "reference/testing.h"

namespace touchstone::conformance::parts_test {

namespace {

using enum spec::ElementType;
using reference::Node;
using reference::Tensor;

// ---- simple values

TEST(SimplerCodes, PreferNumbersThatAreEasyToRead) {
  const auto code = [](double number) { return reference::code_of(float32, number); };
  EXPECT_LT(complexity(float32, code(0)), complexity(float32, code(1)));
  EXPECT_LT(complexity(float32, code(1)), complexity(float32, code(2)));
  EXPECT_LT(complexity(float32, code(2)), complexity(float32, code(3)));
  EXPECT_LT(complexity(float32, code(3)), complexity(float32, code(-3)));
  EXPECT_LT(complexity(float32, code(0.5)), complexity(float32, code(0x1p-149)));
  EXPECT_LT(complexity(float32, code(1.5)), complexity(float32, code(0x1.000002p0)));
  EXPECT_LT(complexity(int8, 3), complexity(int8, 0xFF & static_cast<std::uint64_t>(-100)));
  EXPECT_TRUE(simpler_codes(float32, code(0)).empty());
  EXPECT_EQ(simpler_codes(float32, code(1)), reference::Codes{0});
  EXPECT_EQ(simpler_codes(int16, 100), (reference::Codes{0, 1, 50, 75, 88, 94, 97, 99}));
  EXPECT_THAT(simpler_codes(float32, code(-0x1.8p10)), testing::Contains(code(0x1.8p10)));
}

TEST(SimplerCodes, AreSimpler) {
  for (const spec::ElementTypeInfo& row : spec::element_types) {
    SCOPED_TRACE(row.name);
    for (std::uint64_t code = 0; code < 256; ++code)
      for (const std::uint64_t simpler : simpler_codes(row.type, code))
        EXPECT_LT(complexity(row.type, simpler), complexity(row.type, code)) << code << " to " << simpler;
  }
}

TEST(ShiftedCodes, EncodeNumbersTimesAPowerOfTwo) {
  EXPECT_EQ(shifted(float16, reference::code_of(float16, 1.5), -3), reference::code_of(float16, 0.1875));
  const std::uint64_t odd = reference::code_of(float16, 0x1.004p0);
  EXPECT_EQ(shifted(float16, odd, -20), odd) << "that has fewer bits, and would be rounded";
  EXPECT_EQ(shifted(float16, odd, 20), odd) << "that would be infinity";
}

// ---- parts

/// The expected code of an element of y, whatever else differs.
std::uint64_t code_of_y(const Node& node, std::int64_t index) {
  const reference::Outcome outcome = reference::interpret(node);
  if (outcome.result() == nullptr) RC_FAIL(outcome.rejection()->reason);
  return outcome.result()->y.code(index);
}

RC_GTEST_PROP(SingleElements, AreComputedAsInTheWholeTensor, (std::uint64_t seed)) {
  const Node node = random_node(seed, 0).node;
  const reference::Outcome outcome = reference::interpret(node);
  if (outcome.result() == nullptr) return;
  const Tensor& y = outcome.result()->y;
  // Packed int4 is skipped, because its parts contain four elements instead of element i alone.
  const bool is_packed = outcome.result()->x.type() != node.inputs[0]->type();
  for (std::int64_t i = 0; i < y.size() && !is_packed; ++i)
    RC_ASSERT(code_of_y(single_element(node, *outcome.result(), i), 0) == y.code(i));
}

TEST(Parts, KeepScaleAndZeroPointOfEachElement) {
  const Node node =
      reference::quantize(21, reference::counting(float32, {1, 5}), reference::tensor(float32, {1, 3}, {1, 2, 4}),
                          reference::tensor(uint8, {1, 3}, {10, 20, 30}), {{"block_size", 2}});
  const reference::Outcome whole = reference::interpret(node);
  ASSERT_THAT(whole, reference::gives({10, 11, 21, 22, 31}));
  std::vector<std::vector<std::uint64_t>> found;
  for (const Node& part : parts(node, *whole.result())) {
    const reference::Outcome outcome = reference::interpret(part);
    ASSERT_NE(outcome.result(), nullptr);
    const Tensor& y = outcome.result()->y;
    found.emplace_back();
    for (std::int64_t i = 0; i < y.size(); ++i) found.back().push_back(y.code(i));
  }
  using List = std::vector<std::uint64_t>;
  EXPECT_THAT(found, testing::ElementsAre(List{10}, List{10, 11}, List{10, 11, 21}, List{10, 11, 21, 22},
                                          List{21, 22, 31}, List{10, 11, 31}));
}

TEST(SmallerBlocks, KeepTheFirstElementsOfEachBlock) {
  const Node node = reference::quantize(21, reference::counting(float32, {1, 6}),
                                        reference::tensor(float32, {1, 2}, {1, 2}), std::nullopt, {{"block_size", 4}});
  const reference::Outcome whole = reference::interpret(node);
  ASSERT_NE(whole.result(), nullptr);
  const std::vector<Node> smaller = smaller_blocks(node, *whole.result());
  ASSERT_EQ(smaller.size(), 3U);
  EXPECT_THAT(reference::interpret(smaller[0]), reference::gives({0, 2}));
  EXPECT_THAT(reference::interpret(smaller[1]), reference::gives({0, 1, 2, 2}));
  EXPECT_THAT(reference::interpret(smaller[2]), reference::gives({0, 1, 2, 2, 2}));
}

/// An empty tensor may have a dimension of any length.
TEST(Parts, OfTheLongestDimensionAreFew) {
  constexpr std::int64_t longest = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t block = longest / 2 + 1;
  const Node node = reference::dequantize(21, Tensor(int8, {longest, 0}), Tensor(float32, {2, 0}), std::nullopt,
                                          {{"axis", 0}, {"block_size", block}});
  const reference::Outcome whole = reference::interpret(node);
  ASSERT_NE(whole.result(), nullptr) << whole.rejection()->reason;
  EXPECT_LT(parts(node, *whole.result()).size(), 100'000U);
  std::vector<std::int64_t> lengths;
  for (const Node& smaller : smaller_blocks(node, *whole.result())) lengths.push_back(smaller.inputs[0]->shape()[0]);
  EXPECT_THAT(lengths, testing::ElementsAre(2, block, longest - 1));
}

}  // namespace

}  // namespace touchstone::conformance::parts_test
