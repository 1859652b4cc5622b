// Results do not depend on the caller's floating-point environment or on the operands' alignment, and calls restore the
// environment.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "optimized/agreement_testing.h"
#include "optimized/call_testing.h"
#include "optimized/float_environment_testing.h"

namespace touchstone::optimized::environment_test {

namespace {

using enum ElementType;

void expect_same_everywhere(const Example& example, const Data& data, const Tensor& expected) {
  SCOPED_TRACE(to_text(example));
  const Call call(example, data, Edge::back);
  for (const Isa isa : available_isas())
    for (const Environment& environment : environments()) {
      SCOPED_TRACE(::testing::Message() << name(isa) << ", rounding " << environment.rounding << ", flushes "
                                        << environment.flushes << ", traps " << environment.traps);
      EXPECT_TRUE(is_restored_by(environment, [&] { static_cast<void>(call(isa)); }));
      const Tensor y = call.y();
      for (std::int64_t i = 0; i < y.size(); ++i) EXPECT_EQ(y.code(i), expected.code(i)) << "element " << i;
    }
}

Tensor one(ElementType type, double number) { return reference::scalar(type, number); }

Tensor row(ElementType type, const reference::Numbers& numbers) {
  return reference::tensor(type, {1, 1, static_cast<std::int64_t>(numbers.size())}, numbers);
}

// 1 / 3 rounds differently upwards; 2.5 is a tie; 1e-40 is subnormal; 0 / 0, 1 / 0 and 3e38 / 0.5 raise exceptions.
TEST(Environment, OfQuantizeLinear) {
  const Example example{&newest_version(spec::Operator::quantize_linear), float32, float32, int8, {1, 1, 4, 0}, true};
  const auto expect = [&](const reference::Numbers& x, double scale, const reference::Numbers& y) {
    reference::Numbers exact_x;
    for (const double number : x) exact_x.push_back(static_cast<double>(static_cast<float>(number)));
    expect_same_everywhere(
        example, {row(float32, exact_x), one(float32, static_cast<double>(static_cast<float>(scale))), one(int8, 3)},
        row(int8, y));
  };
  expect({0.5, 1.5, 2.5, -0.5}, 1, {3, 5, 5, 3});
  expect({1.4, 1.6, -1.4, -1.6}, 1, {4, 5, 2, 1});
  expect({1e-40, -1e-40, 3e-40, 0}, 1e-40, {4, 2, 6, 3});
  expect({3e38, -3e38, 1, -1}, 0.5, {127, -128, 5, 1});
  expect({1, -1, 3e38, -3e38}, 0, {127, -128, 127, -128});
}

// 2^-148 * 0.5 and 2^-149 * 3 are subnormal; 0.1 is inexact as float16.
TEST(Environment, OfDequantizeLinear) {
  const Example example{&newest_version(spec::Operator::dequantize_linear), int8, float32, float32, {1, 1, 4, 0}, true};
  const double smallest = 0x1p-149;
  expect_same_everywhere(example, {row(int8, {3, 4, 5, -1}), one(float32, smallest), one(int8, 2)},
                         row(float32, {smallest, 2 * smallest, 3 * smallest, -3 * smallest}));
  const Example narrow{&newest_version(spec::Operator::dequantize_linear), int8, float32, float16, {1, 1, 4, 0}, false};
  // 0.1 as float16 is 1638 * 2^-14; times 3, 5, 7 and -7 this is 4914, 8190, 11466 and -11466 units of 2^-14. float16
  // numbers have 11 bits: 4914 -> 1228.5 * 4 -> 1228 * 4, 8190 -> 2047.5 * 4 -> 2048 * 4, 11466 -> 1433.25 * 8.
  expect_same_everywhere(narrow, {row(int8, {3, 5, 7, -7}), one(float32, static_cast<double>(0.1F)), std::nullopt},
                         row(float16, {4912 * 0x1p-14, 8192 * 0x1p-14, 11464 * 0x1p-14, -11464 * 0x1p-14}));
}

// 64 blocks of 32, and 64 rows of 32 channels, at addresses that are aligned only for bytes.
TEST(Alignment, DoesNotMatter) {
  Random random(6);
  for (const spec::Operator op : {spec::Operator::quantize_linear, spec::Operator::dequantize_linear})
    for (const Geometry& geometry : {Geometry{1, 2048, 1, 32}, Geometry{64, 32, 1, 0}})
      for (const Isa isa : available_isas()) {
        const bool quantizes = op == spec::Operator::quantize_linear;
        const Example example{
            &newest_version(op), quantizes ? float32 : int8, float32, quantizes ? int8 : float32, geometry, true};
        SCOPED_TRACE(to_text(example));
        const Data data = random_data(random, example);
        const auto shifted = [](std::span<const std::byte> bytes) {
          std::vector<std::byte> memory(1);
          for (const std::byte byte : bytes) memory.push_back(byte);
          return memory;
        };
        const std::vector<std::byte> x = shifted(data.x.bytes());
        const std::vector<std::byte> scale = shifted(data.scale.bytes());
        const std::vector<std::byte> zero_point = shifted(data.zero_point->bytes());
        const Tensor expected = compute(example, data, isa, Edge::front);
        std::vector<std::byte> y = shifted(expected.bytes());
        const auto after = [](auto& memory) { return std::span(memory).subspan(1); };
        std::fill(y.begin() + 1, y.end(), std::byte{0xA5});
        EXPECT_EQ(call_with(example, {after(x), after(scale), after(zero_point), after(y)}, isa).error, Error::none);
        const Tensor actual(example.y_type, x_shape(example), {y.begin() + 1, y.end()});
        for (std::int64_t i = 0; i < actual.size(); ++i)
          ASSERT_TRUE(same_element(example.y_type, actual.code(i), expected.code(i))) << i;
      }
}

}  // namespace

}  // namespace touchstone::optimized::environment_test
