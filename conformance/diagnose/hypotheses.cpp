#include "conformance/diagnose/hypotheses.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cctype>
#include <cmath>
#include <deque>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

#include "conformance/diagnose/computation.h"
#include "conformance/diagnose/graph_hypotheses.h"
#include "conformance/judge/alternatives.h"
#include "conformance/judge/compare.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

using reference::Node;
using reference::Policy;
using reference::Tensor;

namespace {

using Models = std::span<const WrongModel* const>;
using Elements = std::vector<std::int64_t>;
using Codes = std::vector<std::optional<std::uint64_t>>;

/// Besides those, some that may also reject a node.
const Consulted& ambiguities_of_values() {
  static const Consulted set = Consulted(ambiguities_that_reject_nothing())
                                   .set(spec::ambiguity_index<spec::PrecisionValues>)
                                   .set(spec::ambiguity_index<spec::E8m0ScaleWithoutPrecision>);
  return set;
}

bool same_code(spec::ElementType type, std::uint64_t left, std::uint64_t right, bool sign_of_zero) {
  if (left == right) return true;
  if (spec::is_integer(type)) return false;
  const double left_number = host::decode(type, left);
  const double right_number = host::decode(type, right);
  if (std::isnan(left_number)) return std::isnan(right_number);
  return !sign_of_zero && left_number == 0 && right_number == 0;
}

bool has_form_of(const Tensor& left, const Tensor& right) {
  return left.type() == right.type() && left.shape() == right.shape();
}

/// Whether all readings of the models concern only values of nodes that are not rejected.
bool concern_only_values(Models models) {
  return std::ranges::all_of(models, [](const WrongModel* model) {
    return !model->reading || ambiguities_of_values().test(model->reading->ambiguity);
  });
}

/// Whether one of the models reads anything past the end of the parameters. Such elements alone show nothing.
bool reads_past_end(Models models) {
  return std::ranges::any_of(models, [](const WrongModel* model) {
    Steps steps;
    if (model->steps != nullptr) model->steps(steps);
    return steps.scale_of == Lookup::by_last_axis;
  });
}

/// Nodes of the data sets, prepared under a policy.
class PreparedCase {
 public:
  /// The nodes as they are, under the primary readings.
  explicit PreparedCase(const std::vector<ReferenceOutcome>& interpreted) {
    for (const ReferenceOutcome& row : interpreted)
      prepared_.push_back(std::make_unique<PreparedNode>(row.node, row.outcome));
  }

  /// The nodes after the changes of these models, some of which are empty if there is none.
  PreparedCase(const PreparedCase& right, const std::vector<std::optional<Node>>& changed, const Policy& policy,
               bool is_structural) {
    for (std::size_t i = 0; i < changed.size(); ++i) {
      const Node& node = changed[i] ? *changed[i] : right[i].node();
      prepared_.push_back(changed[i] || is_structural ? std::make_unique<PreparedNode>(node, policy)
                                                      : std::make_unique<PreparedNode>(right[i], policy));
    }
  }

  /// The same nodes under a policy that differs only in readings that concern values.
  PreparedCase(const PreparedCase& other, const Policy& policy) {
    for (const auto& prepared : other.prepared_) prepared_.push_back(std::make_unique<PreparedNode>(*prepared, policy));
  }

  const PreparedNode& operator[](std::size_t data_set) const { return *prepared_[data_set]; }

 private:
  std::vector<std::unique_ptr<PreparedNode>> prepared_;
};

/// A case, the permitted readings under which hypotheses are tried, and its nodes under each of them.
class Subject {
 public:
  explicit Subject(const std::vector<ReferenceOutcome>& interpreted) : interpreted_(interpreted) {
    for (const ReferenceOutcome& row : interpreted) {
      consulted_ |= row.outcome.consulted;
      is_rejected_ = is_rejected_ || row.outcome.result() == nullptr;
    }
    const spec::OperatorVersion& version = reference::operator_version(interpreted.front().node);
    for (const Choice& choice : alternatives(version, consulted_ & ambiguities_of_values(), {}))
      if (!is_refusal(choice) && choice.ambiguity != spec::ambiguity_index<spec::NanToInteger>)
        choices_.push_back(choice);
    right_.emplace_back(interpreted);
    for (const Choice& choice : choices_) right_.emplace_back(right_.front(), conformance::policy_of({&choice, 1}));
  }

