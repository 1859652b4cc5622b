#include "conformance/check/legality.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/units/quantization_nodes.h"
#include "conformance/units/testing.h"

namespace touchstone::conformance::legality_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<ExaminedNode> examine_graph(const std::string& graph) {
  const TemporaryDirectory scratch;
  return examine(ModelParts(file_of_graph(scratch, graph), {}));
}

TEST(Legality, OfALegalNode) {
  const auto nodes = examine_graph(R"(g (float[2,3] x) => (uint8[2,3] y) <float s = {0.5}, uint8 p = {3}> {
    y = QuantizeLinear(x, s, p)
  })");
  ASSERT_EQ(nodes.size(), 1U);
  EXPECT_FALSE(nodes[0].illegal);
  EXPECT_EQ(nodes[0].unexamined, "");
  EXPECT_THAT(nodes[0].ambiguities, IsEmpty());
  EXPECT_EQ(nodes[0].name, "y") << "the node has no name of its own";
}

/// "zero point ... must have the same shape" as the scale: ql-same-shape.
TEST(Legality, NamesTheNodeAndTheClause) {
  const auto nodes = examine_graph(R"(g (float[2,3] x) => (uint8[2,3] y, uint8[2,3] z)
      <float s = {0.5}, uint8 p = {3}, uint8[2] q = {3, 4}> {
    y = QuantizeLinear(x, s, p)
    [second] z = QuantizeLinear(x, s, q)
  })");
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_FALSE(nodes[0].illegal);
  ASSERT_TRUE(nodes[1].illegal);
  EXPECT_EQ(nodes[1].illegal->clause->id, "qdq-same-shape");
  EXPECT_EQ(nodes[1].index, 1U);
  EXPECT_EQ(nodes[1].name, "second");
}

/// The text does not say whether a scale may be negative.
TEST(Legality, NamesAmbiguitiesOfTheConstants) {
  const auto nodes = examine_graph(R"(g (float[1] x) => (float[4] y) <float s = {-0.5}, int8[4] w = {1,2,3,4}> {
    y = DequantizeLinear(w, s)
  })");
  EXPECT_THAT(nodes.at(0).ambiguities, ElementsAre("amb-scale-domain"));
  EXPECT_EQ(nodes.at(0).unusual_scales, "the scale is negative");
  const auto per_axis = examine_graph(R"(g (int8[2,3] w) => (float[2,3] y) <float[3] s = {-0.5, 0, -2}> {
    y = DequantizeLinear(w, s)
  })");
  EXPECT_EQ(per_axis.at(0).unusual_scales, "2 of 3 scales are negative, 1 of 3 scales is zero");
}

/// The last product is subnormal, the last integer needs 25 bits.
TEST(Legality, FindsAmbiguitiesInElementsFarFromOthers) {
  const auto examine_last = [](const std::string& type, const std::string& scale_type, const std::string& usual,
                               const std::string& last, const std::string& scale, const std::string& last_scale) {
    constexpr int length = 3000;
    std::string x, scales;
    for (int i = 0; i < length; ++i) {
      x += (i == 0 ? "" : ",") + (i < length - 1 ? usual : last);
      scales += (i == 0 ? "" : ",") + (i < length - 1 ? scale : last_scale);
    }
    if (scale == last_scale) scales = scale;
    return examine_graph(fmt::format("g () => (float[{0},1] y) <{1}[{0},1] x = {{{2}}}, float{3} s = {{{4}}}> {{ y = "
                                     "DequantizeLinear<axis = 0>(x, s) }}",
                                     length, type, x, scale_type, scales))
        .at(0);
  };
  EXPECT_THAT(examine_last("int8", "[3000]", "7", "1", "1", "2e-38").ambiguities, IsEmpty());
  EXPECT_THAT(examine_last("int8", "[3000]", "7", "1", "1", "1e-39").ambiguities,
              testing::IsSupersetOf({"amb-scale-domain", "amb-subnormals"}));
  EXPECT_THAT(examine_last("int32", "", "5", "16777217", "0.3", "0.3").ambiguities,
              ElementsAre("amb-large-integer-product"));
}

TEST(Legality, SaysInHowManyElementsItSoughtAmbiguities) {
  std::string x = "0";
  for (int i = 1; i < 2000; ++i) x += "," + std::to_string(i);
  const auto nodes = examine_graph("g () => (float[2000] y) <int32[2000] x = {" + x +
                                   "}, float s = {0.5}> { y = DequantizeLinear(x, s) }");
  EXPECT_EQ(nodes.at(0).compared, "1,025 of 2,000 different elements") << "and the last one";
}

