// Evaluations of the suite's graphs in plain float32, with sums in three orders and fused, give what the reference
// accepts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "conformance/effort_testing.h"
#include "conformance/graphs/graph_cases.h"
#include "conformance/judge/compare.h"
#include "conformance/judge/oracle.h"
#include "reference/codec.h"
#include "reference/graph/broadcasting.h"
#include "reference/graph/operators.h"
#include "reference/graph/windows.h"
#include "reference/host_numbers.h"

namespace touchstone::conformance::graph_orders_test {
namespace {

using namespace reference;  // NOLINT(google-build-using-namespace)

using Factors = std::span<const std::pair<float, float>>;

float forward(Factors factors) {
  float sum = 0;
  for (const auto& [a, b] : factors) sum += a * b;
  return sum;
}

float reverse(Factors factors) {
  float sum = 0;
  for (std::size_t i = factors.size(); i-- > 0;) sum += factors[i].first * factors[i].second;
  return sum;
}

float pairwise(Factors factors) {
  const std::size_t half = factors.size() / 2;
  return half == 0 ? forward(factors) : pairwise(factors.first(half)) + pairwise(factors.subspan(half));
}

float fused(Factors factors) {
  float sum = 0;
  for (const auto& [a, b] : factors) sum = std::fma(a, b, sum);
  return sum;
}

/// A number that is still to be multiplied by a scale.
struct Scaled {
  float number;
  float scale = 1;
  float value() const { return number * scale; }
};
using Products = std::vector<std::pair<Scaled, Scaled>>;

/// If sums are fused, the scales of their operands are applied to the result, or together with that of QuantizeLinear.
class Evaluation {
 public:
  explicit Evaluation(float (*sum)(Factors)) : sum_(sum) {}

  /// False if there is a node that neither this class nor the reference computes exactly.
  bool run(const GraphModel& model, std::span<const std::optional<Tensor>> inputs) {
    values = model.graph.initializers;
    for (std::size_t i = 0; i < inputs.size(); ++i) values.insert_or_assign(model.graph.inputs[i], *inputs[i]);
    return std::ranges::all_of(model.graph.nodes,
                               [&](const GraphNode& node) { return run(node, model.opsets.at("ai.onnx")); });
  }

  std::map<std::string, Tensor> values;

 private:
  bool run(const GraphNode& node, int opset) {
    if (is_constant(node)) return values.insert_or_assign(node.outputs[0], constant_value(node)), true;
    std::vector<const Tensor*> inputs;
    for (const std::string& name : node.inputs) inputs.push_back(name.empty() ? nullptr : &values.at(name));
    OperatorCall call(node, opset, inputs, {});
    if (quantization_operator(node)) return quantize(node, call), true;
    const OperatorFunction* function = find_operator_function(node.op_type, opset);
    if (function == nullptr) return false;
    if (computed_here.contains(node.op_type)) {
      define(node, function->bound(call).front().shape,
             [&](const Position& p) { return sum(products(node, call, p)); });
      return true;
    }
    const Tensors made = function->compute == nullptr ? Tensors{} : function->compute(call);
    for (std::size_t o = 0; o < made.size(); ++o) values.insert_or_assign(node.outputs[o], made[o]);
    return !made.empty() && !call.inexact();
  }

  void quantize(const GraphNode& node, const OperatorCall& call) {
    const Shape &shape = call.input(0).shape(), &scales = call.input(1).shape();
    const std::int64_t axis = call.integer("axis", 1), block_size = call.integer("block_size", 0);
    const auto parameter = [&](std::size_t place, Position p) {
      if (call.optional_input(place) == nullptr || scales.empty()) p.clear();
      if (call.optional_input(place) == nullptr) return 0.0F;
      if (!p.empty() && block_size > 0)
        p[call.axis(axis, std::ssize(shape))] /= block_size;
      else if (!p.empty())
        p = {p[call.axis(axis, std::ssize(shape))]};
      return element(node.inputs[place], p).number;
    };
    if (node.op_type == "DequantizeLinear")
      return define(node, shape, [&](const Position& p) {
        return Scaled{element(node.inputs[0], p).number - parameter(2, p), parameter(1, p)};
      });
    const Tensor* zero_point = call.optional_input(2);
    const auto type =
        zero_point != nullptr ? zero_point->type() : static_cast<ElementType>(call.integer("output_dtype", 2));
    const auto least = static_cast<double>(lowest(type)), most = static_cast<double>(highest(type));
    values.insert_or_assign(
        node.outputs[0], make_tensor(type, shape, [&](const Position& p) {
          const auto [number, scale] = element(node.inputs[0], p);
          const float quotient = scale == 1 ? number / parameter(1, p) : number * (scale / parameter(1, p));
          const double code = std::nearbyint(static_cast<double>(quotient)) + static_cast<double>(parameter(2, p));
          return encode(type, exact(std::clamp(code, least, most)));
        }));
  }

  static const inline std::set<std::string> computed_here{"Add",    "AveragePool", "Conv",  "Div", "Gemm",
                                                          "MatMul", "Mul",         "PRelu", "Sub"};

  static constexpr Scaled one{1};

  Scaled in(const GraphNode& node, std::size_t place, const Position& position) const {
    return element(node.inputs[place], position);
  }