  /// The right nodes. Policy 0 has the primary readings.
  const PreparedCase& right(std::size_t policy) const { return right_[policy]; }

  /// Whether the models can have an effect on this element of a data set.
  bool concerns(Models models, std::size_t data_set, std::int64_t element) const {
    bool has_other_changes = false;
    for (const WrongModel* model : models) {
      if (model->reading && !consulted_.test(model->reading->ambiguity)) return false;
      has_other_changes = has_other_changes || model->reading || model->before != nullptr;
    }
    const reference::Result* form = right(0)[data_set].form();
    if (has_other_changes || form == nullptr || element >= form->y.size()) return true;
    return concern(models, {interpreted_[data_set].node, form->y, element, data_set});
  }

  /// Calls `use` with the nodes of the hypothesis under each policy until it returns true. Returns whether it did.
  template <class Use>
  bool for_each_policy(Models models, const Use& use) const {
    const bool has_reading =
        std::ranges::any_of(models, [](const WrongModel* model) { return model->reading.has_value(); });
    const bool may_change =
        std::ranges::any_of(models, [](const WrongModel* model) { return model->before != nullptr; });
    if (!has_reading && !may_change) {
      for (std::size_t policy = 0; policy < right_.size(); ++policy)
        if (use(right(policy), policy)) return true;
      return false;
    }

    std::vector<std::optional<Node>> changed(interpreted_.size());
    bool has_changed = false;
    for (std::size_t i = 0; may_change && i < interpreted_.size(); ++i) {
      changed[i] = interpreted_[i].node;
      if (change(*changed[i], models, {i, interpreted_.front().node.inputs}))
        has_changed = true;
      else
        changed[i].reset();
    }
    const bool only_before = std::ranges::all_of(models, [](const WrongModel* model) {
      return model->before != nullptr && !model->reading && model->steps == nullptr && model->source == nullptr;
    });
    if (only_before && !has_changed) return false;

    const bool is_structural = !concern_only_values(models) || (has_reading && is_rejected_);
    const PreparedCase base(right(0), changed, policy_of(models), is_structural);
    if (use(base, 0)) return true;
    for (std::size_t policy = 1; policy < right_.size(); ++policy) {
      const Policy permitted = conformance::policy_of({&choices_[policy - 1], 1});
      if (use(PreparedCase(base, policy_of(models, permitted)), policy)) return true;
    }
    return false;
  }

 private:
  /// The permitted readings that reject a node whose form others accept.
  static bool is_refusal(const Choice& choice) {
    return choice == Choice{spec::ambiguity_index<spec::E8m0ScaleWithoutPrecision>,
                            spec::E8m0ScaleWithoutPrecision::invalid} ||
           choice.ambiguity == spec::ambiguity_index<spec::PrecisionValues>;
  }

