#include "conformance/causes/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <tuple>
#include <utility>

#include "conformance/causes/example.h"
#include "conformance/causes/rules.h"
#include "conformance/causes/suggested_limits.h"
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

/// A hypothesis is a cause only if it explains this share of the failures. If it explains fewer, it is likely a
/// coincidence, because many hypotheses explain a case with few wrong elements.
constexpr std::size_t hypotheses_share = 500;  // 1/500

/// The number of hypotheses that experiments separate from that of a cause, and of those that a cause lists.
constexpr std::size_t most_rivals = 11;
constexpr std::size_t most_alternatives = 3;

/// How often refuted hypotheses are replaced by others.
constexpr std::size_t most_replacements = 6;

/// The maximum number of rules that locate a cause, and of those that it shows. Rules that differ only in the values of
/// one dimension are shown as one.
constexpr std::size_t most_rules_of_one = 12;
constexpr std::size_t most_rules_shown = 4;

/// The maximum number of types that the cause of a refused operator lists.
constexpr std::size_t most_types_shown = 6;

/// Messages without a rule have a cause each if there are few of them, or if they are among the most frequent and have
/// this share of a verdict's cases. The others share a cause.
constexpr std::size_t few_messages = 3;
constexpr std::size_t most_messages = 20;
constexpr std::size_t messages_share = 1000;  // 1/1000

/// Messages of at least this many words are similar if they differ in one.
constexpr std::size_t long_message = 8;

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

