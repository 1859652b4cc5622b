#include "conformance/session/experiments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/causes/causes.h"
#include "conformance/diagnose/testing.h"
#include "conformance/run/journal.h"
#include "conformance/run/runner.h"
#include "conformance/session/output_directory.h"
#include "conformance/session/run_session.h"
#include "conformance/testing.h"

namespace touchstone::conformance::experiments_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

const std::string half_away = "rounds-half-away-from-zero";
const std::string away = "rounds-away-from-zero";  // comes first, because of its name
const std::string filter = "quantize_linear/21/f32-f32-u8/*/zp/values";

using MakeBackend = std::function<std::unique_ptr<Backend>()>;

MakeBackend backend_of(const std::string& name) {
  return [model = find_wrong_model(name)] { return std::make_unique<WrongBackend>(std::vector{model}); };
}

/// A run of a backend, whose failures `hypotheses` explain, if there are any.
struct Tested {
  explicit Tested(const MakeBackend& make, const std::vector<std::string>& hypotheses = {})
      : plan(standard_cases(filter)), make_backend(make) {
    run(plan, make, {}, [&](CaseRecord record) {
      if (record.verdict == Verdict::fail && !hypotheses.empty()) record.hypotheses = hypotheses;
      records.push_back(std::move(record));
      return true;
    });
  }

  std::vector<Experiment> experiments(const ExperimentOptions& options = {}) const {
    return make_experiments(plan, records, {}, make_backend, options);
  }
  Cause cause(const std::vector<Experiment>& experiments) const { return find_causes(records, {}, experiments).at(0); }
  Cause cause() const { return cause(experiments()); }

  std::vector<PlannedCase> plan;
  MakeBackend make_backend;
  std::vector<CaseRecord> records = {};
};

TEST(Experiments, ConfirmWhatTheBackendDoes) {
  const Cause cause = Tested(backend_of(half_away)).cause();
  EXPECT_EQ(cause.name, half_away);
  EXPECT_THAT(cause.tested, StartsWith("confirmed by "));
  EXPECT_THAT(cause.tested, HasSubstr("without zero point"));
  EXPECT_GE(cause.experiments, 6U);
  EXPECT_THAT(cause.one_of, IsEmpty());
}

TEST(Experiments, ReplaceARefutedHypothesisByTheNextOne) {
  const Tested run(backend_of(half_away), {away, half_away});
  EXPECT_EQ(run.cause({}).name, away);
  EXPECT_EQ(run.cause({}).tested, "not tested");
  const Cause cause = run.cause();
  EXPECT_EQ(cause.name, half_away);
  EXPECT_THAT(cause.tested, StartsWith("confirmed by "));
}

TEST(Experiments, LeaveACauseWithoutANameIfTheyRefuteAllHypotheses) {
  const Tested run(backend_of(half_away), {away});
  const Cause cause = run.cause();
  EXPECT_EQ(cause.name, "");
  EXPECT_EQ(cause.sentence, "gives wrong values");
  EXPECT_EQ(cause.tested, "experiments refute: rounds every fraction away from zero");
}

TEST(Experiments, NameAllHypothesesThatTheyDoNotSeparate) {
  const Tested run(backend_of(half_away), {away, half_away});
  const Experiment one{.base = run.cause({}).example,
                       .verdict = Verdict::fail,
                       .tested = {away, half_away},
                       .consistent = {away, half_away}};
  const Cause cause = run.cause({one});
  EXPECT_THAT(cause.one_of, ElementsAre(away, half_away));
  EXPECT_EQ(cause.sentence, "one of: rounds every fraction away from zero; or rounds half away from zero");
  EXPECT_EQ(cause.tested, "confirmed by 1 experiment");
}

TEST(Experiments, ShowNothingOfABackendThatChangesItsAnswers) {
  Tested run(backend_of(half_away));
  std::size_t asked = 0;
  run.make_backend = [&]() -> std::unique_ptr<Backend> {
    struct Alternating : WrongBackend {
      Alternating(std::size_t& count) : WrongBackend({find_wrong_model(half_away)}), asked(count) {}
      UnitAnswer run(const Unit& unit) override {
        return asked++ % 2 == 0 ? WrongBackend::run(unit) : WrongBackend({}).run(unit);
      }
      std::size_t& asked;
    };
    return std::make_unique<Alternating>(asked);
  };
  const Cause cause = run.cause();
  EXPECT_EQ(cause.name, half_away);
  EXPECT_EQ(cause.tested, "not tested: the backend gives other answers to the same model and inputs");
}

TEST(Experiments, EndIfTheBackendBreaksDown) {
  Tested run(backend_of(half_away));
  const auto tested_with = [&](const std::function<UnitAnswer()>& answer) {
    run.make_backend = [&] { return std::make_unique<FakeBackend>(answer); };
    return run.cause().tested;
  };
  EXPECT_EQ(tested_with([] {
              return Breakdown{Breakdown::Kind::crash, ""};
            }),
            "not tested: the backend broke down in an experiment");
  EXPECT_EQ(tested_with([]() -> UnitAnswer { throw BackendError("unplugged"); }),
            "not tested: the backend broke down in an experiment");
  EXPECT_EQ(tested_with([] {
              return Breakdown{Breakdown::Kind::timeout, ""};
            }),
            "not tested: the backend did not answer an experiment in time");
  run.make_backend = []() -> std::unique_ptr<Backend> { throw BackendError("does not start"); };
  EXPECT_EQ(run.cause().tested, "not tested: the backend broke down in an experiment");
}

TEST(Experiments, EndWhenTheTimeIsOver) {
  const Tested run(backend_of(half_away));
  EXPECT_EQ(run.cause(run.experiments({.stop = [] { return true; }})).tested,
            "not tested: the time for experiments was used up");
}

TEST(Experiments, DependOnlyOnTheSeed) {
  const Tested run(backend_of(half_away), {away, half_away});
  EXPECT_EQ(run.experiments({.seed = 5}), run.experiments({.seed = 5}));
}

TEST(Experiments, AreInTheJournalForLaterReports) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "experiments_in_journal";
  std::filesystem::remove_all(path);
  RunSession session(new_run_in(path, /*overwrite=*/false), {.options = {.suites = {"generated"}, .seed = 3},
                                                             .cases = standard_cases(filter),
                                                             .backend = backend_of(half_away)(),
                                                             .make_backend = backend_of(half_away)});
  session.run({}, {}, [](const CaseRecord&, std::size_t) {});
  std::size_t asked = 0;
  session.make_experiments([] { return false; }, [&](const std::string&) { ++asked; });
  const Summary summary = session.summarize();
  session.write_results(summary, 0);
  const Journal journal = read_journal(path / journal_name);
  EXPECT_THAT(journal.experiments, SizeIs(testing::AllOf(testing::Gt(0U), testing::Le(asked))));
  EXPECT_EQ(journal.records.size(), session.cases().size());
  const std::vector<Cause> causes = find_causes(journal.records, journal.contradictions, journal.experiments);
  ASSERT_THAT(causes, Not(IsEmpty()));
  EXPECT_THAT(causes[0].tested, StartsWith("confirmed by "));
  EXPECT_EQ(causes[0].tested, summary.causes.at(0).tested);
}

}  // namespace
}  // namespace touchstone::conformance::experiments_test
