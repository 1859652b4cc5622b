// The readings of the ambiguities of blocked quantization, AMB-46 to 50, 52 and 55, and those of storage and versions,
// AMB-56 to 58 and 60, as far as tensors show them.

#include "reference/testing.h"

namespace touchstone::reference::readings_blocks_test {
namespace {

using enum spec::ElementType;

/// Computes 0, 1, 2 ... times the scale.
Node multiply(int opset, Shape shape, Tensor scale, Attributes attributes) {
  return dequantize(opset, counting(uint8, std::move(shape)), std::move(scale), std::nullopt, std::move(attributes));
}

TEST(ReadingsOfBlocks, Amb46MissingBlockSize) {
  using A = spec::MissingBlockSize;
  for (const int opset : versions(21)) {  // computed by hand
    for (const Attributes& attributes : {Attributes{}, Attributes{{"block_size", 0}}})
      expect_readings<A>(multiply(opset, {2, 4}, tensor(float32, {2, 2}, {1, 2, 3, 4}), attributes),
                         {{A::invalid, rejected_by("qdq-block-size-given")},
                          {A::inferred, gives({0, 1, 4, 6, 12, 15, 24, 28})},
                          {A::one_per_element, rejected_by("qdq-block-size-given")}});
    expect_readings<A>(multiply(opset, {2, 2}, tensor(float32, {2, 2}, {1, 2, 3, 4}), {}),
                       {{A::invalid, rejected_by("qdq-block-size-given")},
                        {A::inferred, gives({0, 2, 6, 12})},
                        {A::one_per_element, gives({0, 2, 6, 12})}});
    expect_readings<A>(multiply(opset, {1, 5}, tensor(float32, {1, 2}, {1, 2}), {}),  // 3 and 2
                       {{A::invalid, rejected_by("qdq-block-size-given")},
                        {A::inferred, gives({0, 1, 2, 6, 8})},
                        {A::one_per_element, rejected_by("qdq-block-size-given")}});
  }
}

TEST(ReadingsOfBlocks, Amb46InferenceFindsBlocksAlongTheAxisOnly) {
  using A = spec::MissingBlockSize;
  const auto expect_none = [](int opset, const Shape& x, const Shape& scale, spec::ClauseRef clause,
                              const Attributes& attributes = {}) {
    const auto count = static_cast<std::size_t>(element_count(scale).value());
    expect_readings<A>(multiply(opset, x, tensor(float32, scale, Numbers(count, 1)), attributes),
                       {{A::invalid, rejected_by("qdq-block-size-given")},
                        {A::inferred, rejected_by(clause)},
                        {A::one_per_element, rejected_by("qdq-block-size-given")}});
  };
  for (const int opset : versions(21)) {
    expect_none(opset, {9, 12}, {3, 4}, "qdq-blocked-shape");    // AMB-55: two dimensions differ
    expect_none(opset, {2, 4}, {1, 4}, "qdq-blocked-shape");     // a dimension that axis does not name
    expect_none(opset, {1, 4}, {1, 3}, "qdq-block-size-given");  // 2 make two blocks, 1 makes four
    expect_none(opset, {1, 4}, {1, 8}, "qdq-block-size-given");
    expect_none(opset, {1, 4}, {1, 0}, "qdq-block-size-given");
    expect_none(opset, {1, 0}, {1, 2}, "qdq-block-size-given");
    expect_none(opset, {2, 4}, {2, 2}, "qdq-axis-range", {{"axis", 2}});
    EXPECT_THAT(interpret(multiply(opset, {4, 1}, tensor(float32, {2, 1}, {1, 2}), {{"axis", 0}}),
                          Policy{}.with<A>(A::inferred)),
                gives({0, 1, 4, 6}));
  }
}

TEST(ReadingsOfBlocks, Amb47ScalarScale) {
  using A = spec::BlockSizeWithScalarScale;
  for (const int opset : versions(21))
    expect_readings<A>(multiply(opset, {2, 2}, scalar(float32, 3), {{"block_size", 2}}),
                       {{A::ignored, gives({0, 3, 6, 9})}, {A::invalid, rejected_by("qdq-block-size-unused")}});
}

TEST(ReadingsOfBlocks, Amb47OneDimensionalScale) {
  using A = spec::BlockSizeWith1dScale;
  for (const int opset : versions(21))
    expect_readings<A>(multiply(opset, {2, 3}, vector(float32, {1, 2, 4}), {{"block_size", 2}}),
                       {{A::per_axis, gives({0, 2, 8, 3, 8, 20})}, {A::invalid, rejected_by("qdq-block-size-unused")}});
}

TEST(ReadingsOfBlocks, Amb47Rank1Blocked) {
  using A = spec::Rank1Blocked;
  for (const int opset : versions(21))
    expect_readings<A>(multiply(opset, {6}, vector(float32, {1, 2}), {{"axis", 0}, {"block_size", 3}}),
                       {{A::blocked, gives({0, 1, 2, 6, 8, 10})},
                        {A::per_tensor, gives({0, 1, 2, 3, 4, 5})},
                        {A::invalid, rejected_by("qdq-rank-1-per-tensor")}});
}

TEST(ReadingsOfBlocks, Amb47BlockCoversRank1Input) {
  using A = spec::BlockCoversRank1Input;
  for (const int opset : versions(21))
    for (const int block_size : {3, 5})
      expect_readings<A>(multiply(opset, {3}, vector(float32, {2}), {{"axis", 0}, {"block_size", block_size}}),
                         {{A::accepted, gives({0, 2, 4})}, {A::invalid, rejected_by("qdq-block-size-unused")}});
}

TEST(ReadingsOfBlocks, Amb47Rank1DefaultAxis) {
  using A = spec::Rank1BlockedDefaultAxis;
  for (const int opset : versions(21))
    expect_readings<A>(multiply(opset, {6}, vector(float32, {1, 2}), {{"block_size", 3}}),
                       {{A::invalid, rejected_by("qdq-axis-range")}, {A::axis_0, gives({0, 1, 2, 6, 8, 10})}});
}

TEST(ReadingsOfBlocks, Amb48BlockSizeRange) {
  using A = spec::BlockSizeRange;
  for (const int opset : versions(21)) {
    const auto node = [&](int block_size) {
      return multiply(opset, {1, 4}, tensor(float32, {1, 2}, {1, 2}), {{"block_size", block_size}});
    };
    expect_readings<A>(
        node(4), {{A::invalid, rejected_by("qdq-block-size-range")}, {A::extra_scales_unused, gives({0, 1, 2, 3})}});
    for (const A::Reading reading : {A::invalid, A::extra_scales_unused}) {
      const Policy policy = Policy{}.with<A>(reading);
      EXPECT_THAT(interpret(node(1), policy), rejected_by("qdq-block-size-range"));
      EXPECT_THAT(interpret(node(2), policy), gives({0, 1, 4, 6}));
      EXPECT_THAT(interpret(node(3), policy), gives({0, 1, 2, 6}));
    }
  }
}

TEST(ReadingsOfBlocks, Amb49SingleBlock) {
  using A = spec::SingleBlock;
  for (const int opset : versions(21)) {
    const auto node = [&](int block_size) {
      return multiply(opset, {2, 3}, tensor(float32, {2, 1}, {1, 2}), {{"block_size", block_size}});
    };
    const auto accepted = gives({0, 1, 2, 6, 8, 10});
    const auto rejected = rejected_by("qdq-block-size-range");
    expect_readings<A>(
        node(5), {{A::at_least_axis_length, accepted}, {A::exactly_axis_length, rejected}, {A::invalid, rejected}});
    expect_readings<A>(
        node(3), {{A::at_least_axis_length, accepted}, {A::exactly_axis_length, accepted}, {A::invalid, rejected}});
    expect_readings<A>(
        node(2), {{A::at_least_axis_length, rejected}, {A::exactly_axis_length, rejected}, {A::invalid, rejected}});
  }
}

TEST(ReadingsOfBlocks, Amb50TailBlock) {
  using A = spec::TailBlock;
  for (const int opset : versions(21)) {
    expect_readings<A>(multiply(opset, {1, 4}, tensor(float32, {1, 2}, {1, 2}), {{"block_size", 3}}),
                       {{A::short_last_block, gives({0, 1, 2, 6})},
                        {A::even_split, gives({0, 1, 4, 6})},
                        {A::interleaved, gives({0, 2, 2, 6})}});
    // 2, 2 and 1: as even as possible.
    expect_readings<A>(multiply(opset, {5}, vector(float32, {1, 2, 4}), {{"axis", 0}, {"block_size", 2}}),
                       {{A::short_last_block, gives({0, 1, 4, 6, 16})},
                        {A::even_split, gives({0, 1, 4, 6, 16})},
                        {A::interleaved, gives({0, 2, 8, 3, 8})}});
  }
}

TEST(ReadingsOfBlocks, Amb52NegativeBlockSize) {
  using A = spec::NegativeBlockSize;
  for (const int opset : versions(21)) {
    const Attributes attributes{{"block_size", -1}};
    expect_readings<A>(multiply(opset, {1, 4}, scalar(float32, 2), attributes),
                       {{A::invalid, rejected_by("qdq-block-size-positive")}, {A::ignored, gives({0, 2, 4, 6})}});
    expect_readings<A>(
        multiply(opset, {1, 4}, tensor(float32, {1, 2}, {1, 2}), attributes),
        {{A::invalid, rejected_by("qdq-block-size-positive")}, {A::ignored, rejected_by("qdq-block-size-given")}});
  }
}

TEST(ReadingsOfBlocks, Amb55SeveralBlockedDimensions) {
  using A = spec::SeveralBlockedDimensions;
  for (const int opset : versions(21)) {
    Numbers blocks;  // of 3 x 3, numbered from 1
    for (int row = 0; row < 9; ++row)
      for (int column = 0; column < 12; ++column) {
        const int block = 4 * (row / 3) + column / 3 + 1;
        blocks.push_back(block);
      }
    const Node node =
        dequantize(opset, tensor(uint8, {9, 12}, Numbers(108, 1)),
                   tensor(float32, {3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), std::nullopt, {{"block_size", 3}});
    expect_readings<A>(node, {{A::invalid, rejected_by("qdq-blocked-shape")},
                              {A::blocked_in_each, gives(NumbersOrOpen(blocks.begin(), blocks.end()))}});
    // One dimension differs, but not that of axis; and more blocks than elements.
    const auto ones = [](std::size_t count) { return Numbers(count, 1); };
    expect_no_question<A>(multiply(opset, {9, 12}, tensor(float32, {1, 12}, ones(12)), {{"block_size", 3}}),
                          rejected_by("qdq-blocked-shape"));
    expect_no_question<A>(multiply(opset, {2, 2}, tensor(float32, {4, 4}, ones(16)), {{"block_size", 1}}),
                          rejected_by("qdq-blocked-shape"));
  }
}

// AMB-56: the interpreter does not consult it, because a tensor only stores its padding.
TEST(ReadingsOfStorage, Amb56PaddingOfInputsChangesNothing) {
  for (const int opset : versions(21))
    for (const unsigned padding : {0x00u, 0x70u, 0xF0u}) {
      const Tensor x = packed(int4, {3}, {0xE1, padding | 0x07});
      const Tensor zero_point = packed(int4, {1}, {padding | 0x01});
      EXPECT_THAT(interpret(dequantize(opset, x, scalar(float32, 1), zero_point)), gives({0, -3, 6}));
    }
  for (const int opset : versions(25))
    for (const unsigned padding : {0x00u, 0xA8u, 0xFCu})
      EXPECT_THAT(interpret(dequantize(opset, packed(uint2, {5}, {0xE4, padding | 0x02}), scalar(float32, 1))),
                  gives({0, 1, 2, 3, 2}));
}

// AMB-57: the first of two float4 elements is in the low half.
TEST(ReadingsOfStorage, Amb57Float4LowHalfFirst) {
  for (const int opset : versions(23))
    EXPECT_THAT(interpret(dequantize(opset, packed(float4e2m1, {3}, {0x72, 0x09}), scalar(float32, 1))),
                gives({1, 6, -0.5}));
}

// AMB-58: rows of zero points begin within a byte. Element k is in half k.
TEST(ReadingsOfStorage, Amb58ZeroPointsArePackedFlat) {
  const Tensor scales = tensor(float32, {3, 3}, Numbers(9, 1));
  for (const int opset : versions(21)) {
    const Tensor zero_points = packed(uint4, {3, 3}, {0x21, 0x43, 0x65, 0x87, 0x09});
    EXPECT_THAT(
        interpret(dequantize(opset, tensor(uint4, {3, 3}, Numbers(9, 10)), scales, zero_points, {{"block_size", 1}})),
        gives({9, 8, 7, 6, 5, 4, 3, 2, 1}));
    EXPECT_THAT(interpret(dequantize(opset, tensor(uint4, {1, 3}, Numbers(3, 10)), vector(float32, {1, 1, 1}),
                                     packed(uint4, {3}, {0x21, 0x03}))),
                gives({9, 8, 7}));
  }
}

TEST(ReadingsOfVersions, Amb60OpsetsBetweenVersions) {
  using A = spec::OpsetsBetweenVersions;
  const Policy newest_known = Policy{}.with<A>(A::newest_known);
  for (const int opset : {11, 12, 14, 15, 16, 17, 18, 20, 22, 26, 27}) {
    const Node node = multiply(opset, {2}, scalar(float32, 1), {});
    EXPECT_EQ(operator_version(node).since_version, versions(10, opset).back());
    EXPECT_EQ(operator_version(node, newest_known).since_version, versions(10).back());
    expect_readings<A>(node, {{A::newest_not_above, gives({0, 1})},
                              {A::newest_known, gives({0, 1})},
                              {A::exact_only, rejected_by("onnx-opset-resolution")}});
  }
  for (const int opset : versions(10)) {
    const Node node = multiply(opset, {2}, scalar(float32, 1), {});
    EXPECT_EQ(operator_version(node, newest_known).since_version, opset);
    expect_no_question<A>(node, gives({0, 1}));
  }
  // Attributes depend on the version.
  const Node with_block_size = multiply(20, {1, 2}, tensor(float32, {1, 1}, {3}), {{"block_size", 2}});
  EXPECT_THAT(interpret(with_block_size), rejected_by("onnx-known-attributes"));
  EXPECT_THAT(interpret(with_block_size, newest_known), gives({0, 3}));
}

}  // namespace
}  // namespace touchstone::reference::readings_blocks_test
