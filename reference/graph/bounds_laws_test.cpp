// Legal evaluations that differ are inside of the bounds: other orders of sums, partial sums, FMA, wider types, scales
// that are multiplied later, and the usual algorithms of each function.
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "reference/graph/bounds.h"
#include "reference/graph/graph_testing.h"
#include "reference/host_numbers.h"

namespace touchstone::reference::bounds_laws_test {
namespace {

using enum spec::ElementType;

using Floats = std::vector<float>;

Floats random_floats(std::size_t count, double lowest, double highest) {
  constexpr int steps = 1 << 24;
  Floats made;
  for (const int step :
       *rc::gen::container<std::vector<int>>(count, rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, steps + 1))))
    made.push_back(static_cast<float>(lowest + (highest - lowest) * step / steps));
  return made;
}

Tensor tensor_of(const Floats& numbers, Shape shape = {}) {
  if (shape.empty()) shape = {std::ssize(numbers)};
  Tensor made(float32, std::move(shape));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    made.set_code(static_cast<std::int64_t>(i), std::bit_cast<std::uint32_t>(numbers[i]));
  return made;
}

/// The bounds of the output of a graph that has some.
CodeRange range_of(const GraphModel& model, const Tensor& x) {
  const GraphOutcome outcome = interpret(model, std::array{x});
  RC_ASSERT(outcome.unbounded.value_or("") == "");
  const Output& y = outcome.outputs()->at(0);
  RC_ASSERT(std::ranges::find(y.unspecified, true) == y.unspecified.end());
  return y.range.value_or(CodeRange{y.value, y.value});
}

void expect_inside(const CodeRange& range, std::size_t element, double number, std::size_t algorithm) {
  const auto index = static_cast<std::int64_t>(element);
  const double lowest = number_of_code(range.lowest.type(), range.lowest.code(index));
  const double highest = number_of_code(range.highest.type(), range.highest.code(index));
  RC_LOG("element " + std::to_string(element) + " by algorithm " + std::to_string(algorithm) + ": " +
         std::to_string(number));
  RC_ASSERT(lowest <= number);
  RC_ASSERT(number <= highest);
}

GraphModel single(const std::string& type, const GraphAttributes& attributes = {},
                  const std::vector<Tensor>& further = {}, int opset = 21) {
  GraphNode node = op(type, {"x"}, {"y"}, attributes);
  std::map<std::string, Tensor> initializers;
  for (const Tensor& tensor : further) {
    node.inputs.push_back("input" + std::to_string(node.inputs.size()));
    initializers.emplace(node.inputs.back(), tensor);
  }
  return model_of({node}, initializers, opset);
}

// ---- functions of one number

using Algorithms = std::vector<std::function<float(float)>>;

void check(const GraphModel& model, double lowest, double highest, const Algorithms& algorithms) {
  const Floats x = random_floats(100, lowest, highest);
  const CodeRange range = range_of(model, tensor_of(x));
  for (std::size_t a = 0; a < algorithms.size(); ++a)
    for (std::size_t i = 0; i < x.size(); ++i) expect_inside(range, i, static_cast<double>(algorithms[a](x[i])), a);
}

/// Abramowitz and Stegun 7.1.26
float short_erf(float x) {
  const float t = 1 / (1 + 0.3275911F * std::fabs(x));
  const float y = 1 - ((((1.061405429F * t - 1.453152027F) * t + 1.421413741F) * t - 0.284496736F) * t + 0.254829592F) *
                          t * std::exp(-x * x);
  return std::copysign(y, x);
}

float tanh_by_exp(float x) { return (std::exp(2 * x) - 1) / (std::exp(2 * x) + 1); }
float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }
float clamped(float x, float highest) { return std::max(0.0F, std::min(highest, x)); }
float in_double(double (*function)(double), float x) { return static_cast<float>(function(static_cast<double>(x))); }

