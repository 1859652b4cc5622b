// Models of users: how they are read, and how they are cut into units.
#include "conformance/units/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "conformance/files/graph_file.h"
#include "conformance/files/limits.h"
#include "conformance/generate/checker_testing.h"
#include "conformance/units/testing.h"
#include "conformance/units/unit_cases.h"
#include "conformance/units/user_model.h"
#include "reference/graph/graph_interpreter.h"
#include "reference/host_numbers.h"

namespace touchstone::conformance::units_test {
namespace {

using spec::ElementType;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

/// The error that reading gives; empty if there is none.
template <class Read>
std::string error_of(const Read& read) {
  try {
    read();
    return "";
  } catch (const FileError& error) {
    return error.what();
  }
}

/// Two layers with one scale and zero point.
constexpr const char* two_layers = R"(g (uint8[2,4] x) => (uint8[2,4] z) <float s = {0.5}, uint8 p = {3}> {
  a = DequantizeLinear(x, s, p)
  b = Relu(a)
  y = QuantizeLinear(b, s, p)
  c = DequantizeLinear(y, s, p)
  d = Sigmoid(c)
  z = QuantizeLinear(d, s, p)
})";

/// The parts of a model, in the file net.onnx.
class Parts {
 public:
  explicit Parts(const std::string& graph, const DimensionLengths& lengths = {})
      : parts_(file_of_graph(scratch_, graph), lengths) {}

  const ModelParts* operator->() const { return &parts_; }

  std::vector<std::string> ids() const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < parts_.size(); ++i) all.push_back(parts_.id_of(i));
    return all;
  }

 private:
  TemporaryDirectory scratch_;
  ModelParts parts_;
};

std::vector<std::string> unit_operators(const Parts& parts) {
  std::vector<std::string> texts;
  for (const ModelUnit& unit : parts->cut().units)
    texts.push_back(fmt::format("{}", fmt::join(operators_of(parts->model(), unit), "+")));
  return texts;
}

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

/// Three operators of uint8 between the quantization operators, one of which has a constant.
constexpr const char* moved_codes = R"(g (float[1,2,2,2] x) => (float[1,2,2,1] y)
    <float s = {0.5}, uint8[1,2,1,1] w = {7, 9}, int64[1] begin = {1}, int64[1] end = {3}, int64[1] axis = {2}> {
  q = QuantizeLinear(x, s)
  m = MaxPool <kernel_shape = [1, 2]> (q)
  c = Concat <axis = 2> (m, w)
  t = Slice(c, begin, end, axis)
  d = DequantizeLinear(t, s)
  y = Relu(d)
})";

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

/// The larger of each two codes, then the constants.
TEST(Parts, ComputeOnQuantizedTensors) {
  const Parts parts(moved_codes);
  const Case window = parts->make_case(6, 0);
  ASSERT_EQ(window.id, "model/net/window/1/MaxPool+Concat");
  const auto tensor = [](const reference::Shape& shape, const std::vector<std::uint64_t>& codes) {
    return reference::Tensor::from_codes(ElementType::uint8, shape, codes);
  };
  const reference::GraphOutcome outcome =
      reference::interpret(*window.model.graph, std::vector{tensor({1, 2, 2, 2}, {1, 200, 255, 3, 0, 0, 127, 128})});
  EXPECT_EQ(outcome.outputs()->at(0).value, tensor({1, 2, 3, 1}, {200, 255, 7, 0, 128, 9}));
  EXPECT_FALSE(outcome.inexact);
}