bool is_word(char character) { return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_'; }

/// Whether a word means an element type, in the spelling of any framework: float16, UINT8, bfloat16, FLOAT8E4M3FN, f32.
bool is_type_name(std::string_view word) {
  std::string lower;
  std::ranges::transform(word, std::back_inserter(lower), [](unsigned char c) { return std::tolower(c); });
  for (const std::string_view start : {"bfloat", "float", "uint", "int", "bf", "f", "i", "u", "double", "half"})
    if (lower.starts_with(start)) {
      std::string_view rest = std::string_view(lower).substr(start.size());
      return start.size() > 2 ? rest.empty() || std::isdigit(static_cast<unsigned char>(rest.front())) != 0
                              : !rest.empty() && rest.find_first_not_of("0123456789") == rest.npos;
    }
  return false;
}

/// A message that is built word by word.
class NormalizedMessage {
 public:
  const std::string& text() const { return text_; }

  void add_word(std::string_view word) {
    const bool has_digit = std::ranges::any_of(word, [](unsigned char c) { return std::isdigit(c) != 0; });
    if (is_type_name(word))
      add_detail("TYPE");
    else if (std::isdigit(static_cast<unsigned char>(word.front())) != 0)
      add_number();
    else if (has_digit)
      add_detail("NAME");
    else
      text_ += word;
  }

  /// What messages of the same kind may differ in.
  void add_detail(std::string_view detail) {
    text_ += detail;
    if (!open_.empty()) open_.back().has_detail = true;
  }

  /// What brackets enclose is a detail if it contains one: lists of operands, attributes and lengths.
  void add_sign(char sign) {
    text_ += sign;
    if (const std::size_t kind = opening.find(sign); kind != opening.npos && open_.size() < most_brackets)
      open_.push_back({closing[kind], text_.size(), false});
    const auto last = std::ranges::find(open_.rbegin(), open_.rend(), sign, &Bracket::closing);
    if (last == open_.rend()) return;
    const std::size_t start = last->start;
    const bool has_detail = std::any_of(open_.rbegin(), std::next(last), std::mem_fn(&Bracket::has_detail));
    open_.erase(std::prev(last.base()), open_.end());
    if (!has_detail) return;
    text_.resize(start);
    add_detail("...");
    text_ += sign;
  }

 private:
  struct Bracket {
    char closing;
    std::size_t start;  ///< of what it encloses
    bool has_detail;
  };

  static constexpr std::string_view opening = "([{<";
  static constexpr std::string_view closing = ")]}>";
  static constexpr std::size_t most_brackets = 16;

  /// "N, N" is the same as "N".
  void add_number() {
    const std::size_t last = text_.find_last_not_of(" ,");
    if (last != text_.npos && last + 1 < text_.size() && text_[last] == 'N')
      text_.resize(last + 1);
    else
      add_detail("N");
  }

  std::string text_;
  std::vector<Bracket> open_;  ///< that are not closed yet
};

/// Whether long messages differ in one word, such as the operation in "FakeQuantize node 'q': shapes are inconsistent".
bool are_similar(std::string_view one, std::string_view other) {
  auto left = std::views::split(one, ' ');
  auto right = std::views::split(other, ' ');
  std::size_t words = 0;
  std::size_t differing = 0;
  auto a = left.begin();
  auto b = right.begin();
  for (; a != left.end() && b != right.end() && differing < 2; ++a, ++b, ++words)
    differing += std::ranges::equal(*a, *b) ? 0 : 1;
  return a == left.end() && b == right.end() && differing < 2 && words >= long_message;
}

bool is_problem(const CaseRecord& record) { return !is_permitted(record.verdict) && !record.declined; }

template <class Condition>
CaseSet select(std::span<const CaseRecord> records, const Condition& condition) {
  CaseSet cases(records.size());
  for (std::size_t i = 0; i < records.size(); ++i) cases.set(i, condition(records[i]));
  return cases;
}

std::vector<std::size_t> places(const CaseSet& cases) {
  std::vector<std::size_t> all;
  for (std::size_t i = cases.find_first(); i != CaseSet::npos; i = cases.find_next(i)) all.push_back(i);
  return all;
}

/// Cases that have the same message.
struct MessageGroup {
  std::size_t count = 0;
  std::string_view first = {};
};

/// By their normalized message.
using MessageGroups = std::map<std::string_view, MessageGroup>;

/// The normalized messages of cases, each of which is kept once: all cases can have different ones.
class Messages {
 public:
  void add(const CaseRecord& record) {
    const std::string_view message = message_of(record);
    std::string text = normalized_message(message);
    auto found = groups_.find(text);
    if (found == groups_.end())
      found = groups_.try_emplace(text == message ? message : texts_.emplace_back(std::move(text))).first;
    if (found->second.count++ == 0) found->second.first = message;
  }

  std::size_t count(std::string_view normalized) const { return groups_.find(normalized)->second.count; }
  /// Of a case that was added.
  std::string_view normalized(const CaseRecord& record) const {
    return groups_.find(normalized_message(message_of(record)))->first;
  }
  /// Of cases that were added.
  MessageGroups groups_of(std::span<const CaseRecord> records, const std::vector<std::size_t>& cases) const {
    MessageGroups groups;
    for (const std::size_t place : cases) {
      MessageGroup& group = groups[normalized(records[place])];
      if (group.count++ == 0) group.first = message_of(records[place]);
    }
    return groups;
  }

 private:
  std::deque<std::string> texts_;  ///< of those that differ from the messages
  MessageGroups groups_;
};

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

/// The failures whose outputs have a wrong type or shape, by what they have instead.
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
    else
      continue;
    CaseSet& cases = forms[form];
    if (cases.empty()) cases.resize(records.size());
    cases.set(place);
  }
  return forms;
}

/// By hypothesis: the cases that it does not explain, although their outputs are as it predicts.
using Refuted = std::map<std::string, CaseSet, std::less<>>;

/// The failures that each hypothesis explains, and where.
class Hypotheses {
 public:
  Hypotheses(std::span<const CaseRecord> records, const CaseFacts& facts,
             std::span<const Contradictions> contradictions, const Refuted& refuted)
      : facts_(facts), asked_(select(records, [](const CaseRecord& record) { return !record.declined; })) {
    std::map<std::string_view, PackedCaseSet> explained;
    for (std::size_t place = 0; place < records.size(); ++place)
      for (const std::string& name : records[place].hypotheses)
        if (const auto found = refuted.find(name); found == refuted.end() || !found->second.test(place))
          explained.try_emplace(name, records.size()).first->second.add(place);
    std::map<std::string_view, std::vector<std::string_view>> contradicted;  // by the id of the case
    for (const Contradictions& row : contradictions)
      for (const std::string& id : row.cases) contradicted[id].push_back(row.hypothesis);
    std::map<std::string_view, CaseSet> contradicting;
    for (std::size_t place = 0; place < records.size(); ++place)
      if (const auto found = contradicted.find(records[place].id); found != contradicted.end())
        for (const std::string_view name : found->second) {
          CaseSet& cases = contradicting[name];
          if (cases.empty()) cases.resize(records.size());
          cases.set(place);
        }
    const auto failures = static_cast<std::size_t>(
        std::ranges::count(records, Verdict::fail, [](const CaseRecord& record) { return record.verdict; }));
    for (auto& [name, cases] : explained) {
      Row row{.cases = std::move(cases), .contradicting = {}, .rules = {}};
      if (const auto found = contradicting.find(name); found != contradicting.end())
        row.contradicting = std::move(found->second);
      // It holds only where no right case contradicts it.
      if (row.contradicting.any()) {
        CaseSet held = row.cases.unpacked();
        // A hypothesis that explains few failures is not a cause by itself, so fewer rules are enough.
        const bool is_rare = held.count() * hypotheses_share < failures;
        row.rules =
            find_rules(facts, held, row.contradicting, {.most_rules = is_rare ? most_rules_shown : most_rules_of_one});
        held.reset();
        for (const RuleMatch& match : row.rules) held |= match.cases;
        row.cases = PackedCaseSet(held);
      }
      rows_.emplace(name, std::move(row));
    }
  }

