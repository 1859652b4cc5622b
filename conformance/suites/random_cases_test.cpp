// The suite `random`: its legal models are legal, right backends pass it, and wrong ones are found.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backends/builtin/optimized_backend.h"
#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/backends/limited_backend.h"
#include "conformance/diagnose/wrong_model.h"
#include "conformance/effort_testing.h"
#include "conformance/generate/checker_testing.h"
#include "conformance/generate/form.h"
#include "conformance/judge/oracle.h"
#include "conformance/plan/digest.h"
#include "conformance/run/runner.h"
#include "conformance/selftest/selftest.h"
#include "conformance/suites/suites.h"
#include "spec/ambiguities.h"
#include "spec/clauses.h"

namespace touchstone::conformance::random_cases_test {
namespace {

std::vector<PlannedCase> cases(std::uint64_t examples, std::uint64_t seed = 0, const FormLimits& limits = {}) {
  return plan_random_suite({.seed = seed, .examples = examples, .limits = limits});
}

TEST(RandomCases, DependOnlyOnTheirIds) {
  const std::vector<PlannedCase> few = cases(20, 7);
  const std::vector<PlannedCase> many = cases(40, 7);
  ASSERT_EQ(many.size(), 40U);
  EXPECT_EQ(*many[39].id, "random/7/39");
  std::set<std::uint64_t> digests;
  for (std::size_t i = 0; i < few.size(); ++i) {
    EXPECT_EQ(few[i].id, many[i].id);
    EXPECT_EQ(few[i].read().id, *few[i].id);
    EXPECT_EQ(digest_of(few[i].read()), digest_of(many[i].read()));
    digests.insert(digest_of(few[i].read()));
    digests.insert(digest_of(cases(20, 8)[i].read()));
  }
  EXPECT_GT(digests.size(), 38U) << "another seed gives other cases";
}

std::vector<std::byte> x_of(const Case& tested) {
  const reference::Node node = bind_inputs(tested.model, tested.data_sets.front().inputs);
  return {node.inputs[0]->bytes().begin(), node.inputs[0]->bytes().end()};
}

TEST(RandomCases, KeepTheirNodesInFormsWithinTheLimits) {
  const FormLimits limits{.constant_scales_only = true, .static_shapes_only = true};
  const std::vector<PlannedCase> given = cases(200);
  const std::vector<PlannedCase> limited = cases(200, 0, limits);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Case before = given[i].read();
    const Case after = limited[i].read();
    EXPECT_TRUE(is_within(limits, form_named(after.form))) << after.id;
    EXPECT_EQ(limited[i].other_form(), before.form == after.form ? "" : after.form) << after.id;
    EXPECT_TRUE(x_of(before) == x_of(after)) << after.id;
    if (before.form != after.form) ++changed;
  }
  EXPECT_GT(changed, 20U);
}

/// The exempt ones concern padding, which random legal models do not set, files, and the products of graphs. For the
/// draft of 23, only a reading that is not the primary one has the question.
TEST(RandomCases, ReachClausesAndAmbiguities) {
  const std::set<std::string_view> exempt{"amb-division-of-the-draft-of-23",
                                          "amb-factor-precision",
                                          "amb-float4-layout",
                                          "amb-float6-padding",
                                          "amb-packed-zero-points",
                                          "amb-padding-of-2-bit-inputs",
                                          "amb-padding-of-inputs",
                                          "amb-padding-of-outputs",
                                          "onnx-6-bit-padding"};
  std::set<std::string_view> missing;
  for (const spec::Clause& clause : spec::clauses) missing.insert(clause.id);
  for (const spec::Ambiguity* ambiguity : spec::ambiguities) missing.insert(ambiguity->id);
  for (const PlannedCase& planned : cases(60'000)) {
    if (missing.size() == exempt.size()) break;
    const reference::Outcome outcome = interpret(planned.read()).front().outcome;
    for (std::size_t i = 0; i < outcome.cited.size(); ++i)
      if (outcome.cited.test(i)) missing.erase(spec::clauses[i].id);
    for (std::size_t i = 0; i < outcome.consulted.size(); ++i)
      if (outcome.consulted.test(i)) missing.erase(spec::ambiguities[i]->id);
  }
  EXPECT_EQ(missing, exempt);
}

TEST(RandomCases, ThatAreLegalPassTheFullCheckOfOnnx) {
  std::size_t legal = 0;
  for (const PlannedCase& planned : cases(is_nightly() ? 20'000 : 4000)) {
    const Case made = planned.read();
    const ReferenceOutcome interpreted = interpret(made).front();
    if (interpreted.outcome.result() == nullptr || interpreted.node.domain != spec::ai_onnx) continue;
    ++legal;
    EXPECT_EQ(complaint(made.model.bytes), "") << made.id;
  }
  EXPECT_GT(legal, 1600U);
}

/// Expects no problem.
void expect_passes(const std::vector<PlannedCase>& plan, const std::function<std::unique_ptr<Backend>()>& right,
                   const JudgeOptions& judge) {
  run(plan, right, {.judge = judge, .jobs = 2}, [](const CaseRecord& record) {
    EXPECT_FALSE(record.is_problem()) << *record.id << ": " << name(record.verdict) << ": " << *record.reason;
    return true;
  });
}

TEST(RandomCases, ArePassedByRightBackends) {
  constexpr JudgeOptions strict{.strict = true, .sign_of_zero = true};
  expect_passes(
      cases(1000, 3), [] { return std::make_unique<ReferenceBackend>(); }, strict);
  expect_passes(
      cases(1000, 3), [] { return std::make_unique<OptimizedBackend>(); }, strict);
}

/// A refusal shows something only with a control, also of a backend that follows another reading, or that takes no
/// scales at run time.
TEST(RandomCases, HaveControls) {
  for (const FormLimits& limits : {FormLimits{}, FormLimits{.constant_scales_only = true}}) {
    std::size_t rejected = 0;
    const auto make = [&] {
      return std::make_unique<LimitedBackend>(std::make_unique<ReferenceBackend>(),
                                              Capabilities{.constant_scales_only = limits.constant_scales_only});
    };
    run(cases(1000, 4, limits), make, {}, [&](const CaseRecord& record) {
      if (!record.must_reject()) return true;
      ++rejected;
      EXPECT_EQ(record.verdict, Verdict::pass) << *record.id << ": " << *record.reason;
      return true;
    });
    EXPECT_GT(rejected, 150U);
  }
}

TEST(RandomCases, AreNoFaultOfBackendsThatFollowPermittedReadings) {
  const std::size_t enough = is_nightly() ? 1000 : 40;
  std::vector<std::vector<PlannedCase>> consulting(spec::ambiguities.size());
  for (const PlannedCase& planned : cases(is_nightly() ? 50'000 : 3000)) {
    const reference::Outcome outcome = interpret(planned.read()).front().outcome;
    for (std::size_t a = 0; a < consulting.size(); ++a)
      if (outcome.consulted.test(a) && consulting[a].size() < enough) consulting[a].push_back(planned);
  }
  std::size_t followed = 0;
  for (std::size_t a = 0; a < consulting.size(); ++a)
    for (std::size_t r = 1; r < spec::ambiguities[a]->readings.size(); ++r) {
      const spec::ReadingInfo& reading = spec::ambiguities[a]->readings[r];
      const bool is_permitted_everywhere =
          reading.status != spec::ReadingStatus::rejected && reading.permitted_in.count == 0;
      if (!is_permitted_everywhere || consulting[a].empty()) continue;
      SCOPED_TRACE(reading.id);
      const auto follower = [&] { return std::make_unique<ReferenceBackend>(reference::Policy{}.with(a, r)); };
      expect_passes(consulting[a], follower, {});
      ++followed;
    }
  EXPECT_GT(followed, 40U);
}

TEST(RandomCases, FindWrongBackendsAndNameTheirCauses) {
  const std::vector<PlannedCase> plan = cases(1000);
  for (const char* name :
       {"rounds-half-away-from-zero", "ignores-axis", "ignores-zero-point", "divides-by-reciprocal"}) {
    const WrongModel* model = find_wrong_model(name);
    ASSERT_NE(model, nullptr) << name;
    const SelfTestResult result = test_wrong_model(*model, plan, 2);
    EXPECT_GE(result.wrong, 3U) << name;
    EXPECT_EQ(result.cause, name) << result.first;
  }
}

}  // namespace
}  // namespace touchstone::conformance::random_cases_test
