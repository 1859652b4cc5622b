#include "conformance/session/experiments.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "conformance/causes/causes.h"
#include "conformance/diagnose/computation.h"
#include "conformance/diagnose/hypotheses.h"
#include "conformance/generate/picker.h"
#include "conformance/judge/compare.h"
#include "conformance/judge/digests.h"
#include "conformance/session/experiment_case.h"

namespace touchstone::conformance {

using reference::Node;
using reference::Tensor;
using spec::ElementType;

namespace {

/// The limits of causes that are tested, of their cases that are varied, and of experiments with other values.
constexpr std::size_t most_causes = 24;
constexpr std::size_t most_bases = 4;
constexpr std::size_t most_experiments = 14;

/// A hypothesis that no rival shares is tested by so many.
constexpr std::size_t enough_experiments = 6;

/// How many models and inputs are made to choose an experiment from, and how many of few elements.
constexpr std::size_t most_tries = 12;
constexpr std::size_t most_tries_of_large = 2;
constexpr std::int64_t most_elements_of_many_tries = 512;

/// Larger cases are not varied: computing hypotheses for them takes longer than the backend.
constexpr std::int64_t most_elements_of_base = std::int64_t{1} << 17;

/// Two other causes are combined only if both are among the first ones, which explain the most cases.
constexpr std::size_t most_others_in_pairs = 6;

/// How often in succession the search may find nothing before it ends, and how often the backend may break down.
constexpr std::size_t most_misses = 6;
constexpr std::size_t most_breakdowns = 3;

/// How often the causes are found again because experiments refuted some.
constexpr std::size_t most_rounds = 3;

// ---- predictions

using Prediction = std::vector<std::optional<Tensor>>;  ///< the first output of each data set, unless it is rejected

bool shows(const std::string& hypothesis, const ExperimentCase& made, const JudgeOptions& judge) {
  const HypothesisOptions compared{.sign_of_zero = judge.sign_of_zero};
  return made.tested.model.graph != nullptr ? distinguishes_graph(hypothesis, made.tested, made.interpreted, compared)
                                            : distinguishes(hypothesis, made.interpreted, compared);
}

Prediction prediction(const std::string& hypothesis, const ExperimentCase& made) {
  const std::vector<const WrongModel*> models = find_hypothesis(hypothesis);
  Prediction outputs;
  for (std::size_t i = 0; i < made.interpreted.size(); ++i) {
    if (made.tested.model.graph != nullptr) {
      std::vector<Tensor> inputs;
      for (const NamedTensor& input : made.tested.data_sets[i].inputs) inputs.push_back(input.value);
      auto all = compute(*made.tested.model.graph, inputs, models, i);
      auto* computed = std::get_if<std::vector<reference::Output>>(&all);
      outputs.push_back(computed != nullptr ? std::optional(std::move(computed->front().value)) : std::nullopt);
      continue;
    }
    auto y = compute(made.interpreted[i].node, models, {i, made.interpreted.front().node.inputs});
    auto* tensor = std::get_if<Tensor>(&y);
    outputs.push_back(tensor != nullptr ? std::optional(std::move(*tensor)) : std::nullopt);
  }
  return outputs;
}

bool differ(const Prediction& one, const Prediction& other, const ExperimentCase& made) {
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i].has_value() != other[i].has_value()) return true;
    if (!one[i]) continue;
    const reference::Result& result = *made.interpreted[i].outcome.result();
    const bool has_form = one[i]->shape() == result.y.shape();
    if (!compare(*one[i], *other[i], {.sign_of_zero = false, .open = has_form ? &result.unspecified : nullptr}).none())
      return true;
  }
  return false;
}

// ---- the experiments of a cause

class CauseTest {
 public:
  CauseTest(const Cause& cause, std::span<const Cause> causes, std::span<const PlannedCase> plan,
            std::span<const CaseRecord> records, const ExperimentOptions& options)
      : first_id_(records[cause.cases.front()].id),
        plan_(plan),
        options_(options),
        tested_(rivals(cause, causes, records)),
        alive_(tested_) {
    for (const Cause& other : causes)
      if (!other.name.empty() && other.name != cause.name) others_.push_back(other.name);
    choose_bases(cause, records);
  }

  bool is_over() const { return is_over_; }

