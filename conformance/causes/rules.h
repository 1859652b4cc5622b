// Finds the rules that separate a group of cases from others: where a backend differs, in few words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/causes/facts.h"

namespace touchstone::conformance {

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
  std::size_t least_cases = 1;      ///< a rule must cover as many cases that earlier ones do not
  std::size_t most_conditions = 3;  ///< of a rule
};

/// A decision list: rules that hold for cases of the group and for no case of `others`. Each is the one that covers the
/// most cases of the group that earlier ones do not; a rule with fewer conditions wins if it covers nearly as many.
/// Cases that are in neither set do not matter. The rules may leave a part of the group uncovered.
std::vector<RuleMatch> find_rules(const CaseFacts& facts, const CaseSet& group, const CaseSet& others,
                                  const RuleLimits& limits = {});

/// At most so many conditions that all cases of the group meet, and that exclude the most others: what the group has in
/// common. Each excludes at least half of the others that are left.
Rule common_conditions(const CaseFacts& facts, const CaseSet& group, const CaseSet& others, std::size_t most = 3);

/// How far a group reaches: its operator, its first and last version, and its types, granularities and forms, if the
/// other cases of its operators have more than these. Conditions of the same dimension are alternatives. Omits
/// dimensions in which the group has many values.
Rule extent(const CaseFacts& facts, const CaseSet& group, const CaseSet& all);

}  // namespace touchstone::conformance
