// Which kernels run, and that those for AVX2 compute what the portable ones do wherever elements lie.
#include "optimized/isa.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "optimized/testing.h"

namespace touchstone::optimized {

namespace {

using enum ElementType;

const spec::OperatorVersion& newest(spec::Operator op) { return *spec::resolve(spec::ai_onnx, op, spec::newest_opset); }

/// Every combination of types that the newest versions have, with one granularity.
std::vector<Example> examples(const Geometry& geometry) {
  std::vector<Example> all;
  for (const spec::Operator op : {spec::Operator::quantize_linear, spec::Operator::dequantize_linear}) {
    const spec::OperatorVersion& version = newest(op);
    for (const ElementType x : version.inputs[0].types)
      for (const ElementType scale : version.inputs[1].types)
        for (const ElementType y : version.output.types)
          for (const bool has_zero_point : {false, true})
            all.push_back({&version, x, scale, y, geometry, has_zero_point});
  }
  return all;
}

void expect_same(const Example& example, Random& random) {
  SCOPED_TRACE(to_text(example));
  const Data data = random_data(random, example);
  const Tensor portable = compute(example, data, Isa::portable, Edge::back);
  for (const Edge edge : {Edge::front, Edge::back}) {
    const Tensor avx2 = compute(example, data, Isa::avx2, edge);
    for (std::int64_t i = 0; i < portable.size(); ++i)
      ASSERT_TRUE(same_element(example.y_type, avx2.code(i), portable.code(i)))
          << "element " << i << ": " << avx2.code(i) << ", not " << portable.code(i);
    const bool same_padding = portable.bytes().empty() || spec::info(example.y_type).bits >= 8 ||
                              portable.bytes().back() == avx2.bytes().back();
    ASSERT_TRUE(same_padding);
  }
}

TEST(Isa, HasNames) {
  EXPECT_EQ(isa_from_name("portable"), Isa::portable);
  EXPECT_EQ(isa_from_name("avx2"), Isa::avx2);
  EXPECT_EQ(isa_from_name("avx"), std::nullopt);
  EXPECT_TRUE(is_available(Isa::portable));
}

// CTest runs this again with TOUCHSTONE_ISA set.
TEST(Isa, IsTheOneThatTheEnvironmentNames) {
  const char* named = std::getenv("TOUCHSTONE_ISA");
  const Isa best = available_isas().back();
  const bool is_portable = named != nullptr && std::string(named) == "portable";
  EXPECT_EQ(default_isa(), is_portable ? Isa::portable : best);

  const float x = 2;
  const float scale = 1;
  std::byte y{};
  const auto bytes = [](const float& number) { return std::as_bytes(std::span(&number, 1)); };
  const Status status = quantize_linear({float32, bytes(x)}, {float32, bytes(scale)}, std::nullopt,
                                        {uint8, std::span(&y, 1)}, {1, 1, 1, 0});
  EXPECT_EQ(status.ran, default_isa());
  EXPECT_EQ(y, std::byte{2});
}

// Of QuantizeLinear, AVX2 has no kernels for exact division and for int32 on its way to narrower types; of
// DequantizeLinear, for int32 with a zero point or narrower types of y.
TEST(Isa, SaysWhichKernelsRan) {
  Random random(1);
  for (const Example& example : examples({1, 1, 3, 0})) {
    SCOPED_TRACE(to_text(example));
    const bool narrow = example.quantizes() ? example.scale_type == float16 || example.scale_type == bfloat16
                                            : example.y_type != float32;
    const bool in_float32 = example.scale_type == float8e8m0 && (example.quantizes() || example.y_type == float16);
    const bool has_kernel = example.quantizes()
                                ? example.scale_type != int32 && !(example.x_type == int32 && narrow)
                                : example.x_type != int32 || (!example.has_zero_point && (!narrow || in_float32));
    const Data data = random_data(random, example);
    const Call call(example, data, Edge::back);
    EXPECT_EQ(call(Isa::portable).ran, Isa::portable);
    if (!is_available(Isa::avx2)) continue;
    EXPECT_EQ(call(Isa::avx2).ran, has_kernel ? Isa::avx2 : Isa::portable);
  }
}

class Avx2 : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_available(Isa::avx2)) GTEST_SKIP() << "this machine has no AVX2";
  }
};

TEST_F(Avx2, IsPortableAtEveryLength) {
  Random random(2);
  for (std::int64_t length = 0; length <= 67; ++length)
    for (const Example& example : examples({1, 1, length, 0})) {
      expect_same(example, random);
      if (HasFatalFailure()) return;
    }
}

