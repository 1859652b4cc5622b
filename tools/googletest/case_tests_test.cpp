#include "tools/googletest/case_tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/files/testing.h"

namespace touchstone::conformance::case_tests_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Kind = CaseTestResult::Kind;
using reference::Node;

/// Returns the outputs of the reference with the lowest bit of the first element of each output inverted.
class Spoiler : public ReferenceBackend {
 public:
  UnitAnswer run(const Unit& unit) override {
    UnitAnswer answer = ReferenceBackend::run(unit);
    if (auto* sets = std::get_if<std::vector<Answer>>(&answer))
      for (Answer& one : *sets)
        if (auto* outputs = std::get_if<Outputs>(&one))
          for (NamedTensor& output : *outputs)
            if (output.value.size() > 0) output.value.set_code(0, output.value.code(0) ^ 1);
    return answer;
  }
};

/// Supports nothing.
class Refuser : public ReferenceBackend {
 public:
  UnitAnswer run(const Unit&) override { return Refusal{"no such kernel"}; }
};

/// Rejects scales that are zero.
class Divider : public ReferenceBackend {
 public:
  UnitAnswer run(const Unit& unit) override {
    const Node node = bind_inputs(parse_model(std::string(unit.model), "model"), unit.inputs.front());
    if (node.inputs[1]->code(0) == 0) return Refusal{"division by zero"};
    return ReferenceBackend::run(unit);
  }
};

const CaseTestOptions one_case{.tier = Tier::standard, .filter = "quantize_linear/10/f32-f32-u8/per_tensor/zp/values"};

template <class Tested>
CaseTests tests_of(const CaseTestOptions& options) {
  return {[] { return std::make_unique<Tested>(); }, options};
}

TEST(CaseTests, HaveNamesThatFiltersAccept) {
  const CaseTests tests = tests_of<ReferenceBackend>({.tier = Tier::standard});
  std::set<std::pair<std::string, std::string>> names;
  for (const CaseTest& test : tests.tests()) {
    EXPECT_TRUE(names.emplace(test.suite, test.name).second) << test.suite << "." << test.name;
    EXPECT_EQ((test.suite + test.name).find_first_of("-:*?."), std::string::npos) << *test.planned.id;
  }
  EXPECT_GT(names.size(), 50'000);
  EXPECT_TRUE(names.contains({"quantize_linear/10", "f32_f32_u8/per_tensor/zp/values"}));
  EXPECT_TRUE(names.contains({"com_microsoft/quantize_linear/1", "must_reject/attribute/block_size"}));
}

TEST(CaseTests, PassFailOrAreKnown) {
  CaseTests good = tests_of<ReferenceBackend>(one_case);
  ASSERT_EQ(good.tests().size(), 1);
  EXPECT_EQ(good.run(good.tests().front()).kind, Kind::passed);

  CaseTests bad = tests_of<Spoiler>(one_case);
  const CaseTestResult failed = bad.run(bad.tests().front());
  EXPECT_EQ(failed.kind, Kind::failed);
  EXPECT_EQ(failed.verdict, Verdict::fail);
  EXPECT_THAT(failed.text, AllOf(HasSubstr(one_case.filter), HasSubstr("elements differ"), HasSubstr("0x")));

  const TemporaryDirectory directory;
  CaseTestOptions with_known = one_case;
  with_known.expectations = directory.path() / "known.json";
  write_file(with_known.expectations, R"({"expectations": [{"pattern": "quantize_linear/10/*", "verdict": "fail",
    "reason": "the lowest bit", "issue": "X-1\n::error::\u001b[31m"}]})");
  CaseTests known = tests_of<Spoiler>(with_known);
  const CaseTestResult skipped = known.run(known.tests().front());
  EXPECT_EQ(skipped.kind, Kind::skipped);
  EXPECT_THAT(skipped.text, HasSubstr("the lowest bit (X-1␊::error::␛[31m)"));
  CaseTests fixed = tests_of<ReferenceBackend>(with_known);
  const CaseTestResult unexpected = fixed.run(fixed.tests().front());
  EXPECT_EQ(unexpected.kind, Kind::failed);
  EXPECT_THAT(unexpected.text, HasSubstr("remove the entry"));
}

TEST(CaseTests, PassIfAReadingPermitsTheRefusal) {
  CaseTestOptions options = one_case;
  options.filter = "quantize_linear/21/f32-f32-u8/per_tensor/zp/scale/zero";
  CaseTests tests = tests_of<Divider>(options);
  ASSERT_EQ(tests.tests().size(), 1);
  const CaseTestResult refused = tests.run(tests.tests().front());
  EXPECT_EQ(refused.kind, Kind::passed);
  EXPECT_EQ(refused.verdict, Verdict::rejects_variant);
  for (const CaseTestOptions& case_of_a_refuser : {options, one_case}) {
    CaseTests other = tests_of<Refuser>(case_of_a_refuser);
    EXPECT_EQ(other.run(other.tests().front()).kind, Kind::failed) << case_of_a_refuser.filter;
  }
}

TEST(CaseTests, AreSkippedIfARefusalShowsNothing) {
  CaseTestOptions options = one_case;
  options.filter = "quantize_linear/10/must_reject/attribute/axis";
  CaseTests good = tests_of<ReferenceBackend>(options);
  EXPECT_EQ(good.run(good.tests().front()).kind, Kind::passed);
  CaseTests tests = tests_of<Refuser>(options);
  const CaseTestResult refused = tests.run(tests.tests().front());
  EXPECT_EQ(refused.kind, Kind::skipped);
  EXPECT_EQ(refused.verdict, Verdict::not_shown);
  EXPECT_THAT(refused.text, AllOf(HasSubstr("not shown"), HasSubstr("no such kernel")));
}

TEST(CaseTests, AreSkippedIfTheBackendIsNotAsked) {
  CaseTestOptions options = one_case;
  options.assumed.opsets = {{"ai.onnx", 13, 21}};
  CaseTests tests = tests_of<Refuser>(options);
  const CaseTestResult not_asked = tests.run(tests.tests().front());
  EXPECT_EQ(not_asked.kind, Kind::skipped);
  EXPECT_THAT(not_asked.text, HasSubstr("not asked: --assume: the backend takes the opsets ai.onnx 13 to 21"));
}

TEST(CaseTests, RefuseInvalidOptions) {
  EXPECT_THROW(tests_of<ReferenceBackend>({.suites = {"genertaed"}}), std::invalid_argument);
  EXPECT_THROW(tests_of<ReferenceBackend>({.filter = "nothing"}), std::invalid_argument);
  EXPECT_THROW(tests_of<ReferenceBackend>({.suites = {"onnx"}, .data = "/nowhere"}), FileError);
  EXPECT_THROW(tests_of<ReferenceBackend>({.expectations = "/nowhere"}), FileError);
  const TemporaryDirectory directory;
  const std::filesystem::path by_cause = directory.path() / "known.json";
  write_file(by_cause, R"({"expectations": [{"cause": "c", "verdict": "fail", "reason": "r", "issue": "i"}]})");
  EXPECT_THROW(tests_of<ReferenceBackend>({.expectations = by_cause}), FileError);
}

}  // namespace
}  // namespace touchstone::conformance::case_tests_test