RC_GTEST_PROP(BoundsLaws, ContainAlgorithmsOfFunctions, ()) {
  check(single("Exp"), -100, 88, {[](float x) { return std::exp(x); }, [](float x) { return in_double(std::exp, x); }});
  check(single("Sqrt"), 0, 100,
        {[](float x) { return std::sqrt(x); }, [](float x) { return x == 0 ? 0 : x * (1 / std::sqrt(x)); }});
  check(single("Reciprocal"), 0.001, 100,
        {[](float x) { return 1 / x; },
         [](float x) {
           const float root = 1 / std::sqrt(x);
           return root * root;
         }});
  check(single("Tanh"), -10, 10,
        {[](float x) { return std::tanh(x); }, tanh_by_exp, [](float x) { return 2 * sigmoid(2 * x) - 1; }});
  check(single("Sigmoid"), -30, 30,
        {sigmoid, [](float x) { return std::exp(x) / (1 + std::exp(x)); },
         [](float x) { return 0.5F * std::tanh(0.5F * x) + 0.5F; }});
  check(single("Erf"), -5, 5, {[](float x) { return std::erf(x); }, short_erf});
  check(single("HardSigmoid", {{"alpha", 0.1F}, {"beta", 0.3F}}), -8, 8,
        {[](float x) { return clamped(0.1F * x + 0.3F, 1); },
         [](float x) { return clamped(std::fma(0.1F, x, 0.3F), 1); }});
  check(
      single("HardSwish"), -8, 8,
      {[](float x) { return x * clamped(x * (1.0F / 6) + 0.5F, 1); }, [](float x) { return x * clamped(x + 3, 6) / 6; },
       [](float x) { return x * (clamped(x + 3, 6) * (1.0F / 6)); }});
  check(single("LeakyRelu", {{"alpha", 0.3F}}), -8, 8,
        {[](float x) { return x < 0 ? 0.3F * x : x; }, [](float x) { return std::max(x, 0.3F * x); }});
  check(single("PRelu", {}, {tensor_of({-0.7F})}), -8, 8, {[](float x) { return x < 0 ? -0.7F * x : x; }});
  check(single("Div", {}, {tensor_of({0.3F})}), -8, 8,
        {[](float x) { return x / 0.3F; }, [](float x) { return x * (1 / 0.3F); }});
  check(single("Pow", {}, {tensor_of({3})}), -8, 8,
        {[](float x) { return x * x * x; }, [](float x) { return std::pow(x, 3.0F); }});
  check(single("Pow", {}, {tensor_of({-0.5F})}), 0.01, 8,
        {[](float x) { return 1 / std::sqrt(x); }, [](float x) { return std::pow(x, -0.5F); }});
}

RC_GTEST_PROP(BoundsLaws, ContainAlgorithmsOfGelu, ()) {
  constexpr float root_of_half = 0.70710678F;
  check(single("Gelu"), -8, 8,
        {[](float x) { return 0.5F * x * (1 + std::erf(x * root_of_half)); },
         [](float x) { return x * (0.5F + 0.5F * std::erf(x / std::sqrt(2.0F))); },
         [](float x) { return 0.5F * (x + x * short_erf(x * root_of_half)); },
         [](float x) { return x * (0.5F * std::erfc(-x * root_of_half)); }});
  const auto inner = [](float x) { return 0.79788456F * (x + 0.044715F * x * x * x); };
  check(single("Gelu", {{"approximate", std::string("tanh")}}), -8, 8,
        {[=](float x) { return 0.5F * x * (1 + std::tanh(inner(x))); },
         [=](float x) { return x * sigmoid(2 * inner(x)); },
         [=](float x) { return x * (0.5F + 0.5F * tanh_by_exp(x * (0.79788456F + 0.035677408F * x * x))); }});
}

// ---- sums

float forward(const Floats& terms) {
  float sum = 0;
  for (const float term : terms) sum += term;
  return sum;
}

