// What wrong models of graphs compute, by hand.
#include "conformance/diagnose/wrong_graphs.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "conformance/diagnose/computation.h"
#include "conformance/files/graph_file.h"
#include "conformance/units/testing.h"

namespace touchstone::conformance::wrong_graphs_test {
namespace {

/// The codes that a model of opset 13 with this graph and the defect gives for one uint8 code.
std::vector<std::uint64_t> codes_of(const char* defect, const std::string& graph, std::uint64_t x) {
  const reference::GraphModel model =
      to_graph_model(model_of_text(R"(<ir_version: 7, opset_import: ["": 13]> )" + graph), "graph");
  const std::vector<Tensor> inputs{Tensor::from_codes(ElementType::uint8, {1, 1}, std::vector{x})};
  const WrongModel* wrong = find_wrong_model(defect);
  const auto computed = compute(model, inputs, {&wrong, 1}, 0);
  const Tensor& y = std::get<std::vector<reference::Output>>(computed).front().value;
  std::vector<std::uint64_t> codes;
  for (std::int64_t i = 0; i < y.size(); ++i) codes.push_back(y.code(i));
  return codes;
}

/// The product is 1/4 * 1/4, and a step of the bias 1/64. 10.01 is 640.64 steps, which become 641.
TEST(WrongGraphs, RoundABiasToInt32) {
  EXPECT_EQ(codes_of("quantizes-bias", R"(g (uint8[1,1] x) => (uint8[1,1] y)
      <float s = {0.125}, float t = {0.05}, uint8[1,1] w = {2}, float[1] c = {10.01}> {
    a = DequantizeLinear(x, s)
    b = DequantizeLinear(w, s)
    d = Gemm(a, b, c)
    y = QuantizeLinear(d, t)
  })",
                     2),
            std::vector<std::uint64_t>{202});  // (0.0625 + 10.015625) / 0.05 is 201.56; with 10.01 it is 201.45
}

/// The weights become 0.4, 0.4 and 102, multiples of 102/255, and the bias 1.2, 0.8 and 0, multiples of 0.4.
TEST(WrongGraphs, RoundABiasWithFloatWeights) {
  EXPECT_EQ(codes_of("quantizes-float-weights", R"(g (uint8[1,1] x) => (uint8[1,3] y)
      <float s = {1}, float t = {0.1}, float[1,3] w = {0.25, 0.5, 102}, float[3] c = {1.1, 0.7, 0}> {
    a = DequantizeLinear(x, s)
    b = Gemm<alpha = 0.5, beta = 2.0>(a, w, c)
    y = QuantizeLinear(b, t)
  })",
                     100),
            (std::vector<std::uint64_t>{224, 216, 255}));  // 20 + 2.4, 20 + 1.6, and more than 25.5
}

/// 255 * 100000 is 194.5 steps of 2^17, and 2^23 - 1 is 64 of them, rounded.
TEST(WrongGraphs, SaturateSumsTo24Bits) {
  EXPECT_EQ(codes_of("saturates-sums-to-24-bits", R"(g (uint8[1,1] x) => (uint8[1,1] y)
      <float s = {1}, float t = {131072}, int32[1,1] w = {100000}> {
    a = DequantizeLinear(x, s)
    b = DequantizeLinear(w, s)
    c = MatMul(a, b)
    y = QuantizeLinear(c, t)
  })",
                     255),
            std::vector<std::uint64_t>{64});
}

/// Both give 10, of which the second should be 20.
TEST(WrongGraphs, DequantizeASharedConstantOnce) {
  EXPECT_EQ(codes_of("dequantizes-shared-constant-once", R"(g (uint8[1,1] x) => (uint8[1,2] y)
      <float s = {1}, float t = {2}, uint8[1,1] w = {10}> {
    a = DequantizeLinear(w, s)
    b = DequantizeLinear(w, t)
    c = Concat<axis = 1>(a, b)
    y = QuantizeLinear(c, s)
  })",
                     0),
            (std::vector<std::uint64_t>{10, 10}));
}

}  // namespace
}  // namespace touchstone::conformance::wrong_graphs_test
