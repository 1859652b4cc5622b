// Tools that rewrite models: what their models compute, and what is wrong with them.
#include "conformance/backends/builtin/transform_backend.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/files/testing.h"
#include "conformance/testing.h"
#include "conformance/units/testing.h"

namespace touchstone::conformance::transform_backend_test {
namespace {

using spec::ElementType;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

/// Answers the same to each model, and notes what it is asked.
class Tool : public Backend {
 public:
  explicit Tool(UnitAnswer answer) : answer_(std::move(answer)) {}

  BackendIdentity identity() const override { return {"tool", "1", ""}; }
  UnitAnswer run(const Unit& unit) override {
    EXPECT_EQ(unit.inputs.size(), 1U);
    EXPECT_TRUE(unit.inputs.at(0).empty());
    return answer_;
  }

 private:
  UnitAnswer answer_;
};

NamedTensor bytes_tensor(std::string_view name, const std::string& text) {
  std::vector<std::uint64_t> codes;
  for (const char c : text) codes.push_back(static_cast<unsigned char>(c));
  return {std::string(name), tensor(ElementType::uint8, {std::ssize(text)}, codes)};
}

UnitAnswer rewritten(const onnx::ModelProto& model, const std::string& fault = {}) {
  Outputs outputs{bytes_tensor(rewritten_model, model.SerializeAsString())};
  if (!fault.empty()) outputs.push_back(bytes_tensor(fault_of_model, fault));
  return std::vector<Answer>{outputs};
}

/// y = x / scale as uint8, with these constant scales; one makes it per tensor.
onnx::ModelProto quantization(const std::vector<float>& scales, const std::string& input = "x") {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(13);
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.add_input()->set_name(input);
  graph.add_output()->set_name("y");
  onnx::TensorProto& scale = *graph.add_initializer();
  scale.set_name("s");
  scale.set_data_type(onnx::TensorProto::FLOAT);
  if (scales.size() > 1) scale.add_dims(std::ssize(scales));
  for (const float value : scales) scale.add_float_data(value);
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type("QuantizeLinear");
  for (const std::string& name : {input, std::string("s")}) node.add_input(name);
  node.add_output("y");
  onnx::AttributeProto& axis = *node.add_attribute();
  axis.set_name("axis");
  axis.set_type(onnx::AttributeProto::INT);
  axis.set_i(0);
  return model;
}

/// What the tool's answer to the model gives for x = 1 and 2, twice.
UnitAnswer run(const onnx::ModelProto& model, UnitAnswer answer) {
  TransformBackend backend(std::make_unique<Tool>(std::move(answer)));
  const std::vector<NamedTensor> inputs{{"x", tensor(ElementType::float32, {2}, {0x3f800000, 0x40000000})}};
  return backend.run({"a", model.SerializeAsString(), {inputs, inputs}});
}

Breakdown breakdown(const UnitAnswer& answer) {
  const auto* answers = std::get_if<std::vector<Answer>>(&answer);
  const auto* found = answers != nullptr ? std::get_if<Breakdown>(&answers->at(0)) : std::get_if<Breakdown>(&answer);
  return found != nullptr ? *found : Breakdown{Breakdown::Kind::absent, "no breakdown"};
}

std::string refusal(const UnitAnswer& answer) {
  const auto* answers = std::get_if<std::vector<Answer>>(&answer);
  const auto* found = answers != nullptr ? std::get_if<Refusal>(&answers->at(0)) : std::get_if<Refusal>(&answer);
  return found != nullptr ? found->reason : "no refusal";
}

TEST(TransformBackend, ComputesTheRewrittenModelForEachSetOfInputs) {
  const UnitAnswer answer = run(quantization({1}), rewritten(quantization({0.5})));
  const auto& answers = std::get<std::vector<Answer>>(answer);
  ASSERT_EQ(answers.size(), 2U);
  for (const Answer& one : answers) {
    const NamedTensor& y = std::get<Outputs>(one).at(0);
    EXPECT_EQ(y.name, "y");
    EXPECT_THAT((std::vector{y.value.code(0), y.value.code(1)}), ElementsAre(2U, 4U));
  }
}

TEST(TransformBackend, FindsAModelThatIsIllegalUnlikeTheOriginal) {
  const Breakdown illegal = breakdown(run(quantization({1}), rewritten(quantization({1, 1, 1}))));
  EXPECT_EQ(illegal.kind, Breakdown::Kind::invalid);
  EXPECT_THAT(illegal.detail, HasSubstr("the rewritten model is illegal: qdq-per-axis-length: "));
  const Breakdown invalid = breakdown(run(quantization({1}), rewritten(quantization({1}), "no such attribute")));
  EXPECT_EQ(invalid.kind, Breakdown::Kind::invalid);
  EXPECT_EQ(invalid.detail, "the rewritten model is invalid: no such attribute");
  const Breakdown both = breakdown(run(quantization({1}), rewritten(quantization({1, 1, 1}), "wrong length")));
  EXPECT_THAT(both.detail, AllOf(HasSubstr("invalid: qdq-per-axis-length: "), EndsWith("; wrong length")));
}

TEST(TransformBackend, RejectsAnIllegalModelThatStaysIllegal) {
  const onnx::ModelProto illegal = quantization({1, 1, 1});
  EXPECT_THAT(refusal(run(illegal, rewritten(illegal))), HasSubstr("qdq-per-axis-length: "));
  EXPECT_EQ(refusal(run(illegal, rewritten(quantization({1}), "no such attribute"))), "no such attribute");
  const UnitAnswer hidden = run(illegal, rewritten(quantization({1})));
  EXPECT_TRUE(std::holds_alternative<Outputs>(std::get<std::vector<Answer>>(hidden).at(0)));
}

TEST(TransformBackend, FindsOtherInputs) {
  const Breakdown other = breakdown(run(quantization({1}), rewritten(quantization({1}, "renamed"))));
  EXPECT_EQ(other.kind, Breakdown::Kind::invalid);
  EXPECT_EQ(other.detail, "the rewritten model has the inputs 'renamed'; the original has 'x'");
}

TEST(TransformBackend, DecidesNothingIfImplementationsMayDiffer) {
  onnx::ModelProto rounds = quantization({1});
  const auto add = [&](const std::string& op_type, const std::string& input, const std::string& output) {
    onnx::NodeProto& node = *rounds.mutable_graph()->add_node();
    node.set_op_type(op_type);
    node.add_input(input);
    node.add_output(output);
  };
  add("Exp", "x", "e");
  add("ArgMax", "e", "i");
  const Breakdown open = breakdown(run(quantization({1}), rewritten(rounds)));
  EXPECT_EQ(open.kind, Breakdown::Kind::open);
  EXPECT_THAT(open.detail, HasSubstr("ArgMax"));
}

/// y = a + b + c, in this order.
onnx::ModelProto sum_of(const std::string& a, const std::string& b, const std::string& c) {
  return model_of_text(fmt::format(
      R"(<ir_version: 8, opset_import: ["": 13]> g (float[1] a, float[1] b, float[1] c) => (float[1] y) {{
           t = Add({}, {})
           y = Add(t, {})
         }})",
      a, b, c));
}

