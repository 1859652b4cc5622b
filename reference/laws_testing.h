// For tests: laws that hold for nodes of every domain.
#pragma once

#include <rapidcheck.h>

#include "reference/interpreter.h"
#include "reference/testing.h"
#include "spec/ambiguities.h"
#include "spec/clauses.h"

namespace touchstone::reference {

/// The purpose of the set of consulted ambiguities.
inline void check_that_readings_not_asked_for_change_nothing(const Node& node, const Policy& policy) {
  const Outcome outcome = interpret(node, policy);
  for (std::size_t i = 0; i < spec::ambiguities.size(); ++i) {
    if (outcome.consulted.test(i)) continue;
    for (std::size_t reading = 0; reading < spec::ambiguities[i]->readings.size(); ++reading) {
      const Outcome other = interpret(node, policy.with(i, reading));
      RC_ASSERT(same_value(outcome, other));
      RC_ASSERT(outcome.consulted == other.consulted);
    }
  }
}

/// Cited clauses and consulted ambiguities apply to the version.
inline void check_that_what_is_relied_upon_applies(const Node& node, const Policy& policy) {
  const spec::OperatorVersion& version = operator_version(node);
  const Outcome outcome = interpret(node, policy);
  const auto applies = [&](const spec::Applicability& range) {
    return range.covers(version.domain, version.op, version.since_version);
  };
  for (std::size_t k = 0; k < spec::clauses.size(); ++k)
    if (outcome.cited.test(k) && !applies(spec::clauses[k].applies)) RC_FAIL(std::string(spec::clauses[k].id));
  for (std::size_t k = 0; k < spec::ambiguities.size(); ++k)
    if (outcome.consulted.test(k) && !applies(spec::ambiguities[k]->applies))
      RC_FAIL(std::string(spec::ambiguities[k]->id));
  if (const Rejection* rejection = outcome.rejection()) RC_ASSERT(outcome.cited.test(rejection->clause.index()));
}

}  // namespace touchstone::reference