/// "DequantizeLinear of int32 has no zero point, or it is 0": a permitted reading ignores or subtracts it.
TEST(Legality, LeavesOpenWhatAPermittedReadingAllows) {
  const auto nodes = examine_graph(R"(g (int32[4] x) => (float[4] y) <float s = {0.5}, int32 z = {3}> {
    y = DequantizeLinear(x, s, z)
  })");
  EXPECT_FALSE(nodes.at(0).illegal);
  EXPECT_THAT(nodes.at(0).ambiguities, ElementsAre("amb-int32-zero-point"));
}

TEST(Legality, NamesNoAmbiguitiesOfScalesThatAreNotKnown) {
  const auto nodes = examine_graph(R"(g (int8[2,4] x, float[4] s) => (float[2,4] y) { y = DequantizeLinear(x, s) })");
  EXPECT_THAT(nodes.at(0).ambiguities, IsEmpty());
}

/// qdq-axis-range. Both branches have a value q.
TEST(Legality, OfNodesInBranchesAndBodies) {
  const auto nodes = examine_graph(R"(g (float[4] x, bool c, int64 n) => (float[4] y, float[4] z)
      <float s = {0.5}, float[2] t = {0.5, 1}> {
    y = If (c) <
      then_branch = a () => (float[4] u) { q = QuantizeLinear<axis = 1>(x, t) u = DequantizeLinear(q, s) },
      else_branch = b () => (float[4] v) { q = QuantizeLinear(x, s) v = DequantizeLinear(q, s) }
    >
    z = Loop (n, c, x) <
      body = d (int64 i, bool k, float[4] w) => (bool l, float[4] e) {
        l = Identity(k)
        e = If (k) <
          then_branch = f () => (float[4] g) { p = QuantizeLinear(w, s) [inner] g = DequantizeLinear<axis = 1>(p, t) },
          else_branch = h () => (float[4] j) { j = Identity(w) }
        >
      }
    >
  })");
  std::vector<std::string> places, illegal;
  for (const ExaminedNode& node : nodes) {
    EXPECT_EQ(node.unexamined, "") << node.name;
    places.push_back(node.place);
    if (node.illegal) illegal.push_back(node.name + ": " + std::string(node.illegal->clause->id));
  }
  const std::string in_loop = "then_branch of node 1 If in body of node 1 Loop";
  EXPECT_THAT(places, ElementsAre("then_branch of node 0 If", "then_branch of node 0 If", "else_branch of node 0 If",
                                  "else_branch of node 0 If", in_loop, in_loop));
  EXPECT_THAT(illegal, ElementsAre("q: qdq-axis-range", "inner: qdq-axis-range"));
}

/// The function of opset 13 cannot be converted, because the branch does not say of which type its output is.
TEST(Legality, SaysThatFunctionsAreLeftOut) {
  const TemporaryDirectory scratch;
  write_file(scratch.path() / "m.onnx", model_of_text(R"(
    <ir_version: 10, opset_import: ["": 21, "own": 1]>
    g (float[2] x, bool c) => (float[2] y) {
      y = If (c) <then_branch = a () => (u) { u = own.old(x) }, else_branch = b () => (v) { v = own.called(x) }>
    }
    <opset_import: ["": 13], domain: "own"> old (x) => (y) {
      s = Constant <value_float = 0.5> ()
      y = QuantizeLinear(x, s)
    }
    <opset_import: ["": 21], domain: "own"> called (x) => (y) {
      s = Constant <value_float = 0.5> ()
      y = QuantizeLinear<axis = 1>(x, s)
    }
    <opset_import: ["": 21], domain: "own"> unused (x, s) => (y) { y = QuantizeLinear(x, s) })"));
  const ModelParts parts(scratch.path() / "m.onnx", {});
  std::vector<std::string> texts;
  for (const ExaminedNode& node : examine(parts)) texts.push_back(node.place + ": " + node.unexamined);
  EXPECT_THAT(texts, ElementsAre("else_branch of node 0 If: ", std::string("function old: ") + function_left_out,
                                 std::string("function unused: ") + function_left_out));
  EXPECT_EQ(parts.cut().not_in_units.at(function_left_out), 2U);
}

/// What nothing reads, or only a branch.
TEST(Legality, OfNodesWhoseOutputsTheGraphDoesNotRead) {
  const auto nodes = examine_graph(R"(g (float[4] x, bool c) => (float[4] y) <float s = {0.5}, float[2] t = {0.5, 1}> {
    unread = QuantizeLinear<axis = 1>(x, t)
    q = QuantizeLinear(x, s)
    y = If (c) <
      then_branch = a () => (float[4] u) { u = DequantizeLinear(q, s) },
      else_branch = b () => (float[4] v) { v = Identity(x) }
    >
  })");
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_TRUE(nodes[0].illegal);
  EXPECT_EQ(nodes[1].unexamined, "");
}