  /// The products whose sum is this element of the result.
  Products products(const GraphNode& node, OperatorCall& call, const Position& p) const {
    const std::string& op = node.op_type;
    if (op == "MatMul" || op == "Gemm") return products_of_matrices(node, call, p);
    if (op == "Conv" || op == "AveragePool") return products_of_windows(node, call, p);
    const Scaled x = in(node, 0, p), y = in(node, 1, p);
    if (op == "Add") return {{x, one}, {y, one}};
    if (op == "Sub") return {{x, one}, {y, {-1}}};
    if (op == "Mul") return {{x, y}};
    if (op == "PRelu") return {{x, x.value() < 0 ? y : one}};
    if (sum_ == fused) return {{x, {1 / y.value()}}};
    return {{{x.value() / y.value()}, one}};
  }

  Products products_of_matrices(const GraphNode& node, OperatorCall& call, const Position& p) const {
    Products made;
    const Shape& x = call.input(0).shape();
    const bool is_transposed = call.integer("transA", 0) != 0, has_transposed = call.integer("transB", 0) != 0;
    for (std::int64_t k = 0; k < x[is_transposed ? 0 : x.size() - 1]; ++k) {
      Position left = p, right = p;
      left.back() = right.at(p.size() - 2) = k;
      if (is_transposed) std::swap(left[0], left[1]);
      if (has_transposed) std::swap(right[0], right[1]);
      made.emplace_back(in(node, 0, left), in(node, 1, right));
      made.back().first.number *= call.number("alpha", 1);
    }
    if (node.inputs.size() > 2) made.emplace_back(in(node, 2, p), Scaled{call.number("beta", 1)});
    return made;
  }

  Products products_of_windows(const GraphNode& node, OperatorCall& call, const Position& p) const {
    Products made;
    const Shape& x = call.input(0).shape();
    const bool is_conv = node.op_type == "Conv";
    const Shape of_w = is_conv ? call.input(1).shape() : Shape{x[1], 1};
    const Shape kernel = is_conv ? Shape(of_w.begin() + 2, of_w.end()) : call.integers("kernel_shape", {});
    const std::vector<AxisWindows> axes = windows_of(call, x, kernel, !is_conv && call.opset() >= 10);
    const std::int64_t groups = is_conv ? call.integer("group", 1) : x[1], group = p[1] / (of_w[0] / groups);
    for_each_position(kernel, [&](const Position& place) {
      std::optional<Position> source = window_source(axes, p, place);
      for (std::int64_t channel = 0; source && channel < of_w[1]; ++channel) {
        (*source)[1] = group * of_w[1] + channel;
        Position weight{p[1], channel};
        weight.insert(weight.end(), place.begin(), place.end());
        made.emplace_back(in(node, 0, *source), is_conv ? in(node, 1, weight) : one);
      }
    });
    if (is_conv && node.inputs.size() > 2) made.emplace_back(in(node, 2, {p[1]}), one);
    const bool has_padding = call.integer("count_include_pad", 0) != 0;
    const auto count = static_cast<float>(has_padding ? call.product(kernel) : std::ssize(made));
    for (std::size_t i = 0; !is_conv && i < made.size(); ++i) made[i].second.number /= count;
    return made;
  }

  Scaled sum(const Products& products) const {
    const auto scale_of = [](const auto& product) { return product.first.scale * product.second.scale; };
    const float scale = products.empty() ? 1 : scale_of(products.front());
    const bool is_common = std::ranges::all_of(products, [&](const auto& one) { return scale_of(one) == scale; });
    std::vector<std::pair<float, float>> factors;
    for (const auto& [a, b] : products)
      factors.emplace_back(is_common ? a.number : a.value(), is_common ? b.number : b.value());
    return {sum_(factors), is_common ? scale : 1};
  }

  Scaled element(const std::string& name, const Position& position) const {
    const Tensor& tensor = values.at(name);
    const std::int64_t index = broadcast_index(position, tensor.shape());
    if (const auto found = scaled_.find(name); found != scaled_.end() && sum_ == fused)
      return found->second[to_size(index)];
    return {static_cast<float>(number_of_code(tensor.type(), tensor.code(index)))};
  }

  template <class Element>
  void define(const GraphNode& node, const Shape& shape, const Element& made) {
    values.insert_or_assign(node.outputs[0], make_tensor(ElementType::float32, shape, [&](const Position& position) {
                              const Scaled one = scaled_[node.outputs[0]].emplace_back(made(position));
                              return std::bit_cast<std::uint32_t>(one.value());
                            }));
  }

  float (*sum_)(Factors);
  std::map<std::string, std::vector<Scaled>> scaled_;
};

TEST(GraphOrders, AgreeWithTheReference) {
  std::size_t cases = 0, evaluated = 0;
  for (const GraphRecipe& recipe : graph_recipes(Tier::smoke, 0)) {
    const GraphParameters& p = recipe.parameters;
    if (p.number != ElementType::float32 || !spec::is_integer(p.quantized) || p.violation != Violation::none) continue;
    if (!is_tried(cases++, 7)) continue;
    SCOPED_TRACE(*recipe.id);
    const Case tested = make_case(recipe);
    const ReferenceOutcome row = interpret(tested).front();
    const Result& right = *row.outcome.result();
    for (auto* sum : {forward, reverse, pairwise, fused}) {
      Evaluation evaluation(sum);
      if (!evaluation.run(*tested.model.graph, row.node.inputs)) continue;
      ++evaluated;
      for (std::size_t o = 0; o <= right.further.size(); ++o) {
        const Tensor& expected = o == 0 ? right.y : right.further[o - 1].value;
        const Tensor& found = evaluation.values.at(tested.model.graph->graph.outputs[o]);
        EXPECT_TRUE(compare(expected, found, {.sign_of_zero = false, .range = range_of(right, o)}).none());
      }
    }
  }
  EXPECT_GT(evaluated, cases / 3);
}

}  // namespace
}  // namespace touchstone::conformance::graph_orders_test
