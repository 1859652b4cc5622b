// Laws that need no reference: they hold of every instruction set by themselves.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "optimized/testing.h"

namespace touchstone::optimized {

namespace {

using enum ElementType;

std::span<const std::byte> bytes_of(const std::vector<float>& numbers) { return std::as_bytes(std::span(numbers)); }

Isa any_isa() { return *rc::gen::elementOf(available_isas()); }

ElementType any_integer() { return *rc::gen::element(uint16, int16, uint8, int8, uint4, int4, uint2, int2); }

/// Positive, and neither so small nor so large that quotients or products leave the normal numbers.
float any_scale() {
  const int significand = *rc::gen::inRange(1 << 23, 1 << 24);
  return std::ldexp(static_cast<float>(significand), *rc::gen::inRange(-60, 60) - 23);
}

std::vector<float> any_numbers(std::size_t count, float scale, double largest_quotient) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  std::uniform_real_distribution<double> quotients(-largest_quotient, largest_quotient);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = static_cast<float>(static_cast<double>(scale) * quotients(random));
  return numbers;
}

/// From float32, with scales and zero points as they come.
Tensor quantized(const std::vector<float>& x, const std::vector<float>& scale, const Tensor& zero_point,
                 const Geometry& geometry, Isa isa) {
  QuantizeOptions options;
  options.isa = isa;
  std::vector<std::byte> y(
      static_cast<std::size_t>(packed_bytes(zero_point.type(), static_cast<std::int64_t>(x.size()))));
  const Status status = quantize_linear({float32, bytes_of(x)}, {float32, bytes_of(scale)},
                                        ConstTensorView{zero_point.type(), zero_point.bytes()}, {zero_point.type(), y},
                                        geometry, options);
  RC_ASSERT(status.error == Error::none);
  return Tensor(zero_point.type(), {static_cast<std::int64_t>(x.size())}, y);
}

std::vector<float> dequantized(const Tensor& x, const std::vector<float>& scale, const Tensor& zero_point,
                               const Geometry& geometry, Isa isa) {
  DequantizeOptions options;
  options.isa = isa;
  std::vector<float> y(static_cast<std::size_t>(x.size()));
  const Status status = dequantize_linear({x.type(), x.bytes()}, {float32, bytes_of(scale)},
                                          ConstTensorView{zero_point.type(), zero_point.bytes()},
                                          {float32, std::as_writable_bytes(std::span(y))}, geometry, options);
  RC_ASSERT(status.error == Error::none);
  return y;
}

std::vector<float> dequantized(const Tensor& x, float scale, const Tensor& zero_point, Isa isa) {
  return dequantized(x, std::vector<float>{scale}, zero_point, {1, 1, x.size(), 0}, isa);
}

Tensor repeated(const Tensor& scalar, std::int64_t count) {
  Tensor tensor(scalar.type(), {count});
  for (std::int64_t i = 0; i < count; ++i) tensor.set_code(i, scalar.code(0));
  return tensor;
}

Tensor any_zero_point(ElementType type) {
  Tensor zero_point(type, {});
  zero_point.set_code(0, *rc::gen::arbitrary<std::uint64_t>());
  return zero_point;
}

Tensor any_codes(ElementType type, std::int64_t count) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  return random_tensor(random, type, {count});
}

/// About 1, so that quotients of the same numbers by them differ.
std::vector<float> any_scales(std::int64_t count) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  std::vector<float> scales(static_cast<std::size_t>(count));
  for (float& scale : scales) scale = std::uniform_real_distribution<float>(0.125F, 8.0F)(random);
  return scales;
}

bool same_bytes(const Tensor& left, const Tensor& right) { return std::ranges::equal(left.bytes(), right.bytes()); }

RC_GTEST_PROP(Laws, GranularityDoesNotMatterIfScalesAreEqual, ()) {
  const Isa isa = any_isa();
  const Tensor zero_point = any_zero_point(any_integer());
  const float scale = any_scale();
  const std::int64_t outer = *rc::gen::inRange(1, 5);
  const std::int64_t axis = *rc::gen::inRange(1, 70);
  const std::int64_t inner = *rc::gen::inRange(1, 40);
  const std::int64_t block = *rc::gen::inRange(1, 70);
  const std::vector<float> x = any_numbers(static_cast<std::size_t>(outer * axis * inner), scale, 300);
  const auto with = [&](const Geometry& geometry, std::int64_t parameters) {
    return quantized(x, std::vector<float>(static_cast<std::size_t>(parameters), scale),
                     repeated(zero_point, parameters), geometry, isa);
  };
  const Tensor per_tensor = with({1, 1, outer * axis * inner, 0}, 1);
  RC_ASSERT(same_bytes(with({outer, axis, inner, 0}, axis), per_tensor));
  RC_ASSERT(same_bytes(with({outer, axis, inner, block}, outer * ((axis + block - 1) / block) * inner), per_tensor));
}

