#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/run/rerun.h"
#include "conformance/run/runner.h"
#include "conformance/testing.h"

namespace touchstone::conformance::flake_check_test {
namespace {

using testing::ElementsAre;

std::vector<PlannedCase> plan_of(std::size_t cases) {
  std::vector<PlannedCase> plan;
  for (std::size_t i = 0; i < cases; ++i)
    plan.push_back({std::to_string(i), made_by({[i] { return per_axis_case(std::to_string(i)); }})});
  return plan;
}

UnitAnswer answer_with(std::uint64_t first_code) {
  Outputs outputs = per_axis_case().data_sets[0].expected;
  outputs[0].value.set_code(0, first_code);
  return std::vector<Answer>{outputs};
}

const UnitAnswer right = answer_with(10);
const UnitAnswer wrong = answer_with(11);
const UnitAnswer otherwise_wrong = answer_with(12);

/// The answer depends on the number of the backend, which counts from 0.
using AnswerOf = std::function<UnitAnswer(int backend)>;

struct Finished {
  std::vector<CaseRecord> records;
  int backends = 0;
};

Finished run_with(const AnswerOf& answer_of, const std::vector<PlannedCase>& plan) {
  Finished done;
  const auto make = [&]() -> std::unique_ptr<Backend> {
    return std::make_unique<FakeBackend>([&, number = done.backends++] { return answer_of(number); });
  };
  run(plan, make, {}, [&](CaseRecord record) {
    done.records.push_back(std::move(record));
    return true;
  });
  return done;
}

Finished run_with(const AnswerOf& answer_of, std::size_t cases = 1) { return run_with(answer_of, plan_of(cases)); }

TEST(FlakeCheck, SkipsCasesThatPassOrWereNotAsked) {
  EXPECT_EQ(run_with([](int) { return right; }).backends, 1);
  int made = 0;
  const auto make = [&]() -> std::unique_ptr<Backend> {
    ++made;
    auto backend = std::make_unique<FakeBackend>([] { return right; });
    backend->declined = Refusal{"static shapes only"};
    return backend;
  };
  run(plan_of(3), make, {}, [](const CaseRecord&) { return true; });
  EXPECT_EQ(made, 1);
}

TEST(FlakeCheck, NotesARefusalThatDoesNotRecur) {
  const Finished done =
      run_with([](int backend) { return backend == 0 ? UnitAnswer(Refusal{"out of memory at 0x7f01"}) : right; }, 5);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(done.records.at(i).verdict, Verdict::rejects_valid);
    EXPECT_EQ(done.records[i].flaky, i < 2 ? "pass when it was run again" : "") << i;
  }
}

TEST(FlakeCheck, ChecksTheFirstRefusalsForEachReasonIgnoringNumbers) {
  int refused = 0;
  int looked_at = 0;
  const Finished done = run_with(
      [&](int backend) -> UnitAnswer {
        if (backend > 0) ++looked_at;
        const int number = backend > 0 ? refused - 1 : refused++;
        return Refusal{(number % 2 == 0 ? "no kernel for shape " : "no type ") + std::to_string(number)};
      },
      20);
  EXPECT_EQ(looked_at, 4) << "two of each";
  for (const CaseRecord& record : done.records) EXPECT_EQ(record.flaky, "");
}

TEST(FlakeCheck, ChecksALimitedNumberOfReasons) {
  int looked_at = 0;
  int refused = 0;
  run_with(
      [&](int backend) -> UnitAnswer {
        if (backend > 0)
          ++looked_at;
        else
          ++refused;
        return Refusal{std::string(static_cast<std::size_t>(refused), 'x')};
      },
      100);
  EXPECT_EQ(looked_at, 64);
}

/// Each check may take as long as the time limit.
TEST(FlakeCheck, ChecksTheFirstTimeouts) {
  int looked_at = 0;
  const Finished done = run_with(
      [&](int backend) {
        if (backend > 0) ++looked_at;
        return UnitAnswer(Breakdown{Breakdown::Kind::timeout, "no answer"});
      },
      10);
  EXPECT_EQ(looked_at, 3);
  EXPECT_EQ(done.records.size(), 10U);
}

TEST(FlakeCheck, NotesNothingForTheSameResult) {
  const Finished done = run_with([](int) { return wrong; });
  EXPECT_EQ(done.backends, 2);
  EXPECT_EQ(done.records.at(0).verdict, Verdict::fail);
  EXPECT_EQ(done.records[0].flaky, "");
}

TEST(FlakeCheck, NotesAnotherResultAndKeepsTheVerdict) {
  const auto then = [](const UnitAnswer& first, const UnitAnswer& second) {
    return run_with([&](int backend) { return backend == 0 ? first : second; }).records.at(0);
  };
  EXPECT_EQ(then(wrong, right).verdict, Verdict::fail);
  EXPECT_EQ(then(wrong, right).flaky, "pass when it was run again");
  EXPECT_EQ(then(wrong, otherwise_wrong).flaky, "fail again, with other outputs");
  const Breakdown crash{Breakdown::Kind::crash, "gone"};
  EXPECT_EQ(then(crash, wrong).verdict, Verdict::crash);
  EXPECT_EQ(then(crash, wrong).flaky, "fail when it was run again");
  EXPECT_EQ(then(crash, crash).flaky, "");
}

/// The first x is NaN, which may become any integer. The last result is wrong.
TEST(FlakeCheck, LetsElementsDifferThatTheSpecificationLeavesOpen) {
  std::vector<PlannedCase> plan = plan_of(1);
  plan[0].source = made_by({[] {
    Case made = per_axis_case();
    made.data_sets[0].inputs[0].value.set_code(0, 0x7fc00000);
    return made;
  }});
  const auto answer = [](std::uint64_t of_nan, std::uint64_t last) {
    Outputs outputs = per_axis_case().data_sets[0].expected;
    outputs[0].value.set_code(0, of_nan);
    outputs[0].value.set_code(5, last);
    return UnitAnswer(std::vector<Answer>{outputs});
  };
  const CaseRecord same = run_with([&](int backend) { return answer(backend == 0 ? 7 : 8, 32); }, plan).records.at(0);
  EXPECT_EQ(same.verdict, Verdict::fail);
  EXPECT_EQ(same.flaky, "");
  const CaseRecord other = run_with([&](int backend) { return answer(7, backend == 0 ? 32 : 33); }, plan).records.at(0);
  EXPECT_EQ(other.flaky, "fail again, with other outputs");
}

TEST(FlakeCheck, StartsALimitedNumberOfBackends) {
  const Finished done = run_with([](int) { return wrong; }, 100);
  EXPECT_EQ(done.records.size(), 100U);
  EXPECT_EQ(done.backends, 1 + 16 + 2) << "the last of which look at 32 each";
}

TEST(FlakeCheck, DoesNothingWithoutASecondBackend) {
  int made = 0;
  std::vector<CaseRecord> records;
  const auto make = [&]() -> std::unique_ptr<Backend> {
    if (made++ > 0) throw BackendError("the device is taken");
    return std::make_unique<FakeBackend>([] { return wrong; });
  };
  run(plan_of(3), make, {}, [&](CaseRecord record) {
    records.push_back(std::move(record));
    return true;
  });
  EXPECT_EQ(records.size(), 3U);
  EXPECT_EQ(made, 2) << "it is tried once";
}

/// Logs the calls in their order.
class Scribe : public FakeBackend {
 public:
  explicit Scribe(std::vector<std::string>& log) : FakeBackend([] { return right; }), log_(log) {}
  void announce(const Unit& unit) override { log_.push_back("announce " + std::string(unit.case_id)); }
  UnitAnswer run(const Unit& unit) override {
    log_.push_back("run " + std::string(unit.case_id));
    return FakeBackend::run(unit);
  }

