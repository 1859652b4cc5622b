// Laws of granularity. They hold for every instruction set and need no reference.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "optimized/laws_testing.h"

namespace touchstone::optimized::granularity_laws_test {

namespace {

using enum ElementType;

/// Quantizes float32 numbers with the given scales and zero points.
Tensor quantized(const std::vector<float>& x, const std::vector<float>& scale, const Tensor& zero_point,
                 const Geometry& geometry, Isa isa) {
  return quantized(tensor_of(x), tensor_of(scale), zero_point, zero_point.type(), geometry, {.isa = isa});
}

/// Dequantizes to float32.
std::vector<float> dequantized(const Tensor& x, const std::vector<float>& scale, const Tensor& zero_point,
                               const Geometry& geometry, Isa isa) {
  const Tensor y = dequantized(x, tensor_of(scale), zero_point, float32, geometry, {.isa = isa});
  std::vector<float> numbers(static_cast<std::size_t>(y.size()));
  std::ranges::copy(y.bytes(), std::as_writable_bytes(std::span(numbers)).begin());
  return numbers;
}

Tensor repeated(const Tensor& scalar, std::int64_t count) {
  Tensor tensor(scalar.type(), {count});
  for (std::int64_t i = 0; i < count; ++i) tensor.set_code(i, scalar.code(0));
  return tensor;
}

bool same_bytes(const Tensor& left, const Tensor& right) { return std::ranges::equal(left.bytes(), right.bytes()); }

RC_GTEST_PROP(GranularityLaws, GranularityDoesNotMatterIfScalesAreEqual, ()) {
  const Isa isa = any_isa();
  const Tensor zero_point = any_zero_point(any_quantized());
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

RC_GTEST_PROP(GranularityLaws, GranularityDoesNotMatterForCodes, ()) {
  const Isa isa = any_isa();
  const ElementType type = any_quantized();
  const Tensor zero_point = any_zero_point(type);
  const float scale = any_scale();
  const std::int64_t outer = *rc::gen::inRange(1, 5);
  const std::int64_t axis = *rc::gen::inRange(1, 70);
  const std::int64_t inner = *rc::gen::inRange(1, 40);
  const std::int64_t block = *rc::gen::inRange(1, 70);
  const Tensor x = any_codes(type, {outer * axis * inner});
  const auto with = [&](const Geometry& geometry, std::int64_t parameters) {
    return dequantized(x, std::vector<float>(static_cast<std::size_t>(parameters), scale),
                       repeated(zero_point, parameters), geometry, isa);
  };
  const std::vector<float> per_tensor = with({1, 1, outer * axis * inner, 0}, 1);
  RC_ASSERT(with({outer, axis, inner, 0}, axis) == per_tensor);
  RC_ASSERT(with({outer, axis, inner, block}, outer * ((axis + block - 1) / block) * inner) == per_tensor);
}

// The axis may be any dimension. Kernels take different paths if it is the first, a middle or the last one.
RC_GTEST_PROP(GranularityLaws, PermutingAxesPermutesTheResult, ()) {
  const Isa isa = any_isa();
  const ElementType type = any_quantized();
  const std::int64_t outer = *rc::gen::inRange(1, 5);
  const std::int64_t axis = *rc::gen::inRange(1, 70);
  const std::int64_t inner = *rc::gen::inRange(1, 40);
  const std::vector<float> scales = any_scales(axis);
  const Tensor zero_points = any_codes(type, {axis});
  const std::vector<float> x = any_numbers(static_cast<std::size_t>(outer * axis * inner), 1, 300);
  const Tensor y = quantized(x, scales, zero_points, {outer, axis, inner, 0}, isa);
  const std::vector<float> back = dequantized(y, scales, zero_points, {outer, axis, inner, 0}, isa);
  /// `place` gives the position of element (o, a, i).
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

// Blocks may be permuted, and the extents before and after the axis may be exchanged.
RC_GTEST_PROP(GranularityLaws, PermutingBlocksPermutesTheResult, ()) {
  const Isa isa = any_isa();
  const ElementType type = any_quantized();
  const std::int64_t outer = *rc::gen::inRange(1, 5);
  const std::int64_t blocks = *rc::gen::inRange(1, 9);
  const std::int64_t block = *rc::gen::inRange(1, 40);
  const std::int64_t inner = *rc::gen::inRange(1, 40);
  const std::int64_t axis = blocks * block;
  const std::vector<float> scales = any_scales(outer * blocks * inner);
  const Tensor zero_points = any_codes(type, {outer * blocks * inner});
  const std::vector<float> x = any_numbers(static_cast<std::size_t>(outer * axis * inner), 1, 300);
  const Geometry geometry{outer, axis, inner, block};
  const Tensor y = quantized(x, scales, zero_points, geometry, isa);
  const std::vector<float> back = dequantized(y, scales, zero_points, geometry, isa);

  Random random = any_random();
  std::vector<std::int64_t> order(static_cast<std::size_t>(blocks));  // of the blocks
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, random);
  /// Calls visit(from, to) for each of `length` elements of a block, which belong to (outer, axis, inner).
  const auto for_each = [&](std::int64_t length, const auto& visit) {
    for (std::int64_t o = 0; o < outer; ++o)
      for (std::int64_t b = 0; b < blocks; ++b)
        for (std::int64_t k = 0; k < length; ++k)
          for (std::int64_t i = 0; i < inner; ++i)
            visit(static_cast<std::size_t>((o * blocks * length + b * length + k) * inner + i),
                  static_cast<std::size_t>(
                      (i * blocks * length + order[static_cast<std::size_t>(b)] * length + k) * outer + o));
  };
  std::vector<float> moved_x(x.size());
  for_each(block, [&](std::size_t from, std::size_t to) { moved_x[to] = x[from]; });
  std::vector<float> moved_scales(scales.size());
  Tensor moved_zero_points(type, zero_points.shape());
  for_each(1, [&](std::size_t from, std::size_t to) {
    moved_scales[to] = scales[from];
    moved_zero_points.set_code(static_cast<std::int64_t>(to), zero_points.code(static_cast<std::int64_t>(from)));
  });
  const Geometry moved{inner, axis, outer, block};
  const Tensor moved_y = quantized(moved_x, moved_scales, moved_zero_points, moved, isa);
  const std::vector<float> moved_back = dequantized(moved_y, moved_scales, moved_zero_points, moved, isa);
  for_each(block, [&](std::size_t from, std::size_t to) {
    RC_ASSERT(moved_y.code(static_cast<std::int64_t>(to)) == y.code(static_cast<std::int64_t>(from)));
    RC_ASSERT(moved_back[to] == back[from]);
  });
}

// Both halves of x, cut between two blocks, each with the scales of its blocks.
RC_GTEST_PROP(GranularityLaws, BlocksGiveTheSameAsTheWhole, ()) {
  const Isa isa = any_isa();
  const ElementType type = any_quantized();
  const std::int64_t block = *rc::gen::inRange(1, 40);
  const std::int64_t axis = *rc::gen::inRange(1, 90);
  const std::int64_t inner = *rc::gen::inRange(1, 40);
  const std::int64_t blocks = (axis + block - 1) / block;
  const std::int64_t cut = *rc::gen::inRange<std::int64_t>(0, blocks + 1);
  const std::vector<float> scales = any_scales(blocks * inner);
  const Tensor zero_points = any_codes(type, {blocks * inner});
  const std::vector<float> x = any_numbers(static_cast<std::size_t>(axis * inner), 1, 300);
  const Tensor y = quantized(x, scales, zero_points, {1, axis, inner, block}, isa);
  const std::vector<float> back = dequantized(y, scales, zero_points, {1, axis, inner, block}, isa);
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
    const std::vector<float> part_back =
        dequantized(part, of(scales, first_block, last_block), part_zero_points, {1, last - first, inner, block}, isa);
    for (std::int64_t i = 0; i < part.size(); ++i) RC_ASSERT(part.code(i) == y.code(first * inner + i));
    RC_ASSERT(part_back == of(back, first, last));
  };
  part_agrees(0, cut);
  part_agrees(cut, blocks);
}

// A block may be longer than the axis, up to the largest number that Geometry can hold.
RC_GTEST_PROP(GranularityLaws, LongerBlocksGiveTheSameAsTheWholeAxis, ()) {
  const Isa isa = any_isa();
  const ElementType type = any_quantized();
  const std::int64_t outer = *rc::gen::inRange(1, 4);
  const std::int64_t axis = *rc::gen::inRange(1, 40);
  const std::int64_t inner = *rc::gen::inRange(1, 40);
  constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  const std::int64_t block = *rc::gen::element(axis + 1, 2 * axis, greatest / 2, greatest);
  const std::vector<float> scales = any_scales(outer * inner);
  const Tensor zero_points = any_codes(type, {outer * inner});
  const std::vector<float> x = any_numbers(static_cast<std::size_t>(outer * axis * inner), 1, 300);
  const Tensor y = quantized(x, scales, zero_points, {outer, axis, inner, axis}, isa);
  const Tensor longer = quantized(x, scales, zero_points, {outer, axis, inner, block}, isa);
  RC_ASSERT(std::ranges::equal(longer.bytes(), y.bytes()));
  RC_ASSERT(dequantized(y, scales, zero_points, {outer, axis, inner, block}, isa) ==
            dequantized(y, scales, zero_points, {outer, axis, inner, axis}, isa));
}

// 4 elements fill whole bytes in every type.
RC_GTEST_PROP(GranularityLaws, PartsGiveTheSameAsTheWhole, ()) {
  const Isa isa = any_isa();
  const Tensor zero_point = any_zero_point(any_quantized());
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

}  // namespace touchstone::optimized::granularity_laws_test
