#include "conformance/run/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "conformance/backends/reference_backend.h"
#include "conformance/plan/onnx_suite.h"
#include "conformance/report/summary.h"
#include "conformance/testing.h"

namespace touchstone::conformance {
namespace {

using testing::Contains;
using testing::HasSubstr;

bool go_on(const CaseRecord&) { return true; }

std::vector<PlannedCase> plan_of(std::initializer_list<const char*> ids) {
  std::vector<PlannedCase> plan;
  for (const std::string id : ids) plan.push_back({id, [id] { return per_axis_case(id); }});
  return plan;
}

TEST(Runner, RecordsWhatACaseIs) {
  ReferenceBackend reference;
  const std::vector<CaseRecord> records = run(plan_of({"a"}), reference, go_on);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].verdict, Verdict::pass) << records[0].reason;
  ASSERT_TRUE(records[0].subject);
  EXPECT_EQ(records[0].subject->version->since_version, 21);
  EXPECT_EQ(records[0].subject->quantized_type, spec::ElementType::uint8);
  ASSERT_EQ(records[0].cells.size(), 1U);
  EXPECT_EQ(to_string(records[0].cells[0]), "quantize_linear/21/x=float,scale=float,y=uint8/per_axis/zero_point");
  EXPECT_THAT(records[0].clauses, Contains("qdq-per-axis"));
}

TEST(Runner, ShowsWrongElementsWithTheParametersTheyHave) {
  FakeBackend backend([] {
    Outputs outputs = per_axis_case().data_sets[0].expected;
    outputs[0].value.set_code(4, 99);
    return std::vector<Answer>{outputs};
  });
  const CaseRecord record = run(plan_of({"a"}), backend, go_on)[0];
  EXPECT_EQ(record.verdict, Verdict::fail);
  ASSERT_EQ(record.wrong_elements.size(), 1U);
  const WrongElement& wrong = record.wrong_elements[0];
  EXPECT_EQ(wrong.index, 4);
  EXPECT_EQ(wrong.x->code, 0x40800000U);
  EXPECT_EQ(wrong.scale->code, 0x40000000U) << "of column 1";
  EXPECT_EQ(wrong.zero_point->code, 20U) << "of column 1";
  EXPECT_EQ(wrong.expected.code, 22U);
  EXPECT_EQ(wrong.actual.code, 99U);
}

TEST(Runner, GoesOnAfterACaseThatCannotBeReadOrABackendThatThrows) {
  std::vector<PlannedCase> plan = plan_of({"a", "b", "c"});
  plan[0].read = []() -> Case { throw FileError("a/model.onnx", "not a model"); };
  int calls = 0;
  FakeBackend backend([&]() -> UnitAnswer {
    if (++calls == 1) throw std::runtime_error("out of luck");
    return std::vector<Answer>{per_axis_case().data_sets[0].expected};
  });
  const std::vector<CaseRecord> records = run(plan, backend, go_on);
  EXPECT_EQ(records[0].verdict, Verdict::harness_error);
  EXPECT_EQ(records[0].reason, "a/model.onnx: not a model");
  EXPECT_EQ(records[1].verdict, Verdict::harness_error);
  EXPECT_THAT(records[1].reason, HasSubstr("out of luck"));
  EXPECT_EQ(records[2].verdict, Verdict::pass);
}

TEST(Runner, DoesNotAskABackendThatDeclines) {
  FakeBackend backend([]() -> UnitAnswer { throw std::logic_error("was asked"); });
  backend.declined = Refusal{"only constant scales"};
  const CaseRecord record = run(plan_of({"a"}), backend, go_on)[0];
  EXPECT_EQ(record.verdict, Verdict::rejects_valid);
  EXPECT_EQ(record.reason, "only constant scales");
}

TEST(Runner, LeavesWhatFollowsAStopAsNotRun) {
  ReferenceBackend reference;
  const auto records =
      run(plan_of({"a", "b", "c"}), reference, [](const CaseRecord& record) { return record.id != "b"; });
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[1].verdict, Verdict::pass);
  EXPECT_EQ(records[2].verdict, Verdict::not_run);
  EXPECT_EQ(records[2].id, "c");
}

TEST(ReferenceBackend, RefusesWithTheViolatedClause) {
  Case illegal = per_axis_case();
  illegal.data_sets[0].inputs[1].value = tensor(spec::ElementType::float32, {2}, {0x3f800000, 0x3f800000});
  ReferenceBackend reference;
  const Unit unit{illegal.id, illegal.model.bytes, {illegal.data_sets[0].inputs}};
  const auto answers = std::get<std::vector<Answer>>(reference.run(unit));
  EXPECT_THAT(std::get<Refusal>(answers.at(0)).reason, HasSubstr("qdq-same-shape"));
  EXPECT_TRUE(std::holds_alternative<Refusal>(reference.run({"x", "not a model", {}})));
}

// The data that ONNX's own authors wrote.
TEST(Reference, PassesTheNodeTestsOfTenReleases) {
  const auto data = default_onnx_tests();
  ASSERT_TRUE(std::filesystem::is_directory(data)) << data << " is missing: run tools/setup";
  ReferenceBackend reference;
  const std::vector<CaseRecord> records = run(plan_onnx_suite({data}), reference, go_on);
  EXPECT_EQ(records.size(), 145U);
  std::set<std::pair<spec::Operator, int>> versions;
  for (const CaseRecord& record : records) {
    EXPECT_EQ(record.verdict, Verdict::pass) << record.id << ": " << record.reason;
    if (record.subject) versions.emplace(record.subject->version->op, record.subject->version->since_version);
  }
  EXPECT_EQ(versions.size(), spec::operator_versions.size()) << "every version of both operators";
  EXPECT_EQ(summarize(records).covered_cells, 137U);
}

}  // namespace
}  // namespace touchstone::conformance
