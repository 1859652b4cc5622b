// Compares the translation of nodes into calls of optimized/ with the interpreter. The translation does not use the
// interpreter. Both must refuse the same nodes, and give bit-identical results for all others.
#include "conformance/backends/builtin/optimized_node.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "conformance/judge/compare.h"
#include "reference/laws_testing.h"
#include "reference/testing.h"

namespace touchstone::conformance::optimized_node_test {
namespace {

using optimized::Isa;
using reference::Node;
using reference::Shape;
using reference::Tensor;
using spec::ElementType;

constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

std::vector<Isa> isas() {
  std::vector<Isa> available{Isa::portable};
  if (optimized::is_available(Isa::avx2)) available.push_back(Isa::avx2);
  return available;
}

/// How the answer differs from the outcome; empty if it does not.
std::string disagreement(const OptimizedAnswer& answer, const reference::Outcome& outcome) {
  const auto* refusal = std::get_if<Refusal>(&answer);
  const reference::Result* result = outcome.result();
  if (result == nullptr) return refusal != nullptr ? "" : "accepts an illegal node: " + outcome.rejection()->reason;
  if (refusal != nullptr) return "refuses a legal node: " + refusal->reason;
  const TensorDifference difference =
      compare(result->y, std::get<Tensor>(answer), {.sign_of_zero = true, .open = &result->unspecified});
  if (difference.none()) return "";
  return difference.form.empty() ? fmt::format("{} elements differ", difference.different_elements) : difference.form;
}

/// The first disagreement of any instruction set; empty if there is none.
std::string disagreement(const Node& node) {
  const reference::Outcome outcome = reference::interpret(node);
  for (const Isa isa : isas()) {
    const std::string what = disagreement(run_optimized(node, isa), outcome);
    if (!what.empty()) return fmt::format("{}: {}", optimized::name(isa), what);
  }
  return "";
}

RC_GTEST_PROP(OptimizedNode, AgreesWithTheReference, ()) {
  const Node node = *reference::any_node();
  RC_ASSERT(disagreement(node) == "");
}

RC_GTEST_PROP(OptimizedNode, OfOpmxAgreesWithTheReference, ()) {
  const Node node = *reference::any_opmx_node();
  RC_ASSERT(disagreement(node) == "");
}

/// Attribute values that random nodes hardly ever have.
TEST(OptimizedNode, FollowsThePrimaryReadings) {
  using enum ElementType;
  const auto quantized = [](reference::Attributes attributes) {
    const Tensor x = reference::vector(float16, {1, 2, 3, 100, -30000});
    return reference::quantize(25, x, reference::scalar(float16, 0.375), Tensor(float8e5m2fnuz, {}),
                               std::move(attributes));
  };
  const auto code = [](ElementType type) { return reference::type_code(type); };
  const std::vector<Node> nodes{
      // precision: the types on the page and float64
      quantized({{"precision", code(float64)}}),
      quantized({{"precision", code(int32)}}),
      quantized({{"precision", code(float8e8m0)}}),
      reference::quantize(25, reference::vector(int32, {16777217, -16777219}), reference::scalar(int32, 33554434),
                          std::nullopt, {{"precision", code(float64)}, {"output_dtype", code(int4)}}),
      // saturate: every value but 0
      quantized({{"saturate", 2}}),
      quantized({{"saturate", -1}}),
      // block_size: ignored if the scale is a scalar
      quantized({{"block_size", 7}}),
      quantized({{"block_size", -7}}),
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) EXPECT_EQ(disagreement(nodes[i]), "") << "node " << i;
}

// ---- hostile nodes: the most extreme numbers that a file can contain

Tensor ones(ElementType type, Shape shape) {
  Tensor tensor(type, std::move(shape));
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, 1);
  return tensor;
}

Node hostile(const Shape& x, const Shape& scale, std::int64_t axis, std::int64_t block_size) {
  return reference::dequantize(25, ones(ElementType::uint4, x), ones(ElementType::float32, scale),
                               ones(ElementType::uint4, scale), {{"axis", axis}, {"block_size", block_size}});
}

Shape of_rank(std::size_t rank, std::int64_t length) { return Shape(rank, length); }

Shape with(Shape shape, std::size_t axis, std::int64_t length) {
  shape[axis] = length;
  return shape;
}

TEST(OptimizedNode, AgreesWithTheReferenceOnHostileNodes) {
  constexpr std::int64_t huge = std::int64_t{1} << 61;
  const std::vector<Node> nodes{
      // ranks 0 and 32, with the axis at either end or outside
      hostile({}, {}, least, greatest),
      hostile({}, {1}, greatest, 0),
      hostile({}, {2}, 0, 0),
      hostile({}, {2}, 0, 1),
      hostile(of_rank(32, 1), of_rank(32, 1), -32, 1),
      hostile(of_rank(32, 1), of_rank(32, 1), -33, 1),
      hostile(with(of_rank(32, 1), 31, 7), with(of_rank(32, 1), 31, 3), 31, 3),
      hostile(with(of_rank(32, 1), 0, 7), with(of_rank(32, 1), 0, 3), -32, 3),
      hostile(with(of_rank(32, 1), 0, 7), {7}, 0, 0),
      hostile(with(of_rank(32, 1), 0, 7), {7}, 32, 0),
      hostile({7}, {7}, least, 0),
      hostile({7}, {7}, greatest, 0),
      // the largest possible blocks
      hostile({7}, {1}, 0, greatest),
      hostile({2, 7}, {2, 1}, 1, greatest),
      hostile({7, 2}, {1, 2}, 0, greatest),
      hostile({7, 2}, {7, 2}, 0, greatest),
      hostile({2, 7}, {2, 1}, 1, least),
      // no elements, with dimensions that do not match or exceed the limits of the library
      hostile({0}, {0}, 0, 0),
      hostile({0}, {0}, 0, 1),
      hostile({0}, {1}, 0, 1),
      hostile({0}, {3}, 0, 1),
      hostile({3, 0}, {3, 0}, 1, 4),
      hostile({3, 0}, {3, 1}, 1, 4),
      hostile({0, 3}, {0, 1}, 1, 3),
      hostile({0, 3}, {0, 3}, 1, 2),
      hostile({0, huge}, {0, 4}, 1, huge / 4),
      hostile({0, huge, 3}, {0, 3, 3}, 1, huge / 4),
      hostile({huge, 0}, {huge, 0}, 1, 1),
      hostile({huge, 0, 3}, {}, 0, 0),
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) EXPECT_EQ(disagreement(nodes[i]), "") << "node " << i;
}

TEST(OptimizedNode, OfOpmxAgreesWithTheReferenceOnHostileNodes) {
  constexpr std::int64_t huge = std::int64_t{1} << 61;
  const auto int4 = [](const Shape& x, const Shape& scale, std::int64_t axis, std::int64_t group_size) {
    return reference::in_domain(spec::opmx,
                                reference::dequantize(0, ones(ElementType::int16, x), ones(ElementType::float16, scale),
                                                      ones(ElementType::int8, scale),
                                                      {{"quant_data_type", std::string("int4")},
                                                       {"quant_axis", axis},
                                                       {"group_size", group_size},
                                                       {"has_zeropoint", std::int64_t{1}}}));
  };
  const std::vector<Node> nodes{
      int4({}, {}, 1, 0),
      int4({}, {}, 1, 4),
      int4({2}, {}, 1, 0),
      int4({2}, {1}, 1, 4),
      int4({2}, {2}, 0, 4),
      int4({2}, {8}, 0, 1),
      int4(of_rank(32, 1), of_rank(32, 1), 0, 4),
      int4(of_rank(32, 1), with(of_rank(32, 1), 0, 4), 1, 0),
      int4({2, 3}, {8, 1}, least, 3),
      int4({2, 3}, {8, 1}, 1, greatest),
      int4({2, 3}, {8, 1}, 1, least),
      int4({huge, 0}, {}, 1, 0),
      int4({huge / 4, 0}, {}, 1, 0),
      int4({0, huge}, {}, 1, 0),
      int4({0, huge}, {0, 4}, 1, huge / 4),
      int4({0, 3}, {0, 3}, 0, 7),
      int4({0, 3}, {1, 3}, 0, 0),
  };
  for (std::size_t i = 0; i < nodes.size(); ++i) EXPECT_EQ(disagreement(nodes[i]), "") << "node " << i;
}

TEST(OptimizedNode, IsRefusedIfTheOpsetDoesNotHaveIt) {
  Node node = reference::quantize(28, ones(ElementType::float32, {2}), ones(ElementType::float32, {}));
  const auto refusal_of = [](const Node& one) { return std::get<Refusal>(run_optimized(one)).reason; };
  EXPECT_EQ(disagreement(node), "");
  for (const int opset : {std::numeric_limits<int>::min(), -1, 0, 9, 29, std::numeric_limits<int>::max()}) {
    node.opset = opset;
    EXPECT_EQ(refusal_of(node), fmt::format("onnx-opset-resolution: ai.onnx has no QuantizeLinear at opset {}", opset));
  }
  node.opset = 1;
  node.domain = spec::opmx;
  EXPECT_EQ(refusal_of(node), "onnx-opset-resolution: opmx has no QuantizeLinear at opset 1");
  node.domain = "ai.onnx.ml";
  EXPECT_EQ(refusal_of(node), "onnx-opset-resolution: ai.onnx.ml has no QuantizeLinear at opset 1");
}

}  // namespace
}  // namespace touchstone::conformance::optimized_node_test
