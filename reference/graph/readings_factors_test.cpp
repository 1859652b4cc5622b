// The readings of the precision of factors, with results that were computed by hand.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "reference/graph/bounds.h"
#include "reference/graph/factors.h"
#include "reference/graph/graph_interpreter.h"
#include "reference/testing.h"

namespace touchstone::reference::readings_factors_test {
namespace {

using enum spec::ElementType;
using A = spec::FactorPrecision;

GraphModel model_of(GraphNode node, std::map<std::string, Tensor> constants) {
  return {
      .graph = {.inputs = {"x"}, .initializers = std::move(constants), .nodes = {std::move(node)}, .outputs = {"y"}},
      .opsets = {{"ai.onnx", 21}}};
}

GraphOutcome multiplied(const Tensor& x, const Tensor& w, A::Reading reading) {
  const GraphModel model = model_of({.op_type = "MatMul", .inputs = {"x", "w"}, .outputs = {"y"}}, {{"w", w}});
  return interpret(model, std::array{x}, Policy{}.with<A>(reading));
}

/// The only element of an exact output.
Value only_number(const GraphOutcome& outcome) {
  EXPECT_EQ(outcome.inexact.value_or(""), "");
  const Tensor& y = outcome.outputs()->at(0).value;
  EXPECT_EQ(y.size(), 1);
  return decode(y.type(), y.code(0));
}

Value product(const Numbers& x, const Numbers& w, A::Reading reading) {
  return only_number(multiplied(vector(float32, x), vector(float32, w), reading));
}

/// bfloat16 has 8 significant bits, float16 and TF32 have 11. Halves are rounded to even.
TEST(FactorPrecision, RoundsFactorsToNearest) {
  struct Row {
    double factor, to_bfloat16, to_float16, to_tf32;
  };
  for (const Row& row :
       {Row{255, 255, 255, 255}, Row{257, 256, 257, 257}, Row{259, 260, 259, 259}, Row{2049, 2048, 2048, 2048},
        Row{2051, 2048, 2052, 2052}, Row{-4095, -4096, -4096, -4096}, Row{65504, 65536, 65504, 65504},
        Row{65535, 65536, inf, 65536}, Row{65600, 65536, inf, 65600}, Row{0x1.01p+100, 0x1p+100, inf, 0x1.01p+100}})
    for (const bool is_weight : {false, true}) {
      const auto with = [&](A::Reading reading) {
        return is_weight ? product({1}, {row.factor}, reading) : product({row.factor}, {1}, reading);
      };
      EXPECT_EQ(with(A::as_given), exact(row.factor));
      EXPECT_EQ(with(A::rounded_to_bfloat16), exact(row.to_bfloat16)) << row.factor;
      EXPECT_EQ(with(A::rounded_to_float16), exact(row.to_float16)) << row.factor;
      EXPECT_EQ(with(A::rounded_to_tf32), exact(row.to_tf32)) << row.factor;
    }
}

/// 256 + 1 and 255 * 255 have more bits than bfloat16.
TEST(FactorPrecision, RoundsNeitherProductsNorSums) {
  EXPECT_EQ(product({257, 1}, {1, 1}, A::as_given), exact(258));
  EXPECT_EQ(product({257, 1}, {1, 1}, A::rounded_to_bfloat16), exact(257));
  EXPECT_EQ(product({255}, {255}, A::rounded_to_bfloat16), exact(65025));
  EXPECT_EQ(product({2049, 1}, {1, 1}, A::rounded_to_float16), exact(2049));
  EXPECT_EQ(product({2049, 1}, {1, 1}, A::rounded_to_tf32), exact(2049));
}

/// Neither alpha nor C is rounded: 2 * (256 * 256) + 257.
TEST(FactorPrecision, IsThatOfTheMatricesOfGemm) {
  const GraphModel model =
      model_of({.op_type = "Gemm", .inputs = {"x", "w", "c"}, .outputs = {"y"}, .attributes = {{"alpha", 2.0F}}},
               {{"w", tensor(float32, {1, 1}, {257})}, {"c", scalar(float32, 257)}});
  const auto y = [&](A::Reading reading) {
    return only_number(interpret(model, std::array{tensor(float32, {1, 1}, {257})}, Policy{}.with<A>(reading)));
  };
  EXPECT_EQ(y(A::as_given), exact(132355));
  EXPECT_EQ(y(A::rounded_to_bfloat16), exact(131329));
}

/// The scales of the rows are 2 and 1. With a scale of 2 for both, 127 would become 128.
TEST(FactorPrecision, HasAScaleForEachRowOfGemm) {
  const GraphModel model = model_of({.op_type = "Gemm", .inputs = {"x", "w", "c"}, .outputs = {"y"}},
                                    {{"w", tensor(float32, {1, 1}, {1})}, {"c", scalar(float32, 0)}});
  const Tensor x = tensor(float32, {2, 1}, {254, 127});
  for (const A::Reading reading : {A::quantized_to_int8, A::quantized_in_blocks})
    EXPECT_EQ(interpret(model, std::array{x}, Policy{}.with<A>(reading)).outputs()->at(0).value, x) << reading;
}

/// 257 * 1 + 1 * 257 + 257, and 256 * 1 + 1 * 256 + 257.
TEST(FactorPrecision, IsThatOfTheInputAndFiltersOfConv) {
  const GraphModel model = model_of({.op_type = "Conv", .inputs = {"x", "w", "b"}, .outputs = {"y"}},
                                    {{"w", tensor(float32, {1, 1, 2}, {1, 257})}, {"b", vector(float32, {257})}});
  const auto y = [&](A::Reading reading) {
    return only_number(interpret(model, std::array{tensor(float32, {1, 1, 2}, {257, 1})}, Policy{}.with<A>(reading)));
  };
  EXPECT_EQ(y(A::as_given), exact(771));
  EXPECT_EQ(y(A::rounded_to_bfloat16), exact(769));
}

TEST(FactorPrecision, ConcernsOnlyFactorsOfProductsInFloatingPoint) {
  const auto y = [](const std::string& op, spec::ElementType type) {
    const GraphModel model =
        model_of({.op_type = op, .inputs = {"x", "w"}, .outputs = {"y"}}, {{"w", vector(type, {1})}});
    return only_number(interpret(model, std::array{vector(type, {257})}, Policy{}.with<A>(A::rounded_to_bfloat16)));
  };
  EXPECT_EQ(y("MatMul", float32), exact(256));
  EXPECT_EQ(y("MatMul", float16), exact(256));
  EXPECT_EQ(y("MatMul", int32), exact(257));
  EXPECT_EQ(y("Mul", float32), exact(257));
  EXPECT_EQ(y("Add", float32), exact(258));
}

/// An infinite factor decides: no finite term changes the sum, and infinity times 0 is NaN.
TEST(FactorPrecision, MakesFactorsInfiniteThatAreTooLargeForFloat16) {
  EXPECT_EQ(product({70000, 1, -5}, {-1, 1, 3}, A::rounded_to_float16), exact(-inf));
  EXPECT_EQ(product({70000, 1}, {0, 1}, A::rounded_to_float16), exact(nan));
  EXPECT_EQ(product({70000, -70000}, {1, 1}, A::rounded_to_float16), exact(nan));
}

TEST(FactorPrecision, DecidesNothingWhereImplementationsOfAReadingDiffer) {
  const auto is_decided = [](const Numbers& x, const Numbers& w, A::Reading reading) {
    return !multiplied(vector(float32, x), vector(float32, w), reading).inexact;
  };
  EXPECT_TRUE(is_decided({0x1p-14}, {1}, A::rounded_to_float16));
  EXPECT_FALSE(is_decided({0x1p-15}, {1}, A::rounded_to_float16)) << "may be flushed to zero";
  EXPECT_FALSE(is_decided({1}, {0x1p-15}, A::rounded_to_float16));
  EXPECT_TRUE(is_decided({0x1p-15}, {1}, A::rounded_to_bfloat16));
  EXPECT_TRUE(is_decided({16777215, 1}, {1, 1}, A::as_given));
  EXPECT_FALSE(is_decided({16777215, 1}, {1, 1}, A::rounded_to_bfloat16)) << "2^24 + 1 has 25 bits";
}

/// Whether 2^127 + 2^127 overflows before infinity is added to it decides whether the sum is NaN.
TEST(FactorPrecision, DecidesNothingWhereFiniteTermsMayOverflow) {
  const auto is_decided = [](const Numbers& x) {
    return !multiplied(vector(float32, x), vector(float32, {1, 1, 1}), A::as_given).inexact;
  };
  EXPECT_TRUE(is_decided({-inf, 0x1p+127, 1}));
  EXPECT_FALSE(is_decided({-inf, 0x1p+127, 0x1p+127}));
}

TEST(FactorPrecision, IsConsultedWherePermittedReadingsDiffer) {
  const auto is_consulted = [](double x, double w, spec::ElementType type = float32) {
    return multiplied(vector(type, {x}), vector(type, {w}), A::as_given).consulted.test(spec::ambiguity_index<A>);
  };
  EXPECT_FALSE(is_consulted(255, -0.5));
  EXPECT_TRUE(is_consulted(257, 1));
  EXPECT_TRUE(is_consulted(1, 257));
  EXPECT_TRUE(is_consulted(0x1p+16, 1)) << "infinite in float16";
  EXPECT_TRUE(is_consulted(0x1p-15, 1)) << "subnormal in float16";
  EXPECT_FALSE(is_consulted(0x1p-15, 2, float16));
  EXPECT_FALSE(is_consulted(257, 1, int32));
}

/// The largest number of a row becomes 127. 512 * 127 / 127, and 1 is a quarter of 512 / 127, which rounds to 0.
TEST(FactorPrecision, OfADynamicQuantizationHasOneScaleForEachRow) {
  const auto y = [](const Tensor& x, const Tensor& w) {
    const GraphOutcome outcome = multiplied(x, w, A::quantized_to_int8);
    std::vector<Value> values;
    const Tensor& tensor = outcome.outputs()->at(0).value;
    for (std::int64_t i = 0; i < tensor.size(); ++i) values.push_back(decode(tensor.type(), tensor.code(i)));
    return values;
  };
  const Tensor ones = tensor(float32, {2, 1}, {1, 1});
  EXPECT_THAT(y(tensor(float32, {2, 2}, {512, 1, 127, 1}), ones), testing::ElementsAre(exact(512), exact(128)));
  EXPECT_THAT(y(tensor(float32, {1, 2}, {-127, 0.5}), ones), testing::ElementsAre(exact(-127)));
  EXPECT_THAT(y(tensor(float32, {1, 2}, {0, 0}), ones), testing::ElementsAre(exact(0)));
  EXPECT_THAT(y(tensor(float32, {1, 2}, {1, 1}), tensor(float32, {2, 1}, {512, 1})), testing::ElementsAre(exact(513)));
}

/// DynamicQuantizeLinear of [-1, 254] has the scale 1 and the zero point 1; of [510, 3] the scale 2 and the zero point
/// 0, because the range contains 0. In int8, 508 has the scale 4.
TEST(FactorPrecision, OfADynamicQuantizationHasAZeroPointInUint8) {
  const auto y = [](const std::vector<double>& x, A::Reading reading) {
    const GraphOutcome outcome =
        multiplied(reference::tensor(float32, {2, 2}, x), reference::tensor(float32, {2, 1}, {1, 1}), reading);
    const Tensor& tensor = outcome.outputs()->at(0).value;
    return std::vector{decode(tensor.type(), tensor.code(0)), decode(tensor.type(), tensor.code(1))};
  };
  const auto rows = [](double first, double second) { return testing::ElementsAre(exact(first), exact(second)); };
  EXPECT_THAT(y({-1, 254, 510, 3}, A::quantized_to_uint8), rows(253, 514)) << "3 / 2 is 1.5, which rounds to 2";
  EXPECT_THAT(y({-1.25, 253.75, 3, 0}, A::quantized_to_uint8), rows(253, 3)) << "-1.25 gives -1, and 253.75 gives 254";
  EXPECT_THAT(y({-2, 508, 1, 0.5}, A::quantized_to_uint8_per_tensor), rows(506, 0)) << "both quotients round to 0";
  EXPECT_THAT(y({508, 0, 1, 127}, A::quantized_to_int8_per_tensor), rows(508, 128)) << "1 gives 0, and 127 gives 32";
  EXPECT_THAT(y({0, 0, 0, 0}, A::quantized_to_uint8), rows(0, 0));
}

/// 1 is a quarter of 512 / 127, and 1.4 of 127 / 127 is 1. The last block of a row may be shorter.
TEST(FactorPrecision, OfADynamicQuantizationInBlocksHasAScaleForEach32Elements) {
  Numbers x(64, 0), ones(64, 1);
  x[0] = 512;
  x[1] = 1;
  x[32] = 127;
  x[33] = 1.40625;
  EXPECT_EQ(product(x, ones, A::quantized_in_blocks), exact(512 + 127 + 1));
  EXPECT_EQ(product({512, 1}, {1, 1}, A::quantized_in_blocks), exact(512));
  Numbers longer(33);
  longer.front() = 512;
  longer.back() = 1;
  EXPECT_EQ(product(longer, Numbers(longer.size(), 1), A::quantized_in_blocks), exact(513)) << "the block of 1 element";
}

/// The scale of the first block is 512 / 127, that of the second is 1, and a block of 32 would have the scale 512 /
/// 127.
TEST(FactorPrecision, OfADynamicQuantizationMayHaveBlocksOf16Elements) {
  Numbers x(32, 0);
  x[0] = 512;
  x[15] = 1;
  x[16] = 127;
  x[31] = 1;
  const Numbers ones(32, 1);
  EXPECT_EQ(product(x, ones, A::quantized_in_blocks_of_16), exact(512 + 127 + 1));
}

/// The numbers between which a result may be.
std::pair<double, double> ends_of(const GraphOutcome& outcome) {
  const Output& y = outcome.outputs()->at(0);
  const CodeRange range = y.range.value_or(CodeRange{y.value, y.value});
  return {number_of_code(float32, range.lowest.code(0)), number_of_code(float32, range.highest.code(0))};
}

/// 257 is 256 in bfloat16, which is 127 steps of 256 / 127. The weight 0.3 stays as it is.
TEST(FactorPrecision, OfADynamicQuantizationMayRoundToBfloat16First) {
  GraphModel model = model_of({.op_type = "MatMul", .inputs = {"x", "w"}, .outputs = {"y"}},
                              {{"c", vector(int8, {1})}, {"s", scalar(float32, 0.3F)}});
  model.graph.nodes.insert(model.graph.nodes.begin(),
                           {.op_type = "DequantizeLinear", .inputs = {"c", "s"}, .outputs = {"w"}});
  const auto ends = [&](A::Reading reading) {
    return ends_of(interpret(model, std::array{vector(float32, {257})}, Policy{}.with<A>(reading)));
  };
  const auto [low, high] = ends(A::quantized_in_blocks_after_bfloat16);
  EXPECT_LE(low, 256 * 0.3F);
  EXPECT_GE(high, 256 * 0.3F);
  EXPECT_LT(high, 257 * 0.3F);
  EXPECT_GE(ends(A::quantized_in_blocks).second, 257 * 0.3F);
}

/// What kernels in float32 give is in the bounds.
TEST(FactorPrecision, OfADynamicQuantizationHasBounds) {
  std::uint32_t state = 1;
  const auto random = [&] {
    return static_cast<float>((state = state * 1664525 + 1013904223) / 65536) / 9999.F - 2;  // -2 to 4.5
  };
  for (int trial = 0; trial < 100; ++trial) {
    Numbers x(8);
    for (double& number : x) number = random();
    const auto lowest = static_cast<float>(std::min(0.0, *std::ranges::min_element(x)));
    const auto highest = static_cast<float>(std::max(0.0, *std::ranges::max_element(x)));
    const float scale = (highest - lowest) / 255;
    const float zero_point = std::nearbyint(-lowest / scale);
    float sum = 0;
    for (const double number : x)
      sum += std::clamp(std::nearbyint(static_cast<float>(number) / scale) + zero_point, 0.F, 255.F) - zero_point;
    const auto [low, high] = ends_of(
        multiplied(vector(float32, x), vector(float32, Numbers(x.size(), 1)), A::quantized_to_uint8_per_tensor));
    EXPECT_LE(low, sum * scale) << trial;
    EXPECT_GE(high, sum * scale) << trial;
    EXPECT_LT(high - low, scale) << "the bounds are narrower than a step";
  }
}

/// Kernels for unsigned codes add 8 to those of int4 weights, and subtract 8 times the sum of the quantized row. So the
/// result is rounded relative to the largest weight, not to those that are multiplied.
TEST(FactorPrecision, OfADynamicQuantizationPermitsShiftedWeights) {
  constexpr std::size_t terms = 32;
  constexpr float weight_scale = 0.0123F;
  std::uint32_t state = 1;
  const auto random = [&](std::uint32_t limit) {
    return (state = state * 1664525 + 1013904223) % 65536 * limit / 65536;
  };
  for (int trial = 0; trial < 100; ++trial) {
    Numbers x(terms), w(terms);
    float largest = 0;
    for (std::size_t i = 0; i < terms; ++i) {
      x[i] = i == 0 ? 1 : static_cast<float>(random(10'000)) / 777.F + 1;
      w[i] = i == 0 ? 7 * weight_scale : 0;
      largest = std::max(largest, static_cast<float>(x[i]));
    }
    const float scale = largest / 127;
    float shifted = 0, sum = 0;
    for (std::size_t i = 0; i < terms; ++i) {
      const float code = std::nearbyint(static_cast<float>(x[i]) / scale);
      shifted += code * (i == 0 ? 15.F : 8.F);
      sum += code;
    }
    const float result = shifted * (scale * weight_scale) - 8 * weight_scale * (scale * sum);
    const auto [low, high] = ends_of(multiplied(vector(float32, x), vector(float32, w), A::quantized_in_blocks));
    EXPECT_LE(low, result) << trial;
    EXPECT_GE(high, result) << trial;
    EXPECT_LT(high - low, largest * terms * 7 * weight_scale * 0x1p-18) << "the bounds stay narrow";
  }
}

/// 2^24 + 2^16 + 1 needs 25 bits, and is 2^24 in bfloat16. The exact sum 513 is not rounded to bfloat16.
TEST(FactorPrecision, PermitsNarrowResultsOfSumsThatRound) {
  const auto added = [](const Numbers& terms) {
    return multiplied(vector(float32, terms), vector(float32, Numbers(terms.size(), 1)), A::rounded_to_bfloat16);
  };
  EXPECT_EQ(ends_of(added({0x1p+24, 0x1p+16, 1})).first, 0x1p+24);
  EXPECT_FALSE(added({512, 1}).outputs()->at(0).range);
}

/// 257 * 3 is 771. With 257 rounded to bfloat16, 256, it is 768, and 771 itself is 772 in bfloat16. Nothing is
/// permitted without a sum that rounds, such as 257 + 2^-30.
TEST(FactorPrecision, PermitsNarrowTensorsBetweenOtherOperators) {
  const auto ends = [](double second, A::Reading reading) {
    GraphModel model = model_of({.op_type = "Mul", .inputs = {"sum", "c"}, .outputs = {"y"}},
                                {{"w", vector(float32, {1, 1})}, {"c", vector(float32, {3})}});
    model.graph.nodes.insert(model.graph.nodes.begin(),
                             {.op_type = "MatMul", .inputs = {"x", "w"}, .outputs = {"sum"}});
    return ends_of(interpret(model, std::array{vector(float32, {257, second})}, Policy{}.with<A>(reading)));
  };
  const auto [low, high] = ends(0x1p-30, A::tensors_rounded_to_bfloat16);
  EXPECT_LE(low, 768);
  EXPECT_GE(high, 772);
  EXPECT_GT(low, 771 * (1 - 4 * 0x1p-8)) << "two tensors are rounded, and the constant";
  EXPECT_GT(ends(0x1p-30, A::as_given).first, 770.99);
  EXPECT_EQ(ends(0, A::tensors_rounded_to_bfloat16), std::pair(771.0, 771.0));
}

/// 257 is exact, and 256 in bfloat16.
TEST(FactorPrecision, PermitsNarrowOutputsOfPartsOfAModel) {
  const auto ends = [](bool is_part, A::Reading reading) {
    GraphModel model =
        model_of({.op_type = "MatMul", .inputs = {"x", "w"}, .outputs = {"y"}}, {{"w", vector(float32, {1, 1})}});
    model.is_part = is_part;
    return ends_of(interpret(model, std::array{vector(float32, {256, 1})}, Policy{}.with<A>(reading)));
  };
  for (const A::Reading reading : {A::rounded_to_bfloat16, A::tensors_rounded_to_bfloat16}) {
    EXPECT_EQ(ends(false, reading), std::pair(257.0, 257.0));
    const auto [low, high] = ends(true, reading);
    EXPECT_LE(low, 256) << "halves are rounded to even";
    EXPECT_GE(high, 257);
    EXPECT_GT(low, 257 * (1 - 1.5 * 0x1p-8)) << "rounded once";
  }
  EXPECT_EQ(ends(true, A::as_given), std::pair(257.0, 257.0));
}

/// The same number from an input of the graph, which is rounded itself.
TEST(FactorPrecision, RoundsScalesOfWeightsAlone) {
  GraphModel model =
      model_of({.op_type = "MatMul", .inputs = {"a", "w"}, .outputs = {"y"}},
               {{"s", scalar(float32, 1 + 0x1p-8 + 0x1p-10)}, {"c", vector(int8, {3})}, {"t", scalar(float32, 1)}});
  model.graph.nodes.insert(model.graph.nodes.begin(),
                           {{.op_type = "DequantizeLinear", .inputs = {"x", "s"}, .outputs = {"a"}},
                            {.op_type = "DequantizeLinear", .inputs = {"c", "t"}, .outputs = {"w"}}});
  for (const A::Reading reading : {A::weight_scales_rounded_to_bfloat16, A::weight_products_rounded_to_bfloat16}) {
    const auto [low, high] = ends_of(interpret(model, std::array{vector(int8, {101})}, Policy{}.with<A>(reading)));
    EXPECT_LE(low, 3 * 101.5);
    EXPECT_GE(high, 3 * 101.5);
    EXPECT_LT(high, 3 * 101.7890625);
  }
}

/// 0.3 is 0.30078125 in bfloat16. The dequantized weight 3 * 0.3 stays as it is: 0.90000004 in float32.
TEST(FactorPrecision, RoundsActivationsAlone) {
  GraphModel model = model_of({.op_type = "MatMul", .inputs = {"a", "w"}, .outputs = {"y"}},
                              {{"s", scalar(float32, 0.3F)}, {"c", vector(int8, {3})}, {"t", scalar(float32, 0.3F)}});
  model.graph.nodes.insert(model.graph.nodes.begin(),
                           {{.op_type = "DequantizeLinear", .inputs = {"x", "s"}, .outputs = {"a"}},
                            {.op_type = "DequantizeLinear", .inputs = {"c", "t"}, .outputs = {"w"}}});
  const Policy policy = Policy{}.with<A>(A::activations_rounded_to_bfloat16);
  const auto [low, high] = ends_of(interpret(model, std::array{vector(int8, {1})}, policy));
  constexpr double product = 0.30078125 * 0.90000004;
  EXPECT_LE(low, product);
  EXPECT_GE(high, product);
  EXPECT_LT(high - low, product * 0x1p-7) << "the result may be rounded once";
}

/// float16 has steps of 2^-24 below 2^-14, so 20.8 of them are 21; or 0, if it is flushed.
TEST(FactorPrecision, RoundsSubnormalNumbersToTheirStep) {
  const Interval read = narrowed({1.3 * 0x1p-20, 1.3 * 0x1p-20}, narrow_float16);
  EXPECT_EQ(read.low, 0);
  EXPECT_GE(read.high, 21 * 0x1p-24);
  EXPECT_LE(read.high, 22 * 0x1p-24);
}

/// The product of the weight and the scale is close to a tie of bfloat16, which rounding to float32 may reach.
TEST(FactorPrecision, RoundsFoldedScalesToFloat32First) {
  GraphModel model = model_of({.op_type = "MatMul", .inputs = {"a", "w"}, .outputs = {"y"}},
                              {{"s", scalar(float32, 351.1357421875)}, {"w", vector(float32, {0.00528419204056263F})}});
  model.graph.nodes.insert(model.graph.nodes.begin(),
                           {.op_type = "DequantizeLinear", .inputs = {"x", "s"}, .outputs = {"a"}});
  const GraphOutcome outcome =
      interpret(model, std::array{vector(uint8, {1})}, Policy{}.with<A>(A::folded_scales_rounded_to_bfloat16));
  const auto [low, high] = ends_of(outcome);
  EXPECT_LE(low, 1.8515625);
  EXPECT_GE(high, 1.859375);
  EXPECT_TRUE(outcome.consulted.test(spec::ambiguity_index<A>));
}

/// 129/128 is a bfloat16 number. 5 times it is 161.25/32, which becomes 161/32. Without a scale, each factor is
/// rounded.
TEST(FactorPrecision, RoundsWeightsWithTheScaleOfTheOtherOperand) {
  const auto contains = [&](double scale, A::Reading reading, double number) {
    GraphModel model = model_of({.op_type = "MatMul", .inputs = {"a", "w"}, .outputs = {"y"}},
                                {{"s", scalar(float32, scale)}, {"w", vector(float32, {129.0 / 128})}});
    model.graph.nodes.insert(model.graph.nodes.begin(),
                             {.op_type = "DequantizeLinear", .inputs = {"x", "s"}, .outputs = {"a"}});
    const auto [low, high] = ends_of(interpret(model, std::array{vector(uint8, {1})}, Policy{}.with<A>(reading)));
    EXPECT_LT(high - low, number / 128) << "the result may be rounded once";
    return low <= number && number <= high;
  };
  constexpr double exact = 5 * 129.0 / 128, folded = 161.0 / 32;
  EXPECT_TRUE(contains(5, A::rounded_to_bfloat16, exact));
  EXPECT_FALSE(contains(5, A::rounded_to_bfloat16, folded));
  EXPECT_TRUE(contains(5, A::folded_scales_rounded_to_bfloat16, folded));
  EXPECT_FALSE(contains(5, A::folded_scales_rounded_to_bfloat16, exact));
  EXPECT_TRUE(contains(4, A::folded_scales_rounded_to_bfloat16, 4 * 129.0 / 128));
  EXPECT_TRUE(contains(1 + 0x1p-9, A::folded_scales_rounded_to_bfloat16, 129.0 / 128)) << "1.009781 is rounded";
}

/// The scale 1 + 2^-8 + 2^-10 is 1 + 2^-7 in bfloat16, and the product 101 * 1.00488 = 101.49 is 101.5; the product
/// 101 * 1.0078125 = 101.789 is 102.
TEST(FactorPrecision, RoundsScalesOrDequantizedFactors) {
  GraphModel model = model_of({.op_type = "MatMul", .inputs = {"x", "w"}, .outputs = {"y"}},
                              {{"c", vector(int8, {101})}, {"s", scalar(float32, 1 + 0x1p-8 + 0x1p-10)}});
  model.graph.nodes.insert(model.graph.nodes.begin(),
                           {.op_type = "DequantizeLinear", .inputs = {"c", "s"}, .outputs = {"w"}});
  const auto contains = [&](A::Reading reading, double number) {
    const auto [low, high] = ends_of(interpret(model, std::array{vector(float32, {1})}, Policy{}.with<A>(reading)));
    return low <= number && number <= high;
  };
  EXPECT_TRUE(contains(A::rounded_to_bfloat16, 101.5));
  EXPECT_FALSE(contains(A::rounded_to_bfloat16, 101.7890625));
  EXPECT_TRUE(contains(A::scales_rounded_to_bfloat16, 101.7890625));
  EXPECT_FALSE(contains(A::scales_rounded_to_bfloat16, 101.5));
  EXPECT_TRUE(contains(A::weight_scales_rounded_to_bfloat16, 101.7890625));
  EXPECT_FALSE(contains(A::weight_scales_rounded_to_bfloat16, 101.5));
  EXPECT_TRUE(contains(A::weight_products_rounded_to_bfloat16, 102));
  EXPECT_TRUE(contains(A::activations_rounded_to_bfloat16, 101 * (1 + 0x1p-8 + 0x1p-10)));
  EXPECT_FALSE(contains(A::activations_rounded_to_bfloat16, 101.5));
  EXPECT_TRUE(contains(A::products_rounded_to_bfloat16, 102));
  EXPECT_FALSE(contains(A::products_rounded_to_bfloat16, 101.7890625));
}

}  // namespace
}  // namespace touchstone::reference::readings_factors_test