// Rows of every length around that of vectors, with a parameter for each element, row or block; and enough of them for
// their parameters to be prepared, once or several times in a row.
TEST_F(Avx2, IsPortableInEveryGranularity) {
  Random random(3);
  for (const Geometry& geometry :
       {Geometry{5, 67, 1, 0}, Geometry{33, 3, 1, 0}, Geometry{9, 40, 1, 0}, Geometry{1, 8, 37, 5},
        Geometry{1, 300, 1, 0}, Geometry{2, 3, 33, 0}, Geometry{1, 2, 300, 0}, Geometry{3, 67, 1, 32},
        Geometry{1, 700, 1, 128}, Geometry{2, 40, 1, 7}, Geometry{2, 5, 35, 2}, Geometry{2, 9, 3, 4},
        Geometry{1, 260, 2, 1}})
    for (const Example& example : examples(geometry)) {
      expect_same(example, random);
      if (HasFatalFailure()) return;
    }
}

/// AVX2 gives what the portable kernels do.
void expect_same_quotients(const Example& example, const std::vector<float>& x, float scale) {
  Data data{Tensor(float32, x_shape(example)), Tensor(float32, {}), std::nullopt};
  data.scale.set_code(0, std::bit_cast<std::uint32_t>(scale));
  for (std::int64_t i = 0; i < data.x.size(); ++i)
    data.x.set_code(i, std::bit_cast<std::uint32_t>(x[static_cast<std::size_t>(i)]));
  const Tensor portable = compute(example, data, Isa::portable, Edge::back);
  const Tensor avx2 = compute(example, data, Isa::avx2, Edge::back);
  for (std::int64_t i = 0; i < portable.size(); ++i)
    ASSERT_TRUE(same_element(example.y_type, avx2.code(i), portable.code(i)))
        << std::hexfloat << x[static_cast<std::size_t>(i)] << " / " << scale << " as " << name(example.y_type);
}

Example example_of_quotients(ElementType type, std::size_t count) {
  return {&newest(spec::Operator::quantize_linear),    float32, float32, type,
          {1, 1, static_cast<std::int64_t>(count), 0}, false};
}

/// The float32 number so many places after one.
float moved(float number, int places) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(number) + static_cast<std::uint32_t>(places));
}

/// Quotients beside ties, by so many scales: of types for which each way of dividing is used.
void expect_same_at_ties(Random& random, const std::vector<float>& scales) {
  for (const ElementType type : {int16, uint8, float8e4m3fn, float8e5m2fnuz})
    for (const float scale : scales) {
      std::vector<float> x(1024);
      for (float& number : x) {
        const double tie = random_threshold(random, type, 0);
        number =
            moved(static_cast<float>(static_cast<double>(scale) * tie), static_cast<int>(random_in(random, -2, 2)));
      }
      expect_same_quotients(example_of_quotients(type, x.size()), x, scale);
      if (::testing::Test::HasFatalFailure()) return;
    }
}

TEST_F(Avx2, DividesCorrectlyBesideTies) {
  Random random(4);
  std::vector<float> scales;
  for (int exponent = -149; exponent <= 127; exponent += 3)
    for (const float significand : {1.0F, 0x1.000002p0F, 0x1.fffffep0F, 0x1.fffffcp0F, 0x1.555556p0F, -0x1.99999ap0F})
      scales.push_back(std::ldexp(significand, exponent));
  for (int i = 0; i < 500; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    scales.push_back(std::bit_cast<float>(bits));
  }
  expect_same_at_ties(random, scales);
}

// The fixed range of a reciprocal: both sides of its ends.
TEST_F(Avx2, DividesCorrectlyAtTheEndsOfTheProvenRange) {
  Random random(5);
  for (const float end : {0x1p-100F, 0x1p100F})
    for (const float scale : {end, -end, std::nextafter(end, 0.0F), std::nextafter(end, HUGE_VALF), end * 2, end / 2})
      expect_same_at_ties(random, std::vector<float>(20, scale));
}

// avx2_division.h: the proof for types of at most 8 bits leaves out these scales. All ties beside which x / s may lie.
TEST_F(Avx2, DividesCorrectlyBesideTiesOfTheScalesThatTheProofLeavesOut) {
  for (std::uint32_t upper = 0; upper < 128; ++upper)
    for (const std::uint32_t lower : {0x0001U, 0xFFFFU}) {
      const float scale = std::bit_cast<float>(0x3F800000U | upper << 16 | lower);
      std::vector<float> x;
      for (int tie = 1; tie < 512; tie += 2)
        for (int places = -2; places <= 2; ++places)
          x.push_back(moved(static_cast<float>(static_cast<double>(scale) * tie / 2), places));
      expect_same_quotients(example_of_quotients(uint8, x.size()), x, scale);
      if (HasFatalFailure()) return;
    }
}

}  // namespace

}  // namespace touchstone::optimized
