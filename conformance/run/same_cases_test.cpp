// Whether a journal has the cases of a plan.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/judge/digests.h"
#include "conformance/judge/oracle.h"
#include "conformance/run/journal.h"
#include "conformance/run/journal_samples_testing.h"
#include "conformance/run/journal_testing.h"
#include "conformance/run/runner.h"
#include "conformance/testing.h"

namespace touchstone::conformance::same_cases_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

PlannedCase planned(const std::string& id) {
  return {.id = id, .source = made_by({[id] { return per_axis_case(id); }}), .is_from_files = id.starts_with("onnx/")};
}

Journal journal_of(const std::vector<PlannedCase>& plan) {
  Journal journal;
  journal.run = sample_info();
  journal.run.plan_hash = plan_hash(plan, journal.run.tier, journal.run.seed, journal.run.settings());
  for (const PlannedCase& row : plan) {
    CaseRecord done;
    done.id = row.id;
    done.verdict = Verdict::pass;
    done = ReadCase(row).description;
    done.verdict = Verdict::pass;
    journal.records.push_back(done);
  }
  return journal;
}

TEST(CheckSameCases, NamesTheDifference) {
  const std::vector<PlannedCase> plan{planned("onnx/a"), planned("onnx/b"), planned("generated/c")};
  const Journal journal = journal_of(plan);
  const auto check = [](const Journal& with, const std::vector<PlannedCase>& now) {
    return failure_of([&] { check_same_cases("j", with.run, with.records, now); });
  };
  EXPECT_NO_THROW(check_same_cases("j", journal.run, journal.records, plan));
  EXPECT_THAT(check(journal, {plan[0], plan[1]}), HasSubstr("generated/c, and the plan now ends before it"));
  EXPECT_THAT(check(journal, {plan[0], plan[2]}), HasSubstr("onnx/b where the plan now has generated/c"));
  std::vector<PlannedCase> longer = plan;
  longer.push_back(planned("d"));
  Journal hostile = journal;
  hostile.records[0].id = "a\n::error::";
  EXPECT_THAT(check(hostile, plan), HasSubstr(R"(the case a\x0a::error:: where the plan)"));
  hostile = journal;
  hostile.run.plan_hash = "0\n::error::";
  EXPECT_THAT(check(hostile, plan), HasSubstr(R"(with the hash 0\x0a::error::; now)"));
  EXPECT_THAT(check(journal, longer), HasSubstr("plan of 3 cases"));
  EXPECT_THAT(check(journal, longer), HasSubstr("now there are 4"));

  std::vector<PlannedCase> unreadable = plan;
  unreadable[1].source = made_by({[]() -> Case { throw FileError("b/model.onnx", "missing"); }});
  EXPECT_THAT(check(journal, unreadable), HasSubstr("onnx/b"));
  EXPECT_THAT(check(journal, unreadable), HasSubstr("b/model.onnx: missing"));
  Journal changed = journal;
  changed.records[1].digest.bytes[0] ^= 1;
  EXPECT_THAT(check(changed, plan), HasSubstr("onnx/b is another case"));
  changed = journal;
  changed.records[2].digest.bytes[0] ^= 1;
  EXPECT_THAT(check(changed, plan), HasSubstr("generated/c is another case"));
}

