// Worked examples of com.microsoft's operators. All were computed by hand. ONNX Runtime 1.30 gives the same results for
// those marked "run".

#include "reference/testing.h"

namespace touchstone::reference::vectors_microsoft_test {
namespace {

using enum spec::ElementType;
using spec::ElementType;

const Tensor x_2_3 = counting(float32, {2, 3});

TEST(MicrosoftVectors, QuantizePerAxis) {  // run
  const Tensor scales = vector(float32, {1, 2, 4});
  const Tensor zero_points = vector(uint8, {10, 20, 30});
  for (const int axis : {1, -1})
    EXPECT_THAT(interpret(microsoft_quantize(x_2_3, scales, zero_points, {{"axis", axis}})),
                gives({10, 20, 30, 13, 22, 31}));
  for (const int axis : {0, -2})
    EXPECT_THAT(
        interpret(microsoft_quantize(x_2_3, vector(float32, {1, 2}), vector(uint8, {10, 20}), {{"axis", axis}})),
        gives({10, 11, 12, 22, 22, 22}));
}

TEST(MicrosoftVectors, DequantizePerAxis) {
  const Tensor x = counting(uint8, {2, 1, 3});
  EXPECT_THAT(interpret(microsoft_dequantize(x, vector(float32, {1, 2, 4}), vector(uint8, {0, 1, 2}), {{"axis", 2}})),
              gives({0, 0, 0, 3, 6, 12}));
  EXPECT_THAT(interpret(microsoft_dequantize(x, vector(float16, {1, 0.5}), vector(uint8, {5, 1}), {{"axis", 0}})),
              ::testing::AllOf(gives_type(float16, {2, 1, 3}), gives({-5, -4, -3, 1, 1.5, 2})));
  EXPECT_THAT(interpret(microsoft_dequantize(x, vector(float32, {3}), vector(uint8, {1}), {{"axis", 1}})),
              gives({-3, 0, 3, 6, 9, 12}));
  EXPECT_THAT(
      interpret(microsoft_dequantize(counting(uint8, {3}), vector(float32, {1, 2, 4}), std::nullopt, {{"axis", 0}})),
      gives({0, 2, 8}));
}

TEST(MicrosoftVectors, QuantizePerTensor) {
  const Tensor x = vector(float32, {-1e6, -300, -1.5, -0.5, 0.5, 1.5, 2.5, 300, 1e6});
  const auto expect = [&](ElementType type, double zero_point, const NumbersOrOpen& numbers) {
    EXPECT_THAT(interpret(microsoft_quantize(x, scalar(float32, 1), scalar(type, zero_point))),
                ::testing::AllOf(gives_type(type, {9}), gives(numbers)))
        << spec::name(type);
  };
  expect(uint8, 1, {0, 0, 0, 1, 1, 3, 3, 255, 255});
  expect(int8, 1, {-128, -128, -1, 1, 1, 3, 3, 127, 127});
  expect(uint16, 1, {0, 0, 0, 1, 1, 3, 3, 301, 65535});
  expect(int16, 1, {-32768, -299, -1, 1, 1, 3, 3, 301, 32767});
  expect(uint4, 1, {0, 0, 0, 1, 1, 3, 3, 15, 15});
  expect(int4, 1, {-8, -8, -1, 1, 1, 3, 3, 7, 7});
  EXPECT_THAT(interpret(microsoft_quantize(x, scalar(float32, 1))),
              ::testing::AllOf(gives_type(uint8, {9}), gives({0, 0, 0, 0, 0, 2, 2, 255, 255})));
}

TEST(MicrosoftVectors, QuantizeFloat16) {
  // 155.469, 107.352; and 5 / 2 and 7 / 2, which are ties.
  EXPECT_THAT(interpret(microsoft_quantize(vector(float16, {26, 17.953125}), scalar(float16, 0.167236328125))),
              gives({155, 107}));
  EXPECT_THAT(interpret(microsoft_quantize(vector(float16, {5, 7, -5}), scalar(float16, 2), scalar(int8, -1))),
              gives({1, 3, -3}));
}

TEST(MicrosoftVectors, QuantizeToFourBitsInRowsOfFive) {
  Numbers steps;  // fifteen from -20 to 20
  for (int i = 0; i < 15; ++i) steps.push_back(static_cast<float>(-20 + i * (40.0 / 14)));
  const auto node = [&](ElementType type) {
    return microsoft_quantize(tensor(float32, {3, 5}, steps), vector(float32, {1, 2, 3}), vector(type, {1, 0, 1}),
                              {{"axis", 0}});
  };
  EXPECT_THAT(interpret(node(int4)), gives({-8, -8, -8, -8, -8, -3, -1, 0, 1, 3, 4, 5, 6, 7, 7}));
  EXPECT_THAT(interpret(node(uint4)), gives({0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 4, 5, 6, 7, 8}));
}

TEST(MicrosoftVectors, DequantizePerTensor) {
  const auto expect = [](ElementType type, const Numbers& x, double zero_point, const NumbersOrOpen& numbers) {
    EXPECT_THAT(interpret(microsoft_dequantize(vector(type, x), scalar(float32, 2), scalar(type, zero_point))),
                gives(numbers))
        << spec::name(type);
  };
  expect(uint8, {0, 3, 128, 255}, 128, {-256, -250, 0, 254});
  expect(int8, {-128, 0, 127}, 127, {-510, -254, 0});
  expect(uint16, {0, 65535}, 65535, {-131070, 0});
  expect(int16, {-32768, 32767}, 32767, {-131070, 0});
  expect(int4, {-8, 7, -1, 0, 3}, 7, {-30, 0, -16, -14, -8});
  expect(uint4, {15, 7, 1, 0, 3}, 15, {0, -16, -28, -30, -24});
  expect(int32, {16777217, -5}, 5, {33554424, -20});  // run, for the first
  // 65000 lies between 64992 and 65024.
  EXPECT_THAT(interpret(microsoft_dequantize(vector(int8, {0, 65, 66, -127}), scalar(float16, 1000))),
              gives({0, 64992, inf, -inf}));
}

TEST(MicrosoftVectors, PackedZeroPoints) {
  // Low half first: 1, 2, 3.
  EXPECT_THAT(interpret(microsoft_dequantize(tensor(uint4, {1, 3}, {10, 10, 10}), vector(float32, {1, 1, 1}),
                                             packed(uint4, {3}, {0x21, 0x03}), {{"axis", 1}})),
              gives({9, 8, 7}));
}

}  // namespace
}  // namespace touchstone::reference::vectors_microsoft_test
