#include "conformance/causes/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <utility>

#include "conformance/generate/form.h"

namespace touchstone::conformance {

namespace {

using Relation = Condition::Relation;

/// The number of impure rules that the search extends by another condition.
constexpr std::size_t beam_width = 64;

/// A rule with one condition fewer is preferred if it covers at least this share of the cases.
constexpr double worth_of_condition = 0.85;

/// The same for a rule without a condition on shapes, forms or topics. There are so many of these that some separate
/// any small set of cases by chance.
constexpr double worth_of_property = 0.6;

/// The number of values of a dimension that a description lists.
constexpr std::size_t most_values = 4;

/// The members of a set that are also in another one, by their position in the latter.
CaseSet packed(const CaseSet& cases, const std::vector<std::uint32_t>& places) {
  CaseSet result(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) result.set(i, cases[places[i]]);
  return result;
}

std::vector<std::uint32_t> places_of(const CaseSet& cases) {
  std::vector<std::uint32_t> places;
  places.reserve(cases.count());
  for (std::size_t i = cases.find_first(); i != CaseSet::npos; i = cases.find_next(i))
    places.push_back(static_cast<std::uint32_t>(i));
  return places;
}

/// The facts of the cases that rules must hold for, and of the others. In most searches these are few of all cases, so
/// the sets here have only them, and only the conditions that at least `least_cases` of the group meet.
class SearchedFacts {
 public:
  SearchedFacts(const CaseFacts& facts, const CaseSet& group, const CaseSet& others, std::size_t least_cases)
      : cases_(facts.cases()), group_(places_of(group)), others_(others.count()) {
    others_.set();
    const std::vector<std::uint32_t> of_others = places_of(others);
    of_group_.reserve(facts.conditions().size());  // copying sets takes memory
    of_others_.reserve(facts.conditions().size());
    for (std::size_t i = 0; i < facts.conditions().size(); ++i) {
      const CaseSet meeting = facts.meeting(i);
      if ((meeting & group).count() < least_cases) continue;
      conditions_.push_back(facts.conditions()[i]);
      of_group_.push_back(packed(meeting, group_));
      of_others_.push_back(packed(meeting, of_others));
    }
  }

  const std::vector<Condition>& conditions() const { return conditions_; }
  const CaseSet& of_group(std::size_t condition) const { return of_group_[condition]; }
  const CaseSet& of_others(std::size_t condition) const { return of_others_[condition]; }
  CaseSet group() const { return CaseSet(group_.size()).set(); }
  const CaseSet& others() const { return others_; }

  /// The set of all cases of the run that has these of the group.
  CaseSet unpacked(const CaseSet& of_group) const {
    CaseSet cases(cases_);
    for (const std::uint32_t i : places_of(of_group)) cases.set(group_[i]);
    return cases;
  }

