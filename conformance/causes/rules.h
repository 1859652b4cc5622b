// Finds the rules that separate a group of cases from others: where a backend differs, in few words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/causes/facts.h"

namespace touchstone::conformance {

/// The maximum number of rules that locate a cause, and of those that it shows. Rules that differ only in the values of
/// one dimension are shown as one.
inline constexpr std::size_t most_rules_of_one = 12;
inline constexpr std::size_t most_rules_shown = 4;

/// The cases that meet all conditions, where values of one dimension are alternatives. Without conditions: every case.
struct Rule {
  std::vector<Condition> conditions;

  bool operator==(const Rule&) const = default;
};

/// "QuantizeLinear 10 to 23, scale float16, blocked"; "every case" for a rule without conditions.
std::string in_words(const Rule& rule);

struct RuleMatch {
  Rule rule;
  CaseSet cases;  ///< of the group, without those of earlier rules
};

struct RuleLimits {
  std::size_t most_rules = 30;
  std::size_t least_cases = 1;      ///< how many cases a rule must cover that earlier rules do not
  std::size_t most_conditions = 3;  ///< of a rule
};

/// A decision list: rules that hold for cases of the group and for no case of `others`. Each rule covers the most cases
/// that earlier rules do not cover; a rule with fewer conditions wins if it covers nearly as many. Cases in neither set
/// are ignored. The rules may leave a part of the group uncovered.
std::vector<RuleMatch> find_rules(const CaseFacts& facts, const CaseSet& group, const CaseSet& others,
                                  const RuleLimits& limits = {});

/// What the cases of the group have in common: at most `most` conditions that all of them meet, chosen to exclude as
/// many others as possible. Each condition excludes at least half of the remaining others.
Rule common_conditions(const CaseFacts& facts, const CaseSet& group, const CaseSet& others, std::size_t most = 3);

/// The extent of a group: its operator, its first and last version, and its types. Conditions of the same dimension are
/// alternatives. Omits dimensions in which the group has many values, or all that its operators have. Granularity, zero
/// point and form are circumstances, which only a right result elsewhere can make a condition.
Rule extent(const CaseFacts& facts, const CaseSet& group, const CaseSet& all);

}  // namespace touchstone::conformance