  /// Makes an experiment, and asks the backend. Throws BackendError.
  void step(Backend& backend, std::vector<Experiment>& experiments) {
    if (bases_.empty() || misses_ == most_misses || alive_.empty()) return finish(experiments);
    const ExperimentChange change = next_change();
    if (is_over_) return finish(experiments);
    const VariedCase& base = bases_[number_ % bases_.size()];
    const std::size_t number = number_++;
    if (options_.on_experiment) options_.on_experiment(plan_[base.place].id);
    const std::optional<ExperimentCase> chosen = choose(base, change, number, backend);
    if (!chosen) {
      if (change == ExperimentChange::values) ++misses_;
      return;
    }
    ask(*chosen, {.base = plan_[base.place].id, .number = number, .change = change}, backend, experiments);
  }

  /// Records why the experiments end.
  void end(ExperimentOutcome outcome, std::vector<Experiment>& experiments) {
    is_over_ = true;
    experiments.push_back({.base = first_id_, .number = number_, .outcome = outcome});
  }

 private:
  /// Small cases, of different circumstances if possible.
  void choose_bases(const Cause& cause, std::span<const CaseRecord> records) {
    std::set<std::pair<std::string, std::string>> seen;
    std::vector<std::size_t> places = cause.cases;
    std::ranges::stable_sort(places, {}, [&](std::size_t place) { return records[place].elements; });
    for (const bool may_be_alike : {false, true})
      for (const std::size_t place : places) {
        if (bases_.size() == most_bases) break;
        const CaseRecord& record = records[place];
        if (!record.flaky.empty()) is_flaky_ = true;
        const bool is_graph = !record.subject;
        if ((!is_graph && record.cells.empty()) || plan_[place].is_sweep() || !record.flaky.empty()) continue;
        if (std::ranges::find(bases_, place, &VariedCase::place) != bases_.end()) continue;
        std::string types;
        if (!is_graph) {
          const Cell& cell = record.cells->front();
          types = fmt::format("{} {} {}", spec::name(cell.x), spec::name(cell.y), spec::name(cell.granularity));
        }
        if (!seen.emplace(std::move(types), *record.form).second && !may_be_alike) continue;
        add_base(place, record);
      }
  }

  void add_base(std::size_t place, const CaseRecord& record) try {
    Case whole = plan_[place].read();
    if (whole.model.graph != nullptr) {
      bases_.push_back({.place = place, .graph = std::move(whole), .elements = record.elements});
      return;
    }
    const Cell& cell = record.cells->front();
    const std::size_t data_set = std::min<std::size_t>(record.data_set, whole.data_sets.size() - 1);
    Node node = bind_inputs(whole.model, whole.data_sets[data_set].inputs);
    const std::int64_t elements = node.inputs.front()->size();
    if (elements == 0 || elements > most_elements_of_base || node.inputs[1]->size() == 0) return;
    const Form* form = find_form(whole.form);
    bases_.push_back(
        {.place = place,
         .graph = {},
         .node = std::move(node),
         .form = form != nullptr ? form : &plain_form(),
         .kind = value_kind(cell),
         .is_per_axis = cell.granularity == spec::Granularity::per_axis && cell.version->domain == spec::ai_onnx,
         .elements = elements});
  } catch (const std::exception&) {  // a file that is gone
  }

  /// Other values until enough experiments agree, and then other circumstances.
  ExperimentChange next_change() {
    const bool has_enough = agreeing_ >= enough_experiments && (alive_.size() == 1 || agreeing_ >= most_experiments);
    if (!has_enough && values_ < most_experiments) return ExperimentChange::values;
    if (!has_shown_ || ++change_ == experiment_changes.size()) {
      is_over_ = true;
      return ExperimentChange::values;
    }
    return experiment_changes[change_].change;
  }

  /// Ends without more experiments, and says why if there was none that shows anything.
  void finish(std::vector<Experiment>& experiments) {
    is_over_ = true;
    if (has_shown_ || alive_.empty()) return;
    end(bases_.empty() && is_flaky_ ? ExperimentOutcome::unstable : ExperimentOutcome::none, experiments);
  }

  /// The model and inputs that separate the most hypotheses from the first one that is left, and that one from the
  /// specification; std::nullopt if none separates anything.
  std::optional<ExperimentCase> choose(const VariedCase& base, ExperimentChange change, std::size_t number,
                                       Backend& backend) const {
    Picker picker(fmt::format("{}/{}", plan_[base.place].id, number), options_.seed);
    std::optional<ExperimentCase> best;
    std::size_t best_score = 0;
    const std::size_t tries = base.elements > most_elements_of_many_tries ? most_tries_of_large : most_tries;
    for (std::size_t i = 0; i < tries; ++i) try {
        std::optional<ExperimentCase> one = vary(base, change, picker);
        if (!one || backend.declines(one->tested.model)) continue;
        const std::size_t score = score_of(*one, change);
        if (score <= best_score) continue;
        best_score = score;
        best = std::move(one);
        if (score == (change == ExperimentChange::values ? alive_.size() * 2 + 1 : 1)) break;  // it separates all
      } catch (const BackendError&) {
        throw;
      } catch (const std::exception&) {  // no such model can be written
      }
    return best;
  }