 private:
  std::size_t cases_;
  std::vector<std::uint32_t> group_;
  CaseSet others_;
  std::vector<Condition> conditions_;
  std::vector<CaseSet> of_group_;
  std::vector<CaseSet> of_others_;
};

struct Candidate {
  std::vector<std::size_t> conditions;  ///< in ascending order
  CaseSet group;                        ///< what it covers of the group that earlier rules do not
  CaseSet others;
};

/// A candidate with one more condition, without the sets: there are many of these, and a set has a bit for each case.
struct Extension {
  double worth;
  std::size_t shorter;  ///< the place of the candidate
  std::vector<std::size_t> conditions;
};

/// Whether the dimension is a property of the case rather than of the operator and its types.
bool is_property(Dimension dimension) { return dimension >= Dimension::form; }

/// The number of cases that a rule covers, reduced for each condition after the first, and for each property.
double score(const SearchedFacts& facts, std::size_t covered, const std::vector<std::size_t>& conditions) {
  const auto properties =
      std::ranges::count_if(conditions, [&](std::size_t i) { return is_property(facts.conditions()[i].dimension); });
  return static_cast<double>(covered) * std::pow(worth_of_condition, static_cast<double>(conditions.size()) - 1) *
         std::pow(worth_of_property, static_cast<double>(properties));
}

/// Whether the rule already has a value of the same dimension. Another one would not narrow the rule, because values of
/// one dimension are alternatives.
bool has_alternative(const SearchedFacts& facts, const std::vector<std::size_t>& conditions, const Condition& added) {
  return !added.value.empty() && std::ranges::any_of(conditions, [&](std::size_t i) {
    return facts.conditions()[i].dimension == added.dimension;
  });
}

/// The best rule for the uncovered cases, or std::nullopt.
std::optional<Candidate> best_rule(const SearchedFacts& facts, const CaseSet& uncovered, const RuleLimits& limits) {
  if (facts.others().empty()) return Candidate{{}, uncovered, {}};
  std::vector<std::size_t> usable;
  for (std::size_t i = 0; i < facts.conditions().size(); ++i)
    if ((uncovered & facts.of_group(i)).count() >= limits.least_cases) usable.push_back(i);
  std::optional<Candidate> best;
  double best_score = 0;
  std::vector<Candidate> beam{{{}, uncovered, facts.others()}};
  for (std::size_t length = 1; length <= limits.most_conditions; ++length) {
    std::vector<Extension> extended;
    for (std::size_t place = 0; place < beam.size(); ++place) {
      const Candidate& shorter = beam[place];
      const std::size_t others_before = shorter.others.count();
      const std::size_t first = shorter.conditions.empty() ? 0 : shorter.conditions.back() + 1;
      for (auto next = std::ranges::lower_bound(usable, first); next != usable.end(); ++next) {
        const std::size_t i = *next;
        if (has_alternative(facts, shorter.conditions, facts.conditions()[i])) continue;
        CaseSet group = shorter.group & facts.of_group(i);
        const std::size_t covered = group.count();
        std::vector<std::size_t> conditions = shorter.conditions;
        conditions.push_back(i);
        const double worth = score(facts, covered, conditions);
        // No extension of this candidate covers more.
        if (covered < limits.least_cases || worth < best_score) continue;
        CaseSet left = shorter.others & facts.of_others(i);
        const std::size_t others_left = left.count();
        if (others_left == others_before) continue;  // the condition excludes nothing
        if (others_left == 0) {
          // If two rules are equally good, the one with the earlier dimensions wins.
          if (worth == best_score && best->conditions < conditions) continue;
          best_score = worth;
          best = Candidate{std::move(conditions), std::move(group), std::move(left)};
        } else {
          // Prefers conditions that much of the group meets, and little else.
          const double share = static_cast<double>(covered) / static_cast<double>(covered + others_left);
          extended.push_back({worth * share, place, std::move(conditions)});
        }
      }
    }
    std::ranges::stable_sort(extended, std::greater(), &Extension::worth);
    std::vector<Candidate> longer;
    for (Extension& one : extended | std::views::take(beam_width)) {
      const Candidate& shorter = beam[one.shorter];
      const std::size_t added = one.conditions.back();
      longer.push_back(
          {std::move(one.conditions), shorter.group & facts.of_group(added), shorter.others & facts.of_others(added)});
    }
    beam = std::move(longer);
  }
  return best;
}

Rule rule_of(const SearchedFacts& facts, const std::vector<std::size_t>& conditions) {
  Rule rule;
  for (const std::size_t i : conditions) rule.conditions.push_back(facts.conditions()[i]);
  return rule;
}

// ---- words

/// "10 to 23", "21 and later", "up to 19"; empty if no condition has the dimension.
std::string range_in_words(const std::vector<Condition>& conditions, Dimension dimension,
                           std::string_view and_more = "and later") {
  std::optional<std::int64_t> first, last;
  for (const Condition& condition : conditions) {
    if (condition.dimension != dimension) continue;
    if (condition.relation == Relation::is) return std::to_string(condition.number);
    (condition.relation == Relation::at_least ? first : last) = condition.number;
  }
  if (first && first == last) return std::to_string(*first);
  if (first && last) return fmt::format("{} to {}", *first, *last);
  if (first) return fmt::format("{} {}", *first, and_more);
  return last ? fmt::format("up to {}", *last) : "";
}

std::string value_in_words(const Condition& condition, bool with_description) {
  const std::string& value = condition.value;
  switch (condition.dimension) {
    case Dimension::domain: return value;
    case Dimension::family: return fmt::format("any operand of {}", value);
    case Dimension::y_family: return fmt::format("y of {}", value);
    case Dimension::clause: return "violated clause " + value;
    case Dimension::violation: return value;
    case Dimension::operand: return "any operand of type " + value;
    case Dimension::x: return "x " + value;
    case Dimension::scale: return "scale " + value;
    case Dimension::y: return "y " + value;
    case Dimension::granularity: {
      std::string words = value;
      std::ranges::replace(words, '_', ' ');
      return words;
    }
    case Dimension::zero_point: return value == "absent" ? "without zero point" : "with zero point";
    case Dimension::saturate: return "saturate=" + value;
    case Dimension::precision: return value == "absent" ? "without precision" : "precision " + value;
    case Dimension::form: {
      const Form* form = with_description ? find_form(value) : nullptr;
      return form == nullptr ? "form " + value : fmt::format("form {} ({})", value, form->description);
    }
    case Dimension::x_source: return value == "constant" ? "constant x" : "x from a graph input";
    case Dimension::scale_source: return value == "constant" ? "constant scale" : "scale from a graph input";
    case Dimension::attribute: return "with attribute " + value;
    case Dimension::pattern: return fmt::format("pattern {}", value);
    case Dimension::trait: return value;
    case Dimension::topic: return fmt::format("cases '{}'", value);
    default: return value;
  }
}

/// Whether each alternative value needs the words of its dimension to be understood.
bool needs_words(Dimension dimension) {
  using enum Dimension;
  return dimension == granularity || dimension == zero_point || dimension == precision || dimension == x_source ||
         dimension == scale_source;
}

/// "rank 3 and more", "negative axis", "up to 4 elements".
void append_numbers(const std::vector<Condition>& conditions, std::vector<std::string>& parts) {
  if (const std::string ranks = range_in_words(conditions, Dimension::rank, "and more"); !ranks.empty())
    parts.push_back("rank " + ranks);
  const Condition negative{Dimension::axis, Relation::at_most, -1, ""};
  if (std::ranges::find(conditions, negative) != conditions.end())
    parts.push_back("negative axis");
  else if (const std::string axes = range_in_words(conditions, Dimension::axis, "and more"); !axes.empty())
    parts.push_back("axis " + axes);
  if (const std::string counts = range_in_words(conditions, Dimension::elements, "and more"); !counts.empty())
    parts.push_back(counts == "0" ? "no elements" : counts + " elements");
}

}  // namespace

std::string in_words(const Rule& rule) {
  if (rule.conditions.empty()) return "every case";
  std::string op;
  for (const Condition& condition : rule.conditions)
    if (condition.dimension == Dimension::op) op = condition.value;
  const std::string versions = range_in_words(rule.conditions, Dimension::version);
  const std::string opsets = range_in_words(rule.conditions, Dimension::opset);
  std::vector<std::string> parts;
  if (!versions.empty())
    parts.push_back(op.empty() ? "operator version " + versions : fmt::format("{} {}", op, versions));
  else if (!op.empty())
    parts.push_back(op);
  if (!opsets.empty()) parts.push_back("opset " + opsets);
  std::map<Dimension, std::vector<const Condition*>> others;  // values of one dimension are alternatives
  for (const Condition& condition : rule.conditions)
    if (condition.dimension != Dimension::op && !condition.value.empty())
      others[condition.dimension].push_back(&condition);
  for (const auto& [dimension, values] : others) {
    std::string words = value_in_words(*values.front(), values.size() == 1);
    const std::size_t shown = dimension == Dimension::violation ? std::min(values.size(), most_values) : values.size();
    for (std::size_t i = 1; i < shown; ++i)
      words += " or " + (needs_words(dimension) ? value_in_words(*values[i], false) : values[i]->value);
    if (const std::size_t rest = values.size() - shown; rest > 0)
      words += fmt::format(" or {} {}", rest, rest == 1 ? "other" : "others");
    parts.push_back(std::move(words));
  }
  append_numbers(rule.conditions, parts);
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<RuleMatch> find_rules(const CaseFacts& facts, const CaseSet& group, const CaseSet& others,
                                  const RuleLimits& limits) {
  const SearchedFacts searched(facts, group, others, limits.least_cases);
  std::vector<RuleMatch> rules;
  CaseSet uncovered = searched.group();
  while (uncovered.any() && rules.size() < limits.most_rules) {
    const std::optional<Candidate> best = best_rule(searched, uncovered, limits);
    if (!best) break;
    uncovered -= best->group;
    rules.push_back({rule_of(searched, best->conditions), searched.unpacked(best->group)});
  }
  return rules;
}

Rule common_conditions(const CaseFacts& facts, const CaseSet& group, const CaseSet& others, std::size_t most) {
  Rule rule;
  CaseSet left = others;
  while (rule.conditions.size() < most && left.any()) {
    std::size_t fewest = left.count() / 2 + 1;
    std::optional<std::size_t> chosen;
    for (std::size_t i = 0; i < facts.conditions().size(); ++i) {
      if (!group.is_subset_of(facts.meeting(i))) continue;
      const std::size_t met = (left & facts.meeting(i)).count();
      if (met >= fewest) continue;
      fewest = met;
      chosen = i;
    }
    if (!chosen) break;
    rule.conditions.push_back(facts.conditions()[*chosen]);
    left &= facts.meeting(*chosen);
  }
  std::ranges::sort(rule.conditions);
  return rule;
}

Rule extent(const CaseFacts& facts, const CaseSet& group, const CaseSet& all) {
  using enum Dimension;
  Rule rule;
  // The conditions that cases of the set meet, by dimension.
  const auto met = [&](Dimension dimension, const CaseSet& cases) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < facts.conditions().size(); ++i) {
      const Condition& condition = facts.conditions()[i];
      if (condition.dimension == dimension && condition.relation == Relation::is && cases.intersects(facts.meeting(i)))
        found.push_back(i);
    }
    return found;
  };
  CaseSet alike = all;  // the cases of the same operators
  if (const std::vector<std::size_t> ops = met(op, group);
      ops.size() == 1 && group.is_subset_of(facts.meeting(ops[0]))) {
    rule.conditions.push_back(facts.conditions()[ops[0]]);
    alike &= facts.meeting(ops[0]);
  }
  if (const auto numbers = met(version, group), every = met(version, alike); !numbers.empty() && !every.empty()) {
    const auto number = [&](std::size_t i) { return facts.conditions()[i].number; };
    if (number(numbers.front()) > number(every.front()))
      rule.conditions.push_back({version, Relation::at_least, number(numbers.front()), ""});
    if (number(numbers.back()) < number(every.back()))
      rule.conditions.push_back({version, Relation::at_most, number(numbers.back()), ""});
  }
  for (const Dimension dimension : {x, scale, y, saturate}) {
    const std::vector<std::size_t> values = met(dimension, group);
    CaseSet covered(group.size());
    for (const std::size_t i : values) covered |= facts.meeting(i);
    if (values.size() > most_values || !group.is_subset_of(covered) || values.size() == met(dimension, alike).size())
      continue;
    for (const std::size_t i : values) rule.conditions.push_back(facts.conditions()[i]);
  }
  return rule;
}

}  // namespace touchstone::conformance
