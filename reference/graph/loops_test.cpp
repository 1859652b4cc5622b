// Loop and Scan, with results that were computed by hand.
#include "reference/graph/graph_interpreter.h"
#include "reference/graph/graph_testing.h"

namespace touchstone::reference::loops_test {
namespace {

using enum spec::ElementType;
using testing::ElementsAre;
using testing::HasSubstr;

GraphAttribute body_of(std::vector<std::string> inputs, std::vector<GraphNode> nodes, std::vector<std::string> outputs,
                       std::map<std::string, Tensor> initializers = {}) {
  return std::make_shared<const Graph>(Graph{.inputs = std::move(inputs),
                                             .initializers = std::move(initializers),
                                             .nodes = std::move(nodes),
                                             .outputs = std::move(outputs)});
}

std::map<std::string, Tensor> constants() {
  return {{"three", scalar(int64, 3)},  {"none", scalar(int64, 0)},    {"many", scalar(int64, 0x1p62)},
          {"true", scalar(boolean, 1)}, {"false", scalar(boolean, 0)}, {"start", vector(float32, {1})}};
}

std::vector<Tensor> run_all(const GraphModel& model, const Tensor& x) {
  const GraphOutcome outcome = interpret(model, std::array{x});
  EXPECT_EQ(outcome.inexact.value_or(""), "");
  std::vector<Tensor> values;
  for (const Output& output : *outcome.outputs()) values.push_back(output.value);
  return values;
}

// ---- Loop

/// Its inputs are M, cond and the only loop carried dependency; its outputs that, and scan outputs.
GraphModel loop(const std::string& trips, const std::string& condition, GraphAttribute body,
                std::vector<std::string> outputs = {"y"}) {
  return model_of({op("Loop", {trips, condition, "start"}, std::move(outputs), {{"body", std::move(body)}})},
                  constants());
}

/// Adds x of the outer graph. The scan outputs are the iteration and the number before it.
GraphAttribute adding_body(const std::string& condition) {
  return body_of({"i", "c", "v"}, {op("Add", {"v", "x"}, {"w"})}, {condition, "w", "i", "v"});
}

TEST(Loop, CarriesAndCollectsValues) {
  const auto values = run_all(loop("three", "", adding_body("c"), {"y", "i_all", "v_all"}), vector(float32, {2}));
  EXPECT_THAT(values, ElementsAre(holds(Numbers{7}), holds(Numbers{0, 1, 2}), holds(Numbers{1, 3, 5})));
  EXPECT_EQ(values[1].shape(), Shape{3});
  EXPECT_EQ(values[2].shape(), (Shape{3, 1}));
}

TEST(Loop, EndsWithItsCondition) {
  EXPECT_THAT(run(loop("three", "true", adding_body("false")), vector(float32, {2})), holds(Numbers{3}));
  const GraphAttribute body = body_of({"i", "c", "v"}, {op("Add", {"v", "x"}, {"w"})}, {"c", "w"});
  EXPECT_THAT(run(loop("three", "false", body), vector(float32, {2})), holds(Numbers{1}));
  EXPECT_THAT(run(loop("none", "true", body), vector(float32, {2})), holds(Numbers{1}));
  // 1 + 2 * -0.5 is 0, which becomes false.
  const GraphAttribute counting_body =
      body_of({"i", "c", "v"},
              {op("Add", {"v", "x"}, {"w"}), op("Cast", {"w"}, {"d"}, {{"to", static_cast<std::int64_t>(boolean)}})},
              {"d", "w", "v"});
  const auto values = run_all(loop("", "true", counting_body, {"y", "v_all"}), vector(float32, {-0.5}));
  EXPECT_THAT(values, ElementsAre(holds(Numbers{0}), holds(Numbers{1, 0.5})));
}

TEST(Loop, IgnoresTheConditionOfTheBodyWithoutAnInput) {
  const GraphOutcome outcome = interpret(loop("three", "", adding_body("false")), std::array{vector(float32, {2})});
  EXPECT_THAT(outcome.outputs()->at(0).value, holds(Numbers{7}));
  EXPECT_THAT(outcome.inexact.value_or(""), HasSubstr("condition that is ignored"));
}

TEST(Loop, MayChangeTheShapeOfWhatItCarries) {
  const GraphAttribute body =
      body_of({"i", "c", "v"}, {op("Concat", {"v", "x"}, {"w"}, {{"axis", std::int64_t{0}}})}, {"c", "w", "v"});
  EXPECT_THAT(error_of(loop("three", "", body, {"y", "all"}), vector(float32, {2})),
              HasSubstr("a scan output changes from float[1] to float[2]"));
  const GraphAttribute carrying =
      body_of({"i", "c", "v"}, {op("Concat", {"v", "x"}, {"w"}, {{"axis", std::int64_t{0}}})}, {"c", "w"});
  EXPECT_THAT(run(loop("three", "", carrying), vector(float32, {2})), holds(Numbers{1, 2, 2, 2}));
}

TEST(Loop, KeepsUnspecifiedElements) {
  // NaN to an integer is not specified.
  const GraphModel model =
      model_of({op("QuantizeLinear", {"x", "scale"}, {"q"}),
                op("Loop", {"two", "", "q"}, {"y", "all"}, {{"body", body_of({"i", "c", "v"}, {}, {"c", "v", "v"})}})},
               {{"scale", scalar(float32, 1)}, {"two", scalar(int64, 2)}});
  const GraphOutcome outcome = interpret(model, std::array{vector(float32, {nan, 1})});
  EXPECT_THAT(outcome.outputs()->at(0).unspecified, ElementsAre(true, false));
  EXPECT_THAT(outcome.outputs()->at(1).unspecified, ElementsAre(true, false, true, false));
}

TEST(Loop, IsBounded) {
  const GraphAttribute empty = body_of({"i", "c", "v"}, {}, {"c", "v"});
  const Tensor x = vector(float32, {2});
  EXPECT_THAT(error_of(loop("many", "", empty), x), HasSubstr("more than 10000 nodes"));
  EXPECT_THAT(error_of(loop("", "", empty), x), HasSubstr("more than 10000 nodes"));
  EXPECT_THAT(error_of(loop("", "true", adding_body("c")), x), HasSubstr("more than 10000 nodes"));
  EXPECT_THAT(error_of(loop("three", "", body_of({"i", "c", "v"}, {}, {"c", "v", "x"}), {"y", "all"}),
                       Tensor(float32, {0, std::int64_t{1} << 62})),
              HasSubstr("the shape of the result, [3,0,4611686018427387904], is invalid"));
  // Every iteration copies them.
  const GraphAttribute large = body_of({"i", "c", "v"}, {}, {"c", "v"}, {{"table", Tensor(uint8, {0x10000})}});
  EXPECT_THAT(error_of(loop("many", "", large), x), HasSubstr("more than 524288 elements"));
}

TEST(Loop, IsRefusedIfItIsInvalid) {
  const Tensor x = vector(float32, {2});
  const GraphAttribute body = adding_body("c");
  EXPECT_THAT(error_of(loop("start", "", body), x), HasSubstr("M is not an int64 tensor"));
  EXPECT_THAT(error_of(loop("three", "start", body), x), HasSubstr("cond is not a boolean tensor"));
  EXPECT_THAT(error_of(loop("three", "", std::int64_t{1}), x), HasSubstr("attribute body is absent, or not a graph"));
  EXPECT_THAT(error_of(loop("three", "", body_of({"i", "c"}, {}, {"c", "i"})), x),
              HasSubstr("the body has 2 inputs and 2 outputs; 3 inputs and at least 2 outputs are needed"));
  EXPECT_THAT(error_of(loop("three", "", body_of({"i", "c", "v"}, {}, {"c"})), x), HasSubstr("3 inputs and 1 outputs"));
  EXPECT_THAT(error_of(loop("three", "", body_of({"i", "c", "v"}, {}, {"c", "i"})), x),
              HasSubstr("loop carried dependency 0 changes its type"));
  EXPECT_THAT(error_of(loop("three", "", body_of({"i", "c", "v"}, {}, {"v", "v"})), x), HasSubstr("cond is not"));
  EXPECT_THAT(error_of(loop("none", "", body, {"y", "all"}), x), HasSubstr("without iterations"));
}

// ---- Scan

/// Adds the elements of x to a state, and collects the sums.
GraphModel scan(GraphAttributes attributes, int opset = 11) {
  attributes.emplace("body", body_of({"s", "e"}, {op("Add", {"s", "e"}, {"t"})}, {"t", "t"}));
  attributes.emplace("num_scan_inputs", std::int64_t{1});
  return model_of({op("Scan", {"zero", "x"}, {"y", "all"}, std::move(attributes))}, {{"zero", vector(float32, {0})}},
                  opset);
}

using Integers = std::vector<std::int64_t>;

TEST(Scan, CarriesAndCollectsValues) {
  const auto values = run_all(scan({}, 9), tensor(float32, {3, 1}, {1, 2, 3}));
  EXPECT_THAT(values, ElementsAre(holds(Numbers{6}), holds(Numbers{1, 3, 6})));
  EXPECT_EQ(values[1].shape(), (Shape{3, 1}));
}

TEST(Scan, HasDirections) {
  const Tensor x = tensor(float32, {3, 1}, {1, 2, 3});
  EXPECT_THAT(run_all(scan({{"scan_input_directions", Integers{1}}}), x),
              ElementsAre(holds(Numbers{6}), holds(Numbers{3, 5, 6})));
  EXPECT_THAT(run_all(scan({{"scan_output_directions", Integers{1}}}), x),
              ElementsAre(holds(Numbers{6}), holds(Numbers{6, 3, 1})));
}

TEST(Scan, HasAxes) {
  GraphAttributes attributes{{"scan_input_axes", Integers{-1}}, {"scan_output_axes", Integers{1}}};
  attributes.emplace("body", body_of({"e"}, {op("Add", {"e", "e"}, {"t"})}, {"t"}));
  attributes.emplace("num_scan_inputs", std::int64_t{1});
  const GraphNode node = op("Scan", {"x"}, {"all"}, attributes);
  const Tensor x = tensor(float32, {2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor doubled = run(model_of({node}, {}, 11), x);
  EXPECT_EQ(doubled.shape(), (Shape{2, 3}));
  EXPECT_THAT(doubled, holds(Numbers{2, 4, 6, 8, 10, 12}));
  EXPECT_THAT(error_of(model_of({node}, {}, 10), x), HasSubstr("the axis -1 is negative"));
  attributes["scan_output_axes"] = Integers{0};
  EXPECT_THAT(run(model_of({op("Scan", {"x"}, {"all"}, attributes)}, {}, 11), x), holds(Numbers{2, 8, 4, 10, 6, 12}));
}

TEST(Scan, IsBounded) {
  // Without elements, but with as many iterations as a shape can ask for.
  const GraphAttributes attributes{{"body", body_of({"e"}, {}, {"e"})}, {"num_scan_inputs", std::int64_t{1}}};
  const GraphModel model = model_of({op("Scan", {"x"}, {"all"}, attributes)});
  EXPECT_THAT(error_of(model, Tensor(uint8, {std::int64_t{1} << 60, 0})), HasSubstr("more than 10000 nodes"));
}

TEST(Scan, IsRefusedIfItIsInvalid) {
  const Tensor x = tensor(float32, {3, 1}, {1, 2, 3});
  EXPECT_THAT(error_of(scan({}, 8), x), HasSubstr("version 8 is not supported"));
  EXPECT_THAT(error_of(scan({{"num_scan_inputs", std::int64_t{0}}}), x), HasSubstr("num_scan_inputs is 0"));
  EXPECT_THAT(error_of(scan({{"num_scan_inputs", std::int64_t{3}}}), x), HasSubstr("num_scan_inputs is 3"));
  EXPECT_THAT(error_of(scan({{"num_scan_inputs", std::int64_t{2}}}), x), HasSubstr("of the lengths 1 and 3"));
  EXPECT_THAT(error_of(scan({{"scan_input_directions", Integers{2}}}), x), HasSubstr("directions contains 2"));
  EXPECT_THAT(error_of(scan({{"scan_output_axes", Integers{0, 0}}}), x), HasSubstr("scan_output_axes has 2 values"));
  EXPECT_THAT(error_of(scan({}), tensor(float32, {3, 2}, {1, 2, 3, 4, 5, 6})),
              HasSubstr("state variable 0 changes its type or shape"));
  EXPECT_THAT(error_of(scan({}), Tensor(float32, {0, 1})), HasSubstr("without iterations"));
  EXPECT_THAT(error_of(scan({{"body", body_of({"s"}, {}, {"s", "s"})}}), x), HasSubstr("the body has 1 inputs"));
}

}  // namespace
}  // namespace touchstone::reference::loops_test
