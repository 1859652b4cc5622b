#include "conformance/causes/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

#include "conformance/causes/example.h"
#include "conformance/causes/hypothesis_causes.h"
#include "conformance/causes/messages.h"
#include "conformance/causes/rules.h"
#include "conformance/causes/suggested_limits.h"
#include "conformance/causes/tested.h"
#include "conformance/diagnose/hypotheses.h"
#include "conformance/graphs/graph_parameters.h"
#include "conformance/plan/number.h"
#include "spec/clauses.h"

namespace touchstone::conformance {

namespace {

/// A rule must cover this share of a verdict's cases. Rules for fewer are not easier to read than messages.
constexpr std::size_t rules_share = 400;  // 1/400

/// The same for wrong values. Whether a defect shows depends on the values, so a few cases often have something in
/// common by chance.
constexpr std::size_t rules_share_of_values = 20;  // 1/20

/// Rules that cover less than this share of a verdict's cases have one cause if the backend gives the same message.
constexpr std::size_t small_rules_share = 100;  // 1/100

/// How often refuted hypotheses are replaced by others.
constexpr std::size_t most_replacements = 6;

/// The maximum number of types that the cause of a refused operator lists.
constexpr std::size_t most_types_shown = 6;

/// Messages without a rule have a cause each if there are few of them, or if they are among the most frequent and have
/// this share of a verdict's cases. The others share a cause.
constexpr std::size_t few_messages = 3;
constexpr std::size_t most_messages = 20;
constexpr std::size_t messages_share = 1000;  // 1/1000

/// A clause has its own cause if this share of the accepted invalid models violates it. The others share one.
constexpr std::size_t accepted_share = 10;  // 1/10

/// The clauses that at least one of the cases exercises.
std::vector<std::string_view> exercised(std::vector<std::string_view> clauses, std::span<const CaseRecord> records,
                                        const std::vector<std::size_t>& cases) {
  std::erase_if(clauses, [&](std::string_view clause) {
    return std::ranges::none_of(cases, [&](std::size_t place) {
      return std::ranges::find(records[place].clauses, clause) != records[place].clauses.end();
    });
  });
  return clauses;
}

bool is_problem(const CaseRecord& record) { return !is_permitted(record.verdict) && !record.declined; }

/// Rules with the cases that they cover, before they become causes.
struct Found {
  Rule rule;
  std::vector<std::size_t> cases;
  std::string_view message = {};
};

/// A rule for the cases of both rules, if they differ only in the values of one dimension; otherwise std::nullopt.
std::optional<Rule> union_of(const Rule& one, const Rule& other) {
  std::vector<Condition> only_one, only_other;
  std::ranges::set_difference(one.conditions, other.conditions, std::back_inserter(only_one));
  std::ranges::set_difference(other.conditions, one.conditions, std::back_inserter(only_other));
  if (only_one.empty() || only_other.size() != 1 || only_other.front().value.empty()) return std::nullopt;
  const auto has_dimension = [&](const Condition& row) { return row.dimension == only_other.front().dimension; };
  if (!std::ranges::all_of(only_one, has_dimension)) return std::nullopt;
  Rule both = one;
  both.conditions.push_back(only_other.front());
  std::ranges::sort(both.conditions);
  return both;
}

/// Makes the causes of a group of cases.
class GroupCauses {
 public:
  /// `others`: the cases that contradict a rule.
  GroupCauses(std::span<const CaseRecord> records, const CaseFacts& facts, const CaseSet& group, const CaseSet& others)
      : records_(records), facts_(facts), group_(group), others_(others) {
    for (const std::size_t place : places(group_)) all_.add(records[place]);
  }

  /// Adds one cause for all cases, which share something other than their location.
  void add_as_one(const Cause& like, std::vector<Cause>& causes) const {
    if (group_.any()) add_cause(like, where(), places(group_), causes);
  }