  const std::vector<ReferenceOutcome>& interpreted_;
  Consulted consulted_;
  bool is_rejected_ = false;
  std::vector<Choice> choices_;
  std::deque<PreparedCase> right_;
};

// ---- a failing case

/// The output of a data set. Elements that the primary readings leave open are in neither list.
struct Observed {
  std::size_t data_set;
  const Tensor* actual;
  Elements wrong;
  Elements right;
  Elements samples;  ///< some wrong and right ones, to look at first
};

constexpr std::size_t most_samples = 8;  ///< of wrong elements, and of right ones
constexpr std::size_t first_samples = 2;
// For the search for combinations.
constexpr std::size_t most_wrong_in_parts = 64;
constexpr std::size_t most_right_in_parts = 32;

/// At most `most` of the elements, spread over all of them; the first and the last one included.
Elements spread(const Elements& elements, std::size_t most) {
  if (elements.size() <= most) return elements;
  Elements chosen;
  for (std::size_t k = 0; k < most; ++k) chosen.push_back(elements[k * (elements.size() - 1) / (most - 1)]);
  return chosen;
}

Observed observe(std::size_t data_set, const reference::Outcome& outcome, const Tensor& actual, bool sign_of_zero) {
  const reference::Result* right = outcome.result();
  const bool is_comparable = right != nullptr && has_form_of(right->y, actual);
  Observed observed{data_set, &actual, {}, {}, {}};
  for (std::int64_t i = 0; i < actual.size(); ++i) {
    if (is_comparable && right->unspecified[static_cast<std::size_t>(i)]) continue;
    const bool is_right = is_comparable && same_code(actual.type(), right->y.code(i), actual.code(i), sign_of_zero);
    (is_right ? observed.right : observed.wrong).push_back(i);
  }
  const Elements of_wrong = spread(observed.wrong, most_samples);
  const Elements of_right = spread(observed.right, most_samples);
  for (std::size_t k = 0; k < most_samples; ++k) {
    if (k < of_wrong.size()) observed.samples.push_back(of_wrong[k]);
    if (k < of_right.size()) observed.samples.push_back(of_right[k]);
  }
  return observed;
}

class Search {
 public:
  Search(const Case& tested, const std::vector<ReferenceOutcome>& interpreted, const std::vector<Answer>& answers,
         const HypothesisOptions& options)
      : subject_(interpreted), options_(options) {
    for (std::size_t i = 0; i < answers.size() && i < interpreted.size(); ++i) {
      const auto* outputs = std::get_if<Outputs>(&answers[i]);
      if (outputs == nullptr || outputs->size() != 1) continue;
      // Like the judge, accepts an output without a name.
      const std::string& name = outputs->front().name;
      if (!name.empty() && name != tested.model.graph_outputs.front()) continue;
      observed_.push_back(observe(i, interpreted[i].outcome, outputs->front().value, options.sign_of_zero));
    }
    // Data sets with wrong elements exclude most hypotheses.
    std::ranges::stable_partition(observed_, [](const Observed& one) { return !one.wrong.empty(); });
  }

  std::vector<std::string> find() {
    std::vector<std::string> names;
    if (observed_.empty() || observed_.front().wrong.empty()) return names;
    for (const WrongModel& model : hypotheses()) {
      const WrongModel* one = &model;
      if (names.size() < options_.most_named && explains({&one, 1})) names.emplace_back(model.name);
    }
    return names.empty() ? find_combinations() : names;
  }

  bool explains(Models models) const {
    if (observed_.empty() || observed_.front().wrong.empty()) return false;
    const Observed& decisive = observed_.front();
    const bool is_open_past_end = reads_past_end(models);
    if (!subject_.concerns(models, decisive.data_set, decisive.samples.front())) return false;
    return subject_.for_each_policy(models, [&](const PreparedCase& prepared, std::size_t) {
      return std::ranges::all_of(observed_, [&](const Observed& one) { return has_form(prepared, one); }) &&
             std::ranges::all_of(observed_,
                                 [&](const Observed& one) {
                                   const std::span samples(one.samples);
                                   const std::size_t first = std::min(first_samples, samples.size());
                                   return gives(models, prepared, one, samples.first(first)) &&
                                          gives(models, prepared, one, samples.subspan(first));
                                 }) &&
             std::ranges::all_of(observed_, [&](const Observed& one) { return gives_all(models, prepared, one); }) &&
             (!is_open_past_end || determines_a_wrong_element(models, prepared));
    });
  }

 private:
  bool determines_a_wrong_element(Models models, const PreparedCase& prepared) const {
    return std::ranges::any_of(observed_, [&](const Observed& one) {
      const Codes codes = prepared[one.data_set].codes(models, one.data_set, one.wrong);
      return std::ranges::any_of(codes, [](const auto& code) { return code.has_value(); });
    });
  }

  static bool has_form(const PreparedCase& prepared, const Observed& one) {
    const reference::Result* form = prepared[one.data_set].form();
    return form != nullptr && has_form_of(form->y, *one.actual);
  }

  bool gives_all(Models models, const PreparedCase& prepared, const Observed& one) const {
    constexpr std::size_t part = 256;
    for (const Elements* elements : {&one.wrong, &one.right})
      for (std::size_t start = 0; start < elements->size(); start += part) {
        const std::span<const std::int64_t> rest = std::span(*elements).subspan(start);
        if (!gives(models, prepared, one, rest.first(std::min(part, rest.size())), elements == &one.wrong))
          return false;
      }
    return true;
  }

