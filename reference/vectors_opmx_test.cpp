// Worked examples of opmx DequantizeLinear. Everything was computed by hand from the page.

#include <cstddef>
#include <vector>

#include "reference/opmx_testing.h"

namespace touchstone::reference::vectors_opmx_test {
namespace {

using enum spec::ElementType;
using spec::ElementType;
using spec::Granularity;

// Rows 4p, 4p + 1 ... occupy higher and higher bits: 1, 2, 3, 15 are 0xF321.
TEST(OpmxVectors, FourRowsInOneElement) {
  ASSERT_EQ(code_of(int16, -3295) & 0xFFFF, 0xF321u);
  EXPECT_THAT(interpret(int4_node(tensor(int16, {1, 1}, {-3295}), scalar(float32, 1), no_groups)),
              ::testing::AllOf(gives_type(float32, {4, 1}), gives({1 - 8, 2 - 8, 3 - 8, 15 - 8})));
}

TEST(OpmxVectors, GroupsOfTwoColumns) {
  const Tensor x = tensor(int16, {1, 2}, {-3295, -30584});  // rows 1, 2, 3, 15; and 8, four times
  const Node node = int4_node(x, tensor(float32, {4, 1}, {1, 2, 0.5, 4}), groups(1, 2));
  EXPECT_THAT(interpret(node), ::testing::AllOf(gives_type(float32, {4, 2}), gives({-7, 0, -12, 0, -2.5, 0, 28, 0})));
  EXPECT_EQ(interpret(node).result()->x.type(), int4x4);
}

// ---- every combination of data, granularity and axis

/// 1, -2, 3 and -128, 127, 0.
const Tensor int8_2_3 = tensor(int8, {2, 3}, {1, -2, 3, -128, 127, 0});
const Tensor int8_2_4 = tensor(int8, {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
const Tensor int8_4_2 = tensor(int8, {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});

/// Column 0 has the codes 1 to 8, column 1 the codes 9 to 15 and 0. Minus 8: -7 to 0; 1 to 7 and -8.
const Tensor int4_8_2 = coded(int16, {2, 2}, {0x4321, 0xCBA9, 0x8765, 0x0FED});

TEST(OpmxVectors, Int8PerTensor) {
  for (const Tensor& scale : {scalar(float32, 0.5), vector(float32, {0.5})}) {
    const Outcome outcome = interpret(int8_node(int8_2_3, scale, no_groups));
    EXPECT_THAT(outcome, ::testing::AllOf(gives_type(float32, {2, 3}), gives({0.5, -1, 1.5, -64, 63.5, 0})));
    EXPECT_EQ(outcome.result()->parameters.granularity, Granularity::per_tensor);
    EXPECT_EQ(outcome.result()->x.type(), int8);
  }
}

TEST(OpmxVectors, Int8PerChannel) {
  const Node rows = int8_node(int8_2_3, tensor(float32, {2, 1}, {2, 10}), no_groups);
  EXPECT_THAT(interpret(rows), gives({2, -4, 6, -1280, 1270, 0}));
  EXPECT_EQ(interpret(rows).result()->parameters.granularity, Granularity::per_axis);
  EXPECT_THAT(interpret(int8_node(int8_2_3, tensor(float32, {1, 3}, {1, 10, 100}), groups(0, 0))),
              gives({1, -20, 300, -128, 1270, 0}));
}

TEST(OpmxVectors, Int8Grouped) {
  const Tensor scale = tensor(float32, {2, 2}, {1, 10, 100, 1000});
  const Node columns = int8_node(int8_2_4, scale, groups(1, 2));
  EXPECT_THAT(interpret(columns), gives({1, 2, 30, 40, 500, 600, 7000, 8000}));
  EXPECT_EQ(interpret(columns).result()->parameters.granularity, Granularity::blocked);
  EXPECT_THAT(interpret(int8_node(int8_4_2, scale, groups(0, 2))), gives({1, 20, 3, 40, 500, 6000, 700, 8000}));
}

TEST(OpmxVectors, Int4PerTensor) {
  for (const Tensor& scale : {scalar(float32, 0.5), vector(float32, {0.5})})
    EXPECT_THAT(interpret(int4_node(int4_8_2, scale, no_groups)),
                ::testing::AllOf(gives_type(float32, {8, 2}),
                                 gives({-3.5, 0.5, -3, 1, -2.5, 1.5, -2, 2, -1.5, 2.5, -1, 3, -0.5, 3.5, 0, -4})));
}

TEST(OpmxVectors, Int4PerChannel) {
  const Tensor rows = tensor(float32, {8, 1}, {1, 2, 4, 8, 16, 32, 64, 128});
  const NumbersOrOpen expected{-7, 1, -12, 4, -20, 12, -32, 32, -48, 80, -64, 192, -64, 448, 0, -1024};
  EXPECT_THAT(interpret(int4_node(int4_8_2, rows, no_groups)), gives(expected));
  EXPECT_THAT(interpret(int4_node(int4_8_2, rows, groups(1, 2))), gives(expected));  // one group is the whole row
  EXPECT_THAT(interpret(int4_node(int4_8_2, tensor(float32, {1, 2}, {1, 10}), groups(0, 0))),
              gives({-7, 10, -6, 20, -5, 30, -4, 40, -3, 50, -2, 60, -1, 70, 0, -80}));
}

TEST(OpmxVectors, Int4Grouped) {
  const Tensor scale = tensor(float32, {4, 2}, {1, 10, 2, 20, 4, 40, 8, 80});
  EXPECT_THAT(interpret(int4_node(int4_8_2, scale, groups(0, 2))),
              gives({-7, 10, -6, 20, -10, 60, -8, 80, -12, 200, -8, 240, -8, 560, 0, -640}));
  const Tensor whole = tensor(float32, {1, 2}, {1, 10});
  EXPECT_THAT(interpret(int4_node(int4_8_2, whole, groups(0, 8))),
              gives({-7, 10, -6, 20, -5, 30, -4, 40, -3, 50, -2, 60, -1, 70, 0, -80}));
  const Tensor single = tensor(float32, {8, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
  for (const int axis : {0, 1})
    EXPECT_THAT(interpret(int4_node(int4_8_2, single, groups(axis, 1))),
                gives({-7, 2, -18, 8, -25, 18, -28, 32, -27, 50, -22, 72, -13, 98, 0, -128}));
}

// ---- zero points

TEST(OpmxVectors, IntegerZeroPoints) {
  EXPECT_THAT(interpret(int8_node(int8_2_3, scalar(float32, 0.5), scalar(int8, -2), asymmetric)),
              gives({1.5, 0, 2.5, -63, 64.5, 1}));
  EXPECT_THAT(interpret(int8_node(int8_4_2, tensor(float32, {2, 2}, {1, 10, 100, 1000}),
                                  tensor(int8, {2, 2}, {1, 2, 3, 4}), groups(0, 2, true))),
              gives({0, 0, 2, 20, 200, 2000, 400, 4000}));
  // Codes are counted from 0, and so is the zero point: one int8 for each scale, not packed.
  EXPECT_THAT(interpret(int4_node(int4_8_2, tensor(float32, {4, 2}, {1, 10, 2, 20, 4, 40, 8, 80}),
                                  tensor(int8, {4, 2}, {0, 15, 1, 2, 3, 4, 5, 6}), groups(0, 2, true))),
              gives({1, -60, 2, -50, 4, 180, 6, 200, 8, 360, 12, 400, 16, 720, 24, -480}));
}

TEST(OpmxVectors, FloatZeroPoints) {
  EXPECT_THAT(interpret(int8_node(int8_2_3, scalar(float32, 0.5), scalar(float32, 1.25), biased)),
              gives({1.75, 0.25, 2.75, -62.75, 64.75, 1.25}));
  const Tensor zero_points = tensor(float16, {8, 1}, {0, 0.5, 1, 1.5, -2, -2.5, -3, 100});
  EXPECT_THAT(interpret(int4_node(int4_8_2, tensor(float32, {8, 1}, {1, 2, 4, 8, 16, 32, 64, 128}), zero_points,
                                  groups(1, 2, true, true))),
              gives({-7, 1, -11.5, 4.5, -19, 13, -30.5, 33.5, -50, 78, -66.5, 189.5, -67, 445, 100, -924}));
}

TEST(OpmxVectors, EmptyZeroPointsCountAsAbsent) {
  EXPECT_THAT(interpret(int8_node(int8_2_3, scalar(float32, 0.5), vector(int8, {}), no_groups)),
              gives({0.5, -1, 1.5, -64, 63.5, 0}));
}

// ---- types, ranks and group sizes

TEST(OpmxVectors, YHasTheTypeOfScale) {
  for (const ElementType type : {float32, float16}) {
    EXPECT_THAT(interpret(int8_node(int8_2_3, scalar(type, 2), no_groups)), gives_type(type, {2, 3}));
    EXPECT_THAT(interpret(int4_node(int4_8_2, scalar(type, 2), no_groups)), gives_type(type, {8, 2}));
    for (const ElementType zero_point : {float32, float16})
      EXPECT_THAT(interpret(int8_node(int8_2_3, scalar(type, 2), scalar(zero_point, 1), biased)),
                  gives_type(type, {2, 3}));
  }
}

// 129 * 0.0999755859375 = 12.8968505859375, between the float16 numbers 12.890625 and 12.8984375.
TEST(OpmxVectors, TheProductIsRoundedOnce) {
  const Tensor x = vector(int8, {127});
  EXPECT_THAT(interpret(int8_node(x, scalar(float16, 0x1.998p-4), scalar(int8, -2), asymmetric)), gives({12.8984375}));
}

// A scale may be any number. 0 * infinity is NaN; for int4 data, code 8 is 0.
TEST(OpmxVectors, UnusualScales) {
  const Tensor codes = coded(int16, {1, 1}, {0x0987});  // 7, 8, 9, 0
  EXPECT_THAT(interpret(int4_node(codes, scalar(float32, -2), no_groups)), gives({2, -0.0, -2, 16}));
  EXPECT_THAT(interpret(int4_node(codes, scalar(float32, 0), no_groups)), gives({-0.0, 0, 0, -0.0}));
  EXPECT_THAT(interpret(int4_node(codes, scalar(float16, inf), no_groups)), gives({-inf, nan, inf, -inf}));
  EXPECT_THAT(interpret(int4_node(codes, scalar(float32, nan), no_groups)), gives({nan, nan, nan, nan}));
  EXPECT_THAT(interpret(int8_node(int8_2_3, scalar(float32, 1), scalar(float32, nan), biased)),
              gives({nan, nan, nan, nan, nan, nan}));
}

TEST(OpmxVectors, OtherRanks) {
  EXPECT_THAT(interpret(int8_node(scalar(int8, 3), scalar(float32, 2), no_groups)),
              ::testing::AllOf(gives_type(float32, {}), gives({6})));
  EXPECT_THAT(interpret(int8_node(vector(int8, {1, 2, 3, 4}), vector(float32, {1, 10}), groups(0, 2))),
              gives({1, 2, 30, 40}));
  // The following dimensions keep their length in Scale, grouped and per channel.
  const Tensor x = tensor(int8, {1, 4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_THAT(interpret(int8_node(x, tensor(float32, {1, 2, 2}, {1, 10, 100, 1000}), groups(1, 2))),
              gives({1, 20, 3, 40, 500, 6000, 700, 8000}));
  EXPECT_THAT(interpret(int8_node(x, tensor(float32, {1, 1, 2}, {1, 10}), no_groups)),
              gives({1, 20, 3, 40, 5, 60, 7, 80}));
  // Rows 1, 2, 3, 4 and 5, 6, 7, 8 of a tensor of shape [4,1,2].
  EXPECT_THAT(interpret(int4_node(coded(int16, {1, 1, 2}, {0x4321, 0x8765}), scalar(float32, 1), no_groups)),
              ::testing::AllOf(gives_type(float32, {4, 1, 2}), gives({-7, -3, -6, -2, -5, -1, -4, 0})));
}

/// x contains ones, and each scale is its own index, so that y shows which scale an element used.
NumbersOrOpen places(std::int64_t rows, std::int64_t columns, std::int64_t axis, std::int64_t group_size) {
  const std::int64_t scales_in_a_row = axis == 1 ? columns / group_size : columns;
  NumbersOrOpen expected;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t k = 0; k < columns; ++k)
      expected.push_back(
          static_cast<double>(axis == 1 ? i * scales_in_a_row + k / group_size : i / group_size * scales_in_a_row + k));
  return expected;
}

TEST(OpmxVectors, GroupSizes) {
  for (const std::int64_t group_size : {1, 32, 64, 128, 256}) {
    const Tensor ones = tensor(int8, {4, 256}, Numbers(1024, 1));
    EXPECT_THAT(interpret(int8_node(ones, counting(float32, {4, 256 / group_size}), groups(1, group_size))),
                gives(places(4, 256, 1, group_size)));
    const Tensor wide = coded(int16, {1, 256}, Codes(256, 0x9999));
    EXPECT_THAT(interpret(int4_node(wide, counting(float32, {4, 256 / group_size}), groups(1, group_size))),
                gives(places(4, 256, 1, group_size)));
    const Tensor high = coded(int16, {64, 3}, Codes(192, 0x9999));
    EXPECT_THAT(interpret(int4_node(high, counting(float32, {256 / group_size, 3}), groups(0, group_size))),
                gives(places(256, 3, 0, group_size)));
  }
}

TEST(OpmxVectors, GroupsOf128ByDefault) {
  const Tensor x = coded(int16, {1, 256}, Codes(256, 0x9999));
  EXPECT_THAT(interpret(int4_node(x, counting(float32, {4, 2}), Attributes{})), gives(places(4, 256, 1, 128)));
  const Tensor high = coded(int16, {64, 2}, Codes(128, 0x9999));
  EXPECT_THAT(interpret(int4_node(high, counting(float32, {2, 2}), Attributes{{"quant_axis", 0}})),
              gives(places(256, 2, 0, 128)));
}

TEST(OpmxVectors, EmptyTensors) {
  EXPECT_THAT(interpret(int4_node(Tensor(int16, {0, 3}), tensor(float32, {0, 1}, {}), no_groups)),
              gives_type(float32, {0, 3}));
  EXPECT_THAT(interpret(int4_node(Tensor(int16, {2, 0}), tensor(float32, {8, 0}, {}), groups(1, 128))),
              gives_type(float32, {8, 0}));
  EXPECT_THAT(interpret(int4_node(Tensor(int16, {2, 0}), tensor(float32, {1, 0}, {}), groups(0, 8))),
              gives_type(float32, {8, 0}));
  EXPECT_THAT(interpret(int8_node(Tensor(int8, {0}), scalar(float16, 1), no_groups)), gives_type(float16, {0}));
}

// ---- mistakes that must not cancel out

/// A matrix whose Scale, of shape [8,8], could also be transposed.
TEST(OpmxVectors, EachMistakeIsVisible) {
  Codes codes;
  for (std::uint64_t i = 0; i < 32; ++i) codes.push_back(0x3210 + 0x1111 * (i % 11) + i);
  Numbers scales, turned;
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < 8; ++k) {
      scales.push_back(1 + 8 * i + k);
      turned.push_back(1 + 8 * k + i);
    }
  const Tensor x = coded(int16, {2, 16}, codes);
  const auto node = [&](const Numbers& numbers) {
    return int4_node(x, tensor(float32, {8, 8}, numbers), groups(1, 2));
  };
  using A = spec::NibbleOrder;
  std::vector<Outcome> outcomes{interpret(node(turned))};
  for (const A::Reading order : {A::low_nibble_first, A::high_nibble_first, A::strided_rows, A::columns})
    outcomes.push_back(interpret(node(scales), Policy{}.with<A>(order)));
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(same_value(outcomes[i], outcomes[k])) << i << ' ' << k;
  EXPECT_THAT(outcomes.back(), rejected_by("pmx-grouped-shape"));  // columns give a matrix of shape [2,64]
}

}  // namespace
}  // namespace touchstone::reference::vectors_opmx_test
