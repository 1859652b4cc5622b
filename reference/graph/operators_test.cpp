// Operators of graphs, with results that were computed by hand.
#include "reference/graph/operators.h"

#include "reference/graph/graph_testing.h"

namespace touchstone::reference::operators_test {
namespace {

using enum spec::ElementType;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Integers = std::vector<std::int64_t>;

/// A node with the input x and further inputs, which are constant.
GraphModel single(const std::string& type, int opset, const GraphAttributes& attributes = {},
                  const std::vector<Tensor>& further = {}) {
  GraphNode node = op(type, {"x"}, {"y"}, attributes);
  std::map<std::string, Tensor> initializers;
  for (const Tensor& tensor : further) {
    node.inputs.push_back("input" + std::to_string(node.inputs.size()));
    initializers.emplace(node.inputs.back(), tensor);
  }
  return model_of({node}, initializers, opset);
}

// ---- Sub, Neg

TEST(GraphOperators, Subtract) {
  EXPECT_THAT(run(single("Sub", 21, {}, {vector(int8, {5, 2})}), vector(int8, {3, -4})), holds(Numbers{-2, -6}));
  EXPECT_THAT(inexactness(single("Sub", 21, {}, {scalar(uint8, 5)}), vector(uint8, {3})), Not(IsEmpty()));
}

TEST(GraphOperators, Negate) {
  EXPECT_THAT(run(single("Neg", 21), vector(int8, {3, -4})), holds(Numbers{-3, 4}));
  EXPECT_THAT(run(single("Neg", 21), vector(float32, {0, 1.5, -inf})), holds(Numbers{-0.0, -1.5, inf}));
  EXPECT_THAT(inexactness(single("Neg", 21), vector(int8, {-128})), Not(IsEmpty()));
}

// ---- Div

TEST(GraphOperators, DivideExactlyByPowersOfTwo) {
  const Tensor x = vector(float32, {-8, 3, 0.75});
  EXPECT_THAT(run(single("Div", 14, {}, {scalar(float32, -4)}), x), holds(Numbers{2, -0.75, -0.1875}));
  EXPECT_THAT(run(single("Div", 7, {}, {vector(float32, {0.5, 1, 16})}), x), holds(Numbers{-16, 3, 0.046875}));
  EXPECT_THAT(run(single("Div", 14, {}, {scalar(float16, 8)}), vector(float16, {6})), holds(Numbers{0.75}));
  EXPECT_THAT(inexactness(single("Div", 14, {}, {scalar(float32, 3)}), vector(float32, {6})), Not(IsEmpty()));
  EXPECT_THAT(inexactness(single("Div", 14, {}, {scalar(float32, 0x1p127)}), vector(float32, {8})), Not(IsEmpty()));
  EXPECT_THAT(inexactness(single("Div", 14, {}, {scalar(float32, 8)}), vector(float32, {0x1p-126})), Not(IsEmpty()));
  EXPECT_THAT(error_of(single("Div", 14, {}, {scalar(int8, 2)}), vector(int8, {4})), HasSubstr("type int8"));
}

TEST(GraphOperators, LeaveQuotientsByZeroOpen) {
  const GraphModel model = single("Div", 14, {}, {vector(float32, {0, 2, 2})});
  const GraphOutcome outcome = interpret(model, std::array{vector(float32, {1, 4, inf})});
  EXPECT_THAT(outcome.outputs()->at(0).unspecified, testing::ElementsAre(true, false, true));
}

/// Kernels that skip the rounding of DequantizeLinear may give other results: 7 * 0.1 has more than 24 bits.
TEST(GraphOperators, RoundWhatDependsOnTheRoundingOfAScale) {
  for (const auto& [scale, is_exact] : {std::pair(0.1F, false), std::pair(0.375F, true)})
    for (const char* type : {"Div", "PRelu"}) {
      const GraphModel model =
          model_of({op("DequantizeLinear", {"x", "scale"}, {"d"}), op(type, {"d", "c"}, {"v"}),
                    op("QuantizeLinear", {"v", "c"}, {"y"})},
                   {{"scale", scalar(float32, static_cast<double>(scale))}, {"c", scalar(float32, 2)}});
      EXPECT_EQ(inexactness(model, vector(int8, {-7, 7})).empty(), is_exact) << type << scale;
    }
}

// ---- ArgMax, ArgMin

TEST(GraphOperators, FindTheIndexOfAnExtremum) {
  const Tensor x = tensor(float32, {2, 3}, {1, 5, 4, 7, 2, 8});
  EXPECT_THAT(run(single("ArgMax", 10), x), holds(Numbers{1, 0, 1}));
  EXPECT_EQ(run(single("ArgMax", 10), x).shape(), (Shape{1, 3}));
  EXPECT_EQ(run(single("ArgMax", 10), x).type(), int64);
  const Tensor pruned = run(single("ArgMin", 13, {{"axis", std::int64_t{-1}}, {"keepdims", std::int64_t{0}}}), x);
  EXPECT_THAT(pruned, holds(Numbers{0, 1}));
  EXPECT_EQ(pruned.shape(), Shape{2});
}

TEST(GraphOperators, SelectAmongEqualExtremaSinceVersion12) {
  const Tensor x = vector(uint8, {5, 1, 5, 1});
  const GraphAttributes last{{"select_last_index", std::int64_t{1}}};
  EXPECT_THAT(run(single("ArgMax", 12), x), holds(Numbers{0}));
  EXPECT_THAT(run(single("ArgMax", 12, last), x), holds(Numbers{2}));
  EXPECT_THAT(run(single("ArgMin", 12), x), holds(Numbers{1}));
  EXPECT_THAT(run(single("ArgMin", 12, last), x), holds(Numbers{3}));
  EXPECT_THAT(inexactness(single("ArgMax", 11), x), HasSubstr("more than once"));
  EXPECT_THAT(inexactness(single("ArgMin", 11), x), HasSubstr("more than once"));
  EXPECT_THAT(run(single("ArgMax", 11), vector(uint8, {5, 5, 7, 1})), holds(Numbers{2}));
  EXPECT_THAT(inexactness(single("ArgMax", 13), vector(float32, {1, nan})), HasSubstr("NaN"));
}

TEST(GraphOperators, RefuseIndicesOfNoElement) {
  EXPECT_THAT(error_of(single("ArgMax", 10, {{"axis", std::int64_t{-1}}}), vector(uint8, {1})),
              HasSubstr("the axis -1 is negative"));
  EXPECT_THAT(error_of(single("ArgMax", 13), Tensor(uint8, {0, 2})), HasSubstr("the axis has the length 0"));
  EXPECT_THAT(error_of(single("ArgMin", 13), scalar(uint8, 1)), HasSubstr("the axis 0 is out of range for rank 0"));
}

// ---- AveragePool, GlobalAveragePool, GlobalMaxPool

GraphAttributes pool(std::int64_t kernel, GraphAttributes others = {}) {
  others.emplace("kernel_shape", Integers{kernel});
  return others;
}

TEST(GraphOperators, Average) {
  const Tensor x = tensor(float32, {1, 1, 4}, {2, 4, 6, 16});
  EXPECT_THAT(run(single("AveragePool", 10, pool(2)), x), holds(Numbers{3, 5, 11}));
  const GraphAttributes padded = pool(2, {{"pads", Integers{1, 1}}});
  EXPECT_THAT(run(single("AveragePool", 10, padded), x), holds(Numbers{2, 3, 5, 11, 16}));
  GraphAttributes with_pad = padded;
  with_pad.emplace("count_include_pad", std::int64_t{1});
  EXPECT_THAT(run(single("AveragePool", 10, with_pad), x), holds(Numbers{1, 3, 5, 11, 8}));
}

TEST(GraphOperators, AverageWithDilationsSinceVersion19) {
  const Tensor x = tensor(float32, {1, 1, 4}, {2, 4, 6, 16});
  const GraphAttributes dilated = pool(2, {{"dilations", Integers{2}}});
  EXPECT_THAT(run(single("AveragePool", 19, dilated), x), holds(Numbers{4, 10}));
  EXPECT_THAT(error_of(single("AveragePool", 18, dilated), x), HasSubstr("dilations since version 19"));
}

TEST(GraphOperators, AverageWithCeilMode) {
  const Tensor x = tensor(float32, {1, 1, 3}, {2, 4, 6});
  GraphAttributes ceil = pool(2, {{"strides", Integers{2}}});
  EXPECT_THAT(run(single("AveragePool", 10, ceil), x), holds(Numbers{3}));
  ceil.emplace("ceil_mode", std::int64_t{1});
  EXPECT_THAT(run(single("AveragePool", 10, ceil), x), holds(Numbers{3, 6}));
  GraphAttributes with_pad = ceil, valid = ceil;
  with_pad.emplace("count_include_pad", std::int64_t{1});
  EXPECT_THAT(inexactness(single("AveragePool", 22, with_pad), x), HasSubstr("ends after the padding"));
  valid.emplace("auto_pad", "VALID");
  EXPECT_THAT(inexactness(single("AveragePool", 22, valid), x), HasSubstr("VALID with ceil_mode"));
  // The padded length is 6. Windows begin at 0, at 3 and, in the right padding, at 6.
  const GraphAttributes late =
      pool(1, {{"strides", Integers{3}}, {"pads", Integers{0, 2}}, {"ceil_mode", std::int64_t{1}}});
  const Tensor longer = tensor(float32, {1, 1, 4}, {2, 4, 6, 16});
  EXPECT_THAT(run(single("AveragePool", 22, late), longer), holds(Numbers{2, 16}));
  EXPECT_THAT(inexactness(single("AveragePool", 21, late), longer), HasSubstr("starts in the right padding"));
}

TEST(GraphOperators, AverageWithAutoPad) {
  const Tensor x = tensor(float32, {1, 1, 3}, {2, 4, 6});
  const auto same = [&](const char* auto_pad) {
    return pool(2, {{"strides", Integers{2}}, {"auto_pad", std::string(auto_pad)}});
  };
  EXPECT_THAT(run(single("AveragePool", 19, same("SAME_UPPER")), x), holds(Numbers{3, 6}));
  EXPECT_THAT(run(single("AveragePool", 19, same("SAME_LOWER")), x), holds(Numbers{2, 5}));
  EXPECT_THAT(inexactness(single("AveragePool", 11, same("SAME_UPPER")), x), HasSubstr("version 11"));
  // 2 windows of length 1 cover 3 of 4 elements.
  const GraphAttributes gaps = pool(1, {{"strides", Integers{2}}, {"auto_pad", std::string("SAME_LOWER")}});
  EXPECT_THAT(inexactness(single("AveragePool", 19, gaps), tensor(float32, {1, 1, 4}, {2, 4, 6, 16})),
              HasSubstr("negative padding"));
  EXPECT_THAT(error_of(single("AveragePool", 19, same("SOME")), x), HasSubstr("auto_pad is \"SOME\""));
}

TEST(GraphOperators, NoteAveragesThatAreRounded) {
  const auto inexact = [](const Tensor& x) { return inexactness(single("GlobalAveragePool", 21), x); };
  EXPECT_THAT(inexact(tensor(float32, {1, 1, 3}, {3, 3, 3})), HasSubstr("reciprocal"));
  EXPECT_THAT(inexact(tensor(float32, {1, 1, 3}, {0, 0, 0})), IsEmpty());
  EXPECT_THAT(inexact(tensor(float16, {1, 1, 2}, {60000, 60000})), Not(IsEmpty())) << "the sum overflows";
  EXPECT_THAT(inexact(Tensor(float32, {1, 1, 0})), HasSubstr("without elements"));
}

TEST(GraphOperators, PoolGlobally) {
  const Tensor x = tensor(float32, {1, 2, 2}, {1, 3, 5, -1});
  EXPECT_THAT(run(single("GlobalAveragePool", 10), x), holds(Numbers{2, 2}));
  EXPECT_THAT(run(single("GlobalMaxPool", 10), x), holds(Numbers{3, 5}));
  EXPECT_EQ(run(single("GlobalMaxPool", 10), x).shape(), (Shape{1, 2, 1}));
  for (const char* type : {"GlobalAveragePool", "GlobalMaxPool"})
    EXPECT_THAT(error_of(single(type, 10), tensor(float32, {1, 1}, {1})), HasSubstr("(N, C, D1, ...) is needed"));
  EXPECT_THAT(error_of(single("GlobalAveragePool", 10), tensor(int8, {1, 1, 1}, {1})), HasSubstr("type int8"));
}

// ---- ConvTranspose

TEST(GraphOperators, ConvolveTransposed) {
  const auto convolved = [](const Tensor& x, const std::vector<Tensor>& weights, const GraphAttributes& attributes) {
    return run(single("ConvTranspose", 11, attributes, weights), x);
  };
  const Tensor x = tensor(float32, {1, 1, 2}, {1, 2}), w = tensor(float32, {1, 1, 2}, {3, 5});
  EXPECT_THAT(convolved(x, {w}, {}), holds(Numbers{3, 11, 10}));
  EXPECT_THAT(convolved(x, {w, vector(float32, {100})}, {}), holds(Numbers{103, 111, 110}));
  EXPECT_THAT(convolved(x, {w}, {{"strides", Integers{2}}}), holds(Numbers{3, 5, 6, 10}));
  EXPECT_THAT(convolved(x, {w}, {{"dilations", Integers{2}}}), holds(Numbers{3, 6, 5, 10}));
  EXPECT_THAT(convolved(x, {w}, {{"pads", Integers{1, 0}}}), holds(Numbers{11, 10}));
  EXPECT_THAT(convolved(x, {w}, {{"strides", Integers{2}}, {"output_padding", Integers{1}}}),
              holds(Numbers{3, 5, 6, 10, 0}));
  const Tensor channels = tensor(float32, {1, 2, 1}, {1, 2});
  EXPECT_THAT(convolved(channels, {tensor(float32, {2, 1, 1}, {3, 5})}, {}), holds(Numbers{13}));
  const Tensor of_groups =
      convolved(channels, {tensor(float32, {2, 2, 1}, {3, 5, 7, 9})}, {{"group", std::int64_t{2}}});
  EXPECT_THAT(of_groups, holds(Numbers{3, 5, 14, 18}));
  EXPECT_EQ(of_groups.shape(), (Shape{1, 4, 1}));
}

TEST(GraphOperators, ConvolveTransposedToAGivenLength) {
  // All of it, with a stride of 2: 3 5 6 10.
  const Tensor x = tensor(float32, {1, 1, 2}, {1, 2}), w = tensor(float32, {1, 1, 2}, {3, 5});
  const auto model = [&](int opset, std::int64_t stride, const char* auto_pad, bool has_length) {
    GraphAttributes attributes{{"strides", Integers{stride}}, {"auto_pad", std::string(auto_pad)}};
    if (has_length) attributes.emplace("output_shape", Integers{3});
    return single("ConvTranspose", opset, attributes, {w});
  };
  EXPECT_THAT(run(model(11, 2, "NOTSET", true), x), holds(Numbers{5, 6, 10}));
  EXPECT_THAT(run(model(11, 2, "SAME_LOWER", true), x), holds(Numbers{5, 6, 10}));
  EXPECT_THAT(run(model(11, 2, "SAME_UPPER", true), x), holds(Numbers{3, 5, 6}));
  EXPECT_THAT(run(model(11, 1, "SAME_UPPER", false), x), holds(Numbers{3, 11}));
  EXPECT_THAT(run(model(11, 1, "SAME_LOWER", false), x), holds(Numbers{11, 10}));
  EXPECT_THAT(run(model(10, 2, "SAME_UPPER", false), x), holds(Numbers{3, 5, 6, 10}));
  // Version 1 exchanges the two sides.
  const GraphOutcome earlier = interpret(model(10, 2, "SAME_UPPER", true), std::array{x});
  EXPECT_THAT(earlier.outputs()->at(0).value, holds(Numbers{5, 6, 10}));
  EXPECT_THAT(earlier.inexact.value_or(""), HasSubstr("odd padding"));
  // No formula says where more elements than all would be.
  EXPECT_THAT(inexactness(single("ConvTranspose", 11, {{"output_shape", Integers{5}}}, {w}), x),
              HasSubstr("negative padding"));
  EXPECT_THAT(
      inexactness(single("ConvTranspose", 10, {{"strides", Integers{2}}, {"output_padding", Integers{1}}}, {w}), x),
      HasSubstr("output_padding"));
}

TEST(GraphOperators, RefuseInvalidTransposedConvolutions) {
  const Tensor x = tensor(float32, {1, 1, 2}, {1, 2}), w = tensor(float32, {1, 1, 2}, {3, 5});
  const auto error = [&](const GraphAttributes& attributes, const Tensor& weights) {
    return error_of(single("ConvTranspose", 11, attributes, {weights}), x);
  };
  EXPECT_THAT(error({{"output_padding", Integers{1}}}, w), HasSubstr("output_padding 1 with the stride 1"));
  EXPECT_THAT(error({{"output_shape", Integers{1, 1, 3}}}, w), HasSubstr("output_shape has 3 values"));
  EXPECT_THAT(error({{"pads", Integers{2, 1}}}, w), HasSubstr("the output has the length 0"));
  EXPECT_THAT(error({{"kernel_shape", Integers{3}}}, w), HasSubstr("kernel_shape differs"));
  EXPECT_THAT(error({}, tensor(float32, {2, 1, 1}, {3, 5})), HasSubstr("W the shape [2,1,1]"));
  EXPECT_THAT(error({{"group", std::int64_t{2}}}, w), HasSubstr("group is 2"));
}

// ---- LeakyRelu, PRelu, Sigmoid, HardSigmoid

TEST(GraphOperators, LeakNegativeNumbers) {
  const GraphAttributes quarter{{"alpha", 0.25F}};
  EXPECT_THAT(run(single("LeakyRelu", 10, quarter), vector(float32, {-8, 0, 4})), holds(Numbers{-2, 0, 4}));
  EXPECT_THAT(run(single("LeakyRelu", 16, quarter), vector(float16, {-8, 0, 4})), holds(Numbers{-2, 0, 4}));
  // The default, 0.01, is 10737418 * 2^-30 as a float32; 7 times that is 9395240.75 * 2^-27.
  EXPECT_THAT(run(single("LeakyRelu", 16), vector(float32, {-7})), holds(Numbers{-9395241 * 0x1p-27}));
  EXPECT_THAT(inexactness(single("LeakyRelu", 16), vector(float16, {-7})), Not(IsEmpty()));
  EXPECT_THAT(inexactness(single("LeakyRelu", 16, quarter), vector(float32, {-0x1p-126})), Not(IsEmpty()));
  EXPECT_THAT(inexactness(single("LeakyRelu", 16), vector(float32, {nan})), HasSubstr("NaN"));
  EXPECT_THAT(error_of(single("LeakyRelu", 16), vector(int8, {-8})), HasSubstr("type int8"));
}

TEST(GraphOperators, LeakNegativeNumbersByGivenSlopes) {
  const Tensor x = tensor(float32, {2, 3}, {-8, 0, 4, -3, 5, -0.5});
  EXPECT_THAT(run(single("PRelu", 16, {}, {scalar(float32, 0.25)}), x), holds(Numbers{-2, 0, 4, -0.75, 5, -0.125}));
  EXPECT_THAT(run(single("PRelu", 7, {}, {tensor(float32, {2, 1}, {0x1.333334p-2, -2})}),
                  tensor(float32, {2, 2}, {8, 1, -3, 5})),
              holds(Numbers{8, 1, 6, 5}));
  EXPECT_THAT(inexactness(single("PRelu", 16, {}, {scalar(float32, 0x1.333334p-2)}), vector(float32, {-7})),
              Not(IsEmpty()));
  EXPECT_THAT(inexactness(single("PRelu", 16, {}, {scalar(float32, 0.25)}), vector(float32, {nan})), Not(IsEmpty()));
  EXPECT_THAT(error_of(single("PRelu", 16, {}, {vector(float32, {1, 2})}), x), HasSubstr("broadcast"));
}

TEST(GraphOperators, SaturateSigmoid) {
  EXPECT_THAT(run(single("Sigmoid", 13), vector(float32, {0, 120, -120, inf, -inf})), holds(Numbers{0.5, 1, 0, 1, 0}));
  EXPECT_THAT(run(single("Sigmoid", 13), vector(float64, {800, -800})), holds(Numbers{1, 0}));
  for (const Tensor& x : {vector(float32, {119}), vector(float32, {nan}), vector(float64, {-120})})
    EXPECT_THAT(inexactness(single("Sigmoid", 13), x), Not(IsEmpty()));
  EXPECT_THAT(error_of(single("Sigmoid", 13), vector(float8e5m2, {0})), HasSubstr("type float8e5m2"));
}

TEST(GraphOperators, ClipHardSigmoid) {
  const GraphAttributes quarter{{"alpha", 0.25F}, {"beta", 0.5F}};
  EXPECT_THAT(run(single("HardSigmoid", 10, quarter), vector(float16, {1, -1, 2, -2, 3, -3})),
              holds(Numbers{0.75, 0.25, 1, 0, 1, 0}));
  EXPECT_THAT(run(single("HardSigmoid", 10), vector(float32, {100, -100, inf, -inf})), holds(Numbers{1, 0, 1, 0}));
  // 0.2 is rounded up, so that 0.2 * 2.5 + 0.5 is slightly above 1; and 0.2 * 1 + 0.5 needs more bits.
  for (const double x : {2.5, -2.5, 1.0, nan})
    EXPECT_THAT(inexactness(single("HardSigmoid", 10), vector(float32, {x})), Not(IsEmpty())) << x;
  EXPECT_THAT(error_of(single("HardSigmoid", 10), vector(int32, {1})), HasSubstr("type int32"));
}

// ---- Softmax

TEST(GraphOperators, NormalizeAlongAnAxisSinceVersion13) {
  const Tensor x = tensor(float32, {1, 2, 2}, {0, -200, -200, 0});
  // Before, all dimensions from the axis on are one.
  EXPECT_THAT(run(single("Softmax", 11), x), holds(Numbers{0.5, 0, 0, 0.5}));
  EXPECT_THAT(run(single("Softmax", 11, {{"axis", std::int64_t{-1}}}), x), holds(Numbers{1, 0, 0, 1}));
  EXPECT_THAT(run(single("Softmax", 13), x), holds(Numbers{1, 0, 0, 1}));
  const Tensor columns = tensor(float32, {1, 2, 2}, {7, 7, -300, 7});
  EXPECT_THAT(run(single("Softmax", 13, {{"axis", std::int64_t{1}}}), columns), holds(Numbers{1, 0.5, 0, 0.5}));
  EXPECT_THAT(error_of(single("Softmax", 10, {{"axis", std::int64_t{-1}}}), x), HasSubstr("the axis -1"));
  EXPECT_THAT(error_of(single("Softmax", 11), vector(float32, {1})), HasSubstr("the axis 1"));
}

TEST(GraphOperators, NoteExponentialsThatAreRounded) {
  const auto inexact = [](const Tensor& x) { return inexactness(single("Softmax", 13), x); };
  EXPECT_THAT(inexact(vector(float32, {5, -115})), IsEmpty());
  EXPECT_THAT(inexact(vector(float32, {5, -114.5})), Not(IsEmpty()));
  EXPECT_THAT(inexact(vector(float64, {5, -115})), Not(IsEmpty()));
  EXPECT_THAT(inexact(vector(float32, {5, -inf})), IsEmpty());
  for (const Numbers& numbers : {Numbers{0, 0, 0}, Numbers{inf, 0}, Numbers{-inf, -inf}, Numbers{0, nan}})
    EXPECT_THAT(inexact(vector(float32, numbers)), Not(IsEmpty())) << testing::PrintToString(numbers);
  // In bfloat16, 256 + 1 is 256.
  EXPECT_THAT(inexact(vector(bfloat16, Numbers(256, 0))), IsEmpty());
  EXPECT_THAT(inexact(vector(bfloat16, Numbers(512, 0))), Not(IsEmpty()));
  EXPECT_THAT(error_of(single("Softmax", 13), vector(int8, {1})), HasSubstr("type int8"));
}

// ---- operators that move elements; ONNX's node tests have their ordinary results

TEST(GraphOperators, MoveChannelsToBlocksAndBack) {
  // Channels 0 to 3 of two columns: element c, w is 10 c + w.
  const Tensor depth = tensor(float32, {1, 4, 1, 2}, {0, 1, 10, 11, 20, 21, 30, 31});
  const Numbers blocks{0, 10, 1, 11, 20, 30, 21, 31};
  const GraphAttributes size{{"blocksize", std::int64_t{2}}};
  EXPECT_THAT(run(single("DepthToSpace", 10, size), depth), holds(blocks));
  EXPECT_THAT(run(single("SpaceToDepth", 13, size), tensor(float32, {1, 1, 2, 4}, blocks)),
              holds(Numbers{0, 1, 10, 11, 20, 21, 30, 31}));
  // The image has two channels of one block each. In the mode CRD, the channel is the slowest index of the depth.
  const GraphAttributes crd{{"blocksize", std::int64_t{2}}, {"mode", std::string("CRD")}};
  const Tensor pixels = tensor(float32, {1, 2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_THAT(run(single("SpaceToDepth", 28, crd), pixels), holds(Numbers{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_THAT(run(single("SpaceToDepth", 28, size), pixels), holds(Numbers{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_THAT(error_of(single("DepthToSpace", 13, size), tensor(float32, {1, 3, 1, 1}, {1, 2, 3})),
              HasSubstr("3 channels cannot be moved into blocks of 2 x 2"));
  EXPECT_THAT(error_of(single("SpaceToDepth", 13, size), tensor(float32, {1, 1, 2, 3}, {1, 2, 3, 4, 5, 6})),
              HasSubstr("cannot be divided"));
  EXPECT_THAT(error_of(single("SpaceToDepth", 13, {{"blocksize", std::int64_t{0}}}), pixels),
              HasSubstr("blocksize is 0"));
}

TEST(GraphOperators, RefuseIndicesThatDoNotFit) {
  const Tensor x = tensor(float32, {2, 3}, {0, 1, 2, 3, 4, 5});
  const auto error = [&](const char* type, const Tensor& indices, const std::vector<Tensor>& updates = {}) {
    std::vector<Tensor> further{indices};
    further.insert(further.end(), updates.begin(), updates.end());
    return error_of(single(type, 18, {}, further), x);
  };
  EXPECT_THAT(error("GatherND", tensor(int64, {1, 3}, {0, 0, 0})), HasSubstr("do not fit data of the shape [2,3]"));
  EXPECT_THAT(error("GatherND", tensor(int64, {1, 2}, {0, 3})),
              HasSubstr("the index 3 is out of range for an axis of length 3"));
  EXPECT_THAT(error("ScatterND", scalar(int64, 0), {x}), HasSubstr("indices are a scalar"));
  EXPECT_THAT(error("GatherElements", tensor(int64, {2}, {0, 0})), HasSubstr("do not fit"));
  EXPECT_THAT(error("GatherElements", tensor(int64, {1, 4}, {0, 0, 0, 0})), HasSubstr("do not fit"));
  EXPECT_THAT(error("ScatterND", tensor(int64, {1, 1}, {0}), {vector(float32, {7})}),
              HasSubstr("updates have the shape"));
  EXPECT_THAT(error("ScatterElements", tensor(int64, {1, 1}, {0}), {vector(float32, {7})}),
              HasSubstr("updates have the shape"));
  EXPECT_THAT(error("ReverseSequence", vector(int64, {3, 1, 1})), HasSubstr("sequence_lens are [3,1,1]"));
  EXPECT_THAT(error("Compress", vector(int64, {1})), HasSubstr("condition is of type int64"));
}

/// An input of the graph may have other values, which may be valid.
TEST(GraphOperators, AreInvalidWhateverTheirVariableInputsAre) {
  const auto is_invalid = [](const GraphModel& model, const Tensor& x) {
    try {
      run(model, x);
    } catch (const GraphError& error) {
      return dynamic_cast<const InvalidNode*>(&error) != nullptr;
    }
    ADD_FAILURE() << "it runs";
    return false;
  };
  const Tensor x = tensor(float32, {2, 3}, {0, 1, 2, 3, 4, 5}), indices = tensor(int64, {1, 1}, {2});
  for (const char* type : {"Gather", "GatherND", "GatherElements"})
    EXPECT_TRUE(is_invalid(single(type, 18, {}, {indices}), x)) << type;
  GraphModel model = model_of({op("Gather", {"data", "x"}, {"y"})}, {{"data", x}});
  EXPECT_FALSE(is_invalid(model, indices));
  EXPECT_TRUE(is_invalid(single("Reshape", 18, {}, {vector(int64, {4})}), x));
  EXPECT_TRUE(is_invalid(single("Tile", 18, {}, {vector(int64, {4})}), x));
  EXPECT_FALSE(is_invalid(single("Dropout", 12, {}, {scalar(float32, 0.5), scalar(boolean, 1)}), x)) << "not supported";
}

TEST(GraphOperators, DoNotDecideWhichOfTwoUpdatesIsTheLast) {
  const Tensor x = vector(float32, {0, 1, 2});
  const auto scatter = [](const char* type, const Shape& shape, const Numbers& updates) {
    return single(type, 18, {}, {tensor(int64, shape, {2, 2}), vector(float32, updates)});
  };
  EXPECT_THAT(run(scatter("ScatterElements", {2}, {5, 5}), x), holds(Numbers{0, 1, 5}));
  EXPECT_THAT(inexactness(scatter("ScatterElements", {2}, {5, 6}), x), HasSubstr("name an element twice"));
  EXPECT_THAT(inexactness(scatter("ScatterND", {2, 1}, {5, 6}), x), HasSubstr("name an element twice"));
}

TEST(GraphOperators, CombineUpdates) {
  const Tensor x = vector(float32, {4, 1, 2});
  const auto scatter = [](const char* reduction, int opset) {
    return single("ScatterElements", opset, {{"reduction", std::string(reduction)}},
                  {tensor(int64, {2}, {2, 0}), vector(float32, {8, 3})});
  };
  EXPECT_THAT(run(scatter("none", 18), x), holds(Numbers{3, 1, 8}));
  EXPECT_THAT(run(scatter("add", 16), x), holds(Numbers{7, 1, 10}));
  EXPECT_THAT(run(scatter("mul", 16), x), holds(Numbers{12, 1, 16}));
  EXPECT_THAT(run(scatter("max", 18), x), holds(Numbers{4, 1, 8}));
  EXPECT_THAT(run(scatter("min", 18), x), holds(Numbers{3, 1, 2}));
  EXPECT_THAT(error_of(scatter("min", 16), x), HasSubstr("the reduction is \"min\""));
}

/// "if mask is requested as output it will contain all ones": since version 12.
TEST(GraphOperators, DropNothing) {
  const Tensor x = tensor(float32, {1, 2}, {16777216, 1}), w = tensor(float32, {2, 1}, {1, 1});
  const auto model = [&](int opset) {
    GraphModel made =
        model_of({op("MatMul", {"x", "w"}, {"m"}), op("Dropout", {"m"}, {"y", "mask"})}, {{"w", w}}, opset);
    return made;
  };
  const GraphOutcome outcome = interpret(model(13), std::array{x});
  EXPECT_EQ(outcome.unbounded.value_or(""), "");
  EXPECT_TRUE(outcome.outputs()->at(0).range.has_value());
  EXPECT_THAT(outcome.outputs()->at(1).value, holds(Numbers{1}));
  EXPECT_EQ(outcome.outputs()->at(1).value.type(), boolean);
  EXPECT_THAT(error_of(model(10), x), HasSubstr("the output mask is not supported before version 12"));
}

/// "scale = length_resized / length_original" is 2 / 5, but 0.5 is given.
TEST(GraphOperators, DoNotDecideWhichScaleAFractionalLengthHas) {
  const Tensor none(float32, {0}), scales = vector(float32, {1, 0.5});
  const GraphModel model = single("Resize", 18, {}, {none, scales});
  EXPECT_THAT(inexactness(model, tensor(float32, {1, 5}, {0, 1, 2, 3, 4})), HasSubstr("fractional length"));
  EXPECT_THAT(inexactness(model, tensor(float32, {1, 4}, {0, 1, 2, 3})), IsEmpty());
}

TEST(GraphOperators, CompressWithAShorterCondition) {
  const Tensor x = tensor(float32, {2, 2}, {0, 1, 2, 3});
  const Tensor condition = tensor(boolean, {3}, {0, 1, 1});
  EXPECT_THAT(run(single("Compress", 11, {}, {condition}), x), holds(Numbers{1, 2}));
  EXPECT_THAT(error_of(single("Compress", 11, {{"axis", std::int64_t{0}}}, {condition}), x),
              HasSubstr("condition selects 2 of 2 slices"));
}

}  // namespace
}  // namespace touchstone::reference::operators_test
