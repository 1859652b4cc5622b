#include "conformance/judge/few_columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/judge/judge.h"
#include "conformance/testing.h"

namespace touchstone::conformance::few_columns_test {
namespace {

using reference::Shape;
using spec::ElementType;

constexpr std::int64_t rows = 1024, columns = 64;

std::uint64_t code(float number) { return std::bit_cast<std::uint32_t>(number); }

Tensor filled(ElementType type, const Shape& shape, const std::function<std::uint64_t(std::int64_t)>& code_of) {
  Tensor made(type, shape);
  for (std::int64_t i = 0; i < made.size(); ++i) made.set_code(i, code_of(i));
  return made;
}

/// The product of x, of which only the first element is not zero, and of weights: each is the number of its column,
/// times the scale 1.
Case product(float first, const Shape& scales, const std::map<std::string, reference::GraphAttribute>& attributes,
             std::int64_t width = columns) {
  auto model = std::make_shared<reference::GraphModel>();
  model->opsets = {{std::string(spec::ai_onnx), 21}};
  model->limits.weights = std::int64_t{1} << 20;
  model->graph = {
      .inputs = {"x"},
      .initializers = {{"w", filled(ElementType::int8, {rows, width},
                                    [&](std::int64_t i) { return static_cast<std::uint64_t>(i % width); })},
                       {"s", filled(ElementType::float32, scales, [](std::int64_t) { return code(1); })}},
      .nodes = {{.op_type = "DequantizeLinear", .inputs = {"w", "s"}, .outputs = {"d"}, .attributes = attributes},
                {.op_type = "MatMul", .inputs = {"x", "d"}, .outputs = {"y"}}},
      .outputs = {"y"}};
  Case made;
  made.id = "product";
  made.model.graph = std::move(model);
  made.model.node.op = spec::Operator::dequantize_linear;
  made.model.node.opset = 21;
  made.model.node.inputs.resize(1);
  made.model.graph_inputs = {"x"};
  made.model.node_inputs = {"x"};
  made.model.graph_outputs = {"y"};
  made.data_sets.push_back(
      {{{"x", filled(ElementType::float32, {1, rows}, [&](std::int64_t i) { return i == 0 ? code(first) : 0; })}}, {}});
  return made;
}

Case product_of_blocks(float first) {
  return product(first, {rows / 32, columns}, {{"axis", std::int64_t{0}}, {"block_size", std::int64_t{32}}});
}

Answer answer(const std::function<float(std::int64_t)>& number_of) {
  return Outputs{{"y", filled(ElementType::float32, {1, columns}, [&](std::int64_t i) { return code(number_of(i)); })}};
}

std::vector<std::uint64_t> codes_of(const Tensor& tensor) {
  std::vector<std::uint64_t> codes;
  for (std::int64_t i = 0; i < tensor.size(); ++i) codes.push_back(tensor.code(i));
  return codes;
}

TEST(FewColumns, AreTheWrongOnes) {
  const Case tested = product_of_blocks(3);
  const auto interpreted = interpret(tested);
  const Answer given =
      answer([](std::int64_t i) { return static_cast<float>(3 * i) + (i == 5 || i == 40 ? 1.0F : 0.0F); });
  const auto few = few_columns(tested, interpreted, std::array{&given});
  ASSERT_TRUE(few);
  EXPECT_EQ(few->tested.model.graph->graph.initializers.at("w").shape(), (Shape{rows, 2}));
  EXPECT_EQ(few->tested.model.graph->graph.initializers.at("s").shape(), (Shape{rows / 32, 2}));
  EXPECT_EQ(codes_of(few->interpreted.front().outcome.result()->y), (std::vector{code(15), code(120)}));
  EXPECT_EQ(codes_of(std::get<Outputs>(few->answers.front()).front().value), (std::vector{code(16), code(121)}));
}

TEST(FewColumns, AreNoneOfARightAnswerOrOfOtherGraphs) {
  const Case tested = product_of_blocks(3);
  const Answer right = answer([](std::int64_t i) { return static_cast<float>(3 * i); });
  EXPECT_FALSE(few_columns(tested, interpret(tested), std::array{&right}));
  const Answer wrong = answer([](std::int64_t i) { return static_cast<float>(i); });
  const Case per_column = product(3, {columns}, {});
  EXPECT_TRUE(few_columns(per_column, interpret(per_column), std::array{&wrong}));
  // As many rows as columns: the scales are those of the rows.
  const Case per_row = product(3, {rows}, {{"axis", std::int64_t{0}}}, rows);
  const Answer of_rows = Outputs{{"y", filled(ElementType::float32, {1, rows}, [](std::int64_t) { return code(1); })}};
  EXPECT_FALSE(few_columns(per_row, interpret(per_row), std::array{&of_rows}));
}

/// 257 has nine significant bits, and bfloat16 has eight.
TEST(FewColumns, DoNotHideAReadingNorInventOne) {
  const Case tested = product_of_blocks(257);
  const auto verdict = [&](const Answer& given) {
    return judge(tested, interpret(tested), std::vector<Answer>{given}).verdict;
  };
  EXPECT_EQ(verdict(answer([](std::int64_t i) { return static_cast<float>(256 * i); })), Verdict::pass_variant);
  EXPECT_EQ(verdict(answer([](std::int64_t i) { return static_cast<float>((i == 5 ? 256 : 257) * i); })),
            Verdict::fail);
}

}  // namespace
}  // namespace touchstone::conformance::few_columns_test
