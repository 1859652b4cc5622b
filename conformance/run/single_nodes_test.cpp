#include "conformance/run/single_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/files/graph_file.h"
#include "conformance/generate/checker_testing.h"
#include "conformance/run/controls.h"
#include "conformance/run/record_json.h"
#include "conformance/run/runner.h"
#include "conformance/suites/suites.h"
#include "reference/graph/graph_interpreter.h"

namespace touchstone::conformance::single_nodes_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<PlannedCase> suite(Tier tier) { return plan_graphs_suite({.tier = tier}); }

/// The first case whose id begins like this and contains the part.
PlannedCase planned(const std::string& start, std::string_view part = "") {
  static const std::vector<PlannedCase> cases = suite(Tier::standard);
  for (const PlannedCase& one : cases)
    if (one.id->starts_with(start) && one.id->find(part) != std::string::npos) return one;
  ADD_FAILURE() << "there is no case " << start;
  return {};
}

std::vector<std::string> names_of(const std::string& id) {
  std::vector<std::string> names;
  for (const SingleNode& node : single_nodes(planned(id).read())) names.push_back(node.name);
  return names;
}

onnx::ModelProto parsed(std::string_view bytes) {
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromString(std::string(bytes)));
  return model;
}

/// Answers models with these operators in this way, models of a single node with no outputs, and all others correctly.
class Refuser : public ReferenceBackend {
 public:
  explicit Refuser(std::set<std::string> operators, UnitAnswer answer = Refusal{"no kernel"})
      : operators_(std::move(operators)), answer_(std::move(answer)) {}

  UnitAnswer run(const Unit& unit) override {
    const bool is_single = unit.case_id.starts_with(control_prefix);
    const onnx::ModelProto model = parsed(unit.model);
    if (is_single) asked.push_back(model.graph().node(0).op_type());
    for (const onnx::NodeProto& node : model.graph().node())
      if (operators_.contains(node.op_type())) return is_single ? answer_ : Refusal{"no kernel"};
    return is_single ? std::vector<Answer>{Outputs{}} : ReferenceBackend::run(unit);
  }

  std::vector<std::string> asked;  ///< the operators of single nodes

 private:
  std::set<std::string> operators_;
  UnitAnswer answer_;
};

const std::string reshape_id = "graphs/ql_reshape_dq/21/u8/f32/blocked";

std::string refused_operator(Refuser backend) {
  const CaseRecord record = run_case(planned(reshape_id), backend);
  EXPECT_EQ(record.verdict, Verdict::rejects_valid);
  EXPECT_EQ(record.reason, "no kernel") << "the backend's own";
  return record.refused_operator;
}

TEST(SingleNodes, ShowThatARefusalIsOfAnotherOperator) {
  EXPECT_EQ(refused_operator(Refuser({"Reshape"})), "Reshape of uint8");
  EXPECT_EQ(refused_operator(Refuser({"DequantizeLinear"})), "");
  EXPECT_EQ(refused_operator(Refuser({"Reshape", "DequantizeLinear"})), "Reshape of uint8");
}

/// A permitted reading forbids negative scales, but the backend refuses positive ones, too.
TEST(SingleNodes, AreAskedIfAPermittedRefusalDoesNotCount) {
  const PlannedCase negative = planned("graphs/ql_reshape_dq/21/u8/f16/blocked", "/negative/");
  for (const auto& [operators, refused] :
       {std::pair<std::set<std::string>, const char*>{{"Reshape"}, "Reshape of uint8"}, {{"DequantizeLinear"}, ""}}) {
    Refuser backend(operators);
    const CaseRecord record = run_case(negative, backend);
    EXPECT_EQ(record.verdict, Verdict::rejects_valid);
    EXPECT_EQ(record.reason, "no kernel; the backend also refuses a similar, undisputed model: no kernel");
    EXPECT_EQ(record.refused_operator, refused);
    EXPECT_TRUE(record.readings.empty());
  }
}

TEST(SingleNodes, ThatCrashAreRefused) {
  using Kind = Breakdown::Kind;
  EXPECT_EQ(refused_operator(Refuser({"Reshape"}, Breakdown{Kind::crash, "SIGSEGV"})), "Reshape of uint8");
  EXPECT_EQ(refused_operator(Refuser({"Reshape"}, Breakdown{Kind::timeout, "30 s"})), "Reshape of uint8");
  EXPECT_EQ(refused_operator(Refuser({"Reshape"}, Breakdown{Kind::protocol, "unreadable"})), "") << "not known";
  EXPECT_EQ(refused_operator(Refuser({"Reshape"}, Breakdown{Kind::absent, "no file"})), "") << "not known";
}