float wide(const Floats& terms) {
  double sum = 0;
  for (const float term : terms) sum += static_cast<double>(term);
  return static_cast<float>(sum);
}

/// Partial sums, as of vector lanes.
float tiled(const Floats& terms) {
  Floats lanes(8, 0);
  for (std::size_t i = 0; i < terms.size(); ++i) lanes[i % lanes.size()] += terms[i];
  return forward(lanes);
}

float reverse(const Floats& terms) { return forward({terms.rbegin(), terms.rend()}); }

const std::vector<std::function<float(const Floats&)>> sums{forward, reverse, tiled, wide};

RC_GTEST_PROP(BoundsLaws, ContainSumsInAnyOrder, ()) {
  const Floats x = random_floats(200, -1, 2);
  const CodeRange sum = range_of(single("ReduceSum"), tensor_of(x)),
                  mean = range_of(single("ReduceMean"), tensor_of(x));
  for (std::size_t a = 0; a < sums.size(); ++a) {
    expect_inside(sum, 0, static_cast<double>(sums[a](x)), a);
    expect_inside(mean, 0, static_cast<double>(sums[a](x) / 200), a);
    expect_inside(mean, 0, static_cast<double>(sums[a](x) * (1.0F / 200)), a);
  }
}

RC_GTEST_PROP(BoundsLaws, ContainAlgorithmsOfSoftmax, ()) {
  const Floats x = random_floats(50, -20, 20);
  const CodeRange range = range_of(single("Softmax"), tensor_of(x, {1, 50}));
  const float maximum = *std::ranges::max_element(x);
  for (const float offset : {maximum, 0.0F}) {
    Floats exponentials;
    for (const float one : x) exponentials.push_back(std::exp(one - offset));
    for (std::size_t a = 0; a < sums.size(); ++a) {
      const float sum = sums[a](exponentials), logarithm = offset + std::log(sum);
      for (std::size_t i = 0; i < x.size(); ++i) {
        expect_inside(range, i, static_cast<double>(exponentials[i] / sum), a);
        expect_inside(range, i, static_cast<double>(exponentials[i] * (1 / sum)), a);
        expect_inside(range, i, static_cast<double>(std::exp(x[i] - logarithm)), a);
      }
    }
  }
}

RC_GTEST_PROP(BoundsLaws, ContainAlgorithmsOfNormalization, ()) {
  constexpr float count = 50, epsilon = 1e-5F;
  const Floats x = random_floats(50, -1, 3), scale = random_floats(50, -2, 2), bias = random_floats(50, -2, 2);
  const CodeRange layer =
      range_of(single("LayerNormalization", {}, {tensor_of(scale), tensor_of(bias)}), tensor_of(x, {1, 50}));
  for (std::size_t a = 0; a < sums.size(); ++a) {
    const float mean = sums[a](x) / count;
    Floats squares, deviations;
    for (const float one : x) {
      squares.push_back(one * one);
      deviations.push_back((one - mean) * (one - mean));
    }
    for (const float variance : {sums[a](deviations) / count, sums[a](squares) / count - mean * mean})
      for (std::size_t i = 0; i < x.size(); ++i) {
        const float inverse = 1 / std::sqrt(variance + epsilon), factor = inverse * scale[i];
        expect_inside(layer, i, static_cast<double>((x[i] - mean) * inverse * scale[i] + bias[i]), a);
        expect_inside(layer, i, static_cast<double>((x[i] - mean) / std::sqrt(variance + epsilon) * scale[i] + bias[i]),
                      a);
        expect_inside(layer, i, static_cast<double>(std::fma(x[i], factor, bias[i] - mean * factor)), a);
      }
  }
  const float mean = x[0], variance = std::fabs(x[1]);
  const CodeRange batch =
      range_of(single("BatchNormalization", {},
                      {tensor_of({scale[0]}), tensor_of({bias[0]}), tensor_of({mean}), tensor_of({variance})}),
               tensor_of(x, {50, 1}));
  const float factor = scale[0] / std::sqrt(variance + epsilon);
  for (std::size_t i = 0; i < x.size(); ++i) {
    expect_inside(batch, i, static_cast<double>((x[i] - mean) / std::sqrt(variance + epsilon) * scale[0] + bias[0]), 0);
    expect_inside(batch, i, static_cast<double>(x[i] * factor + (bias[0] - mean * factor)), 1);
  }
}