  /// The same for cases that share their location, in words.
  void add_as_one(const Cause& like, std::string where, std::vector<Cause>& causes) const {
    if (group_.any()) add_cause(like, std::move(where), places(group_), causes);
  }

  /// A few rules for all cases.
  std::string where() const {
    CaseSet rest = group_;
    std::vector<Found> found;
    for (RuleMatch& match : find_rules(facts_, group_, others_, {.most_rules = most_rules_of_one})) {
      Found one{.rule = std::move(match.rule), .cases = {}};
      if (!merge(found, one)) {
        if (found.size() == most_rules_shown) continue;
        found.push_back(std::move(one));
      }
      rest -= match.cases;
    }
    std::vector<std::string> rules;
    for (const Found& one : found) rules.push_back(in_words(one.rule));
    if (rest.any()) rules.push_back(rules.empty() ? common(places(rest)) : "and others");
    return fmt::format("{}", fmt::join(rules, "; "));
  }

  /// Adds a cause for each rule, and for each message of the rest. If the rules cover less than half of the cases with
  /// a message, they share its cause. Rules for few cases with the same message share one.
  void add_by_rules(const Cause& like, std::vector<Cause>& causes) const {
    if (group_.none()) return;
    const bool has_values = records_[group_.find_first()].verdict == Verdict::fail;
    const std::size_t share = has_values ? rules_share_of_values : rules_share;
    const RuleLimits limits{.least_cases = std::max<std::size_t>(2, group_.count() / share)};
    CaseSet rest = group_;
    std::vector<Found> found;
    for (RuleMatch& match : find_rules(facts_, group_, others_, limits)) {
      rest -= match.cases;
      Found one{std::move(match.rule), places(match.cases)};
      one.message = message_of_most(all_.groups_of(records_, one.cases));
      if (!merge(found, one)) found.push_back(std::move(one));
    }
    std::map<std::string, std::vector<Found>> by_message;
    for (Found& one : found) by_message[normalized_message(one.message)].push_back(std::move(one));
    CasesByMessage rest_by_message;
    for (const std::size_t place : places(rest)) rest_by_message[all_.normalized(records_[place])].push_back(place);
    for (auto& [message, rules] : by_message) {
      std::size_t covered = 0;
      for (const Found& one : rules) covered += one.cases.size();
      const auto others = has_values ? rest_by_message.end() : rest_by_message.find(message);
      if (others != rest_by_message.end() && covered < others->second.size()) {
        add_together(like, rules, std::move(others->second), causes);
        rest_by_message.erase(others);
        continue;
      }
      const auto small = std::ranges::stable_partition(rules, [&](const Found& one) {
        return has_values || one.cases.size() * small_rules_share >= group_.count();
      });
      if (small.size() > 1) {
        add_together(like, small, {}, causes);
        rules.erase(small.begin(), small.end());
      }
      for (Found& one : rules) add_cause(like, in_words(one.rule), std::move(one.cases), causes);
    }
    add_rest(rest_by_message, like, causes);
  }

 private:
  using CasesByMessage = std::map<std::string_view, std::vector<std::size_t>>;

  /// Merges rules that differ only in the values of one dimension, if the backend gives the same message.
  static bool merge(std::vector<Found>& found, const Found& one) {
    for (Found& other : found) {
      const std::optional<Rule> both = union_of(other.rule, one.rule);
      if (!both || normalized_message(other.message) != normalized_message(one.message)) continue;
      other.rule = *both;
      other.cases.insert(other.cases.end(), one.cases.begin(), one.cases.end());
      return true;
    }
    return false;
  }

  /// Adds one cause for the cases of these rules, and for others.
  void add_together(const Cause& like, std::span<const Found> rules, std::vector<std::size_t> others,
                    std::vector<Cause>& causes) const {
    std::vector<std::string> where;
    for (const Found& one : rules | std::views::take(most_rules_shown)) where.push_back(in_words(one.rule));
    if (!others.empty() || where.size() < rules.size()) where.emplace_back("and others");
    for (const Found& one : rules) others.insert(others.end(), one.cases.begin(), one.cases.end());
    add_cause(like, fmt::format("{}", fmt::join(where, "; ")), std::move(others), causes);
  }

