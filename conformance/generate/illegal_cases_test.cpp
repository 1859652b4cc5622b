// The must-reject cases: every rule has one, and each violates the rule that it names.
#include "conformance/generate/illegal_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <tuple>

#include "conformance/generate/permitted_refusals_testing.h"
#include "conformance/run/runner.h"
#include "reference/codec.h"
#include "reference/interpreter.h"

namespace touchstone::conformance::illegal_cases_test {
namespace {

using spec::Operator;

/// The clauses in the calls of `reject` in the reference's sources. Excludes those that only non-primary readings cite,
/// and the clause on precision, because no sentence demands the rejection of a value that names no type.
std::set<std::string_view> clauses_of_rejections() {
  const std::set<std::string_view> of_other_readings{"ql-formula",
                                                     "ql-saturate-default",
                                                     "ql-float-zero-point",
                                                     "dq-float-zero-point",
                                                     "qdq-rank-1-per-tensor",
                                                     "ql-division-in-scale-type",
                                                     "ql-division-in-precision",
                                                     "qdq-output-shape",
                                                     "qdq-block-size-unused",
                                                     "onnx-opset-resolution",
                                                     "pmx-flags",
                                                     "pmx-quant-method",
                                                     "pmx-constant-parameters",
                                                     "pmx-float-zero-point"};
  std::set<std::string_view> clauses;
  const std::regex call(R"re(reject\(\s*"([a-z0-9-]+)")re");
  for (const auto& file : std::filesystem::directory_iterator(std::string(TOUCHSTONE_SOURCE_DIR) + "/reference")) {
    if (file.path().extension() != ".cpp" || file.path().stem().string().ends_with("_test")) continue;
    std::ifstream stream(file.path());
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    for (std::sregex_iterator match(text.begin(), text.end(), call); match != std::sregex_iterator(); ++match) {
      const spec::Clause* clause = spec::find_clause((*match)[1].str());
      if (clause != nullptr && !of_other_readings.contains(clause->id)) clauses.insert(clause->id);
    }
  }
  return clauses;
}

TEST(IllegalCases, ViolateTheClauseThatTheyName) {
  for (const IllegalCase& illegal : illegal_cases(0)) {
    if (illegal.float6_padding_is_set) continue;
    const reference::Outcome outcome = reference::interpret(illegal.node());
    ASSERT_NE(outcome.rejection(), nullptr) << *illegal.id << " is legal";
    EXPECT_EQ(outcome.rejection()->clause->id, illegal.clause) << *illegal.id << ": " << outcome.rejection()->reason;
  }
}

// ---- no second violation

/// The unbroken node with the values of the broken one where they fit.
reference::Node repaired(const IllegalCase& illegal) {
  const reference::Node broken = illegal.node();
  reference::Node node = illegal.unbroken();
  for (std::size_t i = 0; i < std::min(node.inputs.size(), broken.inputs.size()); ++i) {
    if (!node.inputs[i] || !broken.inputs[i]) continue;
    const reference::Tensor& values = *broken.inputs[i];
    reference::Tensor& operand = *node.inputs[i];
    if (values.type() != operand.type() || values.size() == 0) continue;
    for (std::int64_t k = 0; k < operand.size(); ++k) operand.set_code(k, values.code(k % values.size()));
  }
  return node;
}

/// The nodes of opmx with groups along dimension 1 have shapes whose dimension 0 is not a multiple of the group size. A
/// backend that follows a reading which rejects them also refuses the control, so its refusal counts as not shown, not
/// as wrong.
constexpr std::string_view groups_along_axis_1 = "pmx-groups-along-axis-1";

TEST(IllegalCases, AreLegalWithoutTheViolationByEveryPermittedReading) {
  for (const IllegalCase& illegal : illegal_cases(0)) {
    if (illegal.clause == "dq-int32-zero-point") continue;  // the values are the violation
    const reference::Node node = repaired(illegal);
    const reference::Outcome outcome = reference::interpret(node);
    ASSERT_NE(outcome.result(), nullptr) << *illegal.id << ": " << outcome.rejection()->reason;
    EXPECT_THAT(refusals(node), testing::Each(testing::StartsWith(std::string(groups_along_axis_1)))) << *illegal.id;
  }
}

/// For each clause, the ambiguities that leave open whether it rejects a node.
const std::map<std::string_view, std::set<std::string_view>>& questions() {
  static const std::map<std::string_view, std::set<std::string_view>> rows{
      {"onnx-type-binding", {"amb-int32-input-float-scale"}},
      {"dq-int32-zero-point", {"amb-int32-zero-point"}},
      {"dq-output-dtype-allowed", {"amb-dequantize-output-dtype", "amb-e8m0-scale-without-output-dtype"}},
      {"qdq-scale-is-scalar", {"amb-per-axis-before-13"}},
      {"qdq-scale-rank-before-21", {"amb-one-element-scale-of-higher-rank"}},
      {"qdq-scale-rank", {"amb-one-element-scale-of-higher-rank"}},
      {"qdq-same-shape", {"amb-scale-zero-point-shapes"}},
      {"qdq-axis-range",
       {"amb-rank-1-default-axis", "amb-rank-1-blocked-default-axis", "amb-rank-1-vector", "amb-rank-1-blocked"}},
      {"qdq-block-size-given", {"amb-missing-block-size", "amb-one-element-scale-of-higher-rank"}},
      {"qdq-per-axis-length", {"ms-one-element-with-axis", "amb-scalar-shape"}},
      {"ms-scalars-without-axis", {"ms-vectors-without-axis"}},
      {"ms-vectors-with-axis", {"ms-scalars-with-axis"}},
      {"pmx-quant-axis", {"pmx-rank"}},  // for a vector
      {"pmx-ungrouped-shape", {"amb-one-element-scale-of-higher-rank", "pmx-per-channel-shape"}},
  };
  return rows;
}

/// Whether the reading only gives the shape another meaning that does not fit either. That is the same fault.
bool is_fault_of_the_shape(std::string_view clause) {
  return clause == "qdq-blocked-shape" || clause == "qdq-per-axis-length" || clause == "qdq-output-shape" ||
         clause == "qdq-rank-1-per-tensor" || clause == "qdq-same-shape";
}

TEST(IllegalCases, AreRejectedForTheirRuleUnlessAReadingDisputesIt) {
  std::size_t accepted = 0;
  for (const IllegalCase& illegal : illegal_cases(0)) {
    if (illegal.float6_padding_is_set) continue;
    for (const SingleReading& one : by_single_readings(illegal.node())) {
      if (concerns_the_cell(one.reading.ambiguity) || one.reading.ambiguity == groups_along_axis_1) continue;
      const auto found = questions().find(illegal.clause);
      const bool is_questioned = found != questions().end() && found->second.contains(one.reading.ambiguity);
      const reference::Rejection* rejection = one.outcome.rejection();
      const std::string by = std::string(*illegal.id) + ", by " + std::string(one.reading.ambiguity);
      if (rejection == nullptr) {
        ++accepted;
        EXPECT_TRUE(is_questioned) << by << ": is accepted";
      } else if (!is_questioned || !is_fault_of_the_shape(rejection->clause->id)) {
        EXPECT_EQ(rejection->clause->id, illegal.clause) << by << ": " << rejection->reason;
      }
    }
  }
  EXPECT_GT(accepted, 50U);
}

/// A backend that accepts an illegal model as a permitted reading allows must not be blamed for how it rounds.
/// Different results have only the readings of a zero point of int32, because it is the violation, and those of the
/// codes of packed int4, which differ for every code.
TEST(IllegalCases, RaiseNoQuestionOfValuesIfAReadingAcceptsThem) {
  std::size_t accepted = 0;
  for (const IllegalCase& illegal : illegal_cases(0)) {
    if (illegal.float6_padding_is_set || illegal.clause == "dq-int32-zero-point") continue;
    const reference::Node node = illegal.node();
    const spec::OperatorVersion& version = reference::operator_version(node);
    const reference::Outcome primary = reference::interpret(node);
    for (const Choice& accepting : alternatives(version, primary.consulted, {})) {
      const reference::Outcome outcome = reference::interpret(node, policy_of(std::span(&accepting, 1)));
      if (outcome.result() == nullptr) continue;
      ++accepted;
      EXPECT_THAT(outcome.result()->unspecified, testing::Each(false)) << *illegal.id;
      for (const Choice& other : alternatives(version, outcome.consulted, std::span(&accepting, 1))) {
        const std::array both{accepting, other};
        const reference::Outcome varied = reference::interpret(node, policy_of(both));
        if (varied.result() == nullptr || id_of(other).ambiguity.starts_with("pmx-int4-")) continue;
        EXPECT_TRUE(std::ranges::equal(varied.result()->y.bytes(), outcome.result()->y.bytes()))
            << *illegal.id << ", by " << id_of(accepting).reading << " and " << id_of(other).reading << " of "
            << id_of(other).ambiguity;
      }
    }
  }
  EXPECT_GT(accepted, 40U);
}

TEST(IllegalCases, OfAxesBlocksAndShapesHaveFloat32AndUint8OrInt8) {
  std::size_t seen = 0;
  for (const IllegalCase& illegal : illegal_cases(0)) {
    const bool is_of_shapes = illegal.clause.starts_with("qdq-") || illegal.clause.starts_with("ms-");
    if (!is_of_shapes || illegal.id->starts_with("opmx") || illegal.id->ends_with("/4_bits")) continue;
    ++seen;
    const reference::Node node = illegal.unbroken();
    const bool quantizes = node.op == Operator::quantize_linear;
    EXPECT_EQ(quantizes ? illegal.cell.x : illegal.cell.y, spec::ElementType::float32) << *illegal.id;
    EXPECT_EQ(node.inputs[1]->type(), spec::ElementType::float32) << *illegal.id;
    EXPECT_THAT(quantizes ? illegal.cell.y : illegal.cell.x,
                testing::AnyOf(spec::ElementType::uint8, spec::ElementType::int8))
        << *illegal.id;
  }
  EXPECT_GT(seen, 400U);
}

/// Otherwise a backend could look up what to refuse.
TEST(IllegalCases, HaveModelsThatDoNotTellIt) {
  for (const IllegalCase& illegal : illegal_cases(0)) {
    onnx::ModelProto model;
    ASSERT_TRUE(model.ParseFromString(make_case(illegal).model.bytes)) << *illegal.id;
    const onnx::GraphProto& graph = model.graph();
    EXPECT_EQ(model.producer_name(), "touchstone");
    for (const std::string& text : {model.producer_version(), model.domain(), model.doc_string(), graph.doc_string()})
      EXPECT_EQ(text, "") << *illegal.id;
    EXPECT_EQ(model.model_version(), 0) << *illegal.id;
    EXPECT_EQ(model.metadata_props_size(), 0) << *illegal.id;
    EXPECT_EQ(graph.name(), graph.node(0).op_type()) << *illegal.id;
    for (const onnx::NodeProto& node : graph.node()) EXPECT_EQ(node.name() + node.doc_string(), "") << *illegal.id;
    std::set<std::string> names;
    for (const auto& info : graph.input()) names.insert(info.name());
    for (const auto& info : graph.output()) names.insert(info.name());
    EXPECT_THAT(std::vector(names.begin(), names.end()),
                testing::IsSubsetOf({"x", "scale", "zero_point", "fourth", "y"}))
        << *illegal.id;
  }
}

TEST(IllegalCases, HaveTheSameNodeAfterReading) {
  for (const IllegalCase& illegal : illegal_cases(0)) {
    const CaseRecord record = describe(make_case(illegal));
    ASSERT_EQ(record.violated_id(), illegal.clause) << *illegal.id << ": " << *record.reason;
    ASSERT_TRUE(record.cells.empty()) << *illegal.id;
  }
}

TEST(IllegalCases, HaveFilesThatTheReaderRefuses) {
  std::size_t seen = 0;
  for (const IllegalCase& illegal : illegal_cases(0)) {
    if (!illegal.float6_padding_is_set) continue;
    ++seen;
    const Case made = make_case(illegal);
    EXPECT_THROW(parse_model(made.model.bytes, "model"), FileError) << *illegal.id;
    EXPECT_NE(reference::interpret(illegal.node()).result(), nullptr) << *illegal.id;
  }
  EXPECT_EQ(seen, 4U) << "two types, as outputs and as inputs";
}

/// Every clause for which the reference rejects nodes, in each version that has it.
TEST(IllegalCases, ExistForEveryRuleOfEveryVersion) {
  std::set<std::tuple<std::string_view, std::string_view, Operator, int>> met;
  std::set<std::string_view> clauses;
  for (const IllegalCase& illegal : illegal_cases(0)) {
    const reference::Node node = illegal.node();
    met.emplace(illegal.clause, reference::operator_version(node).domain, node.op, node.opset);
    clauses.insert(illegal.clause);
  }
  EXPECT_THAT(clauses, testing::IsSupersetOf(clauses_of_rejections()));
  for (const std::string_view clause : clauses)
    for (const spec::OperatorVersion& version : spec::operator_versions) {
      const bool has_rule =
          spec::find_clause(clause)->applies.covers(version.domain, version.op, version.since_version);
      const bool can_be_broken = clause != "onnx-attribute-type" || !version.attributes.empty();
      const bool binds_inputs = version.op == Operator::dequantize_linear ||
                                version.inputs[0].type_variable == version.inputs[1].type_variable;
      // In version 10, a tensor that is not a scalar violates that rule first.
      if (clause == "qdq-same-shape" && version.since_version == 10) continue;
      if (!has_rule || !can_be_broken || (clause == "onnx-type-binding" && !binds_inputs)) continue;
      EXPECT_TRUE(met.contains({clause, version.domain, version.op, version.since_version}))
          << clause << ' ' << id_of(version);
    }
}

}  // namespace
}  // namespace touchstone::conformance::illegal_cases_test