// ---- operators between quantized tensors

/// A uint8 tensor with a scale and the zero point 128.
struct Quantized {
  std::vector<int> codes;
  float scale;

  float at(std::size_t i) const { return static_cast<float>(codes[i] - 128) * scale; }
};

Quantized random_quantized(std::size_t count) {
  const auto code = rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, 256));
  return {*rc::gen::container<std::vector<int>>(count, code), random_floats(1, 0.001, 0.1).front()};
}

Tensor codes_of(const Quantized& x, Shape shape) {
  return Tensor::from_codes(uint8, std::move(shape), std::vector<std::uint64_t>(x.codes.begin(), x.codes.end()));
}

/// x and w are dequantized, multiplied by a node, and quantized again.
GraphModel unit(GraphNode node, const Quantized& x, const Quantized& w, const Shape& shape_of_w, float scale_of_y) {
  return model_of({op("DequantizeLinear", {"x", "sx", "z"}, {"a"}), op("DequantizeLinear", {"w", "sw", "z"}, {"b"}),
                   std::move(node), op("QuantizeLinear", {"c", "sy", "z"}, {"y"})},
                  {{"w", codes_of(w, shape_of_w)},
                   {"sx", scalar(float32, static_cast<double>(x.scale))},
                   {"sw", scalar(float32, static_cast<double>(w.scale))},
                   {"sy", scalar(float32, static_cast<double>(scale_of_y))},
                   {"z", scalar(uint8, 128)}});
}

double code_of_number(float scaled) {
  return std::clamp(std::nearbyint(static_cast<double>(scaled)) + 128, 0.0, 255.0);
}

/// Checks a sum of products of elements of x and w.
void check_sum(const CodeRange& range, std::size_t element, const Quantized& x, const Quantized& w,
               const std::vector<std::pair<std::size_t, std::size_t>>& factors, float scale_of_y) {
  Floats terms;
  float fused = 0;
  int integers = 0;
  for (const auto& [i, k] : factors) {
    terms.push_back(x.at(i) * w.at(k));
    fused = std::fma(x.at(i), w.at(k), fused);
    integers += (x.codes[i] - 128) * (w.codes[k] - 128);
  }
  const auto sum = static_cast<float>(integers);
  std::size_t algorithm = 0;
  for (const auto& in_order : sums)
    for (const float y : {in_order(terms) / scale_of_y, in_order(terms) * (1 / scale_of_y)})
      expect_inside(range, element, code_of_number(y), algorithm++);
  for (const float y :
       {fused / scale_of_y, sum * (x.scale * w.scale / scale_of_y), sum * x.scale * w.scale / scale_of_y})
    expect_inside(range, element, code_of_number(y), algorithm++);
}

RC_GTEST_PROP(BoundsLaws, ContainProducts, ()) {
  constexpr std::size_t terms = 60, columns = 4;
  const Quantized x = random_quantized(terms), w = random_quantized(terms * columns);
  const float scale = x.scale * w.scale * 1000;
  const CodeRange gemm =
      range_of(unit(op("Gemm", {"a", "b"}, {"c"}, {{"transB", std::int64_t{1}}}), x, w, {columns, terms}, scale),
               codes_of(x, {1, terms}));
  const CodeRange matmul =
      range_of(unit(op("MatMul", {"a", "b"}, {"c"}), x, w, {terms, columns}, scale), codes_of(x, {1, terms}));
  for (std::size_t c = 0; c < columns; ++c) {
    std::vector<std::pair<std::size_t, std::size_t>> rows, transposed;
    for (std::size_t k = 0; k < terms; ++k) {
      rows.emplace_back(k, k * columns + c);
      transposed.emplace_back(k, c * terms + k);
    }
    check_sum(matmul, c, x, w, rows, scale);
    check_sum(gemm, c, x, w, transposed, scale);
  }
}

