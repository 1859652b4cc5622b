// Graphs of quantization operators, with results that were computed by hand.
#include "reference/graph/graph_interpreter.h"

#include <malloc.h>

#include "reference/graph/graph_testing.h"
#include "reference/interruption.h"

namespace touchstone::reference::graph_interpreter_test {
namespace {

using enum spec::ElementType;
using testing::HasSubstr;

/// Scale 0.5 and zero point 3, and another scale.
std::map<std::string, Tensor> parameters() {
  return {{"s", scalar(float32, 0.5)}, {"z", scalar(uint8, 3)}, {"t", scalar(float32, -2)}};
}

TEST(Graph, DequantizesAndQuantizes) {
  // 5 -> (5 - 3) * 0.5 = 1 -> 1 / -2 = -0.5 -> 0 + 3
  const GraphModel model = model_of(
      {op("DequantizeLinear", {"x", "s", "z"}, {"f"}), op("QuantizeLinear", {"f", "t", "z"}, {"y"})}, parameters());
  EXPECT_THAT(run(model, vector(uint8, {5, 255})), holds(Numbers{3, 0}));
  EXPECT_THAT(run(model, vector(uint8, {3, 0})), holds(Numbers{3, 4}));  // -1.5 / -2 = 0.75 -> 1
}

TEST(Graph, ChoosesTheMaximumOfDequantizedNumbers) {
  // With a negative scale the largest number comes from the smallest code.
  const GraphModel model = model_of({op("DequantizeLinear", {"x", "t"}, {"f"}),
                                     op("MaxPool", {"f"}, {"m"}, {{"kernel_shape", std::vector<std::int64_t>{2}}}),
                                     op("QuantizeLinear", {"m", "t"}, {"y"})},
                                    parameters());
  EXPECT_THAT(run(model, tensor(uint8, {1, 1, 3}, {7, 9, 1})), holds(Numbers{7, 1}));
}

TEST(Graph, RunsTheBranchThatIsChosen) {
  const auto branch = [](const std::string& scale) {
    return std::make_shared<const Graph>(Graph{
        .inputs = {}, .initializers = {}, .nodes = {op("DequantizeLinear", {"x", scale}, {"b"})}, .outputs = {"b"}});
  };
  std::map<std::string, Tensor> initializers = parameters();
  initializers.emplace("c", scalar(boolean, 0));
  const GraphModel model =
      model_of({op("If", {"c"}, {"y"}, {{"then_branch", branch("s")}, {"else_branch", branch("t")}})}, initializers);
  EXPECT_THAT(run(model, vector(uint8, {5})), holds(Numbers{-10}));
}

TEST(Graph, CallsFunctionsWithTheirAttributes) {
  GraphModel model =
      model_of({op("Local", {"x", "s"}, {"y"}, {{"along", std::int64_t{0}}})}, {{"s", vector(float32, {1, 2})}});
  model.graph.nodes[0].domain = "local";
  model.functions[{"local", "Local"}] = {
      .inputs = {"a", "b"},
      .outputs = {"c"},
      .defaults = {},
      .nodes = {op("DequantizeLinear", {"a", "b"}, {"c"}, {{"axis", AttributeReference{"along"}}})},
      .opsets = {{"ai.onnx", 21}}};
  EXPECT_THAT(run(model, tensor(uint8, {2, 2}, {1, 2, 3, 4})), holds(Numbers{1, 2, 6, 8}));
  // Without a value, the function's attribute is absent, and so is that of the node: its default is 1.
  model.graph.nodes[0].attributes.clear();
  EXPECT_THAT(run(model, tensor(uint8, {2, 2}, {1, 2, 3, 4})), holds(Numbers{1, 4, 3, 8}));
}

TEST(Graph, IsRejectedIfAQuantizationOperatorIs) {
  const GraphModel model = model_of({op("DequantizeLinear", {"x", "v"}, {"y"}, {{"axis", std::int64_t{7}}})},
                                    {{"v", vector(float32, {1, 2})}});
  const GraphOutcome outcome = interpret(model, std::array{tensor(uint8, {2, 2}, {1, 2, 3, 4})});
  ASSERT_NE(outcome.rejection(), nullptr);
  EXPECT_EQ(outcome.rejection()->clause->id, "qdq-axis-range");
}

TEST(Graph, NotesWhatDependsOnTheOrderOfASum) {
  const auto inexact = [](const Numbers& a, const Numbers& b) {
    const GraphModel model =
        model_of({op("MatMul", {"x", "w"}, {"y"})}, {{"w", tensor(float32, {std::ssize(b), 1}, b)}});
    return interpret(model, std::array{tensor(float32, {1, std::ssize(a)}, a)}).inexact.has_value();
  };
  EXPECT_FALSE(inexact({1, 2, 3}, {4, 0.5, -6}));
  EXPECT_FALSE(inexact({0x1p23, 1}, {1, 1}));
  EXPECT_TRUE(inexact({0x1p24, 1}, {1, 1}));
  EXPECT_TRUE(inexact({0x1p24, 1, -0x1p24}, {1, 1, 1}));  // 1 or 0: the order decides
  EXPECT_TRUE(inexact({0x1.000002p0}, {0x1.000002p0}));   // fused or not
  EXPECT_TRUE(inexact({0x1p-100}, {0x1p-30}));            // subnormal numbers may be flushed
}

/// float32 0.03 is 1.5 times float32 0.02, so 5 codes are 7.5, which becomes 8. DequantizeLinear rounds 5 * 0.03 down,
/// and 7 is left.
TEST(Graph, PermitsKernelsThatApplyScalesLater) {
  const std::map<std::string, Tensor> constants{
      {"s", scalar(float32, 0.03F)}, {"t", scalar(float32, 0.02F)}, {"zero", scalar(float32, 0)}};
  const auto codes = [&](const GraphNode& between, bool fuses_scales, bool is_quantized) {
    std::vector<GraphNode> nodes{op("DequantizeLinear", {"x", "s"}, {"a"}), between};
    if (is_quantized) nodes.push_back(op("QuantizeLinear", {"b", "t"}, {"y"}));
    GraphModel model = model_of(nodes, constants);
    model.fuses_scales = fuses_scales;
    const Output output = interpret(model, std::array{vector(uint8, {5})}).outputs()->at(0);
    const CodeRange range = output.range.value_or(CodeRange{output.value, output.value});
    return std::pair(range.lowest.code(0), range.highest.code(0));
  };
  const GraphNode sum = op("Add", {"a", "zero"}, {"b"}), relu = op("Relu", {"a"}, {"b"});
  EXPECT_EQ(codes(sum, false, true), std::pair(std::uint64_t{7}, std::uint64_t{7}));
  EXPECT_EQ(codes(sum, true, true), std::pair(std::uint64_t{7}, std::uint64_t{8}));
  EXPECT_EQ(codes(relu, true, true), std::pair(std::uint64_t{7}, std::uint64_t{8}));
  const auto [low, high] = codes(sum, true, false);
  EXPECT_LT(low, high);
  const auto [moved_low, moved_high] = codes(relu, true, false);
  EXPECT_EQ(moved_low, moved_high) << "the rounding of DequantizeLinear is the last one";
}

TEST(Graph, NotesTheUseOfUnspecifiedElements) {
  // NaN to an integer is not specified.
  const GraphModel model = model_of({op("QuantizeLinear", {"x", "s"}, {"q"}), op("Reshape", {"q", "shape"}, {"y"})},
                                    {{"s", scalar(float32, 1)}, {"shape", vector(int64, {-1})}});
  const GraphOutcome outcome = interpret(model, std::array{vector(float32, {nan, 1})});
  EXPECT_EQ(outcome.inexact, "Reshape: an input has an element that the specification leaves open");
}

TEST(Graph, ReportsErrorsOfNodes) {
  const auto error = [](const GraphNode& node) {
    return error_of(model_of({node}, {{"shape", vector(int64, {7})}}), vector(uint8, {1, 2}));
  };
  EXPECT_THAT(error(op("Reshape", {"x", "shape"}, {"y"})), HasSubstr("node 0 Reshape: data of shape [2]"));
  EXPECT_THAT(error(op("Sin", {"x"}, {"y"})), HasSubstr("not supported at opset 21"));
  EXPECT_THAT(error(op("Relu", {"nothing"}, {"y"})), HasSubstr("'nothing' is not defined"));
  EXPECT_THAT(error(op("Tile", {"x", "shape"}, {"y", "z"})), HasSubstr("has 2 outputs"));
}

/// The error of a node that reads x and the int64 vector `shape`.
std::string error_of_node(const GraphNode& node, const Tensor& x, const Numbers& shape = {}) {
  return error_of(model_of({node}, {{"shape", vector(int64, shape)}, {"none", tensor(float32, {0}, {})}}), x);
}

/// After the second node, only branches read a, c, d and x.
TEST(Graph, KeepsValuesThatBranchesRead) {
  const auto branch = [](const std::string& value) {
    return std::make_shared<const Graph>(
        Graph{.inputs = {}, .initializers = {}, .nodes = {op("Relu", {value}, {"b"})}, .outputs = {"b"}});
  };
  const auto nested = std::make_shared<const Graph>(
      Graph{.inputs = {},
            .initializers = {},
            .nodes = {op("If", {"c"}, {"n"}, {{"then_branch", branch("a")}, {"else_branch", branch("a")}})},
            .outputs = {"n"}});
  const auto outer = std::make_shared<const Graph>(
      Graph{.inputs = {}, .initializers = {}, .nodes = {op("Relu", {"a"}, {"r"})}, .outputs = {"x"}});
  const GraphModel model = model_of(
      {op("Relu", {"x"}, {"a"}), op("Identity", {"a"}, {"unused"}),
       op("If", {"c"}, {"i"}, {{"then_branch", nested}, {"else_branch", outer}}),
       op("If", {"d"}, {"j"}, {{"then_branch", nested}, {"else_branch", outer}}), op("Add", {"i", "j"}, {"y"})},
      {{"c", scalar(boolean, 1)}, {"d", scalar(boolean, 0)}});
  EXPECT_THAT(run(model, vector(float32, {-1, 2})), holds(Numbers{-1, 4}));
}

/// A chain of thirty values, each with bounds of 160 kB, needs no more memory than one of ten.
TEST(Graph, ReleasesValuesAfterTheirLastUse) {
  const auto memory_after = [](int length) {
    std::vector<GraphNode> nodes{op("Add", {"x", "c"}, {"v0"})};
    for (int i = 0; i < length; ++i)
      nodes.push_back(op("Neg", {"v" + std::to_string(i)}, {"v" + std::to_string(i + 1)}));
    nodes.push_back(op("QuantizeLinear", {"v" + std::to_string(length), "c"}, {"y"}));
    const GraphModel model = model_of(std::move(nodes), {{"c", scalar(float32, 0.1F)}});
    const Quantize measure = [](const Node&) -> Outcome {
      const struct mallinfo2 info = ::mallinfo2();
      throw info.uordblks + info.hblkhd;
    };
    try {
      interpret(model, std::array{vector(float32, Numbers(10'000, 1))}, measure);
    } catch (const std::size_t used) {
      return used;
    }
    return std::size_t{0};
  };
  const std::size_t ten = memory_after(10), thirty = memory_after(30);
  EXPECT_LT(thirty, ten + 500'000);
}

TEST(Graph, BoundsTheSizeOfValues) {
  EXPECT_THAT(error_of_node(op("Expand", {"x", "shape"}, {"y"}), vector(uint8, {1}), {0x1p20, 0x1p20, 1}),
              HasSubstr("the limit is 1048576"));
  const Numbers ones(33, 1);
  EXPECT_THAT(error_of_node(op("Reshape", {"x", "shape"}, {"y"}), vector(uint8, {1}), ones),
              HasSubstr("33 dimensions"));
  Numbers axes;
  for (int axis = 0; axis < 32; ++axis) axes.push_back(axis);
  EXPECT_THAT(error_of_node(op("Unsqueeze", {"x", "shape"}, {"y"}), vector(uint8, {1}), axes),
              HasSubstr("33 dimensions"));
}

TEST(Graph, BoundsDimensionsOfTensorsWithoutElements) {
  const Tensor empty(uint8, {0, std::int64_t{1} << 60});
  EXPECT_THAT(error_of_node(op("Tile", {"x", "shape"}, {"y"}), empty, {1, 16}), HasSubstr("too large"));
  const Tensor longer(uint8, {0, std::int64_t{1} << 62});
  EXPECT_THAT(error_of_node(op("Concat", {"x", "x"}, {"y"}, {{"axis", std::int64_t{1}}}), longer),
              HasSubstr("too long"));
  EXPECT_THAT(error_of_node(op("Pad", {"x", "shape"}, {"y"}), vector(uint8, {1}), {-0x1p63, -0x1p63}),
              HasSubstr("pads contains -9223372036854775808"));
}

TEST(Graph, BoundsTheTermsOfEachElement) {
  const std::int64_t length = std::int64_t{1} << 20;
  const Shape shape(6, 1);
  EXPECT_THAT(error_of_node(op("MaxPool", {"x"}, {"y"},
                               {{"kernel_shape", std::vector(4, length)}, {"pads", std::vector(8, length / 2)}}),
                            tensor(uint8, shape, {1})),
              HasSubstr("too many terms"));
  const Numbers sizes(12, 2);
  EXPECT_THAT(error_of_node(op("Resize", {"x", "", "", "shape"}, {"y"}, {{"mode", std::string("linear")}}),
                            tensor(float32, Shape(12, 1), {1}), sizes),
              HasSubstr("4096 terms for each of 4096 elements"));
}

TEST(Graph, CanBeInterruptedIfItIsLarge) {
  const GraphModel model = model_of({op("DequantizeLinear", {"x", "s"}, {"y"})}, {{"s", scalar(float32, 1)}});
  int questions = 0;
  const Interruptible interruptible([&] { return ++questions == 2; });
  interpret(model, std::array{Tensor(int8, {1000})});
  EXPECT_EQ(questions, 0);
  EXPECT_THROW(interpret(model, std::array{Tensor(int8, {1 << 19})}), Interrupted);
  EXPECT_EQ(questions, 2);
}

}  // namespace
}  // namespace touchstone::reference::graph_interpreter_test