  /// `are_wrong`: a combination of three must determine these elements. Otherwise one that gives NaN everywhere
  /// explains all integers.
  bool gives(Models models, const PreparedCase& prepared, const Observed& one, std::span<const std::int64_t> elements,
             bool are_wrong = false) const {
    const Codes codes = prepared[one.data_set].codes(models, one.data_set, elements);
    for (std::size_t k = 0; k < elements.size(); ++k) {
      if (!codes[k] && are_wrong && models.size() > 2) return false;
      if (!is_given(codes[k], one, elements[k])) return false;
    }
    return true;
  }

  bool is_given(const std::optional<std::uint64_t>& code, const Observed& one, std::int64_t element) const {
    return !code || same_code(one.actual->type(), *code, one.actual->code(element), options_.sign_of_zero);
  }

  // ---- combinations

  using Samples = std::bitset<most_wrong_in_parts + most_right_in_parts>;
  using Combination = std::vector<const WrongModel*>;

  /// A hypothesis by itself, for the samples of the first data set.
  struct Part {
    const WrongModel* model;
    Samples changed;    ///< samples that it changes
    Samples explained;  ///< wrong samples that it changes and explains
  };

  /// The samples that a pair can get like the backend: those that one of the two explains or both change, and the right
  /// ones that neither or both change. Only an estimate, because one may move what the other one changes.
  std::size_t likelihood(const Part& first, const Part& second, const Samples& wrong) const {
    const Samples both = first.changed & second.changed;
    const Samples neither = ~(first.changed | second.changed);
    return ((wrong & (first.explained | second.explained | both)) | (~wrong & (neither | both))).count();
  }

  /// Tries the likeliest pairs, and if none explains the outputs, extends those that come closest. One of a pair must
  /// explain some wrong elements alone, and each part must have an effect.
  std::vector<std::string> find_combinations() const {
    const Observed& observed = observed_.front();
    Elements samples = spread(observed.wrong, most_wrong_in_parts);
    Samples wrong;
    for (std::size_t k = 0; k < samples.size(); ++k) wrong.set(k);
    std::ranges::copy(spread(observed.right, most_right_in_parts), std::back_inserter(samples));
    const PreparedCase& right_case = subject_.right(0);
    const Codes right = has_form(right_case, observed)
                            ? right_case[observed.data_set].codes({}, observed.data_set, samples)
                            : Codes(samples.size());
    std::vector<Part> parts;
    for (const WrongModel& model : hypotheses())
      if (const auto part = part_of(model, samples, right)) parts.push_back(*part);
    struct Pair {
      std::size_t likelihood;
      Combination models;
    };
    std::vector<Pair> pairs;
    for (std::size_t first = 0; first < parts.size(); ++first)
      for (std::size_t second = first + 1; second < parts.size(); ++second)
        if ((parts[first].explained | parts[second].explained).any())
          pairs.push_back({likelihood(parts[first], parts[second], wrong), {parts[first].model, parts[second].model}});
    std::ranges::stable_sort(pairs, std::ranges::greater(), &Pair::likelihood);
    pairs.resize(std::min(options_.most_pairs, pairs.size()));
    std::vector<Combination> combinations;
    for (const Pair& pair : pairs) combinations.push_back(pair.models);
    std::vector<std::string> names = explaining(combinations);
    return names.empty() ? explaining(extended(combinations, parts, samples)) : names;
  }

  /// The names of those that explain the outputs.
  std::vector<std::string> explaining(const std::vector<Combination>& combinations) const {
    std::vector<std::string> names;
    for (const Combination& models : combinations) {
      if (names.size() == options_.most_named) break;
      if (!explains(models)) continue;
      std::vector<std::string_view> own;
      for (const WrongModel* model : models) own.push_back(model->name);
      names.push_back(fmt::format("{}", fmt::join(own, "+")));
    }
    return names;
  }

  /// The pairs that give the most samples like the backend, each with every other part.
  std::vector<Combination> extended(std::vector<Combination> pairs, const std::vector<Part>& parts,
                                    const Elements& samples) const {
    std::vector<std::pair<std::size_t, Combination>> order;
    for (Combination& pair : pairs) order.emplace_back(given_samples(pair, samples), std::move(pair));
    std::ranges::stable_sort(order, std::ranges::greater(), &std::pair<std::size_t, Combination>::first);
    order.resize(std::min(options_.most_extended, order.size()));
    std::vector<Combination> combinations;
    for (const auto& [given, pair] : order)
      for (const Part& part : parts) {
        if (std::ranges::find(pair, part.model) != pair.end()) continue;
        combinations.push_back(pair);
        combinations.back().push_back(part.model);
        // A combination has the same name, whichever part came first.
        std::ranges::sort(combinations.back());
      }
    std::set<Combination> known;
    std::erase_if(combinations, [&](const Combination& one) { return !known.insert(one).second; });
    return combinations;
  }