/// A kernel of length 3 with padding 1, along 8 elements of 5 channels.
RC_GTEST_PROP(BoundsLaws, ContainConvolutions, ()) {
  constexpr std::size_t channels = 5, length = 8, kernel = 3;
  const Quantized x = random_quantized(channels * length), w = random_quantized(channels * kernel);
  const float scale = x.scale * w.scale * 500;
  const CodeRange range = range_of(unit(op("Conv", {"a", "b"}, {"c"}, {{"pads", std::vector<std::int64_t>{1, 1}}}), x,
                                        w, {1, channels, kernel}, scale),
                                   codes_of(x, {1, channels, length}));
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<std::pair<std::size_t, std::size_t>> factors;
    for (std::size_t c = 0; c < channels; ++c)
      for (std::size_t k = 0; k < kernel; ++k)
        if (i + k >= 1 && i + k - 1 < length) factors.emplace_back(c * length + i + k - 1, c * kernel + k);
    check_sum(range, i, x, w, factors, scale);
  }
}

RC_GTEST_PROP(BoundsLaws, ContainElementwiseOperators, ()) {
  const Quantized x = random_quantized(50), w = random_quantized(50);
  const auto run = [&](const char* type, float scale) {
    return range_of(unit(op(type, {"a", "b"}, {"c"}), x, w, {50}, scale), codes_of(x, {50}));
  };
  const float scale_of_sum = x.scale + w.scale, scale_of_product = x.scale * w.scale * 100;
  const CodeRange sum = run("Add", scale_of_sum), difference = run("Sub", scale_of_sum),
                  product = run("Mul", scale_of_product);
  for (std::size_t i = 0; i < 50; ++i) {
    const auto a = static_cast<float>(x.codes[i] - 128), b = static_cast<float>(w.codes[i] - 128);
    const float left = a * (x.scale / scale_of_sum), right = b * (w.scale / scale_of_sum);
    for (const float y : {(x.at(i) + w.at(i)) / scale_of_sum, std::fma(a, x.scale, w.at(i)) / scale_of_sum,
                          left + right, std::fma(a, x.scale / scale_of_sum, right)})
      expect_inside(sum, i, code_of_number(y), 0);
    for (const float y : {(x.at(i) - w.at(i)) / scale_of_sum, left - right})
      expect_inside(difference, i, code_of_number(y), 1);
    for (const float y : {x.at(i) * w.at(i) / scale_of_product, a * b * (x.scale * w.scale / scale_of_product)})
      expect_inside(product, i, code_of_number(y), 2);
  }
}

RC_GTEST_PROP(BoundsLaws, ContainPools, ()) {
  const Quantized x = random_quantized(49);
  const float scale = x.scale / 5;
  const CodeRange range =
      range_of(unit(op("GlobalAveragePool", {"a"}, {"c"}), x, {{0}, 1}, {1}, scale), codes_of(x, {1, 1, 49}));
  Floats terms;
  int integers = 0;
  for (std::size_t i = 0; i < 49; ++i) {
    terms.push_back(x.at(i));
    integers += x.codes[i] - 128;
  }
  for (std::size_t a = 0; a < sums.size(); ++a) {
    expect_inside(range, 0, code_of_number(sums[a](terms) / 49 / scale), a);
    expect_inside(range, 0, code_of_number(sums[a](terms) * (1.0F / 49) / scale), a);
  }
  expect_inside(range, 0, code_of_number(static_cast<float>(integers) * (x.scale / scale / 49)), sums.size());
}

}  // namespace
}  // namespace touchstone::reference::bounds_laws_test
