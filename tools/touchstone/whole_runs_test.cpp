// The tiers smoke and standard on the built-in backends, and the coverage of the cases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "conformance/effort_testing.h"
#include "conformance/plan/cell.h"
#include "optimized/isa.h"
#include "spec/clauses.h"
#include "tools/touchstone/program_testing.h"

namespace touchstone::tools::whole_runs_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// The report of a run with TOUCHSTONE_ISA set to `isa`, or not set if `isa` is null.
nlohmann::json report_of_run(const char* isa, std::vector<std::string> arguments) {
  const TemporaryDirectory scratch;
  arguments.insert(arguments.begin(), "run");
  const Outcome run = touchstone(scratch, arguments, [&] {
    if (isa != nullptr) ::setenv("TOUCHSTONE_ISA", isa, 1);
  });
  EXPECT_EQ(run.exit_code, 0) << run.out << run.error;
  return report_in(scratch.path() / "touchstone-report");
}

/// Passes all cases, except those of whose elements the specification decides none.
void expect_all_right(const nlohmann::json& report) {
  std::size_t open = 0;
  for (const nlohmann::json& record : report["cases"]) {
    EXPECT_EQ(record["verdict"], "not_shown") << record["id"];
    EXPECT_THAT(record["reason"].get<std::string>(), HasSubstr("leaves every element")) << record["id"];
    ++open;
  }
  EXPECT_EQ(verdicts_of(report)["pass"], report["summary"]["cases"].get<std::size_t>() - open);
  EXPECT_LT(open, 200U) << "of 122,133";
}

/// The tests of ONNX's authors, and the smoke tier of the generated suite.
TEST(Backends, PassTheSmokeTierOnEveryIsa) {
  struct Row {
    const char* backend;
    const char* isa;
    const char* description;
  };
  std::vector<Row> rows{{"reference", nullptr, "exact arithmetic"}, {"optimized", "portable", "portable kernels"}};
  if (optimized::is_available(optimized::Isa::avx2)) rows.push_back({"optimized", "avx2", "avx2 kernels"});
  for (const auto& [backend, isa, description] : rows) {
    const nlohmann::json report = report_of_run(isa, {"--tier", "smoke", "--backend", backend, "--quiet"});
    EXPECT_EQ(report["backend"]["name"], backend);
    EXPECT_THAT(report["backend"]["description"], HasSubstr(description));
    expect_all_right(report);
  }
}

/// Both complete suites: every legal cell and every clause has a case, and `optimized` passes with the primary
/// readings.
TEST(StandardTier, CoversEverythingAndPasses) {
  const TemporaryDirectory scratch;
  const Outcome run = touchstone(scratch, {"run", "--quiet", "--strict", "--sign-of-zero"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.error;
  const nlohmann::json report = report_in(scratch.path() / "touchstone-report");
  EXPECT_EQ(report["backend"]["name"], "optimized");
  EXPECT_EQ(report["summary"]["cells"]["covered"], conformance::count_legal_cells());
  expect_all_right(report);
  const Outcome all = touchstone(scratch, {"report", "touchstone-report", "--format", "json", "--all-cases"});
  std::set<std::string> clauses;
  const nlohmann::json listed = nlohmann::json::parse(all.out);
  for (const nlohmann::json& record : listed["cases"])
    for (const nlohmann::json& clause : record["clauses"]) clauses.insert(clause);
  for (const spec::Clause& clause : spec::clauses) EXPECT_TRUE(clauses.contains(std::string(clause.id))) << clause.id;
  std::uintmax_t reports = 0;
  for (const auto& file : fs::directory_iterator(scratch.path() / "touchstone-report"))
    if (file.path().filename() != conformance::journal_name) reports += file.file_size();
  EXPECT_LE(reports, 14'000'000U) << "most of them are the page";
  EXPECT_LE(fs::file_size(scratch.path() / "touchstone-report" / conformance::journal_name), 19'000'000U);
}

TEST(StandardTier, PassesOnPortableKernels) {
  if (!conformance::is_nightly()) GTEST_SKIP() << "by day, the tier smoke suffices";
  const nlohmann::json report = report_of_run("portable", {"--quiet", "--strict", "--sign-of-zero"});
  EXPECT_EQ(report["backend"]["description"], "native arithmetic, portable kernels");
  expect_all_right(report);
}

TEST(Coverage, CountsCases) {
  const TemporaryDirectory scratch;
  const Outcome all = touchstone(scratch, {"coverage", "--suite", "onnx"});
  EXPECT_THAT(all.out, AllOf(HasSubstr("137 of  34786 cells"), HasSubstr("ql-round-half-even")));
  const Outcome some = touchstone(scratch, {"coverage", "--suite", "onnx", "--of", "qdq-blocked"});
  EXPECT_THAT(some.out, AllOf(HasSubstr("onnx/1.22.0/test_dequantizelinear_blocked"), Not(HasSubstr("_axis"))));
  const std::string rule = "must_reject/attribute/axis";
  const Outcome of_rule = touchstone(scratch, {"coverage", "--filter", "*must_reject/attribute/*", "--of", rule});
  EXPECT_EQ(of_rule.out, "quantize_linear/10/" + rule + "\ndequantize_linear/10/" + rule +
                             "\nopmx/dequantize_linear/1/" + rule + "\n");
  const Outcome rules = touchstone(scratch, {"coverage", "--filter", "*must_reject/attribute/*"});
  EXPECT_THAT(rules.out, testing::ContainsRegex(rule + " +3 cases\n"));
  EXPECT_EQ(touchstone(scratch, {"coverage", "--of", "nothing"}).exit_code, 2);
}

TEST(Coverage, NamesWhatNoCaseCovers) {
  const TemporaryDirectory scratch;
  const Outcome some = touchstone(scratch, {"coverage", "--suite", "onnx", "--jobs", "1"});
  EXPECT_THAT(some.out, AllOf(HasSubstr("no case covers these 34649 cells:\n  quantize_linear/10/"),
                              HasSubstr("... and 34629 more; --uncovered shows all\n"),
                              HasSubstr("no case breaks these "), HasSubstr("  must_reject/attribute/axis\n")));
  const Outcome all = touchstone(scratch, {"coverage", "--suite", "onnx", "--jobs", "3", "--uncovered"});
  EXPECT_THAT(all.out, AllOf(HasSubstr("these 34649 cells"), Not(HasSubstr("--uncovered"))));
  EXPECT_GT(std::count(all.out.begin(), all.out.end(), '\n'), 34649);
  if (!conformance::is_nightly()) return;  // StandardTier counts cells and clauses by day
  const Outcome whole = touchstone(scratch, {"coverage"});
  EXPECT_THAT(whole.out, AllOf(HasSubstr("34786 of  34786 cells"), Not(HasSubstr("no case"))));
}

}  // namespace
}  // namespace touchstone::tools::whole_runs_test