  /// A message explains the cases that share it or have a similar one. Wrong values have no message from the backend.
  void add_rest(const CasesByMessage& by_message, Cause like, std::vector<Cause>& causes) const {
    std::vector<std::vector<std::size_t>> groups = groups_of_similar(by_message);
    like.is_by_message = true;
    std::vector<std::size_t> small;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const bool is_rare = i >= most_messages || groups[i].size() * messages_share < group_.count();
      if (is_rare && groups.size() > few_messages) {
        small.insert(small.end(), groups[i].begin(), groups[i].end());
        continue;
      }
      like.is_explained = groups[i].size() > 1 && records_[groups[i].front()].verdict != Verdict::fail;
      add_cause(like, common(groups[i]), groups[i], causes);
    }
    like.is_explained = false;
    if (!small.empty()) add_cause(like, common(small), small, causes);
  }

  /// The cases by their message, the most frequent first. Similar messages to one of the most frequent are the same.
  static std::vector<std::vector<std::size_t>> groups_of_similar(const CasesByMessage& by_message) {
    std::vector<std::pair<std::string_view, std::vector<std::size_t>>> order(by_message.begin(), by_message.end());
    std::ranges::stable_sort(order, std::greater(), [](const auto& row) { return row.second.size(); });
    std::vector<std::string_view> messages;
    std::vector<std::vector<std::size_t>> groups;
    for (auto& [message, cases] : order) {
      const auto frequent = messages | std::views::take(most_messages);
      const auto similar = std::ranges::find_if(frequent, [&](auto other) { return are_similar(message, other); });
      if (similar == frequent.end()) {
        messages.push_back(message);
        groups.push_back(std::move(cases));
      } else {
        std::vector<std::size_t>& group = groups[static_cast<std::size_t>(similar - frequent.begin())];
        group.insert(group.end(), cases.begin(), cases.end());
      }
    }
    std::ranges::stable_sort(groups, std::greater(), &std::vector<std::size_t>::size);
    return groups;
  }

  std::string common(const std::vector<std::size_t>& cases) const {
    CaseSet group(records_.size());
    for (const std::size_t place : cases) group.set(place);
    const Rule rule = common_conditions(facts_, group, others_);
    return rule.conditions.empty() ? "nothing that distinguishes these cases" : "some of: " + in_words(rule);
  }

  void add_cause(Cause cause, std::string where, std::vector<std::size_t> cases, std::vector<Cause>& causes) const {
    std::ranges::sort(cases);
    cause.where = std::move(where);
    const MessageGroups messages = all_.groups_of(records_, cases);
    cause.message = message_of_most(messages);
    cause.other_messages = messages.size() - 1;
    cause.cases = std::move(cases);
    causes.push_back(std::move(cause));
  }

  /// The message that best distinguishes the cases: many of them have it, and few others do.
  std::string_view message_of_most(const MessageGroups& messages) const {
    const auto most = std::ranges::max_element(messages, {}, [&](const auto& row) {
      const auto count = static_cast<double>(row.second.count);
      return count * count / static_cast<double>(all_.count(row.first));
    });
    return most->second.first;
  }

