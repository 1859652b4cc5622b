// The backend `optimized` with every instruction set: it reports the instruction set and passes quick suites.
#include "conformance/backends/builtin/optimized_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/backends/builtin/builtin_backends.h"
#include "conformance/run/runner.h"
#include "conformance/suites/suites.h"
#include "conformance/testing.h"

namespace touchstone::conformance::optimized_backend_test {
namespace {

using optimized::Isa;
using testing::HasSubstr;

class OptimizedBackendOf : public testing::TestWithParam<Isa> {
 protected:
  void SetUp() override {
    if (!optimized::is_available(GetParam())) GTEST_SKIP() << "not available here";
  }

  /// `open`: the number of cases whose every element the specification leaves open, so that they show nothing.
  void expect_to_pass(const std::vector<PlannedCase>& cases, const JudgeOptions& options, std::size_t open = 0) {
    std::size_t not_shown = 0;
    for (const PlannedCase& planned : cases) {
      const CaseRecord record = run_case(planned, backend_, options);
      if (record.verdict == Verdict::not_shown)
        ++not_shown;
      else
        EXPECT_EQ(record.verdict, Verdict::pass) << *record.id << ": " << *record.reason;
    }
    EXPECT_EQ(not_shown, open);
  }

  OptimizedBackend backend_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(EveryIsa, OptimizedBackendOf, testing::Values(Isa::portable, Isa::avx2),
                         [](const auto& isa) { return std::string(optimized::name(isa.param)); });

TEST_P(OptimizedBackendOf, ReportsItsInstructionSet) {
  EXPECT_EQ(backend_.identity().name, "optimized");
  EXPECT_THAT(backend_.identity().description, HasSubstr(std::string(optimized::name(GetParam())) + " kernels"));
}

/// The expected outputs come from ONNX's authors.
TEST_P(OptimizedBackendOf, PassesTheNodeTestsOfTenReleases) {
  const auto data = default_onnx_tests();
  ASSERT_TRUE(std::filesystem::is_directory(data)) << data << " is missing: run tools/setup";
  const std::vector<PlannedCase> tests = plan_onnx_suite({data});
  EXPECT_EQ(tests.size(), 145U);
  expect_to_pass(tests, {});
}

TEST_P(OptimizedBackendOf, PassesTheSmokeTierWithThePrimaryReadings) {
  const std::vector<PlannedCase> cases = plan_generated_suite({.tier = Tier::smoke});
  EXPECT_GT(cases.size(), 500U);
  expect_to_pass(cases, {.strict = true, .sign_of_zero = true}, 11);
}

TEST(OptimizedBackend, UsesTheDefaultInstructionSet) {
  EXPECT_EQ(OptimizedBackend().identity(), OptimizedBackend(optimized::default_isa()).identity());
  EXPECT_EQ(make_backend("optimized")->identity(), OptimizedBackend().identity());
}

TEST(OptimizedBackend, RefusesWithTheViolatedClause) {
  Case illegal = per_axis_case();
  illegal.data_sets[0].inputs[1].value = tensor(spec::ElementType::float32, {2}, {0x3f800000, 0x3f800000});
  OptimizedBackend backend;
  const Unit unit{illegal.id, illegal.model.bytes, {illegal.data_sets[0].inputs}};
  const auto answers = std::get<std::vector<Answer>>(backend.run(unit));
  EXPECT_THAT(std::get<Refusal>(answers.at(0)).reason, HasSubstr("qdq-same-shape"));
  EXPECT_TRUE(std::holds_alternative<Refusal>(backend.run({"x", "not a model", {}})));
}

}  // namespace
}  // namespace touchstone::conformance::optimized_backend_test