  /// 3 if the first hypothesis that is left differs from the specification, and 2 for each other that differs from it.
  std::size_t score_of(const ExperimentCase& one, ExperimentChange change) const {
    const std::size_t own = shows(alive_.front(), one, options_.judge) ? 1 : 0;
    if (change != ExperimentChange::values) return own;
    std::size_t separated = 0;
    if (alive_.size() > 1) {
      const Prediction first = prediction(alive_.front(), one);
      for (std::size_t i = 1; i < alive_.size(); ++i)
        if (differ(first, prediction(alive_[i], one), one)) ++separated;
    }
    return separated * 2 + own * 3;
  }

  void ask(const ExperimentCase& one, Experiment row, Backend& backend, std::vector<Experiment>& experiments) {
    Unit unit{one.tested.id, one.tested.model.bytes, {}};
    for (const DataSet& data : one.tested.data_sets) unit.inputs.emplace_back(data.inputs);
    const UnitAnswer answer = backend.run(unit);
    if (const std::optional<ExperimentOutcome> breakdown = breakdown_of(answer)) return end(*breakdown, experiments);
    row.verdict = judge(one.tested, one.interpreted, answer, options_.judge).verdict;
    if (row.verdict != Verdict::fail && (row.verdict != Verdict::pass || one.has_other_parameters)) {
      ++misses_;
      return;
    }
    const std::vector<std::string> others = others_in(one);
    // Without this hypothesis, other causes explain the answer as well.
    if (row.verdict == Verdict::fail && is_explained_with({}, others, one, answer)) {
      ++misses_;
      return;
    }
    row.tested = tested_;
    std::ranges::copy_if(tested_, std::back_inserter(row.consistent),
                         [&](const std::string& name) { return predicts(name, others, one, answer, row.verdict); });
    const bool agrees = std::ranges::find(row.consistent, alive_.front()) != row.consistent.end();
    if (!agrees || experiments_ == 0) {
      const UnitAnswer again = backend.run(unit);
      if (const std::optional<ExperimentOutcome> breakdown = breakdown_of(again)) return end(*breakdown, experiments);
      const auto digest = [&](const UnitAnswer& of) {
        return answer_digest(of, one.interpreted, options_.judge.sign_of_zero);
      };
      if (digest(again) != digest(answer)) return end(ExperimentOutcome::unstable, experiments);
    }
    misses_ = 0;
    ++experiments_;
    if (row.change == ExperimentChange::values) {
      ++values_;
      std::erase_if(alive_, [&](const std::string& name) {
        return std::ranges::find(row.consistent, name) == row.consistent.end();
      });
      agreeing_ = agrees ? agreeing_ + 1 : 0;
      has_shown_ = agrees ? has_shown_ || row.verdict == Verdict::fail : false;
    }
    experiments.push_back(std::move(row));
  }

  /// Whether the hypothesis predicts the answer, alone or together with one or two other causes of the run.
  bool predicts(const std::string& name, const std::vector<std::string>& others, const ExperimentCase& one,
                const UnitAnswer& answer, Verdict verdict) const {
    if (verdict == Verdict::pass) return !shows(name, one, options_.judge);
    return is_explained_by({name}, one, answer) || is_explained_with({name}, others, one, answer);
  }

  bool is_explained_by(const std::vector<std::string>& parts, const ExperimentCase& one,
                       const UnitAnswer& answer) const {
    return explains(fmt::format("{}", fmt::join(parts, "+")), one.tested, one.interpreted, answer,
                    {.sign_of_zero = options_.judge.sign_of_zero});
  }

  /// The hypotheses of other causes. Of a graph those that it shows: some permit many outputs, and so explain any by
  /// chance.
  std::vector<std::string> others_in(const ExperimentCase& one) const {
    std::vector<std::string> others;
    std::ranges::copy_if(others_, std::back_inserter(others), [&](const std::string& other) {
      return one.tested.model.graph == nullptr || shows(other, one, options_.judge);
    });
    return others;
  }

  /// Whether these hypotheses explain the answer together with one or two others.
  bool is_explained_with(std::vector<std::string> parts, const std::vector<std::string>& others,
                         const ExperimentCase& one, const UnitAnswer& answer) const {
    for (std::size_t i = 0; i < others.size(); ++i) {
      parts.push_back(others[i]);
      if (is_explained_by(parts, one, answer)) return true;
      for (std::size_t k = 0; k < std::min(i, most_others_in_pairs) && i < most_others_in_pairs; ++k) {
        parts.push_back(others[k]);
        if (is_explained_by(parts, one, answer)) return true;
        parts.pop_back();
      }
      parts.pop_back();
    }
    return false;
  }

