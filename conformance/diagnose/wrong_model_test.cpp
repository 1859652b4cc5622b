// The rows of the bank.
#include "conformance/diagnose/wrong_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/diagnose/computation.h"
#include "spec/clauses.h"

namespace touchstone::conformance::wrong_model_test {
namespace {

TEST(WrongModels, HaveUniqueNamesInKebabCase) {
  std::set<std::string_view> names;
  std::set<std::string_view> sentences;
  for (const WrongModel& model : wrong_models()) {
    EXPECT_TRUE(names.insert(model.name).second) << model.name;
    EXPECT_TRUE(sentences.insert(model.sentence).second) << model.sentence;
    EXPECT_EQ(model.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), model.name.npos) << model.name;
    EXPECT_EQ(find_wrong_model(model.name), &model);
    EXPECT_EQ(model.where != nullptr, model.where != nullptr && model.steps != nullptr) << model.name;
  }
  EXPECT_GE(names.size(), 80U);
  EXPECT_EQ(find_wrong_model("no-such-model"), nullptr);
}

/// Every group of defects is represented, and readings are rejected ones.
TEST(WrongModels, FollowRejectedReadingsOnly) {
  std::set<WrongModelGroup> groups;
  for (const WrongModel& model : wrong_models()) {
    groups.insert(model.group);
    if (!model.reading) continue;
    const auto& reading = spec::ambiguities[model.reading->ambiguity]->readings[model.reading->reading];
    EXPECT_EQ(reading.status, spec::ReadingStatus::rejected) << model.name;
  }
  EXPECT_EQ(groups.size(), 11U);
}

TEST(WrongModels, ViolateKnownClauses) {
  for (const WrongModel& model : wrong_models()) {
    EXPECT_FALSE(clauses_of(model).empty()) << model.name;
    for (const std::string_view clause : clauses_of(model)) EXPECT_NE(spec::find_clause(clause), nullptr) << clause;
  }
  EXPECT_THAT(clauses_of(*find_wrong_model("takes-axis-0-by-default")), testing::ElementsAre("qdq-axis-default"));
}

/// Documented outputs of runtimes with these defects.
TEST(WrongModels, ComputeTheDocumentedOutputsOfRuntimes) {
  using enum spec::ElementType;
  struct Row {
    std::string_view model;
    spec::ElementType x, y;
    std::vector<double> inputs;
    double scale;
    double zero_point;
    std::vector<std::uint64_t> outputs;
    std::optional<spec::ElementType> dequantized_to = std::nullopt;
    bool x_varies = false;
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double unit = 0x1p-9;  // the smallest subnormal number of float8e4m3fn
  const std::vector<Row> rows{
      {"wraps-sum-of-saturated-int32", float32, uint8, {3e9, 1e9, -3e9}, 1, 128, {0, 255, 0}},
      {"wraps-sum-of-saturated-int32", float32, int8, {3e9, 1e9, -3e9}, 1, -1, {127, 127, 127}},
      {"saturates-by-sign-of-input", float32, uint8, {-1000, -4, 0, 2, 1000}, -2, 0, {0, 2, 0, 255, 255}},
      {"casts-where-scale-is-1", float32, uint8, {-5, 5, 300, 2.5, 3.75}, 1, 0, {251, 5, 44, 2, 3}},
      {"casts-where-scale-is-1", float32, uint8, {-5, 5, 300, 2.5, 3.75}, 1, 1, {0, 6, 255, 3, 5}},
      {"rounds-after-zero-point", float32, uint8, {0.5, 1.5, 2.5, -0.5}, 1, 1, {2, 2, 4, 0}},
      // 2.9999999 and 3.9999999 become 3 and 4 in float32.
      {"adds-almost-half-and-truncates", float32, uint8, {0.5, 1.5, 2.5, 3.5, 0x1p31}, 1, 0, {0, 1, 3, 4, 0}},
      // -128.5 + 0.4999999 is -128 in float32, and 0.5 + 0.4999999 is less than 1.
      {"adds-almost-half-and-truncates", float32, uint8, {-128.5, 3.5}, 1, 129, {1, 133}},
      {"adds-almost-half-last-and-truncates", float32, uint8, {-128.5, 3.5}, 1, 129, {0, 133}},
      // In bfloat16 0.4999999 is 0.5, and numbers from 128 on are rounded to integers.
      {"adds-almost-half-and-truncates", bfloat16, uint8, {-0.5, 0}, 1, 129, {129, 130}},
      {"adds-almost-half-last-and-truncates", bfloat16, uint8, {-0.5, 0}, 1, 129, {128, 130}},
      {"adds-almost-half-to-zero-point-and-truncates", bfloat16, uint8, {-0.5, 0}, 1, 129, {130, 130}},
      // 0.4999999 is 0.5 in float16.
      {"adds-almost-half-and-truncates", float16, uint8, {0.5, 1.5, 2.5}, 1, 0, {1, 2, 3}},
      {"converts-huge-quotients-to-lowest-int32", float32, uint8, {3e9, 1e9, -3e9, 200}, 1, 0, {0, 255, 0, 200}},
      // 7, 7.5, 7.75 and 8 times the smallest subnormal number, 2^-9.
      {"loses-carry-out-of-subnormals",
       float32,
       float8e4m3fn,
       {0.013671875, 0.0146484375, 0.01513671875, 0.015625},
       1,
       0,
       {0x07, 0x00, 0x00, 0x08}},
      {"rounds-to-float8-through-float16", float32, float8e4m3fn, {1.0625001, 1.07}, 1, 0, {0x38, 0x39}},
      {"never-saturates-float8", float32, float8e4m3fn, {448, 465, 1000, -1000}, 1, 0, {0x7e, 0x7f, 0x7f, 0x7f}},
      {"wraps-sum-of-lowest-int32", float32, int8, {3e9, -3e9, 5}, 1, -127, {127, 127, 0x86}},
      {"wraps-sum-of-lowest-int32", float32, int8, {3e9, HUGE_VAL, 5}, 1, 1, {0x80, 0x80, 6}},
      // The factor is 1, and the offset is -1.
      {"scales-to-levels", float32, uint8, {0.5, 1.5, 300, -5}, 1, 1, {2, 2, 255, 0}},
      {"scales-to-levels", float32, int8, {0.5, 1.5, 300, -5}, 1, 0, {0, 2, 127, 0xfb}},
      {"clamps-before-float8",
       float32,
       float8e4m3fn,
       {nan, HUGE_VAL, 1.0625001, -500},
       1,
       0,
       {0xfe, 0x7e, 0x38, 0xfe},
       std::nullopt,
       true},
      // The first number is less than 2^-17, which float16 doubles to 2^-16.
      {"clamps-before-float8",
       float32,
       float8e5m2,
       {0x1.fffp-18, 0x1p-17, nan},
       1,
       0,
       {0x01, 0x00, 0xfb},
       std::nullopt,
       true},
      // 1.875, 2, 2.75, 0.99 and 8 before the truncation.
      {"emulates-float8-in-float16",
       float32,
       float8e4m3fn,
       {1.9 * unit, 1.9375 * unit, 2.8 * unit, 0.99 * unit, 7.75 * unit, nan, 1000},
       1,
       0,
       {0x01, 0x02, 0x02, 0x00, 0x08, 0x7e, 0x7e}},
      // The code of the scale is 13481 = 210.6 * 64, which becomes 210 * 64.
      {"reads-constant-bfloat16-bits-as-integers", uint8, uint8, {1}, 0x1.52p-22, 0, {0x4652}, bfloat16},
      // 192.9 * 64 becomes 192 * 64, and 215.7 * 128 becomes 216 * 128.
      {"converts-operands-to-output-type", int16, int16, {12345, -27612}, 1, 0, {0x4640, 0xc6d8}, bfloat16},
      // 65504 / 2
      {"converts-operands-to-output-type", int32, int32, {100000, -100000}, 0.5, 0, {0x77ff, 0xf7ff}, float16},
      // The zero point becomes 32768, and its product 32800: -1.0009765625 and -2047.998.
      {"folds-zero-point-into-offset",
       int16,
       int16,
       {32767, 30722},
       1.0009765625,
       32767,
       {0xbc01, 0xe800},
       float16,
       true},
  };
  for (const Row& row : rows) {
    const auto tensor = [](spec::ElementType type, const std::vector<double>& numbers, reference::Shape shape) {
      reference::Tensor made(type, std::move(shape));
      for (std::size_t i = 0; i < numbers.size(); ++i)
        made.set_code(static_cast<std::int64_t>(i),
                      host::encode(type, spec::is_integer(type) ? numbers[i] : host::round_to_type(numbers[i], type)));
      return made;
    };
    const auto op = row.dequantized_to ? spec::Operator::dequantize_linear : spec::Operator::quantize_linear;
    // The first version of DequantizeLinear with int16.
    reference::Node node{.op = op, .opset = row.dequantized_to ? 21 : 19, .inputs = {}, .attributes = {}};
    node.inputs = {tensor(row.x, row.inputs, {static_cast<std::int64_t>(row.inputs.size())}),
                   tensor(row.dequantized_to.value_or(row.x), {row.scale}, {}), tensor(row.y, {row.zero_point}, {})};
    if (row.x_varies) node.variable_inputs = {0};
    const WrongModel* model = find_wrong_model(row.model);
    ASSERT_NE(model, nullptr) << row.model;
    const auto y = compute(node, {&model, 1}, {0, node.inputs});
    const auto* given = std::get_if<reference::Tensor>(&y);
    ASSERT_NE(given, nullptr) << row.model;
    for (std::size_t i = 0; i < row.outputs.size(); ++i)
      EXPECT_EQ(given->code(static_cast<std::int64_t>(i)), row.outputs[i]) << row.model << ", element " << i;
  }
}

TEST(WrongModels, ReadConstantsWithoutElementsAsZero) {
  using enum spec::ElementType;
  const WrongModel* model = find_wrong_model("reads-empty-constants-as-zero");
  reference::Node node{
      .op = spec::Operator::quantize_linear, .opset = 13, .inputs = {}, .attributes = {{"axis", std::int64_t{0}}}};
  node.inputs = {reference::Tensor(float32, {0}),
                 reference::Tensor::from_codes(float32, {}, std::vector<std::uint64_t>{0x3f800000}),
                 reference::Tensor::from_codes(uint8, {}, std::vector<std::uint64_t>{3})};
  const auto of_constant = std::get<reference::Tensor>(compute(node, {&model, 1}, {0, node.inputs}));
  EXPECT_EQ(of_constant.rank(), 0);
  EXPECT_EQ(of_constant.code(0), 3U);
  node.variable_inputs = {0};
  EXPECT_EQ(std::get<reference::Tensor>(compute(node, {&model, 1}, {0, node.inputs})).shape(), reference::Shape{0});
}

/// float32 codes of small numbers.
constexpr std::uint64_t one = 0x3f800000;
constexpr std::uint64_t two = 0x40000000;
constexpr std::uint64_t three = 0x40400000;

reference::Tensor floats(reference::Shape shape, const std::vector<std::uint64_t>& codes) {
  return reference::Tensor::from_codes(spec::ElementType::float32, std::move(shape), codes);
}

std::vector<std::uint64_t> codes_of(std::string_view name, const reference::Node& node, const ModelRun& run) {
  const WrongModel* model = find_wrong_model(name);
  const auto y = std::get<reference::Tensor>(compute(node, {&model, 1}, run));
  std::vector<std::uint64_t> codes;
  for (std::int64_t i = 0; i < y.size(); ++i) codes.push_back(y.code(i));
  return codes;
}

/// In the first run rows had one element, so the second row of two elements begins at the second element.
TEST(WrongModels, KeepTheStridesOfTheFirstRun) {
  reference::Node node{.op = spec::Operator::quantize_linear, .opset = 13, .inputs = {}, .attributes = {}};
  node.inputs = {floats({2, 2}, {one, two, three, three}), floats({}, {one})};
  const Inputs first{floats({3, 1}, {one, one, one}), floats({}, {one})};
  EXPECT_THAT(codes_of("keeps-strides-of-first-run", node, {1, first}), testing::ElementsAre(1, 2, 2, 3));
  EXPECT_THAT(codes_of("keeps-strides-of-first-run", node, {0, node.inputs}), testing::ElementsAre(1, 2, 3, 3));
}

/// 3 / 2 is 2 (to even), and 3 divided by the next number is 1. 3 / 1 is 3.
TEST(WrongModels, MergeScalesThatDifferByLittle) {
  reference::Node node{
      .op = spec::Operator::quantize_linear, .opset = 13, .inputs = {}, .attributes = {{"axis", std::int64_t{1}}}};
  node.inputs = {floats({1, 2}, {three, three}), floats({2}, {two, two + 1})};
  EXPECT_THAT(codes_of("rounds-half-down", node, {0, node.inputs}), testing::ElementsAre(1, 1));
  EXPECT_THAT(codes_of("merges-similar-scales", node, {0, node.inputs}), testing::ElementsAre(2, 2));
  node.inputs[1] = floats({2}, {two, one});
  EXPECT_THAT(codes_of("merges-similar-scales", node, {0, node.inputs}), testing::ElementsAre(2, 3));
}

/// 1 times 1, and 1 times 128.
TEST(WrongModels, TakeAScaleOf128ForNan) {
  reference::Node node{.op = spec::Operator::dequantize_linear,
                       .opset = 24,
                       .inputs = {},
                       .attributes = {{"axis", std::int64_t{1}}, {"output_dtype", std::int64_t{1}}}};
  node.inputs = {
      reference::Tensor::from_codes(spec::ElementType::uint8, {1, 2}, std::vector<std::uint64_t>{1, 1}),
      reference::Tensor::from_codes(spec::ElementType::float8e8m0, {2}, std::vector<std::uint64_t>{127, 134})};
  const std::vector<std::uint64_t> codes = codes_of("reads-scale-128-as-nan", node, {0, node.inputs});
  EXPECT_EQ(codes[0], one);
  EXPECT_GT(codes[1], 0x7f800000U) << "a NaN";
}

}  // namespace
}  // namespace touchstone::conformance::wrong_model_test