/// Only the weights of embeddings are quantized: 5 rows, and 3 columns.
TEST(Parts, GetIndicesOfRows) {
  const Parts parts(R"(g (int64[40] i) => (float[40,2] y) <float s = {0.5}, int8[5,2] a = {1,2,3,4,5,6,7,8,9,10},
      int8[2,3] b = {1,2,3,4,5,6}> {
    e = Gather(a, i)
    f = DequantizeLinear(e, s)
    g = Gather <axis = -1> (b, i)
    h = DequantizeLinear(g, s)
    j = Transpose(h)
    y = Add(f, j)
  })");
  EXPECT_THAT(unit_operators(parts), ElementsAre("Gather", "Gather", "Transpose+Add"));
  const auto largest = [&](std::size_t number, std::size_t set) {
    const reference::Tensor i = parts->make_case(number, 0).data_sets[set].inputs[0].value;
    std::uint64_t found = 0;
    for (std::int64_t e = 0; e < i.size(); ++e) found = std::max(found, i.code(e));
    return found;
  };
  for (const std::size_t set : {0U, 5U}) {
    EXPECT_EQ(largest(2, set), 4U);
    EXPECT_EQ(largest(3, set), 2U);
  }
  EXPECT_EQ(largest(2, 4), 0U) << "the lowest";
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

/// The windows have the same first node and operators, but other scales.
TEST(Parts, HaveIdsOfTheirOwn) {
  const Parts parts(R"(g (uint8[2,3] x) => (float[3,2] y, float[3,2] z) <float s = {0.5}, float[2] t = {0.5, 1}> {
    m = Transpose(x)
    a = DequantizeLinear(m, s)
    y = Relu(a)
    b = DequantizeLinear(m, t)
    z = Relu(b)
  })");
  EXPECT_THAT(parts.ids(),
              testing::IsSupersetOf({"model/net/window/0/Transpose+Relu", "model/net/window/0/Transpose+Relu-2"}));
}

TEST(Parts, AreLegalModels) {
  for (const char* graph : {two_layers, moved_codes}) {
    const Parts parts(graph);
    for (std::size_t i = 0; i < parts->size(); ++i) {
      const Case made = parts->make_case(i, 0);
      EXPECT_EQ(complaint(made.model.bytes), "") << made.id;
      EXPECT_EQ(made.data_sets.size(), 7U);
      EXPECT_EQ(made.data_sets[0].inputs.size(), made.model.graph_inputs.size());
    }
  }
}

TEST(Parts, GetOtherDataFromAnotherSeed) {
  const Parts parts(two_layers);
  const auto first_input = [&](std::uint64_t seed) {
    const reference::Tensor x = parts->make_case(2, seed).data_sets[0].inputs[0].value;
    return std::vector(x.bytes().begin(), x.bytes().end());
  };
  EXPECT_EQ(first_input(1), first_input(1));
  EXPECT_NE(first_input(1), first_input(2));
}

TEST(Parts, GetExtremesOfTheirTypes) {
  const Parts parts(two_layers);
  const std::vector<DataSet> sets = parts->make_case(2, 0).data_sets;
  EXPECT_EQ(sets[4].inputs[0].value.code(0), 0U);
  EXPECT_EQ(sets[5].inputs[0].value.code(7), 255U);
  EXPECT_THAT(sets[1].inputs[0].value.code(0), testing::AnyOf(0U, 255U));
}

/// Multiples of 0.25 plus 0.125, which the scale divides into halves.
TEST(Parts, GetNumbersHalfwayBetweenCodes) {
  const Parts parts(R"(g (float[64] x) => (uint8[64] y) <float s = {0.25}, uint8 z = {128}> {
    y = QuantizeLinear(x, s, z)
  })");
  const reference::Tensor x = parts->make_case(0, 0).data_sets[0].inputs[0].value;
  int halves = 0, huge = 0;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const double quotient = reference::number_of(x.type(), x.code(i)) / 0.25;
    halves += std::fabs(quotient) < 300 && quotient - std::floor(quotient) == 0.5 ? 1 : 0;
    huge += std::fabs(quotient) > 1e9 ? 1 : 0;
  }
  EXPECT_GE(halves, 8);
  EXPECT_GE(huge, 1);
}

/// One large number among at most 31 small ones, of 40 in a row: 8 or more are zeros.
TEST(Parts, GetOutliersInEachRow) {
  const Parts parts(R"(g (float[3,40] x) => (uint8[3,40] y) <float s = {0.5}, uint8 z = {128}> {
    y = QuantizeLinear(x, s, z)
  })");
  const reference::Tensor x = parts->make_case(0, 0).data_sets[2].inputs[0].value;
  for (std::int64_t row = 0; row < 3; ++row) {
    int zeros = 0, large = 0;
    for (std::int64_t i = row * 40; i < (row + 1) * 40; ++i) {
      const double number = reference::number_of(x.type(), x.code(i));
      zeros += number == 0 ? 1 : 0;
      large += number == 128 ? 1 : 0;  // 256 codes times the scale
      EXPECT_TRUE(number == 128 || std::fabs(number) < 1) << number;
    }
    EXPECT_GE(zeros, 8);
    EXPECT_EQ(large, 1);
  }
}

