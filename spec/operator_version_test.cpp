#include "spec/operator_version.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/opset.h"

namespace touchstone::spec::operator_version_test {
namespace {

using enum OutputTypeRule;

constexpr std::array both_operators{Operator::quantize_linear, Operator::dequantize_linear};

std::string label(const OperatorVersion& row) {
  return std::string(row.domain) + ' ' + std::string(name(row.op)) + '-' + std::to_string(row.since_version);
}

std::set<ElementType> set_of(TypeList types) { return {types.begin(), types.end()}; }

/// The versions in ai.onnx, the only domain with more than one.
std::vector<const OperatorVersion*> versions_of(Operator op) {
  std::vector<const OperatorVersion*> rows;
  for (const OperatorVersion& row : operator_versions)
    if (row.domain == ai_onnx && row.op == op) rows.push_back(&row);
  return rows;
}

TEST(Resolve, PicksTheNewestVersionNotAboveTheOpset) {
  constexpr std::array<std::pair<int, int>, 21> since_versions{
      {{9, 0},   {10, 10}, {11, 10}, {12, 10}, {13, 13}, {14, 13}, {15, 13}, {16, 13}, {17, 13}, {18, 13}, {19, 19},
       {20, 19}, {21, 21}, {22, 21}, {23, 23}, {24, 24}, {25, 25}, {26, 25}, {27, 25}, {28, 28}, {29, 28}}};
  for (const Operator op : both_operators)
    for (const auto& [opset, since_version] : since_versions) {
      const OperatorVersion* row = resolve(ai_onnx, op, opset);
      ASSERT_EQ(row != nullptr, since_version != 0) << name(op) << " in opset " << opset;
      if (row == nullptr) continue;
      EXPECT_EQ(row->op, op) << opset;
      EXPECT_EQ(row->domain, ai_onnx) << opset;
      EXPECT_EQ(row->since_version, since_version) << name(op) << " in opset " << opset;
    }
}

TEST(Resolve, RejectsUnknownDomains) {
  for (const Operator op : both_operators) EXPECT_EQ(resolve("org.example", op, newest_opset), nullptr);
}

// The kernels have the types of the newest versions, and serve com.microsoft too.
TEST(Resolve, GivesNewestVersionsWithTheTypesOfAllOthers) {
  const auto expect_within = [](const Parameter& parameter, TypeList types, const OperatorVersion& row) {
    for (const ElementType type : parameter.types)
      EXPECT_TRUE(contains(types, type)) << label(row) << ' ' << name(type);
  };
  for (const OperatorVersion& row : operator_versions) {
    if (row.domain == opmx) continue;
    const OperatorVersion& newest = *resolve(ai_onnx, row.op, newest_opset);
    for (std::size_t i = 0; i < row.inputs.size(); ++i) expect_within(row.inputs[i], newest.inputs[i].types, row);
    expect_within(row.output, newest.output.types, row);
  }
}

TEST(FindOperatorVersion, FindsExactlyTheRows) {
  for (const OperatorVersion& row : operator_versions)
    EXPECT_EQ(find_operator_version(row.domain, row.op, row.since_version), &row) << label(row);
  for (const Operator op : both_operators)
    for (const int other : {0, oldest_opset - 1, 11, 20, 22, 26, 27, newest_opset + 1})
      EXPECT_EQ(find_operator_version(ai_onnx, op, other), nullptr);
  EXPECT_EQ(find_operator_version("org.example", Operator::quantize_linear, 10), nullptr);
}

TEST(OperatorVersions, AreTheEightOfEachOperatorInAscendingOrder) {
  for (const Operator op : both_operators) {
    std::vector<int> numbers;
    for (const OperatorVersion* row : versions_of(op)) numbers.push_back(row->since_version);
    EXPECT_EQ(numbers, (std::vector{10, 13, 19, 21, 23, 24, 25, 28})) << name(op);
  }
}

TEST(OperatorVersions, DetermineTheOutputTypeAsOnTheirPages) {
  const std::vector<OutputTypeRule> quantize{zero_point_else_uint8,
                                             zero_point_else_uint8,
                                             zero_point_else_uint8,
                                             zero_point_else_output_dtype_else_uint8,
                                             zero_point_else_output_dtype_else_uint8,
                                             zero_point_else_output_dtype_else_uint8,
                                             zero_point_else_output_dtype_else_uint8,
                                             zero_point_else_output_dtype_else_uint8};
  const std::vector<OutputTypeRule> dequantize{float32,
                                               float32,
                                               scale_type,
                                               scale_type,
                                               output_dtype_else_scale_type,
                                               output_dtype_else_scale_type,
                                               output_dtype_else_scale_type,
                                               output_dtype_else_scale_type};
  ASSERT_EQ(versions_of(Operator::quantize_linear).size(), quantize.size());
  ASSERT_EQ(versions_of(Operator::dequantize_linear).size(), dequantize.size());
  for (std::size_t i = 0; i < quantize.size(); ++i) {
    EXPECT_EQ(versions_of(Operator::quantize_linear)[i]->output_type_rule, quantize[i]) << i;
    EXPECT_EQ(versions_of(Operator::dequantize_linear)[i]->output_type_rule, dequantize[i]) << i;
  }
  EXPECT_EQ(resolve(com_microsoft, Operator::quantize_linear, 1)->output_type_rule, zero_point_else_uint8);
  EXPECT_EQ(resolve(com_microsoft, Operator::dequantize_linear, 1)->output_type_rule, scale_type);
  EXPECT_EQ(resolve(opmx, Operator::dequantize_linear, 1)->output_type_rule, scale_type);
}

void expect_same_type(const Parameter& left, const Parameter& right, const OperatorVersion& row) {
  EXPECT_EQ(left.type_variable, right.type_variable) << label(row);
  EXPECT_EQ(set_of(left.types), set_of(right.types)) << label(row);
}

TEST(OperatorVersions, BindTheZeroPointToTheQuantizedTensor) {
  for (const OperatorVersion& row : operator_versions) {
    if (row.domain == opmx) continue;  // where it may be a float, and has its own type variable
    const auto& [x, scale, zero_point] = row.inputs;
    const Parameter& quantized = row.op == Operator::quantize_linear ? row.output : x;
    EXPECT_FALSE(zero_point.type_variable.empty()) << label(row);
    expect_same_type(zero_point, quantized, row);
    EXPECT_NE(quantized.type_variable, scale.type_variable) << label(row);
  }
}

TEST(OperatorVersions, BindTheOutputOfDequantizationToTheScaleWhereTheRuleSaysSo) {
  for (const OperatorVersion* row : versions_of(Operator::dequantize_linear)) {
    if (row->output_type_rule == scale_type) expect_same_type(row->output, row->inputs[1], *row);
    EXPECT_EQ(row->output_type_rule == scale_type,
              row->output.type_variable == row->inputs[1].type_variable && !row->output.type_variable.empty())
        << label(*row);
  }
}

TEST(OperatorVersions, HaveOptionalZeroPointsAndNothingElseOptional) {
  for (const OperatorVersion& row : operator_versions) {
    EXPECT_FALSE(row.inputs[0].optional) << label(row);
    EXPECT_FALSE(row.inputs[1].optional) << label(row);
    EXPECT_TRUE(row.inputs[2].optional) << label(row);
    EXPECT_FALSE(row.output.optional) << label(row);
  }
}

TEST(OperatorVersions, HaveTheAttributesThatTheirGranularitiesAndRulesNeed) {
  for (const OperatorVersion& row : operator_versions) {
    EXPECT_TRUE(row.has(Granularity::per_tensor)) << label(row);
    EXPECT_EQ(row.has(Granularity::per_axis), row.attribute(AttributeMeaning::axis) != nullptr) << label(row);
    EXPECT_EQ(row.has(Granularity::blocked), row.attribute(AttributeMeaning::block_size) != nullptr) << label(row);
    EXPECT_EQ(!row.precisions.empty(), row.attribute(AttributeMeaning::precision) != nullptr) << label(row);
    EXPECT_EQ(row.output_type_rule == zero_point_else_output_dtype_else_uint8 ||
                  row.output_type_rule == output_dtype_else_scale_type,
              row.attribute(AttributeMeaning::output_dtype) != nullptr)
        << label(row);
    const bool produces_float8 = contains(row.output.types, ElementType::float8e5m2);
    EXPECT_EQ(produces_float8, row.attribute(AttributeMeaning::saturate) != nullptr) << label(row);
  }
}

TEST(OperatorVersions, NeverRemoveAType) {
  for (const Operator op : both_operators) {
    const auto rows = versions_of(op);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      for (std::size_t input = 0; input < 3; ++input)
        for (const ElementType type : rows[i - 1]->inputs[input].types)
          EXPECT_TRUE(contains(rows[i]->inputs[input].types, type)) << label(*rows[i]) << ' ' << name(type);
      for (const ElementType type : rows[i - 1]->output.types)
        EXPECT_TRUE(contains(rows[i]->output.types, type)) << label(*rows[i]) << ' ' << name(type);
    }
  }
}

/// Counts legal combinations of x type, scale type, y type, granularity, zero point (absent or present, with its type
/// if x does not determine it), saturate and precision.
std::size_t legal_combinations(const OperatorVersion& row) {
  const auto& [x, scale, zero_point] = row.inputs;
  const bool same_type = x.type_variable == scale.type_variable;
  const std::size_t operand_types = same_type ? x.types.size() : x.types.size() * scale.types.size();
  std::size_t outputs = 0;
  if (row.op == Operator::dequantize_linear) {
    const std::size_t zero_points = x.type_variable == zero_point.type_variable ? 1 : zero_point.types.size();
    outputs = (1 + zero_points) * (row.output_type_rule == output_dtype_else_scale_type ? row.output.types.size() : 1);
  } else {
    for (const ElementType y : row.output.types) {
      const bool without_zero_point = row.attribute("output_dtype") != nullptr || y == ElementType::uint8;
      outputs += (without_zero_point ? 2u : 1u) * (is_float8(y) ? 2u : 1u);
    }
  }
  return operand_types * outputs * row.granularities.size() * (1 + row.precisions.size());
}

TEST(OperatorVersions, SpanTheLatticeOfLegalCombinations) {
  const std::vector<std::size_t> quantize{6, 12, 88, 336, 5760, 7200, 8160, 9120};
  const std::vector<std::size_t> dequantize{6, 12, 84, 198, 648, 864, 1008, 1152};
  // com.microsoft: 2 types of x, 6 of y and uint8 without a zero point, 2 granularities; and 7 types of x, 2 of the
  // scale, with and without a zero point, 2 granularities.
  EXPECT_EQ(legal_combinations(*resolve(com_microsoft, Operator::quantize_linear, 1)), 28u);
  EXPECT_EQ(legal_combinations(*resolve(com_microsoft, Operator::dequantize_linear, 1)), 56u);
  // opmx: 2 types of x, 2 of the scale, no zero point or 3 types of it, 3 granularities.
  EXPECT_EQ(legal_combinations(*resolve(opmx, Operator::dequantize_linear, 1)), 48u);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(legal_combinations(*versions_of(Operator::quantize_linear)[i]), quantize[i]) << i;
    EXPECT_EQ(legal_combinations(*versions_of(Operator::dequantize_linear)[i]), dequantize[i]) << i;
  }
}

