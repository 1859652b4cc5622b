// How models are cut into units.
#include "conformance/units/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/units/testing.h"
#include "conformance/units/unit_cases.h"
#include "conformance/units/user_model.h"

namespace touchstone::conformance::units_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

TEST(Cut, EndsAtQuantizedTensors) {
  const Parts parts(two_layers);
  EXPECT_THAT(unit_operators(parts), ElementsAre("Relu", "Sigmoid"));
  const ModelUnit& unit = parts->cut().units[1];
  EXPECT_THAT(unit.nodes, ElementsAre(3, 4, 5));
  EXPECT_THAT(unit.inputs, ElementsAre("y"));
  EXPECT_THAT(unit.outputs, ElementsAre("z"));
  EXPECT_THAT(parts.ids(),
              ElementsAre("model/net/node/0/DequantizeLinear", "model/net/node/2/QuantizeLinear",
                          "model/net/unit/1/Relu", "model/net/unit/4/Sigmoid", "model/net/window/1/Relu+Sigmoid"));
  EXPECT_EQ(parts->cut().nodes[0].stands_for, 2U) << "both nodes have the same types and shapes";
  EXPECT_EQ(parts->cut().in_units, 6U);
  EXPECT_THAT(parts->cut().not_in_units, IsEmpty());
}

TEST(Cut, RepeatsASharedDequantization) {
  const Parts parts(R"(g (uint8[4] x) => (uint8[4] y, uint8[4] z) <float s = {0.5}, uint8 p = {3}> {
    a = DequantizeLinear(x, s, p)
    b = Relu(a)
    y = QuantizeLinear(b, s, p)
    c = Add(a, a)
    z = QuantizeLinear(c, s, p)
  })");
  EXPECT_THAT(unit_operators(parts), ElementsAre("Relu", "Add"));
  for (const ModelUnit& unit : parts->cut().units) EXPECT_THAT(unit.inputs, ElementsAre("x"));
}

/// Each unit reads what the one before it quantizes.
TEST(Cut, HasWindowsOfTwoAndThreeUnits) {
  const Parts parts(R"(g (uint8[4] x) => (uint8[4] w) <float s = {0.5}> {
    a = DequantizeLinear(x, s)
    b = Sigmoid(a)
    y = QuantizeLinear(b, s)
    c = DequantizeLinear(y, s)
    d = Relu(c)
    z = QuantizeLinear(d, s)
    e = DequantizeLinear(z, s)
    f = Neg(e)
    w = QuantizeLinear(f, s)
  })");
  std::vector<std::string> windows;
  for (const ModelUnit& window : parts->cut().windows) {
    windows.push_back(fmt::format("{}", fmt::join(operators_of(parts->model(), window), "+")));
    EXPECT_EQ(window.inputs.size(), 1U);
    EXPECT_EQ(window.outputs.size(), 1U);
  }
  EXPECT_THAT(windows, ElementsAre("Sigmoid+Relu", "Sigmoid+Relu+Neg", "Relu+Neg"));
}

/// Three products by matrices of 16 million weights.
TEST(Cut, LeavesOutWindowsOfManyWeights) {
  onnx::ModelProto model = model_of_graph(R"(g (uint8[1,4096] x) => (uint8[1,4096] w) <float s = {0.5}> {
    a = DequantizeLinear(x, s)
    da = DequantizeLinear(wa, s)
    b = MatMul(a, da)
    y = QuantizeLinear(b, s)
    c = DequantizeLinear(y, s)
    dc = DequantizeLinear(wc, s)
    d = MatMul(c, dc)
    z = QuantizeLinear(d, s)
    e = DequantizeLinear(z, s)
    de = DequantizeLinear(we, s)
    f = MatMul(e, de)
    w = QuantizeLinear(f, s)
  })");
  for (const char* name : {"wa", "wc", "we"}) {
    onnx::TensorProto& weights = *model.mutable_graph()->add_initializer();
    weights.set_name(name);
    weights.set_data_type(onnx::TensorProto::INT4);
    for (int i = 0; i < 2; ++i) weights.add_dims(4096);
    weights.set_raw_data(std::string(std::size_t{4096} * 4096 / 2, '\1'));
  }
  const TemporaryDirectory scratch;
  write_file(scratch.path() / "net.onnx", model);
  const UserModel large(scratch.path() / "net.onnx", {});
  const CutModel made = cut(large);
  ASSERT_EQ(made.units.size(), 1U);
  EXPECT_EQ(made.units.front().weights, 4096U * 4096U + 1);
  EXPECT_EQ(made.windows.size(), 1U) << "of two units, which stands for two";
  EXPECT_EQ(made.too_large_windows, 1U);
}

