#include "conformance/session/experiments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/causes/causes.h"
#include "conformance/diagnose/hypotheses.h"
#include "conformance/diagnose/testing.h"
#include "conformance/effort_testing.h"
#include "conformance/graphs/graph_builder.h"
#include "conformance/run/journal.h"
#include "conformance/run/runner.h"
#include "conformance/session/output_directory.h"
#include "conformance/session/run_session.h"
#include "conformance/testing.h"
#include "reference/testing.h"

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

/// With all defects of the hypothesis.
MakeBackend backend_of(const std::string& hypothesis) {
  return [models = find_hypothesis(hypothesis)] { return std::make_unique<WrongBackend>(models); };
}

/// The first graphs that the filter selects.
std::vector<PlannedCase> graphs(const std::string& text) {
  static const std::vector<PlannedCase> all = plan_graphs_suite({});
  const Filter where(text);
  std::vector<PlannedCase> plan;
  for (const PlannedCase& planned : all)
    if (plan.size() < 40 && where.matches(planned.id)) plan.push_back(planned);
  return plan;
}

/// A run of a backend, whose failures `hypotheses` explain, if there are any.
struct Tested {
  explicit Tested(const MakeBackend& make, const std::vector<std::string>& hypotheses = {},
                  std::vector<PlannedCase> cases = standard_cases(filter))
      : plan(std::move(cases)), make_backend(make) {
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

/// What a backend does, and another hypothesis that explains the same cases.
struct FalseName {
  std::string name;
  std::string truth;
  std::string graphs;  ///< the filter; empty: nodes
};

/// Under sanitizers, the first two: they differ from the others in the cases only.
TEST(Experiments, RefuteFalseNames) {
  std::size_t tried = 0;
  for (const auto& [name, truth, of_graphs] : {
           FalseName{"fuses-reciprocal-and-zero-point", "multiplies-by-reciprocal+adds-almost-half-and-truncates", ""},
           FalseName{"wraps-in-int16", "divides-in-float16+converts-huge-quotients-to-lowest-int32", ""},
           FalseName{"guesses-first-axis-that-fits", "takes-parameters-in-sequence", "graphs/dq_gather/*per_axis*"},
           FalseName{"merges-unlike-pairs-into-first", "merges-unlike-pairs-by-intersection",
                     "graphs/ql_dq_ql_dq_other/*f32/per_tensor*"},
           FalseName{"fuses-reciprocal-and-zero-point", "rescales-products-of-codes", "graphs/dq_mul_ql/*f32*"},
           FalseName{"saturates-to-lowest-if-negative", "saturates-to-highest-if-negative",
                     "graphs/dq_ql_other/*per_tensor*negative*"},
       }) {
    if (is_sanitized() && ++tried > 2) break;
    const Tested run(backend_of(truth), {name, truth}, of_graphs.empty() ? standard_cases(filter) : graphs(of_graphs));
    EXPECT_EQ(run.cause({}).tested, "not tested");
    const Cause cause = run.cause();
    EXPECT_EQ(cause.name, truth) << name;
    EXPECT_THAT(cause.tested, StartsWith("confirmed by ")) << truth;
    EXPECT_THAT(cause.one_of, IsEmpty());
  }
}

/// What onnxruntime 1.32.0 gives with all optimizations for these sums of dequantized int8.
TEST(Experiments, ComputeSumsOfCodesLikeOnnxRuntime) {
  using spec::ElementType;
  GraphBuilder g(*find_graph_parameters("graphs/dq_add_ql/10/i8/f32/per_tensor/zp/positive/same/initializers"), "sum",
                 0);
  const std::string one = g.constant(reference::tensor(ElementType::int8, {}, {1}));
  const auto quantization = [&](double scale) -> Quantization {
    return {.type = ElementType::int8, .scale = g.number(scale), .zero_point = one, .axis = {}};
  };
  const std::string a = g.dequantize({g.quantized_x({4}, {-5, -7, -5, 7}), quantization(0.25)});
  const std::string b = g.dequantize({g.quantized_x({4}, {6, 6, -5, -5}), quantization(0.5)});
  g.output(g.quantize({g.node("Add", {a, b}), quantization(1)}));
  const UnitAnswer answer = answer_of(find_hypothesis("rescales-sums-of-codes"), g.finish());
  const reference::Tensor& y = std::get<Outputs>(std::get<std::vector<Answer>>(answer).front()).front().value;
  EXPECT_EQ(y, reference::tensor(ElementType::int8, {4}, {2, 2, -4, 0}));
}

/// The right answers to graphs with other scales show that an optimizer leaves them alone.
TEST(Experiments, RefuteNothingByRightAnswersToGraphsWithOtherScales) {
  const std::string merges = "merges-unlike-pairs-into-first";
  Tested run(backend_of(merges), {merges}, graphs("graphs/ql_dq_ql_dq_other/*f32/per_tensor/*initializers"));
  ASSERT_EQ(run.cause({}).name, merges);
  std::set<std::string, std::less<>> models;
  for (std::size_t i = 0; i < run.plan.size(); ++i)
    if (run.records[i].verdict == Verdict::fail) models.insert(run.plan[i].read().model.bytes);
  run.make_backend = [&]() -> std::unique_ptr<Backend> {
    struct OnlyThese : WrongBackend {
      OnlyThese(const std::string& name, const std::set<std::string, std::less<>>& bytes)
          : WrongBackend({find_wrong_model(name)}), models(bytes) {}
      UnitAnswer run(const Unit& unit) override {
        return models.contains(unit.model) ? WrongBackend::run(unit) : WrongBackend({}).run(unit);
      }
      const std::set<std::string, std::less<>>& models;
    };
    return std::make_unique<OnlyThese>(merges, models);
  };
  EXPECT_EQ(run.cause().name, merges);
}

/// The result without zero point is another one, and per tensor it is right.
TEST(Experiments, SayInWhichCircumstancesAResultIsRight) {
  static constexpr WrongModel per_axis{
      .name = "only-per-axis",
      .group = WrongModelGroup::rounding,
      .sentence = "",
      .steps = [](Steps& steps) { steps.rounding = host::Rounding::half_away; },
      .where = [](const Place& place) { return place.node.inputs[1]->size() > 1 && place.node.inputs.size() > 2; }};
  const Tested run([] { return std::make_unique<WrongBackend>(std::vector{&per_axis}); });
  const Cause cause = run.cause();
  EXPECT_EQ(cause.name, half_away);
  EXPECT_THAT(cause.tested, testing::EndsWith(", also with graph inputs, not without zero point, not per tensor"));
}

/// Three defects meet in some cases: no saturation of int8, and one scale and zero point for negative axes.
TEST(Experiments, NameThreeDefectsOfOneBackend) {
  static constexpr WrongModel wraps{
      .name = "wraps-int8",
      .group = WrongModelGroup::range,
      .sentence = "",
      .steps = [](Steps& steps) { steps.wraps = true; },
      .where = [](const Place& place) { return place.y.type() == spec::ElementType::int8; }};
  static constexpr WrongModel first{.name = "first-of-negative-axis",
                                    .group = WrongModelGroup::scale,
                                    .sentence = "",
                                    .steps = [](Steps& steps) { steps.scale_of = steps.zero_point_of = Lookup::first; },
                                    .where =
                                        [](const Place& place) {
                                          const auto axis = place.node.attributes.find("axis");
                                          return axis != place.node.attributes.end() &&
                                                 std::get<std::int64_t>(axis->second) < 0;
                                        }};
  Tested run(
      [] {
        return std::make_unique<WrongBackend>(std::vector{find_wrong_model("rounds-half-up"), &wraps, &first});
      },
      {}, standard_cases("quantize_linear/2?/f32-f32-?8/per_*/zp/*:dequantize_linear/21/u8-f32-f32/*", 5));
  const std::vector<Contradictions> contradictions = find_contradictions(run.plan, run.records);
  const std::vector<Experiment> made = make_experiments(run.plan, run.records, contradictions, run.make_backend, {});
  std::map<std::string, std::string> places;
  std::size_t explained = 0;
  for (const Cause& cause : find_causes(run.records, contradictions, made)) {
    if (cause.name.empty()) continue;
    EXPECT_THAT(cause.tested, StartsWith("confirmed by ")) << cause.sentence;
    places[cause.name] = cause.where;
    explained += cause.cases.size();
  }
  EXPECT_THAT(places, SizeIs(3));
  EXPECT_THAT(places["uses-first-scale-and-zero-point"], HasSubstr("negative axis"));
  EXPECT_THAT(places["wraps-instead-of-saturating"], HasSubstr("int8"));
  EXPECT_TRUE(places.contains("rounds-half-up"));
  const auto wrong = std::ranges::count(run.records, Verdict::fail, &CaseRecord::verdict);
  EXPECT_GE(explained * 100, static_cast<std::size_t>(wrong) * 95);
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

/// What it confirmed before counts.
TEST(Experiments, KeepWhatABackendAnsweredBeforeItBreaksDown) {
  Tested run(backend_of(half_away));
  std::size_t asked = 0;
  run.make_backend = [&]() -> std::unique_ptr<Backend> {
    struct Dying : WrongBackend {
      Dying(std::size_t& count) : WrongBackend({find_wrong_model(half_away)}), asked(count) {}
      UnitAnswer run(const Unit& unit) override {
        if (++asked > 4) return Breakdown{Breakdown::Kind::crash, ""};
        return WrongBackend::run(unit);
      }
      std::size_t& asked;
    };
    return std::make_unique<Dying>(asked);
  };
  const Cause cause = run.cause();
  EXPECT_EQ(cause.name, half_away);
  EXPECT_EQ(cause.tested, "confirmed by 3 experiments; no more, because the backend broke down in an experiment");
}

/// A refusal shows nothing, and the search for another model ends.
TEST(Experiments, EndIfTheBackendRefusesAllModels) {
  Tested run(backend_of(half_away));
  run.make_backend = [] { return std::make_unique<FakeBackend>([] { return Refusal{"busy"}; }); };
  EXPECT_EQ(run.cause().tested, "not tested: no other model or inputs were found in which it shows");
}

TEST(Experiments, EndWhenTheTimeIsOver) {
  const Tested run(backend_of(half_away));
  EXPECT_EQ(run.cause(run.experiments({.stop = [] { return true; }})).tested,
            "not tested: the time for experiments was used up");
  std::size_t asked = 0;  // a slow backend
  EXPECT_EQ(run.cause(run.experiments({.stop = [&] { return ++asked > 2; }})).tested, "confirmed by 2 experiments");
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