  /// Adds a cause for each of the few hypotheses that explain the most failures. A pair explains the cases that two
  /// defects affect: if one of them is a cause already, the pair counts for the other one. Returns the cases left.
  CaseSet add(CaseSet rest, std::vector<Cause>& causes) const {
    const std::size_t least_cases = rest.count() / hypotheses_share;
    std::vector<Chosen> chosen;
    while (true) {
      for (const auto& [name, row] : rows_) {
        const CaseSet cases = row.cases.unpacked();
        if (!cases.intersects(rest) || !without(name, chosen).empty()) continue;
        rarest_part(name, chosen).add(row, rest);
        rest -= cases;
      }
      std::map<std::string, std::vector<const Row*>> candidates;
      for (const auto& [name, row] : rows_)
        if (row.cases.unpacked().intersects(rest)) candidates[without(name, chosen)].push_back(&row);
      std::optional<Chosen> best;  // the only one whose cases are kept: there are hundreds of candidates
      for (const auto& [name, rows] : candidates) {
        Chosen candidate{name, CaseSet(rest.size()), {}};
        for (const Row* row : rows) candidate.add(*row, rest);
        if (candidate.cases.count() < least_cases) continue;
        // A rule that right cases force costs as much as a case explains. If two are equally good, a single defect
        // comes before a pair, and then the one that fewer right cases contradict.
        const auto order = [](const Chosen& one) {
          return std::tuple(static_cast<std::ptrdiff_t>(one.cases.count()) - one.most_rules(),
                            -std::ranges::count(one.name, '+'), -static_cast<std::ptrdiff_t>(one.contradicted_by()));
        };
        if (!best || order(*best) < order(candidate)) best = std::move(candidate);
      }
      if (!best) break;
      rest -= best->cases;
      chosen.push_back(*std::move(best));
    }
    for (const Chosen& one : chosen)
      causes.push_back({.is_wrong = true,
                        .name = one.name,
                        .sentence = sentence_of(one.name),
                        .where = where(one),
                        .contradicted_by = one.contradicted_by(),
                        .cases = places(one.cases)});
    return rest;
  }

 private:
  struct Row {
    PackedCaseSet cases;    ///< that it explains
    CaseSet contradicting;  ///< the right cases in which it would show; without a size if there are none
    std::vector<RuleMatch> rules;
  };

  /// A hypothesis that becomes a cause.
  struct Chosen {
    std::string name;
    CaseSet cases;
    std::vector<const Row*> rows;  ///< its own, and those of pairs with other causes

    void add(const Row& row, const CaseSet& rest) {
      cases |= row.cases.unpacked() & rest;
      rows.push_back(&row);
    }

    /// The number of rules of the row that has the most.
    std::ptrdiff_t most_rules() const {
      std::size_t most = 0;
      for (const Row* row : rows) most = std::max(most, row->rules.size());
      return static_cast<std::ptrdiff_t>(most);
    }

    std::size_t contradicted_by() const {
      CaseSet contradicting(cases.size());
      for (const Row* row : rows)
        if (row->contradicting.any()) contradicting |= row->contradicting;
      return contradicting.count();
    }
  };

