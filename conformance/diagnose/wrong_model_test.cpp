// The rows of the bank.
#include "conformance/diagnose/wrong_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/diagnose/computation.h"
#include "spec/clauses.h"

namespace touchstone::conformance {
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

TEST(WrongModels, ViolateClausesOfTheRegister) {
  for (const WrongModel& model : wrong_models()) {
    EXPECT_FALSE(clauses_of(model).empty()) << model.name;
    for (const std::string_view clause : clauses_of(model)) EXPECT_NE(spec::find_clause(clause), nullptr) << clause;
  }
  EXPECT_THAT(clauses_of(*find_wrong_model("takes-axis-0-by-default")), testing::ElementsAre("qdq-axis-default"));
}

/// Documented outputs of runtimes with these defects.
TEST(WrongModels, ComputeWhatRuntimesWithTheseDefectsGive) {
  using enum spec::ElementType;
  struct Row {
    std::string_view model;
    spec::ElementType x, y;
    std::vector<double> inputs;
    double scale;
    double zero_point;
    std::vector<std::uint64_t> outputs;
  };
  const std::vector<Row> rows{
      {"wraps-sum-of-saturated-int32", float32, uint8, {3e9, 1e9, -3e9}, 1, 128, {0, 255, 0}},
      {"wraps-sum-of-saturated-int32", float32, int8, {3e9, 1e9, -3e9}, 1, -1, {127, 127, 127}},
      {"saturates-by-sign-of-input", float32, uint8, {-1000, -4, 0, 2, 1000}, -2, 0, {0, 2, 0, 255, 255}},
      {"rounds-after-zero-point", float32, uint8, {0.5, 1.5, 2.5, -0.5}, 1, 1, {2, 2, 4, 0}},
      {"adds-almost-half-and-truncates", float32, uint8, {0.5, 1.5, 2.5, 3.5}, 1, 0, {0, 1, 3, 4}},
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
  };
  for (const Row& row : rows) {
    const auto tensor = [](spec::ElementType type, const std::vector<double>& numbers, reference::Shape shape) {
      reference::Tensor made(type, std::move(shape));
      for (std::size_t i = 0; i < numbers.size(); ++i)
        made.set_code(static_cast<std::int64_t>(i),
                      host::encode(type, spec::is_integer(type) ? numbers[i] : host::round_to_type(numbers[i], type)));
      return made;
    };
    reference::Node node{.op = spec::Operator::quantize_linear, .opset = 19, .inputs = {}, .attributes = {}};
    node.inputs = {tensor(row.x, row.inputs, {static_cast<std::int64_t>(row.inputs.size())}),
                   tensor(row.x, {row.scale}, {}), tensor(row.y, {row.zero_point}, {})};
    const WrongModel* model = find_wrong_model(row.model);
    ASSERT_NE(model, nullptr) << row.model;
    const auto y = compute(node, {&model, 1}, {0, node.inputs});
    const auto* given = std::get_if<reference::Tensor>(&y);
    ASSERT_NE(given, nullptr) << row.model;
    for (std::size_t i = 0; i < row.outputs.size(); ++i)
      EXPECT_EQ(given->code(static_cast<std::int64_t>(i)), row.outputs[i]) << row.model << ", element " << i;
  }
}

}  // namespace
}  // namespace touchstone::conformance