TEST(UserModel, RefusesDataWithoutElements) {
  const TemporaryDirectory scratch;
  const std::filesystem::path path =
      file_of_graph(scratch, "g (float[n] x) => (uint8[n] y) <float s = {0.5}> { y = QuantizeLinear(x, s) }");
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (0,), }";
  header.resize(117, ' ');
  write_file(scratch.path() / "x.npy", std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n");
  EXPECT_THAT(error_of([&] { UserModel(path, {}, scratch.path() / "x.npy"); }),
              HasSubstr("x.npy: the input \"x\" has no elements"));
}

TEST(UserModel, InfersWhatOnnxDoesNotKnow) {
  const TemporaryDirectory scratch;
  onnx::ModelProto model = model_of_text(R"(
    <ir_version: 10, opset_import: ["": 21, "com.microsoft": 1]>
    g (float[2,3] x) => (float[2,3] y) <float s = {0.5}, uint16 p = {3}> {
      q = com.microsoft.QuantizeLinear(x, s, p)
      y = com.microsoft.DequantizeLinear(q, s, p)
    })");
  write_file(scratch.path() / "m.onnx", model);
  const UserModel read(scratch.path() / "m.onnx", {});
  EXPECT_EQ(read.form_of("q"), (ValueForm{spec::ElementType::uint16, {2, 3}}));
  EXPECT_EQ(read.complaint(), "");
}

/// The conditions choose the slices 0 and 2 of three, and the second of two. NonZero gives [[1, 2]].
TEST(UserModel, InfersShapesThatConstantsDecide) {
  const Parts parts(R"(g (uint8[3,2] x, bool[3] d) => (uint8[n,2] y, uint8[2,2] z, float[m,2] w)
      <float s = {0.5}, bool[3] c = {1, 0, 1}, int64[3] m = {0, 7, -1}, int32[2] e = {0, 1}> {
    a = DequantizeLinear(x, s)
    b = Compress<axis = 0>(a, c)
    y = QuantizeLinear(b, s)
    i = NonZero(m)
    zero = Constant <value_ints = [0]> ()
    j = Squeeze(i, zero)
    f = Gather(a, j)
    g = Cast<to = 9>(e)
    h = Compress<axis = 0>(f, g)
    one = Constant <value_ints = [1, 1]> ()
    t = Tile(f, one)
    z = QuantizeLinear(t, s)
    w = Compress<axis = 0>(a, d)
  })");
  EXPECT_EQ(parts->model().complaint(), "");
  EXPECT_EQ(parts->model().form_of("y"), (ValueForm{ElementType::uint8, {2, 2}}));
  EXPECT_EQ(parts->model().form_of("j"), (ValueForm{ElementType::int64, {2}}));
  EXPECT_EQ(parts->model().form_of("h"), (ValueForm{ElementType::float32, {1, 2}}));
  EXPECT_EQ(parts->model().form_of("w"), std::nullopt) << "the condition is an input";
  EXPECT_THAT(unit_operators(parts), testing::Contains("Compress"));
}

TEST(UserModel, InlinesFunctions) {
  const TemporaryDirectory scratch;
  write_file(scratch.path() / "m.onnx", model_of_text(R"(
    <ir_version: 10, opset_import: ["": 21, "own": 1]>
    g (float[2] x) => (uint8[2] y) { y = own.quantize(x) }
    <opset_import: ["": 21], domain: "own"> quantize (x) => (y) {
      s = Constant <value_float = 0.5> ()
      y = QuantizeLinear(x, s)
    })"));
  const ModelParts parts(scratch.path() / "m.onnx", {});
  EXPECT_EQ(parts.cut().nodes.size(), 1U);
}

constexpr const char* with_symbols = R"(g (uint8[batch,4] x) => (float[batch,4] y) <float s = {0.5}> {
  y = DequantizeLinear(x, s)
})";