 private:
  std::vector<std::string>& log_;
};

TEST(Runner, AnnouncesCasesBeforeItWaitsForEarlierOnes) {
  std::vector<std::string> log;
  const auto make = [&] { return std::make_unique<Scribe>(log); };
  run(plan_of(4), make, {}, [](const CaseRecord&) { return true; });
  EXPECT_THAT(log,
              ElementsAre("announce 0", "announce 1", "announce 2", "run 0", "announce 3", "run 1", "run 2", "run 3"));
}

/// Runs the control after the case, even if other cases were announced in between.
TEST(Runner, RunsAControlWithoutAnnouncingIt) {
  std::vector<PlannedCase> plan = plan_of(4);
  const auto read = [] {
    Case made = per_axis_case("1");
    made.data_sets[0].inputs[1].value = tensor(spec::ElementType::float32, {2}, {0x3f800000, 0x40000000});
    made.data_sets[0].expected.clear();
    return made;
  };
  plan[1].source = made_by({read, [](const TakeCase& take) { take(per_axis_case()); }});
  std::vector<std::string> log;
  class Refuser : public Scribe {
   public:
    using Scribe::Scribe;
    UnitAnswer run(const Unit& unit) override {
      UnitAnswer answer = Scribe::run(unit);
      return unit.case_id == "1" ? Refusal{"no"} : answer;
    }
  };
  run(
      plan, [&] { return std::make_unique<Refuser>(log); }, {},
      [](const CaseRecord& record) {
        EXPECT_EQ(record.verdict, Verdict::pass) << *record.id;
        return true;
      });
  ASSERT_EQ(log.size(), 9U);
  EXPECT_THAT(log[6], testing::StartsWith("run control/"));
  log.erase(log.begin() + 6);
  EXPECT_THAT(log,
              ElementsAre("announce 0", "announce 1", "announce 2", "run 0", "announce 3", "run 1", "run 2", "run 3"));
}

TEST(Runner, AnnouncesTheNextCaseBeforeItWaits) {
  std::vector<std::string> log;
  const auto make = [&] { return std::make_unique<Scribe>(log); };
  run(plan_of(100), make, {}, [](const CaseRecord&) { return true; });
  for (int i = 0; i < 99; ++i) {
    const auto ran = std::ranges::find(log, "run " + std::to_string(i));
    EXPECT_LT(std::ranges::find(log, "announce " + std::to_string(i + 1)), ran) << i;
  }
}

TEST(Runner, EndsIfTheBackendCannotContinue) {
  const auto make = [] {
    return std::make_unique<FakeBackend>([]() -> UnitAnswer { throw BackendError("the device is lost"); });
  };
  EXPECT_THROW(run(plan_of(2), make, {}, [](const CaseRecord&) { return true; }), BackendError);
}

}  // namespace
}  // namespace touchstone::conformance::flake_check_test