/// 1 + 2^-24 + 2^-24 is 1, or 1 + 2^-23 in the other order; 3 - 1 is neither.
TEST(TransformBackend, PermitsAnotherOrderOfASumThatRounds) {
  const std::vector<NamedTensor> inputs{{"a", tensor(ElementType::float32, {1}, {0x3f800000})},
                                        {"b", tensor(ElementType::float32, {1}, {0x33800000})},
                                        {"c", tensor(ElementType::float32, {1}, {0x33800000})}};
  const auto code = [&](const onnx::ModelProto& made) {
    TransformBackend backend(std::make_unique<Tool>(rewritten(made)));
    const UnitAnswer answer = backend.run({"a", sum_of("a", "b", "c").SerializeAsString(), {inputs}});
    return std::get<Outputs>(std::get<std::vector<Answer>>(answer).at(0)).at(0).value.code(0);
  };
  const std::uint64_t own = code(sum_of("a", "b", "c"));
  EXPECT_THAT(own, testing::AnyOf(0x3f800000U, 0x3f800001U));
  EXPECT_EQ(code(sum_of("b", "c", "a")), own) << "both orders are permitted";
  EXPECT_GT(code(sum_of("a", "a", "b")), 0x3fff0000U) << "about 2";
}

TEST(TransformBackend, RefusesWhatTheReferenceCannotRun) {
  onnx::ModelProto unknown = quantization({1});
  unknown.mutable_graph()->mutable_node(0)->set_op_type("Unknown");
  EXPECT_THAT(refusal(run(quantization({1}), rewritten(unknown))),
              HasSubstr("the interpreter cannot run the rewritten model: node 0 Unknown y:"));
}

TEST(TransformBackend, PassesOnRefusalsAndFindsAnswersWithoutAModel) {
  EXPECT_EQ(refusal(run(quantization({1}), Refusal{"not today"})), "not today");
  EXPECT_EQ(refusal(run(quantization({1}), std::vector<Answer>{Refusal{"not today"}})), "not today");
  for (const Outputs& outputs :
       {Outputs{}, Outputs{bytes_tensor("other", "a")}, Outputs{{"model", tensor(ElementType::float32, {1}, {0})}}}) {
    const Breakdown none = breakdown(run(quantization({1}), std::vector<Answer>{outputs}));
    EXPECT_EQ(none.kind, Breakdown::Kind::protocol);
  }
}

}  // namespace
}  // namespace touchstone::conformance::transform_backend_test