TEST(UserModel, NeedsTheLengthsOfItsDimensions) {
  EXPECT_EQ(Parts(with_symbols, {{"batch", 3}})->model().form_of("y"), (ValueForm{spec::ElementType::float32, {3, 4}}));
  const auto error_with = [](const DimensionLengths& lengths) {
    return error_of([&] { Parts(with_symbols, lengths); });
  };
  EXPECT_EQ(Parts(with_symbols, {{"x[0]", 5}})->model().form_of("y"), (ValueForm{spec::ElementType::float32, {5, 4}}));
  EXPECT_THAT(error_with({}), HasSubstr("the lengths of these dimensions are not in the model: batch; give them: "
                                        "--dim 'batch=1'"));
  EXPECT_THAT(error_with({{"batch", 1}, {"sequence", 2}}), HasSubstr("--dim sequence=2: no input has a dimension"));
}

/// The model with the weights in another file.
std::filesystem::path with_external_weights(const TemporaryDirectory& scratch, const std::string& location,
                                            const std::string& offset) {
  onnx::ModelProto model = model_of_graph(R"(g (float[1] x) => (float[4] y) <float s = {0.5}, int8[4] w = {1,2,3,4}> {
    y = DequantizeLinear(w, s)
  })");
  onnx::TensorProto& weights = *model.mutable_graph()->mutable_initializer(1);
  weights.clear_int32_data();
  weights.set_data_location(onnx::TensorProto::EXTERNAL);
  const auto add = [&](const std::string& key, const std::string& value) {
    onnx::StringStringEntryProto& entry = *weights.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  };
  add("location", location);
  add("offset", offset);
  write_file(scratch.path() / "m.onnx", model);
  return scratch.path() / "m.onnx";
}

TEST(UserModel, ReadsExternalData) {
  const TemporaryDirectory scratch;
  write_file(scratch.path() / "weights.bin", std::string("\x63\x0b\x16\x21\x2c", 5));
  const ModelParts parts(with_external_weights(scratch, "weights.bin", "1"), {});
  const Case made = parts.make_case(0, 0);
  EXPECT_EQ(made.model.node.inputs.at(0)->code(0), 0x0bU);
  EXPECT_EQ(made.model.node.inputs.at(0)->code(3), 0x2cU);
}

TEST(UserModel, SaysWhatIsWrongWithExternalData) {
  struct Row {
    std::string location, offset, message;
  };
  const Row rows[]{
      {"missing.bin", "0", "its data are in \"missing.bin\", which does not exist"},
      {"weights.bin", "2", "which has no 4 bytes from byte 2 on"},
      {"weights.bin", "x", "external_data: offset is \"x\", not a number"},
      {"weights.bin", "-5", "external_data: offset is \"-5\", but must not be negative"},
      {"../weights.bin", "0", "m.onnx: tensor \"w\": its external data: \"../weights.bin\": leads out of /"},
      {".", "0", "m.onnx: tensor \"w\": its external data: /"},
      {"weights.bin", "18446744073709551615", "which has no 4 bytes from byte 18446744073709551615 on"},
      {"", "0", "external_data: no location"}};
  for (const Row& row : rows) {
    const TemporaryDirectory scratch;
    write_file(scratch.path() / "weights.bin", "12345");
    const std::filesystem::path path = with_external_weights(scratch, row.location, row.offset);
    const auto use = [&] {
      const ModelParts parts(path, {});
      if (row.location.empty()) parts.make_case(0, 0);
    };
    EXPECT_THAT(error_of(use), HasSubstr(row.message));
  }
}