TEST(Cut, JudgesEqualUnitsOnce) {
  const Parts parts(R"(g (uint8[4] x) => (uint8[4] z)
      <float s = {0.5}, uint8 p = {3}, float t = {0.25}, uint8 q = {7}, float[1] u = {2}> {
    a = DequantizeLinear(x, s, p)
    b = Relu(a)
    y = QuantizeLinear(b, t, q)
    c = DequantizeLinear(y, t, q)
    d = Relu(c)
    w = QuantizeLinear(d, s, p)
    e = DequantizeLinear(w, s, p)
    f = Relu(e)
    z = QuantizeLinear(f, u, p)
  })");
  EXPECT_THAT(unit_operators(parts), ElementsAre("Relu", "Relu")) << "one scale has another shape";
  EXPECT_EQ(parts->cut().units[0].stands_for, 2U) << "other values are the same structure";
}

/// An implementation may forget a zero point, lose a sign, or round where a scale is not a power of two.
TEST(Cut, DistinguishesZeroPointsAndScalesThatMatter) {
  const Parts parts(R"(g (uint8[4] x) => (uint8[4] y)
      <float s = {0.5}, float t = {0.3}, float u = {-0.5}, uint8 p = {3}, uint8 q = {7}, uint8 n = {0}> {
    a = DequantizeLinear(x, s, p)
    b = Relu(a)
    c = QuantizeLinear(b, s, n)
    d = DequantizeLinear(c, s, n)
    e = Relu(d)
    f = QuantizeLinear(e, t, q)
    g = DequantizeLinear(f, t, q)
    h = Relu(g)
    i = QuantizeLinear(h, u, q)
    j = DequantizeLinear(i, u, q)
    k = Relu(j)
    l = QuantizeLinear(k, s, n)
    m = DequantizeLinear(l, s, n)
    o = Relu(m)
    y = QuantizeLinear(o, t, p)
  })");
  EXPECT_THAT(unit_operators(parts), ElementsAre("Relu", "Relu", "Relu", "Relu"));
  EXPECT_EQ(parts->cut().units[1].stands_for, 2U);
}

TEST(Cut, TakesProductsOfComputedOperandsOnTheirOwnToo) {
  const Parts parts(R"(g (float[1,2] x, uint8[1,2] q) => (float[1,2] y, float[1,2] z)
      <float s = {0.5}, int8[2,2] v = {1,2,3,4}, int8[2] c = {5,6}> {
    a = Relu(x)
    w = DequantizeLinear(v, s)
    b = MatMul(a, w)
    d = DequantizeLinear(c, s)
    y = Add(b, d)
    e = DequantizeLinear(q, s)
    f = MatMul(e, w)
    z = Relu(f)
  })");
  EXPECT_THAT(unit_operators(parts), ElementsAre("Relu+MatMul+Add", "MatMul", "MatMul+Relu"));
  const ModelUnit& product = parts->cut().units[1];
  EXPECT_THAT(product.nodes, ElementsAre(1, 2));
  EXPECT_THAT(product.inputs, ElementsAre("a"));
  EXPECT_THAT(product.outputs, ElementsAre("b"));
}

TEST(Cut, SeparatesProductsOfDifferentWeights) {
  const auto operators = [](const char* type) {
    return unit_operators(Parts(fmt::format(R"(g (float[1,2] x) => (float[1,2] y)
        <float s = {{0.5}}, int8[2,2] v = {{1,2,3,4}}, {}[2,2] u = {{5,6,7,8}}> {{
      a = DequantizeLinear(v, s)
      b = MatMul(x, a)
      c = Relu(b)
      d = DequantizeLinear(u, s)
      e = Transpose(d)
      y = MatMul(c, e)
    }})",
                                            type)));
  };
  EXPECT_THAT(operators("int8"), ElementsAre("MatMul+Relu+Transpose+MatMul", "Transpose+MatMul"));
  EXPECT_THAT(operators("uint8"), ElementsAre("MatMul", "Transpose+MatMul"));
}

TEST(Cut, TakesDequantizedWeightsAndWhatComputesConstants) {
  const Parts parts(R"(g (float[2,3] x) => (float[2,4] y)
      <float s = {0.5}, int8[4,3] w = {1,2,3,4,5,6,7,8,9,10,11,12}> {
    a = DequantizeLinear(w, s)
    shape = Constant <value_ints = [3, 4]> ()
    b = Reshape(a, shape)
    y = MatMul(x, b)
  })");
  EXPECT_THAT(unit_operators(parts), ElementsAre("Reshape+MatMul"));
  EXPECT_THAT(parts->cut().units[0].inputs, ElementsAre("x"));
  EXPECT_THAT(parts->cut().units[0].nodes, ElementsAre(0, 1, 2, 3));
}

TEST(Cut, EndsAtAnUnknownOperator) {
  const Parts parts(R"(g (uint8[4] x) => (uint8[4] y) <float s = {0.5}, uint8 p = {3}> {
    a = DequantizeLinear(x, s, p)
    b = Relu(a)
    c = Bernoulli(b)
    d = Relu(c)
    y = QuantizeLinear(d, s, p)
  })");
  EXPECT_THAT(unit_operators(parts), ElementsAre("Relu", "Relu"));
  EXPECT_THAT(parts->cut().units[0].outputs, ElementsAre("b"));
  EXPECT_THAT(parts->cut().units[1].inputs, ElementsAre("c"));
  EXPECT_THAT(parts->cut().not_in_units, ElementsAre(Pair("Bernoulli: the interpreter does not have it", 1)));
}

