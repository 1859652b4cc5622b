// Vectors for which ONNX's reference evaluator and ONNX Runtime agree bit for bit, and worked examples of each step.

#include "reference/testing.h"

namespace touchstone::reference::vectors_test {
namespace {

using enum spec::ElementType;
using spec::ElementType;

// ---- QuantizeLinear to float8, scale 1

struct NumberAndCode {
  double x;
  std::uint64_t code;
};

struct Float8Vectors {
  ElementType type;
  Attributes attributes;
  std::vector<NumberAndCode> rows;
};

// Several rows per line; 1.0001f * 0x1p-10 and the like are float32 numbers.
// clang-format off
const std::vector<Float8Vectors> float8_vectors{
    {float8e4m3fn, {},
     {{0x1p-9, 0x01}, {0x1p-10, 0x00}, {1.0001f * 0x1p-10, 0x01}, {3 * 0x1p-10, 0x02}, {2.5 * 0x1p-9, 0x02},
      {0.99f * 0x1p-6, 0x08}, {17, 0x58}, {18, 0x59}, {19, 0x5A}, {1.0625, 0x38}, {1.1875, 0x3A}, {240, 0x77},
      {248, 0x78}, {249, 0x78}, {-260, 0xF8}, {448, 0x7E}, {464, 0x7E}, {inf, 0x7E}, {-inf, 0xFE}, {-0x1p-10, 0x80}}},
    {float8e4m3fnuz, {},
     {{0x1p-10, 0x01}, {0x1p-11, 0x00}, {1.0001f * 0x1p-11, 0x01}, {3 * 0x1p-11, 0x02}, {2.5 * 0x1p-10, 0x02},
      {0.99f * 0x1p-7, 0x08}, {17, 0x60}, {18, 0x61}, {19, 0x62}, {1.0625, 0x40}, {1.1875, 0x42}, {240, 0x7F},
      {248, 0x7F}, {1e30f, 0x7F}, {-0.0, 0x00}, {-0x1p-11, 0x00}, {nan, 0x80}}},
    {float8e5m2, {},
     {{0x1p-16, 0x01}, {0x1p-17, 0x00}, {1.0001f * 0x1p-17, 0x01}, {3 * 0x1p-17, 0x02}, {2.5 * 0x1p-16, 0x02},
      {0.99f * 0x1p-14, 0x04}, {9, 0x48}, {10, 0x49}, {11, 0x4A}, {1.125, 0x3C}, {1.375, 0x3E}, {465, 0x5F},
      {480, 0x60}, {57344, 0x7B}, {61439, 0x7B}}},
    {float8e5m2fnuz, {},
     {{0x1p-17, 0x01}, {0x1p-18, 0x00}, {1.0001f * 0x1p-18, 0x01}, {3 * 0x1p-18, 0x02}, {2.5 * 0x1p-17, 0x02},
      {0.99f * 0x1p-15, 0x04}, {9, 0x4C}, {10, 0x4D}, {11, 0x4E}, {1.125, 0x40}, {1.375, 0x42}, {480, 0x64},
      {57344, 0x7F}, {-0.0, 0x00}}},
    {float8e4m3fnuz, {{"saturate", 0}}, {{248, 0x80}, {464, 0x80}}},
    {float8e5m2, {{"saturate", 0}}, {{57344, 0x7B}, {61439, 0x7B}, {1e30f, 0x7C}, {-70000, 0xFC}}},
    {float8e5m2fnuz, {{"saturate", 0}}, {{61440, 0x80}}},
};
// clang-format on

TEST(Vectors, QuantizeToFloat8) {
  for (const auto& [type, attributes, rows] : float8_vectors)
    for (const int opset : versions(19))
      for (const auto& [x, code] : rows)
        EXPECT_THAT(interpret(quantize(opset, vector(float32, {x}), scalar(float32, 1), scalar(type, 0), attributes)),
                    gives_codes({code}))
            << spec::name(type) << " opset " << opset << " x " << x;
}

TEST(Vectors, QuantizeToFloat8Nan) {
  for (const int opset : versions(19)) {
    const auto node = [&](ElementType type, double x, int saturate) {
      return quantize(opset, vector(float32, {x}), scalar(float32, 1), scalar(type, 0), {{"saturate", saturate}});
    };
    for (const ElementType type : {float8e4m3fn, float8e4m3fnuz, float8e5m2, float8e5m2fnuz})
      for (const int saturate : {0, 1}) EXPECT_THAT(interpret(node(type, nan, saturate)), gives({nan}));
    EXPECT_THAT(interpret(node(float8e4m3fn, 465, 0)), gives({nan}));
  }
}

// By the formula -0 + (+0) is +0. Both implementations ignore a zero point of +0, as one reading of AMB-23 does.
TEST(Vectors, QuantizeNegativeZeroToFloat8) {
  using A = spec::NegativeZeroWithZeroPoint;
  for (const int opset : versions(19))
    for (const ElementType type : {float8e4m3fn, float8e5m2})
      EXPECT_THAT(interpret(quantize(opset, vector(float32, {-0.0}), scalar(float32, 1), scalar(type, 0)),
                            Policy{}.with<A>(A::negative_zero)),
                  gives_codes({0x80}));
}

// The largest number that does not overflow, and the next float32, without saturate.
TEST(Vectors, OverflowOfFloat8) {
  struct Boundary {
    ElementType type;
    double fits, number, overflows, becomes;
  };
  const std::vector<Boundary> boundaries{
      {float8e4m3fn, 464, 448, 0x1.d00002p8, nan},
      {float8e4m3fnuz, 0x1.effffep7, 240, 248, nan},
      {float8e5m2, 0x1.dffffep15, 57344, 61440, inf},
      {float8e5m2fnuz, 0x1.dffffep15, 57344, 61440, nan},
  };
  for (const int opset : versions(19))
    for (const Boundary& row : boundaries) {
      const Tensor x = vector(float32, {row.fits, -row.fits, row.overflows, -row.overflows, inf, -inf});
      const auto node = [&](int saturate) {
        return quantize(opset, x, scalar(float32, 1), scalar(row.type, 0), {{"saturate", saturate}});
      };
      EXPECT_THAT(interpret(node(0)),
                  gives({row.number, -row.number, row.becomes, -row.becomes, row.becomes, -row.becomes}));
      const bool infinity_is_nan = opset < 24 && (row.type == float8e4m3fnuz || row.type == float8e5m2fnuz);
      const double infinity = infinity_is_nan ? nan : row.number;
      EXPECT_THAT(interpret(node(1)), gives({row.number, -row.number, row.number, -row.number, infinity, -infinity}));
    }
}

// ---- DequantizeLinear from float8, scale 1

TEST(Vectors, DequantizeFloat8) {
  const auto expect = [](int opset, ElementType type, const Codes& codes, const NumbersOrOpen& numbers) {
    const Tensor x = coded(type, {static_cast<std::int64_t>(codes.size())}, codes);
    EXPECT_THAT(interpret(dequantize(opset, x, scalar(float32, 1))), gives(numbers));
    EXPECT_THAT(interpret(dequantize(opset, x, scalar(float32, 1), scalar(type, 0))), gives(numbers));
    EXPECT_THAT(interpret(dequantize(opset, x, scalar(float16, 1))), gives(numbers));
    EXPECT_THAT(interpret(dequantize(opset, x, scalar(bfloat16, 1))), gives(numbers));
  };
  for (const int opset : versions(19)) {
    expect(opset, float8e4m3fn, {0x7F, 0xFF, 0x80, 0x01, 0xFE}, {nan, nan, -0.0, 0x1p-9, -448});
    expect(opset, float8e4m3fnuz, {0x7F, 0xFF, 0x80, 0x01, 0xFE}, {240, -240, nan, 0x1p-10, -224});
    expect(opset, float8e5m2, {0x7D, 0x7F, 0xFF, 0x7C, 0xFC, 0x01, 0x7B}, {nan, nan, nan, inf, -inf, 0x1p-16, 57344});
    expect(opset, float8e5m2fnuz, {0x7F, 0x80, 0x01, 0xFE}, {57344, nan, 0x1p-17, -49152});
  }
}

// A zero point is subtracted in float32, where 57344 - 2^-16 is 57344. By hand: times 1.015625 this is 58240, halfway
// between two bfloat16 numbers, of which 58368 is even. Without rounding the difference, it would be less than half.
TEST(Vectors, DequantizeFloat8WithZeroPoint) {
  using Product = spec::ProductPrecisionBefore23;
  for (const int opset : versions(19, 21))
    for (const Product::Reading reading : {Product::in_float32, Product::in_output_type, Product::exact_product})
      EXPECT_THAT(interpret(dequantize(opset, vector(float8e5m2, {57344}), scalar(bfloat16, 1.015625),
                                       scalar(float8e5m2, 0x1p-16)),
                            Policy{}.with<Product>(reading)),
                  gives({58368}));
}

// The sum with a zero point is rounded once. By hand: in float16 17 + 2^-9 is 17, halfway between 16 and 18.
TEST(Vectors, QuantizeToFloat8WithZeroPoint) {
  for (const int opset : versions(23)) {
    const auto node = [&](ElementType precision) {
      return quantize(opset, vector(float32, {17}), scalar(float32, 1), scalar(float8e4m3fn, 0x1p-9),
                      {{"precision", type_code(precision)}});
    };
    using A = spec::FloatZeroPointSum;
    for (const ElementType precision : {float16, float32}) EXPECT_THAT(interpret(node(precision)), gives({18}));
    const Policy in_division_type = Policy{}.with<A>(A::in_division_type);
    EXPECT_THAT(interpret(node(float16), in_division_type), gives({16}));
    EXPECT_THAT(interpret(node(float32), in_division_type), gives({18}));
  }
}

// ---- QuantizeLinear to float4 and float6, scale 1

struct SmallFloatVectors {
  ElementType type;
  int first_version;
  std::vector<NumberAndCode> rows;
};

// Several rows per line.
// clang-format off
const std::vector<SmallFloatVectors> small_float_vectors{
    {float4e2m1, 23,
     {{0, 0x0}, {0.5, 0x1}, {1, 0x2}, {1.5, 0x3}, {2, 0x4}, {3, 0x5}, {4, 0x6}, {6, 0x7},
      // ties
      {0.25, 0x0}, {0.75, 0x2}, {1.25, 0x2}, {1.75, 0x4}, {2.5, 0x4}, {3.5, 0x6}, {5, 0x6},
      // overflow
      {5.01f, 0x7}, {7, 0x7}, {1e30f, 0x7}, {-1e30f, 0xF}, {inf, 0x7}, {-inf, 0xF}, {nan, 0x7}, {-0.25, 0x8}}},
    {float6e2m3, 28,
     {{0.125, 0x01}, {0.0625, 0x00}, {0.1875, 0x02}, {1.0625, 0x08}, {1.1875, 0x0A}, {2.125, 0x10}, {2.375, 0x12},
      {4.25, 0x18}, {7.25, 0x1E}, {7.5, 0x1F}, {7.75, 0x1F}, {8, 0x1F}, {1e30f, 0x1F}, {inf, 0x1F}, {-inf, 0x3F}}},
    {float6e3m2, 28,
     {{0.0625, 0x01}, {0.03125, 0x00}, {0.09375, 0x02}, {0.5625, 0x08}, {0.6875, 0x0A}, {1.125, 0x0C}, {1.375, 0x0E},
      {9, 0x18}, {11, 0x1A}, {26, 0x1E}, {28, 0x1F}, {30, 0x1F}, {31, 0x1F}, {inf, 0x1F}, {-inf, 0x3F}}},
};
// clang-format on

TEST(Vectors, QuantizeToFloat4AndFloat6) {
  for (const auto& [type, first_version, rows] : small_float_vectors)
    for (const int opset : versions(first_version))
      for (const auto& [x, code] : rows)
        for (const int saturate : {0, 1})
          EXPECT_THAT(interpret(quantize(opset, vector(float32, {x}), scalar(float32, 1), scalar(type, 0),
                                         {{"saturate", saturate}})),
                      gives_codes({code}))
              << spec::name(type) << " opset " << opset << " x " << x;
}

/// The codes show the results of the ties: 0x12 of float6e2m3 is 2.5, 0x0E of float6e3m2 is 1.5.
TEST(Vectors, DequantizeFloat6) {
  for (const int opset : versions(28)) {
    const auto node = [&](ElementType type, const Codes& codes) {
      return dequantize(opset, coded(type, {static_cast<std::int64_t>(codes.size())}, codes), scalar(float32, 1));
    };
    EXPECT_THAT(interpret(node(float6e2m3, {0x01, 0x02, 0x08, 0x0A, 0x10, 0x12, 0x18, 0x1E, 0x1F, 0x20, 0x3F})),
                gives({0.125, 0.25, 1, 1.25, 2, 2.5, 4, 7, 7.5, -0.0, -7.5}));
    EXPECT_THAT(interpret(node(float6e3m2, {0x01, 0x02, 0x04, 0x08, 0x0A, 0x0C, 0x0E, 0x18, 0x1A, 0x1E, 0x1F, 0x20})),
                gives({0.0625, 0.125, 0.25, 0.5, 0.75, 1, 1.5, 8, 12, 24, 28, -0.0}));
  }
}

// ---- granularity

struct GranularityVectors {
  Tensor x, scale, zero_point;
  Attributes attributes;
  int first_version;
  NumbersOrOpen quantized, dequantized;  ///< the latter is empty if there is no vector
};

Tensor u8(Shape shape, const Numbers& numbers) { return tensor(uint8, std::move(shape), numbers); }
Tensor f32(Shape shape, const Numbers& numbers) { return tensor(float32, std::move(shape), numbers); }

// Two lines per row.
// clang-format off
const std::vector<GranularityVectors> granularity_vectors{
    {counting(float32, {2, 3}), f32({3}, {1, 2, 4}), u8({3}, {10, 20, 30}), {{"axis", 1}}, 13,
     {10, 20, 30, 13, 22, 31}, {}},
    {counting(float32, {2, 3}), f32({3}, {1, 2, 4}), u8({3}, {10, 20, 30}), {{"axis", -1}}, 13,
     {10, 20, 30, 13, 22, 31}, {}},
    {counting(float32, {2, 3}), f32({3}, {1, 2, 4}), u8({3}, {10, 20, 30}), {}, 13,
     {10, 20, 30, 13, 22, 31}, {}},
    {counting(float32, {2, 3}), f32({2}, {1, 2}), u8({2}, {10, 20}), {{"axis", 0}}, 13,
     {10, 11, 12, 22, 22, 22}, {}},
    {counting(float32, {3, 2}), f32({2, 2}, {1, 2, 4, 8}), u8({2, 2}, {10, 20, 30, 40}),
     {{"axis", 0}, {"block_size", 2}}, 21, {10, 20, 12, 22, 31, 41}, {-10, -38, -8, -34, -104, -280}},
    {counting(float32, {2, 3}), f32({2, 2}, {1, 2, 4, 8}), u8({2, 2}, {10, 20, 30, 40}),
     {{"axis", -1}, {"block_size", 2}}, 21, {10, 11, 21, 31, 31, 41}, {-10, -9, -36, -108, -104, -280}},
    {counting(float32, {5}), f32({3}, {1, 2, 4}), u8({3}, {10, 20, 30}), {{"axis", 0}, {"block_size", 2}}, 21,
     {10, 11, 21, 22, 31}, {-10, -9, -36, -34, -104}},
    {counting(float32, {1, 4}), f32({1, 2}, {1, 2}), u8({1, 2}, {10, 20}), {{"axis", 1}, {"block_size", 3}}, 21,
     {10, 11, 12, 22}, {}},
    {counting(float32, {2, 3}), f32({2, 1}, {1, 2}), u8({2, 1}, {10, 20}), {{"axis", 1}, {"block_size", 5}}, 21,
     {10, 11, 12, 22, 22, 22}, {}},
};
// clang-format on

TEST(Vectors, Granularities) {
  for (const GranularityVectors& row : granularity_vectors)
    for (const int opset : versions(row.first_version)) {
      EXPECT_THAT(interpret(quantize(opset, row.x, row.scale, row.zero_point, row.attributes)), gives(row.quantized));
      if (row.dequantized.empty()) continue;
      const Tensor x = counting(uint8, row.x.shape());
      EXPECT_THAT(interpret(dequantize(opset, x, row.scale, row.zero_point, row.attributes)), gives(row.dequantized));
    }
}

// ---- types of less than a byte, by their bytes

MATCHER_P(GivesBytes, expected, "gives the bytes " + ::testing::PrintToString(expected)) {
  static_cast<void>(result_listener);
  if (arg.result() == nullptr) return false;
  return std::ranges::equal(arg.result()->y.bytes(), expected,
                            [](std::byte byte, unsigned number) { return std::to_integer<unsigned>(byte) == number; });
}

OutcomeMatcher gives_bytes(const std::vector<unsigned>& bytes) { return GivesBytes(bytes); }

TEST(Vectors, PackedOutputs) {
  Numbers steps;  // fifteen from -20 to 20
  for (int i = 0; i < 15; ++i) steps.push_back(static_cast<float>(-20 + i * (40.0 / 14)));
  const auto node = [&](int opset, ElementType type) {
    return quantize(opset, f32({3, 5}, steps), f32({3}, {1, 2, 3}), vector(type, {1, 0, 1}), {{"axis", 0}});
  };
  for (const int opset : versions(21)) {
    EXPECT_THAT(interpret(node(opset, int4)), gives_bytes({0x88, 0x88, 0xd8, 0x0f, 0x31, 0x54, 0x76, 0x07}));
    EXPECT_THAT(interpret(node(opset, uint4)), gives_bytes({0x00, 0x00, 0x00, 0x00, 0x31, 0x54, 0x76, 0x08}));
  }
  for (const int opset : versions(25)) {
    EXPECT_THAT(interpret(node(opset, int2)), gives_bytes({0xaa, 0x3a, 0x55, 0x15}));
    EXPECT_THAT(interpret(node(opset, uint2)), gives_bytes({0x00, 0x00, 0xfd, 0x3f}));
  }
}

TEST(Vectors, Packing) {
  const auto expect = [](int first_version, ElementType type, const Numbers& numbers,
                         const std::vector<unsigned>& bytes) {
    const auto size = static_cast<std::int64_t>(numbers.size());
    for (const int opset : versions(first_version)) {
      EXPECT_THAT(interpret(quantize(opset, vector(float32, numbers), scalar(float32, 1), scalar(type, 0))),
                  gives_bytes(bytes));
      EXPECT_THAT(interpret(dequantize(opset, packed(type, {size}, bytes), scalar(float32, 1))),
                  gives(NumbersOrOpen(numbers.begin(), numbers.end())));
    }
  };
  expect(21, int4, {1, -2, 7}, {0xE1, 0x07});
  expect(25, uint2, {1, 0, 0, 0, 3, 3, 1, 0, 0}, {0x01, 0x1F, 0x00});
  expect(28, float6e2m3, {0, 0.125, 0.25, 0.375, 0.5}, {0x40, 0x20, 0x0C, 0x04});
}

// ---- DequantizeLinear

TEST(Vectors, Dequantize) {
  for (const int opset : versions(10)) {
    EXPECT_THAT(interpret(dequantize(opset, vector(uint8, {7, 200}), scalar(float32, -2), scalar(uint8, 7))),
                gives({-0.0, -386}));
    EXPECT_THAT(interpret(dequantize(opset, vector(int8, {-128}), scalar(float32, 1), scalar(int8, 127))),
                gives({-255}));
  }
  for (const int opset : versions(19)) {
    const Tensor x = vector(int8, {0, 65, 66, -127});
    EXPECT_THAT(interpret(dequantize(opset, x, scalar(float16, 1000))), gives_codes({0x0000, 0x7BEF, 0x7C00, 0xFC00}));
  }
  const auto expect = [](int opset, ElementType type, const Numbers& x, double zero_point,
                         const NumbersOrOpen& numbers) {
    EXPECT_THAT(interpret(dequantize(opset, vector(type, x), scalar(float32, 2), scalar(type, zero_point))),
                gives(numbers));
  };
  for (const int opset : versions(21)) {
    expect(opset, int4, {-8, 7, -1, 0, 3}, 7, {-30, 0, -16, -14, -8});
    expect(opset, uint4, {15, 7, 1, 0, 3}, 15, {0, -16, -28, -30, -24});
  }
  for (const int opset : versions(25)) expect(opset, int2, {-2, 1, -1, 0, 1}, 1, {-6, 0, -4, -2, 0});
}

// 2^(b - 127), and NaN; 2^-127 is subnormal in float32 and bfloat16.
TEST(Vectors, DequantizeByPowersOfTwo) {
  for (const int opset : versions(24)) {
    const auto node = [&](std::uint64_t code, ElementType type) {
      return dequantize(opset, vector(int8, {1, -3, 0}), coded(float8e8m0, {}, {code}), std::nullopt,
                        {{"output_dtype", type_code(type)}});
    };
    for (const ElementType type : {float32, bfloat16}) {
      EXPECT_THAT(interpret(node(0, type)), gives({0x1p-127, -3 * 0x1p-127, 0}));
      EXPECT_THAT(interpret(node(254, type)), gives({0x1p127, -inf, 0}));
    }
    for (const ElementType type : {float32, bfloat16, float16}) {
      EXPECT_THAT(interpret(node(127, type)), gives({1, -3, 0}));
      EXPECT_THAT(interpret(node(255, type)), gives({nan, nan, nan}));
    }
    EXPECT_THAT(interpret(node(103, float16)), gives({0x1p-24, -3 * 0x1p-24, 0}));
    EXPECT_THAT(interpret(node(140, float16)), gives({8192, -24576, 0}));
  }
}

// ---- QuantizeLinear to integers

TEST(Vectors, RoundAddSaturate) {
  for (const int opset : versions(10)) {
    const Tensor x = vector(float32, {0.5, 1.5, -0.5, 2.5});
    EXPECT_THAT(interpret(quantize(opset, x, scalar(float32, 1), scalar(uint8, 1))), gives({1, 3, 1, 3}));
  }
}

// Around both ends of each range, half a unit away from them and beyond.
TEST(Vectors, Saturation) {
  struct Range {
    ElementType type;
    int first_version;
    double lowest, highest;
  };
  for (const auto& [type, first_version, lowest, highest] : std::vector<Range>{{uint8, 10, 0, 255},
                                                                               {int8, 10, -128, 127},
                                                                               {uint16, 21, 0, 65535},
                                                                               {int16, 21, -32768, 32767},
                                                                               {uint4, 21, 0, 15},
                                                                               {int4, 21, -8, 7},
                                                                               {uint2, 25, 0, 3},
                                                                               {int2, 25, -2, 1}})
    for (const int opset : versions(first_version)) {
      const Tensor x = vector(float32, {lowest, lowest - 1, -1e30f, highest, highest + 1, highest + 0.25, 1e30f});
      EXPECT_THAT(interpret(quantize(opset, x, scalar(float32, 1), scalar(type, 0))),
                  gives({lowest, lowest, lowest, highest, highest, highest, highest}));
      // The zero point shifts the range of the quotient: the cases lie around it.
      EXPECT_THAT(interpret(quantize(opset, vector(float32, {-2, 2, 1}), scalar(float32, 1), scalar(type, highest))),
                  gives({highest - 2, highest, highest}));
      EXPECT_THAT(interpret(quantize(opset, vector(float32, {-2, 2, -1}), scalar(float32, 1), scalar(type, lowest))),
                  gives({lowest, lowest + 2, lowest}));
    }
}

}  // namespace
}  // namespace touchstone::reference::vectors_test