  /// The parts of a hypothesis that are not chosen: "NAME", "NAME+NAME" or nothing.
  static std::string without(std::string_view name, const std::vector<Chosen>& chosen) {
    std::vector<std::string_view> parts;
    for (const auto part : std::views::split(name, '+')) {
      const std::string_view text(part.begin(), part.end());
      if (std::ranges::find(chosen, text, &Chosen::name) == chosen.end()) parts.push_back(text);
    }
    return fmt::format("{}", fmt::join(parts, "+"));
  }

  /// Returns the hypothesis or the part of it that was chosen and has the fewest cases. At least one must be chosen.
  static Chosen& rarest_part(std::string_view name, std::vector<Chosen>& chosen) {
    Chosen* rarest = nullptr;
    for (Chosen& one : chosen) {
      const bool is_part = one.name == name || std::ranges::any_of(std::views::split(name, '+'), [&](const auto part) {
                             return std::string_view(part.begin(), part.end()) == one.name;
                           });
      if (is_part && (rarest == nullptr || one.cases.count() < rarest->cases.count())) rarest = &one;
    }
    return *rarest;
  }

  std::string where(const Chosen& chosen) const {
    if (std::ranges::all_of(chosen.rows, [](const Row* row) { return row->rules.empty(); }))
      return in_words(extent(facts_, chosen.cases, asked_));
    std::map<std::string, std::size_t> cases_of_rules;
    for (const Row* row : chosen.rows) {
      if (const CaseSet own = row->cases.unpacked() & chosen.cases; row->rules.empty())
        cases_of_rules[in_words(extent(facts_, own, asked_))] += own.count();
      for (const RuleMatch& match : row->rules)
        if (const CaseSet own = match.cases & chosen.cases; own.any())
          cases_of_rules[in_words(match.rule)] += own.count();
    }
    std::vector<std::pair<std::size_t, std::string>> order;
    for (auto& [rule, count] : cases_of_rules) order.emplace_back(count, rule);
    std::ranges::stable_sort(order, std::greater(), &std::pair<std::size_t, std::string>::first);
    std::vector<std::string> rules;
    for (auto& [count, rule] : order | std::views::take(most_rules_shown)) rules.push_back(std::move(rule));
    if (order.size() > rules.size()) rules.emplace_back("and others");
    return fmt::format("{}", fmt::join(rules, "; "));
  }

  const CaseFacts& facts_;
  const CaseSet asked_;
  std::map<std::string_view, Row> rows_;
};

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