  const std::span<const CaseRecord> records_;
  const CaseFacts& facts_;
  const CaseSet& group_;
  const CaseSet& others_;
  Messages all_;
};

/// "gives models that violate onnx-known-attributes", of what a tool that rewrites models is told; empty for another
/// message.
std::string illegal_model(std::string_view message) {
  for (const std::string_view begin : {"the rewritten model is illegal: ", "the rewritten model is invalid: "}) {
    if (!message.starts_with(begin)) continue;
    const std::string_view clause = message.substr(begin.size(), message.find(':', begin.size()) - begin.size());
    return spec::find_clause(clause) != nullptr ? fmt::format("gives models that violate {}", clause)
                                                : "gives illegal models";
  }
  return "";
}

/// The failures whose outputs have a wrong type or shape, by what they have instead, and those whose models are
/// illegal.
std::map<std::string, CaseSet> wrong_forms(std::span<const CaseRecord> records) {
  std::map<std::string, CaseSet> forms;
  for (std::size_t place = 0; place < records.size(); ++place) {
    if (records[place].verdict != Verdict::fail) continue;
    const std::string_view message = message_of(records[place]);
    std::string form;
    if (message.starts_with("the type is "))
      form = fmt::format("gives outputs of another type: {}", message.substr(12, message.find(',', 12) - 12));
    else if (message.starts_with("the shape is "))
      form = "gives outputs of another shape";
    else if (form = illegal_model(message); form.empty())
      continue;
    CaseSet& cases = forms[form];
    if (cases.empty()) cases.resize(records.size());
    cases.set(place);
  }
  return forms;
}

/// ": QuantizeLinear, cases 'must_reject/type/scale'": which violations of the clause are accepted, if others are
/// rejected.
std::string where_accepted(std::span<const CaseRecord> records, std::string_view clause) {
  std::vector<CaseRecord> alike;
  std::ranges::copy_if(records, std::back_inserter(alike),
                       [&](const CaseRecord& record) { return record.violated_id() == clause && !record.declined; });
  // Each violation has one form and the attributes that it needs, so they say nothing more.
  for (CaseRecord& record : alike) record.form = {}, record.attributes = {};
  const CaseSet rejected = select(alike, [](const CaseRecord& record) { return is_pass(record.verdict); });
  if (rejected.none()) return "";
  const CaseSet accepted =
      select(alike, [](const CaseRecord& record) { return record.verdict == Verdict::accepts_invalid; });
  const CaseFacts facts(alike);
  return ": " + GroupCauses(alike, facts, accepted, rejected).where();
}

/// A cause for each clause whose violations are accepted most often, and one for the others.
void add_accepted(std::span<const CaseRecord> records, std::vector<Cause>& causes) {
  std::map<std::string_view, std::vector<std::size_t>> accepted;
  std::map<std::string_view, std::size_t> asked;
  for (std::size_t place = 0; place < records.size(); ++place) {
    const CaseRecord& record = records[place];
    if (!record.must_reject() || record.declined) continue;
    ++asked[record.violated->id];
    if (record.verdict == Verdict::accepts_invalid) accepted[record.violated->id].push_back(place);
  }
  std::size_t all = 0;
  for (const auto& [clause, cases] : accepted) all += cases.size();
  std::vector<std::pair<std::string_view, std::vector<std::size_t>>> clauses(accepted.begin(), accepted.end());
  std::ranges::stable_sort(clauses, std::greater(), [](const auto& row) { return row.second.size(); });
  auto others =
      std::ranges::find_if(clauses, [&](const auto& row) { return row.second.size() * accepted_share < all; });
  if (clauses.end() - others == 1) others = clauses.end();
  for (auto row = clauses.begin(); row != others; ++row)
    causes.push_back({.is_wrong = true,
                      .sentence = fmt::format("accepts models that violate {}", row->first),
                      .where = fmt::format("{} of {} such cases{}", row->second.size(), asked[row->first],
                                           where_accepted(records, row->first)),
                      .cases = std::move(row->second),
                      .clauses = {row->first}});
  if (others == clauses.end()) return;
  Cause rest{.is_wrong = true, .sentence = "accepts models that violate other clauses"};
  std::vector<std::string> where;
  for (auto row = others; row != clauses.end(); ++row) {
    where.push_back(fmt::format("{} ({} of {} cases)", row->first, row->second.size(), asked[row->first]));
    rest.clauses.push_back(row->first);
    rest.cases.insert(rest.cases.end(), row->second.begin(), row->second.end());
  }
  rest.where = fmt::format("{}", fmt::join(where, ", "));
  std::ranges::sort(rest.cases);
  causes.push_back(std::move(rest));
}

/// "from ort:basic on", "at every level", "from ort:basic on (wrong in another way below that)"; empty if it is not
/// known of any of the cases.
std::string levels_in_words(std::span<const CaseRecord> records, const std::vector<std::size_t>& cases) {
  std::set<std::string_view> lowest;
  bool has_all = false, is_wrong_below = true;
  for (const std::size_t place : cases) {
    const CaseRecord& record = records[place];
    if (record.lowest_level.empty()) continue;
    if (record.level_below.empty()) {
      has_all = true;
      continue;
    }
    lowest.insert(*record.lowest_level);
    is_wrong_below = is_wrong_below && record.wrong_below;
  }
  if (lowest.empty()) return has_all ? "at every level" : "";
  return fmt::format("{}from {} on{}", has_all ? "at every level, or " : "", fmt::join(lowest, " or "),
                     is_wrong_below ? " (wrong in another way below that)" : "");
}

/// "only as haswell", "in 2 of 3 cases only as haswell"; empty if on the host all answers are the same, or not known.
std::string processor_in_words(std::span<const CaseRecord> records, const std::vector<std::size_t>& cases) {
  std::size_t count = 0;
  std::string_view processor;
  for (const std::size_t place : cases) {
    if (records[place].only_as.empty()) continue;
    processor = *records[place].only_as;
    ++count;
  }
  if (count == 0) return "";
  const std::string share = count == cases.size() ? "" : fmt::format("in {} of {} cases ", count, cases.size());
  return fmt::format("{}only as {}", share, processor);
}

/// "Reshape of int4 or float8e4m3fn", from texts such as "Reshape of int4".
std::string operator_in_words(const std::set<std::string_view>& with_types) {
  const std::string_view first = *with_types.begin();
  const std::size_t start = first.rfind(" of ") + 4;
  std::vector<std::string_view> types;
  for (const std::string_view text : with_types | std::views::take(most_types_shown))
    types.push_back(text.substr(start));
  const std::size_t others = with_types.size() - types.size();
  return fmt::format("{}{}{}", first.substr(0, start), fmt::join(types, " or "),
                     others > 0 ? fmt::format(", and {} other types", others) : "");
}

/// A cause for each operator that is refused alone, too. Returns the other cases.
CaseSet add_other_operators(std::span<const CaseRecord> records, const CaseFacts& facts, CaseSet refused,
                            const CaseSet& answered, std::vector<Cause>& causes) {
  struct Group {
    CaseSet cases;
    std::set<std::string_view> with_types;
    std::set<std::string_view> patterns;
  };
  std::map<std::string_view, Group> by_operator;
  for (const std::size_t place : places(refused)) {
    const std::string_view text = *records[place].refused_operator;
    if (text.empty()) continue;
    Group& group = by_operator[text.substr(0, text.find(' '))];
    if (group.cases.empty()) group.cases.resize(records.size());
    group.cases.set(place);
    group.with_types.insert(text);
    group.patterns.insert(pattern_of(records[place].id));
  }
  for (const auto& [op, group] : by_operator) {
    refused -= group.cases;
    const std::string_view pattern = *group.patterns.begin();  // empty for graphs of other suites
    const std::string where = group.patterns.size() > 1 ? fmt::format("{} patterns", group.patterns.size())
                              : pattern.empty()         ? "graphs"
                                                        : fmt::format("pattern {}", pattern);
    GroupCauses(records, facts, group.cases, answered)
        .add_as_one({.sentence = "refuses " + operator_in_words(group.with_types)}, where, causes);
  }
  return refused;
}

std::vector<Cause> find_unless(std::span<const CaseRecord> records, std::span<const Contradictions> contradictions,
                               const CaseFacts& facts, const Refuted& refuted) {
  std::vector<Cause> causes;
  const CaseSet answered = select(records, is_answered);
  const CaseSet right =
      select(records, [](const CaseRecord& record) { return is_pass(record.verdict) && !record.must_reject(); });

  CaseSet failed = select(records, [](const CaseRecord& record) { return record.verdict == Verdict::fail; });
  failed = add_hypotheses(records, facts, contradictions, refuted, std::move(failed), causes);
  for (auto& [form, cases] : wrong_forms(records)) {
    cases &= failed;
    failed -= cases;
    GroupCauses(records, facts, cases, right).add_as_one({.is_wrong = true, .sentence = form}, causes);
  }
  GroupCauses(records, facts, failed, right).add_by_rules({.is_wrong = true, .sentence = "gives wrong values"}, causes);
  add_accepted(records, causes);

  struct Silent {
    Verdict verdict;
    Cause like;
  };
  for (const auto& [verdict, like] :
       {Silent{Verdict::crash, {.is_wrong = true, .sentence = "crashes"}},
        Silent{Verdict::timeout, {.is_wrong = true, .sentence = "does not answer in time"}},
        Silent{Verdict::rejects_valid, {.is_wrong = false, .sentence = "refuses"}}}) {
    CaseSet group = select(records, [verdict = verdict](const CaseRecord& record) {
      return is_problem(record) && record.verdict == verdict;
    });
    group = add_other_operators(records, facts, std::move(group), answered, causes);
    GroupCauses(records, facts, group, answered).add_by_rules(like, causes);
  }
  for (Cause& cause : causes) {
    if (!cause.name.empty()) cause.clauses = exercised(clauses_of(cause.name), records, cause.cases);
    for (const std::string& more : {levels_in_words(records, cause.cases), processor_in_words(records, cause.cases)})
      if (!more.empty()) cause.where += fmt::format("{}{}", cause.where.empty() ? "" : "; ", more);
  }
  std::ranges::stable_sort(causes, [](const Cause& one, const Cause& other) {
    return std::pair(!one.is_wrong, other.cases.size()) < std::pair(!other.is_wrong, one.cases.size());
  });
  return causes;
}

}  // namespace

