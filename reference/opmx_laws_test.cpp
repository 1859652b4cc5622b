// Laws of opmx DequantizeLinear: packed numbers are restored, and policies behave as with the other operators.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "reference/laws_testing.h"
#include "reference/opmx_shapes.h"
#include "reference/opmx_testing.h"

namespace touchstone::reference::opmx_laws_test {
namespace {

using enum spec::ElementType;

// ---- quantizes numbers: opmx has no QuantizeLinear of its own. Shares only tensors with the interpreter; indices,
// packing and arithmetic are implemented independently.

/// int4x4: rows 4p ... 4p + 3 of the codes, of shape (d0, d1, ...), side by side in row p, the first in the lowest
/// bits.
Tensor pack_int4x4(const Shape& shape, const Codes& codes) {
  if (shape.empty() || shape[0] % 4 != 0) throw std::invalid_argument("int4x4 packs four rows at a time");
  Shape packed_shape = shape;
  packed_shape[0] /= 4;
  const std::size_t row_length = shape[0] == 0 ? 0 : codes.size() / static_cast<std::size_t>(shape[0]);
  Codes packed_codes;
  for (std::size_t first = 0; first < codes.size(); first += 4 * row_length)
    for (std::size_t k = first; k < first + row_length; ++k)
      packed_codes.push_back(codes[k] | codes[k + row_length] << 4 | codes[k + 2 * row_length] << 8 |
                             codes[k + 3 * row_length] << 12);
  return coded(spec::ElementType::int16, packed_shape, packed_codes);
}

enum class ZeroPoints { none, integer, floating };

/// The layout and types of a quantized tensor.
struct Layout {
  bool int4 = true;
  spec::Granularity granularity = spec::Granularity::per_tensor;
  std::size_t axis = 1;
  std::int64_t group_size = 0;
  ZeroPoints zero_points = ZeroPoints::none;
  spec::ElementType scale_type = spec::ElementType::float32;
  spec::ElementType zero_point_type = spec::ElementType::float32;  ///< if they are floating-point
  Shape shape;                                                     ///< unpacked

  std::size_t size() const { return static_cast<std::size_t>(element_count(shape).value()); }

  Shape parameter_shape() const {
    if (granularity == spec::Granularity::per_tensor) return {};
    Shape parameters = shape;
    parameters[axis] = granularity == spec::Granularity::blocked ? shape[axis] / group_size : 1;
    return parameters;
  }

  std::size_t parameter_count() const { return static_cast<std::size_t>(element_count(parameter_shape()).value()); }

  /// The index of the scale of an element.
  std::size_t parameter_of(std::size_t element) const {
    if (granularity == spec::Granularity::per_tensor) return 0;
    std::vector<std::int64_t> indices(shape.size());
    auto rest = static_cast<std::int64_t>(element);
    for (std::size_t k = shape.size(); k-- > 0; rest /= shape[k]) indices[k] = rest % shape[k];
    indices[axis] = granularity == spec::Granularity::blocked ? indices[axis] / group_size : 0;
    const Shape parameters = parameter_shape();
    std::int64_t place = 0;
    for (std::size_t k = 0; k < shape.size(); ++k) place = place * parameters[k] + indices[k];
    return static_cast<std::size_t>(place);
  }