TEST(CheckSameCases, ComparesEveryCase) {
  std::vector<PlannedCase> plan{planned("onnx/a")};
  for (int i = 0; i < 120; ++i) plan.push_back(planned("generated/" + std::to_string(i)));
  Journal journal = journal_of(plan);
  EXPECT_NO_THROW(check_same_cases("j", journal.run, journal.records, plan));
  for (std::size_t changed = 0; changed < plan.size(); ++changed) {
    Journal other = journal;
    other.records[changed].digest.bytes[0] ^= 1;
    EXPECT_THAT(failure_of([&] { check_same_cases("j", other.run, other.records, plan); }),
                HasSubstr(std::string(plan[changed].id) + " is another case"));
  }
  for (const std::size_t changed : {17U, 18U, 90U}) journal.records[changed].digest.bytes[0] ^= 1;
  std::size_t compared = 0;
  const CaseComparison comparison{.jobs = 4, .on_case = [&](std::string_view) { ++compared; }};
  EXPECT_THAT(failure_of([&] { check_same_cases("j", journal.run, journal.records, plan, "", comparison); }),
              HasSubstr(std::string(plan[17].id) + " is another case"))
      << "the first one, with any number of threads";
  EXPECT_EQ(compared, plan.size());
  journal.records.resize(17);
  EXPECT_NO_THROW(check_same_cases("j", journal.run, journal.records, plan));
  const std::function<void(CaseRecord&)> edits[]{
      [](CaseRecord& row) { row.violated = &spec::clauses.front(); },
      [](CaseRecord& row) { row.elements = 100000; },
      [](CaseRecord& row) { row.masked = 1; },
      [](CaseRecord& row) {
        row.shape = {7, 7, 7};
      },
      [](CaseRecord& row) { row.subject.quantized_type = spec::ElementType::int8; },
      [](CaseRecord& row) { row.cells = {}; },
      [](CaseRecord& row) { row.clauses = {}; },
      [](CaseRecord& row) { row.form = "nonsense"; },
      [](CaseRecord& row) {
        row.attributes = {{"axis", 7}};
      },
  };
  for (const auto& edit : edits) {
    Journal other = journal;
    edit(other.records[3]);
    EXPECT_THAT(failure_of([&] { check_same_cases("j", other.run, other.records, plan); }),
                HasSubstr("its types, shape, form, cells, clauses or numbers of elements are others now"));
  }
}

TEST(CheckSameCases, ComparesExpectedOutputs) {
  PlannedCase other = planned("onnx/a");
  other.source = made_by({[] {
    Case made = per_axis_case("onnx/a");
    made.data_sets[0].expected[0].value.set_code(0, 11);
    return made;
  }});
  Journal journal = journal_of({planned("onnx/a"), planned("onnx/b")});
  EXPECT_THAT(failure_of([&] {
                check_same_cases("j", journal.run, journal.records, std::vector{other, planned("onnx/b")});
              }),
              HasSubstr("onnx/a is another case"));
  // It was not run yet, but would be judged by other outputs than the run that began.
  const PlannedCase b{.id = "onnx/b", .source = other.source, .is_from_files = true};
  journal.records.resize(1);
  EXPECT_THAT(failure_of([&] {
                check_same_cases("j", journal.run, journal.records, std::vector{planned("onnx/a"), b});
              }),
              HasSubstr("some were added, removed, renamed or changed"));
}

/// For example because there was not enough memory for it.
TEST(CheckSameCases, AcceptsAGeneratedCaseThatCouldNotBeMade) {
  const std::vector<PlannedCase> plan{planned("generated/a")};
  Journal journal = journal_of(plan);
  CaseRecord failed;
  failed.id = plan[0].id;
  failed.verdict = Verdict::harness_error;
  failed.reason = "std::bad_alloc";
  journal.records[0] = failed;
  EXPECT_NO_THROW(check_same_cases("j", journal.run, journal.records, plan));
}

TEST(CheckSameCases, AcceptsACaseThatStillCannotBeRead) {
  PlannedCase unreadable = planned("onnx/a");
  unreadable.source = made_by({[]() -> Case { throw FileError("a/model.onnx", "missing"); }});
  Journal journal = journal_of({planned("onnx/a")});
  journal.run.plan_hash = plan_hash({unreadable}, journal.run.tier, journal.run.seed, journal.run.settings());
  ReferenceBackend reference;
  journal.records[0] = run_case(unreadable, reference);
  EXPECT_EQ(journal.records[0].verdict, Verdict::harness_error);
  EXPECT_NO_THROW(check_same_cases("j", journal.run, journal.records, std::vector{unreadable}));
  EXPECT_THAT(failure_of([&] { check_same_cases("j", journal.run, journal.records, std::vector{planned("onnx/a")}); }),
              HasSubstr("it can be read now, and could not: a/model.onnx: missing"));
}

}  // namespace
}  // namespace touchstone::conformance::same_cases_test