TEST(OperatorVersions, OfMicrosoftHaveAnAxisWithoutDefaultAndNoOtherAttribute) {
  for (const Operator op : both_operators) {
    const OperatorVersion& row = *resolve(com_microsoft, op, 1);
    ASSERT_EQ(row.attributes.size(), 1u) << label(row);
    EXPECT_EQ(row.attributes.front().name, "axis") << label(row);
    EXPECT_EQ(row.attributes.front().default_value, std::nullopt) << label(row);
    EXPECT_FALSE(row.attributes.front().required) << label(row);
  }
}

TEST(OperatorVersions, OfMicrosoftHaveTheseTypes) {
  using enum ElementType;
  const std::set<ElementType> floats{ElementType::float32, float16};
  const OperatorVersion& quantize = *resolve(com_microsoft, Operator::quantize_linear, 1);
  EXPECT_EQ(set_of(quantize.inputs[0].types), floats);
  expect_same_type(quantize.inputs[1], quantize.inputs[0], quantize);
  EXPECT_EQ(set_of(quantize.output.types), (std::set{uint8, int8, uint16, int16, uint4, int4}));
  const OperatorVersion& dequantize = *resolve(com_microsoft, Operator::dequantize_linear, 1);
  EXPECT_EQ(set_of(dequantize.inputs[0].types), (std::set{uint8, int8, uint16, int16, int32, uint4, int4}));
  EXPECT_EQ(set_of(dequantize.inputs[1].types), floats);
  expect_same_type(dequantize.output, dequantize.inputs[1], dequantize);
}