  /// The lowest and the highest number of a code, before a zero point is subtracted. For int4 data, numbers begin at 0
  /// if the zero point is an integer, and at -8 otherwise.
  std::pair<int, int> range() const {
    if (!int4) return {-128, 127};
    return zero_points == ZeroPoints::integer ? std::pair{0, 15} : std::pair{-8, 7};
  }
};

/// A quantized tensor. `numbers` lie in the range of the layout.
struct Quantized {
  Layout layout;
  std::vector<int> numbers;
  Numbers scales;
  Numbers zero_points;  ///< empty if there are none
};

/// "dequantized = scale * (quantized - zeropoint)", or with a floating-point zero point "scale * quantized +
/// zeropoint".
Rational dequantized(const Quantized& q, std::size_t element) {
  const std::size_t parameter = q.layout.parameter_of(element);
  const auto exactly = [](double number) { return exact(number).rational(); };
  const Rational scale = exactly(q.scales[parameter]);
  const Rational number = q.numbers[element];
  switch (q.layout.zero_points) {
    case ZeroPoints::none: break;
    case ZeroPoints::integer: return scale * (number - exactly(q.zero_points[parameter]));
    case ZeroPoints::floating: return scale * number + exactly(q.zero_points[parameter]);
  }
  return scale * number;
}

/// The node's tensors and attributes for a quantized tensor.
Node packed_node(const Quantized& q) {
  const Layout& layout = q.layout;
  Codes codes;
  for (const int number : q.numbers)
    codes.push_back(static_cast<std::uint64_t>(layout.int4 ? number - layout.range().first : number));
  const Shape parameters = layout.parameter_shape();
  std::optional<Tensor> zero_point;
  if (layout.zero_points != ZeroPoints::none)
    zero_point =
        tensor(layout.zero_points == ZeroPoints::integer ? int8 : layout.zero_point_type, parameters, q.zero_points);
  const Attributes attributes = groups(static_cast<std::int64_t>(layout.axis), layout.group_size,
                                       zero_point.has_value(), layout.zero_points == ZeroPoints::floating);
  return with_data_type(layout.int4 ? "int4" : "int8",
                        opmx_node(layout.int4 ? pack_int4x4(layout.shape, codes) : coded(int8, layout.shape, codes),
                                  tensor(layout.scale_type, parameters, q.scales), std::move(zero_point), attributes));
}

/// Rounds to the nearest integer, and up if there are two.
int nearest(double number) { return static_cast<int>(std::floor(number + 0.5)); }

/// Quantizes small integers. The scales are powers of two, so that everything is exact.
Quantized quantize_for_opmx(const Layout& layout, const std::vector<int>& reals) {
  Quantized q{layout, std::vector<int>(reals.size()), Numbers(layout.parameter_count(), 1), {}};
  const auto [lowest, highest] = layout.range();
  for (std::size_t parameter = 0; parameter < layout.parameter_count(); ++parameter) {
    double least = 0;  // 0 must have a code of its own, except with a floating-point zero point
    double greatest = 0;
    bool first = layout.zero_points == ZeroPoints::floating;
    for (std::size_t i = 0; i < reals.size(); ++i) {
      if (layout.parameter_of(i) != parameter) continue;
      least = first ? reals[i] : std::min<double>(least, reals[i]);
      greatest = first ? reals[i] : std::max<double>(greatest, reals[i]);
      first = false;
    }
    const double middle = (least + greatest) / 2;  // "(max(X) + min(X)) / 2"
    const double reach = layout.zero_points == ZeroPoints::none ? std::max(-least, greatest) : (greatest - least) / 2;
    double& scale = q.scales[parameter];
    scale = 0x1p-6;
    const int room = (highest - lowest) / 2 - 1;  // for numbers on each side of the zero point
    while (reach / scale > room) scale *= 2;
    double zero_point = 0;
    if (layout.zero_points == ZeroPoints::integer) zero_point = nearest((lowest + highest) / 2.0 - middle / scale);
    if (layout.zero_points == ZeroPoints::floating) zero_point = middle;
    if (layout.zero_points != ZeroPoints::none) q.zero_points.push_back(zero_point);
    for (std::size_t i = 0; i < reals.size(); ++i) {
      if (layout.parameter_of(i) != parameter) continue;
      q.numbers[i] = layout.zero_points == ZeroPoints::floating ? nearest((reals[i] - zero_point) / scale)
                                                                : nearest(reals[i] / scale + zero_point);
    }
  }
  return q;
}

// ---- random nodes

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

RC_GTEST_PROP(OpmxLaws, ReadingsChangeOnlyWhatFollows, ()) {
  check_that_readings_change_only_what_follows(*any_opmx_node(), *any_policy(8));
}

RC_GTEST_PROP(OpmxLaws, UsedClausesAndAmbiguitiesApplyToOpmx, ()) {
  for (int i = 0; i < 10; ++i) check_that_what_is_relied_upon_applies(*any_opmx_node(), *any_policy(4));
}

}  // namespace
}  // namespace touchstone::reference::opmx_laws_test