TEST(SingleNodes, ShowNothingIfTheOpsetIsRefused) {
  Refuser backend({"Reshape", "Identity"});
  EXPECT_EQ(run_case(planned(reshape_id), backend).refused_operator, "");
  EXPECT_THAT(backend.asked, ElementsAre("Reshape", "Identity"));
}

TEST(SingleNodes, AreNotAskedAboutOtherAnswers) {
  Refuser good({});
  EXPECT_EQ(run_case(planned(reshape_id), good).verdict, Verdict::pass);
  EXPECT_THAT(good.asked, IsEmpty());
}

TEST(SingleNodes, AreAskedOnceInARun) {
  Refuser backend({"Reshape", "QuantizeLinear"});
  Controls controls(backend);
  EXPECT_EQ(controls.refused_node_of(planned(reshape_id).read()), "Reshape of uint8");
  EXPECT_EQ(controls.refused_node_of(planned(reshape_id).read()), "Reshape of uint8");
  EXPECT_THAT(backend.asked, ElementsAre("Reshape", "Identity"));
}

TEST(SingleNodes, LeaveOutConstantsBranchesAndFunctions) {
  EXPECT_THAT(names_of(reshape_id), ElementsAre("Reshape of uint8"));
  EXPECT_THAT(names_of("graphs/ql_dq/"), IsEmpty());
  EXPECT_THAT(names_of("graphs/if_dq/"), IsEmpty());
  EXPECT_THAT(names_of("graphs/function_dq_ql/"), IsEmpty());
}

TEST(SingleNodes, NameTypesOfData) {
  EXPECT_THAT(names_of("graphs/dq_where_ql/21/u8/f32/blocked"), ElementsAre("Where of float")) << "not of bool";
  EXPECT_THAT(names_of("graphs/dq_gather/21/u8/f32/blocked"), ElementsAre("Gather of float")) << "not of int64";
  EXPECT_TRUE(is_operator_of_types("Reshape of float8e4m3fn"));
  EXPECT_TRUE(is_operator_of_types("Cast of float and float16"));
  for (const char* text : {"", "Reshape", "Reshape of ", "Reshape of float and ", "Reshape of float and x",
                           "QuantizeLinear of float", "reshape of float", "Reshape of float, uint8"})
    EXPECT_FALSE(is_operator_of_types(text)) << text;
}

/// A refusal of an invalid model would say nothing. The values are those of the graph.
TEST(SingleNodes, AreValidAndInterpretable) {
  std::size_t checked = 0;
  for (const PlannedCase& one : suite(Tier::smoke)) {
    if (one.id->find("/must_reject/") != std::string_view::npos) continue;
    SCOPED_TRACE(*one.id);
    for (const SingleNode& single : single_nodes(one.read())) {
      ++checked;
      EXPECT_EQ(complaint(single.model), "");
      EXPECT_TRUE(is_operator_of_types(single.name)) << single.name;
      const onnx::ModelProto model = parsed(single.model);
      std::vector<reference::Tensor> inputs;
      for (const NamedTensor& input : single.inputs) inputs.push_back(input.value);
      const reference::GraphOutcome outcome = reference::interpret(to_graph_model(model, single.name), inputs);
      ASSERT_THAT(*outcome.outputs(), SizeIs(static_cast<std::size_t>(model.graph().output_size())));
    }
  }
  EXPECT_GT(checked, 1000U);
  EXPECT_EQ(complaint(identity_node(21).model), "");
}

TEST(RefusedOperator, IsReadOnlyOfRefusedGraphs) {
  CaseRecord record;
  record.id = "graphs/a";
  record.verdict = Verdict::rejects_valid;
  record.digest = {{1}};
  record.refused_operator = "Reshape of uint8";
  EXPECT_EQ(record_from_json(to_json(record)), record);

  const auto complaint_about = [](const CaseRecord& bad) -> std::string {
    try {
      record_from_json(to_json(bad));
      return "";
    } catch (const std::exception& error) {
      return error.what();
    }
  };
  CaseRecord declined = record;
  declined.declined = true;
  CaseRecord crashed = record;
  crashed.verdict = Verdict::crash;
  CaseRecord node = record;
  node.subject = {&spec::operator_versions.front(), spec::operator_versions.front().since_version,
                  spec::ElementType::uint8};
  for (const CaseRecord& bad : {declined, crashed, node})
    EXPECT_EQ(complaint_about(bad), "refused_operator: the case is not a refused graph");
  CaseRecord other = record;
  other.refused_operator = "Reshape of nothing";
  EXPECT_EQ(complaint_about(other), "refused_operator: \"Reshape of nothing\" is not an operator of some types");
}

}  // namespace
}  // namespace touchstone::conformance::single_nodes_test