/// The branch reads b, which an optimizer cannot remove then.
TEST(Cut, EndsAtWhatABranchReads) {
  const Parts parts(R"(g (uint8[4] x, bool c) => (float[4] y) <float s = {0.5}> {
    a = DequantizeLinear(x, s)
    b = Relu(a)
    q = QuantizeLinear(b, s)
    y = If (c) <
      then_branch = t () => (float[4] u) { v = Neg(b) u = Relu(v) },
      else_branch = e () => (float[4] w) { w = DequantizeLinear(q, s) }
    >
  })");
  EXPECT_THAT(unit_operators(parts), ElementsAre("Relu"));
  EXPECT_THAT(parts->cut().units[0].outputs, ElementsAre("b"));
  EXPECT_EQ(parts->cut().all_nodes, 7U);
  EXPECT_EQ(parts->cut().in_units, 3U);
  EXPECT_THAT(parts->cut().not_in_units,
              UnorderedElementsAre(Pair(HasSubstr("in branches and bodies"), 3U), Pair(HasSubstr("If: "), 1U)));
}

TEST(Cut, HasOutputsThatNothingReads) {
  const Parts parts(R"(g (uint8[4] x) => (uint8[4] z) <float s = {0.5}> {
    a = DequantizeLinear(x, s)
    b = Relu(a)
    y = QuantizeLinear(b, s)
    z = Identity(x)
  })");
  EXPECT_THAT(parts->cut().units.at(0).outputs, ElementsAre("y"));
  EXPECT_THAT(parts->cut().nodes.at(1).outputs, ElementsAre("y"));
}

/// A network of which only the weights are quantized would be one unit.
TEST(Cut, TakesOnlyTheNeighboursOfQuantizationInLargeSets) {
  std::string graph = "g (float[4] x) => (float[4] y) <float s = {0.5}, int8[4] w = {1,2,3,4}> { x0 = Relu(x)\n";
  for (std::size_t i = 0; i < most_nodes_per_unit; ++i) graph += fmt::format("x{} = Relu(x{})\n", i + 1, i);
  graph += fmt::format("a = DequantizeLinear(w, s)\ny = Add(x{}, a) }}", most_nodes_per_unit);
  const Parts parts(graph);
  EXPECT_THAT(unit_operators(parts), ElementsAre("Add"));
  EXPECT_THAT(parts->cut().not_in_units,
              ElementsAre(Pair(testing::HasSubstr("not next to quantization"), most_nodes_per_unit + 1)));
}

TEST(Cut, MakesUnitsOfWhatMovesQuantizedTensors) {
  const Parts parts(moved_codes);
  EXPECT_THAT(unit_operators(parts), ElementsAre("MaxPool", "Concat", "Slice", "Relu"));
  EXPECT_EQ(parts->cut().units[0].inputs, std::vector<std::string>{"q"});
  EXPECT_EQ(parts->cut().in_units, 6U);
  EXPECT_EQ(parts->cut().all_nodes, 6U);
  EXPECT_THAT(parts->cut().not_in_units, IsEmpty());
  std::vector<std::string> windows;
  for (const ModelUnit& window : parts->cut().windows)
    windows.push_back(fmt::format("{}", fmt::join(operators_of(parts->model(), window), "+")));
  EXPECT_THAT(windows,
              ElementsAre("MaxPool+Concat", "MaxPool+Concat+Slice", "Concat+Slice", "Concat+Slice+Relu", "Slice+Relu"));
}

/// Gather has no int4 at opset 21, Cast and ArgMax give other types, and what quantizes nothing is no unit.
TEST(Cut, LeavesOutOtherOperatorsOnQuantizedTensors) {
  const Parts parts(
      R"(g (uint8[2] x, int4[2,2] w, int64[1] i) => (int4[1,2] a, int4[4] b, float[2] c, int64[1] d, uint8[2] y)
      <float s = {0.5}, int64[1] shape = {4}> {
    a = Gather(w, i)
    b = Reshape(w, shape)
    c = Cast <to = 1> (x)
    d = ArgMax(x)
    y = QuantizeLinear(c, s)
  })");
  EXPECT_THAT(unit_operators(parts), ElementsAre("Reshape"));
  EXPECT_THAT(parts->cut().not_in_units, ElementsAre(Pair("of quantized tensors, which it does not dequantize", 3U)));
  EXPECT_THAT(parts->model().complaint(), HasSubstr("Gather"));
  const Parts unquantized("g (uint8[2,2] x) => (uint8[2,2] y) { y = Transpose(x) }");
  EXPECT_EQ(unquantized->size(), 0U);
}

}  // namespace
}  // namespace touchstone::conformance::units_test