/// The operator is unknown, so that the file alone says what it gives.
TEST(UserModel, KeepsWhatTheFileSaysOfValues) {
  const TemporaryDirectory scratch;
  write_file(scratch.path() / "net.onnx", model_of_text(R"(<ir_version: 10, opset_import: ["": 21, "other": 1]>
      g (float[n] x) => (uint8[n] y) <float s = {0.5}, float[4] e, float[n] f> {
    e = other.Unknown(x)
    f = other.Unknown(x)
    q = QuantizeLinear(e, s)
    r = QuantizeLinear(f, s)
    y = Concat <axis = 0> (q, r)
  })"));
  const UserModel model(scratch.path() / "net.onnx", {{"n", 4}});
  EXPECT_EQ(model.form_of("e"), (ValueForm{spec::ElementType::float32, {4}}));
  EXPECT_EQ(model.form_of("f"), std::nullopt);
}

/// A shape that needs more memory than there is must not be believed.
TEST(UserModel, AllocatesNothingForHugeExternalData) {
  const TemporaryDirectory scratch;
  write_file(scratch.path() / "weights.bin", "12345");
  const std::filesystem::path path = with_external_weights(scratch, "weights.bin", "0");
  onnx::ModelProto model;
  std::ifstream file(path, std::ios::binary);
  model.ParseFromIstream(&file);
  model.mutable_graph()->mutable_initializer(1)->set_dims(0, std::int64_t{1} << 50);
  write_file(path, model);
  EXPECT_THAT(error_of([&] { ModelParts(path, {}); }), HasSubstr("which has no 1125899906842624 bytes from byte 0 on"));
}

TEST(Parts, AllocateNothingForHugeInputs) {
  const TemporaryDirectory scratch;
  const auto error_for = [&](const std::string& length) {
    const ModelParts parts(file_of_graph(scratch, fmt::format(R"(g (int16[{0}] x) => (float[{0}] y) <float s = {{1}}> {{
      y = DequantizeLinear(x, s)
    }})",
                                                              length)),
                           {});
    return error_of([&] { parts.make_case(0, 0); });
  };
  EXPECT_THAT(error_for("1099511627776"), HasSubstr("\"x\": more than the limit of 268435456 bytes in one case"));
  EXPECT_THAT(error_for("9223372036854775807"), HasSubstr("\"x\": its shape is too large"));
}

/// The shapes alone say it.
TEST(Parts, AreRefusedWithoutTheirDataIfTheyAreTooLarge) {
  const auto error_of_unit = [](const std::string& graph) {
    const Parts parts(graph);
    return error_of([&] { parts->make_case(parts->size() - 1, 0); });
  };
  EXPECT_THAT(error_of_unit(R"(g (uint8[2048,2048] x) => (float[2048,2048] y) <float s = {0.5}> {
    a = DequantizeLinear(x, s)
    y = Relu(a)
  })"),
              HasSubstr("its values have 12582912 elements; the limit is 8388608 (graph_elements)"));
}

/// A single file of a test must be shorter.
TEST(Parts, MayBeLongerThanOtherModels) {
  std::string weights = "1";
  for (int i = 1; i < 400; ++i) weights += ",1";
  const Parts parts("g (float[1,400] x) => (float[1,1] y) <float s = {0.5}, int8[400,1] w = {" + weights + R"(}> {
    d = DequantizeLinear(w, s)
    y = MatMul(x, d)
  })");
  set_limits("file_bytes=300");
  const Case made = parts->make_case(1, 0);
  set_limits("file_bytes=67108864");
  EXPECT_GT(made.model.bytes.size(), 400U);
}

TEST(UserModel, HasDenseConstantsInPlaceOfSparseOnes) {
  const TemporaryDirectory scratch;
  onnx::ModelProto model = model_of_graph(R"(g (uint8[2] x) => (uint8[2] y) <float s = {0.5}> {
    c = Constant()
    a = DequantizeLinear(x, s)
    b = MatMul(a, c)
    d = Add(b, w)
    y = QuantizeLinear(d, s)
  })");
  const auto set_sparse = [](onnx::SparseTensorProto& sparse, const std::string& name,
                             const std::vector<std::int64_t>& dims, std::vector<std::int64_t> indices) {
    const std::vector<std::uint64_t> ones(2, 0x3f800000);
    *sparse.mutable_values() = to_tensor_proto(reference::Tensor::from_codes(ElementType::float32, {2}, ones), name);
    const std::vector<std::uint64_t> codes(indices.begin(), indices.end());
    const auto count = std::ssize(codes);
    *sparse.mutable_indices() =
        to_tensor_proto(reference::Tensor::from_codes(ElementType::int64,
                                                      count == 2 ? reference::Shape{2} : reference::Shape{2, 2}, codes),
                        "");
    sparse.mutable_dims()->Add(dims.begin(), dims.end());
  };
  onnx::AttributeProto& value = *model.mutable_graph()->mutable_node(0)->add_attribute();
  value.set_name("sparse_value");
  value.set_type(onnx::AttributeProto::SPARSE_TENSOR);
  set_sparse(*value.mutable_sparse_tensor(), "", {2, 2}, {0, 1, 1, 0});
  set_sparse(*model.mutable_graph()->add_sparse_initializer(), "w", {2}, {0, 1});
  const auto path = scratch.path() / "net.onnx";
  write_file(path, model);
  const ModelParts parts(path, {});
  EXPECT_EQ(parts.model().complaint(), "");
  EXPECT_EQ(parts.cut().in_units, parts.cut().all_nodes);
  // [4, 6] * 0.5 = [2, 3]; the matrix exchanges both; [3, 2] + 1 = [4, 3]; / 0.5 = [8, 6].
  const Case unit = parts.make_case(parts.size() - 1, 0);
  const reference::GraphOutcome outcome = reference::interpret(
      *unit.model.graph,
      std::vector{reference::Tensor::from_codes(ElementType::uint8, {2}, std::vector<std::uint64_t>{4, 6})});
  EXPECT_EQ(outcome.outputs()->at(0).value.code(0), 8U);
  EXPECT_EQ(outcome.outputs()->at(0).value.code(1), 6U);
  model.mutable_graph()->mutable_sparse_initializer(0)->mutable_dims()->Set(0, 3);
  write_file(path, model);
  EXPECT_THAT(ModelParts(path, {}).model().complaint(), HasSubstr("Incompatible dimensions"));
  model.mutable_graph()->mutable_sparse_initializer(0)->set_dims(0, 1);
  write_file(path, model);
  EXPECT_THAT(error_of([&] { ModelParts(path, {}); }),
              HasSubstr("net.onnx: sparse initializer \"w\": indices[1] is out of range"));
}

