// Bounds of rounded arithmetic: with calculation by hand, and against legal evaluations in plain float arithmetic.
#include "reference/graph/bounds.h"

#include <bit>
#include <cmath>
#include <random>

#include "reference/graph/graph_testing.h"

namespace touchstone::reference::bounds_test {
namespace {

using enum spec::ElementType;

/// u8 codes times i8 codes, with scales and a scale of y that uses the whole range of codes.
struct Unit {
  std::vector<std::uint8_t> x;
  std::vector<std::int8_t> w;
  float scale_of_x, scale_of_w, scale_of_y;
  std::int64_t columns;

  std::int64_t terms() const { return std::ssize(x); }
  int product(std::int64_t k, std::int64_t c) const {
    return (x[static_cast<std::size_t>(k)] - 128) * w[static_cast<std::size_t>(k * columns + c)];
  }
};

Unit random_unit(std::mt19937& random, std::int64_t terms, std::int64_t columns) {
  std::uniform_int_distribution<int> code(0, 255);
  std::uniform_real_distribution<float> scale(0.001F, 0.1F);
  Unit unit{{}, {}, scale(random), scale(random), 0, columns};
  for (std::int64_t i = 0; i < terms; ++i) unit.x.push_back(static_cast<std::uint8_t>(code(random)));
  for (std::int64_t i = 0; i < terms * columns; ++i) unit.w.push_back(static_cast<std::int8_t>(code(random) - 128));
  // Products have a standard deviation of 74 * 74; 128 codes are three of the sum's.
  unit.scale_of_y = unit.scale_of_x * unit.scale_of_w * 5476 * 3 / 128 * std::sqrt(static_cast<float>(terms));
  return unit;
}

CodeRange range_of(const Unit& unit) {
  std::vector<std::uint64_t> w;
  for (const std::int8_t code : unit.w) w.push_back(static_cast<std::uint64_t>(code));
  std::vector<std::uint64_t> x(unit.x.begin(), unit.x.end());
  const GraphModel model =
      model_of({op("DequantizeLinear", {"x", "sx", "z"}, {"a"}), op("DequantizeLinear", {"w", "sw"}, {"b"}),
                op("MatMul", {"a", "b"}, {"c"}), op("QuantizeLinear", {"c", "sy", "z"}, {"y"})},
               {{"w", Tensor::from_codes(int8, {unit.terms(), unit.columns}, w)},
                {"sx", scalar(float32, static_cast<double>(unit.scale_of_x))},
                {"sw", scalar(float32, static_cast<double>(unit.scale_of_w))},
                {"sy", scalar(float32, static_cast<double>(unit.scale_of_y))},
                {"z", scalar(uint8, 128)}});
  const GraphOutcome outcome = interpret(model, std::array{Tensor::from_codes(uint8, {1, unit.terms()}, x)});
  EXPECT_TRUE(outcome.inexact.has_value());
  EXPECT_EQ(outcome.unbounded.value_or(""), "");
  return outcome.outputs()->at(0).range.value();
}

int quantized(float x, float scale) {
  return static_cast<int>(std::clamp(std::nearbyint(x / scale) + 128, 0.0F, 255.0F));
}

float pairwise(const std::vector<float>& terms, std::size_t first, std::size_t last) {
  if (last - first == 1) return terms[first];
  const std::size_t middle = first + (last - first) / 2;
  return pairwise(terms, first, middle) + pairwise(terms, middle, last);
}

/// Codes by evaluations that differ legally.
std::vector<int> legal_codes(const Unit& unit, std::int64_t column) {
  float forward = 0, reverse = 0, fused = 0;
  double wide = 0;
  int integers = 0;
  std::vector<float> terms;
  for (std::int64_t k = 0; k < unit.terms(); ++k) {
    const float a = static_cast<float>(unit.x[static_cast<std::size_t>(k)] - 128) * unit.scale_of_x;
    const float b = static_cast<float>(unit.w[static_cast<std::size_t>(k * unit.columns + column)]) * unit.scale_of_w;
    terms.push_back(a * b);
    forward += a * b;
    fused = std::fma(a, b, fused);
    wide += static_cast<double>(a) * static_cast<double>(b);
    integers += unit.product(k, column);
  }
  for (std::size_t k = terms.size(); k-- > 0;) reverse += terms[k];
  const float factor = unit.scale_of_x * unit.scale_of_w / unit.scale_of_y;
  const float requantized = std::nearbyint(static_cast<float>(integers) * factor) + 128;
  return {quantized(forward, unit.scale_of_y),
          quantized(reverse, unit.scale_of_y),
          quantized(fused, unit.scale_of_y),
          quantized(pairwise(terms, 0, terms.size()), unit.scale_of_y),
          quantized(static_cast<float>(wide), unit.scale_of_y),
          static_cast<int>(std::clamp(requantized, 0.0F, 255.0F))};
}

/// Codes by defects: pairs of products saturate to int16, activations are quantized once more, and a wrong zero point.
std::vector<int> wrong_codes(const Unit& unit, std::int64_t column) {
  double saturated = 0, twice = 0, shifted = 0;
  for (std::int64_t k = 0; k < unit.terms(); ++k) {
    const int w = unit.w[static_cast<std::size_t>(k * unit.columns + column)];
    const int x = unit.x[static_cast<std::size_t>(k)];
    if (k % 2 == 0 && k + 1 < unit.terms()) {
      const int next = unit.w[static_cast<std::size_t>((k + 1) * unit.columns + column)];
      const int sum = x * w + unit.x[static_cast<std::size_t>(k + 1)] * next;
      saturated += std::clamp(sum, -32768, 32767) - 128 * (w + next);
    }
    twice += std::nearbyint((x - 128) * 127 / 128.0) * 128 / 127 * w;
    shifted += (x - 127) * w;
  }
  std::vector<int> codes;
  for (const double sum : {saturated, twice, shifted})
    codes.push_back(quantized(static_cast<float>(sum) * (unit.scale_of_x * unit.scale_of_w), unit.scale_of_y));
  return codes;
}

TEST(Bounds, ContainLegalEvaluationsAndNoDefects) {
  std::mt19937 random(1);  // the same numbers everywhere
  for (const std::int64_t terms : {4, 64, 576, 2048}) {
    const Unit unit = random_unit(random, terms, 200);
    const CodeRange range = range_of(unit);
    int several = 0;
    std::array<bool, 3> is_found{};
    for (std::int64_t c = 0; c < unit.columns; ++c) {
      const auto lowest = static_cast<int>(range.lowest.code(c)), highest = static_cast<int>(range.highest.code(c));
      several += lowest < highest ? 1 : 0;
      for (const int code : legal_codes(unit, c)) {
        EXPECT_LE(lowest, code) << terms;
        EXPECT_GE(highest, code) << terms;
      }
      const std::vector<int> wrong = wrong_codes(unit, c);
      for (std::size_t d = 0; d < wrong.size(); ++d)
        is_found[d] = is_found[d] || wrong[d] < lowest || wrong[d] > highest;
    }
    RecordProperty("several_codes_of_" + std::to_string(terms), several);
    EXPECT_LT(several, terms <= 576 ? 30 : 120) << terms << " terms, of 200 elements";
    if (terms >= 64) {
      EXPECT_THAT(is_found, testing::Each(true)) << terms;
    }
  }
}

TEST(Bounds, AreAbsentWhereEverythingIsExact) {
  const GraphModel model = model_of({op("DequantizeLinear", {"x", "s"}, {"a"}), op("Add", {"a", "a"}, {"y"})},
                                    {{"s", scalar(float32, static_cast<double>(0.1F))}});
  const GraphOutcome outcome = interpret(model, std::array{vector(uint8, {3, 0})});
  EXPECT_FALSE(outcome.inexact.has_value()) << "doubling is exact";
  EXPECT_FALSE(outcome.outputs()->at(0).range.has_value());
}

/// Wrong models of QuantizeLinear do not say which elements are open.
TEST(Bounds, AcceptOperatorsWithoutOpenElements) {
  const GraphModel model = model_of({op("MatMul", {"x", "w"}, {"m"}), op("QuantizeLinear", {"m", "s"}, {"y"})},
                                    {{"w", tensor(float32, {2, 1}, {1, 1})}, {"s", scalar(float32, 16777216)}});
  const GraphOutcome outcome = interpret(model, std::array{tensor(float32, {1, 2}, {16777216, 1})}, [](const Node&) {
    const Tensor y = tensor(uint8, {1, 1}, {7});
    return Outcome{Result{.y = y, .x = y, .unspecified = {}, .parameters = {}}, {}, {}};
  });
  EXPECT_EQ(outcome.outputs()->at(0).range->lowest.code(0), 7U);
}

/// A sum of large floats of both signs may be any code. What NaN becomes as an integer is left open.
TEST(Bounds, SayWhatTheyLeaveOpen) {
  std::vector<double> x(4096, 5592405);
  for (std::size_t i = 0; i < x.size(); i += 2) x[i] = -x[i];
  const auto too_wide = [&](std::uint64_t scale, const std::vector<GraphNode>& further) {
    std::vector<GraphNode> nodes{op("ReduceSum", {"x"}, {"m"}), op("QuantizeLinear", {"m", "s"}, {"y"})};
    nodes.insert(nodes.end(), further.begin(), further.end());
    const GraphModel model =
        model_of(nodes, {{"s", Tensor::from_codes(float32, {}, std::array{scale})}, {"t", scalar(float32, 1)}});
    const GraphOutcome outcome = interpret(model, std::array{vector(float32, x)});
    EXPECT_THAT(outcome.outputs()->at(0).unspecified, testing::ElementsAre(true));
    return outcome.outputs()->at(0).range.value().too_wide;
  };
  constexpr std::uint64_t one = 0x3F800000, nan = 0x7FC00000;
  EXPECT_EQ(too_wide(one, {}), 1);
  EXPECT_EQ(too_wide(nan, {}), 0);
  EXPECT_EQ(too_wide(nan, {op("DequantizeLinear", {"y", "t"}, {"d"}), op("Relu", {"d"}, {"r"})}), 0)
      << "it follows from what is left open";
}

/// A scale that is infinite or not a number makes one column of weights so, even where x is 0.
TEST(Bounds, AreKnownInOtherColumns) {
  constexpr std::uint64_t tenth = 0x3DCCCCCD, infinite = 0x7F800000, nan = 0x7FC00000;
  for (const std::uint64_t scale : {infinite, nan}) {
    GraphModel model = model_of(
        {op("DequantizeLinear", {"c", "s"}, {"w"}), op("MatMul", {"x", "w"}, {"y"})},
        {{"c", tensor(int8, {2, 2}, {3, 5, 0, 7})}, {"s", Tensor::from_codes(float32, {2}, std::array{scale, tenth})}});
    model.fuses_scales = true;
    const GraphOutcome outcome =
        interpret(model, std::array{Tensor::from_codes(float32, {1, 2}, std::array<std::uint64_t, 2>{0, tenth})});
    const Output& y = outcome.outputs()->at(0);
    EXPECT_EQ(outcome.unbounded.value_or(""), "");
    EXPECT_THAT(y.unspecified, testing::ElementsAre(true, false));
    EXPECT_NEAR(number_of(float32, y.range.value().lowest.code(1)), 0.07, 1e-7) << "0.1 * 7 * 0.1";
    EXPECT_NEAR(number_of(float32, y.range.value().highest.code(1)), 0.07, 1e-7);
  }
}

TEST(Bounds, OfExactSumsArePoints) {
  // 2^24 + 1 needs 25 bits; the other element is exact.
  const GraphModel model = model_of({op("MatMul", {"x", "w"}, {"y"})}, {{"w", tensor(float32, {2, 2}, {1, 1, 1, 0})}});
  const GraphOutcome outcome = interpret(model, std::array{tensor(float32, {1, 2}, {16777216, 1})});
  const CodeRange& range = outcome.outputs()->at(0).range.value();
  const auto number = [](const Tensor& tensor, std::int64_t i) { return number_of(float32, tensor.code(i)); };
  EXPECT_LE(number(range.lowest, 0), 16777216);
  EXPECT_GE(number(range.highest, 0), 16777218);
  EXPECT_EQ(number(range.lowest, 1), 16777216);
  EXPECT_EQ(number(range.highest, 1), 16777216);
}

/// The bounds move with the elements: the first column is exact, the second is not.
TEST(Bounds, AreMovedAndCompared) {
  const GraphModel model =
      model_of({op("MatMul", {"x", "w"}, {"m"}), op("Transpose", {"m"}, {"t"}), op("Relu", {"t"}, {"r"}),
                op("Pad", {"r", "p"}, {"y"})},
               {{"w", tensor(float32, {2, 2}, {-1, 1, 0, 1})}, {"p", tensor(int64, {4}, {0, 0, 1, 0})}});
  const GraphOutcome outcome = interpret(model, std::array{tensor(float32, {1, 2}, {16777216, 1})});
  EXPECT_EQ(outcome.unbounded.value_or(""), "");
  const Output& y = outcome.outputs()->at(0);
  EXPECT_EQ(y.value.shape(), (Shape{3, 1}));
  std::vector<bool> is_point;
  for (std::int64_t i = 0; i < 3; ++i) is_point.push_back(y.range->lowest.code(i) == y.range->highest.code(i));
  EXPECT_EQ(is_point, (std::vector<bool>{true, false, true}));
  EXPECT_EQ(number_of(float32, y.value.code(0)), 0);
}

/// A model of one node, with further inputs that are constant.
CodeRange range_of(const std::string& type, const Tensor& x, const std::vector<Tensor>& further = {},
                   const GraphAttributes& attributes = {}) {
  GraphNode node = op(type, {"x"}, {"y"}, attributes);
  std::map<std::string, Tensor> initializers;
  for (const Tensor& tensor : further) {
    node.inputs.push_back("input" + std::to_string(node.inputs.size()));
    initializers.emplace(node.inputs.back(), tensor);
  }
  const GraphOutcome outcome = interpret(model_of({node}, initializers), std::array{x});
  EXPECT_EQ(outcome.unbounded.value_or(""), "") << type;
  return outcome.outputs()->at(0).range.value();
}

/// The bounds contain the number, and are no wider than so many parts of 10^5.
void expect_about(const CodeRange& range, std::int64_t element, double number, double parts = 1) {
  const double lowest = number_of(float32, range.lowest.code(element));
  const double highest = number_of(float32, range.highest.code(element));
  EXPECT_LE(lowest, number);
  EXPECT_GE(highest, number);
  EXPECT_LT(highest - lowest, parts * 1e-5) << number;
}

/// Numbers from tables of functions.
TEST(Bounds, OfFunctions) {
  const Tensor x = vector(float32, {0, 1, -2});
  const std::map<std::string, Numbers> values{{"Exp", {1, 2.718281828, 0.135335283}},
                                              {"Erf", {0, 0.842700793, -0.995322265}},
                                              {"Tanh", {0, 0.761594156, -0.964027580}},
                                              {"Sigmoid", {0.5, 0.731058579, 0.119202922}},
                                              {"Gelu", {0, 0.841344746, -0.045500264}},
                                              {"HardSwish", {0, 2.0 / 3, -1.0 / 3}},
                                              {"Softmax", {0.259496460, 0.705384513, 0.035119027}}};
  for (const auto& [type, numbers] : values) {
    SCOPED_TRACE(type);
    const CodeRange range = range_of(type, x);
    for (std::size_t i = 0; i < numbers.size(); ++i) expect_about(range, static_cast<std::int64_t>(i), numbers[i], 2);
  }
  expect_about(range_of("Gelu", x, {}, {{"approximate", std::string("tanh")}}), 2, -0.045402306, 2);
  expect_about(range_of("PRelu", vector(float32, {-7}), {scalar(float32, 0x1.555556p-2)}), 0, -7.0 / 3);
  expect_about(range_of("Pow", x, {scalar(float32, 3)}), 2, -8, 4);
  expect_about(range_of("Pow", vector(float32, {4}), {scalar(float32, -1.5)}), 0, 0.125);
  const CodeRange powers = range_of("Pow", vector(float32, {2, 10, 0.5, 0}), {scalar(float32, 1.75)});
  const Numbers of_powers{3.363585661, 56.23413252, 0.297301779, 0};
  for (std::size_t i = 0; i < of_powers.size(); ++i)
    expect_about(powers, static_cast<std::int64_t>(i), of_powers[i], 1 + 10 * of_powers[i]);
  expect_about(range_of("Div", x, {scalar(float32, 3)}), 1, 1.0 / 3);
  expect_about(range_of("Sqrt", vector(float32, {2})), 0, 1.414213562);
  expect_about(range_of("Reciprocal", vector(float32, {3})), 0, 1.0 / 3);
}

TEST(Bounds, OfReductions) {
  const Tensor x = tensor(float32, {2, 3}, {1, 2, 4, -1, 0, 7});
  const CodeRange mean = range_of("ReduceMean", x, {vector(int64, {-1})}, {{"keepdims", std::int64_t{0}}});
  EXPECT_EQ(mean.lowest.shape(), (Shape{2}));
  expect_about(mean, 0, 7.0 / 3);
  expect_about(mean, 1, 2);
  const CodeRange sum = range_of("ReduceSum", x, {vector(int64, {0})});
  EXPECT_EQ(sum.lowest.shape(), (Shape{1, 3}));
  expect_about(sum, 2, 11);
  // mean 3, variance 2
  const Tensor row = tensor(float32, {1, 3, 1}, {1, 2, 6});
  const double deviation = std::sqrt(14.0 / 3 + 1e-5);
  const CodeRange layer =
      range_of("LayerNormalization", row, {tensor(float32, {3, 1}, {1, 1, 2})}, {{"axis", std::int64_t{1}}});
  expect_about(layer, 0, -2 / deviation, 5);
  expect_about(layer, 2, 6 / deviation, 5);
  const Tensor one = tensor(float32, {3}, {1, 1, 1});
  const CodeRange batch = range_of("BatchNormalization", row, {one, one, one, tensor(float32, {3}, {4, 4, 4})});
  expect_about(batch, 0, 1, 2);
  expect_about(batch, 2, 5 / std::sqrt(4 + 1e-5) + 1, 2);
}

/// Two updates of one element, in any order.
TEST(Bounds, OfUpdatesThatAreCombined) {
  const Tensor x = vector(float32, {1, 2, 3}), updates = vector(float32, {0.125, 40});
  for (const auto& [type, indices] : {std::pair("ScatterElements", tensor(int64, {2}, {1, 1})),
                                      std::pair("ScatterND", tensor(int64, {2, 1}, {1, 1}))})
    for (const auto& [reduction, number] : std::map<std::string, double>{{"add", 42.125}, {"mul", 10}}) {
      const CodeRange range = range_of(type, x, {indices, updates}, {{"reduction", reduction}});
      expect_about(range, 0, 1);
      expect_about(range, 1, number, 4);
    }
}

/// The last window has one element, and one after the padding, which may count.
TEST(Bounds, OfAveragesOfWindowsThatEndAfterThePadding) {
  const CodeRange range = range_of("AveragePool", tensor(float32, {1, 1, 3}, {2, 4, 6}), {},
                                   {{"kernel_shape", std::vector<std::int64_t>{2}},
                                    {"strides", std::vector<std::int64_t>{2}},
                                    {"ceil_mode", std::int64_t{1}},
                                    {"count_include_pad", std::int64_t{1}}});
  expect_about(range, 0, 3);
  expect_about({range.lowest, range.lowest}, 1, number_of(float32, range.lowest.code(1)));
  EXPECT_NEAR(number_of(float32, range.lowest.code(1)), 3, 1e-5);
  EXPECT_NEAR(number_of(float32, range.highest.code(1)), 6, 1e-5);
}

/// The coordinates of half_pixel are -0.2, 0.4, 1, 1.6, 2.2; those of align_corners multiples of 0.5; those of
/// asymmetric multiples of 0.6.
TEST(Bounds, OfInterpolation) {
  const Tensor x = tensor(float32, {1, 3}, {0, 10, 30}), none(float32, {0}), sizes = vector(int64, {1, 5});
  const std::map<std::string, Numbers> values{
      {"half_pixel", {0, 4, 10, 22, 30}}, {"align_corners", {0, 5, 10, 20, 30}}, {"asymmetric", {0, 6, 14, 26, 30}}};
  for (const auto& [coordinates, numbers] : values) {
    const CodeRange range =
        range_of("Resize", x, {none, none, sizes},
                 {{"mode", std::string("linear")}, {"coordinate_transformation_mode", coordinates}});
    for (std::size_t i = 0; i < numbers.size(); ++i) expect_about(range, static_cast<std::int64_t>(i), numbers[i], 100);
  }
}

TEST(Bounds, ReduceTheMaximumExactly) {
  const GraphModel model = model_of({op("ReduceMax", {"x"}, {"y"}, {{"axes", std::vector<std::int64_t>{1}}})}, {}, 13);
  EXPECT_THAT(run(model, tensor(float32, {2, 2}, {1, 5, -3, -4})), holds(Numbers{5, -3}));
}

/// 2^21 terms, which exact arithmetic does not sum.
TEST(Bounds, OfLongSums) {
  constexpr std::int64_t length = 128;
  GraphModel model = model_of({op("MatMul", {"x", "x"}, {"y"})});
  const Tensor x = tensor(float32, {length, length}, Numbers(length * length, 3));
  EXPECT_THROW(interpret(model, std::array{x}), GraphError);
  model.limits.terms = std::int64_t{1} << 21;
  const GraphOutcome outcome = interpret(model, std::array{x});
  const CodeRange& range = outcome.outputs()->at(0).range.value();
  for (const Tensor* end : {&range.lowest, &range.highest}) EXPECT_EQ(number_of(float32, end->code(7)), 9 * length);
}

/// The weights have more elements than the other values may have, so that they are multiplied two columns at a time.
/// The bounds are in those of the whole product.
TEST(Bounds, OfLargeWeights) {
  constexpr std::int64_t terms = 60, columns = 40;
  std::vector<std::uint64_t> codes;
  for (std::int64_t i = 0; i < terms * columns; ++i) codes.push_back(static_cast<std::uint64_t>(i * 37 % 251));
  Numbers numbers;
  for (std::int64_t i = 0; i < 2 * terms; ++i)
    numbers.push_back(static_cast<double>(0.3F * static_cast<float>(i % 17)));
  const Tensor x = tensor(float32, {2, terms}, numbers);
  Numbers bias;
  for (std::int64_t i = 0; i < columns; ++i) bias.push_back(static_cast<double>(0.1F * static_cast<float>(i)));
  for (const bool is_transposed : {false, true}) {
    const Shape shape = is_transposed ? Shape{columns, terms} : Shape{terms, columns};
    GraphModel model = model_of({op("DequantizeLinear", {"w", "s"}, {"d"}),
                                 op("Gemm", {"x", "d", "c"}, {"y"}, {{"transB", std::int64_t{is_transposed}}})},
                                {{"w", Tensor::from_codes(int8, shape, codes)},
                                 {"s", scalar(float32, static_cast<double>(0.1F))},
                                 {"c", tensor(float32, {columns}, bias)}});
    const GraphOutcome whole = interpret(model, std::array{x});
    model.limits.elements = 160;  // the result, and its copy as an output
    const GraphOutcome in_parts = interpret(model, std::array{x});
    const CodeRange &range = in_parts.outputs()->at(0).range.value(), &of_whole = whole.outputs()->at(0).range.value();
    for (std::int64_t i = 0; i < 2 * columns; ++i) {
      double exact = bias[static_cast<std::size_t>(i % columns)];
      for (std::int64_t k = 0; k < terms; ++k) {
        const std::int64_t place = is_transposed ? i % columns * terms + k : k * columns + i % columns;
        const auto code = static_cast<std::int8_t>(codes[static_cast<std::size_t>(place)]);
        exact += number_of(float32, x.code(i / columns * terms + k)) * code * static_cast<double>(0.1F);
      }
      const auto number = [&](const Tensor& end) { return number_of(float32, end.code(i)); };
      EXPECT_LE(number(of_whole.lowest), number(range.lowest));
      EXPECT_LE(number(range.lowest), exact);
      EXPECT_LE(exact, number(range.highest));
      EXPECT_LE(number(range.highest), number(of_whole.highest));
      EXPECT_LT(number(range.highest) - number(range.lowest), 0.1);
    }
    EXPECT_FALSE(in_parts.unbounded);
    model.limits.weights = terms * columns - 1;
    EXPECT_THAT(error_of(model, x), testing::HasSubstr("the dequantized constants of the graph have more than 2399"));
  }
}

/// Only products can be computed in parts.
TEST(Bounds, RefuseLargeWeightsElsewhere) {
  GraphModel model = model_of({op("DequantizeLinear", {"w", "s"}, {"d"}), op("Add", {"x", "d"}, {"y"})},
                              {{"w", Tensor(int8, {100})}, {"s", scalar(float32, 1)}});
  model.limits.elements = 99;
  EXPECT_THAT(error_of(model, tensor(float32, {1}, {1})),
              testing::HasSubstr("is not the second operand of MatMul or Gemm"));
}

Numbers random_numbers(std::mt19937& random, std::int64_t count, float low, float high) {
  std::uniform_real_distribution<float> number(low, high);
  Numbers made;
  for (std::int64_t i = 0; i < count; ++i) made.push_back(static_cast<double>(number(random)));
  return made;
}

void expect_inside(const CodeRange& range, std::int64_t element, float number) {
  EXPECT_LE(number_of(float32, range.lowest.code(element)), static_cast<double>(number));
  EXPECT_GE(number_of(float32, range.highest.code(element)), static_cast<double>(number));
}

/// BatchNormalization after Conv, and as a part of its weights and its bias, which comes first or last.
TEST(Bounds, ContainAConvolutionWithTheNormalizationInItsWeights) {
  constexpr std::int64_t terms = 64;
  std::mt19937 random(2);
  for (int repetition = 0; repetition < 50; ++repetition) {
    const Numbers xs = random_numbers(random, terms, -1, 1), ws = random_numbers(random, terms, -1, 1);
    const Numbers p = random_numbers(random, 5, 0.5F, 40);  // the bias of Conv, scale, B, mean, variance
    const auto one = [&](std::size_t i) { return tensor(float32, {1}, {p[i]}); };
    const GraphModel model =
        model_of({op("Conv", {"x", "w", "c"}, {"m"}), op("BatchNormalization", {"m", "s", "b", "mean", "v"}, {"y"})},
                 {{"w", tensor(float32, {1, terms, 1}, ws)},
                  {"c", one(0)},
                  {"s", one(1)},
                  {"b", one(2)},
                  {"mean", one(3)},
                  {"v", one(4)}});
    const GraphOutcome outcome = interpret(model, std::array{tensor(float32, {1, terms, 1}, xs)});
    EXPECT_EQ(outcome.unbounded.value_or(""), "");
    const CodeRange& range = outcome.outputs()->at(0).range.value();
    const auto number = [&](std::size_t i) { return static_cast<float>(p[i]); };
    const float factor = number(1) / std::sqrt(number(4) + 1e-5F);
    const float bias = (number(0) - number(3)) * factor + number(2);
    float sum = number(0), bias_first = bias, bias_last = 0;
    for (std::size_t k = 0; k < terms; ++k) {
      const float x = static_cast<float>(xs[k]), w = static_cast<float>(ws[k]);
      sum += x * w;
      bias_first += x * (w * factor);
      bias_last += x * (w * factor);
    }
    for (const float y : {(sum - number(3)) * factor + number(2), bias_first, bias_last + bias})
      expect_inside(range, 0, y);
    expect_about(range, 0, static_cast<double>(bias_first), 3000);
  }
}

/// Nodes that LayerNormalization replaces, whose variance is the mean of squares less the square of the mean.
TEST(Bounds, ContainANormalizationInOnePass) {
  constexpr std::int64_t length = 32;
  const auto model = [](const std::string& square) {
    const std::vector<std::string> factors =
        square == "Mul" ? std::vector<std::string>{"d", "d"} : std::vector<std::string>{"d", "two"};
    return model_of({op("ReduceMean", {"x", "axes"}, {"m"}), op("Sub", {"x", "m"}, {"d"}), op(square, factors, {"q"}),
                     op("ReduceMean", {"q", "axes"}, {"v"}), op("Add", {"v", "e"}, {"f"}), op("Sqrt", {"f"}, {"r"}),
                     op("Div", {"d", "r"}, {"n"}), op("Mul", {"n", "s"}, {"t"}), op("Add", {"t", "b"}, {"y"})},
                    {{"axes", vector(int64, {-1})},
                     {"two", scalar(float32, 2)},
                     {"e", scalar(float32, static_cast<double>(1e-5F))},
                     {"s", scalar(float32, 3)},
                     {"b", scalar(float32, static_cast<double>(0.7F))}},
                    18);
  };
  std::mt19937 random(3);
  for (int repetition = 0; repetition < 50; ++repetition) {
    const Numbers xs = random_numbers(random, length, 90, 100);
    const GraphOutcome outcome =
        interpret(model(repetition % 2 == 0 ? "Mul" : "Pow"), std::array{tensor(float32, {1, length}, xs)});
    EXPECT_EQ(outcome.unbounded.value_or(""), "");
    const CodeRange& range = outcome.outputs()->at(0).range.value();
    float sum = 0, squares = 0, deviations = 0;
    for (const double x : xs) sum += static_cast<float>(x), squares += static_cast<float>(x) * static_cast<float>(x);
    const float mean = sum / length;
    for (const double x : xs) deviations += (static_cast<float>(x) - mean) * (static_cast<float>(x) - mean);
    const float one_pass = squares / length - mean * mean;
    for (std::int64_t i = 0; i < length; ++i) {
      const float x = static_cast<float>(xs[static_cast<std::size_t>(i)]);
      expect_inside(range, i, (x - mean) / std::sqrt(deviations / length + 1e-5F) * 3 + 0.7F);
      const float inverse = 1 / std::sqrt(one_pass + 1e-5F);
      expect_inside(range, i, x * (inverse * 3) + (0.7F - mean * (inverse * 3)));
      EXPECT_LT(number_of(float32, range.highest.code(i)) - number_of(float32, range.lowest.code(i)), 0.2);
    }
  }
}

/// LayerNormalization, into which optimizers fuse these nodes, may compute the variance in one pass.
TEST(Bounds, AreAbsentWhereOptimizersReplaceNodes) {
  const GraphAttributes axes{{"axes", std::vector<std::int64_t>{-1}}};
  const GraphModel model =
      model_of({op("ReduceMean", {"x"}, {"m"}, axes), op("Sub", {"x", "m"}, {"d"}), op("Mul", {"d", "d"}, {"s"}),
                op("ReduceMean", {"s"}, {"v"}, axes), op("Sqrt", {"v"}, {"r"}), op("Div", {"d", "r"}, {"y"})},
               {}, 17);
  const GraphOutcome outcome = interpret(model, std::array{tensor(float32, {1, 2}, {1, 2})});
  EXPECT_THAT(outcome.unbounded.value_or(""), testing::HasSubstr("LayerNormalization"));
}

/// A comparison that rounding decides has no bounds.
TEST(Bounds, AreAbsentWhereRoundingDecides) {
  const GraphModel model = model_of({op("MatMul", {"x", "w"}, {"m"}), op("ArgMax", {"m"}, {"y"})},
                                    {{"w", tensor(float32, {2, 2}, {1, 1, 1, 1})}});
  const GraphOutcome outcome = interpret(model, std::array{tensor(float32, {1, 2}, {16777216, 1})});
  EXPECT_THAT(outcome.unbounded.value_or(""), testing::HasSubstr("ArgMax"));
}

/// These types have no infinities, or no NaN, or no negative zero.
TEST(Bounds, HaveEndsInSmallTypes) {
  struct Row {
    spec::ElementType type;
    double largest;
    std::array<std::uint64_t, 4> codes;  ///< of the lowest number, 0, 1 and the largest number
  };
  for (const auto& [type, largest, codes] :
       {Row{float8e4m3fn, 448, {0xFE, 0, 0x38, 0x7E}}, Row{float8e4m3fnuz, 240, {0xFF, 0, 0x40, 0x7F}},
        Row{float8e5m2, 57344, {0xFB, 0, 0x3C, 0x7B}}, Row{float8e5m2fnuz, 57344, {0xFF, 0, 0x40, 0x7F}},
        Row{float6e2m3, 7.5, {0x3F, 0, 0x08, 0x1F}}, Row{float6e3m2, 28, {0x3F, 0, 0x0C, 0x1F}},
        Row{float4e2m1, 6, {0xF, 0, 0x2, 0x7}}}) {
    const Tensor all = Tensor::from_codes(type, {4}, codes);
    const Bounds bounds{{-largest, -largest}, {0, 0}, {1, 1}, {largest, largest}};
    const CodeRange range = ends(type, {4}, bounds);
    EXPECT_EQ(range.lowest, all) << spec::name(type);
    EXPECT_EQ(range.highest, all) << spec::name(type);
    EXPECT_EQ(middles(type, {4}, bounds), all) << spec::name(type);
  }
  EXPECT_EQ(ends(float8e8m0, {1}, {{0.5, 2}}).highest.code(0), 128U);
}

/// sigmoid(1) is 0.731, next to 0.75 among eighths of 1/2 ... 1, and sigmoid(-20) is 2e-9.
TEST(Bounds, OfFloat8HoldTheRightCodes) {
  const GraphModel model = model_of({op("Sigmoid", {"x"}, {"a"}), op("QuantizeLinear", {"a", "s", "z"}, {"y"})},
                                    {{"s", scalar(float32, 1)}, {"z", scalar(float8e4m3fn, 0)}});
  const Tensor x = Tensor::from_codes(float32, {2}, std::array<std::uint64_t, 2>{0x3F800000, 0xC1A00000});
  const GraphOutcome outcome = interpret(model, std::array{x});
  const Tensor right = Tensor::from_codes(float8e4m3fn, {2}, std::array<std::uint64_t, 2>{0x34, 0});
  EXPECT_EQ(outcome.outputs()->at(0).range.value().lowest, right);
  EXPECT_EQ(outcome.outputs()->at(0).range.value().highest, right);
}

}  // namespace
}  // namespace touchstone::reference::bounds_test
