// The parts of a model as cases, and their data.
#include "conformance/units/unit_cases.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "conformance/files/graph_file.h"
#include "conformance/files/limits.h"
#include "conformance/generate/checker_testing.h"
#include "conformance/units/testing.h"
#include "conformance/units/units.h"
#include "reference/graph/graph_interpreter.h"
#include "reference/host_numbers.h"

namespace touchstone::conformance::unit_cases_test {
namespace {

using spec::ElementType;
using testing::ElementsAre;
using testing::HasSubstr;

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
}  // namespace touchstone::conformance::unit_cases_test
