// The examples on a published page of com.microsoft's DequantizeLinear-1, and the results of our readings.
//
// That page lists int8 and uint8 as types of x, and float and float16 as types of the scale. It demands scalars if axis
// is absent, and does not call the zero point optional. Its examples are ai.onnx's own: their nodes name no domain, two
// of them omit the zero point and have types that the page does not list, and one has 1-D scales without axis. So there
// are two verdicts: one on the node that the page intends, which is com.microsoft's, and one on the node that its code
// creates.

#include "reference/testing.h"

namespace touchstone::reference::microsoft_examples_test {
namespace {

using enum spec::ElementType;

struct PublishedExample {
  std::string_view name;
  Tensor x, scale;
  std::optional<Tensor> zero_point;
  NumbersOrOpen y;  ///< as the page states
  OutcomeMatcher verdict;
  std::string_view why;
  int first_version_of_onnx;  ///< that supports the types
};

const std::vector<PublishedExample>& published_examples() {
  static const std::vector<PublishedExample> examples{
      {"default",
       vector(uint8, {0, 3, 128, 255}),
       scalar(float32, 2),
       scalar(uint8, 128),
       {-256, -250, 0, 254},
       gives({-256, -250, 0, 254}),
       "Legal, by the page and by the current contract.",
       10},
      // The page gives y as a formula; its values were computed by hand.
      {"_axis",
       tensor(uint8, {1, 3, 3, 2}, {3, 89, 34, 200, 74, 59, 5, 24, 24, 87, 32, 13, 245, 99, 4, 142, 121, 102}),
       vector(float32, {2, 4, 5}),
       vector(uint8, {84, 24, 196}),
       {-162, 10, -100, 232, -20, -50, -76, 0, 0, 252, 32, -44, 245, -485, -960, -270, -375, -470},
       rejected_by("ms-scalars-without-axis"),
       "Illegal: without axis both must be scalars.",
       13},
      {"_e4m3fn",
       vector(float8e4m3fn, {0, 0.5, 1, 448, 104}),
       scalar(float32, 2),
       std::nullopt,
       {0, 1, 2, 896, 208},
       rejected_by("onnx-type-constraint"),
       "Illegal: neither the page nor the current contract has float8e4m3fn. The absent zero point alone would be "
       "legal "
       "by the current contract, though not by the page.",
       19},
      {"_e5m2",
       vector(float8e5m2, {0, 0.5, 1, 49152, 96}),
       scalar(float32, 2),
       std::nullopt,
       {0, 1, 2, 98304, 192},
       rejected_by("onnx-type-constraint"),
       "Illegal: neither the page nor the current contract has float8e5m2. The absent zero point alone would be legal "
       "by the current contract, though not by the page.",
       19},
  };
  return examples;
}

Node node_of(const PublishedExample& example) {
  return microsoft_dequantize(example.x, example.scale, example.zero_point);
}

TEST(MicrosoftExamples, HaveTheseVerdicts) {
  for (const PublishedExample& example : published_examples())
    EXPECT_THAT(interpret(node_of(example)), example.verdict) << example.name << ": " << example.why;
}

TEST(MicrosoftExamples, MatchOnnxInItsOwnDomain) {
  for (const PublishedExample& example : published_examples())
    for (const int opset : versions(example.first_version_of_onnx))
      EXPECT_THAT(interpret(dequantize(opset, example.x, example.scale, example.zero_point)),
                  ::testing::AllOf(gives_type(float32, example.x.shape()), gives(example.y)))
          << example.name << ' ' << opset;
}

/// The verdicts are the same under the readings that follow the page to the letter.
TEST(MicrosoftExamples, HaveTheSameVerdictsByThePageItself) {
  using Types = spec::TypesBeyondThePage;
  using ZeroPoint = spec::ZeroPointThatMustBe;
  const Policy page = Policy{}.with<Types>(Types::invalid).with<ZeroPoint>(ZeroPoint::required);
  for (const PublishedExample& example : published_examples())
    EXPECT_THAT(interpret(node_of(example), page), example.verdict) << example.name << ": " << example.why;
}

/// Illegal as published, and legal with the axis along which the values were computed. One reading makes that axis the
/// default.
TEST(MicrosoftExamples, LackAnAxis) {
  using A = spec::VectorsWithoutAxis;
  const PublishedExample& example = published_examples()[1];
  Node node = node_of(example);
  EXPECT_THAT(interpret(node, Policy{}.with<A>(A::axis_1)), gives(example.y));
  node.attributes["axis"] = 1;
  EXPECT_THAT(interpret(node), gives(example.y));
}

/// The two float8 examples omit the zero point. The legal example stays legal without its zero point, unless a reading
/// requires one, as the page does.
TEST(MicrosoftExamples, OmitZeroPoints) {
  using A = spec::ZeroPointThatMustBe;
  const PublishedExample& example = published_examples().front();
  const Node node = microsoft_dequantize(example.x, example.scale);
  EXPECT_THAT(interpret(node), gives({0, 6, 256, 510}));
  EXPECT_THAT(interpret(node, Policy{}.with<A>(A::required)), rejected_by("onnx-inputs"));
}

}  // namespace
}  // namespace touchstone::reference::microsoft_examples_test