/// "from ort:basic on", "at every level"; empty if it is not known of any of the cases.
std::string levels_in_words(std::span<const CaseRecord> records, const std::vector<std::size_t>& cases) {
  std::set<std::string_view> lowest;
  bool has_all = false;
  for (const std::size_t place : cases) {
    const CaseRecord& record = records[place];
    if (record.lowest_level.empty()) continue;
    if (record.level_below.empty())
      has_all = true;
    else
      lowest.insert(*record.lowest_level);
  }
  if (lowest.empty()) return has_all ? "at every level" : "";
  return fmt::format("{}from {} on", has_all ? "at every level, or " : "", fmt::join(lowest, " or "));
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

std::string_view message_of(const CaseRecord& record) {
  std::string_view text = *record.reason;
  text = text.substr(0, text.find("; the backend "));
  if (text.starts_with("data set "))
    if (const std::size_t colon = text.find(": "); colon != text.npos) text.remove_prefix(colon + 2);
  return text;
}

std::string normalized_message(std::string_view message) {
  NormalizedMessage normalized;
  for (std::size_t i = 0; i < message.size();) {
    const char character = message[i];
    const std::size_t quoted = character == '\'' || character == '"' ? message.find(character, i + 1) : message.npos;
    if (quoted != message.npos) {
      normalized.add_detail("'...'");
      i = quoted + 1;
    } else if (is_word(character)) {
      std::size_t end = i;
      while (end < message.size() && is_word(message[end])) ++end;
      normalized.add_word(message.substr(i, end - i));
      i = end;
    } else {
      normalized.add_sign(character);
      ++i;
    }
  }
  return normalized.text();
}

namespace {

std::vector<Cause> find_unless(std::span<const CaseRecord> records, std::span<const Contradictions> contradictions,
                               const CaseFacts& facts, const Refuted& refuted) {
  std::vector<Cause> causes;
  const CaseSet answered = select(records, is_answered);
  const CaseSet right =
      select(records, [](const CaseRecord& record) { return is_pass(record.verdict) && !record.must_reject(); });

  CaseSet failed =
      Hypotheses(records, facts, contradictions, refuted)
          .add(select(records, [](const CaseRecord& record) { return record.verdict == Verdict::fail; }), causes);
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

/// What is left of a hypothesis without the parts that are causes themselves; all of it if nothing else is.
std::string own_part(std::string_view hypothesis, std::span<const Cause> causes, const std::string& own) {
  std::vector<std::string_view> parts;
  for (const auto part : std::views::split(hypothesis, '+')) {
    const std::string_view text(part.begin(), part.end());
    if (text == own || std::ranges::find(causes, text, &Cause::name) == causes.end()) parts.push_back(text);
  }
  return parts.empty() ? std::string(hypothesis) : fmt::format("{}", fmt::join(parts, "+"));
}

/// The experiments of each cause: those that vary one of its cases.
std::vector<std::vector<const Experiment*>> by_cause(std::span<const Cause> causes, std::span<const CaseRecord> records,
                                                     std::span<const Experiment> experiments) {
  std::map<std::string_view, std::vector<const Experiment*>> by_case;
  for (const Experiment& one : experiments) by_case[one.base].push_back(&one);
  std::vector<std::vector<const Experiment*>> rows(causes.size());
  for (std::size_t i = 0; i < causes.size(); ++i)
    for (const std::size_t place : causes[i].cases)
      if (const auto found = by_case.find(records[place].id); found != by_case.end())
        rows[i].insert(rows[i].end(), found->second.begin(), found->second.end());
  return rows;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Whether it has an answer to other values in the same circumstances.
bool is_test_of(const Experiment& one, const std::string& name) {
  return one.outcome == ExperimentOutcome::answered && one.change == ExperimentChange::values &&
         contains(one.tested, name);
}

/// Adds what the experiments refute. Returns whether that was anything new.
bool add_refuted(std::span<const Cause> causes, std::span<const CaseRecord> records,
                 std::span<const Experiment> experiments, Refuted& refuted) {
  bool is_new = false;
  const auto rows = by_cause(causes, records, experiments);
  for (std::size_t i = 0; i < causes.size(); ++i) {
    std::set<std::string> names;
    for (const Experiment* one : rows[i])
      for (const std::string& name : one->tested)
        if (is_test_of(*one, name) && !contains(one->consistent, name)) names.insert(name);
    if (names.empty()) continue;
    for (const std::size_t place : causes[i].cases)
      for (const std::string& name : records[place].hypotheses) {
        if (!names.contains(name) && !names.contains(own_part(name, causes, causes[i].name))) continue;
        CaseSet& cases = refuted[name];
        if (cases.empty()) cases.resize(records.size());
        is_new = is_new || !cases.test(place);
        cases.set(place);
      }
  }
  return is_new;
}

/// "either rounds half up; or rounds up"
std::string sentence_of_one_of(const std::vector<std::string>& names) {
  std::vector<std::string> sentences;
  for (const std::string& name : names | std::views::take(most_alternatives)) sentences.push_back(sentence_of(name));
  const std::size_t others = names.size() - sentences.size();
  return fmt::format("one of: {}{}", fmt::join(sentences, "; or "),
                     others == 0   ? ""
                     : others == 1 ? "; or another one"
                                   : fmt::format("; or {} others", others));
}

std::string reason_of(const std::vector<const Experiment*>& rows) {
  for (const Experiment* one : rows)
    for (const ExperimentOutcomeInfo& row : experiment_outcomes)
      if (row.outcome == one->outcome && !row.sentence.empty()) return std::string(row.sentence);
  return "";
}

/// Says of a cause with a name what the experiments show of it.
void describe_tests(Cause& cause, std::vector<std::string> alive, const std::vector<const Experiment*>& rows) {
  if (std::ranges::any_of(rows, [&](const Experiment* one) {
        return is_test_of(*one, cause.name) && !contains(one->consistent, cause.name);
      })) {  // and there were too many to replace it
    cause.tested = fmt::format("experiments refute: {}", std::exchange(cause.sentence, "gives wrong values"));
    cause.name.clear();
    return;
  }
  std::erase_if(alive, [&](const std::string& name) {
    return std::ranges::any_of(
        rows, [&](const Experiment* one) { return is_test_of(*one, cause.name) && !contains(one->consistent, name); });
  });
  std::size_t shown = 0;
  std::vector<std::string> elsewhere;
  std::vector<std::string> nowhere;  // circumstances in which the results are right
  for (const Experiment* one : rows) {
    if (one->outcome != ExperimentOutcome::answered || !contains(one->tested, cause.name)) continue;
    const bool is_wrong = one->verdict == Verdict::fail;
    const bool is_consistent = contains(one->consistent, cause.name);
    if (one->change == ExperimentChange::values) {
      cause.experiments += is_consistent ? 1 : 0;
      shown += is_consistent && is_wrong ? 1 : 0;
    } else if (is_wrong == is_consistent) {  // right although it would show, or wrong as it predicts
      const auto where = experiment_changes[static_cast<std::size_t>(one->change)].where;
      std::vector<std::string>& places = is_wrong ? elsewhere : nowhere;
      if (!contains(places, std::string(where))) places.emplace_back(where);
    }
  }
  std::erase_if(nowhere, [&](const std::string& where) { return contains(elsewhere, where); });
  const std::string reason = reason_of(rows);
  if (shown == 0) {
    cause.experiments = 0;
    cause.tested = fmt::format("not tested{}{}", reason.empty() ? "" : ": ", reason);
    return;
  }
  cause.tested =
      fmt::format("confirmed by {} {}", cause.experiments, cause.experiments == 1 ? "experiment" : "experiments");
  if (!elsewhere.empty()) cause.tested += fmt::format(", also {}", fmt::join(elsewhere, ", "));
  if (!nowhere.empty()) cause.tested += fmt::format(", not {}", fmt::join(nowhere, ", not "));
  const bool lacked_time =
      std::ranges::any_of(rows, [](const Experiment* one) { return one->outcome == ExperimentOutcome::no_time; });
  if (!reason.empty() && !lacked_time) cause.tested += fmt::format("; no more, because {}", reason);
  if (alive.size() < 2) return;
  cause.one_of = std::move(alive);
  cause.sentence = sentence_of_one_of(cause.one_of);
}

/// Says of a cause without a name which hypothesis would have explained most of its cases.
void describe_refuted(Cause& cause, std::span<const CaseRecord> records, const Refuted& refuted) {
  std::map<std::string_view, std::size_t> counts;
  for (const auto& [name, cases] : refuted)
    for (const std::size_t place : cause.cases) {
      const std::vector<std::string>& names = *records[place].hypotheses;
      if (cases.test(place) && contains(names, name)) ++counts[name];
    }
  const auto most = std::ranges::max_element(counts, {}, [](const auto& row) { return row.second; });
  if (most != counts.end()) cause.tested = fmt::format("experiments refute: {}", sentence_of(most->first));
}

}  // namespace

std::vector<std::string> rivals(const Cause& cause, std::span<const Cause> causes,
                                std::span<const CaseRecord> records) {
  std::map<std::string, std::size_t> counts;
  for (const std::size_t place : cause.cases) {
    std::set<std::string> names;
    for (const std::string& name : records[place].hypotheses) names.insert(own_part(name, causes, cause.name));
    for (const std::string& name : names) ++counts[name];
  }
  std::map<std::string_view, std::size_t> all;
  for (const CaseRecord& record : records)
    for (const std::string& name : record.hypotheses) ++all[name];
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const auto& [name, count] : counts)
    if (name != cause.name && count == cause.cases.size()) order.emplace_back(all[name], name);
  std::ranges::stable_sort(order, std::greater(), &std::pair<std::size_t, std::string>::first);
  std::vector<std::string> names{cause.name};
  for (auto& [count, name] : order | std::views::take(most_rivals)) names.push_back(std::move(name));
  return names;
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
  const auto rows = by_cause(causes, records, experiments);
  for (std::size_t i = 0; i < causes.size(); ++i)
    if (!causes[i].name.empty())
      describe_tests(causes[i], rivals(causes[i], causes, records), rows[i]);
    else if (records[causes[i].cases.front()].verdict == Verdict::fail)
      describe_refuted(causes[i], records, refuted);
  return causes;
}

}  // namespace touchstone::conformance