// The page's headings: `quant_axis`: int(default: 1) and so on. Bools are integers in a model.
TEST(OperatorVersions, OfOpmxHasTheseAttributes) {
  struct Expected {
    std::string_view name;
    AttributeType type;
    std::optional<std::int64_t> default_value;
    bool required;
  };
  const std::vector<Expected> page{
      {"quant_data_type", AttributeType::string, std::nullopt, true},
      {"quant_method", AttributeType::string, std::nullopt, false},
      {"quant_axis", AttributeType::integer, 1, false},
      {"group_size", AttributeType::integer, 128, false},
      {"has_zeropoint", AttributeType::integer, 0, false},
      {"float_zeropoint", AttributeType::integer, 0, false},
  };
  const auto attributes = resolve(opmx, Operator::dequantize_linear, 1)->attributes;
  ASSERT_EQ(attributes.size(), page.size());
  for (std::size_t i = 0; i < page.size(); ++i) {
    EXPECT_EQ(attributes[i].name, page[i].name);
    EXPECT_EQ(attributes[i].type, page[i].type) << page[i].name;
    EXPECT_EQ(attributes[i].default_value, page[i].default_value) << page[i].name;
    EXPECT_EQ(attributes[i].required, page[i].required) << page[i].name;
  }
}

TEST(OperatorVersions, OfOpmxHasTheseInputsAndOutputs) {
  using enum ElementType;
  const OperatorVersion& row = *resolve(opmx, Operator::dequantize_linear, 1);
  const auto& [x, scale, zero_point] = row.inputs;
  EXPECT_EQ(set_of(x.types), (std::set{int8, int4x4}));
  EXPECT_EQ(set_of(scale.types), (std::set{ElementType::float32, float16}));
  EXPECT_EQ(set_of(zero_point.types), (std::set{int8, ElementType::float32, float16}));
  expect_same_type(row.output, scale, row);
  EXPECT_NE(zero_point.type_variable, x.type_variable);
  EXPECT_NE(zero_point.type_variable, scale.type_variable);
  EXPECT_FALSE(x.constant);
  EXPECT_TRUE(scale.constant && zero_point.constant);
  EXPECT_EQ(resolve(opmx, Operator::quantize_linear, 1), nullptr);
}

