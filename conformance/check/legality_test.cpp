#include "conformance/check/legality.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(Legality, NamesNoAmbiguitiesOfScalesThatAreNotKnown) {
  const auto nodes = examine_graph(R"(g (int8[2,4] x, float[4] s) => (float[2,4] y) { y = DequantizeLinear(x, s) })");
  EXPECT_THAT(nodes.at(0).ambiguities, IsEmpty());
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
