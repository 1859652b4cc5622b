// Laws of opmx DequantizeLinear: packed numbers are restored, and policies behave as with the other operators.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <sstream>
#include <vector>

#include "reference/laws_testing.h"
#include "reference/opmx_packer.h"
#include "reference/opmx_shapes.h"

namespace touchstone::reference::opmx_laws_test {
namespace {

using enum spec::ElementType;

const spec::OperatorVersion& version() {
  return *spec::find_operator_version(spec::opmx, spec::Operator::dequantize_linear, 1);
}

/// A layout of any data type, granularity, axis and kind of zero point. The type of the scale can represent small
/// powers of two.
Layout random_layout(Random& random) {
  using enum spec::Granularity;
  using enum spec::ElementType;
  const auto one_of = [&](auto... values) { return std::array{values...}[random() % sizeof...(values)]; };
  Layout layout{.int4 = one_of(false, true),
                .granularity = one_of(per_tensor, per_axis, blocked),
                .zero_points = one_of(ZeroPoints::none, ZeroPoints::integer, ZeroPoints::floating),
                .scale_type = one_of(float32, float16),
                .zero_point_type = one_of(float32, float16),
                .shape = {}};
  const int rank = one_of(1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3);
  layout.axis = rank == 1 ? 0 : random() % 2;
  // If x is a vector, a scale per channel has shape [1], which is also a valid shape per tensor.
  if (rank == 1 && layout.granularity == per_axis) layout.granularity = per_tensor;
  for (int k = 0; k < rank; ++k) layout.shape.push_back(random_in(random, 1, 6));
  if (layout.int4) layout.shape[0] *= 4;
  if (layout.granularity != blocked) return layout;
  layout.group_size = random_in(random, 1, 5);
  std::int64_t& length = layout.shape[layout.axis];
  length *= layout.group_size;
  return layout;
}

/// Scales that are powers of two, and zero points that every type of Y represents exactly.
Quantized random_quantized(Random& random) {
  const Layout layout = random_layout(random);
  const auto [lowest, highest] = layout.range();
  Quantized q{layout, {}, {}, {}};
  for (std::size_t i = 0; i < layout.size(); ++i)
    q.numbers.push_back(static_cast<int>(random_in(random, lowest, highest)));
  for (std::size_t i = 0; i < layout.parameter_count(); ++i) {
    const double scale = std::ldexp(random() % 4 == 0 ? -1 : 1, static_cast<int>(random_in(random, -6, 5)));
    q.scales.push_back(scale);
    if (layout.zero_points == ZeroPoints::integer)
      q.zero_points.push_back(static_cast<double>(random_in(random, lowest, highest)));
    if (layout.zero_points == ZeroPoints::floating)
      q.zero_points.push_back(scale * static_cast<double>(random_in(random, -64, 64)) / 8);
  }
  return q;
}

void showValue(const Layout& layout, std::ostream& out) {
  out << (layout.int4 ? "int4" : "int8") << ' ' << spec::name(layout.granularity) << " of shape "
      << ::testing::PrintToString(layout.shape) << ", axis " << layout.axis << ", group_size " << layout.group_size;
}

TEST(OpmxPacker, PutsTheFirstRowIntoTheLowestBits) {
  EXPECT_EQ(pack_int4x4({4, 1}, {1, 2, 3, 15}).code(0), 0xF321u);
  const Tensor columns = pack_int4x4({4, 2}, {1, 5, 2, 6, 3, 7, 15, 8});
  EXPECT_EQ(columns.code(0), 0xF321u);
  EXPECT_EQ(columns.code(1), 0x8765u);
  EXPECT_THROW(pack_int4x4({6, 1}, Codes(6)), std::invalid_argument);
  EXPECT_EQ(pack_int4x4({0, 3}, {}).shape(), (Shape{0, 3}));
}

// 0.5 * 5 = 2.5 is the middle of 0 and 5. In steps of 1/2, -8 to 7 reach 3.5 on both sides.
TEST(OpmxPacker, QuantizesAsOnThePage) {
  Layout layout{.shape = {4, 1}};
  layout.zero_points = ZeroPoints::floating;
  const Quantized floating = quantize_for_opmx(layout, {0, 5, 1, 2});
  EXPECT_EQ(floating.zero_points, Numbers{2.5});
  EXPECT_EQ(floating.scales, Numbers{0.5});
  EXPECT_EQ(floating.numbers, (std::vector<int>{-5, 5, -3, -1}));
  layout.zero_points = ZeroPoints::none;
  EXPECT_EQ(quantize_for_opmx(layout, {0, 5, 1, -6}).numbers, (std::vector<int>{0, 5, 1, -6}));
}

/// Integers that all types of Y can represent.
std::vector<int> some_reals(std::size_t count) {
  std::vector<int> reals;
  for (std::size_t i = 0; i < count; ++i) reals.push_back(static_cast<int>(i * 7 % 31) - 15);
  return reals;
}

void expect_to_come_back(const Layout& layout) {
  std::ostringstream text;
  showValue(layout, text);
  SCOPED_TRACE(text.str());
  const Quantized q = quantize_for_opmx(layout, some_reals(layout.size()));
  const Outcome outcome = interpret(packed_node(q));
  ASSERT_THAT(outcome, gives_type(layout.scale_type, layout.shape));
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const std::uint64_t code = outcome.result()->y.code(static_cast<std::int64_t>(i));
    EXPECT_EQ(decode(layout.scale_type, code).rational(), dequantized(q, i)) << i;
  }
}

TEST(OpmxPacker, RestoresEveryLayout) {
  for (const bool int4 : {false, true})
    for (const Shape& shape : {Shape{8, 6}, Shape{4, 4, 3}})
      for (const auto granularity :
           {spec::Granularity::per_tensor, spec::Granularity::per_axis, spec::Granularity::blocked})
        for (const std::size_t axis : {std::size_t{0}, std::size_t{1}})
          for (const ZeroPoints zero_points : {ZeroPoints::none, ZeroPoints::integer, ZeroPoints::floating})
            for (const spec::ElementType scale_type : {float32, float16})
              for (const spec::ElementType zero_point_type : {float32, float16})
                expect_to_come_back({.int4 = int4,
                                     .granularity = granularity,
                                     .axis = axis,
                                     .group_size = granularity == spec::Granularity::blocked ? 2 : 0,
                                     .zero_points = zero_points,
                                     .scale_type = scale_type,
                                     .zero_point_type = zero_point_type,
                                     .shape = shape});
}

RC_GTEST_PROP(OpmxLaws, UnpackingUndoesPacking, ()) {
  Random random = any_random();
  Shape shape = random_shape(random);
  if (shape.empty()) shape.push_back(1);
  shape[0] *= 4;
  Codes codes;
  for (std::int64_t i = 0; i < element_count(shape).value(); ++i) codes.push_back(random() % 16);
  Interpretation in(version(), Policy{});
  const Tensor unpacked = unpack_int4x4(pack_int4x4(shape, codes), in);
  RC_ASSERT(unpacked.type() == int4x4);
  RC_ASSERT(unpacked.shape() == shape);
  for (std::size_t i = 0; i < codes.size(); ++i) RC_ASSERT(unpacked.code(static_cast<std::int64_t>(i)) == codes[i]);
}

RC_GTEST_PROP(OpmxLaws, DequantizationUndoesPacking, ()) {
  Random random = any_random();
  const Quantized q = random_quantized(random);
  const Node node = packed_node(q);
  const Outcome outcome = interpret(node);
  RC_ASSERT(outcome.result() != nullptr);
  const Tensor& y = outcome.result()->y;
  RC_ASSERT(y.type() == q.layout.scale_type);
  RC_ASSERT(y.shape() == q.layout.shape);
  RC_ASSERT(outcome.result()->x.type() == (q.layout.int4 ? int4x4 : int8));
  RC_ASSERT(outcome.result()->parameters.granularity == q.layout.granularity);
  for (std::size_t i = 0; i < q.layout.size(); ++i) {
    const auto place = static_cast<std::int64_t>(i);
    RC_ASSERT(!outcome.result()->unspecified[i]);
    RC_ASSERT(decode(y.type(), y.code(place)).rational() == dequantized(q, i));
    RC_ASSERT(outcome.result()->parameters.scale(place) == static_cast<std::int64_t>(q.layout.parameter_of(i)));
  }
}

/// At most half a step away from the number.
RC_GTEST_PROP(OpmxLaws, QuantizationIsOffByAtMostHalfAStep, ()) {
  Random random = any_random();
  Layout layout = random_layout(random);
  layout.scale_type = float32;
  layout.zero_point_type = float32;
  std::vector<int> reals;
  for (std::size_t i = 0; i < layout.size(); ++i) reals.push_back(static_cast<int>(random_in(random, -1000, 1000)));
  const Quantized q = quantize_for_opmx(layout, reals);
  const auto [lowest, highest] = layout.range();
  const Outcome outcome = interpret(packed_node(q));
  RC_ASSERT(outcome.result() != nullptr);
  for (std::size_t i = 0; i < layout.size(); ++i) {
    RC_ASSERT(lowest <= q.numbers[i] && q.numbers[i] <= highest);
    const Rational y = decode(float32, outcome.result()->y.code(static_cast<std::int64_t>(i))).rational();
    RC_ASSERT(y == dequantized(q, i));
    RC_ASSERT(abs(y - reals[i]) * 2 <= exact(q.scales[layout.parameter_of(i)]).rational());
  }
}

// ---- policies

RC_GTEST_PROP(OpmxLaws, UnconsultedReadingsChangeNothing, ()) {
  check_that_readings_not_asked_for_change_nothing(*any_opmx_node(), *any_policy(8));
}

RC_GTEST_PROP(OpmxLaws, UsedClausesAndAmbiguitiesApplyToOpmx, ()) {
  for (int i = 0; i < 10; ++i) check_that_what_is_relied_upon_applies(*any_opmx_node(), *any_policy(4));
}

}  // namespace
}  // namespace touchstone::reference::opmx_laws_test
