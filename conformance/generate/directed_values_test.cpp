// The directed values distinguish implementations. The interpreter shows this with the readings that the values must
// distinguish.
#include "conformance/generate/directed_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "conformance/generate/ordered_codes.h"
#include "conformance/generate/quantize_quotients.h"
#include "reference/codec.h"
#include "reference/division.h"
#include "reference/testing.h"

namespace touchstone::conformance::directed_values_test {
namespace {

using enum spec::ElementType;
using reference::Policy;
using spec::ElementType;
using spec::Operator;

reference::Node node_of(const ValueKind& kind, const DirectedValues& row, int opset) {
  reference::Node node{.op = kind.op, .opset = opset, .inputs = {}, .attributes = {}};
  const auto size = static_cast<std::int64_t>(row.x.size());
  node.inputs.emplace_back(
      reference::Tensor::from_codes(kind.x, {size}, std::vector<std::uint64_t>(row.x.begin(), row.x.end())));
  node.inputs.emplace_back(reference::Tensor::from_codes(kind.scale, {}, std::vector{row.scale}));
  const ElementType quantized = kind.op == Operator::quantize_linear ? kind.y : kind.x;
  node.inputs.emplace_back(reference::Tensor::from_codes(quantized, {}, std::vector{row.zero_point}));
  if (kind.precision) node.attributes["precision"] = static_cast<std::int64_t>(*kind.precision);
  if (kind.op == Operator::dequantize_linear && opset >= 23)
    node.attributes["output_dtype"] = static_cast<std::int64_t>(kind.y);
  return node;
}

/// Whether the result of some value of the kind depends on a reading.
template <class A>
bool tells_apart(const ValueKind& kind, int opset, typename A::Reading reading) {
  for (const DirectedValues& row : directed_values(kind)) {
    const reference::Node node = node_of(kind, row, opset);
    const reference::Outcome primary = reference::interpret(node);
    const reference::Outcome other = reference::interpret(node, Policy{}.with<A>(reading));
    if (primary.result() == nullptr) throw std::logic_error(primary.rejection()->reason);
    const auto& expected = *primary.result();
    for (std::int64_t i = 0; i < expected.y.size(); ++i)
      if (!expected.unspecified[static_cast<std::size_t>(i)] && expected.y.code(i) != other.result()->y.code(i))
        return true;
  }
  return false;
}

constexpr ValueKind quantize_kind(ElementType x, ElementType scale, ElementType y) {
  return {Operator::quantize_linear, x, scale, y, std::nullopt, y};
}

TEST(QuantizeValues, DistinguishRoundings) {
  for (const ElementType y : {uint8, int8, uint4, int4, uint2, int2, uint16, int16}) {
    const ValueKind kind = quantize_kind(float32, float32, y);
    EXPECT_TRUE(tells_apart<spec::Ties>(kind, 28, spec::Ties::away_from_zero)) << spec::name(y);
    EXPECT_TRUE(tells_apart<spec::Ties>(kind, 28, spec::Ties::upwards)) << spec::name(y);
    EXPECT_TRUE(tells_apart<spec::HugeQuotient>(kind, 28, spec::HugeQuotient::int32_minimum)) << spec::name(y);
    EXPECT_TRUE(tells_apart<spec::RoundingOrder>(kind, 28, spec::RoundingOrder::add_round_saturate)) << spec::name(y);
    EXPECT_TRUE(tells_apart<spec::RoundingOrder>(kind, 28, spec::RoundingOrder::round_saturate_add)) << spec::name(y);
    ValueKind of_subnormal_scales = kind;
    of_subnormal_scales.scales = Scales::subnormal;
    EXPECT_TRUE(tells_apart<spec::Subnormals>(of_subnormal_scales, 28, spec::Subnormals::flushes_wide_types))
        << spec::name(y);
  }
}

TEST(QuantizeValues, DistinguishDivisions) {
  using Float32 = spec::Float32Division;
  using Before23 = spec::SameFloatDivisionBefore23;
  using Same = spec::SameFloatDivision;
  using Mixed = spec::MixedTypeDivision;
  for (const ElementType y : {uint8, int8, uint16, int16}) {
    EXPECT_TRUE(tells_apart<Float32>(quantize_kind(float32, float32, y), 21, Float32::exact_quotient));
    EXPECT_TRUE(tells_apart<Float32>(quantize_kind(float32, float32, y), 21, Float32::reciprocal_multiplication));
    for (const ElementType narrow : {float16, bfloat16}) {
      EXPECT_TRUE(tells_apart<Before23>(quantize_kind(narrow, narrow, y), 21, Before23::in_input_type))
          << spec::name(narrow) << ' ' << spec::name(y);
      EXPECT_TRUE(tells_apart<Same>(quantize_kind(narrow, narrow, y), 25, Same::in_float32));
      EXPECT_TRUE(tells_apart<Mixed>(quantize_kind(float32, narrow, y), 25, Mixed::in_wider_type));
      EXPECT_TRUE(tells_apart<Mixed>(quantize_kind(narrow, float32, y), 25, Mixed::in_input_type));
      ValueKind named = quantize_kind(float32, float32, y);
      named.precision = narrow;
      EXPECT_TRUE(tells_apart<spec::PrecisionValues>(named, 25, spec::PrecisionValues::ignored));
    }
  }
  EXPECT_TRUE(
      tells_apart<spec::Int32Scale>(quantize_kind(int32, int32, int8), 25, spec::Int32Scale::truncating_division));
}

TEST(QuantizeValues, DistinguishFloatOutputs) {
  for (const ElementType y : {float8e4m3fn, float8e4m3fnuz, float8e5m2, float8e5m2fnuz})
    EXPECT_TRUE(tells_apart<spec::FloatOutputRounding>(quantize_kind(float32, float32, y), 28,
                                                       spec::FloatOutputRounding::to_integer_first));
  for (const ElementType y : {float8e4m3fnuz, float8e5m2fnuz})
    EXPECT_TRUE(
        tells_apart<spec::InfinityToFnuz>(quantize_kind(float32, float32, y), 28, spec::InfinityToFnuz::always_nan));
  EXPECT_TRUE(tells_apart<spec::NanToFloat4>(quantize_kind(float32, float32, float4e2m1), 28,
                                             spec::NanToFloat4::negative_zero));
}

/// By hand: with scale 1/2 and zero point 128 or less, the quotient 0.5 belongs to the input 0.25; its float32
/// neighbours have adjacent codes.
TEST(QuantizeValues, HaveATieWithItsNeighbours) {
  bool found = false;
  for (const DirectedValues& row : directed_values(quantize_kind(float32, float32, uint8))) {
    if (row.scale != 0x3f000000) continue;
    const std::set<std::uint64_t> codes(row.x.begin(), row.x.end());
    for (const std::uint64_t code : {0x3e7fffffU, 0x3e800000U, 0x3e800001U}) EXPECT_TRUE(codes.contains(code)) << code;
    for (const std::uint64_t special : {0x0U, 0x80000000U, 0x7f800000U, 0xff800000U, 0x7fc00000U, 0x1U, 0x7f7fffffU})
      EXPECT_TRUE(codes.contains(special)) << special;
    found = true;
  }
  EXPECT_TRUE(found);
}

TEST(QuantizeValues, HaveZeroPointsOddAndEvenAtBothEndsAndInTheMiddle) {
  std::set<std::uint64_t> zero_points;
  for (const DirectedValues& row : directed_values(quantize_kind(float32, float32, uint8)))
    zero_points.insert(row.zero_point);
  EXPECT_EQ(zero_points, (std::set<std::uint64_t>{0, 1, 128, 129, 254, 255}));
}

/// Any four consecutive inputs of 16 spread ones lie in different quarters of the range, also across the end.
TEST(DirectedValues, SpreadConsecutiveInputs) {
  std::size_t seen = 0;
  for (const ValueKind& kind : {quantize_kind(float32, float32, uint8), quantize_kind(float16, float16, float8e4m3fn),
                                ValueKind{Operator::dequantize_linear, int16, float32, float32, std::nullopt, int16}})
    for (const DirectedValues& row : directed_values(kind)) {
      constexpr std::size_t most = 16;
      if (row.first != most) continue;
      ++seen;
      std::vector<reference::Rational> ascending;
      for (std::size_t i = 0; i < most; ++i) ascending.push_back(reference::decode(kind.x, row.x[i]).rational());
      const std::vector<reference::Rational> picked = ascending;
      std::sort(ascending.begin(), ascending.end());
      for (std::size_t begin = 0; begin < most; ++begin) {
        std::set<std::ptrdiff_t> quarters;
        for (std::size_t i = begin; i < begin + 4; ++i)
          quarters.insert((std::find(ascending.begin(), ascending.end(), picked[i % most]) - ascending.begin()) / 4);
        EXPECT_EQ(quarters.size(), 4U) << spec::name(kind.x) << " with the scale " << row.scale << " from " << begin;
      }
    }
  EXPECT_GT(seen, 10U);
}

TEST(DequantizeValues, HaveAllCodesOfNarrowTypes) {
  for (const ElementType x : {uint8, int8, float8e4m3fn, float8e5m2fnuz, uint4, int2, float6e2m3, float4e2m1})
    for (const DirectedValues& row :
         directed_values({Operator::dequantize_linear, x, float32, float32, std::nullopt, x}))
      EXPECT_EQ(std::set<std::uint64_t>(row.x.begin(), row.x.end()).size(), std::size_t{1} << spec::info(x).bits);
}

TEST(DequantizeValues, DistinguishProducts) {
  using Product = spec::ProductPrecision;
  for (const ElementType x : {int16, uint16, int32})
    for (const ElementType y : {float16, bfloat16}) {
      const ValueKind kind{Operator::dequantize_linear, x, float32, y, std::nullopt, x};
      EXPECT_TRUE(tells_apart<Product>(kind, 25, Product::in_float32)) << spec::name(x) << ' ' << spec::name(y);
    }
  const ValueKind wide{Operator::dequantize_linear, int32, float32, float32, std::nullopt, int32};
  EXPECT_TRUE(tells_apart<spec::LargeIntegerProduct>(wide, 25, spec::LargeIntegerProduct::exact_product));
  const ValueKind bytes{Operator::dequantize_linear, int8, float16, float16, std::nullopt, int8};
  EXPECT_TRUE(tells_apart<spec::DequantizeOverflow>(bytes, 25, spec::DequantizeOverflow::clamped));
  EXPECT_TRUE(tells_apart<spec::SubtractionWidth>(bytes, 25, spec::SubtractionWidth::wrapping));
}

TEST(Divisions, HaveABitForEachDefect) {
  for (const spec::OperatorVersion& version : spec::operator_versions) {
    if (version.op != spec::Operator::quantize_linear) continue;
    for (const Cell& cell : legal_cells(version)) {
      const Divisions found = divisions(value_kind(cell));
      ASSERT_GT(found.primaries, 0U) << to_string(cell);
      ASSERT_LE(found.primaries, most_primaries) << to_string(cell);
      ASSERT_LE(found.primaries, found.permitted) << to_string(cell);
      ASSERT_LE(found.permitted, found.all.size()) << to_string(cell);
    }
  }
}

TEST(DirectedValues, AreEnoughForACase) {
  for (const spec::OperatorVersion& version : spec::operator_versions)
    for (const Cell& cell : legal_cells(version)) {
      const int newest = spec::newest_of(version.domain)->number;
      if (spec::resolve(version.domain, version.op, newest) != &version) continue;
      if (cell.granularity != spec::Granularity::per_tensor) continue;
      for (const DirectedValues& row : directed_values(value_kind(cell)))
        // With an extreme scale, fewer inputs are revealing.
        EXPECT_GE(row.x.size(),
                  std::min<std::size_t>(row.ordinary ? 24 : 16, std::size_t{1} << spec::info(cell.x).bits))
            << to_string(cell);
    }
}

}  // namespace
}  // namespace touchstone::conformance::directed_values_test