std::string element_in_words(const WrongElement& wrong) {
  std::vector<std::string> operands;
  const auto append = [&](const char* operand, const std::optional<ElementCode>& element) {
    if (element) operands.push_back(fmt::format("{} {}", operand, decimal(element->type, element->code)));
  };
  append("x", wrong.x);
  append("scale", wrong.scale);
  append("zero point", wrong.zero_point);
  const std::string given =
      operands.empty() ? fmt::format("element {}", wrong.index) : fmt::format("{}", fmt::join(operands, ", "));
  return fmt::format("{}: expected {}, got {}", given, decimal(wrong.expected.type, wrong.expected.code),
                     decimal(wrong.actual.type, wrong.actual.code));
}

std::vector<Cause> find_causes(std::span<const CaseRecord> records, std::span<const Contradictions> contradictions,
                               std::span<const Experiment> experiments) {
  if (std::ranges::none_of(records, is_problem)) return {};
  const CaseFacts facts(records);
  Refuted refuted;
  std::vector<Cause> causes = find_unless(records, contradictions, facts, refuted);
  // What takes the place of a refuted hypothesis may be refuted as well.
  for (std::size_t i = 0; i < most_replacements && add_refuted(causes, records, experiments, refuted); ++i)
    causes = find_unless(records, contradictions, facts, refuted);
  for (Cause& cause : causes) {
    const Example example = example_of(cause, causes, records);
    cause.example = records[example.place].id;
    if (example.element) cause.example_element = element_in_words(*example.element);
  }
  describe_tests(causes, records, experiments, refuted);
  return causes;
}

}  // namespace touchstone::conformance