  /// The number of samples of the first data set that the models give under the primary readings.
  std::size_t given_samples(Models models, const Elements& samples) const {
    const Observed& observed = observed_.front();
    std::size_t given = 0;
    subject_.for_each_policy(models, [&](const PreparedCase& prepared, std::size_t) {
      if (!has_form(prepared, observed)) return true;
      const Codes codes = prepared[observed.data_set].codes(models, observed.data_set, samples);
      for (std::size_t k = 0; k < codes.size(); ++k) given += is_given(codes[k], observed, samples[k]) ? 1 : 0;
      return true;  // only under the primary readings
    });
    return given;
  }

  /// std::nullopt if the model has no effect on the samples under the primary readings.
  std::optional<Part> part_of(const WrongModel& model, const Elements& samples, const Codes& right) const {
    const WrongModel* one = &model;
    const Models models(&one, 1);
    const Observed& observed = observed_.front();
    if (std::ranges::none_of(samples, [&](std::int64_t i) { return subject_.concerns(models, observed.data_set, i); }))
      return std::nullopt;
    Part part{&model, {}, {}};
    subject_.for_each_policy(models, [&](const PreparedCase& prepared, std::size_t) {
      if (prepared[observed.data_set].form() == nullptr) return true;
      if (!has_form(prepared, observed)) {
        part.changed.set();
        return true;
      }
      const Codes codes = prepared[observed.data_set].codes(models, observed.data_set, samples);
      for (std::size_t k = 0; k < codes.size(); ++k) {
        part.changed[k] = codes[k] != right[k];
        part.explained[k] = part.changed[k] && is_given(codes[k], observed, samples[k]);
      }
      return true;  // only under the primary readings
    });
    return part.changed.any() ? std::optional(part) : std::nullopt;
  }

  Subject subject_;
  const HypothesisOptions& options_;
  std::vector<Observed> observed_;
};

/// Whether the hypothesis gives another answer to a data set than a right implementation.
bool differs(Models models, const PreparedNode& wrong, const PreparedNode& right, std::size_t run, bool sign_of_zero) {
  if (wrong.form() == nullptr || right.form() == nullptr) return wrong.form() != right.form();
  const Tensor& y = right.form()->y;
  if (!has_form_of(wrong.form()->y, y)) return true;
  constexpr std::int64_t part = 256;
  for (std::int64_t start = 0; start < y.size(); start += part) {
    Elements elements(static_cast<std::size_t>(std::min(part, y.size() - start)));
    std::iota(elements.begin(), elements.end(), start);
    const Codes given = wrong.codes(models, run, elements);
    const Codes wanted = right.codes({}, run, elements);
    for (std::size_t k = 0; k < elements.size(); ++k)
      if (given[k] && wanted[k] && !same_code(y.type(), *given[k], *wanted[k], sign_of_zero)) return true;
  }
  return false;
}

/// A sentence of the register in the form of the bank's: "Takes the row." as "takes the row".
std::string as_predicate(std::string_view sentence) {
  std::string text(sentence.substr(0, sentence.find_last_not_of('.') + 1));
  text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
  return text;
}

/// Adds the readings of this status that no row of the bank follows. `texts` keeps their names and sentences.
void add_readings(spec::ReadingStatus status, std::vector<WrongModel>& models, std::deque<std::string>& texts) {
  for (std::size_t a = 0; a < spec::ambiguities.size(); ++a)
    for (std::size_t r = 0; r < spec::ambiguities[a]->readings.size(); ++r) {
      const spec::ReadingInfo& reading = spec::ambiguities[a]->readings[r];
      const bool has_row = std::ranges::any_of(wrong_models(), [&](const WrongModel& model) {
        return model.reading == Choice{a, r};
      });
      if (reading.status != status || has_row) continue;
      const std::string& id = texts.emplace_back(fmt::format("{}:{}", spec::ambiguities[a]->id, reading.id));
      const std::string& sentence = texts.emplace_back(as_predicate(reading.sentence));
      models.push_back(
          {.name = id, .group = WrongModelGroup::other_reading, .sentence = sentence, .reading = Choice{a, r}});
    }
}

/// Right cases may contradict them, as they contradict hypotheses.
std::span<const WrongModel> permitted_readings() {
  static std::deque<std::string> texts;
  static const std::vector<WrongModel> all = [] {
    std::vector<WrongModel> found;
    add_readings(spec::ReadingStatus::permitted, found, texts);
    return found;
  }();
  return all;
}

}  // namespace