TEST(UserModel, IsRefusedWithAReason) {
  const TemporaryDirectory scratch;
  const auto error_with = [&](std::string_view content) {
    write_file(scratch.path() / "m.onnx", content);
    return error_of([&] { UserModel(scratch.path() / "m.onnx", {}); });
  };
  EXPECT_THAT(error_of([&] { UserModel(scratch.path() / "none.onnx", {}); }), HasSubstr("No such file"));
  EXPECT_THAT(error_with(""), HasSubstr("m.onnx: empty"));
  EXPECT_THAT(error_with("no model"), HasSubstr("m.onnx: "));
  EXPECT_THAT(error_with(onnx::ModelProto().SerializeAsString() + std::string("\x08\x0a", 2)), HasSubstr("no graph"));
}

/// Two products of one term, exact in bfloat16, and a bias. A kernel that applies scales later may do what others do.
TEST(Parts, PermitWithFusedScalesWhatIsExactWithoutThem) {
  reference::GraphModel model = to_graph_model(model_of_text(R"(<ir_version: 10, opset_import: ["": 21]>
    g (uint8[1,1,1,1] x) => (uint8[1,1,1,1] y) <float s = {0.0201}, float f = {0.01004}, float t = {0.02},
    float u = {0.0004}, uint8 p = {128}, int8[1,1,1,1] v = {100}, int8[1,1,1,1] w = {1}, float[1] c = {0.0396386}> {
      a = DequantizeLinear(x, s, p)
      b = DequantizeLinear(v, f)
      d = Conv(a, b)
      e = QuantizeLinear(d, t, p)
      g = DequantizeLinear(e, s, p)
      h = DequantizeLinear(w, f)
      i = Conv(g, h, c)
      y = QuantizeLinear(i, u, p)
    })"),
                                               "graph");
  using Precision = spec::FactorPrecision;
  for (const auto reading : {Precision::as_given, Precision::rounded_to_bfloat16, Precision::rounded_to_tf32})
    for (std::uint64_t x = 0; x < 256; ++x) {
      const std::vector<Tensor> inputs{Tensor::from_codes(ElementType::uint8, {1, 1, 1, 1}, std::vector{x})};
      const auto output = [&](bool fuses_scales) {
        model.fuses_scales = fuses_scales;
        return reference::interpret(model, inputs, reference::Policy{}.with<Precision>(reading)).outputs()->at(0);
      };
      const reference::Output fused = output(true), literal = output(false);
      ASSERT_TRUE(fused.range.has_value());
      EXPECT_LE(fused.range->lowest.code(0), literal.value.code(0)) << x;
      EXPECT_GE(fused.range->highest.code(0), literal.value.code(0)) << x;
    }
}

}  // namespace
}  // namespace touchstone::conformance::units_test
