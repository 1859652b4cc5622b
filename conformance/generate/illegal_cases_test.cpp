// The must-reject cases: that every rule has one, and that each violates what it names.
#include "conformance/generate/illegal_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <tuple>

#include "conformance/run/runner.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {
namespace {

using spec::Operator;

/// From the reference's source: the clauses in its calls of `reject`, but for those that only readings name which are
/// not the primary ones, and for that on precision: no sentence demands the refusal of a value that names no type.
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
    ASSERT_NE(outcome.rejection(), nullptr) << illegal.id << " is legal";
    EXPECT_EQ(outcome.rejection()->clause->id, illegal.clause) << illegal.id << ": " << outcome.rejection()->reason;
  }
}

TEST(IllegalCases, HaveTheSameNodeWhenTheyAreReadBack) {
  for (const IllegalCase& illegal : illegal_cases(0)) {
    const CaseRecord record = describe(make_case(illegal));
    ASSERT_EQ(record.violated, illegal.clause) << illegal.id << ": " << record.reason;
    ASSERT_TRUE(record.cells.empty()) << illegal.id;
  }
}

TEST(IllegalCases, HaveFilesThatTheReaderRefuses) {
  std::size_t seen = 0;
  for (const IllegalCase& illegal : illegal_cases(0)) {
    if (!illegal.float6_padding_is_set) continue;
    ++seen;
    const Case made = make_case(illegal);
    EXPECT_THROW(parse_model(made.model.bytes, "model"), FileError) << illegal.id;
    EXPECT_NE(reference::interpret(illegal.node()).result(), nullptr) << illegal.id;
  }
  EXPECT_EQ(seen, 4U) << "two types, as outputs and as inputs";
}

/// Every clause that the reference rejects nodes for, in each version that has it.
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
      // In version 10 what is not scalar breaks that rule first.
      if (clause == "qdq-same-shape" && version.since_version == 10) continue;
      if (!has_rule || !can_be_broken || (clause == "onnx-type-binding" && !binds_inputs)) continue;
      EXPECT_TRUE(met.contains({clause, version.domain, version.op, version.since_version}))
          << clause << ' ' << id_of(version);
    }
}

}  // namespace
}  // namespace touchstone::conformance