  static std::optional<ExperimentOutcome> breakdown_of(const UnitAnswer& answer) {
    const auto of = [](const auto& one) -> std::optional<ExperimentOutcome> {
      const auto* breakdown = std::get_if<Breakdown>(&one);
      if (breakdown == nullptr) return std::nullopt;
      return breakdown->kind == Breakdown::Kind::timeout ? ExperimentOutcome::timeout : ExperimentOutcome::broken;
    };
    if (const auto* answers = std::get_if<std::vector<Answer>>(&answer)) {
      for (const Answer& one : *answers)
        if (const auto breakdown = of(one)) return breakdown;
      return std::nullopt;
    }
    return of(answer);
  }

  const std::string first_id_;
  const std::span<const PlannedCase> plan_;
  const ExperimentOptions& options_;
  const std::vector<std::string> tested_;
  std::vector<std::string> alive_;   ///< those of them that no experiment refutes
  std::vector<std::string> others_;  ///< the hypotheses of other causes
  std::vector<VariedCase> bases_;
  bool is_flaky_ = false;
  bool is_over_ = false;
  bool has_shown_ = false;       ///< whether the backend was wrong as the first one that is left predicts
  std::size_t number_ = 0;       ///< of the next experiment
  std::size_t experiments_ = 0;  ///< with an answer
  std::size_t values_ = 0;       ///< of them with other values in the same circumstances
  std::size_t agreeing_ = 0;     ///< of them those since the first one that is left is the first
  std::size_t misses_ = 0;
  std::size_t change_ = 0;  ///< the circumstances that were tried last
};

/// Makes the experiments of several causes in turn, until they are over, or the backend or the time ends it.
class Experimenter {
 public:
  Experimenter(const std::function<std::unique_ptr<Backend>()>& make_backend, const ExperimentOptions& options,
               std::vector<Experiment>& made)
      : make_backend_(make_backend), options_(options), made_(made) {}

  /// Returns whether more can be tested.
  bool run(std::vector<CauseTest>& tests) {
    while (std::ranges::any_of(tests, [](const CauseTest& test) { return !test.is_over(); }))
      for (CauseTest& test : tests)
        if (!test.is_over()) step(test);
    return !ended_;
  }

 private:
  void step(CauseTest& test) {
    if (!ended_ && options_.stop && options_.stop()) ended_ = ExperimentOutcome::no_time;
    const std::size_t before = made_.size();
    if (!ended_) {
      try {
        if (backend_ == nullptr) backend_ = make_backend_();
        test.step(*backend_, made_);
      } catch (const BackendError&) {
        ended_ = ExperimentOutcome::broken;
      }
    }
    if (ended_) return test.end(*ended_, made_);
    if (made_.size() == before) return;
    const ExperimentOutcome last = made_.back().outcome;
    if (last == ExperimentOutcome::timeout || (last == ExperimentOutcome::broken && ++breakdowns_ == most_breakdowns))
      ended_ = last;
  }

  const std::function<std::unique_ptr<Backend>()>& make_backend_;
  const ExperimentOptions& options_;
  std::vector<Experiment>& made_;
  std::unique_ptr<Backend> backend_;
  std::size_t breakdowns_ = 0;
  std::optional<ExperimentOutcome> ended_;  ///< why nothing more is asked
};

}  // namespace

std::vector<Experiment> make_experiments(std::span<const PlannedCase> plan, std::span<const CaseRecord> records,
                                         std::span<const Contradictions> contradictions,
                                         const std::function<std::unique_ptr<Backend>()>& make_backend,
                                         const ExperimentOptions& options) {
  std::vector<Experiment> made;
  Experimenter experimenter(make_backend, options, made);
  std::set<std::pair<std::string, std::string>> seen;  // causes, by their names and first cases
  for (std::size_t round = 0; round < most_rounds; ++round) {
    const std::vector<Cause> causes = find_causes(records, contradictions, made);
    std::vector<CauseTest> tests;
    for (const Cause& cause : causes)
      if (!cause.name.empty() && cause.experiments == 0 && tests.size() < most_causes &&
          seen.emplace(cause.name, cause.example).second)
        tests.emplace_back(cause, causes, plan, records, options);
    if (tests.empty() || !experimenter.run(tests)) break;
  }
  return made;
}

}  // namespace touchstone::conformance