RC_GTEST_PROP(Laws, GranularityOfCodesDoesNotMatterEither, ()) {
  const Isa isa = any_isa();
  const ElementType type = any_integer();
  const Tensor zero_point = any_zero_point(type);
  const float scale = any_scale();
  const std::int64_t outer = *rc::gen::inRange(1, 5);
  const std::int64_t axis = *rc::gen::inRange(1, 70);
  const std::int64_t inner = *rc::gen::inRange(1, 40);
  const std::int64_t block = *rc::gen::inRange(1, 70);
  const Tensor x = any_codes(type, outer * axis * inner);
  const auto with = [&](const Geometry& geometry, std::int64_t parameters) {
    return dequantized(x, std::vector<float>(static_cast<std::size_t>(parameters), scale),
                       repeated(zero_point, parameters), geometry, isa);
  };
  const std::vector<float> per_tensor = dequantized(x, scale, zero_point, isa);
  RC_ASSERT(with({outer, axis, inner, 0}, axis) == per_tensor);
  RC_ASSERT(with({outer, axis, inner, block}, outer * ((axis + block - 1) / block) * inner) == per_tensor);
}

// The axis may be any dimension: as the first, in the middle and as the last one it takes other ways through a kernel.
RC_GTEST_PROP(Laws, PermutingAxesPermutesTheResult, ()) {
  const Isa isa = any_isa();
  const ElementType type = any_integer();
  const std::int64_t outer = *rc::gen::inRange(1, 5);
  const std::int64_t axis = *rc::gen::inRange(1, 70);
  const std::int64_t inner = *rc::gen::inRange(1, 40);
  const std::vector<float> scales = any_scales(axis);
  const Tensor zero_points = any_codes(type, axis);
  const std::vector<float> x = any_numbers(static_cast<std::size_t>(outer * axis * inner), 1, 300);
  const Tensor y = quantized(x, scales, zero_points, {outer, axis, inner, 0}, isa);
  const std::vector<float> back = dequantized(y, scales, zero_points, {outer, axis, inner, 0}, isa);
  /// `place` says where element (o, a, i) stands.
  const auto agrees_if = [&](const Geometry& geometry, const auto& place) {
    const auto for_each_element = [&](const auto& visit) {
      for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t a = 0; a < axis; ++a)
          for (std::int64_t i = 0; i < inner; ++i) visit((o * axis + a) * inner + i, place(o, a, i));
    };
    std::vector<float> moved(x.size());
    for_each_element([&](std::int64_t from, std::int64_t to) {
      moved[static_cast<std::size_t>(to)] = x[static_cast<std::size_t>(from)];
    });
    const Tensor moved_y = quantized(moved, scales, zero_points, geometry, isa);
    const std::vector<float> moved_back = dequantized(moved_y, scales, zero_points, geometry, isa);
    for_each_element([&](std::int64_t from, std::int64_t to) {
      RC_ASSERT(moved_y.code(to) == y.code(from));
      RC_ASSERT(moved_back[static_cast<std::size_t>(to)] == back[static_cast<std::size_t>(from)]);
    });
  };
  agrees_if({1, axis, outer * inner, 0}, [&](auto o, auto a, auto i) { return (a * outer + o) * inner + i; });
  agrees_if({outer * inner, axis, 1, 0}, [&](auto o, auto a, auto i) { return (o * inner + i) * axis + a; });
  agrees_if({inner, axis, outer, 0}, [&](auto o, auto a, auto i) { return (i * axis + a) * outer + o; });
}

// Both halves of x, cut between two blocks, each with the scales of its blocks.
RC_GTEST_PROP(Laws, BlocksComeOutAsTheWhole, ()) {
  const Isa isa = any_isa();
  const ElementType type = any_integer();
  const std::int64_t block = *rc::gen::inRange(1, 40);
  const std::int64_t axis = *rc::gen::inRange(1, 90);
  const std::int64_t inner = *rc::gen::inRange(1, 40);
  const std::int64_t blocks = (axis + block - 1) / block;
  const std::int64_t cut = *rc::gen::inRange<std::int64_t>(0, blocks + 1);
  const std::vector<float> scales = any_scales(blocks * inner);
  const Tensor zero_points = any_codes(type, blocks * inner);
  const std::vector<float> x = any_numbers(static_cast<std::size_t>(axis * inner), 1, 300);
  const Tensor y = quantized(x, scales, zero_points, {1, axis, inner, block}, isa);
  const auto part_agrees = [&](std::int64_t first_block, std::int64_t last_block) {
    const std::int64_t first = std::min(first_block * block, axis);
    const std::int64_t last = std::min(last_block * block, axis);
    const auto of = [&](const auto& all, std::int64_t from, std::int64_t to) {
      return std::vector<float>(all.begin() + from * inner, all.begin() + to * inner);
    };
    Tensor part_zero_points(type, {(last_block - first_block) * inner});
    for (std::int64_t i = 0; i < part_zero_points.size(); ++i)
      part_zero_points.set_code(i, zero_points.code(first_block * inner + i));
    const Tensor part = quantized(of(x, first, last), of(scales, first_block, last_block), part_zero_points,
                                  {1, last - first, inner, block}, isa);
    for (std::int64_t i = 0; i < part.size(); ++i) RC_ASSERT(part.code(i) == y.code(first * inner + i));
  };
  part_agrees(0, cut);
  part_agrees(cut, blocks);
}