TEST(Legality, ComputesConstantsThatNodesRead) {
  const auto nodes = examine_graph(R"(g (float[4] x) => (uint8[4] y) <float[1] s = {-0.5}> {
    axes = Constant <value_ints = [0]> ()
    t = Squeeze(s, axes)
    y = QuantizeLinear(x, t)
  })");
  ASSERT_EQ(nodes.size(), 1U);
  EXPECT_FALSE(nodes[0].illegal);
  EXPECT_EQ(nodes[0].unusual_scales, "the scale is negative");
}

/// "All index values are expected to be within bounds [-s, s-1] along axis of size s. It is an error if any of the
/// index values are out of bounds."
TEST(Legality, OfOtherNodesWithConstants) {
  const auto invalid = [](const std::string& graph) {
    const TemporaryDirectory scratch;
    std::vector<std::string> texts;
    for (const ExaminedNode& node : invalid_nodes(ModelParts(file_of_graph(scratch, graph), {})))
      texts.push_back(node.invalid);
    return texts;
  };
  EXPECT_THAT(
      invalid(R"(g (uint8[3,4] x, int64[1] v, bool c) => (float[k,m] y, float[k,m] z, float[2] w)
      <float s = {0.5}, int64[2] i = {0, 7}, int64[1,2] j = {2, 3}, int64[1,2] k = {3, 0}, int64[2] zero = {0, -1}> {
    a = DequantizeLinear(x, s)
    [first] b = Gather<axis = 1>(a, i)
    d = GatherND(a, j)
    [second] e = GatherND(a, k)
    y = Gather(a, v)
    sum = Add(i, i)
    z = Gather<axis = 0>(a, sum)
    w = If (c) <
      then_branch = t () => (float[2] u) { u = Gather(d, zero) },
      else_branch = f () => (float[2] o) { o = Gather(d, i) }
    >
  })"),
      ElementsAre("node 1 Gather first: the index 7 is out of range for an axis of length 4",
                  "node 3 GatherND second: the index 3 is out of range for an axis of length 3",
                  "node 6 Gather z: the index 14 is out of range for an axis of length 3",
                  "node 0 Gather o in else_branch of node 7 If: the index 7 is out of range for an axis of length 1"));
}

/// For an n of zero, q has no elements.
TEST(Legality, DoesNotRunBodiesWithZeros) {
  const TemporaryDirectory scratch;
  const auto path = file_of_graph(scratch, R"(g (int64[1] n) => (int64[1] y, int64[1] z)
      <int64 trips = {1}, bool c = {1}, int64[1] i = {5}> {
    y, z = Loop (trips, c, i, n) <
      body = d (int64 j, bool k, int64[1] v, int64[1] t) => (bool l, int64[1] r, int64[1] u) {
        l = Identity(k)
        q = Expand(v, t)
        zero = Constant <value_ints = [0]> ()
        r = Gather(q, zero)
        u = Identity(t)
      }
    >
  })");
  EXPECT_THAT(invalid_nodes(ModelParts(path, {})), IsEmpty());
}

TEST(Legality, SaysWhatItCannotExamine) {
  const auto nodes = examine_graph(R"(g (float[3] x) => (uint8[n] y) <float s = {0.5}, uint8 p = {3}> {
    i = NonZero(x)
    f = Cast <to = 1> (i)
    y = QuantizeLinear(f, s, p)
  })");
  EXPECT_THAT(nodes.at(0).unexamined, HasSubstr(R"("f": the type or the shape of this value is not known)"));
  const auto huge = examine_graph(R"(g (uint8[1099511627776] x) => (float[1099511627776] y) <float s = {0.5}> {
    y = DequantizeLinear(x, s)
  })");
  EXPECT_THAT(huge.at(0).unexamined, HasSubstr(R"("x": more than the limit of 268435456 bytes)"));
}

}  // namespace
}  // namespace touchstone::conformance::legality_test
