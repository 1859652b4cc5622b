#include "conformance/backends/capabilities.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <string>

#include "conformance/generate/recipe.h"
#include "conformance/suites/suites.h"
#include "conformance/testing.h"

namespace touchstone::conformance::capabilities_test {
namespace {

using testing::HasSubstr;

/// QuantizeLinear from float32 to uint8; all three operands are graph inputs.
const Case dynamic = per_axis_case();

std::string reason(const Capabilities& capabilities, const OperatorModel& model = dynamic.model) {
  return declined(capabilities, model).value_or("");
}

TEST(Capabilities, AreUnlimitedByDefault) { EXPECT_EQ(reason({}), ""); }

TEST(Capabilities, CanLimitOpsets) {
  const int opset = dynamic.model.node.opset;
  EXPECT_EQ(reason({.opsets = {{"", opset, opset}}}), "");
  EXPECT_EQ(reason({.opsets = {{"ai.onnx", 1, opset}}}), "");
  EXPECT_THAT(reason({.opsets = {{"", 1, opset - 1}}}), HasSubstr("the opsets ai.onnx 1 to"));
  EXPECT_THAT(reason({.opsets = {{"com.microsoft", 1, 1}}}),
              HasSubstr("the opsets com.microsoft 1 to 1; this is ai.onnx"));
}

TEST(Capabilities, CanRequireConstantScales) {
  EXPECT_THAT(reason({.constant_scales_only = true}),
              HasSubstr("constant scales and zero points only; 's' is an input of the graph"));
}

TEST(Capabilities, CanLimitElementTypes) {
  onnx::ModelProto proto;
  ASSERT_TRUE(proto.ParseFromString(dynamic.model.bytes));
  const std::int32_t types[] = {onnx::TensorProto::FLOAT, onnx::TensorProto::FLOAT, onnx::TensorProto::UINT8};
  for (int i = 0; i < proto.graph().input_size(); ++i)
    proto.mutable_graph()->mutable_input(i)->mutable_type()->mutable_tensor_type()->set_elem_type(types[i]);
  OperatorModel model = dynamic.model;
  model.bytes = proto.SerializeAsString();
  EXPECT_EQ(reason({.element_types = {1, 2}}, model), "") << "float32 and uint8";
  EXPECT_THAT(reason({.element_types = {1}}, model), HasSubstr("some element types only; 'z' is of UINT8"));
  EXPECT_THAT(reason({.element_types = {2}}, model), HasSubstr("some element types only; 'x' is of FLOAT"));
  EXPECT_EQ(reason({.element_types = {2}}), "") << "the graph has no element types";
}

/// Types of constants count like those of graph inputs.
TEST(Capabilities, LimitElementTypesOfConstants) {
  const Cell cell = *find_cell("quantize_linear/23/f32-f16-u8/per_tensor/zp");
  for (const char* form : {"inputs", "initializers", "constant_nodes", "all_constant", "all_constant_nodes"}) {
    const Case made = make_case({.id = form,
                                 .cell = cell,
                                 .opset = 23,
                                 .geometry = &cell_geometries(cell.granularity, false).front(),
                                 .form = &form_named(form)});
    EXPECT_EQ(reason({.element_types = {1, 2, 10}}, made.model), "") << form;
    EXPECT_THAT(reason({.element_types = {1, 2}}, made.model), HasSubstr("is of FLOAT16")) << form;
    EXPECT_THAT(reason({.element_types = {2, 10}}, made.model), HasSubstr("is of FLOAT")) << form;
  }
}

/// Each limit accepts some generated cases and rejects others.
TEST(Capabilities, SelectFormsOfGeneratedCases) {
  int constant = 0;
  int open = 0;
  int all = 0;
  for (const PlannedCase& planned : plan_generated_suite({.tier = Tier::smoke})) {
    const Case made = planned.read();
    ++all;
    constant += reason({.constant_scales_only = true}, made.model).empty();
    open += !reason({.static_shapes_only = true}, made.model).empty();
  }
  EXPECT_GT(constant, 0);
  EXPECT_LT(constant, all);
  EXPECT_GT(open, 0);
  EXPECT_LT(open, all);
}

}  // namespace
}  // namespace touchstone::conformance::capabilities_test