// Every code is the nearest one to its number: the quotient is off by less than 2^-23 of at most 2^17.
RC_GTEST_PROP(Laws, QuantizingWhatWasDequantizedGivesTheCodesBack, ()) {
  const Isa isa = any_isa();
  const ElementType type = any_integer();
  const Tensor zero_point = any_zero_point(type);
  const float scale = any_scale();
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  Tensor codes(type, {*rc::gen::inRange(0, 300)});
  for (std::int64_t i = 0; i < codes.size(); ++i) codes.set_code(i, random());
  const std::vector<float> numbers = dequantized(codes, scale, zero_point, isa);
  RC_ASSERT(same_bytes(quantized(numbers, {scale}, zero_point, {1, 1, codes.size(), 0}, isa), codes));
}

RC_GTEST_PROP(Laws, QuantizingIsOffByHalfAStepAtMost, ()) {
  const Isa isa = any_isa();
  const ElementType type = any_integer();
  const Tensor zero_point = any_zero_point(type);
  const float scale = any_scale();
  const std::vector<float> x = any_numbers(200, scale, 40000);
  const Tensor codes = quantized(x, {scale}, zero_point, {1, 1, 200, 0}, isa);
  const std::vector<float> y = dequantized(codes, scale, zero_point, isa);
  const auto zero = number_of(type, zero_point.code(0));
  const double lowest = (static_cast<double>(reference::lowest(type)) - zero) * static_cast<double>(scale);
  const double highest = (static_cast<double>(reference::highest(type)) - zero) * static_cast<double>(scale);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double wanted = std::clamp(static_cast<double>(x[i]), lowest, highest);
    // Half a step, and what rounding the quotient and the product to float32 may add.
    RC_ASSERT(std::fabs(static_cast<double>(y[i]) - wanted) <= static_cast<double>(scale) * (0.5 + 0x1p-6));
  }
}

RC_GTEST_PROP(Laws, QuantizingIsMonotone, ()) {
  const Isa isa = any_isa();
  const ElementType type = any_integer();
  const Tensor zero_point = any_zero_point(type);
  const float scale = any_scale();
  std::vector<float> x = any_numbers(300, scale, *rc::gen::element(3, 20, 300, 70000));
  std::ranges::sort(x);
  const Tensor codes = quantized(x, {scale}, zero_point, {1, 1, 300, 0}, isa);
  for (std::int64_t i = 1; i < codes.size(); ++i)
    RC_ASSERT(number_of(type, codes.code(i - 1)) <= number_of(type, codes.code(i)));
}

// 4 elements start a byte, whatever the type.
RC_GTEST_PROP(Laws, PartsComeOutAsTheWhole, ()) {
  const Isa isa = any_isa();
  const Tensor zero_point = any_zero_point(any_integer());
  const float scale = any_scale();
  const std::size_t cut = 4 * static_cast<std::size_t>(*rc::gen::inRange(0, 50));
  const std::vector<float> x = any_numbers(200, scale, 300);
  const auto of = [&](std::size_t first, std::size_t last) {
    const std::vector<float> part(x.begin() + static_cast<std::ptrdiff_t>(first),
                                  x.begin() + static_cast<std::ptrdiff_t>(last));
    const Tensor y = quantized(part, {scale}, zero_point, {1, 1, static_cast<std::int64_t>(part.size()), 0}, isa);
    return std::vector<std::byte>(y.bytes().begin(), y.bytes().end());
  };
  std::vector<std::byte> joined = of(0, cut);
  const std::vector<std::byte> rest = of(cut, x.size());
  joined.insert(joined.end(), rest.begin(), rest.end());
  RC_ASSERT(joined == of(0, x.size()));
}

}  // namespace

}  // namespace touchstone::optimized
