// Graph inputs with an initializer, which is their default value: a caller may give another one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "conformance/backends/builtin/builtin_backends.h"
#include "conformance/files/testing.h"
#include "conformance/testing.h"

namespace touchstone::conformance::default_inputs_test {
namespace {

using spec::ElementType;
using testing::ElementsAre;

class DefaultInputs : public testing::TestWithParam<const char*> {
 protected:
  /// The codes of y for these inputs of the model.
  std::vector<std::uint64_t> run(const onnx::ModelProto& model, const std::vector<NamedTensor>& inputs) {
    const std::string bytes = model.SerializeAsString();
    const UnitAnswer answer = make_backend(GetParam())->run({"a", bytes, {inputs}});
    if (const auto* refusal = std::get_if<Refusal>(&answer)) {
      ADD_FAILURE() << refusal->reason;
      return {};
    }
    const reference::Tensor y = std::get<Outputs>(std::get<std::vector<Answer>>(answer).at(0)).at(0).value;
    std::vector<std::uint64_t> codes;
    for (std::int64_t i = 0; i < y.size(); ++i) codes.push_back(y.code(i));
    return codes;
  }

  const NamedTensor x{"x", tensor(ElementType::float32, {2}, {0x3f800000, 0x40000000})};  // 1 and 2
  const NamedTensor scale{"s", tensor(ElementType::float32, {}, {0x3f800000})};           // 1
  const reference::Tensor half = tensor(ElementType::float32, {}, {0x3f000000});
  const NamedTensor zero_point{"z", tensor(ElementType::uint8, {}, {3})};
};

INSTANTIATE_TEST_SUITE_P(Builtin, DefaultInputs, testing::Values("reference", "optimized"));

TEST_P(DefaultInputs, AreReplacedByThoseOfTheCaller) {
  onnx::ModelProto model = operator_model("QuantizeLinear", {"x", "s", "z"});
  *model.mutable_graph()->add_initializer() = to_tensor_proto(half, "s");
  EXPECT_THAT(run(model, {x, zero_point}), ElementsAre(5, 7)) << "the default: 1 / 0.5 + 3";
  EXPECT_THAT(run(model, {x, scale, zero_point}), ElementsAre(4, 5)) << "1 / 1 + 3";
  *model.mutable_graph()->add_initializer() = to_tensor_proto(zero_point.value, "z");
  EXPECT_THAT(run(model, {x}), ElementsAre(5, 7));
  EXPECT_THAT(run(model, {x, scale}), ElementsAre(4, 5));
}

TEST_P(DefaultInputs, AreReplacedInGraphs) {
  onnx::ModelProto model = operator_model("QuantizeLinear", {"x", "s", "z"});
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.mutable_node(0)->set_output(0, "q");
  onnx::NodeProto& identity = *graph.add_node();
  identity.set_op_type("Identity");
  identity.add_input("q");
  identity.add_output("y");
  *graph.add_initializer() = to_tensor_proto(half, "s");
  EXPECT_THAT(run(model, {x, zero_point}), ElementsAre(5, 7));
  EXPECT_THAT(run(model, {x, scale, zero_point}), ElementsAre(4, 5));
}

}  // namespace
}  // namespace touchstone::conformance::default_inputs_test