std::span<const WrongModel> hypotheses() {
  static std::deque<std::string> texts;
  static const std::vector<WrongModel> all = [] {
    std::vector<WrongModel> found(wrong_models().begin(), wrong_models().end());
    add_readings(spec::ReadingStatus::rejected, found, texts);
    return found;
  }();
  return all;
}

namespace {

/// A hypothesis on nodes or on graphs, a permitted reading, or null.
const WrongModel* find_one(std::string_view name) {
  for (const std::span<const WrongModel> part : {hypotheses(), wrong_graphs(), permitted_readings()})
    if (const auto found = std::ranges::find(part, name, &WrongModel::name); found != part.end()) return &*found;
  return nullptr;
}

}  // namespace

std::vector<const WrongModel*> find_hypothesis(std::string_view name) {
  std::vector<const WrongModel*> found;
  for (std::size_t start = 0; start <= name.size();) {
    const std::size_t end = std::min(name.find('+', start), name.size());
    const WrongModel* part = find_one(name.substr(start, end - start));
    if (part == nullptr) return {};
    found.push_back(part);
    start = end + 1;
  }
  return found;
}

std::string sentence_of(std::string_view hypothesis) {
  std::string sentence;
  for (const WrongModel* model : find_hypothesis(hypothesis))
    sentence += fmt::format("{}{}", sentence.empty() ? "" : "; ", model->sentence);
  return sentence;
}

std::vector<std::string_view> clauses_of(std::string_view hypothesis) {
  std::vector<std::string_view> clauses;
  for (const WrongModel* model : find_hypothesis(hypothesis))
    for (const std::string_view clause : clauses_of(*model))
      if (std::ranges::find(clauses, clause) == clauses.end()) clauses.push_back(clause);
  return clauses;
}

std::vector<std::string> explaining_hypotheses(const Case& tested, const std::vector<ReferenceOutcome>& interpreted,
                                               const UnitAnswer& answer, const HypothesisOptions& options) {
  const auto* answers = std::get_if<std::vector<Answer>>(&answer);
  if (answers == nullptr || interpreted.empty()) return {};
  if (tested.model.graph != nullptr) return explaining_graph_hypotheses(tested, interpreted, *answers, options);
  return Search(tested, interpreted, *answers, options).find();
}

bool explains(std::string_view hypothesis, const Case& tested, const std::vector<ReferenceOutcome>& interpreted,
              const UnitAnswer& answer, const HypothesisOptions& options) {
  const auto* answers = std::get_if<std::vector<Answer>>(&answer);
  const std::vector<const WrongModel*> models = find_hypothesis(hypothesis);
  if (answers == nullptr || interpreted.empty() || models.empty()) return false;
  if (tested.model.graph != nullptr) return explains_graph(models, tested, interpreted, *answers, options);
  return Search(tested, interpreted, *answers, options).explains(models);
}

bool distinguishes(std::string_view hypothesis, const std::vector<ReferenceOutcome>& interpreted,
                   const HypothesisOptions& options) {
  const std::vector<const WrongModel*> models = find_hypothesis(hypothesis);
  if (models.empty() || interpreted.empty()) return false;
  const Subject subject(interpreted);
  std::size_t tried = 0;
  const bool agrees_once = subject.for_each_policy(models, [&](const PreparedCase& wrong, std::size_t policy) {
    ++tried;
    for (std::size_t i = 0; i < interpreted.size(); ++i)
      if (differs(models, wrong[i], subject.right(policy)[i], i, options.sign_of_zero)) return false;
    return true;
  });
  return !agrees_once && tried > 0;
}

}  // namespace touchstone::conformance
