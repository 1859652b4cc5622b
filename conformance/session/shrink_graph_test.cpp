// Graphs that shrink.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "conformance/diagnose/hypotheses.h"
#include "conformance/diagnose/wrong_backend.h"
#include "conformance/generate/checker_testing.h"
#include "conformance/run/runner.h"
#include "conformance/session/shrink.h"
#include "conformance/units/testing.h"
#include "reference/testing.h"

namespace touchstone::conformance::shrink_graph_test {
namespace {

using spec::ElementType;
using testing::Contains;

/// A defective backend that checks each model with ONNX's checker.
class Checked : public WrongBackend {
 public:
  using WrongBackend::WrongBackend;

  UnitAnswer run(const Unit& unit) override {
    EXPECT_EQ(complaint(std::string(unit.model)), "");
    return WrongBackend::run(unit);
  }
};

/// x is the only input, and has elements from 0 up in each of two data sets.
PlannedCase planned(const std::string& graph, const reference::Shape& shape) {
  Case made{.id = "graph", .model = parse_model(model_of_graph(graph).SerializeAsString(), "graph"), .data_sets = {}};
  for (const std::uint64_t first : {0U, 1U}) {
    reference::Tensor x(ElementType::uint8, shape);
    for (std::int64_t i = 0; i < x.size(); ++i) x.set_code(i, (first + static_cast<std::uint64_t>(i)) % 256);
    made.data_sets.push_back({.inputs = {{"x", x}}, .expected = {}});
  }
  return {"graph", made_by({[made] { return made; }})};
}

Shrunk shrunk(const PlannedCase& whole, const std::string& defect, const ShrinkOptions& options = {}) {
  Checked backend(find_hypothesis(defect));
  const CaseRecord record = run_case(whole, backend);
  EXPECT_EQ(record.verdict, Verdict::fail);
  return shrink(whole, record, backend, options);
}

std::int64_t nonzero(const reference::Tensor& tensor) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < tensor.size(); ++i) count += tensor.code(i) != 0 ? 1 : 0;
  return count;
}

constexpr const char* relu =
    R"(g (uint8[2,6,4] x) => (uint8[2,6,4] y) <float s = {0.5}, uint8 p = {100}, uint8 q = {3}> {
    d = DequantizeLinear(x, s, p)
    r = Relu(d)
    y = QuantizeLinear(r, s, q)
  })";

/// A number below the zero point shows that Relu is gone.
TEST(ShrinkGraph, LeavesOneElement) {
  const Shrunk found = shrunk(planned(relu, {2, 6, 4}), "removes-relu-before-quantize");
  ASSERT_TRUE(found.is_smaller);
  ASSERT_EQ(found.smallest.data_sets.size(), 1U);
  const reference::Tensor& x = found.smallest.data_sets[0].inputs.at(0).value;
  EXPECT_EQ(x.shape(), (reference::Shape{1, 1, 1}));
  EXPECT_LT(x.code(0), 100U);
  EXPECT_THAT(*found.record.hypotheses, Contains("removes-relu-before-quantize"));
  EXPECT_LE(found.calls, 60U);
}

constexpr const char* in_blocks = R"(g (uint8[3,8] x) => (float[3,5] y) <float f = {0.5},
    int8[8,5] w = {1,2,3,4,5, 6,7,8,1,2, 3,4,5,6,7, 8,1,2,3,4, 5,6,7,8,1, 2,3,4,5,6, 7,8,1,2,3, 4,5,6,7,8},
    float[4,5] s = {0.5,1,2,4,1, 2,1,4,1,0.5, 1,1,1,2,4, 4,4,1,1,2}> {
    d = DequantizeLinear(x, f)
    b = DequantizeLinear <axis = 0, block_size = 2> (w, s)
    y = MatMul(d, b)
  })";

/// The scales of one block are used for all, which needs two blocks.
TEST(ShrinkGraph, KeepsWhatTheProblemNeeds) {
  const Shrunk found = shrunk(planned(in_blocks, {3, 8}), "uses-first-block-of-weights");
  ASSERT_TRUE(found.is_smaller);
  const reference::GraphModel& graph = *found.smallest.model.graph;
  EXPECT_GT(graph.graph.initializers.at("s").shape()[0], 1);
  EXPECT_EQ(graph.graph.initializers.at("s").shape()[1], 1) << "one column is enough";
  EXPECT_EQ(nonzero(graph.graph.initializers.at("w")), 1);
  EXPECT_EQ(nonzero(found.smallest.data_sets[0].inputs.at(0).value), 1);
}

TEST(ShrinkGraph, StopsAtItsLimits) {
  const PlannedCase whole = planned(relu, {2, 6, 4});
  const char* defect = "removes-relu-before-quantize";
  EXPECT_EQ(shrunk(whole, defect, {.judge = {}, .most_calls = 2}).calls, 2U);
  EXPECT_FALSE(shrunk(whole, defect, {.judge = {}, .most_calls = 1}).is_smaller) << "it could not be confirmed";
  EXPECT_FALSE(shrunk(whole, defect, {.judge = {}, .most_graph_elements = 0}).is_smaller);
  EXPECT_FALSE(shrunk(whole, defect, {.judge = {}, .stop = [] { return true; }}).is_smaller);
}

}  // namespace
}  // namespace touchstone::conformance::shrink_graph_test