// A per-channel scale is (d0, 1), quant_axis is 0 or 1, and group_size divides the length of the grouped dimension.
TEST(OperatorVersions, HaveSpecialShapeRulesOnlyInOpmx) {
  for (const OperatorVersion& row : operator_versions) {
    const bool is_opmx = row.domain == opmx;
    EXPECT_EQ(row.shapes.per_axis_scale, is_opmx ? PerAxisScale::across_axis : PerAxisScale::along_axis) << label(row);
    EXPECT_EQ(row.shapes.rank, is_opmx ? std::optional<std::int64_t>(2) : std::nullopt) << label(row);
    EXPECT_EQ(row.shapes.negative_axis, !is_opmx) << label(row);
    EXPECT_EQ(row.shapes.whole_blocks, is_opmx) << label(row);
  }
}

TEST(Names, AreThoseOfOnnxAndOfTheReports) {
  EXPECT_EQ(name(Operator::quantize_linear), "QuantizeLinear");
  EXPECT_EQ(name(Operator::dequantize_linear), "DequantizeLinear");
  EXPECT_EQ(name(Granularity::per_tensor), "per_tensor");
  EXPECT_EQ(name(Granularity::per_axis), "per_axis");
  EXPECT_EQ(name(Granularity::blocked), "blocked");
}

TEST(Applicability, OfADomainCoversNoOtherDomain) {
  for (const Operator op : both_operators) {
    const bool quantizes = op == Operator::quantize_linear;
    EXPECT_TRUE(microsoft().covers(com_microsoft, op, 1));
    EXPECT_EQ(microsoft_quantize().covers(com_microsoft, op, 1), quantizes);
    EXPECT_EQ(microsoft_dequantize().covers(com_microsoft, op, 1), !quantizes);
    EXPECT_FALSE(microsoft().covers(ai_onnx, op, 1));
    EXPECT_FALSE(both(1).covers(com_microsoft, op, 1));
    EXPECT_EQ(opmx_dequantize().covers(opmx, op, 1), !quantizes);
    EXPECT_FALSE(opmx_dequantize().covers(com_microsoft, op, 1));
    EXPECT_FALSE((both(1) | microsoft()).covers(opmx, op, 1));
  }
}

TEST(Applicability, CoversExactlyItsRanges) {
  struct Row {
    Applicability applicability;
    Operator op;
    int version;
    bool covered;
  };
  const auto quantize_linear = Operator::quantize_linear;
  const auto dequantize_linear = Operator::dequantize_linear;
  const std::vector<Row> rows{
      {quantize(19), quantize_linear, 18, false},
      {quantize(19), quantize_linear, 19, true},
      {quantize(19), quantize_linear, 99, true},
      {quantize(19), dequantize_linear, 19, false},
      {dequantize(10, 21), dequantize_linear, 21, true},
      {dequantize(10, 21), dequantize_linear, 23, false},
      {dequantize(10, 21), quantize_linear, 21, false},
      {both(21, 23), quantize_linear, 23, true},
      {both(21, 23), dequantize_linear, 21, true},
      {both(21, 23), dequantize_linear, 24, false},
      {quantize(10, 13) | quantize(23), quantize_linear, 13, true},
      {quantize(10, 13) | quantize(23), quantize_linear, 21, false},
      {quantize(10, 13) | quantize(23), quantize_linear, 23, true},
      {Applicability{}, quantize_linear, 10, false},
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].applicability.covers(ai_onnx, rows[i].op, rows[i].version), rows[i].covered) << "row " << i;
    EXPECT_FALSE(rows[i].applicability.covers("org.example", rows[i].op, rows[i].version)) << "row " << i;
  }
}

}  // namespace
}  // namespace touchstone::spec::operator_version_test
